// Does the package do what its README says? SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { draw, load, RulesError, Table, TrapezeError } from "../dist/index.js";

const trapeze = await load();
const arc = [
  [0, 1, 2],
  [0, 0, 3],
  [0, 4, 0],
];
const segment = `rules   segment
length  n
weight  piece[i,j]  0 <= i < j <= n
item    at[i]       0 <= i <= n
goal    at[n]

    axiom
    ----- start
    at[0]

    at[i]
    ----- next * piece[i,j]
    at[j]
`;
const problem = { n: 3, piece: [[null, 1, 5, 2], [null, null, 1, 3], [null, null, null, 1]] };

test("a rule file runs", () => {
  const rules = trapeze.rules(segment);
  assert.equal(rules.name, "segment");
  assert.deepEqual(rules.run("max", problem, { best: true }), {
    value: 6,
    best: { score: 6, weights: [["piece", 0, 2, 5], ["piece", 2, 3, 1]] },
  });
  assert.equal(rules.run("log", problem).value, 6.185182452603812);
  assert.equal(rules.run("count", problem).value, 4);
  assert.equal(rules.run("bool", problem).value, true);
  rules.free();
});

test("marginals are those of the command's README, and have the indices of the notation", () => {
  const { marginals } = trapeze.builtin("eisner").run("log", { n: 2, arc }, { marginals: true });
  assert.ok(marginals.arc instanceof Table);
  assert.deepEqual(marginals.arc.toJSON().map((row) => row.map((p) => Number(p.toFixed(2)))), [[0, 0.16, 0.89], [0, 0, 0.11], [0, 0.84, 0]]);
  assert.equal(marginals.arc.at(2, 1), marginals.arc.data[2 * 3 + 1]);
  assert.equal(marginals.arc.at(3, 0), undefined);
});

test("a wrong file says where", () => {
  assert.throws(
    () => trapeze.rules(segment.replace("* piece[i,j]", "* peace[i,j]"), "my.rules"),
    (error) => error instanceof RulesError && error.line === 12 && /peace/.test(error.text) && /^my\.rules:12:/.test(error.message),
  );
});

test("wrong problems say what is wrong", () => {
  const eisner = trapeze.builtin("eisner");
  const refused = (problem, pattern) => assert.throws(() => eisner.run("max", problem), (error) => error instanceof TrapezeError && pattern.test(error.message));
  refused({ arc }, /length 'n'/);
  refused({ n: 2 }, /lacks the weight 'arc'/);
  refused({ n: 3, arc }, /arc is an array of 4 x 4/);
  refused({ n: 2, arc: [[0, 1, "a"], [0, 0, 3], [0, 4, 0]] }, /"a" where a score is needed/);
  refused({ n: 2, arc, ark: arc }, /neither a length nor a weight 'ark'/);
  refused({ n: 2, arc: [[0, NaN, 2], [0, 0, 3], [0, 4, 0]] }, /NaN|nan/);
  assert.throws(() => eisner.run("maxx", { n: 2, arc }), /no semiring is called 'maxx'/);
  assert.throws(() => eisner.run("log", { n: 2, arc }, { best: true }), TrapezeError);
  assert.throws(() => trapeze.builtin("skip-note").run("log", { n: 1, arc: [[0, 0], [0, 0]], skip: [0, 0] }), TrapezeError);
  assert.throws(() => trapeze.builtin("nothing"), /no rule set is called/);
  assert.equal(eisner.run("max", { n: 2, arc }).value, 6, "and after all that it works");
});

test("arrays may be longer, or flat and typed", () => {
  const eisner = trapeze.builtin("eisner");
  assert.equal(eisner.run("max", { n: 1, arc }).value, 1);
  assert.equal(eisner.run("max", { n: 2, arc: Float64Array.from(arc.flat()) }).value, 6);
});

