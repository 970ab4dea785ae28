// All items of one problem with their values, and the products that they are sums of: what the plain
// interpreter computes, stage by stage; or a session's. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { MAX_RANK, STATUS, TERM } from "./layout.js";
import type { Address } from "./memory.js";
import { planFor, withChart } from "./run.js";
import type { Bound, Problem } from "./problem.js";
import type { Rules } from "./rules.js";
import type { Semiring } from "./semiring.js";

export interface ChartTerm {
  name: string;
  index: number[];
  /** Its inside value, or a weight's score; undefined: the problem has none. */
  value: number;
}

/** A rule applied to certain items. */
export interface Instance {
  rule: string;
  conclusion: Cell;
  premises: Cell[];
  weights: ChartTerm[];
}

/** An item of the chart. */
export interface Cell {
  item: string;
  index: number[];
  /** Which step of the inside pass computes it, from 0; outside goes the other way. */
  step: number;
  inside: number;
  outside: number;
  /** The rules that conclude it, applied in all ways. */
  instances: Instance[];
  /** And those of which it is a premise. */
  uses: Instance[];
}

/** Cells that are computed together. */
export interface Step {
  /** Which group of items that need each other, and the values of its stages. */
  group: number;
  stage: number[];
  cells: Cell[];
}

const MOST_CELLS = 5_000;

const keyOf = (item: string, index: readonly number[]) => `${item}[${index.join(",")}]`;

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

export class Chart {
  readonly rules: Rules;
  readonly lengths: readonly number[];
  readonly steps: Step[] = [];
  readonly goal: Cell | null;
  readonly #cells = new Map<string, Cell>();

  /** chart: one of the library's, after inside and outside of this problem. */
  constructor(rules: Rules, chart: Address, bound: Bound, problem: Problem) {
    this.rules = rules;
    this.lengths = bound.lengths;
    this.#makeCells(chart, bound);
    for (const step of this.steps) for (const cell of step.cells) this.#findInstances(bound, problem, cell);
    this.goal = this.#findGoal();
  }

  /** By plus and times alone, as the passes are defined. */
  static of(rules: Rules, semiring: string | Semiring, problem: Problem, force: boolean): Chart {
    const plan = planFor(rules, semiring, { force, plain: true });
    return withChart(rules, plan, problem, true, (bound) => new Chart(rules, plan.chart, bound, problem));
  }

  /** The item at these indices, if there is one. */
  cell(item: string, index: readonly number[]): Cell | undefined {
    return this.#cells.get(keyOf(item, index));
  }

  get cells(): Iterable<Cell> {
    return this.#cells.values();
  }

