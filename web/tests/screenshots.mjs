// A picture of each view at two widths: node screenshots.mjs FOLDER. SPDX-License-Identifier: MIT
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../serve.mjs";
import { launch } from "./chromium.mjs";

const folder = process.argv[2] ?? "screenshots";
const text =
  "The old bridge, which was built in 1911, was closed on Monday, Mr. Holt said. Repairs by Acme Inc. of Dover, the largest firm in " +
  "the region, will take a year.\nA person commits an offence under this section if he fails to give such notice or any part of it. " +
  "“We are sorry,” he said.";
await mkdir(folder, { recursive: true });
const site = await serve(new URL("../playground/dist", import.meta.url).pathname);
const browser = await launch();
for (const width of [1280, 400])
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.on("console", (message) => console.log(message.text()));
    page.on("pageerror", (error) => console.log(error));
    await page.goto(site.url);
    await page.waitForSelector("html[data-ready]");
    for (const view of ["rules", "run", "watch", "compress"]) {
      await page.click(`#tab-${view}`);
      if (view === "watch") {
        for (let i = 0; i < 3; i++) await page.click("#forth");
        await page.click('[data-cell="rtri[0,2]"]');
      }
      if (view === "compress") {
        await page.fill("#english", text);
        await page.waitForFunction(() => document.querySelectorAll("#compressions section").length === 4);
      }
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(folder, `${view}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.close();
  }
await browser.close();
site.close();
