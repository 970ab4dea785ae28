// One problem, and all that is asked of it. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { ANSWERS, DERIVATION, FLAG, GIVES, GOAL, MAX_RANK, NODE, OUTPUT, POSITION, PROBLEM, RUN_OPTIONS, STATUS, USE } from "./layout.js";
import type { Address, Memory } from "./memory.js";
import type { Plan, Precision } from "./plan.js";
import { bind, type Bound, type Problem } from "./problem.js";
import type { Rules } from "./rules.js";
import type { Semiring } from "./semiring.js";
import { Table } from "./table.js";

export interface RunOptions {
  precision?: Precision;
  /** Run an ambiguous rule set under a semiring that counts twice. */
  force?: boolean;
  /** By plus and times alone, as the passes are defined: slow, for whoever doubts an answer. */
  plain?: boolean;
  /** The best derivation (max). */
  best?: boolean;
  /** Proof trees with derivations. */
  derivation?: boolean;
  /** The uses of derivations in their order, too. */
  path?: boolean;
  /** So many best derivations (max). */
  kbest?: number;
  /** Of several derivations of one structure, the first alone. */
  distinct?: boolean;
  /** So many derivations drawn at random (log, count). */
  samples?: number;
  /** That of the samples, as of the command's first line (1). */
  seed?: number | bigint;
  /** The expected number of uses of each cell of each weight (log, entropy). */
  marginals?: boolean;
  /** The value of the derivations that use a cell (max: the best that does). */
  through?: boolean;
}

/** A weight's name, the indices of a cell, and its score. */
export type Use = [name: string, ...numbers: number[]];

/** The same, and behind the score the positions that inputs were looked up at, if they were. */
export type PathStep = [name: string, ...numbers: (number | number[])[]];

/** A proof tree. */
export interface Proof {
  item: string;
  index: number[];
  rule: string;
  premises: Proof[];
}

export interface Derivation {
  score: number;
  weights: Use[];
  path?: PathStep[];
  derivation?: Proof;
}

/** A dense weight's cells, or a sparse one's entries [a, b, c, number]. */
export type Cells = Table | number[][];

export interface Result {
  /** A score, a number, a truth; null: there is no derivation. */
  value: number | boolean | null;
  /** Of a semiring whose elements are lists: kbest(K). */
  values?: number[];
  /** entropy: log Z is the value. 0: there is no derivation. */
  entropy?: number;
  /** ties: how many derivations have the best score. */
  count?: number;
  /** A semiring by its text: what else it reports, by name. */
  numbers?: Record<string, number>;
  best?: Derivation | null;
  kbest?: Derivation[];
  samples?: Derivation[];
  marginals?: Record<string, Cells> | null;
  through?: Record<string, Cells> | null;
}

/** The numbers of an element after the first that results hold. */
const keys = ["entropy", "count"] as const;

export function readDerivation(rules: Rules, at: Address, lengths: readonly number[], options: RunOptions): Derivation {
  const { memory } = rules;
  const uses = memory.word(at + DERIVATION.uses);
  const first = memory.word(at + DERIVATION.use);
  const weights: Use[] = [];
  for (let use = first; use < first + uses * USE.size; use += USE.size) {
    const { name, rank } = rules.weights[memory.word(use + USE.weight)]!;
    weights.push([name, ...memory.words(use + USE.index, rank), memory.double(use + USE.score)]);
  }
  const ret: Derivation = { score: memory.double(at + DERIVATION.score), weights };
  if (options.path) ret.path = readPath(rules, at, lengths, weights);
  if (options.derivation) ret.derivation = readProof(rules, at);
  return ret;
}

/** The uses in the order in which they are derived. */
function readPath(rules: Rules, at: Address, lengths: readonly number[], weights: readonly Use[]): PathStep[] {
  const { memory } = rules;
  using scope = memory.scope();
  const order = scope.bytes(4 * weights.length);
  const status = memory.call.tz_path!(rules.address, scope.i32(lengths), at, order);
  if (status !== STATUS.ok) refuse(memory, status, "path");
  const positions = memory.word(at + DERIVATION.position);
  return memory.words(order, weights.length).map((u) => {
    const position = positions + u * POSITION.size;
    const count = positions === 0 ? 0 : memory.word(position + POSITION.count);
    return count === 0 ? weights[u]! : [...weights[u]!, memory.words(position + POSITION.at, count)];
  });
}

