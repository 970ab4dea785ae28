// Where the members of the library's structs stand, in bytes: native/layout.c checks it.
// SPDX-License-Identifier: MIT

export const MAX_RANK = 7;

export const ERROR = { size: 1028, message: 4, messageSize: 1024 };
export const SHAPE = { size: 92, rank: 0, sparse: 4, origin: 8, extent: 36, least: 64 };
export const SCORES = { size: 72, data: 0, type: 4, extent: 8, stride: 36, index: 64, entries: 68 };
export const NUMBERS = { size: 60, data: 0, extent: 4, stride: 32 };
export const PROBLEM = { size: 28, lengths: 0, scores: 4, numbers: 24 };
export const OUTPUT = { size: 32, data: 0, stride: 4 };
export const USE = { size: 40, weight: 0, index: 4, score: 32 };
export const NODE = { size: 40, item: 0, rule: 4, premises: 8, index: 12 };
export const DERIVATION = { size: 32, score: 0, uses: 8, nodes: 12, use: 16, node: 20, position: 24 };
export const POSITION = { size: 32, count: 0, at: 4 };
export const ANSWERS = { size: 28, value: 0, marginals: 12, through: 16 };
export const RUN_OPTIONS = { size: 20, outside: 0, lanes: 4, threads: 8, charts: 12, watch: 16 };
export const TEXT_WORD = { size: 32, form: 0, upos: 4, xpos: 8, deprel: 12, begin: 16, end: 20, head: 24, compressed: 28 };
export const TEXT_SENTENCE = { size: 16, words: 0, word: 4, compression: 8, likeLaw: 12 };
export const GRAMMAR_LIST = { size: 20, rank: 0, entries: 4, index: 8, score: 12, rule: 16 };
export const GRAMMAR_RULE = { size: 24, left: 0, line: 4, first: 8, count: 12, score: 16 };
export const GRAMMAR = { symbols: 0, words: 4, rules: 8, symbol: 12, made: 16, word: 20, rule: 24, right: 28, root: 32, height: 36, list: 40 };
export const NAMED_TEXT = { size: 12, name: 0, text: 4, length: 8 };
export const AUTOMATON_FORM = { size: 16, weights: 0, transducer: 4, inputs: 8, outputs: 12 };
export const AUTOMATON_ARC = { size: 32, from: 0, to: 4, input: 8, output: 12, score: 16, origin: 24 };
// prettier-ignore
export const AUTOMATON = {
  states: 0, arcs: 4, inputs: 8, outputs: 12, vertices: 16, pairs: 20, transducer: 24, start: 28, state: 32, input: 36, output: 40,
  arc: 44, begin: 48, end: 52, pair: 56, pairScore: 60, pairArc: 64, largest: 68,
};
/** A premise or weight of an instance (tz_web_instances): which, and its indices; in words. */
export const TERM = 1 + MAX_RANK;

/** tz_status */
export const STATUS = {
  ok: 0,
  none: 1,
  noMemory: 2,
  tooLarge: 3,
  badArgument: 4,
  badRules: 5,
  badScore: 6,
  ambiguous: 7,
  law: 8,
  diverges: 10,
} as const;

/** tz_named */
export const NAMED = { lengths: 0, weights: 1, items: 2, rules: 3, inputs: 4, resources: 5 } as const;
/** Item 0, or input 0, where a weight is asked for. */
export const ITEM = 1 << 20;
export const INPUT = 1 << 21;
/** The goal, where an item is asked for. */
export const GOAL = 2 ** 31 - 1;
/** tz_figures */
export const FIGURES = ["text", "latex", "dot", "order"];
/** tz_gives */
export const GIVES = { score: 0, number: 1, truth: 2 } as const;
/** tz_web_laws */
export const LAW = { path: 1, draws: 2, shares: 4 } as const;
/** A length is at most so much. */
export const MAX_LENGTH = 2 ** 20;
/** tz_plan_new's flags */
export const FLAG = { force: 1, plain: 8 } as const;