const ways = `about    least cost; how many derivations have it
element  cost, number
zero     inf, 0
one      0, 1
plus     min(a.cost, b.cost), (a.cost <= b.cost ? a.number : 0) + (b.cost <= a.cost ? b.number : 0)
times    a.cost + b.cost, a.number * b.number
lift     score, 1
value    cost
also     ways = number
laws     commutative
`;

test("a semiring as text", () => {
  const eisner = trapeze.builtin("eisner");
  const least = trapeze.semiring({ text: ways, name: "ways.semiring" });
  const small = [[null, 1, 1], [null, null, 0], [null, 1, null]];
  assert.deepEqual(eisner.run(least, { n: 2, arc: small }), { value: 1, numbers: { ways: 1 } }); // as docs/semirings.md says
  const ties = eisner.run("ties", { n: 2, arc: small.map((row) => row.map((x) => (x === null ? null : -x))) });
  assert.deepEqual([ties.value, ties.count], [-1, 1]);
  assert.deepEqual([...eisner.runBatch(least, [{ n: 2, arc: small }, { n: 1, arc: small }]).values], [1, 1]);
  const session = eisner.grow(least, { n: 1, arc: small });
  assert.equal(session.append({ arc: small }).value, 1);
  assert.throws(() => trapeze.semiring({ text: ways.replace("min(", "mim("), name: "ways.semiring" }), (error) => error instanceof TrapezeError && /^ways\.semiring:5:\d+: .*mim/.test(error.message));
  assert.throws(() => trapeze.semiring({ text: "element x\nzero 0\none 1\nplus (a + b) / 2\ntimes a * b\n" }), /^TrapezeError: semiring: plus is not associative: with a = /);
  assert.throws(() => eisner.run(least, { n: 2, arc: small }, { marginals: true }), TrapezeError);
});

test("rule sets of the gallery are read by name", () => {
  assert.ok(trapeze.gallery.includes("gallery/nussinov") && !trapeze.names.includes("gallery/nussinov"));
  const paths = trapeze.builtin("gallery/paths");
  assert.equal(paths.run("max", { V: 2, begin: [0, null], arc: [[0, 1, -2]], end: [null, -1] }).value, -3);
  paths.free();
});

test("what goes round without limit is named", () => {
  const paths = trapeze.builtin("gallery/paths");
  const round = { V: 2, begin: [0, null], arc: [[0, 1, 0], [1, 0, 0]], end: [null, 0] };
  assert.throws(() => paths.run("log", round), /TrapezeError: at\[\d\] needs itself, and under log the derivations that go round add up without limit/);
});

