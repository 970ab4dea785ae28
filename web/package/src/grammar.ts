// Weighted context-free grammars as text: parses, samples, prefixes, next words. SPDX-License-Identifier: MIT
import { TrapezeError, UnknownWord } from "./errors.js";
import { type GrammarParts, LISTS, readParts } from "./grammar-parts.js";
import { GrammarSession } from "./grammar-session.js";
import { ANSWERS, DERIVATION, OUTPUT, PROBLEM, RUN_OPTIONS, STATUS } from "./layout.js";
import type { Address, Memory, Scope } from "./memory.js";
import { nearest, quoted } from "./near.js";
import { bindStanding } from "./problem.js";
import type { Rules } from "./rules.js";
import { bestOf, compute, first, itemsOf, itemValue, kbestOf, refuse, samplesOf, seedOfLine, valueOf } from "./run.js";
import { Tree } from "./tree.js";

const NOTATIONS = ["arrows", "gbnf"] as const;
const WEIGHTS = ["probabilities", "weights", "logs", "counts", "uniform"] as const;
export type Notation = (typeof NOTATIONS)[number];
export type RuleWeights = (typeof WEIGHTS)[number];

export interface GrammarOptions {
  /** What the numbers of the rules are; GBNF has none, and is uniform. */
  weights?: RuleWeights;
  /** "arrows" is NLTK's for CFG and PCFG, "gbnf" that of llama.cpp. If left out, the name's ending tells. */
  notation?: Notation;
  /** What stands in front of messages. */
  name?: string;
  /** Log weights of all rules, in the place of the text's. */
  scores?: ArrayLike<number>;
}

/** A text, whose words stand between blanks, or in GBNF are its characters; or a list of words. */
export type Sentence = string | readonly string[];
/** Several, each a list of words. */
export type Sentences = readonly (readonly string[])[];

/** A rule as it is written; words of `right` are in quotes. */
export interface GrammarRule {
  left: string;
  right: string[];
  score: number;
  line: number;
}

/** Sentences that are counted side by side. */
const TOGETHER = 64;

const isSeveral = (words: Sentence | Sentences): words is Sentences => Array.isArray(words) && Array.isArray(words[0]);

/** Rules of the gallery, which the package keeps. */
export type Gallery = (name: string) => Rules;

/** A weighted context-free grammar. Made by trapeze.grammar().
 *
 * Questions take a sentence; or several, and give a list. A word that the grammar lacks throws an
 * UnknownWord that names it. */
export class Grammar implements Disposable {
  readonly memory: Memory;
  /** The words, in the order in which the text names them. */
  readonly words: readonly string[];
  /** The symbols of the text. */
  readonly symbols: readonly string[];
  readonly start: string;
  /** The log weights of the rules. */
  readonly scores: Float64Array;
  readonly #text: string;
  readonly #made: { name: string; notation: Notation; weights: RuleWeights };
  readonly #gallery: Gallery;
  readonly #parts: GrammarParts;
  readonly #numbers: Map<string, number>;
  #address: Address;
  #totals: Address = 0;

