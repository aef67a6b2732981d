// Debian's Chromium, and pages in it that fail the test when they complain.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const screenshots = process.env.CAOS_SCREENSHOTS || "studio-screenshots";
// How many times slower the page's script runs than it could: a test that needs luck fails then.
const slowdown = Number(process.env.CAOS_SLOW_BROWSER || 1);

/** Why no browser can be driven here; null: it can. */
export async function whyNoBrowser() {
  if (!existsSync(executablePath))
    return `there is no ${executablePath} (tools/setup --tests, or set CHROMIUM)`;
  const found = await import("playwright-core").catch(() => null);
  return found ? null : "playwright-core is not installed (tools/setup --tests)";
}

export async function launch() {
  const { chromium } = await import("playwright-core");
  // A profile of its own, made empty and removed at the end.
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Runs in the page: what its policy forbids is otherwise only visible to who looks. */
function reportViolations() {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
  });
}

/** What the page complained about, except what the test expects. */
export class Complaints {
  constructor() {
    this.all = [];
    this.expected = [];
  }

  expect(...patterns) {
    this.expected.push(...patterns);
  }

  get unexpected() {
    return this.all.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }

  /** Listens to a page; `home` is the only address it may ask anything of. */
  watch(page, home) {
    page.on("pageerror", (error) => this.all.push(`error: ${error.stack ?? error}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.all.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const isInside = [home, "data:", "blob:"].some((start) => request.url().startsWith(start));
      if (!isInside) this.all.push(`asked elsewhere: ${request.url()}`);
    });
  }
}

/** A new page at `home`, as a person with this browser has it. */
export async function openPage(browser, home, complaints, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    ...options,
  });
  await context.addInitScript(reportViolations);
  return newTab(context, home, complaints);
}

/** Another tab of the same browser. */
export async function newTab(context, home, complaints) {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  complaints.watch(page, home);
  if (slowdown > 1) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  }
  await page.goto(home);
  return page;
}

/** Keeps what the page shows as an artifact of the run. */
export async function screenshot(page, name) {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
