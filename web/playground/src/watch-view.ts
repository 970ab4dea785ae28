// Watch: the chart filled stage by stage, and the products that a cell is the sum of.
// SPDX-License-Identifier: MIT
import { type Cell, type Chart, type ChartTerm, type Instance } from "trapeze";
import { h, labelled, shown } from "./dom.js";
import { grids } from "./grid.js";
import { problemOf } from "./problem.js";
import type { Store } from "./state.js";

/** Semirings whose products and sums can be shown as numbers. */
const semirings = ["log", "max", "count", "bool"];

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

export function makeWatchView(panel: HTMLElement, store: Store): void {
  let chart: Chart | null = null;
  let chosen: Cell | null = null;
  let made = "";
  const semiring = h("select", { id: "watch-semiring", change: () => store.change("problem", { semiring: semiring.value }) });
  semiring.append(...semirings.map((name) => h("option", { value: name }, name)));
  const direction = h(
    "select",
    { id: "direction", change: () => store.change("view", { outside: direction.value === "outside", step: 0 }) },
    h("option", { value: "inside" }, "forwards: inside"),
    h("option", { value: "outside" }, "backwards: outside"),
  );
  const slider = h("input", { type: "range", min: 0, value: 0, id: "step" });
  const said = h("output", { id: "step-said", "aria-live": "polite" });
  const items = h("div", { id: "chart" });
  const products = h("div", { id: "products", "aria-live": "polite" });
  slider.addEventListener("input", () => store.change("view", { step: Number(slider.value) }));
  const move = (by: number) => () => {
    const step = Math.min(Math.max(store.state.step + by, 0), Number(slider.max));
    store.change("view", { step });
  };
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
      ),
      said,
    ),
    h(
      "div",
      { class: "columns" },
      h("section", { class: "panel", "aria-label": "Chart" }, items),
      h("section", { class: "panel products-panel", "aria-label": "Products" }, products),
    ),
  );

  /** When a cell is computed, in the direction that is shown. */
  const when = (cell: Cell) => (store.state.outside ? chart!.steps.length - 1 - cell.step : cell.step);
  const value = (cell: Cell) => (store.state.outside ? cell.outside : cell.inside);

  const choose = (cell: Cell) => {
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

  const show = () => {
    if (chart === null) return;
    const { step, outside } = store.state;
    const parts = new Set<Cell>();
    if (chosen && !outside) for (const one of chosen.instances) for (const premise of one.premises) parts.add(premise);
    if (chosen && outside) for (const one of chosen.uses) parts.add(one.conclusion);
    slider.max = String(chart.steps.length - 1);
    slider.value = String(step);
    const at = chart.steps[outside ? chart.steps.length - 1 - step : step];
    const stage = at && at.stage.length > 0 ? `, stage ${at.stage.join(", ")}` : "";
    said.textContent = `step ${step + 1} of ${chart.steps.length}${stage}: ${at?.cells.length ?? 0} items`;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.cell;
    items.replaceChildren(
      ...chart.rules.items.flatMap(({ name }) => {
        const { origin, extent } = chart!.rules.itemShape(name, chart!.lengths);
        return grids(name, origin, extent, (index) => {
          const cell = chart!.cell(name, index);
          if (cell === undefined) return null;
          const done = when(cell) <= step;
          const text = !done ? "" : shown(value(cell), 3);
          const kind = [when(cell) === step ? "now" : "", cell === chosen ? "chosen" : parts.has(cell) ? "part" : ""].join(" ").trim();
          return h(
            "button",
            {
              type: "button",
              class: kind,
              "data-cell": nameOf(cell),
              "aria-label": `${nameOf(cell)}: ${done ? text : "not yet"}`,
              "aria-pressed": String(cell === chosen),
              click: () => choose(cell),
            },
            text,
          );
        });
      }),
    );
    if (focused !== undefined) items.querySelector<HTMLElement>(`[data-cell="${CSS.escape(focused)}"]`)?.focus();
    showProducts();
  };

  /** The chart is made again only where the rules or the problem have changed. */
  const update = (what: "rules" | "problem" | "view") => {
    if (what !== "view") made = "";
    if (store.state.view !== "watch") return;
    const { rules } = store;
    if (rules === null) {
      items.replaceChildren(h("p", { class: "wrong" }, "The rule file has an error: see Rules."));
      products.replaceChildren();
      return;
    }
    if (!semirings.includes(store.state.semiring)) store.state.semiring = "log";
    semiring.value = store.state.semiring;
    direction.value = store.state.outside ? "outside" : "inside";
    try {
      if (made === "") {
        chart = rules.chart(store.state.semiring, problemOf(store, rules), { force: true });
        const same: Cell | null = chosen;
        chosen = same === null ? null : (chart.cell(same.item, same.index) ?? null);
        made = "made";
      }
      store.state.step = Math.min(store.state.step, chart!.steps.length - 1);
      show();
    } catch (error) {
      chart = null;
      items.replaceChildren(h("p", { class: "wrong", role: "alert" }, (error as Error).message));
      products.replaceChildren();
    }
  };
  store.listen(update);
}
