// How the page is bundled. SPDX-License-Identifier: MIT
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const root = new URL("../../", import.meta.url);

/** README.md and docs/*.md, as text that any server gives to be read. */
function documents(): Plugin {
  const emit = (path: string) => ({
    type: "asset" as const,
    fileName: `documents/${path.replace(/^.*\/|\.md$/g, "")}.txt`,
    source: `\ufeff${readFileSync(new URL(path, root), "utf8")}`, // the mark says that it is UTF-8
  });
  return {
    name: "documents",
    generateBundle() {
      const pages = readdirSync(new URL("docs", root)).filter((name) => name.endsWith(".md"));
      for (const path of ["README.md", ...pages.map((name) => `docs/${name}`)]) this.emitFile(emit(path));
    },
  };
}

export default defineConfig({
  base: "./",
  build: { target: "es2022", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
  plugins: [documents()],
  server: { fs: { allow: ["../.."] } },
});