  constructor(memory: Memory, gallery: Gallery, text: string, options: GrammarOptions) {
    const { name = "grammar" } = options;
    const notation = options.notation ?? (name.endsWith(".gbnf") ? "gbnf" : "arrows");
    const weights = options.weights ?? (notation === "gbnf" ? "uniform" : undefined);
    if (!NOTATIONS.includes(notation) || weights === undefined || !WEIGHTS.includes(weights))
      throw new TrapezeError(
        `notation is one of ${NOTATIONS.join(", ")}, and weights, which say what the numbers of the rules are, one of ${WEIGHTS.join(", ")}`,
      );
    this.memory = memory;
    this.#gallery = gallery;
    this.#text = text;
    this.#made = { name, notation, weights };
    this.#address = this.#parse(options.scores);
    this.#parts = readParts(memory, this.#address);
    const { names, isMade, words, scores } = this.#parts;
    this.words = words;
    this.scores = scores;
    this.symbols = names.filter((_, i) => !isMade[i]);
    this.start = names[this.#parts.root]!;
    this.#numbers = new Map(words.map((word, number) => [word, number]));
  }

  #parse(scores: ArrayLike<number> | undefined): Address {
    const { memory } = this;
    const { name, notation, weights } = this.#made;
    using scope = memory.scope();
    const text = scope.text(this.#text);
    const ret = scope.bytes(8);
    const given = scores === undefined ? 0 : scope.f64(scores);
    memory.try((error) =>
      memory.call.tz_grammar_parse!(scope.text(name).at, text.at, text.size, NOTATIONS.indexOf(notation), WEIGHTS.indexOf(weights), given, scores?.length ?? 0, ret, error),
    );
    return memory.word(ret);
  }

  // ---- What it is --------------------------------------------------------------------------------

  /** The rules, in the text's order. Parts of GBNF's rules have rules of their own. */
  get rules(): GrammarRule[] {
    const { rules, right, names } = this.#parts;
    return rules.map(({ left, line, first: begin, size }, r) => ({
      left: names[left]!,
      right: right.slice(begin, begin + size).map((part) => (part >= 0 ? names[part]! : inQuotes(this.words[-1 - part]!))),
      score: this.scores[r]!,
      line,
    }));
  }

  /** The grammar as text; binarised, with at most two symbols on a right side. */
  show(binarised = false): string {
    const { memory } = this;
    return memory.written((text, size) => memory.call.tz_grammar_show!(this.#at, Number(binarised), text, size));
  }

  /** The same rules with other log weights. */
  withScores(scores: ArrayLike<number>): Grammar {
    return new Grammar(this.memory, this.#gallery, this.#text, { ...this.#made, scores });
  }

  /** The same rules, each with its share of the counts of its left side, as expectedCounts gives them: a
   * step of EM. A symbol that has none keeps its weights. */
  reestimated(counts: ArrayLike<number>): Grammar {
    const given = Array.from(counts);
    if (given.length !== this.#parts.rules.length || !given.every((count) => count >= 0))
      throw new TrapezeError(`counts are ${this.#parts.rules.length} numbers from 0 on, one a rule`);
    const total = new Float64Array(this.#parts.names.length);
    this.#parts.rules.forEach(({ left }, r) => (total[left]! += given[r]!));
    return this.withScores(this.#parts.rules.map(({ left }, r) => (total[left]! > 0 ? Math.log(given[r]! / total[left]!) : this.scores[r]!)));
  }

  /** Of each symbol the log of the sum over all its trees: 0 of a consistent grammar of probabilities. */
  get totals(): Map<string, number> {
    const at = this.totalsAt >> 3;
    return new Map(this.#parts.names.map((name, s) => [name, this.memory.f64[at + s]!]));
  }

  // ---- Questions ---------------------------------------------------------------------------------

  /** The log of the sum over all trees of a sentence; -Infinity where there is none. */
  logProb(words: Sentence): number;
  logProb(words: Sentences): Float64Array;
  logProb(words: Sentence | Sentences): number | Float64Array {
    return this.#values("grammar", words);
  }

  /** The best tree of a sentence, or null. */
  best(words: Sentence): Tree | null;
  best(words: Sentences): (Tree | null)[];
  best(words: Sentence | Sentences): Tree | null | (Tree | null)[] {
    return this.#each(words, (x) => this.#ask("grammar", "max", x, ({ chart, tree }) => bestOf(this.memory, chart, tree)));
  }

  /** The k best trees, best first; fewer if there are fewer. */
  kbest(words: Sentence, k: number): Tree[];
  kbest(words: Sentences, k: number): Tree[][];
  kbest(words: Sentence | Sentences, k: number): Tree[] | Tree[][] {
    return this.#each(words, (x) => this.#ask("grammar", "max", x, ({ chart, tree }) => first(k, kbestOf(this.memory, chart, false, tree))));
  }

  /** Trees of a sentence at random, each as likely as the grammar says. */
  sampleTrees(words: Sentence, number?: number, seed?: number | bigint): Tree[];
  sampleTrees(words: Sentences, number?: number, seed?: number | bigint): Tree[][];
  sampleTrees(words: Sentence | Sentences, number = 1, seed: number | bigint = 1): Tree[] | Tree[][] {
    return this.#each(words, (x, which) => this.#ask("grammar", "log", x, ({ chart, tree }) => first(number, samplesOf(this.memory, chart, seedOfLine(seed, which), tree))));
  }

  /** How often each rule is used, as expected over the trees of a sentence, or of several in all. A
   * sentence without a tree adds nothing. */
  expectedCounts(words: Sentence | Sentences): Float64Array {
    const sentences = this.#encoded(words);
    const counts = new Float64Array(this.#parts.rules.length);
    for (let begin = 0; begin < sentences.length; begin += TOGETHER) this.#count(sentences.slice(begin, begin + TOGETHER), counts);
    return counts;
  }

  /** The log of the sum over the trees of all sentences that begin with these words. */
  prefixLogProb(words: Sentence): number;
  prefixLogProb(words: Sentences): Float64Array;
  prefixLogProb(words: Sentence | Sentences): number | Float64Array {
    return this.#values("prefix", words);
  }

  /** The same of the first 0, 1, ... n words: n + 1 numbers. Their differences are the log
   * probabilities of each word after those before it. */
  prefixLogProbs(words: Sentence): Float64Array;
  prefixLogProbs(words: Sentences): Float64Array[];
  prefixLogProbs(words: Sentence | Sentences): Float64Array | Float64Array[] {
    return this.#each(words, (x) => this.#ask("prefix", "log", x, ({ rules, chart }) => itemsOf(rules, chart, "begun", x.length + 1)));
  }

  /** Which word may follow, and how likely: likeliest first; null stands for the end. Empty where no
   * sentence begins with these words. */
  next(words: Sentence): Map<string | null, number>;
  next(words: Sentences): Map<string | null, number>[];
  next(words: Sentence | Sentences): Map<string | null, number> | Map<string | null, number>[] {
    return isSeveral(words) ? this.nextLogProbs(words).map((row) => this.named(row)) : this.named(this.nextLogProbs(words));
  }

  /** The same as logs, of each of `words` and then of the end; all are -Infinity where no sentence
   * begins so. */
  nextLogProbs(words: Sentence): Float64Array;
  nextLogProbs(words: Sentences): Float64Array[];
  nextLogProbs(words: Sentence | Sentences): Float64Array | Float64Array[] {
    return this.#each(words, (x) =>
      this.#ask("next", "log", x, ({ rules, chart, value }) => {
        const after = this.after(rules, chart);
        return after.map((score) => (value > -Infinity ? score - value : -Infinity));
      }),
    );
  }

  /** Which words may follow, whatever they weigh: truth values as nextLogProbs has numbers. */
  allowed(words: Sentence): boolean[];
  allowed(words: Sentences): boolean[][];
  allowed(words: Sentence | Sentences): boolean[] | boolean[][] {
    return this.#each(words, (x) => this.#ask("next", "bool", x, ({ rules, chart }) => Array.from(this.after(rules, chart), (truth) => truth > 0)));
  }

  /** A sentence that is written word by word: what a next word costs is far less than asking about the
   * whole each time. truth: it tells which words are allowed, whatever they weigh, also where weights
   * do not sum. */
  session(words: Sentence = [], options: { truth?: boolean } = {}): GrammarSession {
    return new GrammarSession(this, this.#gallery("gallery/next"), words, options.truth ?? false);
  }

  /** Trees at random, of any sentences. Throws where one has more than 2^20 rules. */
  sample(number = 1, seed: number | bigint = 1): Tree[] {
    const { memory } = this;
    const { call } = memory;
    using scope = memory.scope();
    const ret = scope.bytes(16);
    const status = call.tz_grammar_sampler_new!(this.#at, this.totalsAt, BigInt.asUintN(64, BigInt(seed)), ret);
    if (status === STATUS.none) return [];
    if (status !== STATUS.ok) refuse(memory, status, "sample");
    const sampler = memory.word(ret);
    try {
      return Array.from({ length: number }, () => {
        const next = call.tz_grammar_sampler_next!(sampler, ret, ret + 4);
        if (next === STATUS.tooLarge) throw new TrapezeError("a tree of more than 2^20 rules: the grammar's trees hardly end");
        if (next !== STATUS.ok) refuse(memory, next, "sample");
        return this.#tree(memory.words(memory.word(ret), memory.word(ret + 4)), null);
      });
    } finally {
      call.tz_grammar_sampler_free!(sampler);
    }
  }

  // ---- How ---------------------------------------------------------------------------------------

  get #at(): Address {
    if (this.#address === 0) throw new TrapezeError("the grammar was freed");
    return this.#address;
  }

  /** The weight `total`, in the library's memory. @internal */
  get totalsAt(): Address {
    const { memory } = this;
    if (this.#totals === 0) {
      const totals = memory.allocate(8 * this.#parts.names.length);
      try {
        memory.try((error) => memory.call.tz_grammar_totals!(this.#at, totals, error));
      } catch (error) {
        memory.call.free!(totals);
        throw error;
      }
      this.#totals = totals;
    }
    return this.#totals;
  }

  /** The words of a sentence. */
  split(sentence: Sentence): readonly string[] {
    if (typeof sentence !== "string") return sentence;
    return this.#made.notation === "gbnf" ? [...sentence] : sentence.split(/\s+/u).filter((word) => word !== "");
  }

  /** Their numbers. which: of several sentences, from 0. @internal */
  encode(sentence: Sentence, which: number | null = null): Int32Array {
    return Int32Array.from(this.split(sentence), (word, at) => {
      const number = this.#numbers.get(word);
      if (number !== undefined) return number;
      const near = nearest(word, this.words);
      const where = which === null ? `word ${at + 1}` : `sentence ${which}, word ${at + 1}`;
      const hint = near === null ? "" : `; did you mean ${quoted(near)}?`;
      throw new UnknownWord(`${where}: ${quoted(word)} is no word of the grammar${hint}`, word);
    });
  }

  #encoded(words: Sentence | Sentences): Int32Array[] {
    return isSeveral(words) ? words.map((sentence, which) => this.encode(sentence, which)) : [this.encode(words)];
  }

  #each<T>(words: Sentence | Sentences, ask: (x: Int32Array, which: number) => T): T | T[] {
    return isSeveral(words) ? this.#encoded(words).map(ask) : ask(this.encode(words), 0);
  }

  /** Writes the problem of a sentence at an address. x: where its numbers stand. truth: totals do not count.
   * @internal */
  bind(scope: Scope, rules: Rules, count: number, x: Address, truth: boolean, at: Address): void {
    const { lists, names, height } = this.#parts;
    const symbols = names.length;
    const weights = lists.map(({ standing }) => standing);
    if (rules.weights.length > weights.length)
      weights.push({ data: truth ? scope.bytes(8 * symbols) : this.totalsAt, extent: [symbols] });
    bindStanding(this.memory, scope, [count, symbols, this.words.length, height], weights, [{ data: x, extent: [count] }], at);
  }

  #ask<T>(question: string, semiring: string, x: Int32Array, ask: (of: { rules: Rules; chart: Address; value: number; tree: (derivation: Address) => Tree }) => T): T {
    const { memory } = this;
    const rules = this.#gallery(`gallery/${question}`);
    const plan = rules.plan(semiring, "f64", 0);
    using scope = memory.scope();
    const numbers = scope.i32(x);
    const problem = scope.bytes(PROBLEM.size);
    void this.#at;
    this.bind(scope, rules, x.length, numbers, semiring === "bool", problem);
    compute(rules, plan, problem, false);
    const value = valueOf(plan, plan.chart).value;
    return ask({ rules, chart: plan.chart, value: typeof value === "number" ? value : -Infinity, tree: (derivation) => this.#read(rules, derivation, numbers) });
  }

  /** The tree of a derivation by gallery/grammar. */
  #read(rules: Rules, derivation: Address, x: Address): Tree {
    const { memory } = this;
    using scope = memory.scope();
    const nodes = memory.word(derivation + DERIVATION.nodes);
    const used = scope.bytes(4 * nodes);
    const count = scope.bytes(8);
    const status = memory.call.tz_grammar_tree!(this.#at, rules.address, derivation, x, used, count);
    if (status !== STATUS.ok) refuse(memory, status, "tree");
    return this.#tree(memory.words(used, memory.word(count)), memory.double(derivation + DERIVATION.score));
  }

  /** The tree of rules in the order of a leftmost derivation: from the last one, whose parts are done
   * when its turn comes. */
  #tree(used: readonly number[], score: number | null): Tree {
    const whole = score ?? used.reduce((sum, r) => sum + this.scores[r]!, 0);
    const done: (Tree | (Tree | string)[])[] = [];
    for (let u = used.length; u-- > 0;) {
      const { left, first: begin, size } = this.#parts.rules[used[u]!]!;
      const children: (Tree | string)[] = [];
      for (const part of this.#parts.right.slice(begin, begin + size)) {
        const below = part < 0 ? this.words[-1 - part]! : done.pop()!;
        if (Array.isArray(below)) for (const child of below) children.push(child);
        else children.push(below);
      }
      // A symbol that was made is its parts.
      done.push(this.#parts.isMade[left] ? children : new Tree(this.#parts.names[left]!, children, u === 0 ? whole : 0));
    }
    return done[0] as Tree;
  }

  /** The values of many sentences, side by side. */
  #values(question: string, words: Sentence | Sentences): number | Float64Array {
    const sentences = this.#encoded(words);
    const values = this.#run(question, sentences, () => {});
    return isSeveral(words) ? values : values[0]!;
  }

  /** outputs: writes where the marginals of a problem's weights go; nothing if there are none. */
  #run(question: string, sentences: readonly Int32Array[], outputs: (scope: Scope, weights: number) => { at: Address; read: () => void } | void): Float64Array {
    const { memory } = this;
    const rules = this.#gallery(`gallery/${question}`);
    const plan = rules.plan("log", "f64", 0);
    using scope = memory.scope();
    const problems = scope.bytes(PROBLEM.size * sentences.length);
    void this.#at;
    sentences.forEach((x, p) => this.bind(scope, rules, x.length, scope.i32(x), false, problems + PROBLEM.size * p));
    const values = scope.bytes(8 * sentences.length);
    const answers = scope.bytes(ANSWERS.size);
    const options = scope.bytes(RUN_OPTIONS.size);
    const marginals = outputs(scope, rules.weights.length);
    memory.setWord(answers + ANSWERS.value, values);
    memory.setWord(answers + ANSWERS.marginals, marginals?.at ?? 0);
    memory.u8[options + RUN_OPTIONS.outside] = marginals ? 1 : 0;
    memory.setWord(options + RUN_OPTIONS.charts, plan.charts);
    try {
      memory.try((error) => memory.call.tz_web_run!(plan.address, problems, sentences.length, options, answers, error));
    } catch (error) {
      if (!(error instanceof TrapezeError) || sentences.length > 1) throw error;
      throw new TrapezeError(error.message.replace(/^problem 0: /, ""));
    }
    marginals?.read();
    return memory.f64.slice(values >> 3, (values >> 3) + sentences.length);
  }

  /** Adds the expected counts of sentences. */
  #count(sentences: readonly Int32Array[], counts: Float64Array): void {
    const { memory } = this;
    this.#run("grammar", sentences, (scope, weights) => {
      const at = scope.bytes(OUTPUT.size * weights * sentences.length);
      const data = sentences.map((_, p) =>
        this.#parts.lists.map(({ standing }, w) => {
          const numbers = scope.bytes(8 * standing.extent[0]!);
          const output = at + OUTPUT.size * (p * weights + w);
          memory.setWord(output + OUTPUT.data, numbers);
          memory.setWord(output + OUTPUT.stride, 1);
          return numbers;
        }),
      );
      const read = () => {
        for (const [w, { rule }] of this.#parts.lists.entries()) {
          if (LISTS[w] === "root") continue;
          rule.forEach((r, e) => {
            const uses = data.reduce((sum, of) => sum + memory.f64[(of[w]! >> 3) + e]!, 0);
            if (r >= 0) counts[r]! += uses;
          });
        }
      };
      return { at, read };
    });
  }

  /** What may follow, and the end: values of gallery/next. @internal */
  after(rules: Rules, chart: Address): Float64Array {
    const ret = new Float64Array(this.words.length + 1);
    ret.set(itemsOf(rules, chart, "follow", this.words.length));
    ret[this.words.length] = itemValue(rules, chart, "ended");
    return ret;
  }

  /** Log probabilities by their words, likeliest first. @internal */
  named(row: Float64Array): Map<string | null, number> {
    const order = Array.from(row.keys()).filter((v) => row[v]! > -Infinity);
    order.sort((a, b) => row[b]! - row[a]!);
    return new Map(order.map((v) => [this.words[v] ?? null, Math.exp(row[v]!)]));
  }

  /** Gives the memory back; the grammar and its sessions must not be used any more. */
  free(): void {
    this.memory.call.tz_grammar_free!(this.#address);
    this.memory.call.free!(this.#totals);
    this.#address = this.#totals = 0;
  }
  [Symbol.dispose](): void {
    this.free();
  }
}

const inQuotes = (word: string) => (word.includes("'") ? `"${word}"` : `'${word}'`);
