// Uses of weights as a drawing by the library. SPDX-License-Identifier: MIT
import { draw, type Rules, TrapezeError, type Use } from "trapeze";
import { h, sideways } from "./dom.js";

/** name: of the drawing, for those who do not see it. Where nothing can be drawn, a sentence. */
export function drawingOf(rules: Rules, lengths: readonly number[], uses: readonly Use[], words: string[] | undefined, name: string): HTMLElement {
  let svg: string | null = null;
  try {
    svg = draw(rules, lengths, uses, words ? { words } : {});
  } catch (error) {
    if (!(error instanceof TrapezeError) || rules.inputs.length === 0) throw error;
    return h("p", { class: "about" }, "What an input is looked up for is drawn by the command alone: trapeze draw.");
  }
  if (svg === null) return h("p", { class: "about" }, "These weights have no shape that is drawn.");
  const place = h("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": name });
  place.innerHTML = svg;
  const title = uses.map(([weight, ...numbers]) => `${weight}[${numbers.slice(0, -1).join(",")}]`).join(", ");
  place.querySelector("svg")?.setAttribute("role", "img");
  place.querySelector("svg")?.setAttribute("aria-label", title);
  return sideways(place);
}
