// What keeps the guarantee and what costs it: looks, sizes, targets, exports.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { goTo } from "./support/steps.mjs";

const names = ["left_pupil", "nose_tip"];
const badge = (page, tone) => page.locator(`.guarantee-badge.tone-${tone}`);
const dialog = (page, name) => page.getByRole("dialog", { name });

async function drawWithLooks(page) {
  await page.getByText("Plan looks, to stop early").click();
  const field = page.getByLabel("Look when so many are labeled");
  await field.fill("21, 19");
  await page.getByText("List growing numbers").waitFor();
  assert.ok(await page.getByRole("button", { name: "Draw …" }).isDisabled());
  await field.fill("19, 21");
  await page.getByText("Look 1: 19 images, regions at alpha 0.05").waitFor();
  await screenshot(page, "guarantee-looks");
  await page.getByRole("button", { name: "Draw …" }).click();
  await dialog(page, "Draw 21 images at random?")
    .getByText("you may stop at any of these looks")
    .waitFor();
  await page.getByRole("button", { name: "Draw the sample" }).click();
  await page.getByText("Planned looks: 19, 21.").waitFor();
}

async function labelFirst(studio, project, faces, count) {
  const images = await studio.api.images(project);
  for (const image of images.filter((one) => one.order < count && !one.complete)) {
    await studio.api.place(project, image.id, faces.places(image.name, names));
  }
}

async function checkLook(page) {
  await badge(page, "design").click();
  const panel = dialog(page, "What the guarantee stands on");
  await panel.getByRole("heading", { name: "90 % on average over samples" }).waitFor();
  await panel.getByText("1 of 2 reached, alpha 0.05; the next at 21 images").waitFor();
  await panel.getByText("the share may be lower or higher").waitFor();
  await screenshot(page, "guarantee-look-1");
  await page.keyboard.press("Escape");
}

// Regions would show what has not been seen; a model cannot say what several looks cost.
async function checkExports(page, studio, project) {
  await goTo(page, "Export");
  await page.getByRole("button", { name: "Regions, CSV …" }).click();
  const regions = dialog(page, "Export Regions, CSV?");
  await regions.getByText("5 images outside the sample will count as seen").waitFor();
  await regions.getByRole("button", { name: "Not yet" }).click();
  await page.getByText("There is none with several planned looks").waitFor();
  await screenshot(page, "guarantee-export");
  assert.ok((await studio.api.images(project)).every((image) => !image.seen));
}

async function endAtLook(page, studio, project) {
  await goTo(page, "Images");
  await page.getByRole("button", { name: "End at 19 …" }).click();
  await page.getByText("This look was planned, so the guarantee stays.").waitFor();
  await page.getByRole("button", { name: "End at 19", exact: true }).click();
  await page.getByRole("heading", { name: "19 images drawn at random" }).waitFor();
  await eventually(async () => (await studio.api.status(project)).guarantee.by_design);
  await badge(page, "design").waitFor();
}

async function look(page) {
  await goTo(page, "Review");
  await page.locator(".landmark-list").getByText("px").first().waitFor();
  await page.getByText("Look 1 of 1").waitFor({ state: "detached" });
}

async function extend(page) {
  await goTo(page, "Images");
  await page.getByRole("button", { name: "Draw more …" }).click();
  await page.getByLabel("New size of the sample").fill("22");
  await page.getByText("Going on until regions look small misses the target").waitFor();
  await screenshot(page, "guarantee-extend");
  await page.getByRole("button", { name: "Extend without guarantee" }).click();
  await page.getByRole("heading", { name: "22 images drawn at random" }).waitFor();
  await badge(page, "none").waitFor();
}

async function retarget(page, studio, project) {
  await goTo(page, "Settings");
  await page.getByLabel("Target").selectOption("0.2");
  await page.getByText("changing the target now costs the guarantee").waitFor();
  const save = page.getByRole("button", { name: "Save settings" });
  await save.click();
  const asked = dialog(page, "Change this after regions were seen?");
  await screenshot(page, "guarantee-target");
  await asked.getByRole("button", { name: "Keep it" }).click();
  assert.equal((await studio.api.get(`/v1/projects/${project}`)).settings.alpha, "0.1");
  await save.click();
  await asked.getByRole("button", { name: "Change it without guarantee" }).click();
  await page.getByText("Settings saved.").waitFor();
  const { settings, integrity } = await studio.api.get(`/v1/projects/${project}`);
  assert.equal(settings.alpha, "0.2");
  assert.notEqual(integrity.retargeted_at, null);
}

scenario("what costs the guarantee is said before it is done", async (studio) => {
  const faces = await studio.faces(26);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/images`);
  await drawWithLooks(page);
  await labelFirst(studio, project, faces, 19);
  await eventually(async () => (await studio.api.status(project)).look.number === 1);
  await checkLook(page);
  await checkExports(page, studio, project);
  await endAtLook(page, studio, project);
  await look(page);
  await retarget(page, studio, project);
  await badge(page, "none").waitFor();
  await extend(page);
});
