// What the library asks about text: the host's Unicode, by the rules of no language.
// SPDX-License-Identifier: MIT

/** What is said of a byte (sentences/text/segment.h). */
const CUT = 1;
const SPACE = 2;
const LETTER = 4;
const CAPITAL = 8;
const DIGIT = 16;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What remembers its answers. */
function kept<T>(find: (code: number) => T): (code: number) => T {
  const known = new Map<number, T>();
  return (code) => {
    let value = known.get(code);
    if (value === undefined) known.set(code, (value = find(code)));
    return value;
  };
}

const kind = kept((code) => {
  const letter = String.fromCodePoint(code);
  if (/[0-9]/.test(letter)) return DIGIT;
  if (/\p{Alphabetic}/u.test(letter)) return /\p{Uppercase}/u.test(letter) ? LETTER | CAPITAL : LETTER;
  return /\p{White_Space}/u.test(letter) ? SPACE : 0;
});

/** Greek letters with an iota below have another capital alone than in a word. */
const alone = kept((code) => {
  for (let title = 0x1f80; title < 0x2000; title++) {
    const letter = String.fromCodePoint(title);
    if (/\p{Lt}/u.test(letter) && letter.toLowerCase().codePointAt(0) === code) return title;
  }
  return code;
});

export const word = (code: number) => /[\p{L}\p{Nd}]/u.test(String.fromCodePoint(code));
export const capital = (code: number) => /\p{Uppercase}/u.test(String.fromCodePoint(code));
export function upper(code: number): number {
  const [first, ...more] = String.fromCodePoint(code).toUpperCase();
  return more.length > 0 ? alone(code) : first!.codePointAt(0)!;
}

const bytesOf = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);
type Segments = "word" | "sentence";
const segmenters = new Map<Segments, Intl.Segmenter>();

/** Versions of ICU, which browsers have too, differ in two signs: here, as in that of Debian 12, "@" is
 * a letter, and a colon joins nothing. */
const asOne = (text: string) => text.replace(/@/g, "a").replace(/[:\ufe55\uff1a]/g, "#");

/** Writes a kind for each byte of UTF-8. */
export function segment(bytes: Uint8Array, ret: Uint8Array, granularity: Segments = "word"): void {
  const text = decoder.decode(bytes);
  let segmenter = segmenters.get(granularity);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter("en", { granularity }); // which adds nothing to the root's rules
    segmenters.set(granularity, segmenter);
  }
  let at = 0;
  for (const { index, segment } of segmenter.segment(granularity === "word" ? asOne(text) : text)) {
    const begin = at;
    for (const letter of text.slice(index, index + segment.length)) {
      const code = letter.codePointAt(0)!;
      ret.fill(kind(code), at, (at += bytesOf(code)));
    }
    ret[begin]! |= CUT;
  }
}

/** What the module imports. u8: its memory as it is now. */
export function host(u8: () => Uint8Array): WebAssembly.ModuleImports {
  return {
    segment: (text: number, size: number, sentences: number, ret: number) =>
      segment(u8().subarray(text, text + size), u8().subarray(ret, ret + size), sentences ? "sentence" : "word"),
    word: (code: number) => Number(word(code)),
    capital: (code: number) => Number(capital(code)),
    upper,
  };
}
