// Elements in few words. SPDX-License-Identifier: MIT

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;
type Child = Node | string | null | undefined;

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return element;
}

/** An element with attributes (functions listen to events) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** The same of MathML. */
export function m(tag: string, attributes: Attributes = {}, ...children: Child[]): Element {
  return fill(document.createElementNS("http://www.w3.org/1998/Math/MathML", tag), attributes, children);
}

/** A control with its label. */
export function labelled(label: string, control: HTMLElement, ...more: Child[]): HTMLLabelElement {
  return h("label", { class: "field" }, h("span", {}, label), control, ...more);
}

/** Calls after the last of several calls that come soon after each other. */
export function later(call: () => void, milliseconds: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}

/** What may be wider than the page, with a word about it where it is. */
export function sideways(place: HTMLElement): HTMLElement {
  const hint = h("p", { class: "sideways", hidden: true }, "wider than the page: scroll sideways →");
  new ResizeObserver(() => (hint.hidden = place.scrollWidth <= place.clientWidth)).observe(place);
  return h("div", {}, place, hint);
}

/** A number for people: few digits; what is impossible as -∞. */
export function shown(value: number | boolean | null | undefined, digits = 4): string {
  if (typeof value === "boolean") return String(value);
  if (value === null || value === undefined || value === -Infinity) return "−∞";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}
