// Compress: English text with words left out of its sentences, by the model that ships. SPDX-License-Identifier: MIT
import { type Compressed, draw, type Model, type Trapeze, type Use } from "trapeze";
import english from "trapeze/english.model?url";
import { h, labelled, later, sideways } from "./dom.js";
import type { Store } from "./state.js";

const MOST_SENTENCES = 50;
const MOST_DRAWN = 40; // words
const DRAWN_AT_FIRST = 3; // sentences; of others the tree is drawn when it is asked for

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

/** Rules that have nothing but shapes to draw: arcs with a label, and arcs without. */
function shapes(trapeze: Trapeze, labels: readonly string[]) {
  const arc = "0 <= h <= n, 1 <= m <= n, h != m";
  return trapeze.rules(`rules   drawn
length  n, R
names   R ${labels.join(" ")}
weight  arc[h,m,r] ${arc}, 0 <= r < R
weight  bare[h,m]  ${arc}
item    done
goal    done

    axiom
    ----- one * arc[_,_,_] * bare[_,_]
    done
`);
}

/** The tree of the compression, over all words. Arcs that are none of the sentence's tree have no label. */
function drawing(trapeze: Trapeze, { tokens, heads, labels, compressedHeads }: Compressed): HTMLElement {
  const names = [...new Set(["root", ...labels.filter((label) => label !== null)])];
  using rules = shapes(trapeze, names);
  const uses = compressedHeads.flatMap((head, w): Use[] => {
    const label = head === heads[w] ? labels[w] : null;
    return head === null ? [] : [label ? ["arc", head, w + 1, names.indexOf(label), 0] : ["bare", head, w + 1, 0]];
  });
  const place = h("div", { class: "drawing", tabindex: 0, role: "group", "aria-label": "The tree of the compression" });
  place.innerHTML = draw(rules, [tokens.length, names.length], uses, { words: tokens }) ?? "";
  const arcs = compressedHeads.flatMap((head, w) => (head ? [`${tokens[head - 1]} → ${tokens[w]}`] : []));
  place.querySelector("svg")?.setAttribute("role", "img");
  place.querySelector("svg")?.setAttribute("aria-label", arcs.join(", "));
  return sideways(place);
}

/** A tree that can be folded away. */
function tree(trapeze: Trapeze, one: Compressed, open: boolean): HTMLElement {
  const place = h("details", { open }, h("summary", {}, "Tree"));
  const fill = () => {
    if (place.open && place.childElementCount === 1) place.append(drawing(trapeze, one));
  };
  place.addEventListener("toggle", fill);
  fill();
  return place;
}

/** How much was kept, and why. */
function about({ keep, tokens, likeLaw }: Compressed): string {
  if (likeLaw) return "Kept whole: it is written like law, which this model of news compresses badly.";
  const isWord = tokens.map((token) => /[\p{L}\p{N}]/u.test(token));
  const kept = keep.filter((one, w) => one && isWord[w]).length;
  return `${kept} of ${isWord.filter(Boolean).length} words`;
}

