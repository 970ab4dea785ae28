// Rule sets: what they say and cost. SPDX-License-Identifier: MIT
import type { Place } from "./errors.js";
import { TrapezeError } from "./errors.js";
import { FIGURES, FLAG, INPUT, ITEM, MAX_RANK, NAMED, SHAPE, STATUS } from "./layout.js";
import type { Address, Memory } from "./memory.js";
import { Plan, type Precision } from "./plan.js";
import type { Nested, Problem } from "./problem.js";
import { type BatchOptions, type BatchResult, runBatch } from "./batch.js";
import { type Result, type RunOptions, run } from "./run.js";
import { Chart } from "./chart.js";
import { type GrowOptions, grow, type Session } from "./grow.js";
import type { Semiring } from "./semiring.js";
import { Table } from "./table.js";

/** The array that holds a number for each cell of a weight or item: position 0 of dimension q is index
 * origin[q], and extent[q] positions reach the last index. */
export interface Shape {
  sparse: boolean;
  origin: number[];
  extent: number[];
}

export interface Warning extends Place {
  text: string;
}

/** How many derivations there are for one length. */
export interface Count {
  n: number;
  /** null: too many to count in a moment, or without end. */
  derivations: number | null;
  structures: number | null;
}

export interface Check {
  /** The order of evaluation, a line for each group of items that need each other. */
  order: string[];
  /** How time and space grow with the lengths: "n^3". */
  time: string;
  space: string;
  /** Semiring products of one inside pass, lengths being 40, but those of label sets 2; null: too many. */
  products: number | null;
  counts: Count[];
  /** Has some structure several derivations? As far as `counts` shows, or the file says. */
  ambiguous: boolean;
}

export type ShowFormat = "text" | "latex" | "dot";

/** A name of the rule file, its number, and how many indices it has. */
export interface Weight {
  name: string;
  sparse: boolean;
  rank: number;
}
export interface Item {
  name: string;
  rank: number;
}

/** Derivations that are counted one by one; and for how long, in milliseconds. */
const MOST_ENUMERATED = 5_000;
const TIME = 150;
/** Of each label set, where derivations are counted. */
const LABELS = 2;
/** Products of a pass that counts. */
const MOST_PRODUCTS = 1e6;

export class Rules implements Disposable {
  readonly memory: Memory;
  /** The library's own. */
  readonly address: Address;
  readonly name: string;
  /** Does the file say that some structure has several derivations? */
  readonly ambiguous: boolean;
  readonly lengths: string[];
  readonly weights: Weight[];
  readonly items: Item[];
  /** Names of rules. */
  readonly rules: string[];
  readonly inputs: string[];
  readonly warnings: Warning[];
  readonly #plans = new Map<string, Plan>();
  readonly #owned: boolean;

