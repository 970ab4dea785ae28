// rules.grow: a chart that goes on, word by word, and back. SPDX-License-Identifier: MIT
import { type Arrays, type Axis, arrayOf, axesOf, exact, lacks, longer, newPositions, withMore } from "./axes.js";
import { Chart } from "./chart.js";
import { TrapezeError } from "./errors.js";
import { LAW, MAX_LENGTH, PROBLEM, SCORES, STATUS } from "./layout.js";
import type { Address, Scope } from "./memory.js";
import type { Plan, Precision } from "./plan.js";
import { bindStanding, type Bound, checkNames, lengthsOf, type Nested, type Problem, type Standing, writeSparse } from "./problem.js";
import type { Rules } from "./rules.js";
import { bestOf, type Cells, cellsOf, type Derivation, first, kbestOf, planFor, readDerivation, refuse, type RunOptions, samplesOf, seedOfLine, valueOf } from "./run.js";
import type { Semiring } from "./semiring.js";
import { Table } from "./table.js";

export interface GrowOptions {
  precision?: Precision;
  force?: boolean;
}

/** What stands at a position: nothing but itself. */
type Word = object;

const words = (count: number): Word[] => Array.from({ length: count }, () => ({}));

/** How many words at the beginning are the same. */
function alike(a: readonly Word[], b: readonly Word[]): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return same;
}

const exactArrays = (rules: Rules, held: Arrays, lengths: readonly number[]): Arrays =>
  new Map([...held].map(([name, array]) => [name, exact(rules, array, lengths)]));

/** A sparse weight's entries, which do not grow. */
interface Entries {
  at: Standing;
  index: number[][];
  given: unknown;
}

/** A chart that sessions share: it holds the problem of the one that was asked last. */
class SharedChart {
  readonly plan: Plan;
  readonly address: Address;
  readonly sparse = new Map<string, Entries>();
  /** Of each length, what stands at its positions; null: nothing is computed. */
  words: Word[][] | null = null;
  session: Session | null = null;
  outside = false;
  bound: Bound | null = null;
  /** How many sessions have it. */
  users = 1;
  readonly #lasting: Scope;
  #problem: Scope;

  constructor(rules: Rules, plan: Plan, problem: Problem) {
    const { memory } = plan;
    this.plan = plan;
    this.#lasting = memory.scope();
    this.#problem = memory.scope();
    try {
      for (const { name, sparse, rank } of rules.weights) {
        if (!sparse || problem[name] === undefined) continue;
        const at = this.#lasting.bytes(SCORES.size);
        const index = writeSparse(memory, this.#lasting, name, problem[name], rank, at);
        const standing = { data: memory.word(at + SCORES.data), extent: [index.length], index: memory.word(at + SCORES.index) };
        this.sparse.set(name, { at: standing, index, given: problem[name] });
      }
      this.address = plan.newChart();
    } catch (error) {
      this.#lasting[Symbol.dispose]();
      throw error;
    }
  }

  /** Computes a session's problem, from where it goes on from what is there. */
  take(session: Session, rules: Rules, lengths: number[], arrays: Arrays, of: Word[][]): void {
    const { memory } = this.plan;
    const scope = memory.scope();
    const shapes = rules.weights.map(({ name }) => rules.shape(name, lengths));
    const nothing = (extent: readonly number[]): Standing => ({ data: 0, extent });
    const weights = rules.weights.map(({ name, sparse }, w): Standing => {
      if (sparse) return this.sparse.get(name)?.at ?? { data: 0, extent: [0], index: 0 };
      const array = arrays.get(name);
      return array === undefined ? nothing(shapes[w]!.extent) : { data: scope.f64(array.data), extent: array.extent };
    });
    const inputs = rules.inputs.map((name): Standing => {
      const array = arrays.get(name);
      return array === undefined ? nothing([]) : { data: scope.i32(array.data), extent: array.extent };
    });
    const address = scope.bytes(PROBLEM.size);
    bindStanding(memory, scope, lengths, weights, inputs, address);
    const kept = this.words === null ? 0 : scope.i32(of.map((own, l) => alike(own, this.words![l]!)));
    this.words = this.session = this.bound = null;
    this.outside = false;
    try {
      memory.try((error) => memory.call.tz_extend!(this.address, address, 1, kept, error));
    } catch (error) {
      scope[Symbol.dispose]();
      throw error;
    }
    this.#problem[Symbol.dispose](); // that of the session before
    this.#problem = scope;
    const index = rules.weights.map(({ name, sparse }) => (sparse ? (this.sparse.get(name)?.index ?? []) : null));
    const cells = weights.map(({ extent }) => extent.reduce((a, b) => a * b, 1));
    this.bound = { address, lengths, shapes, cells, index };
    this.words = of.map((own) => [...own]);
    this.session = session;
  }

  free(): void {
    if (--this.users > 0) return;
    this.plan.freeChart(this.address);
    this.#problem[Symbol.dispose]();
    this.#lasting[Symbol.dispose]();
  }
}

/** A problem that gets longer. Made by rules.grow.
 *
 * Its answers have the same bits as those of rules.run. What a word more costs is what `trapeze rules
 * check` says under "grows"; nothing is computed before something is asked. Copies share a chart: one
 * that is asked after another computes what the two have not in common. */
export class Session implements Disposable {
  readonly rules: Rules;
  readonly #chart: SharedChart;
  #lengths: number[];
  /** What was given; and of that, what the lengths ask for. */
  #held: Arrays;
  #arrays: Arrays;
  #words: Word[][];
  #freed = false;

