// The server's own answers, to hold the page against; and projects made without a page.
import { readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { basename } from "node:path";

/** The landmarks of a scheme, left and right as pairs. */
function schemeOf(names) {
  const swapped = (name) =>
    name.replace(/^(left|right)_/, (side) => (side === "left_" ? "right_" : "left_"));
  return names.map((name) => {
    const pair = swapped(name);
    return { name, pair: pair !== name && names.includes(pair) ? pair : null };
  });
}

/** Calls of one server. */
export class Api {
  constructor(server) {
    this.server = server;
  }

  async ask(method, path, body) {
    const isBytes = body instanceof Uint8Array;
    const type = isBytes ? "application/octet-stream" : "application/json";
    const response = await fetch(this.server.url + path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": type },
      body: body === undefined || isBytes ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  get = (path) => this.ask("GET", path);
  images = async (project) => (await this.get(`/v1/projects/${project}/images`)).images;
  landmarks = async (project) => (await this.get(`/v1/projects/${project}/scheme`)).landmarks;
  status = (project) => this.get(`/v1/projects/${project}/status`);
  reading = (project, image, number = 1) =>
    this.get(`/v1/projects/${project}/images/${image}/annotations?reading=${number}`);
  regions = (project, image) => this.get(`/v1/projects/${project}/images/${image}/regions`);
  history = async (project, image) =>
    (await this.get(`/v1/projects/${project}/images/${image}/history`)).history;

  /** A project with these landmarks and image files. */
  async makeProject(name, landmarks, files) {
    const { id } = await this.ask("POST", "/v1/projects", { name, settings: { score: "cosine" } });
    const { revision } = await this.get(`/v1/projects/${id}/scheme`);
    const scheme = { revision, landmarks: schemeOf(landmarks), drop_points: false };
    await this.ask("PUT", `/v1/projects/${id}/scheme`, scheme);
    for (const file of files) await this.addImage(id, file);
    return id;
  }

  async addImage(project, file, name = basename(file)) {
    const path = `/v1/projects/${project}/images?name=${encodeURIComponent(name)}`;
    return this.ask("POST", path, await readFile(file));
  }

  drawSample = (project, size) =>
    this.ask("POST", `/v1/projects/${project}/sample`, { size });

  /** Places landmarks of one image: `places` has a position for each name. */
  async place(project, image, places, { annotator = "Ada", reading = 1, source = "blind" } = {}) {
    const byName = new Map((await this.landmarks(project)).map((one) => [one.name, one.id]));
    const { revision } = await this.reading(project, image, reading);
    const edits = Object.entries(places).map(([name, at]) => ({
      landmark: byName.get(name),
      state: "visible",
      ...at,
    }));
    const change = { change: randomUUID(), reading, base: revision, annotator, source, edits };
    return this.ask("POST", `/v1/projects/${project}/images/${image}/annotations`, change);
  }

  /** The sample labeled at the true places, in its order. */
  async labelSample(project, faces, names) {
    const sample = (await this.images(project)).filter((image) => image.in_sample);
    for (const image of sample.sort((a, b) => a.order - b.order)) {
      await this.place(project, image.id, faces.places(image.name, names));
    }
  }
}
