// The languages that a user prefers, for `lang: "auto"`.

/** As many as the service looks at, of an `Accept-Language` header. */
const MOST = 16;

/**
 * Returns `lang`; for `auto` the first language that the user prefers and in which the engine has names (RFC 4647,
 * section 3.4, look-up), or `undefined`.
 */
export function spoken(engine, lang) {
  return lang === "auto" ? preferred().find((tag) => engine.has_language(tag)) : lang;
}

/** BCP 47 tags, best first: those of the browser, or where there is none, that of the system. */
function preferred() {
  const tags = globalThis.navigator?.languages;
  return tags?.length ? tags.slice(0, MOST) : [Intl.DateTimeFormat().resolvedOptions().locale];
}