export function makeCompressView(panel: HTMLElement, store: Store): void {
  const text = h("textarea", { id: "english", rows: 6, lang: "en", "aria-describedby": "english-note" });
  const rate = h("input", { type: "range", id: "rate", min: 5, max: 100, step: 5, "aria-label": "Words to keep, of 100" });
  const said = h("output", { id: "rate-said" });
  const free = h("input", { type: "checkbox", id: "free" });
  const onePerLine = h("input", { type: "checkbox", id: "one-per-line" });
  const anyText = h("input", { type: "checkbox", id: "any-text" });
  const whole = h("section", { id: "whole", class: "panel", hidden: true, "aria-label": "The text, compressed", "aria-live": "polite" });
  const answer = h("div", { id: "compressions" });
  const more = h("p", { id: "more", class: "about" });
  const bar = h("progress", { id: "loading", "aria-label": "The English model" });
  const loading = h("div", { class: "bar", hidden: true }, bar, h("span", { id: "loading-said" }));
  let model: Model | undefined;
  let asked: Promise<void> | undefined;
  let latest = 0; // of the texts that were to be compressed

  const tell = () => store.tell("problem");
  const tellLater = later(tell, 250);
  /** At once, since what the controls show comes from the state when anything changes. */
  const read = () =>
    Object.assign(store.state, {
      english: text.value,
      rate: free.checked ? 0 : Number(rate.value),
      onePerLine: onePerLine.checked,
      anyText: anyText.checked,
    });
  text.addEventListener("input", () => {
    read();
    tellLater();
  });
  for (const box of [free, onePerLine, anyText])
    box.addEventListener("change", () => {
      read();
      tell();
    });
  rate.addEventListener("input", () => {
    free.checked = false;
    said.textContent = `${rate.value} % of the words`;
    read();
    tellLater();
  });

  panel.append(
    h(
      "section",
      { class: "panel", "aria-label": "Text" },
      h("h3", { id: "english-note" }, `English text, ${MOST_SENTENCES} sentences at most. Nothing leaves this page.`),
      h("label", { class: "field wide" }, h("span", { hidden: true }, "English text"), text),
      h("div", { class: "bar" }, labelled("Length", rate, said), h("label", { class: "check" }, free, "the length that scores best")),
      h(
        "div",
        { class: "bar" },
        h("label", { class: "check" }, onePerLine, "each line is one sentence"),
        h("label", { class: "check" }, anyText, "compress also what is written like law"),
      ),
      loading,
    ),
    whole,
    answer,
    more,
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

  const compress = (sentence: string): Compressed | Error => {
    const { rate, anyText } = store.state;
    try {
      return model!.compress(sentence, { anyText, ...(rate > 0 ? { rate: rate / 100 } : {}) });
    } catch (error) {
      return error as Error;
    }
  };

  /** The place-th sentence, where another one may have been shown before. */
  const show = (place: number, one: Compressed | Error) => {
    const old = answer.children[place];
    const open = old?.querySelector("details")?.open ?? place < DRAWN_AT_FIRST;
    const section =
      one instanceof Error
        ? h("p", { class: "wrong", role: "alert" }, one.message)
        : h(
            "section",
            { class: "panel compression", "aria-label": `Sentence ${place + 1}` },
            h("h2", { lang: "en" }, one.compression),
            wordsOf(one),
            h("p", { class: "about" }, about(one)),
            one.tokens.length <= MOST_DRAWN ? tree(store.trapeze, one, open) : null,
          );
    if (old === undefined) answer.append(section);
    else old.replaceWith(section);
  };

  /** One sentence after the other, so that the page answers in between; then all as a text, whose
   * lines are the lines that were given. Stops where there is another text. */
  const compressAll = async () => {
    const mine = ++latest;
    const { english, onePerLine } = store.state;
    const lines = english.split("\n").map((line) => model!.sentences(line, { onePerLine }));
    const count = lines.flat().length;
    while (answer.childElementCount > Math.min(count, MOST_SENTENCES)) answer.lastElementChild!.remove();
    whole.hidden = count < 2;
    more.textContent = count > MOST_SENTENCES ? `The first ${MOST_SENTENCES} of ${count} sentences.` : "";
    const texts: string[] = [];
    let place = 0;
    for (const line of lines) {
      const compressions: string[] = [];
      for (const sentence of line.slice(0, MOST_SENTENCES - place)) {
        if (place > 0) await new Promise((resolve) => setTimeout(resolve));
        if (mine !== latest) return;
        const one = compress(sentence);
        show(place++, one);
        if (!(one instanceof Error)) compressions.push(one.compression);
      }
      if (compressions.length > 0) texts.push(compressions.join(" "));
    }
    whole.replaceChildren(h("h3", {}, "The text, compressed"), ...texts.map((text) => h("p", { lang: "en" }, text)));
  };

  const update = () => {
    const { state } = store;
    if (state.view !== "compress") return;
    if (text.value !== state.english) text.value = state.english;
    free.checked = state.rate === 0;
    if (state.rate > 0) rate.value = String(state.rate);
    [onePerLine.checked, anyText.checked] = [state.onePerLine, state.anyText];
    said.textContent = free.checked ? "as many words as score best" : `${rate.value} % of the words`;
    if (model === undefined) {
      asked ??= fetchModel();
      return;
    }
    compressAll().catch((error) => (more.textContent = (error as Error).message));
  };
  store.listen(update);
}
