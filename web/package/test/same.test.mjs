// Are the answers those of the command, and of the library on this machine, to the bit?
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { fuses, load } from "../dist/index.js";
import { output as run } from "../../tests/wasi.mjs";
import { digestFused, digestWasm, missing, output } from "../../tests/native.mjs";

test("all rule sets and semirings have the digest of this machine", { skip: missing }, async () => {
  const here = output("digest");
  const said = new Set(here.trim().split("\n").map((line) => line.split(" ")[0]));
  for (const name of (await load()).names) assert.ok(said.has(name), name);
  assert.equal(await run(await readFile(digestWasm)), here);
});

test("so they have with a multiply-add that rounds once", { skip: missing }, async (t) => {
  setFlagsFromString("--experimental-wasm-relaxed-simd"); // which Node has without it from 21 on
  if (!fuses()) return t.skip("this machine has none");
  assert.equal(await run(await readFile(digestFused)), output("digest"));
});

const asked = [
  ["max", ["--best", "--kbest=4", "--max-marginals", "--derivation", "--path"], { best: true, kbest: 4, derivation: true, path: true, through: true }],
  ["log", ["--marginals", "--sample=3", "--seed=5"], { marginals: true, samples: 3, seed: 5 }],
  ["entropy", [], {}],
  ["kbest(3)", [], {}],
  ["ties", [], {}],
  ["count", [], {}],
  ["bool", [], {}],
];

/** A result of the package as the command prints it. */
function printed(result) {
  const { through, ...rest } = JSON.parse(JSON.stringify(result));
  if (through !== undefined) rest.max_marginals = through;
  if (rest.values !== undefined) delete rest.value;
  for (const one of [rest.best, ...(rest.kbest ?? [])]) {
    if (one === rest.best && one) rest.derivation = one.derivation;
    delete one?.derivation;
  }
  return rest;
}

test("results are the command's", { skip: missing }, async () => {
  const trapeze = await load();
  let at = 3;
  const next = () => (at = (at * 48271) % 2147483647) / 2147483647;
  let compared = 0;
  for (const name of trapeze.names) {
    const rules = trapeze.builtin(name);
    const lengths = rules.lengths.map((length) => (/^[A-Z]/.test(length) ? 2 : 3));
    const problem = rules.problem(lengths, () => Math.round(next() * 800 - 400) / 100, (bound) => Math.floor(next() * bound));
    for (const [semiring, options, wanted] of asked) {
      const line = output("trapeze", ["run", "-r", name, "-s", semiring, "--force", ...options], JSON.stringify(problem));
      const expected = JSON.parse(line);
      for (const length of rules.lengths) delete expected[length];
      assert.deepEqual(printed(rules.run(semiring, problem, { ...wanted, force: true })), expected, `${name} x ${semiring}`);
      compared++;
    }
  }
  assert.equal(compared, trapeze.names.length * asked.length);
});