/** The tree that stands in preorder; without recursion, since it may be deep. */
function readProof(rules: Rules, at: Address): Proof {
  const { memory } = rules;
  const nodes = memory.word(at + DERIVATION.nodes);
  const first = memory.word(at + DERIVATION.node);
  const root: { premises: Proof[] } = { premises: [] };
  const open = [{ of: root, left: 1 }];
  for (let node = first; node < first + nodes * NODE.size; node += NODE.size) {
    while (open.at(-1)!.left === 0) open.pop();
    const { name, rank } = rules.items[memory.word(node + NODE.item)]!;
    const proof: Proof = {
      item: name,
      index: memory.words(node + NODE.index, rank),
      rule: rules.rules[memory.word(node + NODE.rule)]!,
      premises: [],
    };
    open.at(-1)!.left--;
    open.at(-1)!.of.premises.push(proof);
    open.push({ of: proof, left: memory.word(node + NODE.premises) });
  }
  return root.premises[0]!;
}

export function refuse(memory: Memory, status: number, what: string): never {
  const why = memory.textAt(memory.call.tz_status_name!(status));
  throw new TrapezeError(status === STATUS.law ? `${what}: the semiring does not give that` : `${what}: ${why}`);
}

/** Numbers of one kind for all weights; null: there is no derivation. */
export function cellsOf(rules: Rules, chart: Address, bound: Bound, call: "tz_marginals" | "tz_through"): Record<string, Cells> | null {
  const { memory } = rules;
  const ret: Record<string, Cells> = {};
  for (const [w, { name }] of rules.weights.entries()) {
    using scope = memory.scope();
    const output = scope.bytes(OUTPUT.size);
    const count = bound.cells[w]!;
    const data = scope.bytes(8 * count);
    const { extent, origin, sparse } = bound.shapes[w]!;
    memory.setWord(output + OUTPUT.data, data);
    for (let q = extent.length, stride = 1; q-- > 0; stride *= extent[q]!)
      memory.setWord(output + OUTPUT.stride + 4 * q, sparse ? 1 : stride);
    const status = memory.call[call]!(chart, 0, w, output);
    if (status === STATUS.none) return null;
    if (status !== STATUS.ok) refuse(memory, status, call === "tz_through" ? "through" : "marginals");
    const numbers = memory.f64.slice(data >> 3, (data >> 3) + count);
    const index = bound.index[w];
    ret[name] = index ? index.map((at, e) => [...at, numbers[e]!]) : new Table(numbers, extent, origin);
  }
  return ret;
}

/** What is made of a derivation, which is the library's until the next one. */
export type Read<T> = (derivation: Address) => T;

/** The best derivation of the goal; null: there is none. */
export function bestOf<T>(memory: Memory, chart: Address, read: Read<T>): T | null {
  using scope = memory.scope();
  const at = scope.bytes(8);
  const status = memory.call.tz_best!(chart, 0, GOAL, 0, at);
  if (status !== STATUS.ok && status !== STATUS.none) refuse(memory, status, "best");
  return status === STATUS.none ? null : read(memory.word(at));
}

/** Derivations from a list of the library's, as they are asked for. */
function* listed<T>(memory: Memory, what: "kbest" | "samples", list: "tz_kbest" | "tz_sampler", make: (ret: Address) => number, read: Read<T>): Generator<T> {
  using scope = memory.scope();
  const ret = scope.bytes(8);
  const status = make(ret);
  if (status !== STATUS.ok) refuse(memory, status, what);
  const made = memory.word(ret);
  try {
    for (;;) {
      const next = memory.call[`${list}_next`]!(made, ret);
      if (next === STATUS.none) return;
      if (next !== STATUS.ok) refuse(memory, next, what);
      yield read(memory.word(ret));
    }
  } finally {
    memory.call[`${list}_free`]!(made);
  }
}

