// How the page is bundled. SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: { target: "es2022", outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
  server: { fs: { allow: ["../.."] } },
});
