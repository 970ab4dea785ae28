// Rules x semiring, and the chart that its problems are bound to. SPDX-License-Identifier: MIT
import { TrapezeError } from "./errors.js";
import { STATUS } from "./layout.js";
import type { Address, Memory } from "./memory.js";
import type { Rules } from "./rules.js";
import { makeSemiring, type Semiring } from "./semiring.js";

export type Precision = "f64" | "f32";

export class Plan {
  readonly memory: Memory;
  readonly address: Address;
  readonly semiring: Address;
  /** tz_gives */
  readonly gives: number;
  /** How many numbers an element stands for at most. */
  readonly numbers: number;
  /** What they are called; none of a list. */
  readonly numberNames: string[];
  /** What can be asked (LAW). */
  readonly laws: number;
  /** As it was given. */
  readonly name: string;
  /** Is it one by its text? */
  readonly written: boolean;
  readonly #more = new Set<Address>();
  #chart: Address = 0;
  #charts: Address = 0;

  constructor(rules: Rules, semiring: string | Semiring, precision: Precision, flags: number) {
    const { memory } = rules;
    const { call } = memory;
    this.memory = memory;
    this.written = typeof semiring !== "string";
    this.name = typeof semiring === "string" ? semiring : semiring.name;
    this.semiring = makeSemiring(memory, semiring, precision);
    using scope = memory.scope();
    const ret = scope.bytes(8);
    try {
      memory.try((error) => call.tz_plan_new!(rules.address, this.semiring, flags, ret, error));
    } catch (error) {
      call.tz_semiring_free!(this.semiring);
      throw error;
    }
    this.address = memory.word(ret);
    this.gives = call.tz_web_gives!(this.semiring);
    this.laws = call.tz_web_laws!(this.semiring);
    this.numbers = call.tz_semiring_numbers!(this.semiring);
    this.numberNames = memory.names((i) => call.tz_web_number_name!(this.semiring, i));
  }

  #make(call: "tz_chart_new" | "tz_charts_new"): Address {
    using scope = this.memory.scope();
    const ret = scope.bytes(8);
    if (this.memory.call[call]!(this.address, ret) !== STATUS.ok)
      throw new TrapezeError("there is no memory for a chart");
    return this.memory.word(ret);
  }
  /** Made when it is first needed, and used again and again. */
  get chart(): Address {
    return (this.#chart ||= this.#make("tz_chart_new"));
  }
  /** Those of a batch, likewise. */
  get charts(): Address {
    return (this.#charts ||= this.#make("tz_charts_new"));
  }

  /** Another one, which is freed with the plan, if not before. */
  newChart(): Address {
    const chart = this.#make("tz_chart_new");
    this.#more.add(chart);
    return chart;
  }
  freeChart(chart: Address): void {
    if (this.#more.delete(chart)) this.memory.call.tz_chart_free!(chart);
  }

  free(): void {
    for (const chart of [...this.#more]) this.freeChart(chart);
    this.memory.call.tz_chart_free!(this.#chart);
    this.memory.call.tz_charts_free!(this.#charts);
    this.memory.call.tz_plan_free!(this.address);
    this.memory.call.tz_semiring_free!(this.semiring);
  }
}
