// What people do on the pages, in their words.
import assert from "node:assert/strict";
import { clickOn, imageShown } from "./viewer.mjs";

const isAmongMore = (tab) => !/^(Images|Landmarks|Label|Review|Export)$/.test(tab);

/** The page of the header with this text, which may be among those under More. */
export async function goTo(page, tab) {
  const pages = page.getByRole("navigation", { name: "Pages of the project" });
  if (isAmongMore(tab)) await pages.getByRole("button").click();
  await pages.getByRole("link", { name: new RegExp(`^${tab}`) }).click();
}

/** Drops files or folders onto a place of the page, as a file manager does. */
export async function drop(page, target, files) {
  const box = await target.boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
  await session.detach();
}

export const dropZone = (page) => page.getByRole("region", { name: "Add images" });

/** Waits for the report of an upload that says this. */
export const uploaded = (page, text) => page.locator(".upload-report", { hasText: text }).waitFor();

/** Everything the page knows is with the server. */
export const allSaved = (page) => page.locator(".connection", { hasText: "all saved" }).waitFor();

/** Opens an image on a page of the project. */
export async function openImage(page, kind, project, image) {
  await page.goto(`${new URL(page.url()).origin}/#/p/${project}/${kind}/${image.id}`);
  await imageShown(page, image.name);
}

/** All pages of a project. */
export const pageKinds = [
  "images",
  "scheme",
  "annotate",
  "review",
  "audit",
  "accept",
  "measures",
  "compare",
  "import",
  "export",
  "settings",
];

/** Opens a page of a finished project and waits until all of it is there. */
export async function showPage(page, project, kind) {
  await page.goto(`${new URL(page.url()).origin}/#/p/${project}/${kind}`);
  await page.locator(`.page-${kind}`).waitFor();
  await page.locator(".guarantee-badge").waitFor();
  await page.getByRole("heading").first().waitFor();
  if (kind === "annotate" || kind === "review") await imageShown(page);
  if (kind === "review") await page.locator(".support-list img").first().waitFor();
  if (kind === "compare") await page.locator(".empty, .big-numbers, .card").first().waitFor();
  await page.waitForFunction(() =>
    [...document.images].every((one) => one.complete || one.loading === "lazy"),
  );
}

/** The landmark that the next click places, from 1. */
export async function waitForTarget(page, number, name) {
  await page.getByTestId("target").getByText(`${number}. ${name}`).waitFor();
}

/** Clicks the landmarks of the open image at these places, in the order of the scheme. */
export async function placeAll(page, places, { from = 0 } = {}) {
  const all = Object.entries(places);
  for (const [index, [name, at]] of all.entries()) {
    if (index < from) continue;
    await waitForTarget(page, index + 1, name);
    await clickOn(page, at);
  }
  await page.locator(".banner.done").waitFor();
}

/** Answers the question who annotates. */
export async function introduce(page, name) {
  await page.getByRole("dialog").getByLabel("Your name").fill(name);
  await page.keyboard.press("Enter");
}

/** Downloads what the link gives; the path of the file. */
export async function download(page, name) {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name }).click(),
  ]);
  assert.equal(await file.failure(), null);
  return { name: file.suggestedFilename(), path: await file.path() };
}
