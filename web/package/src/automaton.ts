// Weighted automata as text: sums, best strings, samples, composition. SPDX-License-Identifier: MIT
import { TrapezeError, UnknownWord } from "./errors.js";
import type { Gallery } from "./grammar.js";
import { AUTOMATON, AUTOMATON_ARC, AUTOMATON_FORM, DERIVATION, NAMED_TEXT, OUTPUT, PROBLEM, STATUS } from "./layout.js";
import type { Address, Memory, Scope } from "./memory.js";
import { quoted } from "./near.js";
import { bindStanding } from "./problem.js";
import { bestOf, compute, first, kbestOf, refuse, samplesOf, seedOfLine, valueOf } from "./run.js";

const WEIGHTS = ["costs", "logs", "probabilities"] as const;
export type ArcWeights = (typeof WEIGHTS)[number];

/** Of paths among which distinct strings are looked for. */
const MOST_ARCS = 1_000_000;
/** Vertices that need one another, of sums. */
const LARGEST = 5000;

export interface AutomatonOptions {
  /** What the numbers are; costs are negative logs. */
  weights: ArcWeights;
  /** Arcs have two labels. */
  transducer?: boolean;
  /** Symbol tables, as text; without one, labels are names as they stand, and `0` and `<eps>` are nothing. */
  inputs?: string;
  outputs?: string;
  /** What stands in front of messages. */
  name?: string;
}

/** A label is null where the arc reads or writes nothing. */
export interface AutomatonArc {
  source: string;
  target: string;
  input: string | null;
  output: string | null;
  score: number;
}

/** A path from the start to a final state: its log weight, what it reads and writes, and its arcs, as
 * numbers of `arcs`. */
export interface AutomatonPath {
  score: number;
  input: string[];
  output: string[];
  arcs: number[];
}

/** A text whose labels stand between blanks, or a list of labels. */
export type LabelString = string | readonly string[];
/** Several, each a list of labels. */
export type LabelStrings = readonly (readonly string[])[];

const isSeveral = (given: LabelString | LabelStrings): given is LabelStrings => Array.isArray(given) && Array.isArray(given[0]);

/** A weighted acceptor or transducer. Made by trapeze.automaton(). Scores that are given back are log
 * weights. */
export class Automaton implements Disposable {
  readonly memory: Memory;
  readonly transducer: boolean;
  /** How many states need one another at most: the sum over paths takes time with its cube. */
  readonly largestComponent: number;
  readonly #gallery: Gallery;
  readonly #weights: ArcWeights;
  #address: Address;
  /** tz_automaton_parts */
  readonly #parts: Address;
  readonly #known = new Map<string, unknown>();

