// Reloads and power cuts in the middle of annotating.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, openImage, waitForTarget } from "./support/steps.mjs";
import { assertHit, clickOn, viewOf } from "./support/viewer.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip", "chin", "hairline", "nose_base"];

/** What a browser says of a server that is not there. */
const deadServer =
  /ERR_(CONNECTION_(REFUSED|RESET)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH)/;

async function begin(studio) {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  const page = await studio.open({ name: "Ada" });
  const [image] = await studio.api.images(project);
  await openImage(page, "annotate", project, image);
  return { page, project, image, places: faces.places(image.name, names) };
}

/** Clicks landmarks `from` to `to` of the list. */
async function click(page, places, from, to) {
  for (let index = from; index < to; ++index) {
    await waitForTarget(page, index + 1, names[index]);
    await clickOn(page, places[names[index]]);
  }
}

/** Every landmark is at its place, placed once. */
async function checkAll(api, { project, image, places, page }) {
  const { scale } = await viewOf(page);
  const { points, complete } = await api.reading(project, image.id);
  const landmarks = await api.landmarks(project);
  assert.ok(complete);
  for (const { id, name } of landmarks) {
    assertHit(
      points.find((one) => one.landmark === id),
      places[name],
      scale,
      name,
    );
  }
  const history = await api.history(project, image.id);
  assert.deepEqual(history.map((one) => one.landmark_name).sort(), [...names].sort());
  assert.equal(new Set(history.map((one) => `${one.change} ${one.landmark}`)).size, names.length);
}

scenario("a reload in the middle of annotating loses nothing", async (studio) => {
  const work = await begin(studio);
  const { page, places, image } = work;
  await click(page, places, 0, 3);
  // At once, with the last click perhaps still on its way.
  await page.reload();
  await page.locator(`[data-ready=true][aria-label*="${image.name}"]`).waitFor();
  await click(page, places, 3, 6);
  await page.getByText("All 6 landmarks done").waitFor();
  await allSaved(page);
  await eventually(() => checkAll(studio.api, work));
});

scenario("clicks go on while the server is dead, and all arrive, none twice", async (studio) => {
  studio.complaints.expect(deadServer);
  const work = await begin(studio);
  const { page, places } = work;
  await click(page, places, 0, 2);
  await studio.server.kill();
  await click(page, places, 2, 5);
  // Those before may have been on their way.
  await page
    .getByTestId("save-state")
    .getByText(/offline: [345] changes kept in this browser/)
    .waitFor();
  await screenshot(page, "interruptions-offline");
  await studio.server.start();
  await click(page, places, 5, 6);
  await allSaved(page);
  await eventually(() => checkAll(studio.api, work));
  await screenshot(page, "interruptions-all-saved");
});

scenario("changes survive that server and page die together", async (studio) => {
  studio.complaints.expect(deadServer);
  const work = await begin(studio);
  const { page, places } = work;
  await click(page, places, 0, 3);
  await studio.server.kill();
  await click(page, places, 3, 6);
  await page.getByTestId("save-state").getByText("kept in this browser").waitFor();
  const context = page.context();
  await page.close();
  await studio.server.start();
  const next = await context.newPage();
  await next.goto(`${studio.server.url}/#/p/${work.project}/annotate/${work.image.id}`);
  await next.locator(`[data-ready=true]`).waitFor();
  await next.getByText("All 6 landmarks done").waitFor();
  await allSaved(next);
  await eventually(() => checkAll(studio.api, { ...work, page: next }));
});
