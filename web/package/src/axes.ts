// Arrays that get longer where a length grows. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { fillScores, inputNumbers } from "./problem.js";
import type { Rules, Shape } from "./rules.js";

/** The array of a dense weight or an input for certain lengths, row by row. */
export interface HeldArray {
  name: string;
  input: boolean;
  data: Float64Array | Int32Array;
  extent: readonly number[];
  origin: readonly number[];
}
export type Arrays = Map<string, HeldArray>;

const product = (list: readonly number[]) => list.reduce((a, b) => a * b, 1);

const shapeOf = (rules: Rules, { name, input }: { name: string; input: boolean }, lengths: readonly number[]): Shape =>
  input ? rules.inputShape(name, lengths) : rules.shape(name, lengths);

/** From what the caller gives; extent: of it. */
function read(rules: Rules, name: string, input: boolean, value: unknown, extent: readonly number[], lengths: readonly number[]): Float64Array | Int32Array {
  if (input) return inputNumbers(rules, name, value, rules.inputShape(name, lengths).bound, extent);
  const ret = new Float64Array(product(extent));
  fillScores(ret, name, value, extent);
  return ret;
}

export function arrayOf(rules: Rules, name: string, input: boolean, value: unknown, lengths: readonly number[]): HeldArray {
  const { extent, origin } = shapeOf(rules, { name, input }, lengths);
  return { name, input, extent, origin, data: read(rules, name, input, value, extent, lengths) };
}

/** The first dimension of an array that runs to a length. whole: others do, too, or its first index
 * moves with the length; then the whole array is to be given. */
export interface Axis {
  at: number;
  whole: boolean;
}

/** Of some lengths, how arrays grow: sessions come back to the same ones. */
const known = new WeakMap<Rules, Map<string, Map<string, Axis>>>();
const MOST_KNOWN = 256;
/** Long enough for bounds such as 2 <= i. */
const SOME = 9;

/** Which arrays of weights that are not sparse, and of inputs, grow from these lengths with length
 * number l, and how. */
export function axesOf(rules: Rules, lengths: readonly number[], l: number): Map<string, Axis> {
  const of = known.get(rules) ?? new Map<string, Map<string, Axis>>();
  const key = `${l} ${lengths.join()}`;
  let axes = of.get(key);
  if (axes === undefined) {
    if (of.size >= MOST_KNOWN) of.clear();
    known.set(rules, of.set(key, (axes = findAxes(rules, lengths, l))));
  }
  return axes;
}

function findAxes(rules: Rules, lengths: readonly number[], l: number): Map<string, Axis> {
  const at = (n: number) => lengths.map((length, i) => (i === l ? n : length));
  const ret = new Map<string, Axis>();
  const arrays = [...rules.weights.filter(({ sparse }) => !sparse).map(({ name }) => ({ name, input: false })), ...rules.inputs.map((name) => ({ name, input: true }))];
  for (const array of arrays) {
    const extents = new Set<number>();
    const origins = new Set<number>();
    for (const n of new Set([lengths[l]!, Math.max(lengths[l]!, SOME)])) {
      const [before, after] = [shapeOf(rules, array, at(n)), shapeOf(rules, array, at(n + 1))];
      before.extent.forEach((e, q) => e !== after.extent[q] && extents.add(q));
      before.origin.forEach((o, q) => o !== after.origin[q] && origins.add(q));
    }
    if (extents.size > 0) ret.set(array.name, { at: Math.min(...extents), whole: extents.size > 1 || origins.size > 0 });
  }
  return ret;
}

const lengthOf = (value: unknown): number | null =>
  typeof value === "object" && value !== null && typeof (value as ArrayLike<unknown>).length === "number" ? (value as ArrayLike<unknown>).length : null;

/** How many arrays stand in each other, as their first members tell. */
function depthOf(value: unknown): number {
  let depth = 0;
  for (; lengthOf(value) !== null; value = (value as ArrayLike<unknown>)[0]) depth++;
  return depth;
}

/** How many new positions of length number l the caller gives; null: an array without cells does not
 * tell. */
