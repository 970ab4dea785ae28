// Trapeze in JavaScript: weighted deduction. SPDX-License-Identifier: MIT
import { bytesOf, type File, fuses, instantiate, type Progress, type Source } from "./load.js";
import { Automaton, type AutomatonOptions } from "./automaton.js";
import { Grammar, type GrammarOptions } from "./grammar.js";
import type { Memory } from "./memory.js";
import { Model } from "./model.js";
import { Rules } from "./rules.js";
import { Semiring } from "./semiring.js";

export { TrapezeError, RulesError, UnknownWord, type Place } from "./errors.js";
export { fuses, type File, type Progress, type Source } from "./load.js";
export { Model, type Compressed, type CompressOptions, type Length, type Parsed, type Sentence } from "./model.js";
export type { Precision } from "./plan.js";
export type { Problem, Nested } from "./problem.js";
export { Rules, type Check, type Count, type Item, type Shape, type ShowFormat, type Warning, type Weight } from "./rules.js";
export { draw, type Cells, type Derivation, type PathStep, type Proof, type Result, type RunOptions, type Use } from "./run.js";
export type { BatchOptions, BatchResult } from "./batch.js";
export { Chart, type Cell, type ChartTerm, type Instance, type Step } from "./chart.js";
export { Automaton, type ArcWeights, type AutomatonArc, type AutomatonOptions, type AutomatonPath, type LabelString, type LabelStrings } from "./automaton.js";
export { Grammar, type GrammarOptions, type GrammarRule, type Notation, type RuleWeights, type Sentence as GrammarSentence, type Sentences } from "./grammar.js";
export { GrammarSession } from "./grammar-session.js";
export { Tree } from "./tree.js";
export { Session, type GrowOptions } from "./grow.js";
export { Semiring } from "./semiring.js";
export { Table } from "./table.js";

export class Trapeze {
  readonly #memory: Memory;
  readonly #rules = new Map<string, Rules>();
  /** Rules of the gallery that grammars and automata ask by. */
  readonly #kept = (name: string): Rules => {
    const rules = this.#rules.get(name) ?? this.builtin(name);
    this.#rules.set(name, rules);
    return rules;
  };
  readonly version: string;
  /** The names of the rule sets that are built in. */
  readonly names: string[];
  /** And of those of the gallery, rule sets from the literature. */
  readonly gallery: string[];
  /** What a semiring can be, with the parameters that it needs: "kbest(K)". */
  readonly semirings: string[];

  constructor(memory: Memory) {
    const { call } = memory;
    this.#memory = memory;
    this.version = memory.textAt(call.tz_version!());
    this.names = memory.names((i) => {
      const rules = call.tz_rules_builtin!(i);
      return rules === 0 ? 0 : call.tz_rules_name!(rules);
    });
    this.gallery = memory.names((i) => call.tz_gallery_name!(i));
    this.semirings = memory.names((i) => call.tz_semiring_form!(i));
  }

  /** Reads a rule file. name: what stands in front of messages. Throws a RulesError that says where
   * the file is wrong. */
  rules(text: string, name = "rules"): Rules {
    const memory = this.#memory;
    using scope = memory.scope();
    const given = scope.text(text);
    const ret = scope.bytes(8);
    memory.try((error) => memory.call.tz_rules_parse!(scope.text(name).at, given.at, given.size, ret, error));
    return new Rules(memory, memory.word(ret), true);
  }

  /** A rule set that is built in, or of the gallery. */
  builtin(name: string): Rules {
    const memory = this.#memory;
    using scope = memory.scope();
    if (this.gallery.includes(name)) {
      const ret = scope.bytes(8);
      memory.try((error) => memory.call.tz_gallery_read!(scope.text(name).at, ret, error));
      return new Rules(memory, memory.word(ret), true);
    }
    const address = memory.call.tz_rules_find!(scope.text(name).at);
    if (address === 0) throw new RangeError(`no rule set is called '${name}'; there are ${this.names.join(", ")}`);
    return new Rules(this.#memory, address, false);
  }

  /** Reads a semiring, in the notation of docs/semirings.md, and tries its laws. name: what stands in
   * front of messages. */
  semiring({ text, name = "semiring" }: { text: string; name?: string }): Semiring {
    return new Semiring(this.#memory, text, name);
  }

  /** Reads a weighted context-free grammar: NLTK's notation of CFG and PCFG, counts of a treebank, or GBNF
   * (docs/grammars.md). Throws a RulesError that says where the text is wrong. */
  grammar(text: string, options: GrammarOptions = {}): Grammar {
    return new Grammar(this.#memory, this.#kept, text, options);
  }

  /** Reads a weighted acceptor, or a transducer, in AT&T's text, which is that of OpenFst
   * (docs/automata.md). Throws a RulesError that says where the text is wrong. */
  automaton(text: string, options: AutomatonOptions): Automaton {
    return Automaton.parse(this.#memory, this.#kept, text, options);
  }

  /** Reads a model: that of English, english.model beside this file, or another one. */
  async model(source?: File, progress: Progress = () => {}): Promise<Model> {
    const anyText = source !== undefined; // of other models it is not known what they are for
    source ??= new URL("./english.model", import.meta.url);
    const name = typeof source === "string" ? source : source instanceof URL ? source.pathname.replace(/^.*\//, "") : "the model";
    return new Model(this.#memory, await bytesOf(source, progress), name, anyText);
  }
}

/** Loads the library: what is beside this file, or another source. trapeze-fused.wasm gives the same
 * answers sooner, where fuses() says that the machine can run it. */
export async function load(
  source: Source = fuses() ? new URL("./trapeze-fused.wasm", import.meta.url) : new URL("./trapeze.wasm", import.meta.url),
): Promise<Trapeze> {
  return new Trapeze(await instantiate(source));
}
