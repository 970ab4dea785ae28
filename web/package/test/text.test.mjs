// Are tokens, trees and compressions those of the command? SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, TrapezeError } from "../dist/index.js";
import { capital, segment, upper, word } from "../dist/unicode.js";
import { missing, output } from "../../tests/native.mjs";

const trapeze = await load();
const shipped = new URL("../dist/english.model", import.meta.url);
const model = await trapeze.model();
const bridge = "The old bridge, which was built in 1911, will be closed to lorries from Monday.";
const root = new URL("../../../", import.meta.url);

test("a sentence is compressed as in README.md", () => {
  assert.equal(model.compress(bridge).compression, "The old bridge will be closed to lorries.");
  assert.equal(model.compress(bridge, { rate: 0.6 }).compression, "The old bridge will be closed to lorries from Monday.");
  const { keep, tokens, heads, compressedHeads } = model.compress(bridge, { keep: 4 });
  assert.equal(keep.filter(Boolean).length, 4);
  assert.equal(keep.length, tokens.length);
  assert.equal(heads.filter((head) => head === 0).length, 1);
  keep.forEach((kept, w) => assert.equal(compressedHeads[w] !== null, kept));
});

test("spans are of the string, also behind what takes several bytes", () => {
  const text = "\ufeff“Naïve” 😀 zombies’ café 𝚘𝚔.";
  const { tokens, spans } = model.tag(text);
  assert.deepEqual(spans.map(([begin, end]) => text.slice(begin, end)), tokens);
  assert.ok(tokens.includes("😀") && tokens.includes("café"), tokens.join("|"));
  assert.deepEqual(model.compress("").tokens, []);
});

test("what is wrong is said", async () => {
  const refused = (call, pattern) => assert.throws(call, (error) => error instanceof TrapezeError && pattern.test(error.message));
  refused(() => model.compress(bridge, { rate: 2 }), /from 0 to 1/);
  refused(() => model.compress(bridge, { rate: 0.5, keep: 3 }), /not both/);
  refused(() => model.compress("word ".repeat(601)), /more than 600 words/);
  refused(() => model.tag("a\0b"), /zero/);
  const bytes = new Uint8Array(await readFile(shipped));
  await assert.rejects(trapeze.model(bytes.subarray(0, 1e6)), /damaged/);
  bytes[3e6] ^= 1;
  await assert.rejects(trapeze.model(bytes), /checksum/);
  await assert.rejects(trapeze.model(new Uint8Array(100)), /not a model/);
  const other = await trapeze.model(shipped);
  other.free();
  refused(() => other.tag(bridge), /given back/);
});

test("bytes that come in parts are counted", async () => {
  const bytes = await readFile(shipped);
  const seen = [];
  const stream = new ReadableStream({
    start(sink) {
      for (const part of [bytes.subarray(0, 1e6), bytes.subarray(1e6)]) sink.enqueue(part);
      sink.close();
    },
  });
  const response = new Response(stream, { headers: { "Content-Length": bytes.length } });
  const again = await trapeze.model(response, (size, total) => seen.push([size, total]));
  assert.equal(again.compress(bridge).compression, model.compress(bridge).compression);
  assert.deepEqual(seen, [[1e6, bytes.length], [bytes.length, bytes.length]]);
  again.free();
});

/** A line as the command prints it. */
function printed({ text, tokens, upos, xpos, heads, labels, compression, keep, compressedHeads }) {
  const kept = keep.map(Number).join("");
  return { text, tokens, upos, xpos, tree: heads, labels, compression, keep: kept, heads: compressedHeads.map((head) => head ?? -1) };
}

const law =
  "A person commits an offence under this section if he fails to give such notice or any part of it. " +
  "The notice specified in subsection (1) shall be given by such person as the court may appoint.";
const paragraph =
  "The old bridge, which was built in 1911, was closed on Monday, Mr. Holt said. Repairs by Acme Inc. of Dover, " +
  "the largest firm in the region, will take a year. “We are sorry,” he said.";

