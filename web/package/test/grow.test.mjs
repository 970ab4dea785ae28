// Sessions: what they answer is what a run of the whole answers, to the bit.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, Table, TrapezeError } from "../dist/index.js";

const trapeze = await load();
let seed = Number(process.env.TZ_SEED ?? 1);
const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
const below = (n) => Math.floor(next() * n);
const score = () => 8 * next() - 4;
const array = (...extent) => (extent.length === 0 ? score() : Array.from({ length: extent[0] }, () => array(...extent.slice(1))));
const square = (table, n) => table.slice(0, n + 1).map((row) => row.slice(0, n + 1));

const bits = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("hex");
const cells = (weights) => weights && Object.fromEntries(Object.entries(weights).map(([name, of]) => [name, bits(of instanceof Table ? of.data : of.map((entry) => entry.at(-1)))]));

/** Compares all that a session answers with a run of the whole. */
function same(session, semiring, problem, what = "") {
  const options = { max: { best: true, kbest: 3, derivation: true }, log: { marginals: true, samples: 2, seed: 3 } }[semiring];
  const whole = session.rules.run(semiring, problem, { ...options, force: true });
  assert.equal(bits([session.value]), bits([whole.value]), what);
  if (semiring === "max") {
    assert.deepEqual(session.best, whole.best, what);
    assert.deepEqual(session.kbest(3, { derivation: true }), whole.kbest, what);
  }
  if (semiring === "log") {
    assert.deepEqual(session.samples(2, 3), whole.samples, what);
    assert.deepEqual(cells(session.marginals), cells(whole.marginals), what);
  }
}

for (const semiring of ["log", "max"])
  test(`words of a chain, one by one and several, and back, under ${semiring}`, () => {
    const chain = trapeze.builtin("chain");
    const [start, trans, emit] = [array(3), array(3, 3), array(12, 3)];
    const upto = (n) => ({ n, T: 3, start, trans, emit: emit.slice(0, n + 1) });
    const session = chain.grow(semiring, upto(1));
    for (let n = 2; n < 11; n++) {
      assert.deepEqual(session.append({ emit: emit[n] }).lengths, { n, T: 3 });
      same(session, semiring, upto(n));
      assert.equal(chain.run(semiring, session.problem).value, session.value, "what it says is its problem");
    }
    session.truncate(5).append({ emit: emit.slice(6, 10) });
    same(session, semiring, upto(9));
  });

test("a weight with two indices that grow is given as a whole, as arrays or flat; old cells are not read", () => {
  const eisner = trapeze.builtin("eisner");
  const arc = array(9, 9);
  for (const semiring of ["log", "max"]) {
    const session = eisner.grow(semiring, { n: 0, arc: square(arc, 0) });
    for (let n = 1; n < 9; n++) {
      const now = square(arc, n);
      const other = now.map((row, h) => row.map((x, m) => (h < n && m < n ? NaN : x)));
      session.append({ arc: n % 2 ? other : Float64Array.from(other.flat()) });
      same(session, semiring, { n, arc: now });
    }
  }
});

test("where the first index moves with the length, the whole is given", () => {
  const steps = trapeze.rules(`rules steps
length n
weight step[d] -n <= d <= n
item at[i] 0 <= i <= n
goal at[n]

axiom
--- begin * step[0]
at[0]

at[i]
--- on * step[j-i] if i < j
at[j]
`);
  const step = (n) => Array.from({ length: 2 * n + 1 }, (_, q) => Math.sin(q - n));
  const session = steps.grow("log", { n: 2, step: step(2) });
  for (let n = 3; n < 8; n++) same(session.append({ step: step(n) }), "log", { n, step: step(n) });
  same(session.truncate(4), "log", { n: 4, step: step(4) });
});

