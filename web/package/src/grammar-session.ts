// Sentences of a grammar that are written word by word. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import type { Grammar, Sentence } from "./grammar.js";
import { MAX_LENGTH, PROBLEM } from "./layout.js";
import type { Address } from "./memory.js";
import type { Plan } from "./plan.js";
import type { Rules } from "./rules.js";
import { itemValue } from "./run.js";

/** The beginning of a sentence, to which words are added and from which they are taken. Made by
 * grammar.session().
 *
 * Answers are those of the grammar about the whole, in every bit; but for prefixLogProb, which is
 * summed from what may follow. */
export class GrammarSession implements Disposable {
  readonly #grammar: Grammar;
  readonly #rules: Rules;
  readonly #plan: Plan;
  readonly #truth: boolean;
  #chart: Address;
  #x: number[] = [];
  /** Words that the chart is of, -1 if there is none; how many of both are the same. */
  #charted = -1;
  #same = 0;
  /** What the chart's problem stands in. */
  #scope;

  constructor(grammar: Grammar, rules: Rules, words: Sentence, truth: boolean) {
    this.#grammar = grammar;
    this.#rules = rules;
    this.#truth = truth;
    this.#plan = rules.plan(truth ? "bool" : "log", "f64", 0);
    this.#scope = grammar.memory.scope();
    if (!truth) void grammar.totalsAt; // which may have no limit
    this.extend(words);
    this.#chart = this.#plan.newChart();
  }

  /** How many words there are. */
  get length(): number {
    return this.#x.length;
  }

  /** The words so far. */
  get words(): string[] {
    return this.#x.map((number) => this.#grammar.words[number]!);
  }

  /** A word more. Throws an UnknownWord, and has not changed then. */
  append(word: string): this {
    return this.extend([word]);
  }

  /** More words. */
  extend(words: Sentence): this {
    const more = this.#grammar.encode(words);
    if (this.#x.length + more.length > MAX_LENGTH) throw new TrapezeError(`a sentence has at most ${MAX_LENGTH} words`);
    for (const number of more) this.#x.push(number);
    return this;
  }

  /** Keeps the first words alone. */
  truncate(count: number): this {
    if (!Number.isInteger(count) || count < 0 || count > this.#x.length)
      throw new TrapezeError(`there are ${this.#x.length} words, and ${count} are to be kept`);
    this.#x.length = count;
    this.#same = Math.min(this.#same, count);
    return this;
  }

  /** Another session with these words; its chart is computed when it is asked. */
  copy(): GrammarSession {
    return new GrammarSession(this.#grammar, this.#rules, this.words, this.#truth);
  }

  // ---- Questions ---------------------------------------------------------------------------------

  /** The log of the sum over all sentences that begin so. */
  get prefixLogProb(): number {
    return this.#value(null);
  }

  /** The log of the sum over all trees of these words as a sentence. */
  get logProb(): number {
    return this.#value("ended");
  }

  /** As grammar.nextLogProbs. */
  nextLogProbs(): Float64Array {
    const all = this.prefixLogProb;
    const after = this.#grammar.after(this.#rules, this.#chart);
    return all > -Infinity ? after.map((score) => score - all) : after;
  }

  /** As grammar.next. */
  next(): Map<string | null, number> {
    return this.#grammar.named(this.nextLogProbs());
  }

  /** As grammar.allowed: for each word, and for the end, whether it may come. */
  allowed(): boolean[] {
    this.#goOn();
    const least = this.#truth ? 0 : -Infinity;
    return Array.from(this.#grammar.after(this.#rules, this.#chart), (value) => value > least);
  }

  // ---- How ---------------------------------------------------------------------------------------

  /** Computes what is new. */
  #goOn(): void {
    const count = this.#x.length;
    if (this.#chart === 0) throw new TrapezeError("the session was freed");
    if (this.#same === count && this.#charted === count) return;
    const { memory } = this.#grammar;
    const scope = memory.scope();
    const problem = scope.bytes(PROBLEM.size);
    const going = this.#charted >= 0;
    const same = this.#same;
    this.#charted = -1; // after a failure there is no chart
    this.#same = 0;
    try {
      this.#grammar.bind(scope, this.#rules, count, scope.i32(this.#x), this.#truth, problem);
      let kept = 0;
      if (going) {
        const lengths = memory.word(problem); // of which only that of the words changes
        kept = scope.i32([same, ...memory.words(lengths + 4, this.#rules.lengths.length - 1)]);
      }
      memory.try((error) => memory.call.tz_extend!(this.#chart, problem, 1, kept, error));
    } catch (error) {
      scope[Symbol.dispose]();
      throw error;
    }
    this.#scope[Symbol.dispose]();
    this.#scope = scope;
    this.#charted = this.#same = count;
  }

  #value(item: string | null): number {
    if (this.#truth) throw new TrapezeError("a session of truth values has no probabilities");
    this.#goOn();
    return itemValue(this.#rules, this.#chart, item);
  }

  /** Gives the memory back; the session must not be used any more. */
  free(): void {
    this.#plan.freeChart(this.#chart);
    this.#scope[Symbol.dispose]();
    this.#chart = 0;
  }
  [Symbol.dispose](): void {
    this.free();
  }
}
