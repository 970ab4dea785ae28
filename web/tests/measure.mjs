// How fast: the page, and eisner x log with marginals in WebAssembly. SPDX-License-Identifier: MIT
import { gzipSync } from "node:zlib";
import { setFlagsFromString } from "node:v8";
import { fuses, load } from "../package/dist/index.js";
import { serve } from "../serve.mjs";
import { launch } from "./chromium.mjs";

const N = 40, BATCH = 32;
const dist = new URL("../playground/dist/", import.meta.url);

/** The least of several runs, in milliseconds. */
function least(run) {
  let best = Infinity;
  for (const end = performance.now() + 3000; performance.now() < end;) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const problem = () => ({ n: N, arc: Float64Array.from({ length: (N + 1) ** 2 }, () => Math.random() * 4 - 2) });
setFlagsFromString("--experimental-wasm-relaxed-simd"); // which Node has without it from 21 on
for (const [name, precision] of ["trapeze", ...(fuses() ? ["trapeze-fused"] : [])].flatMap((name) => ["f64", "f32"].map((precision) => [name, precision]))) {
  const eisner = (await load(new URL(`../package/dist/${name}.wasm`, import.meta.url))).builtin("eisner");
  const [one, many] = [problem(), Array.from({ length: BATCH }, problem)];
  const single = least(() => eisner.run("log", one, { marginals: true, precision }));
  const batch = least(() => eisner.runBatch("log", many, { marginals: true, precision })) / BATCH;
  console.log(`${name}: eisner x log with marginals, n = ${N}, ${precision}: ${(1e3 * single).toFixed(0)} us alone, ${(1e3 * batch).toFixed(0)} us each of ${BATCH}`);
}

const site = await serve(dist.pathname);
const browser = await launch();
for (let visit = 0; visit < 3; visit++) {
  const page = await browser.newPage();
  const asked = [];
  page.on("response", (response) => response.url().endsWith(".model") || asked.push(response.body()));
  await page.goto(site.url);
  await page.waitForSelector("html[data-ready]");
  const ready = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await page.click("#tab-run");
  await page.waitForSelector("#value");
  const answer = await page.evaluate(() => performance.now());
  const clicked = performance.now();
  await page.click("#tab-compress");
  await page.waitForSelector("#compressions h2");
  const compressed = performance.now() - clicked;
  console.log(`page: first paint ${paint?.toFixed(0)} ms, ready ${ready.toFixed(0)} ms, a first answer ${answer.toFixed(0)} ms; a first compression ${compressed.toFixed(0)} ms after the click on its view`);
  if (visit === 0) {
    const all = await Promise.all(asked);
    const megabytes = (sizes) => (sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(2);
    console.log(`download: ${megabytes(all.map((body) => body.length))} MB, ${megabytes(all.map((body) => gzipSync(body, { level: 9 }).length))} MB with gzip`);
  }
  await page.close();
}
await browser.close();
site.close();