test("domains that are empty at first, have new cells among old ones, or get smaller", () => {
  const rules = trapeze.rules(`rules domains
structures derivations
length n, m, V
input y[i,j] < V  0 <= i, 0 <= j, i+j <= n
weight gap[i]  0 < i < n
weight pair[i,j]  1 <= i < j <= n
weight far[i,j]  0 <= i, 0 <= j, i+j <= n
weight rest[i]  0 <= i <= m-n
weight word[v]  0 <= v < V
item at[i]  0 <= i <= n
goal at[n]

axiom
--- begin
at[0]

at[i-1]
--- gap * gap[i]  if i < n
at[i]

at[i]
--- pair * pair[i,j] if 1 <= i < j
at[j]

at[i]
--- far * far[i,j-i]  if i < j
at[j]

at[i-1]
--- rest * rest[i]  if i <= m-n
at[i]

at[i-1]
--- word * word[y[i-1,1]]
at[i]
`);
  const at = (n) => [n, 6, 3];
  /** For length n; old: without the cells of that. What nobody may read is NaN or 99. */
  const arrayFor = (name, n, old = -1) => {
    const input = name === "y";
    const { origin, extent } = input ? rules.inputShape(name, at(n)) : rules.shape(name, at(n));
    const declared = (k, index) => k >= 0 && (input ? rules.inputDeclared(name, at(k), index) : rules.declared(name, at(k), index));
    const fill = (index) => {
      const q = index.length;
      if (q < extent.length) return Array.from({ length: extent[q] }, (_, i) => fill([...index, origin[q] + i]));
      if (!declared(n, index) || declared(old, index)) return input ? 99 : NaN;
      const [i, j = 0] = index;
      return input ? (2 * i + j) % 3 : Math.sin(name.length + 3 * i + 7 * j);
    };
    return fill([]);
  };
  const problem = (n) => ({ n, m: 6, V: 3, ...Object.fromEntries(["y", "gap", "pair", "far", "rest", "word"].map((name) => [name, arrayFor(name, n)])) });
  for (const semiring of ["log", "max"])
    for (const first of [0, 1]) {
      const session = rules.grow(semiring, problem(first), { force: true });
      let now = first;
      for (const n of [first + 1, 4, 5, 3, 6, 2, 4]) {
        if (n < now) session.truncate(n);
        else {
          const gap = Array.from({ length: n - now }, (_, k) => Math.sin(3 + 3 * (now + k)));
          session.append({ gap, y: arrayFor("y", n, now), pair: arrayFor("pair", n), far: arrayFor("far", n, now) });
        }
        now = n;
        same(session, semiring, problem(n), `n = ${n}`);
      }
    }
});

test("copies go on by themselves, whichever is asked", () => {
  const chain = trapeze.builtin("chain");
  const [start, trans] = [array(2), array(2, 2)];
  const begun = array(4, 2);
  let beam = [[chain.grow("log", { n: 3, T: 2, start, trans, emit: begun }), begun]];
  for (let turn = 0; turn < 6; turn++) {
    const longer = beam.flatMap(([session, emit]) =>
      [0, 1].map(() => {
        const row = array(2);
        return [session.copy().append({ emit: row }), [...emit, row]];
      }),
    );
    for (const [session] of beam) session.free();
    beam = longer.filter(([session], b) => (b % 2 === turn % 2 && longer.length > 4 ? (session.free(), false) : true));
    const order = [...beam, ...[...beam].reverse()];
    for (const [session, emit] of order) same(session, "log", { n: emit.length - 1, T: 2, start, trans, emit });
  }
  for (const [session] of beam) session.free();
  assert.throws(() => beam[0][0].value, /was freed/);
});

test("inputs, and sparse weights, which stay", () => {
  const hmm = trapeze.rules(`rules hmm
length n, T, V
input x[i] < V 1 <= i <= n
weight trans[a,b] 0 <= a < T, 0 <= b < T
weight emit[a,v] 0 <= a < T, 0 <= v < V
item state[i,a] 1 <= i <= n, 0 <= a < T
goal state[n,0]

axiom
--- first * emit[a,x[1]]
state[1,a]

state[i-1,a]
--- then * trans[a,b] * emit[b,x[i]]
state[i,b]
`);
  const [trans, emit, x] = [array(2, 2), array(2, 3), Array.from({ length: 8 }, () => below(3))];
  const tagged = (n) => ({ n, T: 2, V: 3, trans, emit, x: x.slice(0, n) });
  const session = hmm.grow("log", tagged(3));
  for (let n = 4; n < 9; n++) same(session.append({ x: n % 2 ? x[n - 1] : [x[n - 1]] }), "log", tagged(n));
  const cky = trapeze.builtin("cky");
  const binary = [[0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 0, 0]].map((entry) => [...entry, score()]);
  const span = array(2, 8, 8);
  const words = (n) => ({ n, T: 2, binary, span: span.map((of) => square(of, n)) });
  const spans = cky.grow("log", words(1));
  for (let n = 2; n < 8; n++) same(spans.append({ span: words(n).span }), "log", words(n));
});

