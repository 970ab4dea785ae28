// What goes wrong. SPDX-License-Identifier: MIT

/** Something that the library refuses; the message says what, where and how to mend it. */
export class TrapezeError extends Error {
  override name = "TrapezeError";
}

/** Where in a text something is said: lines and columns count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A word that a grammar lacks, or a label that an automaton does not read. */
export class UnknownWord extends TrapezeError {
  override name = "UnknownWord";
  readonly word: string;

  constructor(message: string, word: string) {
    super(message);
    this.word = word;
  }
}

/** A rule file that is wrong, or another text: a grammar, an automaton. */
export class RulesError extends TrapezeError {
  override name = "RulesError";
  readonly line: number;
  readonly column: number;
  /** The message without its place. */
  readonly text: string;

  /** message: NAME:LINE:COLUMN: TEXT */
  constructor(message: string) {
    super(message);
    const parts = /^.*?:(\d+):(\d+): (.*)$/s.exec(message);
    this.line = parts ? Number(parts[1]) : 1;
    this.column = parts ? Number(parts[2]) : 1;
    this.text = parts ? parts[3]! : message;
  }
}
