// Words in messages: in quotes, and which known word is like one that is not.
// SPDX-License-Identifier: MIT

/** In quotes, as Python writes it. */
export function quoted(word: string): string {
  const quote = word.includes("'") && !word.includes('"') ? '"' : "'";
  const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [quote]: `\\${quote}` };
  const hex = (x: string) => `\\x${x.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return quote + word.replace(/[\\'"\u0000-\u001f\u007f]/g, (x) => escapes[x] ?? (x === "'" || x === '"' ? x : hex(x))) + quote;
}

/** The longest stretch that a[alo..ahi) and b[blo..bhi) have in common: the first in a, then in b. */
function longestMatch(a: string[], alo: number, ahi: number, b: string[], blo: number, bhi: number): [number, number, number] {
  let best: [number, number, number] = [alo, blo, 0];
  let before: number[] = []; // by j: how long a match ends at a[i - 1] and b[j]
  for (let i = alo; i < ahi; i++) {
    const now: number[] = [];
    for (let j = blo; j < bhi; j++) {
      if (a[i] !== b[j]) continue;
      const size = (now[j] = (before[j - 1] ?? 0) + 1);
      if (size > best[2]) best = [i - size + 1, j - size + 1, size];
    }
    before = now;
  }
  return best;
}

/** How much two words have in common, 0 to 1 (Ratcliff & Metzener 1988, "Gestalt"). */
function ratio(a: string[], b: string[]): number {
  let matches = 0;
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [alo, ahi, blo, bhi] = part;
    const [i, j, size] = longestMatch(a, alo, ahi, b, blo, bhi);
    if (size === 0) continue;
    matches += size;
    open.push([alo, i, blo, j], [i + size, ahi, j + size, bhi]);
  }
  return a.length + b.length > 0 ? (2 * matches) / (a.length + b.length) : 1;
}

/** How many words are looked at, and how much one must have in common. */
const MOST = 10_000;
const LEAST = 0.6;

/** The word that is most like one; of several the last in order of characters; null: none is. */
export function nearest(word: string, words: readonly string[]): string | null {
  const own = [...word];
  let best: string | null = null;
  let most = LEAST;
  for (const other of words.slice(0, MOST)) {
    const length = [...other].length;
    if ((2 * Math.min(own.length, length)) / (own.length + length) < most) continue;
    const now = ratio([...other], own);
    if (now > most || (now === most && (best === null || other > best))) [best, most] = [other, now];
  }
  return best;
}
