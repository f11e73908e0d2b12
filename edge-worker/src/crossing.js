// What wasm and the platform say to each other, each in one call: see crossing.rs.

import { waitUntil } from "cloudflare:workers";

/** Method, URL, and the headers `names`, a line each; the line of a header that was sent begins with "=". */
export function describe(request, names) {
  let lines = `${request.method}\n${request.url}`;
  for (const name of names) {
    const value = request.headers.get(name);
    lines += value === null ? "\n" : `\n=${value}`;
  }
  return lines;
}

/** What reads the body part by part; null where there is none. */
export function reader(request) {
  return request.body?.getReader() ?? null;
}

/** How long the next part of a body may take, milliseconds: shorter than a request may wait for anything, `STALLED_MS` of turns.rs. */
const PART_MS = 10_000;

/** The next part of a body; null behind the last one. Rejects if it does not come. */
export async function part(reader) {
  if (!reader) return null;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("the body stalls")), PART_MS);
  });
  try {
    return (await Promise.race([reader.read(), late])).value ?? null;
  } finally {
    clearTimeout(timer);
  }
}

/** Settles after so many milliseconds. */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// Headers that stand in the source text of the service, as often as they occur together: copying them is cheap, and making
// them anew is not.
const known = new Map();

const split = (lines) => (lines === "" ? [] : lines.split("\n"));

/** `headers` with names and values in turn. */
export function append(headers, parts) {
  for (let at = 0; at < parts.length; at += 2) headers.append(parts[at], parts[at + 1]);
  return headers;
}

/** `fixed` and `own` hold names and values of headers in turn, a line each: those that are the same in many responses, and
 * those of this one. */
export function respond(status, fixed, own, body) {
  if (!known.has(fixed)) known.set(fixed, append(new Headers(), split(fixed)));
  const response = new Response(body ?? null, { status, headers: known.get(fixed) });
  append(response.headers, split(own));
  return response;
}

/** What the object `name` answers; rejects when that takes longer than `patience` milliseconds. With `hint` the platform
 * places it there, if it is not there yet. The request goes on until then even if its client goes away: other requests wait
 * for what comes of it, such as a lease. */
export function ask(env, binding, name, hint, question, patience) {
  const answer = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no reply in time")), patience);
    const settle = (settled) => (value) => {
      clearTimeout(timer);
      settled(value);
    };
    reply(env[binding], name, hint, question).then(settle(resolve), settle(reject));
  });
  waitUntil(answer.catch(() => {}));
  return answer;
}

// An object has no address; the platform wants a URL all the same.
const ADDRESS = "https://object.invalid/";

// What is short travels as a header, which costs a fifth of a request less than a body. Longer headers, and others than
// these, the platform need not take. It holds keys and addresses: the platform shows no header with "secret" in its name in its logs and
// to `wrangler tail`.
const HEADER = "x-secret-text";
const fits = (text) => text.length <= 4096 && /^[!-~ ]*$/.test(text);

async function reply(namespace, name, hint, question) {
  const init = fits(question) ? { headers: { [HEADER]: question } } : { method: "POST", body: question };
  const object = hint ? namespace.getByName(name, { locationHint: hint }) : namespace.getByName(name);
  const response = await object.fetch(ADDRESS, init);
  return response.headers.get(HEADER) ?? response.text();
}

/** What an object is asked, by {@link ask}. */
export function questionOf(request) {
  return request.headers.get(HEADER) ?? request.text();
}

/** An object's reply, for {@link ask}. */
export function replyWith(text) {
  return fits(text) ? new Response(null, { headers: { [HEADER]: text } }) : new Response(text);
}

/** Whether the rate limit lets `name` pass; rejects where there is no such binding. */
export async function admits(env, binding, name) {
  return (await env[binding].limit({ key: name })).success;
}
