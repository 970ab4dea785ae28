// Trained models: sentences tagged, parsed and compressed (trapeze/text.h). SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { TEXT_SENTENCE, TEXT_WORD } from "./layout.js";
import type { Address, Memory } from "./memory.js";

/** A line, and what a model says of it. Lists have an element for each word, null where the model
 * does not tell; words count from 1 in heads, 0 being the root. */
export interface Sentence {
  text: string;
  tokens: string[];
  /** Where each token stands: text.slice(begin, end). */
  spans: [begin: number, end: number][];
  upos: (string | null)[];
  xpos: (string | null)[];
}
export interface Parsed extends Sentence {
  heads: number[];
  labels: (string | null)[];
}
export interface Compressed extends Parsed {
  /** As text; which words it keeps; and their heads in its tree, null where a word is dropped. */
  compression: string;
  keep: boolean[];
  compressedHeads: (number | null)[];
  /** It was kept whole, as it is written like law, or is mark-up, a row of a table, code or chat. */
  likeLaw: boolean;
}

/** How long: as many words as score best, unless one of these says it. */
export interface Length {
  /** How many words are kept, at least 1; of a shorter sentence all. */
  keep?: number;
  /** Which part of the words, 0 to 1, rounded. */
  rate?: number;
}

export interface CompressOptions extends Length {
  /** Without a length: false keeps whole what is written like law, which a model of news compresses
   * badly; true compresses it. By default false of the English model that ships, true of others. */
  anyText?: boolean;
}

const TAGS = 1;
const TREES = 2;
const COMPRESSIONS = 4;
const [FREE, WARY] = [0, -1]; // in the place of a number of words (trapeze/text.h)

/** How many words to keep; FREE: as many as score best. */
function wanted({ keep, rate }: Length, words: number): number {
  if (keep !== undefined && rate !== undefined) throw new TrapezeError("a compression has a rate, or a number of words to keep, not both");
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1)) throw new TrapezeError("keep is a whole number, 1 or more");
  if (rate !== undefined && !(rate >= 0 && rate <= 1)) throw new TrapezeError("the rate is a number from 0 to 1");
  const count = keep ?? (rate === undefined ? FREE : Math.floor(rate * words + 0.5));
  return keep === undefined && rate === undefined ? FREE : Math.max(1, Math.min(count, words));
}

/** Where the bytes of a text's UTF-8 stand in its string. */
function places(text: string): number[] {
  const ret: number[] = [];
  let at = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let byte = 0; byte < bytes; byte++) ret.push(at);
    at += letter.length;
  }
  return [...ret, at];
}

export class Model {
  readonly #memory: Memory;
  #address: Address;
  readonly #anyText: boolean;

  /** anyText: what `compress` takes it for, where it is not told. */
  constructor(memory: Memory, bytes: Uint8Array, name: string, anyText: boolean) {
    this.#memory = memory;
    this.#anyText = anyText;
    using scope = memory.scope();
    const from = scope.bytes(bytes.length);
    memory.u8.set(bytes, from);
    const ret = scope.bytes(8);
    memory.try((error) => memory.call.tz_text_model_read!(scope.text(name).at, from, bytes.length, COMPRESSIONS, 1, ret, error));
    this.#address = memory.word(ret);
  }

  /** The sentences of a text, in order: its lines are cut into them, or each line is one. */
  sentences(text: string, { onePerLine = false }: { onePerLine?: boolean } = {}): string[] {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    return onePerLine ? lines : lines.flatMap((line) => this.#sentencesOf(line));
  }

  #sentencesOf(text: string): string[] {
    if (this.#address === 0) throw new TrapezeError("the model was given back");
    if (text.includes("\0")) throw new TrapezeError("a text has no zero bytes");
    const memory = this.#memory;
    using scope = memory.scope();
    const [spans, count] = [scope.bytes(8), scope.bytes(8)];
    memory.try((error) => memory.call.tz_text_sentences!(this.#address, scope.text(text).at, spans, count, error));
    const [first, place] = [memory.word(spans), places(text)];
    return Array.from({ length: memory.word(count) }, (_, s) =>
      text.slice(place[memory.word(first + 8 * s)]!, place[memory.word(first + 8 * s + 4)]!),
    );
  }

  /** Part-of-speech tags of a sentence. */
  tag(text: string): Sentence {
    return this.#analyse(text, TAGS, FREE);
  }

  /** Tags, heads and labels. */
  parse(text: string): Parsed {
    return this.#analyse(text, TREES, FREE) as Parsed;
  }

  /** A sentence with words left out: the best compression of that length, or of any. */
  compress(text: string, options: CompressOptions = {}): Compressed {
    const words = options.rate === undefined ? 0 : this.tag(text).tokens.length;
    const keep = wanted(options, words || Number.MAX_SAFE_INTEGER);
    const wary = keep === FREE && !(options.anyText ?? this.#anyText);
    return this.#analyse(text, COMPRESSIONS, wary ? WARY : keep) as Compressed;
  }

  #analyse(text: string, asked: number, keep: number): Sentence {
    if (this.#address === 0) throw new TrapezeError("the model was given back");
    if (text.includes("\0")) throw new TrapezeError("a text has no zero bytes");
    const memory = this.#memory;
    using scope = memory.scope();
    const line = scope.i32([scope.text(text).at]);
    const count = Math.min(keep, 2 ** 31 - 1);
    const ret = scope.bytes(8);
    const model = this.#address;
    memory.try((error) => memory.call.tz_text_analyse!(model, line, 1, asked, scope.i32([count, count < 0 ? -1 : 0]), ret, error));
    const result = memory.word(ret);
    try {
      return this.#sentence(text, asked, memory.call.tz_text_result_sentence!(result, 0));
    } finally {
      memory.call.tz_text_result_free!(result);
    }
  }

  #sentence(text: string, asked: number, at: Address): Sentence {
    const memory = this.#memory;
    const first = memory.word(at + TEXT_SENTENCE.word);
    const words = Array.from({ length: memory.word(at + TEXT_SENTENCE.words) }, (_, w) => first + w * TEXT_WORD.size);
    const names = (member: number) => words.map((word) => memory.nameAt(memory.word(word + member)));
    const numbers = (member: number) => words.map((word) => memory.word(word + member));
    const place = places(text);
    const end = numbers(TEXT_WORD.end);
    const spans = numbers(TEXT_WORD.begin).map((begin, w): [number, number] => [place[begin]!, place[end[w]!]!]);
    const tokens = spans.map(([from, to]) => text.slice(from, to));
    const tagged: Sentence = { text, tokens, spans, upos: names(TEXT_WORD.upos), xpos: names(TEXT_WORD.xpos) };
    if (asked < TREES) return tagged;
    const parsed: Parsed = { ...tagged, heads: numbers(TEXT_WORD.head), labels: names(TEXT_WORD.deprel) };
    if (asked < COMPRESSIONS) return parsed;
    const heads = numbers(TEXT_WORD.compressed);
    const ret: Compressed = {
      ...parsed,
      compression: memory.textAt(memory.word(at + TEXT_SENTENCE.compression)),
      keep: heads.map((head) => head >= 0),
      compressedHeads: heads.map((head) => (head >= 0 ? head : null)),
      likeLaw: memory.word(at + TEXT_SENTENCE.likeLaw) !== 0,
    };
    return ret;
  }

  /** Gives the memory back; `using` does so by itself. */
  free(): void {
    this.#memory.call.tz_text_model_free!(this.#address);
    this.#address = 0;
  }
  [Symbol.dispose](): void {
    this.free();
  }
}
