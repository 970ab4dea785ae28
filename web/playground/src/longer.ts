// A problem by a word more, and the session whose chart goes on to it. SPDX-License-Identifier: MIT
import type { Cell, Chart, Nested, Problem, Rules, Session, Shape } from "trapeze";
import { problemText, randomProblem } from "./problem.js";

const lengthsOf = (rules: Rules, problem: Problem) => rules.lengths.map((name) => problem[name] as number);

/** The arrays of a problem, and their shapes for some lengths; sparse weights have none. */
function arrays(rules: Rules, lengths: readonly number[]): [name: string, shape: Shape][] {
  const weights = rules.weights.filter(({ sparse }) => !sparse).map(({ name }): [string, Shape] => [name, rules.shape(name, lengths)]);
  return [...weights, ...rules.inputs.map((name): [string, Shape] => [name, rules.inputShape(name, lengths)])];
}

/** A cell for each index, by what is asked of its index values. */
function table({ origin, extent }: Shape, at: (index: number[]) => unknown, index: number[] = []): unknown {
  const q = index.length;
  if (q === extent.length) return at(index);
  return Array.from({ length: extent[q]! }, (_, i) => table({ sparse: false, origin, extent }, at, [...index, origin[q]! + i]));
}

/** What stands at some index values; undefined: nothing does. */
function lookUp(array: unknown, { origin, extent }: Shape, index: readonly number[]): unknown {
  return index.reduce<unknown>((rows, i, q) => {
    const position = i - origin[q]!;
    return position >= 0 && position < extent[q]! ? (rows as ArrayLike<unknown> | undefined)?.[position] : undefined;
  }, array);
}

/** The problem with one more of the first length: its scores stay, and those of new cells are random.
 * Entries of sparse weights stay. */
export function longer(rules: Rules, problem: Problem, seed: number): Problem {
  const old = lengthsOf(rules, problem);
  const lengths = old.map((n, l) => n + Number(l === 0));
  const shapes = new Map(arrays(rules, old));
  const ret: Problem = { ...problem, ...randomProblem(rules, lengths, seed + lengths[0]!) };
  for (const { name, sparse } of rules.weights) if (sparse) ret[name] = problem[name];
  for (const [name, shape] of arrays(rules, lengths)) {
    const fresh = ret[name];
    const cell = (index: number[]) => {
      const kept = lookUp(problem[name], shapes.get(name)!, index);
      return kept === undefined ? lookUp(fresh, shape, index) : kept;
    };
    ret[name] = table(shape, cell) as Nested;
  }
  return JSON.parse(JSON.stringify(ret)) as Problem; // null for -Infinity, as it is typed
}

/** The problem for a smaller first length. */
function cut(rules: Rules, problem: Problem, n: number): Problem {
  const own = lengthsOf(rules, problem);
  const lengths = own.map((length, l) => (l === 0 ? n : length));
  const ret: Problem = { ...problem, [rules.lengths[0]!]: n };
  const shapes = new Map(arrays(rules, own));
  for (const [name, shape] of arrays(rules, lengths)) ret[name] = table(shape, (index) => lookUp(problem[name], shapes.get(name)!, index)) as Nested;
  return ret;
}

/** What a session is given for the last word: of arrays with one index that grows, the row of that
 * index; of those with several, the whole. */
function lastWord(rules: Rules, problem: Problem): Record<string, Nested | number> {
  const lengths = lengthsOf(rules, problem);
  const before = new Map(arrays(rules, lengths.map((n, l) => n - Number(l === 0))));
  const ret: Record<string, Nested | number> = {};
  for (const [name, shape] of arrays(rules, lengths)) {
    const { origin, extent } = shape;
    const old = before.get(name)!;
    const grown = extent.flatMap((e, q) => (origin[q]! + e > old.origin[q]! + old.extent[q]! || origin[q]! < old.origin[q]! ? [q] : []));
    if (grown.length === 0) continue;
    const [q] = grown as [number];
    const one = grown.length === 1 && origin[q] === old.origin[q];
    const without = <T>(list: readonly T[]) => list.filter((_, d) => d !== q);
    const row = { sparse: false, origin: without(origin), extent: without(extent) };
    const at = origin[q]! + extent[q]! - 1;
    ret[name] = (one
      ? table(row, (index) => lookUp(problem[name], shape, [...index.slice(0, q), at, ...index.slice(q)]))
      : table(shape, (index) => lookUp(problem[name], shape, index))) as Nested;
  }
  return ret;
}

/** Follows a problem as it gets longer, word by word. */
export class Follower {
  #live: { rules: Rules; semiring: string; session: Session; text: string } | null = null;

  /** The chart of a problem, gone on to from that for a first length of `from`. */
  chart(rules: Rules, semiring: string, problem: Problem, from: number): Chart {
    const n = problem[rules.lengths[0]!] as number;
    const short = cut(rules, problem, from);
    const same = this.#live?.rules === rules && this.#live.semiring === semiring && this.#live.text === problemText(short);
    if (!same) {
      this.#live?.session.free();
      this.#live = { rules, semiring, session: rules.grow(semiring, short, { force: true }), text: "" };
      void this.#live.session.value; // computed here; what follows is new
    }
    const { session } = this.#live!;
    for (let now = from + 1; now <= n; now++) session.append(lastWord(rules, cut(rules, problem, now)));
    this.#live!.text = problemText(cut(rules, problem, n));
    return session.chart();
  }
}

/** Has an item of a grown chart to be computed? The others stay as they were for a first length of `from`. */
export function isNew(rules: Rules, lengths: readonly number[], from: number, cell: Cell): boolean {
  const old = lengths.map((n, l) => (l === 0 ? from : n));
  return from < 2 || !rules.stays(cell.item) || !rules.has(cell.item, old, cell.index);
}
