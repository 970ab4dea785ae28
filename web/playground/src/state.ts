// What the page shows, and the address that says all of it. SPDX-License-Identifier: MIT
import type { Trapeze, Rules } from "trapeze";

/** All that a link reproduces. */
export interface State {
  view: "rules" | "run" | "watch" | "compress";
  /** The name of a rule set that is built in or of the gallery, or "" and the text of a file. */
  builtin: string;
  text: string;
  lengths: Record<string, number>;
  /** Scores: drawn at random with this seed; or, as they were typed, a line of JSON. */
  seed: number;
  typed: string;
  semiring: string;
  words: string;
  /** Of Watch. */
  step: number;
  outside: boolean;
  /** Steps are single items, not stages. */
  itemwise: boolean;
  /** The first length that the chart has grown from; -1: it has not. */
  from: number;
  /** Of Compress: the text, and how many words to keep, of 100; 0: as many as score best. */
  english: string;
  rate: number;
  /** Lines are whole sentences; what is written like law is compressed, too. */
  onePerLine: boolean;
  anyText: boolean;
}

export const first: State = {
  view: "rules",
  builtin: "eisner",
  text: "",
  lengths: {},
  seed: 1,
  typed: "",
  semiring: "log",
  words: "",
  step: 0,
  outside: false,
  itemwise: false,
  from: -1,
  english:
    "The old bridge, which was built in 1911, will be closed to lorries from Monday. " +
    "A fire that broke out in a paper mill early on Sunday destroyed two halls, but nobody was hurt, Mr. Holt said.",
  rate: 0,
  onePerLine: false,
  anyText: false,
};

/** The sources of the rule sets that are built in, and of the gallery (gallery/NAME), by name. */
export const sources: Record<string, string> = Object.fromEntries(
  Object.entries(import.meta.glob<string>("../../../rules/**/*.rules", { query: "?raw", import: "default", eager: true })).map(
    ([path, text]) => [path.replace(/^.*\/rules\/|\.rules$/g, ""), text],
  ),
);

async function through(bytes: BlobPart, by: GenericTransformStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(by)).arrayBuffer());
}

/** What differs from the first state, packed into letters that an address may have. */
export async function encode(state: State): Promise<string> {
  const some = Object.fromEntries(
    Object.entries(state).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key as keyof State])),
  );
  const packed = await through(JSON.stringify(some), new CompressionStream("deflate-raw"));
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** null: the letters are no state. */
export async function decode(letters: string): Promise<State | null> {
  try {
    const text = atob(letters.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const json = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
    const some = JSON.parse(json) as Record<string, unknown>;
    const state: State = structuredClone(first);
    for (const [key, value] of Object.entries(some))
      if (key in first && typeof value === typeof first[key as keyof State] && value !== null)
        Object.assign(state, { [key]: value });
    return state;
  } catch {
    return null;
  }
}

type Listener = (what: "rules" | "problem" | "view") => void;

/** The state, the rules that its text gives, and who wants to know of changes. */
export class Store {
  readonly trapeze: Trapeze;
  state: State;
  /** null while the text is wrong. */
  rules: Rules | null = null;
  readonly #listeners: Listener[] = [];

  constructor(trapeze: Trapeze, state: State) {
    this.trapeze = trapeze;
    this.state = state;
  }

  get text(): string {
    return this.state.builtin === "" ? this.state.text : (sources[this.state.builtin] ?? this.state.text);
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  change(what: "rules" | "problem" | "view", some: Partial<State>): void {
    if (what !== "view") this.state.from = -1; // another problem has not grown, unless it says so
    Object.assign(this.state, some);
    this.tell(what);
  }

  tell(what: "rules" | "problem" | "view"): void {
    for (const listener of this.#listeners) listener(what);
  }

  /** The lengths of problems, in the order of the rules: as chosen, else a few words and two labels. */
  lengths(rules: Rules): number[] {
    return rules.lengths.map((name) => this.state.lengths[name] ?? (/^[A-Z]/.test(name) ? 2 : 4));
  }
}
