// Many problems side by side. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { ANSWERS, OUTPUT, PROBLEM, RUN_OPTIONS } from "./layout.js";
import type { Address, Memory, Scope } from "./memory.js";
import type { Precision } from "./plan.js";
import { bind, type Bound, type Problem } from "./problem.js";
import type { Rules } from "./rules.js";
import { planFor } from "./run.js";
import type { Semiring } from "./semiring.js";
import { Table } from "./table.js";

export interface BatchOptions {
  precision?: Precision;
  force?: boolean;
  marginals?: boolean;
  through?: boolean;
}

export interface BatchResult {
  /** Of each problem: the score, number or truth (0 or 1). */
  values: Float64Array;
  /** By weight, then problem; of a sparse weight, the number of each entry in their order. */
  marginals?: Record<string, (Table | Float64Array)[]>;
  through?: Record<string, (Table | Float64Array)[]>;
}

/** Memory for a number of each cell of each weight of each problem. */
class Outputs {
  readonly at: Address;
  readonly #data: Address[] = [];
  readonly #memory: Memory;

  constructor(memory: Memory, scope: Scope, bounds: readonly Bound[], weights: number) {
    this.#memory = memory;
    this.at = scope.bytes(OUTPUT.size * bounds.length * weights);
    for (const [p, bound] of bounds.entries())
      for (let w = 0; w < weights; w++) {
        const at = this.at + OUTPUT.size * (p * weights + w);
        const { extent, sparse } = bound.shapes[w]!;
        const data = scope.bytes(8 * bound.cells[w]!);
        this.#data.push(data);
        memory.setWord(at + OUTPUT.data, data);
        for (let q = extent.length, stride = 1; q-- > 0; stride *= extent[q]!)
          memory.setWord(at + OUTPUT.stride + 4 * q, sparse ? 1 : stride);
      }
  }

  read(rules: Rules, bounds: readonly Bound[]): Record<string, (Table | Float64Array)[]> {
    const weights = rules.weights.length;
    const of = (bound: Bound, p: number, w: number): Table | Float64Array => {
      const from = this.#data[p * weights + w]! >> 3;
      const data = this.#memory.f64.slice(from, from + bound.cells[w]!);
      const { extent, origin, sparse } = bound.shapes[w]!;
      return sparse ? data : new Table(data, extent, origin);
    };
    return Object.fromEntries(
      rules.weights.map(({ name }, w) => [name, bounds.map((bound, p) => of(bound, p, w))]),
    );
  }
}

export function runBatch(rules: Rules, semiring: string | Semiring, problems: readonly Problem[], options: BatchOptions): BatchResult {
  const { memory } = rules;
  const plan = planFor(rules, semiring, options);
  using scope = memory.scope();
  const list = scope.bytes(PROBLEM.size * problems.length);
  const bounds = problems.map((problem, p) => {
    try {
      return bind(rules, scope, problem, list + PROBLEM.size * p);
    } catch (error) {
      throw error instanceof TrapezeError ? new TrapezeError(`problem ${p}: ${error.message}`) : error;
    }
  });
  const answers = scope.bytes(ANSWERS.size);
  const values = scope.bytes(8 * problems.length);
  memory.setWord(answers + ANSWERS.value, values);
  const wanted = (name: "marginals" | "through") => {
    if (!options[name]) return undefined;
    const outputs = new Outputs(memory, scope, bounds, rules.weights.length);
    memory.setWord(answers + ANSWERS[name], outputs.at);
    return outputs;
  };
  const marginals = wanted("marginals");
  const through = wanted("through");
  const run = scope.bytes(RUN_OPTIONS.size);
  memory.u8[run + RUN_OPTIONS.outside] = marginals || through ? 1 : 0;
  memory.setWord(run + RUN_OPTIONS.charts, plan.charts);
  memory.try((error) => memory.call.tz_web_run!(plan.address, list, problems.length, run, answers, error));
  const ret: BatchResult = { values: memory.f64.slice(values >> 3, (values >> 3) + problems.length) };
  if (marginals) ret.marginals = marginals.read(rules, bounds);
  if (through) ret.through = through.read(rules, bounds);
  return ret;
}
