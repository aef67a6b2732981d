// Drawn faces, whose landmarks are known.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { caos } from "./program.mjs";

/** Rows of a CSV file without quotes, by its header. */
export function rowsOf(text) {
  const [header, ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return lines.map((cells) =>
    Object.fromEntries(header.map((name, index) => [name, cells[index]])),
  );
}

/** As the page stores places: with two decimals. */
export const hundredths = (value) => Math.round(value * 100) / 100;

export class Faces {
  static async draw(folder, { count, fresh = 1 }) {
    await caos(
      "landmarks",
      "draw",
      "--out",
      folder,
      "--n",
      String(count),
      "--new",
      String(fresh),
      "--seed",
      "3",
      "--quiet",
    );
    const faces = new Faces();
    faces.folder = join(folder, "labeled");
    faces.freshFolder = join(folder, "new");
    faces.files = (await readdir(faces.folder)).sort().map((name) => join(faces.folder, name));
    faces.rows = rowsOf(await readFile(join(folder, "labeled.csv"), "utf8"));
    return faces;
  }

  /** The true place of a landmark. */
  place(image, landmark) {
    const row = this.rows.find((one) => one.image === image && one.landmark === landmark);
    return { x: Number(row.x), y: Number(row.y) };
  }

  /** The true places of these landmarks, as they can be stored. */
  places(image, landmarks) {
    const stored = ({ x, y }) => ({ x: hundredths(x), y: hundredths(y) });
    return Object.fromEntries(landmarks.map((name) => [name, stored(this.place(image, name))]));
  }
}
