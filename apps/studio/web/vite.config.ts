import { defineConfig } from "vite";

// Fixed names and one file of each kind: the program embeds them by name, and serves them with an
// ETag, so hashes in names would buy nothing. Nothing is inlined: the page's CSP allows 'self' only.
export default defineConfig({
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    target: "es2021",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: "studio.js",
        inlineDynamicImports: true,
        assetFileNames: "studio[extname]",
      },
    },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8080", "/login": "http://127.0.0.1:8080" } },
});
