// The texts that users of <toponym-autocomplete> see or hear, in English, and in which language they are. The property `messages`
// replaces them.

export const MESSAGES = {
  label: "Place",
  loading: "Loading places",
  failed: "Places cannot be loaded",
  offline: "You are offline",
  none: "No place found",
  count: (count) => (count === 1 ? "1 suggestion" : `${count} suggestions`),
  unlocated: "Your position is not available",
  required: "Choose a place from the list",
  recent: "Recent places",
  clear: "Clear recent places",
  reset: "Clear",
  locate: "Where I am",
};

/**
 * Returns the languages of a field, the preferred first: its own, that of the part of the page in which it is, or else those of the
 * browser.
 */
export function languagesOf(field) {
  const said = field.lang || languageAround(field);
  return said && said !== "auto" ? [said] : (globalThis.navigator?.languages ?? []);
}

/** Returns the language that the page says for a node, also from outside the shadow in which that is. */
export function languageAround(node) {
  if (!node) return undefined;
  return node.closest("[lang]")?.lang || languageAround(node.getRootNode().host);
}

/** Tells whether English is preferred, or nothing. */
export function isEnglish([language = "en"]) {
  return /^en\b/i.test(language);
}

/** Returns the texts in a language of the list. English needs nothing that is not here. */
export async function translated(languages) {
  if (isEnglish(languages)) return MESSAGES;
  const { messagesFor } = await import("./element-languages.js");
  return { ...MESSAGES, ...messagesFor(languages) };
}

/** The texts of one field: those of the page, and else those in its language. */
export class Texts {
  #given;
  #spoken = MESSAGES;
  #languages = "";

  get all() {
    return { ...this.#spoken, ...this.#given };
  }

  /** Takes the texts of the page. */
  give(texts) {
    this.#given = texts;
  }

  /** Takes the texts in a language of the list. Returns whether they are others: if they cannot be loaded, those that it has stay. */
  async speak(languages) {
    if (this.#languages === String(languages)) return false;
    this.#languages = String(languages);
    const spoken = await translated(languages).catch(() => undefined);
    if (!spoken || this.#languages !== String(languages)) return false;
    this.#spoken = spoken;
    return true;
  }
}
