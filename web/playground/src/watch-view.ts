// Watch: the chart filled stage by stage or item by item, the products that a cell is the sum of, and
// the best derivation as it grows. A chart that has grown by a word shows what was new.
// SPDX-License-Identifier: MIT
import { type Cell, type Chart, type ChartTerm, type Instance } from "trapeze";
import { h, labelled, shown } from "./dom.js";
import { drawingOf } from "./drawing.js";
import { type Declaration, readFigures } from "./figure.js";
import { type Axis, grids } from "./grid.js";
import { type Growth, growthOf } from "./growing.js";
import { Follower, isNew, longer } from "./longer.js";
import { problemOf, problemText, wordsOf } from "./problem.js";
import type { Store } from "./state.js";

/** Semirings whose products and sums can be shown as numbers, and what these are. */
const semirings: Record<string, string> = {
  log: "a ⊕ b = log(exp a + exp b), a ⊗ b = a + b: the sum over all derivations",
  max: "a ⊕ b = max(a, b), a ⊗ b = a + b: the best derivation",
  count: "a ⊕ b = a + b, a ⊗ b = a · b: how many derivations there are",
  bool: "a ⊕ b = a or b, a ⊗ b = a and b: is there a derivation?",
};

const PACE = 700; // milliseconds between steps that play

const nameOf = (of: { item: string; index: number[] }) => (of.index.length > 0 ? `${of.item}[${of.index.join(",")}]` : of.item);
const weightName = (of: ChartTerm) => (of.index.length > 0 ? `${of.name}[${of.index.join(",")}]` : of.name);

/** The product of an instance's factors: scores are added; numbers, where a weight counts as one, multiplied. */
function product(name: string, values: readonly number[], weights: readonly number[]): number {
  if (name === "log" || name === "max") {
    const sum = [...values, ...weights].reduce((a, b) => a + b, 0);
    return Number.isNaN(sum) ? -Infinity : sum;
  }
  const some = weights.every((score) => score > -Infinity) ? 1 : 0;
  return values.reduce((a, b) => a * b, some);
}

/** Cells that are computed, step by step. */
class Order {
  readonly steps: { stage: readonly number[]; cells: Cell[] }[];
  readonly cells: Cell[];
  readonly #step = new Map<Cell, number>();
  readonly #place = new Map<Cell, number>();

