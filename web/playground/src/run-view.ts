// Run: scores, a semiring, and all answers to one problem. SPDX-License-Identifier: MIT
import { type Cells, type Derivation, draw, type Problem, type Proof, type Rules, Table, type Use } from "trapeze";
import { h, labelled, later, shown } from "./dom.js";
import { grids } from "./grid.js";
import { problemOf, problemText, wordsOf } from "./problem.js";
import type { Store } from "./state.js";

const KBEST = 10;
const SAMPLES = 10;
const MOST_ROWS = 60;
const useText = ([name, ...numbers]: Use) => `${name}[${numbers.slice(0, -1).join(",")}]`;

function proofTree(proof: Proof): HTMLElement {
  return h(
    "ul",
    {},
    h(
      "li",
      {},
      h("span", { class: "term" }, `${proof.item}[${proof.index.join(",")}]`),
      " ",
      h("span", { class: "rule" }, proof.rule),
      ...proof.premises.map(proofTree),
    ),
  );
}

function derivationTable(list: readonly Derivation[], words: (weights: readonly Use[]) => void): HTMLElement {
  const rows = list.map((one, k) =>
    h(
      "tr",
      {},
      h("td", { class: "number" }, String(k + 1)),
      h("td", { class: "number" }, shown(one.score, 6)),
      h("td", {}, h("button", { type: "button", click: () => words(one.weights) }, "draw")),
      h("td", { class: "term" }, one.weights.map(useText).join("  ") || "nothing"),
    ),
  );
  const head = ["", "score", "", "uses"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "scroll" }, h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}

/** Numbers as colours: probabilities from 0 to 1, scores from the least to the largest. */
function heat(name: string, cells: Cells, scores: boolean): HTMLElement[] {
  if (!(cells instanceof Table)) {
    const rows = [...cells].sort((a, b) => b.at(-1)! - a.at(-1)!).slice(0, MOST_ROWS);
    const body = rows.map((row) =>
      h("tr", {}, h("td", { class: "term" }, `${name}[${row.slice(0, -1).join(",")}]`), h("td", { class: "number" }, shown(row.at(-1)!))),
    );
    return [h("h3", { class: "term" }, name), h("div", { class: "scroll" }, h("table", { class: "list" }, h("tbody", {}, ...body)))];
  }
  const finite = cells.data.filter(Number.isFinite);
  const [low, high] = scores ? [Math.min(...finite), Math.max(...finite)] : [0, Math.max(1, ...finite)];
  return grids(name, cells.origin, cells.extent, (index) => {
    const value = cells.at(...index)!;
    const none = value === -Infinity || (!scores && value === 0);
    const part = none ? 0 : (value - low) / (high - low || 1);
    const text = shown(value, 3);
    return h(
      "span",
      {
        class: none ? "none" : "",
        title: `${name}[${index.join(",")}] = ${shown(value, 8)}`,
        style: `background: color-mix(in srgb, var(--heat) ${(65 * part).toFixed(1)}%, transparent)`,
      },
      none ? "·" : text,
    );
  });
}