  constructor(rules: Rules, chart: SharedChart, lengths: readonly number[], held: Arrays, of: readonly Word[][]) {
    this.rules = rules;
    this.#chart = chart;
    this.#lengths = [...lengths];
    this.#held = held;
    this.#arrays = exactArrays(rules, held, lengths);
    this.#words = of.map((own) => [...own]);
  }

  /** The lengths so far. */
  get lengths(): Record<string, number> {
    return Object.fromEntries(this.rules.lengths.map((name, l) => [name, this.#lengths[l]!]));
  }

  /** The problem so far, as run takes it. */
  get problem(): Problem {
    const entries = [...this.#chart.sparse].map(([name, { given }]) => [name, given] as const);
    const arrays = [...this.#arrays].map(([name, { data, extent, origin }]) => [name, new Table(Float64Array.from(data), extent, origin).toJSON()] as const);
    return { ...this.lengths, ...Object.fromEntries([...entries, ...arrays]) } as Problem;
  }

  /** Goes on by a word, or several, of the first length or of `length`; returns the session.
   *
   * Of a weight or an input with one index that runs to the length: what stands at the new position,
   * without that index, or at the new positions, with it. Of a weight with several such indices, such
   * as arc[h,m]: the whole array for the new length, of which only the new cells are read. What has
   * no such index stays. */
  append(scores: Record<string, Nested | number>, length?: string): this {
    const { rules } = this;
    const l = this.#length(length);
    const name = rules.lengths[l]!;
    const axes = this.#axes(l);
    for (const given of Object.keys(scores)) if (!axes.has(given)) throw new TrapezeError(`${given} does not grow in ${name}`);
    const checkAll = (after: number[]) => {
      for (const weight of axes.keys())
        if (scores[weight] === undefined && lacks(rules, this.#held.get(weight)!, this.#lengths, after)) throw new TrapezeError(`${weight} lacks: it grows in ${name}`);
    };
    checkAll(withMore(this.#lengths, l, 1));
    const count = newPositions(rules, this.#held, axes, this.#lengths, l, scores);
    const lengths = withMore(this.#lengths, l, count);
    if (lengths[l]! > MAX_LENGTH) throw new TrapezeError(`${name} is at most ${MAX_LENGTH}`);
    checkAll(lengths);
    const held: Arrays = new Map(this.#held);
    for (const [weight, axis] of axes)
      if (scores[weight] !== undefined) held.set(weight, longer(rules, held.get(weight)!, axis, this.#lengths, lengths, count, scores[weight]));
    return this.#become(lengths, held, l);
  }

  /** Goes back to length n, of the first length or of `length`; returns the session. */
  truncate(n: number, length?: string): this {
    const l = this.#length(length);
    const now = this.#lengths[l]!;
    if (!Number.isInteger(n) || n < 0 || n > now) throw new TrapezeError(`${this.rules.lengths[l]} is ${now}: it cannot go back to ${n}`);
    const lengths = this.#lengths.map((length, i) => (i === l ? n : length));
    return this.#become(lengths, this.#held, l);
  }

  /** A session that goes on from here by itself. Takes no time, and no second chart. */
  copy(): Session {
    this.#check();
    this.#chart.users++;
    return new Session(this.rules, this.#chart, this.#lengths, this.#held, this.#words);
  }

  #become(lengths: number[], held: Arrays, l: number): this {
    this.#check();
    this.#arrays = exactArrays(this.rules, held, lengths);
    const own = this.#words[l]!.slice(0, lengths[l]!);
    this.#words[l] = [...own, ...words(lengths[l]! - own.length)];
    this.#lengths = lengths;
    this.#held = held;
    if (this.#chart.session === this) this.#chart.session = null;
    return this;
  }

  /** Of the arrays that were given. */
  #axes(l: number): Map<string, Axis> {
    return new Map([...axesOf(this.rules, this.#lengths, l)].filter(([name]) => this.#held.has(name)));
  }

  #length(name: string | undefined): number {
    const { lengths } = this.rules;
    const l = name === undefined ? 0 : lengths.indexOf(name);
    if (l < 0) throw new TrapezeError(`no length is called '${name}': ${lengths.join(", ")}`);
    return l;
  }

  #check(): void {
    if (this.#freed) throw new TrapezeError("the session was freed");
  }

  // ---- Asking ----------------------------------------------------------------------------------

  /** The chart, when it holds this problem. */
  #computed(outside = false): { chart: Address; bound: Bound } {
    this.#check();
    const chart = this.#chart;
    if (chart.session !== this) chart.take(this, this.rules, this.#lengths, this.#arrays, this.#words);
    if (outside && !chart.outside) {
      const { memory } = chart.plan;
      const status = memory.call.tz_outside!(chart.address);
      if (status !== STATUS.ok) refuse(memory, status, this.rules.name);
      chart.outside = true;
    }
    return { chart: chart.address, bound: chart.bound! };
  }

  #need(law: number, what: string): void {
    const { laws, name } = this.#chart.plan;
    if (!(laws & law)) throw new TrapezeError(`this takes a semiring ${what}; not ${name}`);
  }

  /** The goal's value: a score, a number, a truth; null: there is no derivation. */
  get value(): number | boolean | null {
    return valueOf(this.#chart.plan, this.#computed().chart).value;
  }

  /** The best derivation (max); null: there is none. */
  get best(): Derivation | null {
    this.#need(LAW.path, "that picks one derivation, such as max");
    return bestOf(this.rules.memory, this.#computed().chart, this.#reader({ derivation: true }));
  }

  /** The best derivations, best first (max); those of one structure once, if `distinct`. */
  kbest(most: number, options: Pick<RunOptions, "distinct" | "derivation" | "path"> = {}): Derivation[] {
    this.#need(LAW.path, "that picks one derivation, such as max");
    return first(most, kbestOf(this.rules.memory, this.#computed().chart, options.distinct ?? false, this.#reader(options)));
  }

  /** Derivations at random (log, count). */
  samples(number: number, seed: number | bigint = 1, options: Pick<RunOptions, "derivation" | "path"> = {}): Derivation[] {
    this.#need(LAW.draws, "that sums over derivations, such as log");
    return first(number, samplesOf(this.rules.memory, this.#computed().chart, seedOfLine(seed, 0), this.#reader(options)));
  }

  /** The expected number of uses of each cell (log): an outside pass over the whole; null: there is no
   * derivation. */
  get marginals(): Record<string, Cells> | null {
    this.#need(LAW.shares, "of probabilities, such as log");
    const { chart, bound } = this.#computed(true);
    return cellsOf(this.rules, chart, bound, "tz_marginals");
  }

  /** All items with their values, as rules.chart has them, but by the passes that run computes with. */
  chart(): Chart {
    const { chart, bound } = this.#computed(true);
    return new Chart(this.rules, chart, bound, this.problem);
  }

  #reader(options: RunOptions): (at: Address) => Derivation {
    const lengths = [...this.#lengths];
    return (at) => readDerivation(this.rules, at, lengths, options);
  }

  /** Gives the memory back, once no copy needs it; the session must not be used any more. */
  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    if (this.#chart.session === this) this.#chart.session = null;
    this.#chart.free();
  }
  [Symbol.dispose](): void {
    this.free();
  }
}

export function grow(rules: Rules, semiring: string | Semiring, problem: Problem, options: GrowOptions): Session {
  const lengths = lengthsOf(rules, problem);
  checkNames(rules, problem);
  const arrays: Arrays = new Map();
  for (const { name, sparse } of rules.weights)
    if (!sparse && problem[name] !== undefined) arrays.set(name, arrayOf(rules, name, false, problem[name], lengths));
  for (const [i, name] of rules.inputs.entries())
    if (problem[name] !== undefined || rules.used("input", i)) arrays.set(name, arrayOf(rules, name, true, problem[name], lengths));
  const chart = new SharedChart(rules, planFor(rules, semiring, options), problem);
  return new Session(rules, chart, lengths, arrays, lengths.map(words));
}