export function newPositions(rules: Rules, array: HeldArray, { at, whole }: Axis, lengths: readonly number[], l: number, value: unknown): number | null {
  const { name, extent } = array;
  if (whole) {
    const flat = ArrayBuffer.isView(value) && extent.length > 1;
    const given = flat ? (value as Float64Array).length : (lengthOf(levelled(value, at)) ?? 0);
    for (let count = 0, size = 0; count === 0 || size < given; count++) {
      const { extent: longer } = shapeOf(rules, array, lengths.map((n, i) => n + (i === l ? count : 0)));
      size = flat ? product(longer) : longer[at]!;
      if (size === given) return count;
    }
    throw new TrapezeError(`${name} grows in several indices: give the whole array for the new length`);
  }
  if (extent.some((e, q) => q !== at && e === 0)) return null;
  const depth = depthOf(value);
  if (depth === extent.length - 1) return 1;
  if (depth === extent.length) return lengthOf(levelled(value, at))!;
  throw new TrapezeError(`${name}: give an array of ${extent.length - 1} dimensions, what stands at the new position, or of ${extent.length} for several positions; not of ${depth}`);
}

/** The first member of the first member of ... */
function levelled(value: unknown, depth: number): unknown {
  for (let d = 0; d < depth; d++) value = (value as ArrayLike<unknown> | undefined)?.[0];
  return value;
}

/** Copies the cells that both have; from: positions of `from` in each dimension that the first comes from. */
function copyCells(to: HeldArray, from: HeldArray, shift: readonly number[]): void {
  const rank = to.extent.length;
  if (rank === 0) {
    to.data[0] = from.data[0]!;
    return;
  }
  const first = shift.map((s) => Math.max(0, s));
  const last = to.extent.map((e, q) => Math.min(e, from.extent[q]! + shift[q]!));
  if (last.some((e, q) => e <= first[q]!)) return;
  const at = [...first];
  const place = (extent: readonly number[], by: readonly number[]) => at.reduce((sum, i, q) => sum * extent[q]! + i - by[q]!, 0);
  const none = at.map(() => 0);
  const row = last[rank - 1]! - first[rank - 1]!;
  for (;;) {
    const source = place(from.extent, shift);
    to.data.set(from.data.subarray(source, source + row), place(to.extent, none));
    let q = rank - 1;
    while (q-- > 0) {
      if (++at[q]! < last[q]!) break;
      at[q] = first[q]!;
    }
    if (q < 0) return;
  }
}

function empty(rules: Rules, array: HeldArray, lengths: readonly number[]): HeldArray {
  const { extent, origin } = shapeOf(rules, array, lengths);
  const size = product(extent);
  return { ...array, extent, origin, data: array.input ? new Int32Array(size) : new Float64Array(size) };
}

/** Where position 0 of one array stands in another. */
const shiftOf = (to: HeldArray, from: HeldArray) => to.origin.map((o, q) => from.origin[q]! - o);

/** The array for new lengths: its old cells, and what the caller gives of the new ones. */
export function longer(rules: Rules, old: HeldArray, axis: Axis, lengths: readonly number[], count: number, value: unknown): HeldArray {
  const { name, input } = old;
  const ret = empty(rules, old, lengths);
  if (!axis.whole && ret.extent.some((e, q) => q !== axis.at && e !== old.extent[q]))
    throw new TrapezeError(`${name} grows in other indices, too: go on by one word`);
  if (axis.whole) ret.data.set(read(rules, name, input, value, ret.extent, lengths));
  else {
    const one = depthOf(value) === old.extent.length - 1;
    const extent = ret.extent.map((e, q) => (q === axis.at ? count : e));
    // The same cells, whether the new index has a dimension or not.
    const data = read(rules, name, input, value, one ? extent.filter((_, q) => q !== axis.at) : extent, lengths);
    const part = { ...ret, data, extent };
    copyCells(ret, part, extent.map((_, q) => (q === axis.at ? ret.extent[q]! - count : 0)));
  }
  copyCells(ret, old, shiftOf(ret, old));
  return ret;
}

/** The array for lengths that are less; the same if it has not more cells than these need. */
export function shorter(rules: Rules, old: HeldArray, lengths: readonly number[]): HeldArray {
  const { extent, origin } = shapeOf(rules, old, lengths);
  if (extent.every((e, q) => e === old.extent[q] && origin[q] === old.origin[q])) return old;
  const ret = empty(rules, old, lengths);
  copyCells(ret, old, shiftOf(ret, old));
  return ret;
}
