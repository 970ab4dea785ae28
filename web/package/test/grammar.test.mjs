// Grammars as text: answers beside those of plain JavaScript on the rules as they are written, beside the
// command's, and a session's beside the whole's. SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load, RulesError, Tree, TrapezeError, UnknownWord } from "../dist/index.js";
import { missing, output } from "../../tests/native.mjs";

const trapeze = await load();
const ENGLISH = `S  -> NP VP [1]
NP -> DT N [0.5] | NP PP [0.2] | 'they' [0.3]
VP -> V NP [0.5] | VP PP [0.2] | V NP 'to' NP [0.3]
PP -> P NP [1]
DT -> 'the' [0.8] | 'a' [0.2]
N  -> 'dog' [0.5] | 'telescope' [0.5]
V  -> 'saw' [1]
P  -> 'with' [1]
`;
const english = trapeze.grammar(ENGLISH, { weights: "probabilities" });

let seed = Number(process.env.TZ_SEED ?? 1);
const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const below = (n) => Math.floor(next() * n);
const pick = (list) => list[below(list.length)];
const logSum = (list) => {
  const most = Math.max(-Infinity, ...list);
  return most === -Infinity ? most : most + Math.log(list.reduce((sum, x) => sum + Math.exp(x - most), 0));
};
const near = (a, b, what = "") => assert.ok(a === b || Math.abs(a - b) < 1e-12 * Math.max(1, Math.abs(b)), `${what}: ${a} and ${b}`);
const allNear = (a, b, what) => {
  assert.equal(a.length, b.length, what);
  for (const [i, x] of a.entries()) near(x, b[i], `${what} ${i}`);
};

/** Rules of up to four parts, some of nothing; without recursion. */
function randomText() {
  const symbols = ["S", "A", "B", "C"];
  const lines = symbols.flatMap((left, i) => {
    const rules = new Set();
    for (let r = 2 + below(3); r-- > 0;)
      rules.add(Array.from({ length: pick([0, 1, 1, 2, 2, 3, 4]) }, () => pick([...symbols.slice(i + 1), "'x'", "'y'", "'y'"])).join(" "));
    rules.add(pick(["'x'", "'y'"]));
    return [...rules].map((right) => `${left} -> ${right} [${(0.1 + 0.4 * next()).toFixed(3)}]`);
  });
  return lines.join("\n");
}

