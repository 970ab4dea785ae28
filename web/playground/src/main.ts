// The page: its views, and the address that says what they show. SPDX-License-Identifier: MIT
import { fuses, load } from "trapeze";
import fused from "trapeze/trapeze-fused.wasm?url";
import wasm from "trapeze/trapeze.wasm?url";
import { makeCompressView } from "./compress-view.js";
import { later } from "./dom.js";
import { makeRulesView } from "./rules-view.js";
import { makeRunView } from "./run-view.js";
import { decode, encode, first, type State, Store } from "./state.js";
import { makeWatchView } from "./watch-view.js";

const views = ["rules", "run", "watch", "compress"] as const;
const status = document.getElementById("status")!;
const element = (id: string) => document.getElementById(id)!;

const SAID_FOR = 6000; // milliseconds

function say(text: string, wrong = false): void {
  status.textContent = text;
  status.classList.toggle("wrong", wrong);
}

/** What is soon of no more interest. */
function sayBriefly(text: string): void {
  say(text);
  setTimeout(() => {
    if (status.textContent === text) say("");
  }, SAID_FOR);
}

function showView(view: State["view"]): void {
  for (const name of views) {
    const tab = element(`tab-${name}`);
    element(name).hidden = name !== view;
    tab.setAttribute("aria-selected", String(name === view));
    tab.tabIndex = name === view ? 0 : -1;
  }
}

function listenToTabs(store: Store): void {
  for (const [i, name] of views.entries()) {
    const tab = element(`tab-${name}`);
    tab.addEventListener("click", () => store.change("view", { view: name }));
    tab.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? views.length - 1 : 0;
      if (by === 0) return;
      const next = views[(i + by) % views.length]!;
      store.change("view", { view: next });
      element(`tab-${next}`).focus();
    });
  }
}

async function stateOfAddress(): Promise<State> {
  const letters = location.hash.slice(1);
  if (letters === "") return structuredClone(first);
  const state = await decode(letters);
  if (state === null) say("The address holds no state that can be read: this is the page from its beginning.", true);
  return state ?? structuredClone(first);
}

async function start(): Promise<void> {
  const trapeze = await load(fuses() ? fused : wasm);
  say("");
  const store = new Store(trapeze, await stateOfAddress());
  const remember = later(async () => {
    const letters = await encode(store.state);
    history.replaceState(null, "", `#${letters}`);
  }, 300);
  store.listen(() => showView(store.state.view));
  makeRulesView(element("rules"), store);
  makeRunView(element("run"), store);
  makeWatchView(element("watch"), store);
  makeCompressView(element("compress"), store);
  listenToTabs(store);
  store.tell("rules");
  store.listen(remember);
  addEventListener("hashchange", async () => {
    store.state = await stateOfAddress();
    store.tell("rules");
  });
  element("share").addEventListener("click", async () => {
    const link = `${location.origin}${location.pathname}#${await encode(store.state)}`;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      sayBriefly("The link is copied: it opens what this page shows now.");
    } catch {
      sayBriefly("The link stands in the address bar: it opens what this page shows now.");
    }
  });
  document.documentElement.dataset.ready = "yes";
}

start().catch((error: unknown) => say(`The page could not start: ${(error as Error).message}`, true));
