// The site in Chromium: from a folder, and below a path of a server; light and dark, wide and as a phone.
// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { serve } from "../serve.mjs";
import { launch } from "../tests/chromium.mjs";

const html = new URL("../../build/site/html/", import.meta.url).pathname;
let browser, server, root;

before(async () => {
  root = await mkdtemp(join(tmpdir(), "site-"));
  await cp(html, join(root, "some", "path"), { recursive: true });
  server = await serve(root);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
  if (root) await rm(root, { recursive: true });
});

/** Calls with a page, which must say nothing on its console, and ask nobody but where it is from. */
async function visit(origin, options, look) {
  const said = [];
  const page = await browser.newPage(options);
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) said.push(`asks for ${request.url()}`);
  });
  await look(page);
  await page.close();
  assert.deepEqual(said, []);
}

async function pages() {
  const all = await readdir(html, { recursive: true });
  return all.filter((name) => name.endsWith(".html") && !name.startsWith("playground"));
}

for (const [width, colorScheme] of [
  [1280, "light"],
  [390, "dark"],
])
  test(`no page is wider than ${width}, ${colorScheme}`, async () => {
    await visit("file:", { viewport: { width, height: 800 }, colorScheme }, async (page) => {
      const names = await pages();
      assert.ok(names.length > 80);
      for (const name of names) {
        await page.goto(pathToFileURL(join(html, name)).href);
        const [wide, back] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number),
        ]);
        assert.ok(wide <= width, `${name} is ${wide} wide`);
        assert.equal(Math.max(...back) < 128, colorScheme === "dark", name);
      }
    });
  });

for (const [from, origin, address] of [
  ["a folder", "file:", () => pathToFileURL(html).href],
  ["a path of a server", "http:", () => `${server.url}some/path/`],
])
  test(`search, from ${from}`, async () => {
    await visit(origin, { viewport: { width: 1280, height: 800 } }, async (page) => {
      await page.goto(`${address()}rule-sets/eisner.html`);
      await page.click(".md-search__input");
      await page.keyboard.type("transducer", { delay: 20 });
      const link = page.locator(".md-search-result__link", { hasText: "rnn-t" }).first();
      await link.click();
      await page.waitForURL(/rule-sets\/gallery-rnn-t\.html/);
      assert.equal(await page.locator("h1").innerText().then((text) => text.replace("¶", "").trim()), "rnn-t");
    });
  });

test("a rule set's figures, and its link into the playground", async () => {
  await visit("http:", { viewport: { width: 1280, height: 800 } }, async (page) => {
    await page.goto(`${server.url}some/path/rule-sets/gallery-ctc.html`);
    assert.equal(await page.locator(".figure mfrac").count(), 8);
    await page.click("text=Open it in the playground");
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.inputValue("#gallery"), "gallery/ctc");
    await page.click("#documents");
    await page.waitForURL(/some\/path\/index\.html/);
  });
});
