// Two people, or two tabs, on one image.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, openImage, placeAll } from "./support/steps.mjs";
import { assertHit, drag, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "nose_tip"];

/** An image that Ada and Bo both have open, all placed. */
async function begin(studio) {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const [image] = await studio.api.images(project);
  const places = faces.places(image.name, names);
  const ada = await studio.open({ name: "Ada" });
  await openImage(ada, "annotate", project, image);
  await placeAll(ada, places);
  await allSaved(ada);
  const bo = await studio.open({ name: "Bo" });
  await openImage(bo, "annotate", project, image);
  await bo.getByText("All 2 landmarks done").waitFor();
  return { project, image, places, ada, bo };
}

// Neither hears of the other: the network between them and the server is slow, as it were.
async function deafen(page) {
  await page.route("**/v1/events*", (route) => route.abort());
  await page.reload();
  await page.locator("[data-ready=true]").waitFor();
  await page.getByText("All 2 landmarks done").waitFor();
}

const moved = (at, dx, dy) => ({ x: at.x + dx, y: at.y + dy });

/** Both move the same point; Bo comes second. */
async function collide(studio) {
  studio.complaints.expect(/status of 409/, /ERR_FAILED/);
  const work = await begin(studio);
  const { ada, bo, places } = work;
  await deafen(bo);
  const at = places.nose_tip;
  await drag(ada, at, moved(at, 12, 0));
  await allSaved(ada);
  await drag(bo, at, moved(at, 0, -14));
  const dialog = bo.getByRole("dialog", { name: /was changed elsewhere/ });
  await dialog.waitFor();
  return { ...work, dialog, at };
}

async function nose(studio, { project, image }) {
  const landmark = (await studio.api.landmarks(project)).find((one) => one.name === "nose_tip");
  const { points } = await studio.api.reading(project, image.id);
  return points.find((one) => one.landmark === landmark.id);
}

scenario("a conflict shows both versions, and mine can be kept", async (studio) => {
  const work = await collide(studio);
  const { dialog, bo, at } = work;
  await dialog.getByText("Ada").first().waitFor();
  await eventually(async () => (await dialog.getByTestId("viewer").count()) === 2);
  assert.match(await dialog.locator(".differences").innerText(), /nose_tip/);
  await dialog.locator("[data-ready=true]").nth(1).waitFor();
  await screenshot(bo, "two-tabs-conflict");
  const { scale } = await viewOf(work.ada);
  await dialog.getByRole("button", { name: "Keep mine" }).click();
  await dialog.waitFor({ state: "detached" });
  await eventually(async () => assertHit(await nose(studio, work), moved(at, 0, -14), scale / 2));
  assert.equal((await nose(studio, work)).annotator, "Bo");
  const history = await studio.api.history(work.project, work.image.id);
  const said = history
    .filter((one) => one.landmark_name === "nose_tip")
    .map((one) => one.annotator);
  assert.deepEqual(said, ["Bo", "Ada", "Ada"]);
});

scenario("a conflict shows both versions, and theirs can be taken", async (studio) => {
  const work = await collide(studio);
  const { scale } = await viewOf(work.ada);
  await work.dialog.getByRole("button", { name: "Take theirs" }).click();
  await work.dialog.waitFor({ state: "detached" });
  await work.bo.getByTestId("save-state").waitFor();
  const point = await nose(studio, work);
  assert.equal(point.annotator, "Ada");
  assertHit(point, moved(work.at, 12, 0), scale / 2);
  const history = await studio.api.history(work.project, work.image.id);
  assert.ok(history.every((one) => one.annotator === "Ada"));
});

scenario("a viewer sees the other's points come, and is told", async (studio) => {
  const { ada, bo, places } = await begin(studio);
  await drag(ada, places.nose_tip, moved(places.nose_tip, 12, 0));
  await bo.getByText("Ada changed this image just now.").waitFor();
  await drag(bo, places.left_pupil, moved(places.left_pupil, -9, 0));
  await ada.getByText("Bo changed this image just now.").waitFor();
  await allSaved(bo);
  assert.equal(await bo.getByRole("dialog").count(), 0);
});
