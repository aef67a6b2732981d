// A folder with what should not be in it.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { screenshot } from "./support/browser.mjs";
import { png, pngBomb } from "./support/png.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { drop, dropZone, goTo, uploaded } from "./support/steps.mjs";

const hostile = "<img src=x onerror=window.hacked=1>.png";

async function makeFolder(parent, face) {
  const folder = join(parent, "mixed");
  await mkdir(folder);
  const picture = png(64, 48, (x, y) => [x * 3, y * 4, 90]);
  const files = {
    "good.jpg": await readFile(face),
    "good.png": picture,
    [hostile]: png(64, 48, (x, y) => [y * 4, x * 3, 20]),
    "letter.jpg": Buffer.from("Dear colleague,\nthe photograph is attached.\n"),
    "cut.png": png(200, 200, (x, y) => [x, y, (x * y) % 256]).subarray(0, 5000),
    "bomb.png": pngBomb(60_000, 60_000),
    "empty.png": Buffer.alloc(0),
    "notes.txt": Buffer.from("not for here"),
    "twin.png": picture,
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
}

const why = async (page, name) =>
  await page
    .locator(".upload-report li", { has: page.getByText(name, { exact: true }) })
    .innerText();

scenario(
  "wrong files are refused with reasons, and the good ones of the same folder arrive",
  async (studio) => {
    studio.complaints.expect(/status of (400|409|413)/);
    const faces = await studio.faces(1);
    const project = await studio.api.makeProject("Mixed", ["nose_tip"], []);
    const page = await studio.open({ name: "Ada" });
    await page.goto(`${studio.server.url}/#/p/${project}/images`);
    await drop(page, dropZone(page), [await makeFolder(studio.folder, faces.files[0])]);
    await uploaded(page, /3 images stored; 6 files skipped/);
    await screenshot(page, "wrong-files-report");
    assert.match(await why(page, "letter.jpg"), /not an? .*image|no image|neither/i);
    assert.match(await why(page, "cut.png"), /cut|trunc|damaged|incomplete|ends|corrupt/i);
    assert.match(await why(page, "bomb.png"), /large|pixels|big/i);
    assert.match(await why(page, "empty.png"), /empty/);
    assert.match(await why(page, "notes.txt"), /not an image/);
    const twins = await page.locator(".upload-report").innerText();
    assert.match(twins, /(good|twin)\.png\s+.*already/);
    await checkStored(page, studio.api, project);
    await checkEscaped(page, project);
  },
);

async function checkStored(page, api, project) {
  const names = (await api.images(project)).map((image) => image.name);
  assert.equal(names.length, 3);
  assert.ok(names.includes("good.jpg") && names.includes(hostile), names.join(", "));
  await eventually(() =>
    page
      .locator(".image-card img")
      .evaluateAll((all) => all.length === 3 && all.every((one) => one.naturalWidth > 0)),
  );
}

// Shown as letters, on every page that shows it.
async function checkEscaped(page) {
  await page.getByText(hostile).first().waitFor();
  await goTo(page, "Label");
  await page.getByRole("link", { name: hostile }).click();
  await page.locator(".toolbar-name", { hasText: hostile }).waitFor();
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img[src=x]").count(), 0);
}

scenario("a wrong landmark file says what is wrong with it and changes nothing", async (studio) => {
  studio.complaints.expect(/status of 400/);
  const faces = await studio.faces(1);
  const project = await studio.api.makeProject("Faces", ["nose_tip"], faces.files);
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/import`);
  const file = join(studio.folder, "points.csv");
  await writeFile(file, "image,landmark,x,y\nface_0000.jpg,nose_tip,12,twelve\n");
  await page.getByLabel("Choose files").setInputFiles(file);
  await page.getByRole("main").getByRole("button", { name: "Import" }).click();
  await page
    .getByRole("alert")
    .getByText(/twelve/)
    .waitFor();
  await screenshot(page, "wrong-files-import");
  const [image] = await studio.api.images(project);
  assert.equal(image.num_points, 0);
});