  /** owned: to be freed. */
  constructor(memory: Memory, address: Address, owned: boolean) {
    const { call } = memory;
    const ones: number[] = [];
    this.memory = memory;
    this.address = address;
    this.#owned = owned;
    this.name = memory.textAt(call.tz_rules_name!(address));
    this.ambiguous = call.tz_rules_ambiguous!(address) !== 0;
    this.lengths = memory.names((l) => call.tz_rules_name_of!(address, NAMED.lengths, l));
    this.rules = memory.names((r) => call.tz_rules_name_of!(address, NAMED.rules, r));
    this.inputs = memory.names((i) => call.tz_rules_name_of!(address, NAMED.inputs, i));
    for (const _ of this.lengths) ones.push(1);
    this.weights = memory
      .names((w) => call.tz_rules_name_of!(address, NAMED.weights, w))
      .map((name, w) => {
        const shape = this.#shape("tz_rules_shape", w, ones);
        return { name, sparse: shape.sparse, rank: shape.extent.length };
      });
    this.items = memory
      .names((i) => call.tz_rules_name_of!(address, NAMED.items, i))
      .map((name, i) => ({ name, rank: this.#shape("tz_rules_shape", ITEM + i, ones).extent.length }));
    this.warnings = this.#readWarnings();
  }

  #readWarnings(): Warning[] {
    const { memory } = this;
    const ret: Warning[] = [];
    using scope = memory.scope();
    const at = scope.bytes(8);
    const warning = (i: number) => memory.call.tz_rules_warning!(this.address, i, at, at + 4);
    for (let text; (text = memory.nameAt(warning(ret.length))) !== null;)
      ret.push({ text, line: memory.word(at), column: memory.word(at + 4) });
    return ret;
  }

  #shape(call: string, which: number, lengths: ArrayLike<number>): Shape {
    const { memory } = this;
    using scope = memory.scope();
    const at = scope.bytes(SHAPE.size);
    const bound = scope.bytes(8);
    const status = memory.call[call]!(this.address, which, scope.i32(lengths), at, bound);
    if (status !== STATUS.ok) {
      const given = this.lengths.map((name, l) => `${name} = ${lengths[l]}`).join(", ");
      throw new TrapezeError(`${memory.textAt(memory.call.tz_status_name!(status))}: ${given}`);
    }
    const rank = memory.word(at + SHAPE.rank);
    return {
      sparse: memory.u8[at + SHAPE.sparse] !== 0,
      origin: memory.words(at + SHAPE.origin, rank),
      extent: memory.words(at + SHAPE.extent, rank),
    };
  }

  /** Does some rule use a weight or an input? What none uses need not be given. */
  used(kind: "weight" | "input", which: number): boolean {
    const what = kind === "weight" ? NAMED.weights : NAMED.inputs;
    return this.memory.call.tz_rules_used!(this.address, what, which) !== 0;
  }

  /** The array of a weight's scores for these lengths, in the order of `lengths`. */
  shape(weight: string, lengths: readonly number[]): Shape {
    return this.#shape("tz_rules_shape", this.number("weights", weight), lengths);
  }
  /** The array of an item's values. */
  itemShape(item: string, lengths: readonly number[]): Shape {
    return this.#shape("tz_rules_shape", ITEM + this.number("items", item), lengths);
  }
  /** The array of an input's numbers; its position 0 is the first that is read. */
  inputShape(input: string, lengths: readonly number[]): Shape & { bound: number } {
    const { memory } = this;
    const which = this.inputs.indexOf(input);
    const shape = this.#shape("tz_rules_input_shape", which, lengths);
    using scope = memory.scope();
    const bound = scope.bytes(8);
    memory.call.tz_rules_input_shape!(this.address, which, scope.i32(lengths), scope.bytes(SHAPE.size), bound);
    return { ...shape, bound: memory.word(bound) };
  }

  /** Is the weight declared at these index values? */
  declared(weight: string, lengths: readonly number[], index: readonly number[]): boolean {
    return this.#declared(this.number("weights", weight), lengths, index);
  }
  /** Has the input a number for these index values? */
  inputDeclared(input: string, lengths: readonly number[], index: readonly number[]): boolean {
    return this.#declared(INPUT + this.inputs.indexOf(input), lengths, index);
  }
  #declared(which: number, lengths: readonly number[], index: readonly number[]): boolean {
    const { memory } = this;
    using scope = memory.scope();
    return memory.call.tz_rules_declared!(this.address, which, scope.i32(lengths), scope.i32(index)) !== 0;
  }

  /** What a `names` line calls the values that run to a length; null past the last. */
  label(length: number, value: number): string | null {
    return this.memory.nameAt(this.memory.call.tz_rules_label!(this.address, length, value));
  }

  /** Which length's names an input's numbers have; null: none. */
  inputLabels(input: string): number | null {
    using scope = this.memory.scope();
    const at = scope.bytes(8);
    const which = this.inputs.indexOf(input);
    const labelled = this.memory.call.tz_rules_labelled!(this.address, NAMED.inputs, which, 0, at);
    return labelled ? this.memory.word(at) : null;
  }

  /** The number of a weight or item of this name. */
  number(of: "weights" | "items", name: string): number {
    const ret = this[of].findIndex((one) => one.name === name);
    if (ret < 0)
      throw new TrapezeError(
        `${this.name} has no ${of.slice(0, -1)} '${name}'; there are ${this[of].map((one) => one.name).join(", ")}`,
      );
    return ret;
  }

  /** The rules as inference figures. */
  show(format: ShowFormat = "text"): string {
    const { memory, address } = this;
    return memory.written((text, size) => memory.call.tz_rules_show!(address, FIGURES.indexOf(format), text, size));
  }

  /** Order, cost and numbers of derivations, as `count` lines mean: label sets, whose lengths begin
   * with a capital, have 2 labels; all other lengths are n, which goes up to `upTo`. */
  check(upTo = 5): Check {
    const { memory, address } = this;
    const order = memory.written((text, size) => memory.call.tz_rules_show!(address, FIGURES.indexOf("order"), text, size));
    const counts: Count[] = [];
    for (let n = 0, left = TIME; n <= upTo; n++) {
      const start = performance.now();
      counts.push(this.#count(n, left > 0));
      left -= performance.now() - start;
    }
    return {
      order: order.split("\n").filter((line) => line !== ""),
      time: this.#degree(false),
      space: this.#degree(true),
      products: this.products(this.#equal(40)),
      counts,
      ambiguous: this.ambiguous || counts.some((c) => c.structures !== null && c.structures !== c.derivations),
    };
  }

  #degree(space: boolean): string {
    using scope = this.memory.scope();
    const text = scope.bytes(256);
    const status = this.memory.call.tz_rules_degree!(this.address, Number(space), text, 256);
    return status === STATUS.ok ? this.memory.textAt(text) : "?";
  }

  /** Semiring products of one inside pass; null: too many to count. */
  products(lengths: readonly number[]): number | null {
    using scope = this.memory.scope();
    const at = scope.bytes(8);
    const plan = this.plan("count", "f64", FLAG.force);
    const status = this.memory.call.tz_plan_products!(plan.address, scope.i32(lengths), at);
    return status === STATUS.ok ? this.memory.double(at) : null;
  }

  /** Lengths as `count` lines mean. */
  #equal(n: number): number[] {
    return this.lengths.map((name) => (/^\p{Lu}/u.test(name) ? LABELS : n));
  }

