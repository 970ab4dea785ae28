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

function writeDense(memory: Memory, scope: Scope, name: string, value: unknown, shape: Shape, at: Address): number {
  const size = product(shape.extent);
  const data = scope.bytes(8 * size);
  const flat = shape.extent.length > 1 && ArrayBuffer.isView(value) && (value as Float64Array).length === size;
  if (flat) memory.f64.set(value as Float64Array, data >> 3);
  else {
    const to = memory.f64.subarray(data >> 3, (data >> 3) + size);
    new Filler(name, shape.extent, (i, number) => (to[i] = score(name, number))).fill(value);
  }
  memory.setWord(at + SCORES.data, data);
  for (let q = shape.extent.length, stride = 1; q-- > 0; stride *= shape.extent[q]!) {
    memory.setWord(at + SCORES.extent + 4 * q, shape.extent[q]!);
    memory.setWord(at + SCORES.stride + 4 * q, stride);
  }
  return size;
}

function writeSparse(memory: Memory, scope: Scope, name: string, value: unknown, rank: number, at: Address): number[][] {
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

function writeInput(rules: Rules, scope: Scope, name: string, value: unknown, lengths: number[], at: Address): void {
  const { memory } = rules;
  const { extent, bound } = rules.inputShape(name, lengths);
  const of = rules.inputLabels(name);
  const data = scope.bytes(4 * product(extent));
  const numberOf = (given: unknown): number => {
    if (typeof given === "number" && Number.isInteger(given)) return given;
    for (let v = 0; of !== null && typeof given === "string" && v < bound; v++)
      if (rules.label(of, v) === given) return v;
    throw new TrapezeError(`${name} holds ${JSON.stringify(given)}: it takes whole numbers from 0 to below ${bound}` + (of === null ? "" : ", or their names"));
  };
  new Filler(name, extent, (i, given) => memory.setWord(data + 4 * i, numberOf(given))).fill(value);
  memory.setWord(at + NUMBERS.data, data);
  for (let q = extent.length, stride = 1; q-- > 0; stride *= extent[q]!) {
    memory.setWord(at + NUMBERS.extent + 4 * q, extent[q]!);
    memory.setWord(at + NUMBERS.stride + 4 * q, stride);
  }
}

/** Writes a problem at an address, whose memory the scope gives back. */
export function bind(rules: Rules, scope: Scope, problem: Problem, address: Address): Bound {
  const { memory } = rules;
  const lengths = lengthsOf(rules, problem);
  const known = new Set([...rules.lengths, ...rules.inputs, ...rules.weights.map((w) => w.name), "id", "words"]);
  const strange = Object.keys(problem).find((name) => !known.has(name));
  if (strange !== undefined)
    throw new TrapezeError(`${rules.name} has neither a length nor a weight '${strange}'; it has ${[...known].slice(0, -2).join(", ")}`);
  const scores = scope.bytes(SCORES.size * rules.weights.length);
  const numbers = scope.bytes(NUMBERS.size * rules.inputs.length);
  const shapes = rules.weights.map(({ name }) => rules.shape(name, lengths));
  const index: (number[][] | null)[] = [];
  const cells = rules.weights.map(({ name, sparse, rank }, w) => {
    const at = scores + SCORES.size * w;
    if (problem[name] === undefined && !rules.used("weight", w)) {
      index[w] = sparse ? [] : null;
      return sparse ? 0 : product(shapes[w]!.extent);
    }
    if (problem[name] === undefined) throw new TrapezeError(`the problem lacks the weight '${name}'`);
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
