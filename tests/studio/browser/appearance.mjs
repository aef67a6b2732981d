// How every page looks, light and dark: screenshots to be looked at, and what can be measured.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { cutChoices, tooWide } from "./support/fit.mjs";
import { finishedProject } from "./support/finished.mjs";
import { scenario } from "./support/scenario.mjs";
import { faintTexts } from "./support/contrast.mjs";
import { pageKinds, showPage } from "./support/steps.mjs";

const names = [
  "left_pupil",
  "right_pupil",
  "nose_tip",
  "left_mouth_corner",
  "right_mouth_corner",
  "chin",
];

async function check(page, name) {
  await screenshot(page, `page-${name}`);
  assert.deepEqual(await page.evaluate(tooWide), [], name);
  assert.deepEqual(await page.evaluate(cutChoices), [], name);
  assert.deepEqual(await page.evaluate(faintTexts), [], `${name} has texts that are hard to read`);
}

async function checkAll(page, project, colors) {
  await page.getByRole("link", { name: "Drawn faces" }).waitFor();
  await check(page, `projects-${colors}`);
  for (const kind of pageKinds) {
    await showPage(page, project, kind);
    await check(page, `${kind}-${colors}`);
  }
  await showPage(page, project, "review");
  await page.locator(".guarantee-badge").click();
  await page.getByRole("dialog", { name: "What the guarantee stands on" }).waitFor();
  await check(page, `guarantee-${colors}`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await check(page, `keys-${colors}`);
}

scenario("every page fits the window and can be read, light and dark", async (studio) => {
  const faces = await studio.faces(16);
  const project = await finishedProject(studio, faces, names);
  for (const colorScheme of ["light", "dark"]) {
    const page = await studio.open({ name: "Ada", colorScheme });
    await checkAll(page, project, colorScheme);
    await page.context().close();
  }
});
