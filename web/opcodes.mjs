// Debian 12's clang gives the fused multiply-add of Relaxed SIMD the numbers that it had in a draft.
// This gives them those of the standard, in place: node opcodes.mjs FILE.wasm...
// SPDX-License-Identifier: MIT
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** As the draft has it, and the standard; SIMD's prefix, and a number in groups of 7 bits. */
const renumbered = new Map([
  ["f32x4.fma", [[0xfd, 0xaf, 0x01], [0xfd, 0x85, 0x02]]],
  ["f64x2.fma", [[0xfd, 0xcf, 0x01], [0xfd, 0x87, 0x02]]],
]);

/** Where the code of a module begins, which addresses of a disassembly count from. */
function codeOf(bytes) {
  for (let at = 8, start; at < bytes.length; at = start) {
    const id = bytes[at++];
    let size = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      size += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte > 127);
    if (id === 10) return at;
    start = at + size;
  }
  throw new Error("there is no code");
}

/** The lines of a disassembly: an address, bytes, and the instruction's name. */
function disassembled(file) {
  for (const program of ["llvm-objdump", "llvm-objdump-14"])
    try {
      return execFileSync(program, ["-d", file], { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] }).split("\n");
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  throw new Error("there is no llvm-objdump");
}

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file), code = codeOf(bytes);
  let changed = 0;
  for (const line of disassembled(file)) {
    const [, address, name] = /^\s*([0-9a-f]+):(?:\s[0-9a-f]{2})+\s+(\S+)/.exec(line) ?? [];
    if (!renumbered.has(name)) continue;
    const [draft, standard] = renumbered.get(name), at = code + parseInt(address, 16);
    if (!draft.every((byte, i) => bytes[at + i] === byte)) throw new Error(`${file}: no ${name} at ${address}`);
    bytes.set(standard, at);
    changed++;
  }
  if (changed > 0) writeFileSync(file, bytes);
}
