// Automata as text: answers beside those of plain JavaScript on the arcs as they are written, and beside
// the command's. SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load, RulesError, TrapezeError, UnknownWord } from "../dist/index.js";
import { missing, output } from "../../tests/native.mjs";

const trapeze = await load();
let seed = Number(process.env.TZ_SEED ?? 1);
const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const below = (n) => Math.floor(next() * n);
const pick = (list) => list[below(list.length)];
const logSum = (list) => {
  const most = Math.max(-Infinity, ...list);
  return most === -Infinity ? most : most + Math.log(list.reduce((sum, x) => sum + Math.exp(x - most), 0));
};
const near = (a, b, what = "", by = 1e-12) => assert.ok(a === b || Math.abs(a - b) < by * Math.max(1, Math.abs(b)), `${what}: ${a} and ${b}`);
const allNear = (a, b, what, by) => {
  assert.equal(a.length, b.length, what);
  for (const [i, x] of a.entries()) near(x, b[i], `${what} ${i}`, by);
};

/** Costs of a transducer: arcs with the same ends, and labels of nothing, included. */
function randomText(round = false) {
  const label = () => pick(["a", "b", "<eps>"]);
  const lines = Array.from({ length: 9 }, () => {
    let [from, to] = [below(4), 1 + below(4)].sort();
    if (from === to) to++;
    if (round && next() < 0.4) [from, to] = [below(5), below(5)];
    return `${from} ${to} ${label()} ${label()} ${(1.5 + 2.5 * next()).toFixed(3)}`;
  }).sort((a, b) => Number(!a.startsWith("0")) - Number(!b.startsWith("0")));
  return [...(round ? ["0 0 b a 3"] : []), ...lines, ...new Set([4, below(4)])].map((x) => (typeof x === "number" ? `${x} ${(x / 7).toFixed(2)}` : x)).join("\n");
}
const made = (text) => trapeze.automaton(text, { weights: "costs", transducer: true });

/** Of each path its score, input, output and arcs; of automata that do not go round. */
function allPaths(automaton) {
  const { arcs, finals } = automaton;
  const found = [];
  const left = [{ state: automaton.start, score: 0, input: [], output: [], arcs: [] }];
  for (let path = left.pop(); path; path = left.pop()) {
    if (finals.has(path.state)) found.push({ ...path, score: path.score + finals.get(path.state) });
    arcs.forEach((arc, a) => {
      if (arc.source !== path.state) return;
      const more = (list, label) => (label === null ? list : [...list, label]);
      left.push({ state: arc.target, score: path.score + arc.score, input: more(path.input, arc.input), output: more(path.output, arc.output), arcs: [...path.arcs, a] });
    });
  }
  return found;
}

function countsOf(automaton, paths) {
  const counts = new Float64Array(automaton.scores.length);
  const value = logSum(paths.map((path) => path.score));
  for (const { score, arcs } of paths) for (const a of arcs) counts[a] += Math.exp(score - value);
  return counts;
}
const sorted = (paths) => paths.map((path) => path.score).sort((a, b) => b - a);