test("the examples of the README give what stands behind them", async () => {
  const text = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const Running = Object.getPrototypeOf(async () => {}).constructor;
  let compared = 0;
  for (const [, block] of text.matchAll(/^```js\n(.*?)^```$/gms)) {
    if (/import|model/.test(block)) continue;
    const lines = block.replace(/^([^/\n].*); \/\/ ([-["\d].*)$/gm, (line, expression, value) => (/^const /.test(line) ? line : `same(${expression}, ${value});`));
    const same = (given, told) => (assert.deepEqual(given, told, block), compared++);
    await new Running("trapeze", "same", lines)(trapeze, same);
  }
  assert.equal(compared, 8);
});

test("no derivation is a result", () => {
  const none = { n: 0, arc: [[]] };
  assert.equal(trapeze.builtin("eisner-single-root").run("max", none, { best: true }).value, null);
  assert.equal(trapeze.builtin("eisner-single-root").run("count", none).value, 0);
  assert.equal(trapeze.builtin("eisner-single-root").run("log", none, { marginals: true }).marginals, null);
});

test("it works in a worker", async () => {
  const code = `import("${new URL("../dist/index.js", import.meta.url)}").then(async ({ load }) => {
    const { value } = (await load()).builtin("eisner").run("max", { n: 2, arc: ${JSON.stringify(arc)} });
    require("node:worker_threads").parentPort.postMessage(value);
  })`;
  const worker = new Worker(code, { eval: true });
  assert.equal(await new Promise((said, failed) => worker.once("message", said).once("error", failed)), 6);
  await worker.terminate();
});

test("a batch gives what its problems give one by one", () => {
  const eisner = trapeze.builtin("eisner");
  let seed = 1;
  const next = () => ((seed = (seed * 48271) % 2147483647), (seed / 2147483647) * 4 - 2);
  const problems = [3, 7, 3, 12].map((n) => eisner.problem([n], next));
  const { values, marginals } = eisner.runBatch("log", problems, { marginals: true });
  problems.forEach((one, p) => {
    const alone = eisner.run("log", one, { marginals: true });
    assert.equal(values[p], alone.value);
    assert.deepEqual(marginals.arc[p].data, alone.marginals.arc.data);
  });
  assert.throws(() => eisner.runBatch("log", [problems[0], {}]), /problem 1: .*length/);
});

test("check counts what the file declares", () => {
  const check = trapeze.builtin("eisner").check();
  assert.deepEqual(check.counts.map((c) => c.derivations), [1, 1, 3, 12, 55, 273]);
  assert.deepEqual([check.time, check.space, check.products, check.ambiguous], ["n^3", "n^2", 35220, false]);
  assert.ok(trapeze.builtin("skip-note").check(3).ambiguous);
});

test("drawings and figures", () => {
  const eisner = trapeze.builtin("eisner");
  const { best } = eisner.run("max", { n: 2, arc }, { best: true });
  assert.match(draw(eisner, [2], best.weights, { words: ["a", "<b>"] }), /^<svg[\s\S]*&lt;b&gt;[\s\S]*<\/svg>\n$/);
  assert.match(eisner.show(), /─+ attach-right {2}× arc\[i,j\]/);
  assert.match(eisner.show("latex"), /^\\documentclass/);
});

test("a chart's values are sums of its products, inside and outside", () => {
  const log = (list) => (list.length ? Math.max(...list) + Math.log(list.reduce((sum, x) => sum + Math.exp(x - Math.max(...list)), 0)) : -Infinity);
  for (const name of ["eisner", "cky", "semimarkov", "edit", "align-words", "tree-edit"]) {
    const rules = trapeze.builtin(name);
    let seed = 7;
    const next = () => ((seed = (seed * 48271) % 2147483647), seed / 2147483647);
    const chart = rules.chart("log", rules.problem(rules.lengths.map((n) => (/^[A-Z]/.test(n) ? 2 : 3)), next, (bound) => Math.floor(next() * bound)), { force: true });
    let cells = 0;
    for (const cell of chart.cells) {
      const sum = (list) => list.reduce((a, b) => a + b, 0);
      const weights = (one) => sum(one.weights.map((w) => w.value));
      const inside = log(cell.instances.map((one) => sum(one.premises.map((p) => p.inside)) + weights(one)).filter((x) => x > -Infinity));
      const outside = cell.uses.flatMap((one) =>
        one.premises.flatMap((premise, p) => (premise === cell ? [one.conclusion.outside + sum(one.premises.filter((_, q) => q !== p).map((x) => x.inside)) + weights(one)] : [])),
      );
      if (cell === chart.goal) outside.push(0);
      for (const [a, b] of [[inside, cell.inside], [log(outside.filter((x) => x > -Infinity)), cell.outside]])
        // Rounding of a few dozen terms of size 10.
        assert.ok(a === b || Math.abs(a - b) < 1e-13 * Math.max(1, Math.abs(b)) * 8, `${name} ${cell.item}[${cell.index}]: ${a} and ${b}`);
      for (const one of cell.instances) for (const premise of one.premises) assert.ok(premise.step <= cell.step);
      cells++;
    }
    assert.ok(cells > 3, `${name}: ${cells} cells`);
    assert.ok(chart.goal.inside > -Infinity && chart.goal.outside === 0);
  }
});
