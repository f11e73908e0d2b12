// The question as commands: curl for the service, `toponym` for an index file.

import { address, sought } from "../question.mjs";

/** The longest command on one line. */
const LONGEST = 84;

export function curl(asked, { origin }) {
  return `curl -H "Authorization: Bearer $TOKEN" \\\n  '${origin}${address(asked).replaceAll("'", "%27")}'`;
}

/** `undefined` for a look-up, which the command does not have. `language` is the one for `auto`, which only browsers know. */
export function terminal(asked, { language }) {
  const { route, parameters } = asked;
  if (route === "place") return undefined;
  const { query, q, lat, lon, lang, ...others } = parameters;
  const isPoint = route === "reverse";
  const options = Object.entries({
    ...others,
    ...(lang && { lang: lang === "auto" ? language : lang }),
    ...(!isPoint && lat !== undefined && { focus: `${lat},${lon}` }),
  }).map(([name, value]) => `--${name}=${quoted(value)}`);
  const about = isPoint ? `${lat},${lon}` : sought(asked);
  if (typeof about !== "string") return broken(["toponym", route, ...options]);
  // A text that begins as an option does is none.
  const isLikeOption = !isPoint && about.startsWith("-");
  return broken(isLikeOption ? ["toponym", route, ...options, "--", quoted(about)] : ["toponym", route, quoted(about), ...options]);
}

/** As one word of a shell. */
const quoted = (text) => (/^[\w.,:@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** On two lines if it is long. */
function broken(words) {
  const line = words.join(" ");
  return line.length <= LONGEST ? line : `${words.slice(0, 3).join(" ")} \\\n  ${words.slice(3).join(" ")}`;
}
