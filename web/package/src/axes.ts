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

/** How an array grows with a length. at: the first dimension that runs to it. whole: others do, too, or
 * position 0 comes to hold another index; then the whole array is to be given. */
export interface Axis {
  at: number;
  whole: boolean;
}

/** Of some lengths, how arrays grow: sessions come back to the same ones. */
const known = new WeakMap<Rules, Map<string, Map<string, Axis>>>();
const MOST_KNOWN = 256;
/** So long that no bound, such as 2 <= i, leaves a domain empty, in all likelihood. */
const FAR = 99;

type Declared = Pick<HeldArray, "name" | "input">;
type Box = { readonly origin: readonly number[]; readonly extent: readonly number[] };

const endOf = ({ origin, extent }: Box) => origin.map((o, q) => o + extent[q]!);
export const withMore = (lengths: readonly number[], l: number, count: number) => lengths.map((n, i) => n + (i === l ? count : 0));

/** The dimensions in which another box begins before this one, and those in which it ends behind it. */
function grows(one: Box, other: Box): [low: number[], high: number[]] {
  const every = [...one.origin.keys()];
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return [every.filter((q) => other.origin[q]! < one.origin[q]!), every.filter((q) => otherEnd[q]! > end[q]!)];
}

/** Are there cells for lengths that are longer that the array has not? */
export const lacks = (rules: Rules, array: Declared, before: readonly number[], after: readonly number[]): boolean =>
  grows(shapeOf(rules, array, before), shapeOf(rules, array, after)).some((dimensions) => dimensions.length > 0);

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
  const ret = new Map<string, Axis>();
  const arrays = [...rules.weights.filter(({ sparse }) => !sparse).map(({ name }) => ({ name, input: false })), ...rules.inputs.map((name) => ({ name, input: true }))];
  for (const array of arrays) {
    const dimensions = new Set<number>();
    let shifts = false;
    for (const more of new Set([0, Math.max(0, FAR - lengths[l]!)])) {
      const [one, other] = [shapeOf(rules, array, withMore(lengths, l, more)), shapeOf(rules, array, withMore(lengths, l, more + 1))];
      for (const q of grows(one, other).flat()) dimensions.add(q);
      shifts ||= one.origin.some((o, q) => o !== other.origin[q]);
    }
    if (dimensions.size > 0) ret.set(array.name, { at: Math.min(...dimensions), whole: shifts || dimensions.size > 1 });
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

/** How many new positions the caller gives of an array that grows in one dimension; null: an array without
 * cells does not tell. */
function told({ name, extent }: HeldArray, { at }: Axis, value: unknown): number | null {
  if (extent.some((e, q) => q !== at && e === 0)) return null;
  const depth = depthOf(value);
  if (depth === extent.length - 1) return 1;
  if (depth === extent.length) return lengthOf(levelled(value, at))!;
  throw new TrapezeError(`${name}: give an array of ${extent.length - 1} dimensions, what stands at the new position, or of ${extent.length} for several positions; not of ${depth}`);
}

/** By how much length number l grows with what the caller gives: by the least that all of it fits. */
export function newPositions(rules: Rules, arrays: Arrays, axes: Map<string, Axis>, lengths: readonly number[], l: number, given: Record<string, unknown>): number {
  const names = [...axes.keys()].filter((name) => given[name] !== undefined);
  const wholes = names.filter((name) => axes.get(name)!.whole);
  const counts = new Set(names.filter((name) => !axes.get(name)!.whole).map((name) => told(arrays.get(name)!, axes.get(name)!, given[name])));
  counts.delete(null);
  if (counts.size > 1) throw new TrapezeError(`arrays of ${[...counts].sort((a, b) => a! - b!).join(" and ")} new positions`);
  const one = [...counts][0] ?? null;
  if (one === 0) throw new TrapezeError("there is no new position");
  const sizes = wholes.map((name) => sizeOf(arrays.get(name)!, axes.get(name)!, given[name]));
  const most = one ?? (wholes.length === 0 ? 1 : Math.max(...sizes.map(({ size }) => size)) + FAR);
  const wrong = (after: readonly number[]) =>
    wholes.filter((name, w) => {
      const { extent } = shapeOf(rules, arrays.get(name)!, after);
      return (sizes[w]!.flat ? product(extent) : extent[axes.get(name)!.at]) !== sizes[w]!.size;
    });
  for (let count = one ?? 1; count <= most; count++) if (wrong(withMore(lengths, l, count)).length === 0) return count;
  const after = withMore(lengths, l, one ?? 1);
  const shapes = wrong(after).map((name) => `${name} is of ${shapeOf(rules, arrays.get(name)!, after).extent.join(" x ")} for ${rules.lengths[l]} = ${after[l]}`);
  throw new TrapezeError(`${shapes.join(", ")}: what grows in several indices is given as a whole`);
}

/** How many numbers a whole array has, row by row, or how many positions its first dimension that grows. */
function sizeOf({ extent }: HeldArray, { at }: Axis, value: unknown): { flat: boolean; size: number } {
  if (ArrayBuffer.isView(value) && extent.length > 1) return { flat: true, size: (value as Float64Array).length };
  return { flat: false, size: lengthOf(levelled(value, at)) ?? 0 };
}

/** The first member of the first member of ... */
function levelled(value: unknown, depth: number): unknown {
  for (let d = 0; d < depth; d++) value = (value as ArrayLike<unknown> | undefined)?.[0];
  return value;
}

/** Copies the cells that both have; keep: and that are asked for, of those that differ. */
function copyCells(to: HeldArray, from: HeldArray, keep?: (index: number[]) => boolean): void {
  const rank = to.extent.length;
  const [end, fromEnd] = [endOf(to), endOf(from)];
  const first = to.origin.map((o, q) => Math.max(o, from.origin[q]!));
  const last = end.map((e, q) => Math.min(e, fromEnd[q]!));
  if (last.some((e, q) => e <= first[q]!)) return;
  const at = [...first];
  const place = ({ origin, extent }: HeldArray) => at.reduce((sum, i, q) => sum * extent[q]! + i - origin[q]!, 0);
  const row = rank === 0 ? 1 : last[rank - 1]! - first[rank - 1]!;
  for (;;) {
    const [target, source] = [place(to), place(from)];
    if (keep === undefined) to.data.set(from.data.subarray(source, source + row), target);
    else
      for (let i = 0; i < row; i++) {
        const same = Object.is(to.data[target + i], from.data[source + i]);
        if (!same && keep([...at.slice(0, -1), at[rank - 1]! + i])) to.data[target + i] = from.data[source + i]!;
      }
    let q = rank - 1;
    while (q-- > 0) {
      if (++at[q]! < last[q]!) break;
      at[q] = first[q]!;
    }
    if (q < 0) return;
  }
}

/** Without cells that anything may be read from before they are given: those are refused. */
function empty({ name, input }: Declared, origin: readonly number[], end: readonly number[]): HeldArray {
  const extent = end.map((e, q) => Math.max(0, e - origin[q]!));
  const size = product(extent);
  return { name, input, origin, extent, data: input ? new Int32Array(size).fill(-1) : new Float64Array(size).fill(NaN) };
}

function part(of: HeldArray, origin: readonly number[], end: readonly number[]): HeldArray {
  const ret = empty(of, origin, end);
  copyCells(ret, of);
  return ret;
}

/** The cells for lengths that are longer: those that there were, and the new ones of what the caller gives. */
export function longer(rules: Rules, held: HeldArray, axis: Axis, before: readonly number[], after: readonly number[], count: number, value: unknown): HeldArray {
  const { name, input } = held;
  const [had, box] = [shapeOf(rules, held, before), shapeOf(rules, held, after)];
  const [low, high] = grows(had, box);
  const [hadEnd, boxEnd, heldEnd] = [endOf(had), endOf(box), endOf(held)];
  const first = held.origin.map((o, q) => (low.includes(q) ? Math.max(o, had.origin[q]!) : o));
  const old = part(held, first, heldEnd.map((e, q) => (high.includes(q) ? Math.min(e, hadEnd[q]!) : e)));
  // The same cells, whether the new index has a dimension or not.
  const one = !axis.whole && depthOf(value) === box.extent.length - 1;
  const extent = box.extent.map((e, q) => (!axis.whole && q === axis.at ? count : e));
  const data = read(rules, name, input, value, one ? extent.filter((_, q) => q !== axis.at) : extent, after);
  const given = { name, input, data, extent, origin: box.origin.map((o, q) => (!axis.whole && q === axis.at ? boxEnd[q]! - count : o)) };
  const ret = empty(held, first.map((o, q) => Math.min(o, box.origin[q]!)), heldEnd.map((e, q) => (high.includes(q) ? boxEnd[q]! : Math.max(e, boxEnd[q]!))));
  if (!axis.whole) {
    copyCells(ret, given);
    copyCells(ret, old);
    return ret;
  }
  copyCells(ret, old);
  copyCells(ret, given);
  copyCells(ret, old, (index) => (input ? rules.inputDeclared(name, before, index) : rules.declared(name, before, index)));
  return ret;
}

/** The array that lengths ask for, of what is held; the same if that is as long. */
export function exact(rules: Rules, held: HeldArray, lengths: readonly number[]): HeldArray {
  const box = shapeOf(rules, held, lengths);
  const [end, heldEnd] = [endOf(box), endOf(held)];
  if (box.extent.every((e, q) => e === held.extent[q] && box.origin[q] === held.origin[q])) return held;
  const short = box.extent.some((e, q) => e > 0 && (box.origin[q]! < held.origin[q]! || end[q]! > heldEnd[q]!));
  if (short) throw new TrapezeError(`${held.name} was not given for ${rules.lengths.map((name, l) => `${name} = ${lengths[l]}`).join(", ")}`);
  return part(held, box.origin, end);
}
