// Tables of what has indices: a row, a square, or a square for each value of the first indices.
// SPDX-License-Identifier: MIT
import { h } from "./dom.js";

/** cell: what stands at these index values; null: nothing. */
export function grids(
  caption: string,
  origin: readonly number[],
  extent: readonly number[],
  cell: (index: number[]) => HTMLElement | null,
): HTMLElement[] {
  const before = extent.slice(0, Math.max(extent.length - 2, 0));
  const ret: HTMLElement[] = [];
  const last = (fixed: number[]) => {
    const [rows, columns] = [extent.at(-2), extent.at(-1)];
    const [row0, column0] = [origin.at(-2) ?? 0, origin.at(-1) ?? 0];
    const title = fixed.length > 0 ? `${caption}[${fixed.join(",")},…]` : caption;
    const numbers = Array.from({ length: columns ?? 0 }, (_, j) => h("th", { scope: "col" }, String(column0 + j)));
    const body = Array.from({ length: rows ?? 1 }, (_, i) =>
      h(
        "tr",
        {},
        rows === undefined ? null : h("th", { scope: "row" }, String(row0 + i)),
        ...Array.from({ length: columns ?? 1 }, (_, j) => {
          const index = columns === undefined ? [] : rows === undefined ? [column0 + j] : [...fixed, row0 + i, column0 + j];
          return h("td", {}, cell(index));
        }),
      ),
    );
    const head = columns === undefined ? null : h("thead", {}, h("tr", {}, rows === undefined ? null : h("td"), ...numbers));
    const table = h("table", { class: "heat" }, head, h("tbody", {}, ...body));
    table.setAttribute("aria-label", title);
    ret.push(h("div", { class: "scroll" }, h("h3", { class: "term" }, title), table));
  };
  const walk = (fixed: number[]) => {
    const q = fixed.length;
    if (q === before.length) last(fixed);
    else for (let i = 0; i < extent[q]!; i++) walk([...fixed, origin[q]! + i]);
  };
  walk([]);
  return ret;
}
