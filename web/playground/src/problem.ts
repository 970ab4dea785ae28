// The problem that is run: typed, or drawn at random. SPDX-License-Identifier: MIT
import type { Problem, Rules } from "trapeze";
import type { Store } from "./state.js";

/** Numbers from 0 to below 1, the same for a seed (Steele, Lea & Flood 2014: splitmix, 32 bits). */
export function random(seed: number): () => number {
  let at = seed | 0;
  return () => {
    at = (at + 0x9e3779b9) | 0;
    let z = Math.imul(at ^ (at >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Scores between -2 and 2, of two digits; between -5 and -1 where derivations go round in circles,
 * so that their sum has an end. */
export function randomProblem(rules: Rules, lengths: readonly number[], seed: number): Problem {
  const next = random(seed);
  const low = /^closure\s/m.test(rules.show()) ? -5 : -2;
  return rules.problem(
    lengths,
    () => Math.round((next() * 4 + low) * 100) / 100,
    (bound) => Math.floor(next() * bound),
  );
}

/** Throws what says why there is none. */
export function problemOf(store: Store, rules: Rules): Problem {
  const { typed, seed } = store.state;
  if (typed === "") return randomProblem(rules, store.lengths(rules), seed);
  let problem: unknown;
  try {
    problem = JSON.parse(typed);
  } catch (error) {
    throw new Error(`the scores are not JSON: ${(error as Error).message}`);
  }
  if (typeof problem !== "object" || problem === null || Array.isArray(problem))
    throw new Error('the scores are an object of JSON, such as {"n": 2, "arc": [[0, 1, 2], ...]}');
  return problem as Problem;
}

/** One member a line, a matrix's rows below each other. */
export function problemText(problem: Problem): string {
  const member = (value: unknown): string => {
    const text = JSON.stringify(value);
    return Array.isArray(value) && Array.isArray(value[0]) && text.length > 60
      ? `[\n    ${value.map((row) => JSON.stringify(row)).join(",\n    ")}]`
      : text;
  };
  return `{${Object.entries(problem)
    .map(([name, value]) => `${JSON.stringify(name)}: ${member(value)}`)
    .join(",\n ")}}`;
}

const SENTENCE = "the cat sat down by the old red door and watched the rain fall all night".split(" ");

/** Words for a drawing: those of the state, if they are as many as the first length; else the
 * beginning of a sentence, but not where the problem itself has symbols. */
export function wordsOf(store: Store, rules: Rules, length: number): string[] | undefined {
  const words = store.state.words.split(/\s+/).filter((word) => word !== "");
  if (words.length === length && length > 0) return words;
  return rules.inputs.length === 0 && length > 0 && length <= SENTENCE.length ? SENTENCE.slice(0, length) : undefined;
}