test("answers are those of enumeration, and compositions those of pairs", (t) => {
  let strings = 0;
  for (let round = 0; round < 15; round++) {
    const automaton = made(randomText());
    const paths = allPaths(automaton);
    near(automaton.total(), logSum(paths.map((path) => path.score)), "total");
    const found = automaton.kbest(1000);
    allNear(found.map((path) => path.score), sorted(paths), "k best");
    for (const path of [...found, ...automaton.sample(5, round)]) {
      const own = paths.find((one) => one.arcs.join() === path.arcs.join());
      assert.deepEqual([path.input, path.output], [own.input, own.output]);
      near(path.score, own.score);
    }
    assert.deepEqual(automaton.best(), found[0] ?? null);
    const best = new Map();
    const key = ({ input, output }) => JSON.stringify([input, output]);
    for (const path of [...paths].sort((a, b) => b.score - a.score)) if (!best.has(key(path))) best.set(key(path), path.score);
    for (const k of [0, 1, 3, 1000]) {
      const distinct = automaton.kbest(k, { distinct: true });
      allNear(distinct.map((path) => path.score), [...best.values()].slice(0, k), `${k} distinct`);
      assert.equal(new Set(distinct.map(key)).size, distinct.length);
    }
    allNear(automaton.expectedCounts(), countsOf(automaton, paths), "counts");
    const inputs = [...new Map(paths.map(({ input }) => [input.join(), input])).values()];
    const all = new Float64Array(automaton.scores.length);
    for (const x of inputs) {
      const own = paths.filter(({ input }) => input.join() === x.join());
      near(automaton.logProb(x), logSum(own.map((path) => path.score)), x.join());
      const counts = countsOf(automaton, own);
      allNear(automaton.expectedCounts(x), counts, x.join());
      counts.forEach((count, a) => (all[a] += count));
      strings++;
    }
    if (inputs.length > 0) allNear(automaton.expectedCounts(inputs), all, "of all", 1e-11);
    if (inputs.length > 0) assert.deepEqual([...automaton.logProb(inputs)], inputs.map((x) => automaton.logProb(x)));
    const other = made(randomText());
    const pairs = paths.flatMap((one) => allPaths(other).flatMap((more) => (more.input.join() === one.output.join() ? [one.score + more.score] : [])));
    const composed = automaton.compose(other);
    allNear(sorted(allPaths(composed)), pairs.sort((a, b) => b - a), "pairs");
    for (const one of [automaton, other, composed]) one.free();
  }
  t.diagnostic(`TZ_SEED=${process.env.TZ_SEED ?? 1}: ${strings} strings`);
  assert.ok(strings > 15);
});

/** The sum over all paths, by a plain linear solver. */
function solved(automaton, scores) {
  const { states, arcs, finals, start } = automaton;
  const place = new Map(states.map((state, i) => [state, i]));
  const rows = states.map((state, i) => [...states.map((_, j) => Number(i === j)), Math.exp(finals.get(state) ?? -Infinity)]);
  arcs.forEach(({ source, target }, a) => (rows[place.get(source)][place.get(target)] -= Math.exp(scores[a])));
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((best, row, r) => (Math.abs(row[i]) > Math.abs(rows[best][i]) ? i + r : best), i);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let r = 0; r < rows.length; r++) {
      const factor = r === i ? 0 : rows[r][i] / rows[i][i];
      if (factor !== 0) rows[r] = rows[r].map((x, c) => x - factor * rows[i][c]);
    }
  }
  const at = place.get(start);
  return rows[at].at(-1) / rows[at][at];
}

test("circles are summed as a linear solver does; counts are slopes", () => {
  for (let round = 0; round < 10; round++) {
    const automaton = made(randomText(true));
    const { scores } = automaton;
    near(Math.exp(automaton.total()), solved(automaton, scores), "total", 1e-9);
    if (automaton.best() === null) continue;
    assert.deepEqual(automaton.kbest(2)[0], automaton.best());
    const slopes = scores.map((_, a) => {
      const moved = (by) => Math.log(solved(automaton, scores.map((score, i) => score + (i === a ? by : 0))));
      return (moved(1e-6) - moved(-1e-6)) / 2e-6;
    });
    allNear(automaton.expectedCounts(), slopes, "counts", 1e-6);
  }
});

test("answers are the command's", { skip: missing }, async () => {
  const file = join(await mkdtemp(join(tmpdir(), "trapeze-")), "automaton.txt");
  for (const round of [false, true]) {
    const text = randomText(round);
    await writeFile(file, text);
    const automaton = made(text);
    const asked = ["-w", "costs", "-t", "--best", "--sample=3", "--seed=5", "--counts"];
    const expected = JSON.parse(output("trapeze", ["automaton", "paths", ...asked, "--kbest=4", file]));
    const plain = (path) => path && { score: path.score, input: path.input, output: path.output, arcs: path.arcs };
    const total = automaton.total();
    assert.deepEqual(total === -Infinity ? null : total, expected.total);
    assert.deepEqual(plain(automaton.best()), expected.best);
    assert.deepEqual(automaton.kbest(4).map(plain), expected.kbest);
    assert.deepEqual(automaton.sample(3, 5).map(plain), expected.samples);
    assert.deepEqual([...automaton.expectedCounts()], expected.counts);
    const distinct = JSON.parse(output("trapeze", ["automaton", "paths", "-w", "costs", "-t", "--kbest=3", "--distinct", file]));
    assert.deepEqual(automaton.kbest(3, { distinct: true }).map(plain), distinct.kbest);
    assert.equal(automaton.show(), output("trapeze", ["automaton", "show", "-w", "costs", "-t", file]));
  }
});

