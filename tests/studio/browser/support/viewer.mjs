// The image on the page: where its pixels lie on the screen, and hands on it.
import assert from "node:assert/strict";

const viewer = (page) => page.getByTestId("viewer").first();

/** Waits until the image is shown. */
export async function imageShown(page, name) {
  const found = page.locator(`[data-testid=viewer][data-ready=true]`);
  await (name === undefined ? found : found.and(page.locator(`[aria-label*="${name}"]`))).waitFor();
}

/** How the image lies on the screen: screen = offset + scale * image. */
export async function viewOf(page) {
  const box = await viewer(page).boundingBox();
  const seen = await viewer(page).evaluate((element) => ({ ...element.dataset }));
  return { scale: Number(seen.scale), x: box.x + Number(seen.x), y: box.y + Number(seen.y), box };
}

export const toScreen = (view, at) => ({
  x: view.x + view.scale * at.x,
  y: view.y + view.scale * at.y,
});

/** The whole screen pixel in which a place of the image lies: the best that a hand can hit. */
export async function screenPixel(page, at) {
  const seen = toScreen(await viewOf(page), at);
  return { x: Math.round(seen.x), y: Math.round(seen.y) };
}

export async function clickOn(page, at) {
  const { x, y } = await screenPixel(page, at);
  await page.mouse.click(x, y);
}

/** Drags what is at one place of the image to another. */
export async function drag(page, from, to) {
  const start = await screenPixel(page, from);
  const end = await screenPixel(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

/** How far a point that was clicked may lie from where it was meant: half a screen pixel each way,
 * and the rounding to hundredths. */
export const reach = (scale) => 0.5 / scale + 0.005 + 1e-9;

export function assertHit(point, meant, scale, what = "") {
  const allowed = reach(scale);
  assert.ok(
    Math.abs(point.x - meant.x) <= allowed && Math.abs(point.y - meant.y) <= allowed,
    `${what} at ${point.x}, ${point.y}, more than ${allowed} from ${meant.x}, ${meant.y}`,
  );
}
