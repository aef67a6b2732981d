// What every scenario needs: a server on an empty folder, a browser, and both gone at the end.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Api } from "./api.mjs";
import { Complaints, launch, newTab, openPage, screenshot, whyNoBrowser } from "./browser.mjs";
import { Faces } from "./faces.mjs";
import { Server, caos, program } from "./program.mjs";

async function whyNotHere() {
  if (!existsSync(program)) return "CAOS_PROGRAM does not name the program";
  const { stdout } = await caos("--version");
  return stdout.includes("without the studio's page") ? "the program has no page" : whyNoBrowser();
}

const missing = await whyNotHere();
if (missing) {
  console.error(`NOT TESTED: the studio in a browser, as ${missing}`);
  process.exit(77);
}

class Scenario {
  async begin(optionsIn) {
    this.folder = await mkdtemp(join(tmpdir(), "caos-browser-"));
    this.complaints = new Complaints();
    this.server = await new Server(join(this.folder, "data"), optionsIn(this.folder)).start();
    this.api = new Api(this.server);
    this.browser = await launch();
  }

  /** A browser window with the studio in it. `name`: who annotates, as if asked before. */
  async open({ name, ...options } = {}) {
    const page = await openPage(this.browser, this.server.url, this.complaints, options);
    if (name !== undefined) await this.becomes(page, name);
    return page;
  }

  tab = (page) => newTab(page.context(), this.server.url, this.complaints);

  async becomes(page, name) {
    await page.evaluate((text) => localStorage.setItem("caos.annotator", text), name);
    await page.reload();
  }

  faces = (count, fresh) => Faces.draw(join(this.folder, "faces"), { count, fresh });

  /** What was to be seen when it failed. */
  async explain(sentence) {
    for (const text of this.complaints.unexpected) console.error(`the page: ${text}`);
    if (this.server?.talk) console.error(`the server: ${this.server.talk}`);
    const pages = this.browser?.contexts().flatMap((context) => context.pages()) ?? [];
    const name = `failed-${sentence.replace(/\W+/g, "-").slice(0, 60)}`;
    for (const [index, page] of pages.entries()) {
      await screenshot(page, `${name}-${index + 1}`).catch(() => {});
    }
  }

  until = eventually;

  async end() {
    await this.browser?.close();
    await this.server?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A test with a server and a browser of its own; the page must not complain. `optionsIn` gives
 * options of the server, from the folder that everything is in. */
export function scenario(sentence, run, optionsIn = () => []) {
  test(sentence, async () => {
    const one = new Scenario();
    try {
      await one.begin(optionsIn);
      await run(one);
      assert.deepEqual(one.complaints.unexpected, []);
    } catch (error) {
      await one.explain(sentence);
      throw error;
    } finally {
      await one.end();
    }
  });
}

/** Waits until `check` holds (neither throws nor gives false), and fails with its own words. */
export async function eventually(check, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    try {
      const found = await check();
      if (found !== false) return found;
      if (Date.now() > end) throw new Error(`never came true: ${check}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
