// The figures of a rule set, from what `show` writes as text, in the typography of a paper.
// SPDX-License-Identifier: MIT
import { h, m, sideways } from "./dom.js";

export interface Figure {
  premises: string[];
  /** What stands right of the bar. */
  name: string;
  weights: string[];
  condition: string;
  conclusion: string;
}

/** Of a weight or an item: `rtri[i,j]`, `0 <= i <= j <= n`, and what it means. */
export interface Declaration {
  text: string;
  domain: string;
  comment: string;
}

export interface Figures {
  about: string;
  cites: string[];
  weights: Declaration[];
  items: Declaration[];
  goal: string;
  rules: Figure[];
}

const terms = (line: string) => line.trim().split(/\s{2,}/);

/** A weight's or item's line: its form, where it is declared, and what it means. */
function declaration(rest: string): Declaration {
  const [said = "", comment = ""] = rest.split(/\s+#\s(.*)/s);
  const [, text = said, domain = ""] = /^(\w+(?:\[[^\]]*\])?(?: sparse)?)\s*(.*)$/.exec(said.trim()) ?? [];
  return { text, domain, comment };
}

function bar(line: string): Pick<Figure, "name" | "weights" | "condition"> {
  const [, after = ""] = /^\s*─+\s*(.*)$/.exec(line) ?? [];
  const [head = "", condition = ""] = after.split(/\s+if\s(.*)/s);
  const [name = "", ...weights] = head.split("×").map((part) => part.trim());
  return { name, weights, condition };
}

/** Reads the figures; what it does not know, it leaves out. */
export function readFigures(text: string): Figures {
  const ret: Figures = { about: "", cites: [], weights: [], items: [], goal: "", rules: [] };
  const lines = text.split("\n");
  const about: string[] = [];
  for (const [i, line] of lines.entries()) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (line.startsWith("# ") && ret.cites.length === 0) about.push(line.slice(2));
    else if (word === "cite") ret.cites.push(rest);
    else if (word === "weight") ret.weights.push(declaration(rest));
    else if (word === "item") ret.items.push(declaration(rest));
    else if (word === "goal") ret.goal = rest;
    else if (/^\s+─/.test(line)) {
      const above = lines[i - 1]!.trim();
      ret.rules.push({
        premises: above === "axiom" ? [] : terms(above),
        ...bar(line),
        conclusion: lines[i + 1]!.trim(),
      });
    }
  }
  ret.about = about.join("\n");
  return ret;
}

const operators: Record<string, string> = { "<=": "≤", ">=": "≥", "!=": "≠", "-": "−", "*": "·" };

/** A term or a condition as MathML. */
export function formula(text: string): Element {
  const row = m("mrow");
  for (const [token] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*|\d+|<=|>=|!=|\S/gu)) {
    const kind = /^[\p{L}_]/u.test(token) ? "mi" : /^\d/.test(token) ? "mn" : "mo";
    const long = kind === "mi" && token.length > 1;
    const attributes: Record<string, string> = kind === "mo" && "[](),".includes(token) ? { stretchy: "false", lspace: "0", rspace: token === "," ? "0.2em" : "0" } : {};
    row.append(m(kind, long ? { class: "name" } : attributes, operators[token] ?? token));
  }
  return row;
}

const math = (...children: Element[]) => m("math", { displaystyle: "true" }, ...children);

/** The fraction, and what stands right of its bar, which goes on below where there is no room. */
function figureOf(rule: Figure): HTMLElement {
  const above = m("mrow");
  rule.premises.forEach((premise, p) => {
    if (p > 0) above.append(m("mspace", { width: "1em" }));
    above.append(formula(premise));
  });
  if (rule.premises.length === 0) above.append(m("mspace", { width: "3em", height: "0.8em" }));
  const side: Element[] = [h("span", { class: "said" }, rule.name)];
  for (const weight of rule.weights) side.push(math(m("mo", {}, "×"), formula(weight)));
  if (rule.condition) side.push(math(m("mtext", {}, "if "), formula(rule.condition)));
  return h("div", { class: "figure" }, math(m("mfrac", {}, above, formula(rule.conclusion))), h("span", { class: "side" }, ...side));
}

function declarations(title: string, list: readonly Declaration[]): HTMLElement | null {
  if (list.length === 0) return null;
  const rows = list.map(({ text, domain, comment }) =>
    h("tr", {}, h("td", {}, math(formula(text.replace(/ sparse$/, ""))), text.endsWith(" sparse") ? " sparse" : null), h("td", {}, domain ? math(formula(domain)) : ""), h("td", {}, ...prose(comment))),
  );
  return h("div", { class: "scroll" }, h("h3", {}, title), h("table", { class: "list" }, h("tbody", {}, ...rows)));
}

/** Text whose names stand between backquotes. */
const prose = (text: string) => text.replaceAll("\n", " ").split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));

/** All of a rule set as a paper would print it. */
export function drawFigures(text: string): HTMLElement {
  const figures = readFigures(text);
  return h(
    "div",
    {},
    h("p", { class: "about" }, ...prose(figures.about)),
    sideways(h("div", { class: "figures scroll" }, ...figures.rules.map(figureOf))),
    declarations("Items", figures.items),
    declarations("Weights", figures.weights),
    h("h3", {}, "Goal"),
    math(formula(figures.goal)),
    figures.cites.length > 0 ? h("h3", {}, "Sources") : null,
    ...figures.cites.map((cite) => h("div", { class: "about" }, cite)),
  );
}
