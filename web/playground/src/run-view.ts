// Run: scores, a semiring, and all answers to one problem. SPDX-License-Identifier: MIT
import { type Cells, type Derivation, type Problem, type Proof, type Rules, Table, type Use } from "trapeze";
import { h, labelled, later, shown } from "./dom.js";
import { drawingOf } from "./drawing.js";
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

/** A derivation, and what it is among the others. */
interface Picked {
  title: string;
  one: Derivation;
}

function derivationTable(kind: string, list: readonly Derivation[], pick: (picked: Picked) => void): HTMLElement {
  const rows = list.map((one, k) =>
    h(
      "tr",
      {},
      h("td", { class: "number" }, String(k + 1)),
      h("td", { class: "number" }, shown(one.score, 6)),
      h("td", {}, h("button", { type: "button", click: () => pick({ title: `${kind} ${k + 1}`, one }) }, "draw")),
      h("td", { class: "term" }, one.weights.map(useText).join("  ") || "nothing"),
    ),
  );
  const head = ["", "score", "", "uses"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "scroll" }, h("table", { class: "list" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}

const meanings: Record<string, string> = {
  log: "log Z, the log of the sum of exp(score)",
  entropy: "log Z, the log of the sum of exp(score)",
  max: "the best score",
  ties: "the best score",
  count: "the number of derivations",
  bool: "is there a derivation?",
};

/** What the value is: "log Z, ..., over 55 derivations". */
function meaning(rules: Rules, problem: Problem, name: string): string {
  const is = meanings[name] ?? `the value under ${name}`;
  if (name === "count" || name === "bool") return is;
  try {
    const { value } = rules.run("count", problem, { force: true });
    return typeof value === "number" ? `${is}, over ${value.toLocaleString("en")} derivation${value === 1 ? "" : "s"}` : is;
  } catch {
    return is; // there is no end to them
  }
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
  const words = h("input", { id: "words", size: 30 });
  const picture = h("div", {});
  let picked: Picked | null = null;
  let redraw = () => {};
  let stale = true; // what is shown is not of the state
  const file = h("input", { type: "file", accept: ".json,.jsonl,application/json", id: "file" });
  const answer = h("div", { id: "answer", "aria-live": "polite" });
  const force = h("input", { type: "checkbox", id: "force", change: () => update("problem") });
  const forced = h("label", { class: "check", hidden: true }, force, "count structures more than once");

  /** Only the drawing has words: all else stays as it is, so that a click on it is not lost. */
  words.addEventListener("input", () => {
    store.state.words = words.value;
    redraw();
    remember();
  });
  const remember = later(() => store.tell("view"), 250);
  const typed = later(() => store.tell("problem"), 250);
  scores.addEventListener("input", () => {
    Object.assign(store.state, { typed: scores.value, from: -1 });
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
    const focused = document.activeElement?.id; // of the slider that was moved by keys
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
    if (focused?.startsWith("length-")) document.getElementById(focused)?.focus();
  };

  const drawing = (rules: Rules, problem: Problem, weights: readonly Use[]): HTMLElement => {
    const lengths = rules.lengths.map((name) => problem[name] as number);
    const place = h("div", { id: "drawing" });
    place.append(drawingOf(rules, lengths, weights, wordsOf(store, rules, lengths[0]!), "A derivation, drawn"));
    return place;
  };

  /** The value under the semiring; the best structures by max; samples and marginals by log. */
  const show = (rules: Rules, problem: Problem, name: string) => {
    const start = performance.now();
    const result = rules.run(name, problem, { force: force.checked });
    const time = performance.now() - start;
    const best = rules.run("max", problem, { best: true, derivation: true, kbest: KBEST, distinct: true, through: true });
    const sums = rules.ambiguous && !force.checked ? null : rules.run("log", problem, { force: true, samples: SAMPLES, marginals: true, derivation: true });
    const title = h("h2", { id: "picked" });
    const panel = h("section", { class: "panel", "aria-labelledby": "picked" }, title, picture);
    redraw = () => {
      if (picked === null) return;
      const { weights, score, derivation } = picked.one;
      const open = picture.querySelector("details")?.open ?? false;
      title.textContent = `${picked.title}: score ${shown(score, 6)}`;
      picture.replaceChildren(
        drawing(rules, problem, weights),
        derivation ? h("details", { class: "proof", open }, h("summary", {}, "proof tree"), proofTree(derivation)) : "",
      );
    };
    const pick = (chosen: Picked) => {
      picked = chosen;
      redraw();
      panel.scrollIntoView({ block: "nearest" });
    };
    picked = best.best ? { title: "Best derivation", one: best.best } : null;
    redraw();
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
        h("p", { class: "about", id: "meaning" }, best.value === null ? "There is no derivation." : `${meaning(rules, problem, name)}; in ${time.toFixed(1)} ms`),
      ),
      ...(best.best ? [panel] : []),
      ...cells("Marginals: how often each cell is used", "marginals", sums?.marginals, false),
      ...most,
      ...(best.kbest?.length ? [part(`The ${best.kbest.length} best`, derivationTable("Number", best.kbest, pick))] : []),
      ...(sums?.samples?.length ? [part("Samples", derivationTable("Sample", sums.samples, pick))] : []),
    );
  };

  const update = (what: "rules" | "problem" | "view") => {
    const { rules } = store;
    if (what === "rules") force.checked = false;
    stale ||= what !== "view";
    if (store.state.view !== "run" || !stale) return;
    stale = false;
    redraw = () => {};
    if (rules === null) {
      answer.replaceChildren(h("p", { class: "wrong" }, "The rule file has an error: see Rules."));
      return;
    }
    semiring.value = store.state.semiring;
    words.value = store.state.words;
    words.placeholder = wordsOf(store, rules, store.lengths(rules)[0] ?? 0)?.join(" ") ?? "words for drawings";
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
