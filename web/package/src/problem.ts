// From numbers in arrays to the library's problem. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { NUMBERS, PROBLEM, SCORES } from "./layout.js";
import type { Address, Memory, Scope } from "./memory.js";
import type { Rules, Shape } from "./rules.js";

/** Arrays in arrays of scores; null is impossible, as -Infinity is. */
export type Nested = ArrayLike<number | string | null> | readonly Nested[];

/** What a line of `trapeze run` has: each length by its name; each weight as arrays in arrays, or as a
 * flat array of all of its shape (rules.shape), row by row; a sparse one as a list of [a, b, c, score];
 * each input as arrays in arrays of numbers, or of names where the rules name them. */
export interface Problem {
  [name: string]: number | string | Nested | Record<string, unknown> | null | undefined;
}

/** A problem in the library's memory, and the shapes of its weights. */
export interface Bound {
  address: Address;
  lengths: number[];
  shapes: Shape[];
  /** How many entries a sparse weight has; of a dense one, how many cells. */
  cells: number[];
  /** Of a sparse weight: its entries' indices. */
  index: (number[][] | null)[];
}

const product = (list: readonly number[]) => list.reduce((a, b) => a * b, 1);

/** The lengths of a problem, which must be whole numbers. */
export function lengthsOf(rules: Rules, problem: Problem): number[] {
  return rules.lengths.map((name) => {
    const n = problem[name];
    if (typeof n !== "number" || !Number.isInteger(n) || n < 0)
      throw new TrapezeError(`${rules.name} needs the length '${name}', a whole number from 0 on: { ${name}: 4, ... }`);
    return n;
  });
}

/** Writes arrays in arrays, row by row. */
class Filler {
  readonly #name: string;
  readonly #extent: readonly number[];
  readonly #write: (at: number, value: unknown) => void;
  #at = 0;

  constructor(name: string, extent: readonly number[], write: (at: number, value: unknown) => void) {
    this.#name = name;
    this.#extent = extent;
    this.#write = write;
  }

  fill(value: unknown, depth = 0): void {
    if (depth === this.#extent.length) {
      this.#write(this.#at++, value);
      return;
    }
    const extent = this.#extent[depth]!;
    const list = value as ArrayLike<unknown>;
    const isList = typeof value === "object" && value !== null && typeof list.length === "number";
    if (!isList || list.length < extent)
      throw new TrapezeError(
        `${this.#name} is an array of ${this.#extent.join(" x ")} or more for these lengths; ` +
          (isList ? `dimension ${depth + 1} has ${list.length}` : `dimension ${depth + 1} is no array`),
      );
    for (let i = 0; i < extent; i++) this.fill(list[i], depth + 1);
  }
}

function score(name: string, value: unknown): number {
  if (value === null) return -Infinity;
  if (typeof value === "number") return value;
  throw new TrapezeError(`${name} holds ${JSON.stringify(value) ?? "nothing"} where a score is needed: a number, or null`);
}

/** The members of a tz_scores or tz_input_numbers for an array that stands row by row. */
function describe(memory: Memory, at: Address, member: { data: number; extent: number; stride: number }, data: Address, extent: readonly number[]): void {
  memory.setWord(at + member.data, data);
  for (let q = extent.length, stride = 1; q-- > 0; stride *= extent[q]!) {
    memory.setWord(at + member.extent + 4 * q, extent[q]!);
    memory.setWord(at + member.stride + 4 * q, stride);
  }
}

/** Fills an array of a dense weight, row by row. */
export function fillScores(to: Float64Array, name: string, value: unknown, extent: readonly number[]): void {
  if (extent.length > 1 && ArrayBuffer.isView(value) && (value as Float64Array).length === to.length) to.set(value as Float64Array);
  else new Filler(name, extent, (i, number) => (to[i] = score(name, number))).fill(value);
}

function writeDense(memory: Memory, scope: Scope, name: string, value: unknown, shape: Shape, at: Address): number {
  const size = product(shape.extent);
  const data = scope.bytes(8 * size);
  fillScores(memory.f64.subarray(data >> 3, (data >> 3) + size), name, value, shape.extent);
  describe(memory, at, SCORES, data, shape.extent);
  return size;
}

export function writeSparse(memory: Memory, scope: Scope, name: string, value: unknown, rank: number, at: Address): number[][] {
  if (!Array.isArray(value))
    throw new TrapezeError(`${name} is a list of entries: of each, its ${rank} indices and its score`);
  const data = scope.bytes(8 * value.length);
  const index = scope.bytes(4 * rank * value.length);
  const ret = value.map((entry: unknown, e) => {
    if (!Array.isArray(entry) || entry.length !== rank + 1 || !entry.slice(0, rank).every(Number.isInteger))
      throw new TrapezeError(`entry ${e + 1} of ${name} needs ${rank} whole numbers and a score`);
    memory.i32.set(entry.slice(0, rank) as number[], (index >> 2) + e * rank);
    memory.f64[(data >> 3) + e] = score(name, entry[rank]);
    return entry.slice(0, rank) as number[];
  });
  memory.setWord(at + SCORES.data, data);
  memory.setWord(at + SCORES.stride, 1);
  memory.setWord(at + SCORES.index, index);
  memory.setWord(at + SCORES.entries, value.length);
  return ret;
}

