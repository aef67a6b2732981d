// The ways in: the ready-made project, and a studio that asks for a token.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { goTo } from "./support/steps.mjs";
import { imageShown } from "./support/viewer.mjs";

scenario(
  "the demo is ready to be reviewed",
  async (studio) => {
    const page = await studio.open({ name: "Ada" });
    await page.locator(".project-link").click();
    await goTo(page, "Review");
    await page.locator(".support-list img").first().waitFor();
    await imageShown(page);
    await page.locator(".guarantee-badge.tone-design").waitFor();
    await screenshot(page, "demo-review");
    const first = page.url();
    await page.keyboard.press("Shift+Enter");
    await page.waitForURL((url) => url.href !== first);
    await eventually(async () => (await studio.api.status(1)).num_reviewed === 1);
  },
  () => ["--demo"],
);

const tokenFile = (folder) => join(folder, "token.txt");

async function logIn(page, token) {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
}

scenario(
  "without the token nothing is shown, with it one logs in and out",
  async (studio) => {
    studio.complaints.expect(/status of (401|403)/);
    const page = await studio.open();
    await page.getByLabel("Token").waitFor();
    await screenshot(page, "login");
    await logIn(page, "not-the-token-at-all");
    await page.getByText("That is not the token.").waitFor();
    assert.equal(await page.getByText("Projects").count(), 0);
    await logIn(page, readFileSync(tokenFile(studio.folder), "utf8").trim());
    await page.getByLabel("Name", { exact: true }).fill("Behind the login");
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByRole("region", { name: "Add images" }).waitFor();
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
    await page.locator(".who-name").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Token").waitFor();
    assert.deepEqual(await page.context().cookies(), []);
  },
  (folder) => ["--make-token", tokenFile(folder)],
);
