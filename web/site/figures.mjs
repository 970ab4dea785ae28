// The figures of rule sets as HTML, by the playground's own code: reads {NAME: text as `trapeze rules show`
// prints it}, writes {NAME: HTML}. node figures.mjs <IN >OUT. SPDX-License-Identifier: MIT
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** As much of a page as figures take. */
class Element {
  #tag;
  #attributes = "";
  #inside = "";
  constructor(tag) {
    this.#tag = tag;
  }
  setAttribute(name, value) {
    this.#attributes += ` ${name}="${escaped(value)}"`;
  }
  append(...children) {
    for (const child of children) this.#inside += typeof child === "string" ? escaped(child) : child;
  }
  toString() {
    return `<${this.#tag}${this.#attributes}>${this.#inside}</${this.#tag}>`;
  }
}
globalThis.document = { createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag) };
globalThis.ResizeObserver = class {
  observe() {}
};

const source = new URL("../playground/src/figure.ts", import.meta.url).pathname;
const { outputFiles } = await build({ entryPoints: [source], bundle: true, format: "esm", write: false });
const { drawFigures } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
const texts = JSON.parse(readFileSync(0, "utf8"));
// One line: Markdown leaves it alone.
const html = Object.entries(texts).map(([name, text]) => [name, String(drawFigures(text)).replaceAll("\n", " ")]);
process.stdout.write(JSON.stringify(Object.fromEntries(html)));