/** The best derivations of the goal, best first. */
export function kbestOf<T>(memory: Memory, chart: Address, distinct: boolean, read: Read<T>): Generator<T> {
  return listed(memory, "kbest", "tz_kbest", (ret) => memory.call.tz_kbest_new!(chart, 0, Number(distinct), ret), read);
}

/** Derivations at random, without end. */
export function samplesOf<T>(memory: Memory, chart: Address, seed: number | bigint, read: Read<T>): Generator<T> {
  const word = BigInt.asUintN(64, BigInt(seed));
  return listed(memory, "samples", "tz_sampler", (ret) => memory.call.tz_sampler_new!(chart, 0, word, 0, ret), read);
}

/** The seed that the command takes for a line, from 0, of its input. */
export const seedOfLine = (seed: number | bigint, line: number): bigint => BigInt(seed) + BigInt(line + 1) * 0x9e3779b97f4a7c15n;

/** The first so many. */
export function first<T>(count: number, of: Generator<T>): T[] {
  const ret: T[] = [];
  if (count > 0)
    for (const one of of) {
      ret.push(one);
      if (ret.length >= count) break; // which ends the generator
    }
  return ret;
}

/** The value of an item without indices; null: of the goal. */
export function itemValue(rules: Rules, chart: Address, item: string | null): number {
  const { memory } = rules;
  using scope = memory.scope();
  const index = scope.bytes(4 * MAX_RANK);
  const ret = scope.bytes(8);
  const status = memory.call.tz_item_value!(chart, 0, item === null ? GOAL : rules.number("items", item), index, 0, ret);
  if (status !== STATUS.ok) refuse(memory, status, item ?? "the goal");
  return memory.double(ret);
}

/** The values of the items of a name with one index, of which there are so many. */
export function itemsOf(rules: Rules, chart: Address, item: string, count: number): Float64Array {
  const { memory } = rules;
  using scope = memory.scope();
  const output = scope.bytes(OUTPUT.size);
  const data = scope.bytes(8 * count);
  memory.setWord(output + OUTPUT.data, data);
  memory.setWord(output + OUTPUT.stride, 1);
  const status = memory.call.tz_items!(chart, 0, rules.number("items", item), output);
  if (status !== STATUS.ok) refuse(memory, status, item);
  return memory.f64.slice(data >> 3, (data >> 3) + count);
}

export function valueOf(plan: Plan, chart: Address): Result {
  const { memory } = plan;
  using scope = memory.scope();
  const values = scope.bytes(8 * plan.numbers);
  const count = scope.bytes(8);
  memory.call.tz_item_values!(chart, 0, GOAL, 0, values, count);
  const number = Array.from(memory.f64.subarray(values >> 3, (values >> 3) + memory.word(count)));
  const first = number[0] ?? -Infinity;
  const none = plan.gives === GIVES.score && first === -Infinity;
  const ret: Result = { value: plan.gives === GIVES.truth ? first !== 0 : none ? null : first };
  if (plan.numbers > 1 && plan.numberNames.length === 0) ret.values = number;
  if (plan.written && plan.numberNames.length > 1) ret.numbers = Object.fromEntries(plan.numberNames.map((name, i) => [name, number[i]!]).slice(1));
  for (const key of plan.written ? [] : keys) {
    const i = plan.numberNames.indexOf(key);
    if (i > 0) ret[key] = number[i]!;
  }
  return ret;
}

/** Why a problem fails: what the library says of it where it is alone in a batch. */
function explain(plan: Plan, problem: Address, outside: boolean, status: number, what: string): never {
  const { memory } = plan;
  using scope = memory.scope();
  const options = scope.bytes(RUN_OPTIONS.size);
  const answers = scope.bytes(ANSWERS.size);
  memory.u8[options + RUN_OPTIONS.outside] = Number(outside);
  memory.setWord(answers + ANSWERS.value, scope.bytes(8));
  try {
    memory.try((error) => memory.call.tz_web_run!(plan.address, problem, 1, options, answers, error));
  } catch (error) {
    throw error instanceof TrapezeError ? new TrapezeError(error.message.replace(/^problem 0: /, "")) : error;
  }
  return refuse(memory, status, what);
}

