// The programs that the package is compared with; scripts/test-web builds them.
// SPDX-License-Identifier: MIT
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = (path) => fileURLToPath(new URL(`../../../build/${path}`, import.meta.url));

export const digestWasm = built("wasm/web/tests/digest.wasm");
const programs = { digest: built("web/web/tests/digest"), trapeze: built("web/trapeze") };

/** What a program prints. */
export function output(name, args = [], input = "") {
  return execFileSync(programs[name], args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** For node:test: a reason to skip, or false. */
export const missing = Object.values(programs).every(existsSync) && existsSync(digestWasm) ? false : "scripts/test-web builds what this compares with";