test("whole texts are compressed as by the command: at all lengths, law kept whole or not", { skip: missing }, async () => {
  const files = ["scripts/demo-data/english.txt", "scripts/demo-data/sentences.txt"];
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, root), "utf8")));
  const text = [...texts, paragraph, "\r\n\n", law, "\n"].join("");
  const compared = [
    [[], {}],
    [["--any-text"], { anyText: true }],
    [["--rate=0.3"], { rate: 0.3 }],
    [["--rate=0.6"], { rate: 0.6 }],
    [["--keep=5"], { keep: 5, anyText: false }],
    [["--one-per-line"], {}],
  ];
  for (const [options, how] of compared) {
    const onePerLine = options.includes("--one-per-line");
    const lines = output("trapeze", ["compress", "-f", "json", "--input-format=text", ...options], text, { TRAPEZE_MODEL: shipped.pathname });
    const expected = lines.trim().split("\n").map((line) => JSON.parse(line)).filter(({ text }) => text !== "");
    const sentences = model.sentences(text, { onePerLine });
    const found = sentences.map((sentence) => model.compress(sentence, how));
    assert.deepEqual(found.map(printed), expected, options.join(" "));
    assert.ok(found.length > 20);
    const whole = found.filter(({ likeLaw }) => likeLaw);
    const laws = whole.filter(({ text }) => law.includes(text)); // the others are notes: "/4"
    assert.equal(laws.length, options.length === 0 ? 2 : onePerLine ? 1 : 0, options.join(" "));
    for (const { keep } of whole) assert.ok(keep.every(Boolean));
  }
});

test("a model that is named takes any text, unless it is told", async () => {
  const named = await trapeze.model(shipped);
  const [first] = model.sentences(law);
  for (const [one, options, kept] of [[model, {}, true], [model, { anyText: true }, false], [named, {}, false], [named, { anyText: false }, true]]) {
    const { likeLaw, compression } = one.compress(first, options);
    assert.equal(likeLaw, kept);
    assert.equal(compression === first, kept, compression);
  }
  named.free();
});

test("tokens and tags of all documentation are the command's", { skip: missing }, async () => {
  const files = ["README.md", "docs/sentences.md", "docs/aligner.md", "docs/command.md", "docs/rules.md", "models/README.md"];
  const texts = (await Promise.all(files.map((file) => readFile(new URL(file, root), "utf8")))).join("");
  const lines = texts.split("\n").filter((line) => line.trim() !== "");
  const options = ["tag", "-f", "json", "--input-format=text", "--one-per-line", "-m", shipped.pathname];
  const expected = output("trapeze", options, lines.join("\n")).trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, expected.length);
  lines.forEach((line, i) => {
    const { tokens, upos, xpos } = model.tag(line);
    assert.deepEqual({ text: line, tokens, upos, xpos }, expected[i]);
  });
});

test("texts are cut into sentences as the command cuts them", { skip: missing }, () => {
  const texts = [
    "The old bridge was closed, Mr. Holt said. “It is late.” Repairs by Acme Inc. of Dover take a year! The U.S. Senate met.",
    "One. Two? (Three. Four.) No. 5 is “fünf”; 1.5 is not. and so on",
    "東京に行きます。雨です。",
    "",
  ];
  const options = ["tag", "-f", "json", "--input-format=text", "-m", shipped.pathname];
  for (const text of texts) {
    const expected = output("trapeze", options, text + "\n").trim().split("\n").map((line) => JSON.parse(line).text);
    assert.deepEqual(model.sentences(text), text === "" ? [] : expected);
  }
  assert.equal(model.sentences(texts[0]).length, 4);
});

/** Kinds as hexadecimal digits. */
function kinds(text) {
  const bytes = new TextEncoder().encode(text);
  const ret = new Uint8Array(bytes.length);
  segment(bytes, ret);
  return Buffer.from(ret).toString("hex");
}

test("Unicode is ICU's: all letters, and where random texts are cut", { skip: missing }, () => {
  const lines = output("unicode").split("\n").slice(0, -1);
  const changed = new Set(); // since that ICU's version of Unicode
  let [letters, texts] = [0, 0];
  for (const line of lines) {
    const one = /^([0-9a-f]+) ([0-9a-f]+) ([01]) ([01]) ([0-9a-f]+)$/.exec(line);
    if (one === null) {
      const at = line.indexOf(" ");
      const text = line.slice(at + 1);
      if ([...text].some((letter) => changed.has(letter))) continue;
      assert.equal(kinds(text), line.slice(0, at), JSON.stringify(text));
      texts++;
    } else {
      const code = parseInt(one[1], 16);
      const letter = String.fromCodePoint(code);
      const here = [kinds(letter), word(code), capital(code), upper(code)].join(" ");
      const there = [one[2], one[3] === "1", one[4] === "1", parseInt(one[5], 16)].join(" ");
      if (here !== there) changed.add(letter);
      letters++;
    }
  }
  assert.ok(letters > 20_000 && texts > 8_000, `${letters} letters, ${texts} texts`);
  // Marks that are letters since Unicode 16, and letters that have got a capital.
  for (const letter of changed) assert.match(letter, /^(\p{M}|\p{Ll})$/u);
  assert.ok(changed.size < 60, [...changed].map((letter) => letter.codePointAt(0).toString(16)).join(" "));
  assert.ok(!/[\0-\u017f]/.test([...changed].join("")));
});
