// German: what the page says in English, it says in German, and users' own words stay.
import assert from "node:assert/strict";
import { finishedProject } from "./support/finished.mjs";
import { scenario } from "./support/scenario.mjs";
import { pageKinds } from "./support/steps.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip"];

/** Runs in the page: texts and labels of it, without commands to be typed. */
function textsOfPage() {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: around, textContent: text } = walk.currentNode;
    if (!around.closest("script, style, code, pre")) found.add(text.trim());
  }
  for (const name of ["title", "aria-label", "placeholder", "alt"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) found.add(one.getAttribute(name).trim());
  }
  return [...found].filter((text) => text !== "");
}

const english =
  /\b(the|and|are|were|or|of|is|that|which|with|to|from|than|this|these|those|not|your|you|by|at|for)\b/gi;

/** Sentences and phrases that are English beyond doubt. */
const isEnglish = (text) => (text.match(english) ?? []).length >= 2;

async function textsOf(page, studio, project) {
  const found = new Set();
  const note = async () => {
    for (const text of await page.evaluate(textsOfPage)) if (isEnglish(text)) found.add(text);
  };
  for (const kind of ["", "manual", ...pageKinds.map((one) => `p/${project}/${one}`)]) {
    await page.goto(`${studio.server.url}/#/${kind}`);
    await page.getByRole("heading").first().waitFor();
    await page.waitForTimeout(600);
    await note();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await note();
    await page.keyboard.press("Escape");
  }
  await page.locator(".guarantee-badge").click();
  await note();
  return found;
}

scenario("no page has English sentences in German", async (studio) => {
  const faces = await studio.faces(16);
  const project = await finishedProject(studio, faces, names);
  const page = await studio.open({ name: "Ada" });
  const inEnglish = await textsOf(page, studio, project);
  // Else nothing would be found in German either.
  assert.ok(inEnglish.size > 100, `only ${inEnglish.size} English texts`);
  await page.evaluate(() => localStorage.setItem("caos.language", "de"));
  await page.reload();
  assert.deepEqual([...(await textsOf(page, studio, project))].sort(), []);
});