  /** address: a tz_automaton, which it frees. */
  constructor(memory: Memory, gallery: Gallery, address: Address, weights: ArcWeights) {
    this.memory = memory;
    this.#gallery = gallery;
    this.#address = address;
    this.#weights = weights;
    this.#parts = memory.call.tz_automaton_parts_of!(address);
    this.transducer = memory.u8[this.#parts + AUTOMATON.transducer] !== 0;
    this.largestComponent = this.#part("largest");
  }

  static parse(memory: Memory, gallery: Gallery, text: string, options: AutomatonOptions): Automaton {
    const { weights, name = "automaton" } = options;
    if (!WEIGHTS.includes(weights)) throw new TrapezeError(`weights, which say what the numbers are, is one of ${WEIGHTS.join(", ")}`);
    using scope = memory.scope();
    const named = (title: string, content: string): Address => {
      const at = scope.bytes(NAMED_TEXT.size);
      const given = scope.text(content);
      memory.setWord(at + NAMED_TEXT.name, scope.text(title).at);
      memory.setWord(at + NAMED_TEXT.text, given.at);
      memory.setWord(at + NAMED_TEXT.length, given.size);
      return at;
    };
    const form = scope.bytes(AUTOMATON_FORM.size);
    memory.setWord(form + AUTOMATON_FORM.weights, WEIGHTS.indexOf(weights));
    memory.u8[form + AUTOMATON_FORM.transducer] = Number(options.transducer ?? false);
    if (options.inputs !== undefined) memory.setWord(form + AUTOMATON_FORM.inputs, named("inputs", options.inputs));
    if (options.outputs !== undefined) memory.setWord(form + AUTOMATON_FORM.outputs, named("outputs", options.outputs));
    const ret = scope.bytes(8);
    const content = named(name, text);
    memory.try((error) => memory.call.tz_automaton_parse!(content, form, ret, error));
    return new Automaton(memory, gallery, memory.word(ret), weights);
  }

  // ---- What it is --------------------------------------------------------------------------------

  /** Names of the states, in the order in which the text names them. */
  get states(): readonly string[] {
    return this.#names("state", "states");
  }
  /** Labels that are read. */
  get inputs(): readonly string[] {
    return this.#names("input", "inputs");
  }
  /** Labels that are written; of an acceptor, those that are read. */
  get outputs(): readonly string[] {
    return this.#names("output", "outputs");
  }
  get start(): string {
    return this.states[this.#part("start")]!;
  }
  /** The log weights of final states. */
  get finals(): Map<string, number> {
    const end = this.#doubles("end", this.states.length);
    return new Map(this.states.flatMap((name, s) => (end[s]! > -Infinity ? [[name, end[s]!] as const] : [])));
  }

  /** The arcs, in the text's order. */
  get arcs(): AutomatonArc[] {
    const { states, inputs, outputs } = this;
    return this.#arcs.map(({ from, to, input, output, score }) => ({
      source: states[from]!,
      target: states[to]!,
      input: inputs[input] ?? null,
      output: outputs[output] ?? null,
      score,
    }));
  }
  /** The log weights of the arcs. */
  get scores(): Float64Array {
    return Float64Array.from(this.#arcs, ({ score }) => score);
  }

  /** The automaton as text. */
  show(): string {
    const { memory } = this;
    return memory.written((text, size) => memory.call.tz_automaton_show!(this.#at, text, size));
  }

  // ---- Questions ---------------------------------------------------------------------------------

  /** The log of the sum over all paths; -Infinity where there is none. */
  total(): number {
    return this.#ask("log", false, (_, value) => value);
  }

  /** The best path, or null. */
  best(): AutomatonPath | null {
    return this.#ask("max", false, (chart) => bestOf(this.memory, chart, (derivation) => this.#path(derivation)));
  }

  /** The k best paths, best first; fewer if there are fewer. distinct: of paths that read and write the
   * same, the best alone. Throws where the paths looked at have a million arcs and not k such. */
  kbest(k: number, options: { distinct?: boolean } = {}): AutomatonPath[] {
    return this.#ask("max", false, (chart) => {
      const list = kbestOf(this.memory, chart, false, (derivation) => this.#path(derivation));
      if (!options.distinct) return first(k, list);
      const found = new Map<string, AutomatonPath>();
      let paths = 0;
      let arcs = 0;
      let limit = k; // of paths, which is doubled as long as there are few arcs
      if (k > 0)
        for (const path of list) {
          const key = JSON.stringify([path.input, path.output]);
          if (!found.has(key)) found.set(key, path);
          paths++;
          arcs += path.arcs.length;
          if (found.size >= k) break;
          if (paths < limit) continue;
          if (arcs > MOST_ARCS)
            throw new TrapezeError(`the ${paths} best paths have ${found.size} strings: ask for as many, or make the automaton less ambiguous`);
          limit *= 2;
        }
      return [...found.values()];
    });
  }

  /** Paths at random, each as likely as its weight. */
  sample(number = 1, seed: number | bigint = 1): AutomatonPath[] {
    return this.#ask("log", false, (chart) => first(number, samplesOf(this.memory, chart, seedOfLine(seed, 0), (derivation) => this.#path(derivation))));
  }

  /** How often each arc is followed, as expected over all paths, or over those that read a string, or
   * several in all. A string that has no path adds nothing. */
  expectedCounts(string?: LabelString | LabelStrings): Float64Array {
    const counts = new Float64Array(this.#part("arcs"));
    if (string === undefined) this.#count((arc, uses) => (counts[arc]! += uses));
    else
      for (const one of isSeveral(string) ? string : [string]) {
        using reading = this.reading(one);
        const arcs = reading.#arcs;
        reading.#count((arc, uses) => {
          const own = arcs[arc]!.origin;
          if (own >= 0) counts[own]! += uses;
        });
      }
    return counts;
  }

  /** The log of the sum over all paths that read a string; -Infinity where there is none. */
  logProb(string: LabelString): number;
  logProb(string: LabelStrings): Float64Array;
  logProb(string: LabelString | LabelStrings): number | Float64Array {
    if (isSeveral(string)) return Float64Array.from(string, (one) => this.logProb(one));
    using reading = this.reading(string);
    return reading.total();
  }

  /** The automaton of the paths that read a string. Throws an UnknownWord for a label that the automaton
   * lacks. */
  reading(string: LabelString): Automaton {
    const { memory } = this;
    const labels = typeof string === "string" ? string.split(/\s+/u).filter((label) => label !== "") : string;
    const known = new Set(this.inputs);
    labels.forEach((label, at) => {
      if (!known.has(label)) throw new UnknownWord(`label ${at + 1}: ${quoted(label)} is read by no arc of the automaton`, label);
    });
    using scope = memory.scope();
    const list = scope.i32(labels.map((label) => scope.text(label).at));
    const ret = scope.bytes(8);
    const status = memory.call.tz_automaton_of_string!(list, labels.length, WEIGHTS.indexOf(this.#weights), ret);
    if (status !== STATUS.ok) refuse(memory, status, "the string");
    using line = new Automaton(memory, this.#gallery, memory.word(ret), this.#weights);
    return line.compose(this);
  }

  /** The automaton whose paths are pairs: of this one, and of one of the other that reads what it
   * writes. */
  compose(other: Automaton): Automaton {
    const { memory } = this;
    using scope = memory.scope();
    const ret = scope.bytes(8);
    memory.try((error) => memory.call.tz_automaton_compose!(this.#at, other.#at, ret, error));
    return new Automaton(memory, this.#gallery, memory.word(ret), this.#weights);
  }

  // ---- How ---------------------------------------------------------------------------------------

  get #at(): Address {
    if (this.#address === 0) throw new TrapezeError("the automaton was freed");
    return this.#address;
  }

  #part(name: keyof typeof AUTOMATON): number {
    void this.#at;
    return this.memory.word(this.#parts + AUTOMATON[name]);
  }

  /** What is read from the library's memory once. */
  #once<T>(name: string, read: () => T): T {
    void this.#at;
    if (!this.#known.has(name)) this.#known.set(name, read());
    return this.#known.get(name) as T;
  }

  #names(of: "state" | "input" | "output", count: "states" | "inputs" | "outputs"): readonly string[] {
    return this.#once(of, () => this.memory.words(this.#part(of), this.#part(count)).map((at) => this.memory.textAt(at)));
  }

  #doubles(of: "begin" | "end", count: number): Float64Array {
    const at = this.#part(of) >> 3;
    return this.memory.f64.slice(at, at + count);
  }

  /** origin: of a composition, the arc of the second one; -1: none. */
  get #arcs(): { from: number; to: number; input: number; output: number; score: number; origin: number }[] {
    return this.#once("arcs", () =>
      Array.from({ length: this.#part("arcs") }, (_, a) => {
        const at = this.#part("arc") + a * AUTOMATON_ARC.size;
        const [from, to, input, output] = this.memory.words(at, 4) as [number, number, number, number];
        return { from, to, input, output, score: this.memory.double(at + AUTOMATON_ARC.score), origin: this.memory.word(at + AUTOMATON_ARC.origin + 4) };
      }),
    );
  }

  /** Computes by gallery/paths; then asks. */
  #ask<T>(semiring: "log" | "max", outside: boolean, ask: (chart: Address, value: number, scope: Scope) => T): T {
    const { memory } = this;
    if (semiring === "log" && this.largestComponent > LARGEST)
      throw new TrapezeError(`${this.largestComponent} states need one another; sums are for at most ${LARGEST}: leave out arcs that close their circles`);
    const rules = this.#gallery("gallery/paths");
    const plan = rules.plan(semiring, "f64", 0);
    const [vertices, pairs] = [this.#part("vertices"), this.#part("pairs")];
    const address = (name: keyof typeof AUTOMATON) => this.#part(name) || this.#parts; // of none, any will do
    using scope = memory.scope();
    const problem = scope.bytes(PROBLEM.size);
    const weights = [
      { data: address("begin"), extent: [vertices] },
      { data: address("pairScore"), index: address("pair"), extent: [pairs] },
      { data: address("end"), extent: [vertices] },
    ];
    bindStanding(memory, scope, [vertices], weights, [], problem);
    compute(rules, plan, problem, outside);
    const { value } = valueOf(plan, plan.chart);
    return ask(plan.chart, typeof value === "number" ? value : -Infinity, scope);
  }

  #path(derivation: Address): AutomatonPath {
    const { memory } = this;
    using scope = memory.scope();
    const arc = scope.bytes(4 * memory.word(derivation + DERIVATION.nodes));
    const count = scope.bytes(8);
    const status = memory.call.tz_automaton_path!(this.#at, derivation, arc, count);
    if (status !== STATUS.ok) refuse(memory, status, "path");
    const arcs = memory.words(arc, memory.word(count));
    const { inputs, outputs } = this;
    const labels = (of: "input" | "output", names: readonly string[]) => arcs.map((a) => this.#arcs[a]![of]).filter((label) => label >= 0).map((label) => names[label]!);
    return { score: memory.double(derivation + DERIVATION.score), input: labels("input", inputs), output: labels("output", outputs), arcs };
  }

  /** Tells how often each arc is used, where there is a path. */
  #count(add: (arc: number, uses: number) => void): void {
    const { memory } = this;
    const pairs = this.#part("pairs");
    if (pairs === 0) return;
    this.#ask("log", true, (chart, value, scope) => {
      if (value === -Infinity) return;
      const output = scope.bytes(OUTPUT.size);
      const data = scope.bytes(8 * pairs);
      memory.setWord(output + OUTPUT.data, data);
      memory.setWord(output + OUTPUT.stride, 1);
      const status = memory.call.tz_marginals!(chart, 0, 1, output);
      if (status !== STATUS.ok) refuse(memory, status, "expectedCounts");
      memory.words(this.#part("pairArc"), pairs).forEach((arc, e) => {
        if (arc >= 0) add(arc, memory.f64[(data >> 3) + e]!);
      });
    });
  }

  /** Gives the memory back; the automaton must not be used any more. */
  free(): void {
    this.memory.call.tz_automaton_free!(this.#address);
    this.#address = 0;
  }
  [Symbol.dispose](): void {
    this.free();
  }
}