/** Binds the problem at this address to the plan's chart and runs inside, and outside where it is needed. */
export function compute(rules: Rules, plan: Plan, problem: Address, outside: boolean): void {
  const { memory } = plan;
  memory.try((error) => memory.call.tz_bind!(plan.chart, problem, 1, error));
  for (const pass of outside ? ["tz_inside", "tz_outside"] : ["tz_inside"]) {
    const status = memory.call[pass]!(plan.chart);
    if (status !== STATUS.ok) explain(plan, problem, outside, status, rules.name);
  }
}

/** The same with a problem as it is given; then asks. */
export function withChart<T>(rules: Rules, plan: Plan, problem: Problem, outside: boolean, ask: (bound: Bound) => T): T {
  using scope = rules.memory.scope();
  const bound = bind(rules, scope, problem, scope.bytes(PROBLEM.size));
  compute(rules, plan, bound.address, outside);
  return ask(bound);
}

export function planFor(rules: Rules, semiring: string | Semiring, options: RunOptions): Plan {
  const flags = (options.force ? FLAG.force : 0) | (options.plain ? FLAG.plain : 0);
  return rules.plan(semiring, options.precision ?? "f64", flags);
}

export function run(rules: Rules, semiring: string | Semiring, problem: Problem, options: RunOptions): Result {
  const { memory } = rules;
  const plan = planFor(rules, semiring, options);
  return withChart(rules, plan, problem, Boolean(options.marginals || options.through), (bound) => {
    const ret = valueOf(plan, plan.chart);
    const read = (at: Address) => readDerivation(rules, at, bound.lengths, options);
    if (options.best) ret.best = bestOf(memory, plan.chart, read);
    if (options.kbest) ret.kbest = first(options.kbest, kbestOf(memory, plan.chart, options.distinct ?? false, read));
    if (options.samples) ret.samples = first(options.samples, samplesOf(memory, plan.chart, seedOfLine(options.seed ?? 1, 0), read));
    if (options.marginals) ret.marginals = cellsOf(rules, plan.chart, bound, "tz_marginals");
    if (options.through) ret.through = cellsOf(rules, plan.chart, bound, "tz_through");
    return ret;
  });
}

/** A structure's uses drawn by the shapes of their weights: arcs, brackets, a grid. null: the rules
 * have no weight of such a shape. */
export function draw(
  rules: Rules,
  lengths: readonly number[],
  weights: readonly Use[],
  options: { words?: readonly string[]; format?: "svg" | "text" } = {},
): string | null {
  const { memory } = rules;
  using scope = memory.scope();
  const use = scope.bytes(USE.size * weights.length);
  weights.forEach(([name, ...numbers], u) => {
    const w = rules.number("weights", name);
    const at = use + USE.size * u;
    memory.setWord(at + USE.weight, w);
    memory.i32.set(numbers.slice(0, rules.weights[w]!.rank), (at + USE.index) >> 2);
  });
  const words = options.words === undefined ? 0 : scope.i32(options.words.map((word) => scope.text(word).at));
  if (options.words !== undefined && options.words.length !== lengths[0])
    throw new TrapezeError(`there are ${options.words.length} words for a length of ${lengths[0]}`);
  const derivation = scope.bytes(DERIVATION.size); // without its proof tree
  memory.setWord(derivation + DERIVATION.uses, weights.length);
  memory.setWord(derivation + DERIVATION.nodes, 0);
  memory.setWord(derivation + DERIVATION.use, use);
  memory.setWord(derivation + DERIVATION.node, 0);
  const ret = scope.bytes(8);
  const length = scope.i32(lengths);
  const format = options.format === "text" ? 0 : 1;
  let status: number = STATUS.ok;
  const text = memory.written((to, size) => {
    status = memory.call.tz_draw!(rules.address, length, derivation, words, format, to, size, ret);
    return status === STATUS.ok ? memory.word(ret) : 0;
  });
  if (status !== STATUS.ok && status !== STATUS.none) refuse(memory, status, "draw");
  return status === STATUS.none ? null : text;
}
