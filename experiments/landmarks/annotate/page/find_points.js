// Runs in the browser: an image in, the points of its face out.
'use strict';

// SwiftShader takes textures of up to 8192 pixels; padding must fit too.
const greatestSide = 4096;
// Beside each side of the image, as a share of it: the detector misses faces that fill the image.
const padding = 0.25;

let found = null;
const faceMesh = new FaceMesh({locateFile: file => `/face_mesh/${file}`});
// minDetectionConfidence is left alone: setting it aborts the graph.
faceMesh.setOptions({maxNumFaces: 1, refineLandmarks: true});
faceMesh.onResults(results => { found = results.multiFaceLandmarks?.[0] ?? null; });

/// The upright image, or null.
async function decode(url) {
  try {
    const blob = await (await fetch(url)).blob();
    return await createImageBitmap(blob, {imageOrientation: 'from-image'});
  } catch {
    return null;
  }
}

/// A black canvas.
function blank(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d', {alpha: false});
  return canvas;
}

/// The bitmap with `margin` (a share of each side) around it, which is black, and the way back.
function draw(bitmap, margin) {
  const scale = Math.min(1, greatestSide / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map(side => Math.ceil(side * scale));
  const [left, top] = [width, height].map(side => Math.round(side * margin));
  const canvas = blank(width + 2 * left, height + 2 * top);
  canvas.getContext('2d').drawImage(bitmap, left, top, width, height);
  const toBitmap = ({x, y}) => [
    (x * canvas.width - left) * bitmap.width / width,
    (y * canvas.height - top) * bitmap.height / height,
  ];
  return {canvas, toBitmap};
}

/// Loads the models, so that a failure to do so is no failure of the first image.
async function warmUp() {
  await faceMesh.send({image: blank(64, 64)});
}

/// The points as shares of the canvas, or null.
async function look(canvas) {
  found = null;
  await faceMesh.send({image: canvas});
  const points = found;
  // The graph follows a face from frame to frame. A blank frame makes it forget this one.
  if (points) await faceMesh.send({image: blank(canvas.width, canvas.height)});
  return points;
}

/// The points in pixels of the bitmap, looked for with `margin` around it, or null.
async function lookWithMargin(bitmap, margin) {
  const {canvas, toBitmap} = draw(bitmap, margin);
  const points = await look(canvas);
  return points?.map(toBitmap) ?? null;
}

/// {width, height, points} of the image at `url`; points is null where there is no face, and all is
/// null where there is no image.
async function findPoints(url) {
  const bitmap = await decode(url);
  if (!bitmap) return null;
  const {width, height} = bitmap;
  const points = await lookWithMargin(bitmap, 0) ?? await lookWithMargin(bitmap, padding);
  bitmap.close();
  return {width, height, points};
}
