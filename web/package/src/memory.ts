// The library's memory, and calls of its functions. SPDX-License-Identifier: MIT
import { TrapezeError, RulesError } from "./errors.js";
import { ERROR, STATUS } from "./layout.js";

// Where the system does not have it yet, `using` needs it.
(Symbol as { dispose?: symbol }).dispose ??= Symbol("Symbol.dispose");

type Native = Record<string, (...args: (number | bigint)[]) => number>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An address in the library's memory. 0 is none. */
export type Address = number;

/** Memory that is given back at once, when what needed it is done. */
export class Scope implements Disposable {
  readonly #memory: Memory;
  readonly #list: Address[] = [];

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Zeroed, for any numbers. */
  bytes(size: number): Address {
    const at = this.#memory.allocate(size);
    this.#list.push(at);
    return at;
  }

  /** Text, ended by 0. */
  text(text: string): { at: Address; size: number } {
    const bytes = encoder.encode(text);
    const at = this.bytes(bytes.length + 1);
    this.#memory.u8.set(bytes, at);
    return { at, size: bytes.length };
  }

  i32(numbers: ArrayLike<number>): Address {
    const at = this.bytes(4 * numbers.length);
    this.#memory.i32.set(numbers, at >> 2);
    return at;
  }

  f64(numbers: ArrayLike<number>): Address {
    const at = this.bytes(8 * numbers.length);
    this.#memory.f64.set(numbers, at >> 3);
    return at;
  }

  [Symbol.dispose](): void {
    for (const at of this.#list) this.#memory.call.free!(at);
    this.#list.length = 0;
  }
}

export class Memory {
  /** The library's functions. */
  readonly call: Native;
  readonly #memory: WebAssembly.Memory;
  #views: { u8: Uint8Array; i32: Int32Array; f64: Float64Array };

  constructor(instance: WebAssembly.Instance) {
    this.call = instance.exports as unknown as Native;
    this.#memory = instance.exports.memory as WebAssembly.Memory;
    this.#views = this.#view();
  }

  #view() {
    const buffer = this.#memory.buffer;
    return {
      u8: new Uint8Array(buffer),
      i32: new Int32Array(buffer),
      f64: new Float64Array(buffer),
    };
  }

  /** Views are of the memory as large as it is now: any call of the library may make it grow. */
  get #now() {
    if (this.#views.u8.buffer !== this.#memory.buffer) this.#views = this.#view();
    return this.#views;
  }
  get u8(): Uint8Array {
    return this.#now.u8;
  }
  get i32(): Int32Array {
    return this.#now.i32;
  }
  get f64(): Float64Array {
    return this.#now.f64;
  }

  /** Zeroed; to be freed. */
  allocate(size: number): Address {
    const at = this.call.malloc!(Math.max(size, 8));
    if (at === 0) throw new TrapezeError(`there is no memory for ${size} bytes`);
    this.u8.fill(0, at, at + size);
    return at;
  }

  scope(): Scope {
    return new Scope(this);
  }

  word(at: Address): number {
    return this.i32[at >> 2]!;
  }
  setWord(at: Address, word: number): void {
    this.i32[at >> 2] = word;
  }
  double(at: Address): number {
    return this.f64[at >> 3]!;
  }
  words(at: Address, count: number): number[] {
    return Array.from(this.i32.subarray(at >> 2, (at >> 2) + count));
  }

  /** Text that ends with 0. */
  textAt(at: Address): string {
    return decoder.decode(this.u8.subarray(at, this.u8.indexOf(0, at)));
  }
  /** Text of a name, or null where there is none. */
  nameAt(at: Address): string | null {
    return at === 0 ? null : this.textAt(at);
  }

  /** All names that a function gives for 0, 1, ... */
  names(name: (index: number) => Address): string[] {
    const ret: string[] = [];
    for (let text; (text = this.nameAt(name(ret.length))) !== null;) ret.push(text);
    return ret;
  }

  /** What a function writes into a buffer that it is first asked the size of. */
  written(write: (text: Address, size: number) => number): string {
    using scope = this.scope();
    const size = write(0, 0) + 1;
    const text = scope.bytes(size);
    write(text, size);
    return this.textAt(text);
  }

  /** Calls what takes a tz_error, and throws what is in it unless the status is one of these. */
  try(call: (error: Address) => number, ...fine: number[]): number {
    using scope = this.scope();
    const error = scope.bytes(ERROR.size);
    const status = call(error);
    if (status === STATUS.ok || fine.includes(status)) return status;
    const message = this.textAt(error + ERROR.message) || this.textAt(this.call.tz_status_name!(status));
    if (status === STATUS.badRules) throw new RulesError(message);
    throw new TrapezeError(message);
  }
}
