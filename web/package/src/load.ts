// The module: where it comes from, and the little that it needs of a system.
// SPDX-License-Identifier: MIT
import { Memory } from "./memory.js";

/** The library's code: its bytes, or where to fetch them. */
export type Source = BufferSource | WebAssembly.Module | Response | URL | string;

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string") source = new URL(source, import.meta.url);
  if (source instanceof URL && source.protocol === "file:") {
    const files = "node:fs/promises"; // no bundler is to look for it
    const { readFile } = (await import(/* @vite-ignore */ files)) as typeof import("node:fs/promises");
    source = await readFile(source);
  }
  if (source instanceof URL) source = await fetch(source);
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
    const streams = source.headers.get("Content-Type") === "application/wasm";
    return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/** The library prints nothing; it looks at the clock where a search has to end. */
function system(view: () => DataView): WebAssembly.Imports {
  const notAFile = () => 8;
  return {
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
    system(() => new DataView(memory.u8.buffer)),
  );
  const memory = new Memory(instance);
  (instance.exports._initialize as () => void)();
  return memory;
}