test("text that is shown is read again; symbol tables; no path", () => {
  const automaton = made(randomText(true));
  near(made(automaton.show()).total(), automaton.total());
  const numbers = trapeze.automaton("0 1 1 2\n1 1 3 1\n1 0.5", { weights: "probabilities", inputs: "a 1\nb 2\n1 5\n3 4\n- 0" });
  assert.deepEqual([[...numbers.finals], numbers.inputs, numbers.transducer, numbers.start], [[["1", Math.log(0.5)]], ["a", "b", "1", "3"], false, "0"]);
  assert.deepEqual(numbers.states, ["0", "1"]);
  const nothing = trapeze.automaton("0 1 a", { weights: "costs" });
  assert.deepEqual([nothing.total(), nothing.best(), nothing.kbest(2), nothing.sample(2), [...nothing.expectedCounts()]], [-Infinity, null, [], [], [0]]);
  assert.equal(nothing.compose(nothing).show(), "0\tInfinity\n");
  assert.deepEqual(nothing.arcs, [{ source: "0", target: "1", input: "a", output: "a", score: 0 }]);
});

test("what is wrong is said as elsewhere", () => {
  const refused = (call, kind, message) => assert.throws(call, (error) => error instanceof kind && (message instanceof RegExp ? message.test(error.message) : error.message === message));
  refused(() => trapeze.automaton("0 1 a b", { weights: "costs", name: "arcs" }), RulesError, /^arcs:1:7: 'b' is no cost/);
  refused(() => trapeze.automaton("0", { weights: "cost" }), TrapezeError, "weights, which say what the numbers are, is one of costs, logs, probabilities");
  const automaton = trapeze.automaton("0 0 a -0.1\n0", { weights: "costs" });
  refused(() => automaton.logProb("a b"), UnknownWord, "label 2: 'b' is read by no arc of the automaton");
  refused(() => automaton.total(), TrapezeError, /needs itself, and under log the derivations that go round add up without limit/);
  const ambiguous = trapeze.automaton("0 0 <eps> 0.001\n0 1 a\n1", { weights: "costs" });
  refused(() => ambiguous.kbest(2, { distinct: true }), TrapezeError, /paths have 1 strings: ask for as many/);
  automaton.free();
  refused(() => automaton.total(), TrapezeError, "the automaton was freed");
});

test("20,000 arcs in a row, each with another one beside it; a circle that is too large", () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i} ${i + 1} a 0.5\n${i} ${i + 1} b 1.5`);
  const automaton = trapeze.automaton(`${lines.join("\n")}\n20000`, { weights: "costs" });
  near(automaton.total(), 20_000 * Math.log(Math.exp(-0.5) + Math.exp(-1.5)));
  assert.deepEqual(automaton.kbest(3).map((path) => path.score), [-10_000, -10_001, -10_001]);
  assert.deepEqual(automaton.best().arcs, Array.from({ length: 20_000 }, (_, i) => 2 * i));
  const ring = trapeze.automaton(`${Array.from({ length: 5001 }, (_, i) => `${i} ${(i + 1) % 5001} a 1`).join("\n")}\n7`, { weights: "costs" });
  assert.deepEqual([ring.largestComponent, ring.best().score], [5001, -7]);
  assert.throws(() => ring.total(), /^TrapezeError: 5001 states need one another; sums are for at most 5000: leave out arcs that close their circles$/);
});