test("it refuses what does not fit, and stays as it was", () => {
  const chain = trapeze.builtin("chain");
  const problem = { n: 2, T: 2, start: [0, 0], trans: [[0, 0], [0, 0]], emit: [[0, 0], [0, 0], [0, 0]] };
  const session = chain.grow("log", problem);
  const refused = (call, message) => assert.throws(call, (error) => error instanceof TrapezeError && message.test(error.message));
  refused(() => session.append({}), /^emit lacks: it grows in n$/);
  refused(() => session.append({ trans: [[0, 0], [0, 0]], emit: [0, 0] }), /^trans does not grow in n$/);
  refused(() => session.append({ emit: [0] }), /^emit is an array of 2 or more/);
  refused(() => session.append({ emit: 0 }), /^emit: give an array of 1 dimensions/);
  refused(() => session.truncate(4), /^n is 2: it cannot go back to 4$/);
  refused(() => session.append({ emit: [0, 0] }, "m"), /^no length is called 'm': n, T$/);
  refused(() => session.best, /^this takes a semiring that picks one derivation, such as max; not log$/);
  refused(() => chain.grow("max", problem).marginals, /^this takes a semiring of probabilities, such as log; not max$/);
  refused(() => chain.grow("max", problem).samples(1), /that sums over derivations, such as log; not max$/);
  refused(() => chain.grow("log", { ...problem, emitt: 1 }), /neither a length nor a weight 'emitt'/);
  refused(() => chain.grow("log", { n: 2, T: 2, start: [0, 0] }), /lacks the weight 'trans'/);
  refused(() => trapeze.builtin("eisner").grow("max", { n: 1, arc: array(2, 2) }).append({ arc: array(2, 3) }), /^arc is of 3 x 3 for n = 2: what grows in several indices is given as a whole$/);
  refused(() => trapeze.builtin("edit").grow("max", { n: 1, m: 1, sub: array(2, 2), del: array(2, 2), ins: array(2, 2) }).append({ sub: array(2), del: array(2, 2) }), /^ins lacks/);
  assert.equal(session.value, chain.run("log", problem).value);
  refused(() => session.append({ emit: [NaN, 0] }).value, /nan/i);
  assert.equal(session.truncate(2).value, chain.run("log", problem).value, "and after all that it works");
});

/** A part of arrays in arrays: from[q] .. to[q] - 1 in each dimension. */
const part = (of, from, to) => (from.length === 0 ? of : Array.from(of).slice(from[0], to[0]).map((row) => part(row, from.slice(1), to.slice(1))));

/** What a session is given to go on to these lengths, of a problem that is longer. */
function added(rules, problem, old, lengths, l) {
  const shapes = [...rules.weights.filter((w) => !w.sparse).map(({ name }) => [name, (at) => rules.shape(name, at)]), ...rules.inputs.map((name) => [name, (at) => rules.inputShape(name, at)])];
  const ret = {};
  for (const [name, shape] of shapes) {
    const { extent } = shape(lengths);
    const more = shape(lengths.map((n, i) => (i === l ? n + 1 : n))).extent;
    const axes = extent.flatMap((e, q) => (e !== more[q] ? [q] : []));
    const from = extent.map((e, q) => (axes.length === 1 && q === axes[0] ? e - (lengths[l] - old[l]) : 0));
    if (axes.length > 0) ret[name] = part(problem[name], from, extent);
  }
  return ret;
}

test("a grown chart equals the whole: all rule sets, in each length", async (t) => {
  const folder = new URL("../../../rules/", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".rules"));
  let compared = 0;
  let refused = 0;
  for (const file of files) {
    const text = await readFile(new URL(file, folder), "utf8");
    const rules = trapeze.rules(text, file);
    const cost = /^closure/m.test(text) ? () => -3 - next() : score;
    for (const [l, length] of rules.lengths.entries()) {
      if (/^[A-Z]/.test(length)) continue;
      const at = (n) => rules.lengths.map((other, i) => (i === l ? n : /^[A-Z]/.test(other) ? 2 : 3));
      const moves = ({ name, sparse }) => !sparse && String(rules.shape(name, at(2)).origin) !== String(rules.shape(name, at(6)).origin);
      if (rules.weights.some(moves)) continue; // position 0 is of another index then
      const all = rules.problem(at(6), cost, below);
      for (const { name, sparse, rank } of rules.weights) // entries do not grow
        if (sparse) all[name] = all[name].filter((entry) => rules.declared(name, at(2), [...entry.slice(0, rank), ...Array(7 - rank).fill(0)]));
      const semiring = below(2) ? "log" : "max";
      const options = { force: true, derivation: true, ...(semiring === "log" ? { marginals: true } : { best: true }) };
      const session = rules.grow(semiring, { ...all, [length]: 2 }, { force: true });
      let old = 2;
      for (const n of [3, 4, 6, 3, 5, 6]) {
        if (n < old) session.truncate(n, length);
        else {
          session.append(added(rules, all, at(old), at(n), l), length);
          while (session.lengths[length] < n) session.append({}, length); // where no array grows
        }
        old = n;
        let whole;
        try {
          whole = rules.run(semiring, { ...all, [length]: n }, options);
        } catch (error) {
          assert.throws(() => session.value, TrapezeError, `${file}: ${error.message}`);
          refused++;
          continue;
        }
        const what = `${file} x ${semiring}: ${length} = ${n}`;
        assert.equal(bits([session.value ?? -Infinity]), bits([whole.value ?? -Infinity]), what);
        if (semiring === "log") assert.deepEqual(cells(session.marginals), cells(whole.marginals), what);
        else assert.deepEqual(session.best, whole.best, what);
        compared++;
      }
    }
    rules.free();
  }
  t.diagnostic(`TZ_SEED=${process.env.TZ_SEED ?? 1}: ${compared} charts of ${files.length} rule sets; ${refused} refused`);
  assert.ok(compared > 4 * files.length);
});
