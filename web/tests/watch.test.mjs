// The playground's view Watch, in Chromium, used as people use it. SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, page, said, site } from "./visit.mjs";

test("the chart goes step by step; a cell shows its products, which add up", async () => {
  await open();
  await page.click("#tab-watch");
  const filled = () => page.$$eval("#chart button", (all) => all.filter((cell) => cell.textContent !== "").length);
  const counts = [await filled()];
  for (let step = 1; step < 5; step++) {
    await page.click("#forth");
    counts.push(await filled());
  }
  // n = 4: of stage d there are 5 - d and 4 - d triangles, and as many trapezoids from d = 1 on.
  assert.deepEqual(counts, [9, 23, 33, 39, 41]);
  const shownAs = async () => Number((await page.textContent("#products h2")).split("=")[1].replace("−", "-"));
  const sum = async () => {
    const products = await page.$$eval("#products [data-product]", (all) => all.map((one) => Number(one.dataset.product)));
    return { count: products.length, sum: Math.log(products.reduce((total, x) => total + Math.exp(x), 0)) };
  };
  await page.click('[data-cell="rtri[0,4]"]');
  const inside = await sum();
  assert.equal(inside.count, 4);
  assert.ok(Math.abs(inside.sum - (await shownAs())) < 1e-6); // eight digits are shown
  await page.selectOption("#direction", "outside");
  await page.waitForFunction(() => /step 1 of 5, stage 4/.test(document.querySelector("#step-said").textContent));
  await page.click('[data-cell="rtrap[0,2]"]');
  const outside = await sum();
  assert.ok(outside.count >= 1 && Math.abs(outside.sum - (await shownAs())) < 1e-6);
});

test("Watch item by item, and by itself; words along the axes; the best derivation grows", async () => {
  await open();
  await page.click("#tab-watch");
  const filled = () => page.$$eval("#chart button", (all) => all.filter((cell) => cell.textContent !== "").length);
  const step = () => page.textContent("#step-said");
  const arcs = () => page.$$eval("#growing svg path", (all) => all.map((one) => one.getAttribute("d")).join("").split("M").length);
  assert.match(await page.textContent("#semiring-said"), /^log: .*log\(exp a \+ exp b\)/);
  assert.equal(await page.textContent("#chart .corner"), "i ↓ j →");
  assert.deepEqual(await page.$$eval("#chart .scroll:first-child thead .word", (all) => all.map((one) => one.textContent)), ["the", "cat", "sat", "down"]);
  await page.check("#itemwise");
  assert.equal(await filled(), 1);
  await page.click("#forth");
  assert.equal(await filled(), 2);
  assert.match(await step(), /^item 2 of 41: /);
  await page.uncheck("#itemwise");
  const none = await arcs();
  await page.click("#play");
  await page.waitForFunction(() => /^step 3 of 5/.test(document.querySelector("#step-said").textContent));
  const some = await arcs();
  await page.waitForFunction(() => document.querySelector("#play").textContent === "Play", undefined, { timeout: 10_000 });
  assert.match(await step(), /^step 5 of 5/);
  assert.equal(await filled(), 41);
  assert.ok(none < some && some < (await arcs()), `${none}, ${some}, ${await arcs()} strokes`);
});

