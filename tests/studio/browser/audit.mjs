// An audit from its beginning to its result: labeled on the page, without sight of regions.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { allSaved, goTo, placeAll } from "./support/steps.mjs";
import { imageShown } from "./support/viewer.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip"];
const size = 3;

const auditOf = (api, project) => api.get(`/v1/projects/${project}/audit`);
const audited = async (api, project, state) =>
  (await api.images(project)).filter((image) => image.audit === state);

scenario("an audit is begun, labeled and finished on the page", async (studio) => {
  const faces = await studio.faces(20);
  const { api } = studio;
  const project = await api.makeProject("Drawn faces", names, faces.files);
  await api.drawSample(project, 10);
  await api.labelSample(project, faces, names);
  await studio.until(async () => {
    const { embedding } = await api.status(project);
    return embedding.done === embedding.total;
  });
  const page = await studio.open({ name: "Ada" });
  await openFromBadge(page, studio, project);
  await begin(page, api, project);
  await checkBlind(page, studio, project);
  await label(page, faces);
  await finish(page, api, project);
});

async function openFromBadge(page, studio, project) {
  await page.goto(`${studio.server.url}/#/p/${project}/images`);
  await page.locator(".guarantee-badge").click();
  await page.getByRole("link", { name: "Audit this project" }).click();
  await page.getByRole("heading", { name: "Begin an audit" }).waitFor();
  await page.keyboard.press("Escape");
}

async function begin(page, api, project) {
  const field = page.getByLabel("How many of the next 10?");
  await field.fill(String(size));
  // What this size buys comes with it: three of three right, of the seven others at least two.
  await page.getByRole("row", { name: /^3 / }).waitFor();
  await screenshot(page, "audit-1-begin");
  await page.getByRole("button", { name: "Begin …" }).click();
  await page.getByRole("button", { name: "Begin the audit" }).click();
  await page.getByText(`Labeled without hints: 0 of ${size}`).waitFor();
  await screenshot(page, "audit-2-open");
  assert.equal((await audited(api, project, "open")).length, size);
}

// The page says why the images of an audit have no regions.
async function checkBlind(page, studio, project) {
  const [image] = await audited(studio.api, project, "open");
  await page.goto(`${studio.server.url}/#/p/${project}/review/${image.id}`);
  await page.getByText("belongs to the audit").waitFor();
  await page.getByRole("link", { name: "Label it" }).waitFor();
  // The queue is asked for when the page opens, and takes its time on a busy machine.
  await page.getByText(`0 of ${10 - size} reviewed`).waitFor();
  assert.equal(await page.locator(".queue li").count(), 10 - size);
  await goTo(page, "Audit");
}

async function label(page, faces) {
  await page.getByRole("link", { name: "Start labeling" }).click();
  for (let number = 1; number <= size; ++number) {
    await page.getByTestId("progress").getByText(`image ${number} of ${size}`).waitFor();
    const name = await page.locator(".toolbar-name").innerText();
    await imageShown(page, name);
    await page.getByText("Part of the audit").waitFor();
    await placeAll(page, faces.places(name, names));
    if (number === 1) await screenshot(page, "audit-3-label");
    if (number < size) await page.getByRole("button", { name: "Next image (N)" }).click();
  }
  await allSaved(page);
}

async function finish(page, api, project) {
  await page.getByRole("link", { name: "Back to the audit" }).click();
  await page.getByText(`Labeled without hints: ${size} of ${size}`).waitFor();
  await page.getByRole("button", { name: "Show the result …" }).click();
  await page.getByRole("button", { name: "Freeze the labels and show the result" }).click();
  await page.getByRole("heading", { name: `Result of ${size} audited images` }).waitFor();
  const [audit] = (await auditOf(api, project)).audits;
  assert.equal(audit.state, "finished");
  const { images, landmarks } = audit.findings;
  await page.getByText(images.statement).waitFor();
  for (const one of landmarks) {
    const row = page.getByRole("row", { name: new RegExp(`^${one.landmark} `) });
    assert.ok((await row.innerText()).includes(one.percent));
  }
  await screenshot(page, "audit-4-result");
  await page.getByLabel("All statements together").check();
  await eventually(async () => {
    const text = await page.locator(".table-box").innerText();
    const together = await api.get(`/v1/projects/${project}/audit?together=true`);
    return together.audits[0].findings.landmarks.every((one) => text.includes(one.percent));
  });
  await page.locator(".guarantee-badge").click();
  await page.getByRole("dialog").getByText(images.statement).waitFor();
}
