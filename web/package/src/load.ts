// The module: where it comes from, and the little that it needs of a system.
// SPDX-License-Identifier: MIT
import { Memory } from "./memory.js";
import { host } from "./unicode.js";

/** A file: its bytes, or where to fetch them. */
export type File = BufferSource | Response | URL | string;
/** The library's code. */
export type Source = File | WebAssembly.Module;

const isResponse = (file: unknown): file is Response => typeof Response !== "undefined" && file instanceof Response;

/** What is asked for and has come, or the bytes that need not be asked for. */
async function open(file: File): Promise<BufferSource | Response> {
  if (typeof file === "string") file = new URL(file, import.meta.url);
  if (file instanceof URL && file.protocol === "file:") {
    const files = "node:fs/promises"; // no bundler is to look for it
    const { readFile } = (await import(/* @vite-ignore */ files)) as typeof import("node:fs/promises");
    return readFile(file);
  }
  if (file instanceof URL) file = await fetch(file);
  if (isResponse(file) && !file.ok)
    throw new Error(`${file.url}: ${file.status} ${file.statusText}`);
  return file;
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const file = await open(source);
  if (!isResponse(file)) return WebAssembly.compile(file);
  const streams = file.headers.get("Content-Type") === "application/wasm";
  return streams ? WebAssembly.compileStreaming(file) : WebAssembly.compile(await file.arrayBuffer());
}

/** Two functions, f32 and f64: a * b + c by what Relaxed SIMD has for it. */
// prettier-ignore
const multiplyAdd = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0,
  1, 15, 2, 96, 3, 125, 125, 125, 1, 125, 96, 3, 124, 124, 124, 1, 124, // their types
  3, 3, 2, 0, 1,
  7, 13, 2, 3, 102, 51, 50, 0, 0, 3, 102, 54, 52, 0, 1, // their names
  10, 43, 2,
  20, 0, 32, 0, 253, 19, 32, 1, 253, 19, 32, 2, 253, 19, 253, 133, 2, 253, 31, 0, 11,
  20, 0, 32, 0, 253, 20, 32, 1, 253, 20, 32, 2, 253, 20, 253, 135, 2, 253, 33, 0, 11,
);

/** Does this machine multiply and add with one rounding? The standard of Relaxed SIMD leaves that
 * open; where it does, what is computed has the same bits as where that is put together. */
export function fuses(): boolean {
  if (!WebAssembly.validate(multiplyAdd)) return false;
  const { f32, f64 } = new WebAssembly.Instance(new WebAssembly.Module(multiplyAdd)).exports as Record<string, (a: number, b: number, c: number) => number>;
  const [a, b] = [1 + 2 ** -12, 1 + 2 ** -30]; // their squares end with 2 ** -24 and 2 ** -60
  return f32!(a, a, -(1 + 2 ** -11)) === 2 ** -24 && f64!(b, b, -(1 + 2 ** -29)) === 2 ** -60;
}

/** How many bytes have come, and how many there will be, where that is known. */
export type Progress = (bytes: number, total?: number) => void;

/** All bytes of a file. */
export async function bytesOf(source: File, progress: Progress): Promise<Uint8Array> {
  const file = await open(source);
  if (!isResponse(file))
    return ArrayBuffer.isView(file) ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : new Uint8Array(file);
  const packed = file.headers.get("Content-Encoding") !== null; // the length is that of what is sent
  const total = packed ? undefined : Number(file.headers.get("Content-Length")) || undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = file.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    progress((size += part.value.length), total);
  }
  const ret = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    ret.set(part, at);
    at += part.length;
  }
  return ret;
}

/** The library prints nothing; it looks at the clock where a search has to end. */
function system(u8: () => Uint8Array): WebAssembly.Imports {
  const notAFile = () => 8;
  const view = () => new DataView(u8().buffer);
  return {
    host: host(u8),
    wasi_snapshot_preview1: {
      clock_time_get(_clock: number, _precision: bigint, at: number): number {
        view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_write: notAFile,
      fd_close: notAFile,
      fd_seek: notAFile,
      fd_read: notAFile,
      environ_sizes_get: () => 0,
      environ_get: () => 0,
      proc_exit(status: number): never {
        throw new Error(`the library has ended with ${status}`);
      },
    },
    env: { emscripten_notify_memory_growth() {}, __call_sighandler() {} },
  };
}

export async function instantiate(source: Source): Promise<Memory> {
  const module = await compile(source);
  const instance: WebAssembly.Instance = await WebAssembly.instantiate(
    module,
    system(() => memory.u8),
  );
  const memory = new Memory(instance);
  (instance.exports._initialize as () => void)();
  return memory;
}
