// Which part of a name a typed text matches, for the list of <toponym-autocomplete>. Pure functions of texts.

/** Letters without a decomposition in Unicode, as people type them. */
const PLAIN = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ı: "i" };

/** Letters that some languages write as two. */
const SPELLED = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Accents and vowel points. Signs of one script, such as the vowels of Devanagari, are letters. */
const MARK = /\p{Script=Inherited}/gu;

/** Kana with a voiced mark are other letters. */
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * The parts `[start, end]` of `name`, in UTF-16 units, that `typed` matches without regard to case and accents: whole words,
 * and for the last word of `typed` the beginning of a word. Empty if it matches none.
 */
export function matches(name, typed) {
  const plain = found(name, typed, PLAIN);
  const spelled = found(name, typed, { ...PLAIN, ...SPELLED });
  return width(spelled) > width(plain) ? spelled : plain;
}

/** Whether `label` has every word of `typed`, the last one perhaps unfinished. */
export function explains(label, typed) {
  return [PLAIN, { ...PLAIN, ...SPELLED }].some((table) => {
    const words = [...label.matchAll(WORD)].map(([word]) => fold(word, table).text);
    return terms(typed, table).every((term) => words.some((word) => fits(word, term)));
  });
}

/**
 * Tells whether a suggestion has every word of `typed` in its label or in the name by which it was found. Among the first places a name
 * that is only similar is most often none: the place that is meant may be among the others.
 */
export function isWritten({ display_name, matched }, typed) {
  return explains(`${display_name} ${matched?.name ?? ""}`, typed);
}

function found(name, typed, table) {
  const wanted = terms(typed, table);
  const parts = [];
  for (const { 0: word, index } of name.matchAll(WORD)) {
    const folded = fold(word, table);
    // The longest: `new newcastle` is more of "Newcastle" than its "new".
    const [best] = wanted.filter((term) => fits(folded.text, term)).sort((a, b) => b.text.length - a.text.length);
    if (best) parts.push([index, index + folded.ends[best.text.length - 1]]);
  }
  return parts;
}

function fits(word, { text, last }) {
  return last ? word.startsWith(text) : word === text;
}

/** The words of a typed text. One with white space or a comma behind it is finished. */
function terms(typed, table) {
  const words = [...typed.matchAll(WORD)];
  return words
    .map(({ 0: word, index }) => ({ text: fold(word, table).text, last: index + word.length === typed.length }))
    .filter(({ text }) => text);
}

/** A word as it is compared, and for each unit of that where the letter ends that it comes from. */
function fold(word, table) {
  let text = "";
  let at = 0;
  const ends = [];
  for (const letter of word) {
    at += letter.length;
    const low = letter.toLowerCase();
    const folded = table[low] ?? (KANA.test(low) ? low : low.normalize("NFKD").replace(MARK, ""));
    text += folded;
    // A mark of its own belongs to the letter before it.
    if (!folded && ends.length) ends[ends.length - 1] = at;
    for (let unit = 0; unit < folded.length; unit += 1) ends.push(at);
  }
  return { text, ends };
}

function width(parts) {
  return parts.reduce((sum, [start, end]) => sum + end - start, 0);
}