/** The numbers of an input, row by row; extent: of its array, or of a part of it. */
export function inputNumbers(rules: Rules, name: string, value: unknown, bound: number, extent: readonly number[]): Int32Array {
  const of = rules.inputLabels(name);
  const numberOf = (given: unknown): number => {
    if (typeof given === "number" && Number.isInteger(given)) return given;
    for (let v = 0; of !== null && typeof given === "string" && v < bound; v++)
      if (rules.label(of, v) === given) return v;
    throw new TrapezeError(`${name} holds ${JSON.stringify(given)}: it takes whole numbers from 0 to below ${bound}` + (of === null ? "" : ", or their names"));
  };
  const ret = new Int32Array(product(extent));
  new Filler(name, extent, (i, given) => (ret[i] = numberOf(given))).fill(value);
  return ret;
}

function writeInput(rules: Rules, scope: Scope, name: string, value: unknown, lengths: number[], at: Address): void {
  const { extent, bound } = rules.inputShape(name, lengths);
  const numbers = inputNumbers(rules, name, value, bound, extent);
  describe(rules.memory, at, NUMBERS, scope.i32(numbers), extent);
}

/** An array that stands in the library's memory, row by row; of a sparse weight the scores of its
 * entries, as many as extent[0] says, and their indices. */
export interface Standing {
  data: Address;
  extent: readonly number[];
  index?: Address;
}

/** Writes a problem of such arrays, one of each weight and each input, at an address. */
export function bindStanding(memory: Memory, scope: Scope, lengths: readonly number[], weights: readonly Standing[], inputs: readonly Standing[], address: Address): void {
  const scores = scope.bytes(SCORES.size * weights.length);
  const numbers = scope.bytes(NUMBERS.size * inputs.length);
  weights.forEach(({ data, extent, index }, w) => {
    const at = scores + SCORES.size * w;
    describe(memory, at, SCORES, data, extent);
    if (index === undefined) return;
    memory.setWord(at + SCORES.index, index);
    memory.setWord(at + SCORES.entries, extent[0]!);
  });
  inputs.forEach(({ data, extent }, i) => describe(memory, numbers + NUMBERS.size * i, NUMBERS, data, extent));
  memory.setWord(address + PROBLEM.lengths, scope.i32(lengths));
  memory.setWord(address + PROBLEM.scores, scores);
  memory.setWord(address + PROBLEM.numbers, numbers);
}

/** Refuses names that the rules do not have, and a weight that they use and the problem lacks. */
export function checkNames(rules: Rules, problem: Problem): void {
  const known = new Set([...rules.lengths, ...rules.inputs, ...rules.weights.map((w) => w.name), "id", "words"]);
  const strange = Object.keys(problem).find((name) => !known.has(name));
  if (strange !== undefined)
    throw new TrapezeError(`${rules.name} has neither a length nor a weight '${strange}'; it has ${[...known].slice(0, -2).join(", ")}`);
  for (const [w, { name }] of rules.weights.entries())
    if (problem[name] === undefined && rules.used("weight", w)) throw new TrapezeError(`the problem lacks the weight '${name}'`);
}

/** Writes a problem at an address, whose memory the scope gives back. */
export function bind(rules: Rules, scope: Scope, problem: Problem, address: Address): Bound {
  const { memory } = rules;
  const lengths = lengthsOf(rules, problem);
  checkNames(rules, problem);
  const scores = scope.bytes(SCORES.size * rules.weights.length);
  const numbers = scope.bytes(NUMBERS.size * rules.inputs.length);
  const shapes = rules.weights.map(({ name }) => rules.shape(name, lengths));
  const index: (number[][] | null)[] = [];
  const cells = rules.weights.map(({ name, sparse, rank }, w) => {
    const at = scores + SCORES.size * w;
    if (problem[name] === undefined) {
      index[w] = sparse ? [] : null;
      return sparse ? 0 : product(shapes[w]!.extent);
    }
    index[w] = sparse ? writeSparse(memory, scope, name, problem[name], rank, at) : null;
    return index[w]?.length ?? writeDense(memory, scope, name, problem[name], shapes[w]!, at);
  });
  rules.inputs.forEach((name, i) => {
    if (problem[name] !== undefined || rules.used("input", i))
      writeInput(rules, scope, name, problem[name], lengths, numbers + NUMBERS.size * i);
  });
  memory.setWord(address + PROBLEM.lengths, scope.i32(lengths));
  memory.setWord(address + PROBLEM.scores, scores);
  memory.setWord(address + PROBLEM.numbers, numbers);
  return { address, lengths, shapes, cells, index };
}
