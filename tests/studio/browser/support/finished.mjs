// A project in which every page has something to show.

/** Labeled, partly reviewed, and a part of it labeled twice. */
export async function finishedProject(studio, faces, names) {
  const { api } = studio;
  const project = await api.makeProject("Drawn faces", names, faces.files);
  await api.ask("PATCH", `/v1/projects/${project}`, { settings: { mm_per_pixel: 0.8 } });
  await api.drawSample(project, 10);
  await api.labelSample(project, faces, names);
  const images = await api.images(project);
  await readAgain(
    api,
    project,
    images.filter((image) => image.in_sample).slice(0, 4),
    faces,
    names,
  );
  const rest = images.filter((image) => !image.in_sample);
  await api.place(project, rest[0].id, faces.places(rest[0].name, names), { source: "correct" });
  await studio.until(async () => (await api.status(project)).prediction.done === rest.length);
  return project;
}

/** Bo's own reading, a little off. */
async function readAgain(api, project, images, faces, names) {
  for (const [number, image] of images.entries()) {
    const places = faces.places(image.name, names);
    for (const at of Object.values(places)) at.x = Math.round(100 * (at.x + number + 0.5)) / 100;
    await api.place(project, image.id, places, { annotator: "Bo", reading: 2 });
  }
}
