// Semirings: by name, or as a text. SPDX-License-Identifier: MIT
import type { Address, Memory } from "./memory.js";
import type { Precision } from "./plan.js";

/** A semiring from a text, in the notation of docs/semirings.md. It is checked, and its laws have been
 * tried. Where a semiring's name is asked for, it can stand. Made by trapeze.semiring(). */
export class Semiring {
  readonly text: string;
  /** What stands in front of messages. */
  readonly name: string;

  constructor(memory: Memory, text: string, name: string) {
    this.text = text;
    this.name = name;
    memory.call.tz_semiring_free!(makeSemiring(memory, this, "f64"));
  }
}

/** A tz_semiring, to be freed. Those by their text have doubles as elements. */
export function makeSemiring(memory: Memory, semiring: string | Semiring, precision: Precision): Address {
  const { call } = memory;
  using scope = memory.scope();
  const ret = scope.bytes(8);
  memory.try((error) =>
    typeof semiring === "string"
      ? call.tz_semiring_new!(scope.text(semiring).at, precision === "f32" ? 1 : 0, ret, error)
      : call.tz_semiring_parse!(scope.text(semiring.name).at, scope.text(semiring.text).at, ret, error),
  );
  return memory.word(ret);
}
