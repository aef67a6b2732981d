// Runs src/**/*.test.ts with node's own test runner; the bundler that is here anyway compiles them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");

function testsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testsIn(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

const out = mkdtempSync(join(tmpdir(), "caos-page-tests-"));
try {
  const entryPoints = testsIn(source);
  const options = {
    bundle: true,
    outbase: source,
    platform: "node",
    format: "esm",
    target: "node18",
  };
  // As browsers have it; node 18 does not.
  const js = 'import { webcrypto } from "node:crypto"; globalThis.crypto ??= webcrypto;';
  await build({
    ...options,
    banner: { js },
    entryPoints,
    outdir: out,
    outExtension: { ".js": ".mjs" },
  });
  // Named one by one: versions of node differ in what they make of a folder.
  const built = entryPoints.map((path) => join(out, relative(source, path).replace(/ts$/, "mjs")));
  const { status } = spawnSync(process.execPath, ["--test", ...built], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
