const decimals = 3;

function rounded(value) {
  const unit = 10 ** decimals;
  return Math.round(value * unit) / unit + 0;  // + 0 turns -0 into 0
}

/// The face as it will be written: what is judged must be what is read later.
export function roundFace(face) {
  return {...face, points: face.points?.map(point => point.map(rounded))};
}

function isOutside([x, y], {width, height}) {
  return x < 0 || y < 0 || x >= width || y >= height;
}

/// Why a face must be left out, or null.
export function reasonToSkip(face, keepOutside) {
  if (!face.points) return 'no face found';
  const count = face.points.filter(point => isOutside(point, face)).length;
  if (count === 0 || keepOutside) return null;
  return `${count} of ${face.points.length} points lie outside the image`;
}

/// The lines of a landmark file for one image.
export function landmarkRows(image, {points}) {
  return points.map((point, index) =>
      [image, String(index), ...point.map(value => value.toFixed(decimals))]);
}
