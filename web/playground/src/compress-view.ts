// Compress: English sentences with words left out, by the model that ships. SPDX-License-Identifier: MIT
import { type Compressed, draw, type Model, type Rules, type Use } from "trapeze";
import english from "trapeze/english.model?url";
import { h, labelled, later } from "./dom.js";
import type { Store } from "./state.js";

const MOST_LINES = 20;
const MOST_DRAWN = 40; // words

/** Every word: those that are dropped are struck out. */
function wordsOf({ text, spans, keep }: Compressed): HTMLElement {
  const place = h("p", { class: "words" });
  let at = 0;
  spans.forEach(([begin, end], w) => {
    place.append(text.slice(at, begin), h(keep[w] ? "span" : "del", {}, text.slice(begin, end)));
    at = end;
  });
  place.append(text.slice(at));
  return place;
}

/** The tree of the compression, over all words. */
function drawing(rules: Rules, { tokens, compressedHeads }: Compressed): HTMLElement {
  const uses: Use[] = compressedHeads.flatMap((head, w): Use[] => (head === null ? [] : [["arc", head, w + 1, 0]]));
  const place = h("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "The tree of the compression" });
  place.innerHTML = draw(rules, [tokens.length], uses, { words: tokens }) ?? "";
  const arcs = compressedHeads.flatMap((head, w) => (head ? [`${tokens[head - 1]} → ${tokens[w]}`] : []));
  place.querySelector("svg")?.setAttribute("role", "img");
  place.querySelector("svg")?.setAttribute("aria-label", arcs.join(", "));
  return place;
}

export function makeCompressView(panel: HTMLElement, store: Store): void {
  const text = h("textarea", { id: "english", rows: 6, lang: "en", "aria-describedby": "english-note" });
  const rate = h("input", { type: "range", id: "rate", min: 5, max: 100, step: 5, "aria-label": "Words to keep, of 100" });
  const said = h("output", { id: "rate-said" });
  const free = h("input", { type: "checkbox", id: "free" });
  const answer = h("div", { id: "compressions", "aria-live": "polite" });
  const bar = h("progress", { id: "loading", "aria-label": "The English model" });
  const loading = h("div", { class: "bar", hidden: true }, bar, h("span", { id: "loading-said" }));
  const rules = store.trapeze.builtin("compress-single-root");
  let model: Model | undefined;
  let asked: Promise<void> | undefined;

  const change = () => store.change("problem", { english: text.value, rate: free.checked ? 0 : Number(rate.value) });
  const typed = later(change, 250);
  text.addEventListener("input", typed);
  free.addEventListener("change", change);
  rate.addEventListener("input", () => {
    free.checked = false;
    said.textContent = `${rate.value} % of the words`;
    typed();
  });

  panel.append(
    h(
      "section",
      { class: "panel", "aria-label": "Text" },
      h("h3", { id: "english-note" }, `English, one sentence a line, ${MOST_LINES} at most. Nothing leaves this page.`),
      h("label", { class: "field wide" }, h("span", { hidden: true }, "English text"), text),
      h("div", { class: "bar" }, labelled("Length", rate, said), h("label", { class: "check" }, free, "the length that scores best")),
      loading,
    ),
    answer,
  );

  /** Fetched when it is first needed. */
  const fetchModel = async () => {
    loading.hidden = false;
    const say = (what: string) => (loading.lastElementChild!.textContent = what);
    const size = (bytes: number) => (bytes / 1e6).toFixed(1);
    say("The English model …");
    try {
      model = await store.trapeze.model(english, (bytes, total) => {
        if (total !== undefined) [bar.max, bar.value] = [total, bytes];
        say(`The English model: ${size(bytes)}${total === undefined ? "" : ` of ${size(total)}`} MB`);
      });
      loading.hidden = true;
      update();
    } catch (error) {
      asked = undefined; // the next visit asks anew
      say(`The English model could not be loaded: ${(error as Error).message}`);
    }
  };

  const show = (line: string): HTMLElement => {
    try {
      const one = model!.compress(line, store.state.rate > 0 ? { rate: store.state.rate / 100 } : {});
      const kept = one.keep.filter(Boolean).length;
      return h(
        "section",
        { class: "panel compression", "aria-label": "Compression" },
        h("h2", { lang: "en" }, one.compression),
        wordsOf(one),
        h("p", { class: "about" }, `${kept} of ${one.tokens.length} words`),
        one.tokens.length <= MOST_DRAWN ? drawing(rules, one) : null,
      );
    } catch (error) {
      return h("p", { class: "wrong", role: "alert" }, (error as Error).message);
    }
  };

  const update = () => {
    const { state } = store;
    if (state.view !== "compress") return;
    if (text.value !== state.english) text.value = state.english;
    free.checked = state.rate === 0;
    if (state.rate > 0) rate.value = String(state.rate);
    said.textContent = free.checked ? "as many words as score best" : `${rate.value} % of the words`;
    if (model === undefined) {
      asked ??= fetchModel();
      return;
    }
    const lines = state.english.split("\n").filter((line) => line.trim() !== "");
    answer.replaceChildren(...lines.slice(0, MOST_LINES).map(show));
    if (lines.length > MOST_LINES) answer.append(h("p", { class: "about" }, `The first ${MOST_LINES} of ${lines.length} lines.`));
  };
  store.listen(update);
}