/** Of each tree its words, log weight, rules, and itself. */
function allTrees(grammar) {
  const known = new Map();
  const of = (symbol) => {
    if (known.has(symbol)) return known.get(symbol);
    const found = [];
    for (const [number, { left, right, score }] of grammar.rules.entries()) {
      if (left !== symbol) continue;
      let built = [{ words: [], score, used: [number], children: [] }];
      for (const part of right) {
        const choices = /^['"]/.test(part) ? [{ words: [part.slice(1, -1)], score: 0, used: [], tree: part.slice(1, -1) }] : of(part);
        built = built.flatMap((one) =>
          choices.map((own) => ({ words: [...one.words, ...own.words], score: one.score + own.score, used: [...one.used, ...own.used], children: [...one.children, own.tree] })),
        );
      }
      for (const { children, ...rest } of built) found.push({ ...rest, tree: new Tree(symbol, children) });
    }
    known.set(symbol, found);
    return found;
  };
  return of("S");
}

test("answers are those of enumeration", (t) => {
  let sentences = 0;
  for (let round = 0; round < 8; round++) {
    let grammar, trees;
    do {
      grammar = trapeze.grammar(randomText(), { weights: "weights" });
      trees = allTrees(grammar);
    } while (trees.length > 5000);
    near(grammar.totals.get("S"), logSum(trees.map((tree) => tree.score)));
    for (const x of [[], ...Array.from({ length: 8 }, () => pick(trees).words), ["x", "x", "x", "y"]]) {
      const own = trees.filter((tree) => tree.words.join() === x.join());
      const value = logSum(own.map((tree) => tree.score));
      near(grammar.logProb(x), value);
      const best = grammar.kbest(x, 3);
      const ranked = own.map((tree) => tree.score).sort((a, b) => b - a);
      allNear(best.map((tree) => tree.score), ranked.slice(0, 3), "k best");
      const shapes = new Map(own.map((tree) => [String(tree.tree), tree.score]));
      for (const tree of [...best, ...grammar.sampleTrees(x, 3, 7)]) {
        assert.deepEqual(tree.words, x);
        near(tree.score, shapes.get(String(tree)), String(tree));
      }
      assert.deepEqual(grammar.best(x), best[0] ?? null);
      const counts = new Float64Array(grammar.scores.length);
      for (const { score, used } of own) for (const r of used) counts[r] += Math.exp(score - value);
      allNear(grammar.expectedCounts(x), counts, "counts");
      const begin = trees.filter((tree) => x.every((word, i) => tree.words[i] === word));
      const whole = logSum(begin.map((tree) => tree.score));
      near(grammar.prefixLogProb(x), whole);
      const upto = Array.from({ length: x.length + 1 }, (_, n) => logSum(trees.filter((tree) => x.slice(0, n).every((word, i) => tree.words[i] === word)).map((tree) => tree.score)));
      allNear(grammar.prefixLogProbs(x), upto, "prefixes");
      const following = new Map();
      for (const { words, score } of begin) following.set(words[x.length] ?? null, [...(following.get(words[x.length] ?? null) ?? []), score]);
      const after = grammar.next(x);
      assert.equal(after.size, following.size);
      for (const [word, scores] of following) near(after.get(word), Math.exp(logSum(scores) - whole), "next");
      assert.deepEqual(grammar.allowed(x), [...grammar.words, null].map((word) => following.has(word)));
      sentences++;
    }
    grammar.free();
  }
  t.diagnostic(`TZ_SEED=${process.env.TZ_SEED ?? 1}: ${sentences} sentences`);
});

test("several sentences are answered as one by one, in every bit", () => {
  const several = ["they saw the dog", "", "they saw they with a dog with a telescope", "saw", "the dog saw a dog to they"].map((text) => english.split(text));
  for (const ask of [
    (x) => english.logProb(x),
    (x) => english.prefixLogProb(x),
    (x) => english.best(x),
    (x) => english.kbest(x, 4),
    (x) => english.next(x),
    (x) => english.nextLogProbs(x),
    (x) => english.prefixLogProbs(x),
    (x) => english.allowed(x),
  ])
    assert.deepEqual(Array.from(ask(several)), several.map(ask), String(ask));
  const counts = several.map((x) => english.expectedCounts(x));
  allNear(english.expectedCounts(several), counts[0].map((_, r) => counts.reduce((sum, one) => sum + one[r], 0)), "counts");
  allNear(english.expectedCounts(Array(40).fill(several).flat()), english.expectedCounts(several).map((x) => 40 * x), "many");
  assert.deepEqual(english.best(["they", "saw", "they"]), english.best("they saw they"));
});

test("answers are the command's", { skip: missing }, async () => {
  const file = join(await mkdtemp(join(tmpdir(), "trapeze-")), "english.pcfg");
  await writeFile(file, ENGLISH);
  const texts = ["they saw the dog with a telescope", "the dog saw a dog to they", "saw they", "they saw"];
  const lines = output("trapeze", ["grammar", "parse", "-w", "probabilities", "--best", "--kbest=3", "--sample=4", "--seed=5", "--prefix", "--next", file], `${texts.join("\n")}\n`);
  const trees = (list) => list.map((tree) => ({ score: tree.score, tree: String(tree) }));
  const nulls = (x) => (x === -Infinity ? null : x);
  lines.trim().split("\n").forEach((line, at) => {
    const expected = JSON.parse(line);
    const words = english.split(texts[at]);
    const of = (name, value) => name in expected && assert.deepEqual(value, expected[name], `${name} of ${texts[at]}`);
    of("n", words.length);
    of("log_prob", nulls(english.logProb(words)));
    of("kbest", trees(english.kbest(words, 3)));
    const best = english.best(words);
    of("best", best && trees([best])[0]);
    of("prefix_log_prob", nulls(english.prefixLogProb(words)));
    assert.equal(Object.keys(expected).length, 7, line);
    const after = [...english.next(words)];
    assert.deepEqual(after.map(([word]) => word), expected.next.map(([word]) => word));
    for (const [i, [, chance]] of after.entries()) near(chance, expected.next[i][1], "next"); // each has its own exp
    assert.deepEqual(english.sampleTrees(Array(at + 1).fill(words), 4, 5)[at].map(String), expected.samples.map((one) => one.tree ?? one));
  });
  for (const binarised of [false, true])
    assert.equal(english.show(binarised), output("trapeze", ["grammar", binarised ? "binarise" : "show", "-w", "probabilities", file]));
});

test("trees are drawn and sampled as docs/grammars.md shows", () => {
  const best = english.best("they saw the dog with a telescope");
  assert.equal(String(best), "(S (NP they) (VP (VP (V saw) (NP (DT the) (N dog))) (PP (P with) (NP (DT a) (N telescope)))))");
  assert.equal(
    best.draw(),
    `        S
 ┌──────┴──────┐
 NP            VP
 │       ┌─────┴─────┐
 │       VP          PP
 │    ┌──┴──┐     ┌──┴───┐
 │    V     NP    P      NP
 │    │   ┌─┴─┐   │   ┌──┴───┐
 │    │   DT  N   │   DT     N
 │    │   │   │   │   │      │
they saw the dog with a  telescope`,
  );
  assert.deepEqual(english.sample(3, 1).map((tree) => tree.words.join(" ")), [
    "the telescope with the dog with the telescope with they saw the dog with they",
    "the telescope saw the telescope",
    "the dog saw a dog",
  ]);
  assert.deepEqual(best.trees().slice(0, 3).map((tree) => tree.label), ["S", "NP", "VP"]);
  const deep = trapeze.grammar("S -> 'a' S [0.9] | 'a' [0.1]", { weights: "probabilities" }).best("a ".repeat(300));
  assert.equal(deep.draw().split("\n").length, 601);
  assert.equal(String(deep).match(/\(S/g).length, 300);
});

test("expectation maximisation makes a corpus likelier, each time", () => {
  let grammar = trapeze.grammar("S -> A S [0.5] | A [0.5]\nA -> 'a' [0.5] | 'b' [0.3] | A A [0.2]", { weights: "probabilities" });
  const corpus = [["a", "a", "b"], ["a"], ["b", "a", "a", "a"]];
  const values = [];
  for (let step = 0; step < 4; step++) {
    values.push(grammar.logProb(corpus).reduce((a, b) => a + b));
    const counts = grammar.expectedCounts(corpus);
    for (const r of counts.keys()) {
      const moved = grammar.withScores(grammar.scores.map((score, i) => score + (i === r ? 1e-6 : 0)));
      const slope = (moved.logProb(corpus).reduce((a, b) => a + b) - values.at(-1)) / 1e-6;
      assert.ok(Math.abs(slope - counts[r]) < 1e-4, `rule ${r}: ${slope} and ${counts[r]}`);
      moved.free();
    }
    grammar = grammar.reestimated(counts);
  }
  assert.deepEqual(values.map((value) => value.toFixed(4)), ["-10.1606", "-9.8589", "-9.8456", "-9.8358"]); // as docs/grammars.md says
});

test("a session says what the grammar says of the whole", () => {
  const text = ENGLISH.replace("PP -> P NP [1]", "PP -> P NP [0.9] | [0.1]");
  const grammar = trapeze.grammar(text, { weights: "probabilities" });
  const session = grammar.session();
  const truth = grammar.session("", { truth: true });
  let x = [];
  for (let step = 0; step < 120; step++) {
    if (next() < 0.25) {
      x = x.slice(0, below(x.length + 1));
      session.truncate(x.length);
      truth.truncate(x.length);
    } else {
      const allowed = grammar.words.filter((_, w) => grammar.allowed(x)[w]);
      const more = Array.from({ length: 1 + Number(allowed.length === 0 && step % 2 === 1) }, () => pick(allowed.length ? allowed : grammar.words));
      x = [...x, ...more];
      session.extend(more);
      for (const word of more) truth.append(word);
    }
    assert.deepEqual([session.words, session.length], [x, x.length]);
    if (step % 3 === 0) continue; // several changes come before a question
    assert.deepEqual(session.next(), grammar.next(x));
    assert.deepEqual(session.nextLogProbs(), grammar.nextLogProbs(x));
    near(session.prefixLogProb, grammar.prefixLogProb(x));
    assert.equal(session.logProb, grammar.logProb(x));
    assert.deepEqual(truth.allowed(), grammar.allowed(x));
    assert.deepEqual(session.allowed(), grammar.allowed(x));
  }
  const copy = session.copy().append("they");
  assert.deepEqual([session.words, copy.words], [x, [...x, "they"]]);
  assert.ok(copy.prefixLogProb <= session.prefixLogProb);
  copy.free();
  assert.throws(() => copy.next(), /was freed/);
  assert.equal(session.logProb, grammar.logProb(x));
});

const EXPRESSIONS = {
  'root ::= "a"*': /^a*$/,
  'root ::= ("ab" | [b-c])+ "x"?': /^(ab|[b-c])+x?$/,
  'root ::= "a"{2} [ab]{1,3} "c"{2,}': /^a{2}[ab]{1,3}c{2,}$/,
  'root ::= x{0,2} | "c"\nx ::= [^a] "b"': /^(([^a]b){0,2}|c)$/,
};

test("GBNF says what regular expressions say", () => {
  for (const [text, expression] of Object.entries(EXPRESSIONS)) {
    const grammar = trapeze.grammar(text, { notation: "gbnf" });
    const alphabet = [..."abcx"].filter((letter) => grammar.words.includes(letter));
    let strings = [[]];
    for (let n = 0; n < 5; n++) strings = [...strings, ...strings.filter((s) => s.length === n).flatMap((s) => alphabet.map((letter) => [...s, letter]))];
    const found = grammar.logProb(strings);
    strings.forEach((s, i) => assert.equal(found[i] > -Infinity, expression.test(s.join("")), `${text}: ${s.join("")}`));
    near(grammar.totals.get("root"), 0);
    for (const tree of grammar.sample(20)) assert.match(tree.words.join(""), expression);
    assert.equal(grammar.logProb(strings[1].join("")), found[1], "a text is its characters");
  }
  const tree = trapeze.grammar('root ::= item ("," item)*\nitem ::= [0-9]+ | "(" root ")"', { name: "list.gbnf" }).best("12,(3)");
  assert.equal(String(tree), '(root (item 1 2) , (item "(" (root (item 3)) ")"))');
});

test("what is wrong is said as elsewhere", () => {
  const refused = (call, kind, message) => assert.throws(call, (error) => error instanceof kind && (message instanceof RegExp ? message.test(error.message) : error.message === message));
  refused(() => english.logProb("they saw teh dog"), UnknownWord, "word 3: 'teh' is no word of the grammar; did you mean 'the'?");
  refused(() => english.logProb([["they"], ["they", "zzz"]]), UnknownWord, "sentence 1, word 2: 'zzz' is no word of the grammar");
  assert.throws(() => english.best("tehy"), (error) => error.word === "tehy" && error.message.endsWith("did you mean 'they'?"));
  refused(() => trapeze.grammar("S -> NP", { weights: "weights" }), RulesError, /^grammar:1:6: NP has no rules/);
  refused(() => trapeze.grammar("S -> 'a'"), TrapezeError, /^notation is one of arrows, gbnf, and weights, which say what the numbers of the rules are, one of probabilities,/);
  refused(() => trapeze.grammar("S -> 'a' S 'b' [2] | [1]", { weights: "weights" }).totals, TrapezeError, /S/);
  refused(() => english.withScores([1, 2]), TrapezeError, /2 log weights for 14 rules/);
  refused(() => english.reestimated([1]), TrapezeError, "counts are 14 numbers from 0 on, one a rule");
  const session = english.session("they saw");
  refused(() => session.append("zzz"), UnknownWord, "word 1: 'zzz' is no word of the grammar");
  refused(() => session.truncate(3), TrapezeError, "there are 2 words, and 3 are to be kept");
  assert.deepEqual(session.words, ["they", "saw"]);
  const loud = trapeze.grammar("S -> S S [2] | 'a' [1]", { weights: "weights" });
  refused(() => loud.session(), TrapezeError, /the sum over all trees of S is not found/);
  const truth = loud.session("a a", { truth: true });
  assert.deepEqual(truth.allowed(), [true, true]);
  refused(() => truth.logProb, TrapezeError, "a session of truth values has no probabilities");
  loud.free();
  refused(() => loud.logProb("a"), TrapezeError, "the grammar was freed");
});