export function makeRunView(panel: HTMLElement, store: Store): void {
  const sliders = h("div", { class: "bar" });
  const semiring = h("select", { id: "semiring", change: () => store.change("problem", { semiring: semiring.value }) });
  for (const form of store.trapeze.semirings) {
    const name = form.replace("(K)", "(5)").replace("(BASE)", "(log)");
    semiring.append(h("option", { value: name }, name));
  }
  const scores = h("textarea", { id: "scores", spellcheck: "false", "aria-describedby": "scores-note" });
  const words = h("input", { id: "words", placeholder: "words for drawings", size: 30 });
  const file = h("input", { type: "file", accept: ".json,.jsonl,application/json", id: "file" });
  const answer = h("div", { id: "answer", "aria-live": "polite" });
  const force = h("input", { type: "checkbox", id: "force", change: () => update("problem") });
  const forced = h("label", { class: "check", hidden: true }, force, "count structures more than once");

  words.addEventListener("change", () => store.change("problem", { words: words.value }));
  const typed = later(() => store.tell("problem"), 250);
  scores.addEventListener("input", () => {
    store.state.typed = scores.value;
    typed();
  });
  file.addEventListener("change", async () => {
    const line = (await file.files?.[0]?.text())?.split("\n").find((one) => one.trim() !== "");
    if (line !== undefined) store.change("problem", { typed: line });
  });

  panel.append(
    h(
      "div",
      { class: "columns narrow-first" },
      h(
        "section",
        { class: "panel", "aria-label": "Problem" },
        h("div", { class: "bar" }, labelled("Semiring", semiring), forced),
        sliders,
        h(
          "div",
          { class: "bar" },
          h("button", { type: "button", id: "random", click: () => store.change("problem", { typed: "", seed: store.state.seed + 1 }) }, "Random scores"),
          labelled("or a file of JSON", file),
        ),
        labelled("Words", words),
        h("h3", { id: "scores-note" }, "Lengths and scores: natural logs, null is impossible"),
        h("label", { class: "field wide" }, h("span", { hidden: true }, "Scores"), scores),
      ),
      answer,
    ),
  );

  const makeSliders = (rules: Rules, lengths: readonly number[]) => {
    const most = rules.items.some((item) => item.rank > 2) ? 8 : 16;
    sliders.replaceChildren(
      ...rules.lengths.map((name, l) => {
        const out = h("output", {}, `${name} = ${lengths[l]}`);
        const slider = h("input", { type: "range", min: 0, max: most, value: Math.min(lengths[l]!, most), id: `length-${name}`, "aria-label": name });
        slider.addEventListener("input", () => (out.textContent = `${name} = ${slider.value}`));
        slider.addEventListener("change", () =>
          store.change("problem", { lengths: { ...store.state.lengths, [name]: Number(slider.value) }, typed: "", step: 0 }),
        );
        return h("div", { class: "field" }, out, slider);
      }),
    );
  };

  /** A structure by the library's drawing code. */
  const drawing = (rules: Rules, problem: Problem, weights: readonly Use[]): HTMLElement => {
    const lengths = rules.lengths.map((name) => problem[name] as number);
    const given = wordsOf(store, lengths[0]!);
    const svg = draw(rules, lengths, weights, given ? { words: given } : {});
    const place = h("div", { class: "drawing", id: "drawing" });
    if (svg === null) return h("p", { class: "about", id: "drawing" }, "These weights have no shape that is drawn.");
    place.innerHTML = svg;
    place.querySelector("svg")?.setAttribute("role", "img");
    place.querySelector("svg")?.setAttribute("aria-label", weights.map(useText).join(", "));
    return place;
  };

  /** The value under the semiring; the best structures by max; samples and marginals by log. */
  const show = (rules: Rules, problem: Problem, name: string) => {
    const start = performance.now();
    const result = rules.run(name, problem, { force: force.checked });
    const time = performance.now() - start;
    const best = rules.run("max", problem, { best: true, derivation: true, kbest: KBEST, distinct: true, through: true });
    const sums = rules.ambiguous && !force.checked ? null : rules.run("log", problem, { force: true, samples: SAMPLES, marginals: true });
    const picture = h("div", {});
    const put = (weights: readonly Use[]) => picture.replaceChildren(drawing(rules, problem, weights));
    if (best.best) put(best.best.weights);
    const part = (title: string, ...children: (HTMLElement | null)[]) =>
      h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), ...children);
    const cells = (title: string, id: string, of: Record<string, Cells> | null | undefined, scores: boolean) =>
      of ? [part(title, h("div", { id }, ...Object.entries(of).flatMap(([weight, table]) => heat(weight, table, scores))))] : [];
    const most = cells("Max-marginals: the best score with each cell", "through", name === "max" ? best.through : null, true);
    answer.replaceChildren(
      part(
        "Value",
        h("p", { class: "value", id: "value", "data-value": JSON.stringify(result.value) }, shown(result.value, 10)),
        result.values ? h("p", {}, result.values.map((x) => shown(x, 6)).join("   ")) : null,
        result.entropy !== undefined ? h("p", {}, `entropy ${shown(result.entropy, 8)} nats`) : null,
        result.count !== undefined ? h("p", {}, `${shown(result.count)} best derivations`) : null,
        h("p", { class: "about" }, best.value === null ? "There is no derivation." : `in ${time.toFixed(1)} ms`),
      ),
      ...(best.best ? [part("Best derivation", picture, h("details", { class: "proof" }, h("summary", {}, "proof tree"), proofTree(best.best.derivation!)))] : []),
      ...cells("Marginals: how often each cell is used", "marginals", sums?.marginals, false),
      ...most,
      ...(best.kbest?.length ? [part(`The ${best.kbest.length} best`, derivationTable(best.kbest, put))] : []),
      ...(sums?.samples?.length ? [part("Samples", derivationTable(sums.samples, put))] : []),
    );
  };

  const update = (what: "rules" | "problem" | "view") => {
    const { rules } = store;
    if (what === "rules") force.checked = false;
    if (store.state.view !== "run") return;
    if (rules === null) {
      answer.replaceChildren(h("p", { class: "wrong" }, "The rule file has an error: see Rules."));
      return;
    }
    semiring.value = store.state.semiring;
    words.value = store.state.words;
    forced.hidden = !rules.ambiguous;
    makeSliders(rules, store.lengths(rules));
    try {
      const problem = problemOf(store, rules);
      const text = store.state.typed === "" ? problemText(problem) : store.state.typed;
      if (scores.value !== text) scores.value = text;
      show(rules, problem, store.state.semiring);
    } catch (error) {
      answer.replaceChildren(h("p", { class: "wrong", role: "alert" }, (error as Error).message));
    }
  };
  store.listen(update);
}
