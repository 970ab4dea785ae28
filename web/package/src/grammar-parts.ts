// What a grammar of the library holds. SPDX-License-Identifier: MIT
import { GRAMMAR, GRAMMAR_LIST, GRAMMAR_RULE } from "./layout.js";
import type { Address, Memory } from "./memory.js";
import type { Standing } from "./problem.js";

/** The names of the lists, in the order of the rule sets' weights. */
export const LISTS = ["word", "nothing", "unary", "binary", "before", "after", "root"];

export interface GrammarParts {
  /** Of the symbols; and which were made: they are no nodes of trees. */
  names: string[];
  isMade: boolean[];
  words: string[];
  /** The log weights of the rules. */
  scores: Float64Array;
  /** Numbers of symbols; where the right side begins in `right`, and how long it is. */
  rules: { left: number; line: number; first: number; size: number }[];
  /** A symbol; or -1 - word. */
  right: number[];
  /** Entries of sparse weights, in the library's memory, and the rule that each stands for. */
  lists: { standing: Standing; rule: number[] }[];
  root: number;
  height: number;
}

/** grammar: a tz_grammar. */
export function readParts(memory: Memory, grammar: Address): GrammarParts {
  const at = memory.call.tz_grammar_parts_of!(grammar);
  const part = (member: number) => memory.word(at + member);
  const texts = (member: number, count: number) => memory.words(part(member), count).map((text) => memory.textAt(text));
  const symbols = part(GRAMMAR.symbols);
  const count = part(GRAMMAR.rules);
  const rule = (r: number) => part(GRAMMAR.rule) + r * GRAMMAR_RULE.size;
  const rules = Array.from({ length: count }, (_, r) => {
    const [left, line, first, size] = memory.words(rule(r), 4) as [number, number, number, number];
    return { left, line, first, size };
  });
  const last = rules.at(-1);
  const lists = LISTS.map((_, l) => {
    const list = at + GRAMMAR.list + l * GRAMMAR_LIST.size;
    const entries = memory.word(list + GRAMMAR_LIST.entries);
    const address = (member: number) => memory.word(list + member) || at; // of none, any will do
    const standing = { data: address(GRAMMAR_LIST.score), index: address(GRAMMAR_LIST.index), extent: [entries] };
    return { standing, rule: memory.words(memory.word(list + GRAMMAR_LIST.rule), entries) };
  });
  return {
    names: texts(GRAMMAR.symbol, symbols),
    isMade: Array.from(memory.u8.subarray(part(GRAMMAR.made), part(GRAMMAR.made) + symbols), (made) => made !== 0),
    words: texts(GRAMMAR.word, part(GRAMMAR.words)),
    scores: Float64Array.from({ length: count }, (_, r) => memory.double(rule(r) + GRAMMAR_RULE.score)),
    rules,
    right: memory.words(part(GRAMMAR.right), last ? last.first + last.size : 0),
    lists,
    root: part(GRAMMAR.root),
    height: part(GRAMMAR.height),
  };
}