  #count(n: number, enumerate: boolean): Count {
    const { memory } = this;
    const lengths = this.#equal(n);
    using scope = memory.scope();
    const at = scope.bytes(16);
    const length = scope.i32(lengths);
    if (enumerate && memory.call.tz_web_structures!(this.address, length, MOST_ENUMERATED, at, at + 8) === STATUS.ok)
      return { n, derivations: memory.double(at), structures: memory.double(at + 8) };
    const products = this.products(lengths);
    if (products === null || products > MOST_PRODUCTS)
      return { n, derivations: null, structures: null };
    try {
      const result = run(this, "count", this.problem(lengths), { force: true });
      return { n, derivations: result.value as number, structures: null };
    } catch (error) {
      if (!(error instanceof TrapezeError)) throw error;
      return { n, derivations: null, structures: null }; // there is no end to them
    }
  }

  /** A problem for these lengths: all scores that the rules declare, those of other cells -Infinity;
   * and all numbers of inputs. */
  problem(
    lengths: readonly number[],
    score: () => number = () => 0,
    number: (bound: number) => number = () => 0,
  ): Problem {
    const ret: Problem = Object.fromEntries(this.lengths.map((name, l) => [name, lengths[l]!]));
    for (const { name, rank } of this.weights) {
      const { sparse, origin, extent } = this.shape(name, lengths);
      const table = new Table(new Float64Array(extent.reduce((a, b) => a * b, 1)), extent, origin);
      const list: number[][] = [];
      let cell = 0;
      table.forEach((index) => {
        const padded = [...index, ...new Array(MAX_RANK - rank).fill(0)];
        const declared = this.declared(name, lengths, padded);
        if (sparse && declared) list.push([...index, score()]);
        else table.data[cell] = declared ? score() : -Infinity;
        cell++;
      });
      ret[name] = sparse ? list : (table.toJSON() as Nested);
    }
    for (const name of this.inputs) {
      const { origin, extent, bound } = this.inputShape(name, lengths);
      const numbers = Float64Array.from({ length: extent.reduce((a, b) => a * b, 1) }, () => number(bound));
      ret[name] = new Table(numbers, extent, origin).toJSON() as Nested;
    }
    return ret;
  }

  /** Is there an item at these index values? */
  has(item: string, lengths: readonly number[], index: readonly number[]): boolean {
    const { memory } = this;
    using scope = memory.scope();
    const at = scope.i32([...index, 0]);
    return memory.call.tz_web_stage!(this.address, scope.i32(lengths), this.number("items", item), at, scope.bytes(8 * (MAX_RANK + 2))) !== 0;
  }

  /** Do the items of this name, where the length is 2 or more, have the same values for a greater one?
   * What does not is computed anew when a session grows. */
  stays(item: string, length = this.lengths[0]!): boolean {
    const l = this.lengths.indexOf(length);
    if (l < 0) throw new TrapezeError(`no length is called '${length}': ${this.lengths.join(", ")}`);
    return this.memory.call.tz_web_stays!(this.address, this.number("items", item), l) !== 0;
  }

  /** The plan for a semiring; made once, and kept. */
  plan(semiring: string | Semiring, precision: Precision, flags: number): Plan {
    const text = typeof semiring === "string" ? semiring.replace(/\s/g, "") : `${semiring.name}\n${semiring.text}`;
    const key = `${text} ${precision} ${flags}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = new Plan(this, semiring, precision, flags);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  /** Answers one problem. */
  run(semiring: string | Semiring, problem: Problem, options: RunOptions = {}): Result {
    return run(this, semiring, problem, options);
  }

  /** Answers many problems side by side. */
  runBatch(semiring: string | Semiring, problems: readonly Problem[], options: BatchOptions = {}): BatchResult {
    return runBatch(this, semiring, problems, options);
  }

  /** A session: a problem, given as to run, that goes on word by word. */
  grow(semiring: string | Semiring, problem: Problem, options: GrowOptions = {}): Session {
    return grow(this, semiring, problem, options);
  }

  /** All items of one problem with their values, and the products that these are sums of. */
  chart(semiring: string | Semiring, problem: Problem, options: { force?: boolean } = {}): Chart {
    return Chart.of(this, semiring, problem, options.force ?? false);
  }

  /** Gives the memory back; the object must not be used any more. */
  free(): void {
    for (const plan of this.#plans.values()) plan.free();
    this.#plans.clear();
    if (this.#owned) this.memory.call.tz_rules_free!(this.address);
  }
  [Symbol.dispose](): void {
    this.free();
  }
}