test("a chart grows by a word: what is new is computed, the rest stays as it was", async () => {
  await open();
  await page.click("#tab-watch");
  const shown = () => page.$$eval("#chart button", (all) => Object.fromEntries(all.map((cell) => [cell.dataset.cell, cell.textContent])));
  const stays = () => page.$$eval("#chart .stays", (all) => all.map((cell) => cell.dataset.cell));
  for (let step = 0; step < 4; step++) await page.click("#forth");
  const before = await shown();
  assert.equal(await page.textContent("#grow"), "Add a word: n = 5");
  await page.click("#grow");
  await page.waitForSelector("#grown-said:not([hidden])");
  assert.match(await page.textContent("#grown-said"), /^From n = 4 to n = 5: 20 items are computed, 41 stay as they were \(pale\)\.$/);
  assert.match(await page.textContent("#step-said"), /^step 1 of 6, stage 0: 2 new items$/);
  assert.deepEqual((await stays()).sort(), Object.keys(before).sort());
  const first = await shown();
  for (const [cell, value] of Object.entries(before)) assert.equal(first[cell], value, cell);
  assert.equal(Object.values(first).filter((text) => text !== "").length, 41 + 2);
  for (let step = 1; step < 6; step++) await page.click("#forth");
  const grown = await shown();
  assert.ok(Object.values(grown).every((text) => text !== ""));
  // A product of a new item names items that stay.
  await page.click('[data-cell="rtrap[0,5]"]');
  assert.ok(await page.locator("#chart .stays.part").count());
  // The whole chart of the same problem has the same values; the link reproduces what is seen.
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 1);
  const link = page.url();
  await page.click("#whole");
  await page.waitForSelector("#grown-said", { state: "hidden" });
  assert.match(await page.textContent("#step-said"), /of 6, stage 0: 11 items$/);
  for (let step = 0; step < 5; step++) await page.click("#forth");
  assert.deepEqual(await shown(), grown);
  await page.click("#grow");
  await page.waitForFunction(() => /^From n = 5 to n = 6: 24 items/.test(document.querySelector("#grown-said").textContent));
  await page.selectOption("#direction", "outside");
  await page.waitForFunction(() => /Backwards all is new/.test(document.querySelector("#grown-said").textContent));
  assert.equal((await stays()).length, 0);
  await open(link);
  assert.match(await page.textContent("#grown-said"), /^From n = 4 to n = 5: 20 items are computed/);
  assert.deepEqual(await shown(), grown);
  await page.click("#tab-run");
  await page.click("#random");
  await page.click("#tab-watch");
  assert.ok(await page.isHidden("#grown-said"), "other scores have not grown");
});

test("after an error nothing of a former chart is left in Watch", async () => {
  await open();
  await page.click("#tab-watch");
  await page.click("#forth");
  await page.click("#tab-run");
  await page.fill("#scores", '{"n": 2}');
  await page.waitForSelector("#answer [role=alert]");
  await page.click("#tab-watch");
  assert.match(await page.textContent("#chart"), /arc/);
  assert.equal(await page.textContent("#step-said"), "");
  assert.ok(await page.isDisabled("#step"));
  assert.ok(await page.isHidden("#growing"));
  assert.ok(await page.isDisabled("#grow"));
  await page.click("#tab-run");
  await page.click("#random");
  await page.click("#tab-watch");
  assert.match(await page.textContent("#step-said"), /^step \d of 5/);
});

test("a chart that is wider than the page keeps its place as steps go on", async () => {
  await open(site.url, { viewport: { width: 400, height: 800 } });
  await page.click("#tab-run");
  await page.focus("#length-n");
  for (let n = 4; n < 10; n++) await page.keyboard.press("ArrowRight");
  await page.click("#tab-watch");
  await page.$eval("#chart .scroll", (one) => (one.scrollLeft = 90));
  await page.click("#forth");
  assert.equal(await page.$eval("#chart .scroll", (one) => one.scrollLeft), 90);
});

test("on a phone, the cells of a new word come into sight", async () => {
  await open(site.url, { viewport: { width: 390, height: 800 } });
  await page.click("#tab-watch");
  for (let n = 4; n < 8; n++) await page.click("#grow");
  await page.waitForFunction(() => /to n = 8/.test(document.querySelector("#grown-said").textContent));
  const { x, width } = await page.locator('[data-cell="rtri[8,8]"]').boundingBox();
  assert.ok(x >= 0 && x + width <= 390, `at ${x}`);
});

test("the console has stayed empty, and no other address was asked for", () => {
  assert.deepEqual(said, []);
});
