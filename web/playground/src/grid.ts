// Tables of what has indices: a row, a square, or a square for each value of the first indices.
// SPDX-License-Identifier: MIT
import { h } from "./dom.js";

/** An index: its name, and what else stands beside its value. */
export interface Axis {
  name: string;
  label: (value: number) => string;
}

/** A value of an index at the edge of a table. */
function edge(scope: "row" | "col", value: number, axis: Axis | undefined): HTMLElement {
  const label = axis?.label(value) ?? "";
  return h("th", { scope }, String(value), label ? h("span", { class: "word" }, label) : null);
}

/** cell: what stands at these index values; null: nothing. axes: of the indices, if they are known. */
export function grids(
  caption: string,
  origin: readonly number[],
  extent: readonly number[],
  cell: (index: number[]) => HTMLElement | null,
  axes: readonly Axis[] = [],
): HTMLElement[] {
  const before = extent.slice(0, Math.max(extent.length - 2, 0));
  const ret: HTMLElement[] = [];
  const last = (fixed: number[]) => {
    const [rows, columns] = [extent.at(-2), extent.at(-1)];
    const [row0, column0] = [origin.at(-2) ?? 0, origin.at(-1) ?? 0];
    const [down, across] = [axes[extent.length - 2], axes[extent.length - 1]];
    const title = fixed.length > 0 ? `${caption}[${fixed.join(",")},…]` : caption;
    const numbers = Array.from({ length: columns ?? 0 }, (_, j) => edge("col", column0 + j, across));
    const body = Array.from({ length: rows ?? 1 }, (_, i) =>
      h(
        "tr",
        {},
        rows === undefined ? null : edge("row", row0 + i, down),
        ...Array.from({ length: columns ?? 1 }, (_, j) => {
          const index = columns === undefined ? [] : rows === undefined ? [column0 + j] : [...fixed, row0 + i, column0 + j];
          return h("td", {}, cell(index));
        }),
      ),
    );
    const corner = down && across ? h("td", { class: "corner" }, `${down.name} ↓ ${across.name} →`) : h("td");
    const head = columns === undefined ? null : h("thead", {}, h("tr", {}, rows === undefined ? null : corner, ...numbers));
    const table = h("table", { class: "heat" }, head, h("tbody", {}, ...body));
    table.setAttribute("aria-label", title);
    const name = rows === undefined && across ? `${title}[${across.name} →]` : title;
    ret.push(h("div", { class: "scroll" }, h("h3", { class: "term" }, name), table));
  };
  const walk = (fixed: number[]) => {
    const q = fixed.length;
    if (q === before.length) last(fixed);
    else for (let i = 0; i < extent[q]!; i++) walk([...fixed, origin[q]! + i]);
  };
  walk([]);
  return ret;
}