  constructor(chart: Chart, isThere: (cell: Cell) => boolean) {
    this.steps = chart.steps.map(({ stage, cells }) => ({ stage, cells: cells.filter(isThere) })).filter(({ cells }) => cells.length > 0);
    this.cells = this.steps.flatMap(({ cells }) => cells);
    this.cells.forEach((cell, at) => this.#place.set(cell, at));
    this.steps.forEach(({ cells }, at) => cells.forEach((cell) => this.#step.set(cell, at)));
  }

  /** The number of a cell's step, or among all cells; undefined: it is not computed. */
  at(cell: Cell, itemwise: boolean): number | undefined {
    return (itemwise ? this.#place : this.#step).get(cell);
  }
}

/** The indices of an item, from its declaration; a word stands beside what runs to the words' length. */
function axesOf({ text, domain }: Declaration, length: string, words: readonly string[] | undefined): Axis[] {
  const names = /\[(.*)\]/.exec(text)?.[1]?.split(",") ?? [];
  const has = (chain: string, name: string) => chain.match(/[\p{L}_][\p{L}\p{N}_]*/gu)?.includes(name);
  return names.map((name) => {
    const position = domain.split(",").some((chain) => has(chain, name) && has(chain, length));
    return { name, label: (value) => (position && words?.[value - 1]) || "" };
  });
}

export function makeWatchView(panel: HTMLElement, store: Store): void {
  let chart: Chart | null = null;
  let chosen: Cell | null = null;
  let made = "";
  let justGrown = false; // so what is new comes into sight
  let inside: Order, whole: Order; // of what is new; backwards all is
  const follower = new Follower();
  let growth: Growth[] = [];
  let declared: Declaration[] = [];
  let words: string[] | undefined;
  let playing: ReturnType<typeof setInterval> | undefined;
  const semiring = h("select", { id: "watch-semiring", change: () => store.change("problem", { semiring: semiring.value, from: store.state.from }) });
  semiring.append(...Object.keys(semirings).map((name) => h("option", { value: name }, name)));
  const direction = h(
    "select",
    { id: "direction", change: () => store.change("view", { outside: direction.value === "outside", step: 0 }) },
    h("option", { value: "inside" }, "forwards: inside"),
    h("option", { value: "outside" }, "backwards: outside"),
  );
  const slider = h("input", { type: "range", min: 0, value: 0, id: "step" });
  const said = h("output", { id: "step-said", "aria-live": "polite" });
  const play = h("button", { type: "button", id: "play", "aria-pressed": "false" }, "Play");
  const itemwise = h("input", {
    type: "checkbox",
    id: "itemwise",
    change: () => store.change("view", { itemwise: itemwise.checked, step: 0 }),
  });
  const meaning = h("p", { class: "about", id: "semiring-said" });
  const add = h("button", { type: "button", id: "grow" });
  const all = h("button", { type: "button", id: "whole", hidden: true, click: () => store.change("view", { from: -1, step: 0 }) }, "Show the whole chart");
  const grownBy = h("p", { id: "grown-said", "aria-live": "polite", hidden: true });
  const grown = h("section", { class: "panel", id: "growing", "aria-label": "The best derivation so far" });
  const items = h("div", { id: "chart" });
  const products = h("div", { id: "products", "aria-live": "polite" });
  slider.addEventListener("input", () => {
    pause();
    store.change("view", { step: Number(slider.value) });
  });
  const move = (by: number) => () => {
    const step = Math.min(Math.max(store.state.step + by, 0), Number(slider.max));
    store.change("view", { step });
  };
  const pause = () => {
    clearInterval(playing);
    playing = undefined;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  };
  add.addEventListener("click", () => {
    const { rules, state } = store;
    if (rules === null) return;
    const problem = problemOf(store, rules);
    const [name] = rules.lengths as [string];
    const from = problem[name] as number;
    state.lengths = { ...state.lengths, [name]: from + 1 };
    store.change("problem", { typed: problemText(longer(rules, problem, state.seed)), from, step: 0, outside: false });
  });
  play.addEventListener("click", () => {
    if (playing !== undefined) return pause();
    if (store.state.step >= Number(slider.max)) store.change("view", { step: 0 });
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
    const forth = move(1);
    playing = setInterval(() => {
      forth();
      if (store.state.step >= Number(slider.max)) pause();
    }, PACE);
  });
  panel.append(
    h(
      "section",
      { class: "panel bar", "aria-label": "Steps" },
      labelled("Semiring", semiring),
      labelled("Direction", direction),
      h(
        "div",
        { class: "steps" },
        h("button", { type: "button", id: "back", "aria-label": "a step back", click: move(-1) }, "◀"),
        labelled("Step", slider),
        h("button", { type: "button", id: "forth", "aria-label": "a step forth", click: move(1) }, "▶"),
        play,
      ),
      h("label", { class: "check" }, itemwise, "one item at a time"),
      said,
      h("div", { class: "steps" }, add, all),
      meaning,
      grownBy,
    ),
    h(
      "div",
      { class: "columns wide-first" },
      h("section", { class: "panel", "aria-label": "Chart" }, items),
      h("div", {}, grown, h("section", { class: "panel products-panel", "aria-label": "Products" }, products)),
    ),
  );

  /** How many steps there are, and when a cell is computed, in the direction that is shown; -1: it was
   * there before. */
  const order = () => (store.state.outside ? whole : inside);
  const steps = () => (store.state.itemwise ? order().cells : order().steps).length;
  const when = (cell: Cell) => {
    const at = order().at(cell, store.state.itemwise) ?? -1;
    return store.state.outside ? steps() - 1 - at : at;
  };
  const value = (cell: Cell) => (store.state.outside ? cell.outside : cell.inside);

  const choose = (cell: Cell) => {
    pause();
    chosen = cell;
    if (when(cell) > store.state.step) store.change("view", { step: when(cell) });
    else show();
  };

  const term = (cell: Cell, outside: boolean) =>
    h(
      "span",
      {},
      h("button", { type: "button", class: "term", click: () => choose(cell) }, nameOf(cell)),
      ` ${outside ? "outside " : ""}${shown(outside ? cell.outside : cell.inside)}`,
    );

  /** One product of an inside value; or of an outside value, where `hole` is the premise left out. */
  const line = (instance: Instance, hole: number): HTMLElement => {
    const name = store.state.semiring;
    const others = instance.premises.filter((_, p) => p !== hole);
    const values = others.map((cell) => cell.inside);
    if (hole >= 0) values.unshift(instance.conclusion.outside);
    const result = product(name, values, instance.weights.map((weight) => weight.value));
    const parts: (HTMLElement | string)[] = hole >= 0 ? [term(instance.conclusion, true)] : [];
    for (const cell of others) parts.push(parts.length > 0 ? " ⊗ " : "", term(cell, false));
    for (const weight of instance.weights)
      parts.push(parts.length > 0 ? " ⊗ " : "", h("span", { class: "term" }, weightName(weight)), ` ${shown(weight.value)}`);
    return h("li", { "data-product": String(result) }, h("span", { class: "rule" }, `${instance.rule}: `), ...parts, parts.length > 0 ? " = " : "the axiom, ", h("strong", {}, shown(result)));
  };

  const showProducts = () => {
    if (chosen === null) {
      products.replaceChildren(h("p", { class: "about" }, "Choose a cell of the chart to see the products that were summed there."));
      return;
    }
    const cell = chosen;
    const lines = store.state.outside
      ? cell.uses.flatMap((one) => one.premises.flatMap((premise, p) => (premise === cell ? [line(one, p)] : [])))
      : cell.instances.map((one) => line(one, -1));
    if (store.state.outside && cell === chart?.goal) lines.push(h("li", {}, "the goal itself: one"));
    products.replaceChildren(
      h("h2", {}, h("span", { class: "term" }, nameOf(cell)), ` = ${shown(value(cell), 8)}`),
      h("p", { class: "about" }, lines.length > 0 ? `the sum (⊕) of ${lines.length} product${lines.length > 1 ? "s" : ""} (⊗)` : "nothing adds to it: zero"),
      h("ul", { class: "products" }, ...lines),
    );
  };

  /** What a step computes: "step 2 of 5, stage 1: 8 items", or "item 3 of 41: rtri[2,2]". */
  const sayStep = () => {
    const { step, outside, itemwise } = store.state;
    const at = outside ? steps() - 1 - step : step;
    if (itemwise) {
      const cell = order().cells[at];
      said.textContent = `item ${step + 1} of ${steps()}: ${cell ? nameOf(cell) : ""}`;
      return;
    }
    const { stage = [], cells = [] } = order().steps[at] ?? {};
    said.textContent = `step ${step + 1} of ${steps()}${stage.length > 0 ? `, stage ${stage.join(", ")}` : ""}: ${cells.length} ${isGrown() && !outside ? "new " : ""}items`;
  };

  const isGrown = () => store.state.from >= 0;

  /** What growing has done: how many items are new, and why others are computed anew. */
  const sayGrown = () => {
    const { rules, lengths } = chart!;
    const [name] = rules.lengths as [string];
    const next = Number(lengths[0]) + 1;
    add.textContent = /^\p{Lu}/u.test(name) ? `Grow: ${name} = ${next}` : `Add a word: ${name} = ${next}`;
    all.hidden = grownBy.hidden = !isGrown();
    if (!isGrown()) return;
    const { from, outside } = store.state;
    const fresh = inside.cells.length;
    const stay = whole.cells.length - fresh;
    const anew = rules.items.filter((item) => !rules.stays(item.name)).map((item) => item.name);
    const texts = [`From ${name} = ${from} to ${name} = ${lengths[0]}: `, h("strong", {}, `${fresh} items are computed`), `, ${stay} stay as they were (pale).`];
    if (from < 2) texts.push(` A chart grows from ${name} = 2 on.`);
    else if (anew.length > 0) texts.push(` Rules of ${anew.join(", ")} speak of ${name}: computed anew.`);
    if (outside) texts.push(" Backwards all is new: outside values are about the whole.");
    grownBy.replaceChildren(...texts);
  };

  /** The uses of the best derivation whose items are there; backwards there is no such thing. */
  const showGrowth = () => {
    grown.hidden = store.state.outside || growth.length === 0;
    if (grown.hidden) return;
    const uses = growth.flatMap((one) => (when(one.cell) <= store.state.step ? one.uses : []));
    grown.replaceChildren(h("h2", {}, "The best derivation so far"), drawingOf(chart!.rules, chart!.lengths, uses, words, "The best derivation so far"));
  };

  const axes = (item: string) => {
    const declaration = declared.find(({ text }) => text === item || text.startsWith(`${item}[`));
    return declaration ? axesOf(declaration, chart!.rules.lengths[0]!, words) : [];
  };

  const show = () => {
    if (chart === null) return;
    const { step, outside } = store.state;
    const parts = new Set<Cell>();
    if (chosen && !outside) for (const one of chosen.instances) for (const premise of one.premises) parts.add(premise);
    if (chosen && outside) for (const one of chosen.uses) parts.add(one.conclusion);
    slider.disabled = play.disabled = add.disabled = false;
    slider.max = String(steps() - 1);
    slider.value = String(step);
    sayStep();
    sayGrown();
    showGrowth();
    const focused = (document.activeElement as HTMLElement | null)?.dataset.cell;
    const scrolled = [...items.children].map((one) => one.scrollLeft);
    items.replaceChildren(
      ...chart.rules.items.flatMap(({ name }) => {
        const { origin, extent } = chart!.rules.itemShape(name, chart!.lengths);
        return grids(name, origin, extent, (index) => {
          const cell = chart!.cell(name, index);
          if (cell === undefined) return null;
          const done = when(cell) <= step;
          const text = !done ? "" : shown(value(cell), 3);
          const stays = when(cell) < 0;
          const kind = [when(cell) === step ? "now" : stays ? "stays" : "", cell === chosen ? "chosen" : parts.has(cell) ? "part" : ""].join(" ").trim();
          return h(
            "button",
            {
              type: "button",
              class: kind,
              "data-cell": nameOf(cell),
              "aria-label": `${nameOf(cell)}: ${done ? text : "not yet"}${stays ? ", stays" : ""}`,
              "aria-pressed": String(cell === chosen),
              click: () => choose(cell),
            },
            text,
          );
        }, axes(name));
      }),
    );
    if (focused !== undefined) items.querySelector<HTMLElement>(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
    [...items.children].forEach((one, i) => {
      one.scrollLeft = scrolled[i] ?? 0;
      const now = justGrown ? [...one.querySelectorAll<HTMLElement>("button:not(.stays)")].at(-1) : one.querySelector<HTMLElement>(".now");
      if ((playing === undefined && !justGrown) || !now) return;
      const beyond = now.getBoundingClientRect().right - one.getBoundingClientRect().left - one.clientWidth;
      one.scrollLeft += Math.max(0, beyond);
    });
    justGrown = false;
    showProducts();
  };

  /** Nothing of a former chart stays beside the message. */
  const fail = (message: HTMLElement) => {
    pause();
    chart = null;
    made = "";
    slider.disabled = play.disabled = add.disabled = true;
    all.hidden = grownBy.hidden = true;
    slider.max = slider.value = "0";
    said.textContent = "";
    grown.hidden = true;
    items.replaceChildren(message);
    products.replaceChildren();
  };

  /** The chart is made again only where the rules or the problem have changed. */
  const update = (what: "rules" | "problem" | "view") => {
    if (what !== "view" || made !== `made ${store.state.from}`) made = "";
    if (what !== "view" || store.state.view !== "watch") pause();
    if (store.state.view !== "watch") return;
    const { rules } = store;
    if (rules === null) return fail(h("p", { class: "wrong" }, "The rule file has an error: see Rules."));
    if (!(store.state.semiring in semirings)) store.state.semiring = "log";
    semiring.value = store.state.semiring;
    meaning.textContent = `${semiring.value}: ${semirings[semiring.value]}`;
    itemwise.checked = store.state.itemwise;
    direction.value = store.state.outside ? "outside" : "inside";
    try {
      if (made === "") {
        const problem = problemOf(store, rules);
        const { semiring: under, from } = store.state;
        if (!(from < (problem[rules.lengths[0]!] as number))) store.state.from = -1;
        const now = isGrown() ? follower.chart(rules, under, problem, from) : rules.chart(under, problem, { force: true });
        chart = now;
        whole = new Order(now, () => true);
        inside = isGrown() ? new Order(now, (cell) => isNew(rules, now.lengths, from, cell)) : whole;
        declared = readFigures(rules.show()).items;
        growth = growthOf(rules, chart, problem);
        const same: Cell | null = chosen;
        chosen = same === null ? null : (chart.cell(same.item, same.index) ?? null);
        justGrown = isGrown();
        made = `made ${store.state.from}`;
      }
      words = wordsOf(store, rules, chart!.lengths[0] ?? 0);
      store.state.step = Math.min(store.state.step, steps() - 1);
      show();
    } catch (error) {
      fail(h("p", { class: "wrong", role: "alert" }, (error as Error).message));
    }
  };
  store.listen(update);
}
