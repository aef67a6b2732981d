// A phone, and a tablet held upright: everything is in sight, and an image can be reviewed.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { finishedProject } from "./support/finished.mjs";
import { cutChoices, tooWide } from "./support/fit.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, goTo, pageKinds, showPage } from "./support/steps.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip"];
const windows = {
  phone: { viewport: { width: 390, height: 780 }, hasTouch: true, deviceScaleFactor: 2 },
  upright: { viewport: { width: 820, height: 1180 }, hasTouch: true },
};

/** What is smaller than a finger needs, or lies outside of the window. */
const hardToHit = (page, selector, width) =>
  page.locator(selector).evaluateAll(
    (all, least) =>
      all
        .map((one) => [one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0)
        .filter(
          ([, box]) =>
            box.width < least || box.height < 36 || box.left < 0 || box.right > innerWidth + 0.5,
        )
        .map(([text, box]) => `${text}: ${Math.round(box.width)} x ${Math.round(box.height)}`),
    width,
  );

const fits = [
  ["phone", "en", windows.phone],
  ["phone", "de", windows.phone],
  ["upright", "en", windows.upright],
  ["upright", "de", windows.upright],
];

for (const [kind, language, window] of fits) {
  const about = `${window.viewport.width} wide, in ${language}`;
  scenario(`every page fits a window that is ${about}`, async (studio) => {
    const faces = await studio.faces(14);
    const project = await finishedProject(studio, faces, names);
    const page = await studio.open({ name: "Ada", ...window });
    await page.evaluate((code) => localStorage.setItem("caos.language", code), language);
    await page.reload();
    for (const one of pageKinds) {
      await showPage(page, project, one);
      await screenshot(page, `${kind}-${one}${language === "en" ? "" : `-${language}`}`);
      assert.deepEqual(await page.evaluate(tooWide), [], one);
      assert.deepEqual(await page.evaluate(cutChoices), [], one);
      assert.deepEqual(await hardToHit(page, ".tabs > a, .more-pages > button", 30), [], one);
    }
    await showPage(page, project, "annotate");
    assert.deepEqual(await hardToHit(page, ".toolbar .button", 36), []);
    if (language !== "en") return;
    await goTo(page, "Export");
    await page.getByRole("heading", { name: "Export" }).waitFor();
    await goTo(page, "Settings");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
  });
}

scenario("images are reviewed on a phone", async (studio) => {
  const faces = await studio.faces(13);
  const project = await studio.api.makeProject("Faces", names, faces.files);
  await studio.api.drawSample(project, 9);
  await studio.api.labelSample(project, faces, names);
  await eventually(async () => (await studio.api.status(project)).prediction.done === 4);
  const page = await studio.open({ name: "Ada", ...windows.phone });
  await showPage(page, project, "review");
  assert.deepEqual(await hardToHit(page, ".review-toolbar .button", 36), []);
  const stage = await page.getByTestId("viewer").boundingBox();
  assert.ok(stage.height > 250 && stage.width > 380, `${stage.width} x ${stage.height}`);
  await page.getByRole("button", { name: "Accept", exact: true }).tap();
  await page.locator(".landmark-list").getByText("accepted").first().waitFor();
  await screenshot(page, "phone-reviewing");
  for (let left = 4; left > 0; --left) {
    const before = page.url();
    await page.locator(".landmark-list").getByText("px").first().waitFor();
    await page.getByRole("button", { name: "Accept all" }).tap();
    if (left > 1) await page.waitForURL((url) => url.href !== before);
  }
  await allSaved(page);
  await eventually(async () => (await studio.api.status(project)).num_reviewed === 4);
});