  #findGoal(): Cell | null {
    const { memory } = this.rules;
    using scope = memory.scope();
    const at = scope.bytes(8 + 4 * MAX_RANK);
    const status = memory.call.tz_rules_goal!(this.rules.address, scope.i32(this.lengths), at, at + 4, at + 8);
    if (status !== STATUS.ok) return null;
    const index = memory.words(at + 8, memory.word(at + 4));
    return this.cell(this.rules.items[memory.word(at)]!.name, index) ?? null;
  }

  /** Cells by stage. */
  #makeCells(chart: Address, bound: Bound): void {
    const { rules } = this;
    const { memory } = rules;
    using scope = memory.scope();
    const lengths = scope.i32(bound.lengths);
    const at = scope.bytes(4 * MAX_RANK);
    const ret = scope.bytes(8 * (MAX_RANK + 2));
    const found: { when: number[]; cell: Cell }[] = [];
    for (const [i, { name, rank }] of rules.items.entries()) {
      const { origin, extent } = rules.itemShape(name, bound.lengths);
      const size = extent.reduce((a, b) => a * b, 1);
      for (let position = 0; position < size; position++) {
        const index: number[] = new Array(rank).fill(0);
        for (let q = rank, rest = position; q-- > 0; rest = Math.floor(rest / extent[q]!))
          index[q] = origin[q]! + (rest % extent[q]!);
        memory.i32.set(index, at >> 2);
        const words = memory.call.tz_web_stage!(rules.address, lengths, i, at, ret);
        if (words === 0) continue;
        const when = memory.words(ret, words);
        const value = (outside: number) => {
          memory.call.tz_item_value!(chart, 0, i, at, outside, ret);
          return memory.double(ret);
        };
        const cell = { item: name, index, step: 0, inside: value(0), outside: value(1), instances: [], uses: [] };
        found.push({ when, cell });
        this.#cells.set(keyOf(name, index), cell);
        if (found.length > MOST_CELLS) throw new TrapezeError(`a chart of more than ${MOST_CELLS} items is too large to look at`);
      }
    }
    found.sort((a, b) => compare(a.when, b.when));
    for (const { when, cell } of found) {
      const group = when[0]!;
      const stage = when.slice(1, -1);
      const last = this.steps.at(-1);
      if (last === undefined || last.group !== group || compare(last.stage, stage) !== 0)
        this.steps.push({ group, stage, cells: [] });
      cell.step = this.steps.length - 1;
      this.steps.at(-1)!.cells.push(cell);
    }
  }

  #findInstances(bound: Bound, problem: Problem, cell: Cell): void {
    const { rules } = this;
    const { memory } = rules;
    using scope = memory.scope();
    const item = rules.number("items", cell.item);
    const index = scope.i32([...cell.index, 0]);
    const size = scope.bytes(8);
    const call = (to: number, room: number) => {
      const status = memory.call.tz_web_instances!(rules.address, bound.address, item, index, to, room, size);
      if (status === STATUS.law)
        throw new TrapezeError(`a rule for ${cell.item} has side conditions: its products are not listed`);
      if (status !== STATUS.ok) throw new TrapezeError(`${keyOf(cell.item, cell.index)} has too many products to list`);
      return memory.word(size);
    };
    const room = call(0, 0);
    const to = scope.bytes(4 * room);
    call(to, room);
    const words = memory.words(to, room);
    for (let w = 0; w < words.length;) {
      const [rule, premises, weights] = words.slice(w, w + 3) as [number, number, number];
      const term = (t: number) => words.slice(w + 3 + TERM * t, w + 3 + TERM * (t + 1));
      const instance: Instance = { rule: rules.rules[rule]!, conclusion: cell, premises: [], weights: [] };
      for (let t = 0; t < premises; t++) {
        const [which, ...at] = term(t);
        const { name, rank } = rules.items[which!]!;
        instance.premises.push(this.cell(name, at.slice(0, rank))!);
      }
      for (let t = premises; t < premises + weights; t++) {
        const [which, ...at] = term(t);
        const { name, rank } = rules.weights[which!]!;
        instance.weights.push(this.#weight(bound, problem, which!, name, at.slice(0, rank)));
      }
      cell.instances.push(instance);
      for (const premise of new Set(instance.premises)) premise.uses.push(instance);
      w += 3 + TERM * (premises + weights);
    }
  }

  /** With its score, as the problem gives it. */
  #weight(bound: Bound, problem: Problem, which: number, name: string, index: number[]): ChartTerm {
    const { sparse, origin, extent } = bound.shapes[which]!;
    const given = problem[name];
    if (sparse) {
      const entry = (given as number[][]).find((one) => index.every((i, q) => one[q] === i));
      return { name, index, value: entry?.at(-1) ?? -Infinity };
    }
    if (ArrayBuffer.isView(given) && extent.length > 1) {
      const at = index.reduce((sum, i, q) => sum * extent[q]! + i - origin[q]!, 0);
      return { name, index, value: (given as Float64Array)[at]! };
    }
    const value = index.reduce<unknown>((list, i, q) => (list as ArrayLike<unknown>)[i - origin[q]!], given);
    return { name, index, value: (value as number | null) ?? -Infinity };
  }
}
