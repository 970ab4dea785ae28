// The playground in Chromium, opened as people open it. SPDX-License-Identifier: MIT
import { after, before } from "node:test";
import { serve } from "../serve.mjs";
import { launch } from "./chromium.mjs";

export let site, page;
let browser;
export const said = [], fetched = [];

before(async () => {
  site = await serve(new URL("../playground/dist", import.meta.url).pathname);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** A new page, whose console must stay empty. */
export async function open(address = site.url, options = {}) {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    fetched.push(request.url());
    if (!request.url().startsWith(site.url) && !/^(data|blob):/.test(request.url())) said.push(`asks for ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
}
