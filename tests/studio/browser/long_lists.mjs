// Many images: lists are as quick as short ones, and everything in them can be reached.
import assert from "node:assert/strict";
import { screenshot } from "./support/browser.mjs";
import { png } from "./support/png.mjs";
import { eventually, scenario } from "./support/scenario.mjs";
import { imageShown } from "./support/viewer.mjs";

const count = 300;
const side = 64;

/** A picture of its own for each number: rings about a place that depends on it. */
function picture(number) {
  const [x0, y0] = [16 + (number % 32), 16 + (Math.floor(number / 32) % 32)];
  return png(side, side, (x, y) => {
    const value = 128 + 100 * Math.sin(Math.hypot(x - x0, y - y0) / 3);
    return [value, (value * 3 + x) % 256, (number * 7 + y) % 256].map(Math.round);
  });
}

async function manyImages({ api }) {
  const project = await api.makeProject("Many", ["tip", "base"], []);
  for (let number = 0; number < count; ++number) {
    await api.ask("POST", `/v1/projects/${project}/images?name=img${number}.png`, picture(number));
  }
  await api.drawSample(project, 12);
  const sample = (await api.images(project)).filter((one) => one.in_sample);
  for (const one of sample.sort((a, b) => a.order - b.order)) {
    await api.place(project, one.id, { tip: { x: 20, y: 20 }, base: { x: 40, y: 44 } });
  }
  return project;
}

/** Scrolls to the end of a list, and gives what is there. */
const namesAtEnd = (page, scroller, names) =>
  page.evaluate(
    async ([box, named]) => {
      const element = document.querySelector(box);
      element.scrollTop = element.scrollHeight;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return [...document.querySelectorAll(named)].map((one) => one.textContent);
    },
    [scroller, names],
  );

scenario("hundreds of images are listed without making them all", async (studio) => {
  const project = await manyImages(studio);
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/images`);
  const cards = page.locator(".image-card");
  await cards.first().waitFor();
  assert.ok((await cards.count()) < 150, `${await cards.count()} cards`);
  assert.equal(await cards.first().getAttribute("aria-setsize"), String(count));
  assert.equal(await page.locator(".image-name").first().innerText(), "img0.png");
  const last = await namesAtEnd(page, ".page", ".image-name");
  assert.equal(last.at(-1), `img${count - 1}.png`);
  assert.ok(last.length < 150 && !last.includes("img0.png"), `${last.length} names`);
  await screenshot(page, "long-images");
  await page.getByLabel("Find images by name").fill("img29");
  await eventually(async () => (await cards.count()) === 11); // 29 and 290 to 299
  await page.getByRole("heading", { name: "11 images" }).waitFor();
});

scenario("the queue of hundreds of images shows those in sight, and goes on from any", async (studio) => {
  const project = await manyImages(studio);
  const { api } = studio;
  await studio.until(async () => (await api.status(project)).prediction.done === count - 12, 60_000);
  const queue = (await api.get(`/v1/projects/${project}/queue`)).images;
  const names = new Map((await api.images(project)).map((one) => [one.id, one.name]));
  const page = await studio.open({ name: "Ada" });
  await page.goto(`${studio.server.url}/#/p/${project}/review`);
  await imageShown(page, names.get(queue[0].image));
  const rows = page.locator(".queue ol a");
  assert.ok((await rows.count()) < 100, `${await rows.count()} rows`);
  // Whatever is said above it, some of the queue is in sight.
  const box = await page.locator(".queue ol").boundingBox();
  assert.ok(box.height >= 160, `the queue is ${box.height} high`);
  const last = await namesAtEnd(page, ".queue ol", ".queue-name");
  assert.equal(last.at(-1), names.get(queue.at(-1).image));
  // A place far down, opened by its address, comes into sight.
  const far = queue[200].image;
  await page.goto(`${studio.server.url}/#/p/${project}/review/${far}`);
  await imageShown(page, names.get(far));
  const current = page.locator(".queue [aria-current=true]");
  await eventually(async () => (await current.innerText()).includes(names.get(far)));
  await page.keyboard.press("]");
  await imageShown(page, names.get(queue[201].image));
  await eventually(async () => (await current.innerText()).includes(names.get(queue[201].image)));
  const seen = await current.boundingBox();
  assert.ok(seen.y >= box.y - 1 && seen.y + seen.height <= box.y + box.height + 1);
  await screenshot(page, "long-queue");
});
