// For who hears the page, or does not use a mouse: names, focus, announcements.
import assert from "node:assert/strict";
import { finishedProject } from "./support/finished.mjs";
import { scenario } from "./support/scenario.mjs";
import { openImage, pageKinds, showPage, waitForTarget } from "./support/steps.mjs";
import { clickOn } from "./support/viewer.mjs";

const names = ["left_pupil", "right_pupil", "nose_tip"];

const needsName = new Set([
  "button",
  "link",
  "textbox",
  "combobox",
  "slider",
  "checkbox",
  "switch",
  "radio",
  "spinbutton",
  "image",
  "img",
  "dialog",
  "application",
  "progressbar",
  "ColorWell",
  "Iframe",
  "listbox",
  "option",
]);

/** What a screen reader finds that it cannot name. */
async function nameless(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored && needsName.has(node.role?.value) && !node.name?.value?.trim())
    .map((node) => `${node.role.value} ${node.backendDOMNodeId}`);
}

scenario(
  "everything that can be used has a name, and every page a heading and a landmark",
  async (studio) => {
    const faces = await studio.faces(14);
    const project = await finishedProject(studio, faces, names);
    const page = await studio.open({ name: "Ada" });
    await page.getByRole("link", { name: "Drawn faces" }).waitFor();
    assert.deepEqual(await nameless(page), [], "projects");
    for (const kind of pageKinds) {
      await showPage(page, project, kind);
      assert.deepEqual(await nameless(page), [], kind);
      assert.equal(await page.getByRole("main").count(), 1, kind);
      assert.ok((await page.getByRole("heading").count()) > 0, `${kind} has no heading`);
      assert.match(await page.title(), /Drawn faces/);
    }
  },
);

/** Whether one sees what has the focus, and where it is. */
const focus = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const box = element.getBoundingClientRect();
    // A file picker is hidden behind the label that looks like a button.
    const shown = [element, element.closest("label")].filter((one) => one !== null);
    const isSeen = shown.some((one) => {
      const style = getComputedStyle(one);
      return (
        (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) ||
        style.boxShadow !== "none"
      );
    });
    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
    return {
      name: (label ?? element.textContent).trim().slice(0, 40),
      tag: element.tagName,
      isSeen,
      isInside: box.bottom > 0 && box.top < innerHeight,
    };
  });

scenario(
  "the focus is always visible, and goes through the page in the order of reading",
  async (studio) => {
    const faces = await studio.faces(3);
    const project = await studio.api.makeProject("Drawn faces", names, faces.files);
    const page = await studio.open({ name: "Ada" });
    await page.goto(`${studio.server.url}/#/p/${project}/images`);
    await page.locator(".image-card").nth(2).waitFor();
    const passed = [];
    for (let count = 0; count < 40; ++count) {
      await page.keyboard.press("Tab");
      const here = await focus(page);
      if (here.tag === "BODY" || (passed.length > 1 && here.name === passed[0])) break;
      assert.ok(here.isSeen, `no sign of the focus on ${here.tag} ${here.name}`);
      assert.ok(here.isInside, `${here.name} has the focus outside the window`);
      passed.push(here.name);
    }
    const order = [
      "Skip to the page",
      "Images✓ 3",
      "Landmarks✓ 3",
      "Export",
      "Choose images …",
      "Delete face_0000.jpg",
    ].map((name) => passed.indexOf(name));
    assert.ok(
      order.every((at, index) => at > (order[index - 1] ?? -1)),
      passed.join(" | "),
    );
  },
);

scenario("the skip link, dialogs and announcements", async (studio) => {
  const faces = await studio.faces(2);
  const project = await studio.api.makeProject("Drawn faces", names, faces.files);
  const [image] = await studio.api.images(project);
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/images`);
  await page.locator(".image-card").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await checkDialog(page);
  await openImage(page, "annotate", project, image);
  await waitForTarget(page, 1, names[0]);
  await clickOn(page, faces.place(image.name, names[0]));
  const said = page.getByTestId("announcement");
  await said.getByText("left_pupil placed. Next: right_pupil.").waitFor();
  assert.equal(await said.getAttribute("aria-live"), "assertive");
});

// A dialog takes the focus, keeps it, and gives it back.
async function checkDialog(page) {
  const button = page.getByRole("button", { name: /^Delete face_0000/ });
  await button.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  for (let count = 0; count < 6; ++count) {
    await page.keyboard.press("Tab");
    const inside = await page.evaluate(
      () =>
        document.activeElement === document.body ||
        document.activeElement.closest("dialog") !== null,
    );
    assert.ok(inside, "Tab left the dialog");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.match((await focus(page)).name, /^Delete face_0000/);
}
