// Rules: the editor, the gallery, the figure, and what the rules cost. SPDX-License-Identifier: MIT
import { type Rules, RulesError } from "trapeze";
import { h, labelled, later } from "./dom.js";
import { Editor, type Message } from "./editor.js";
import { drawFigures } from "./figure.js";
import { sources, type Store } from "./state.js";

const GALLERY = "gallery/";
const inGallery = Object.keys(sources)
  .filter((name) => name.startsWith(GALLERY))
  .sort();

/** n^3 as people write it. */
const powers = (text: string) => text.replace(/\^(\d+)/g, (_, digits: string) => digits.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]!));

/** Of each label set, where derivations are counted. */
const LABELS = 2;
const isLabelSet = (length: string) => /^\p{Lu}/u.test(length);

function facts(rules: Rules): HTMLElement {
  const check = rules.check(4);
  const [first = "n", ...others] = [...rules.lengths].sort((a, b) => Number(isLabelSet(a)) - Number(isLabelSet(b)));
  const set = others.map((name) => (isLabelSet(name) ? `${name} = ${LABELS}` : `${name} = ${first}`));
  const rows = check.counts.map(({ n, derivations, structures }) =>
    h("tr", {}, ...[n, derivations, structures].map((x) => h("td", {}, x === null ? "–" : x.toLocaleString("en")))),
  );
  const head = [[first, ...set].join(", "), "derivations", "structures"].map((text) => h("th", { scope: "col" }, text));
  return h(
    "div",
    {},
    h(
      "dl",
      { class: "facts" },
      ...[
        ["order", check.order.join("; ")],
        ["time", powers(check.time)],
        ["space", powers(check.space)],
        ["products", check.products === null ? "too many to count" : `${check.products.toLocaleString("en")} for ${[`${first} = 40`, ...set].join(", ")}`],
        ["ambiguous", check.ambiguous ? "yes: some structure has several derivations" : "no, as far as was looked"],
      ].flatMap(([name, value]) => [h("dt", {}, name), h("dd", { id: `fact-${name}` }, value)]),
    ),
    h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}

export function makeRulesView(panel: HTMLElement, store: Store): void {
  const place = h("div", { class: "editor" });
  const messages = h("ul", { class: "messages", "aria-live": "polite", id: "messages" });
  const figure = h("div", { id: "figure" });
  const cost = h("div", { id: "facts" });
  const gallery = h(
    "select",
    {
      id: "gallery",
      change: () => store.change("rules", { builtin: gallery.value, text: "", lengths: {}, typed: "", step: 0 }),
    },
    h("option", { value: "" }, "your own"),
    h("optgroup", { label: "built in" }, ...store.trapeze.names.map((name) => h("option", { value: name }, name))),
    h("optgroup", { label: "gallery" }, ...inGallery.map((name) => h("option", { value: name }, name.slice(GALLERY.length)))),
  );
  const changed = later(() => {
    if (editor.text !== store.text) store.change("rules", { builtin: "", text: editor.text, step: 0 });
  }, 200);
  const editor = new Editor(place, store.text, changed);
  panel.append(
    h(
      "div",
      { class: "columns" },
      h("div", { class: "panel" }, h("div", { class: "bar" }, labelled("Rule set", gallery)), place, messages),
      h(
        "div",
        {},
        h("section", { class: "panel", "aria-label": "Figure" }, figure),
        h("section", { class: "panel", "aria-label": "Order and cost" }, h("h2", {}, "Order and cost"), cost),
      ),
    ),
  );

  const say = (list: readonly Message[]) => {
    editor.show(list);
    messages.replaceChildren(
      ...list.map(({ line, column, text, severity }) =>
        h(
          "li",
          { class: severity === "error" ? "wrong" : "" },
          h("button", { type: "button", click: () => editor.go(line, column) }, `line ${line}`),
          ` ${text}`,
        ),
      ),
    );
  };

  const look = later(() => {
    if (store.rules !== null && store.state.view === "rules") cost.replaceChildren(facts(store.rules));
  }, 30);

  store.listen((what) => {
    if (what === "view") look();
    if (what !== "rules") return;
    gallery.value = store.state.builtin;
    editor.text = store.text;
    let rules: Rules;
    try {
      rules = store.trapeze.rules(store.text, store.state.builtin || "rules");
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      store.rules?.free();
      store.rules = null;
      say([{ line: error.line, column: error.column, text: error.text, severity: "error" }]);
      figure.replaceChildren(h("p", { class: "about" }, "The figure is drawn when the file has no error."));
      cost.replaceChildren();
      return;
    }
    store.rules?.free();
    store.rules = rules;
    say(rules.warnings.map((warning) => ({ ...warning, severity: "warning" })));
    figure.replaceChildren(drawFigures(rules.show()));
    look();
  });
}

