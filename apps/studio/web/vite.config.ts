import { defineConfig, type ProxyOptions } from "vite";

const studio = "http://127.0.0.1:8474";

// The server answers only pages of its own: while developing, this one speaks in their name.
const toStudio: ProxyOptions = {
  target: studio,
  changeOrigin: true,
  configure: (proxy) => proxy.on("proxyReq", (request) => request.setHeader("origin", studio)),
};

// Fixed names and one file of each kind: the program embeds them by name, and serves them with an
// ETag, so hashes in names would buy nothing. Nothing is inlined: the page's policy allows 'self'.
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
  server: { proxy: { "/v1": toStudio, "/login": toStudio, "/logout": toStudio } },
});
