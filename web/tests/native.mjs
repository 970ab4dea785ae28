// The programs that the package is compared with, of the build that TRAPEZE_BUILD names;
// scripts/test-web builds them.
// SPDX-License-Identifier: MIT
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const build = process.env.TRAPEZE_BUILD ?? "build/web";
const built = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const digestWasm = built("build/wasm/tests/digest/digest.wasm");
export const digestFused = built("build/wasm-fused/tests/digest/digest.wasm");
const programs = { digest: built(`${build}/tests/digest/digest`), unicode: built(`${build}/web/tests/unicode`), trapeze: built(`${build}/trapeze`) };

/** What a program prints. */
export function output(name, args = [], input = "", env = {}) {
  return execFileSync(programs[name], args, { input, encoding: "utf8", maxBuffer: 1 << 28, stdio: "pipe", env: { ...process.env, ...env } });
}

/** For node:test: a reason to skip, or false. */
export const missing = Object.values(programs).every(existsSync) && existsSync(digestWasm) && existsSync(digestFused) ? false : "scripts/test-web builds what this compares with";
