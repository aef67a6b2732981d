import fs from 'node:fs';
import path from 'node:path';

import {Failure} from './failure.mjs';

/// What both the browser and caos can read.
const endings = ['.jpg', '.jpeg', '.png', '.webp', '.bmp'];

function readFolder(folder) {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT') throw new Failure(`${folder}: no such folder`);
    if (error.code === 'ENOTDIR') throw new Failure(`${folder}: is a file; expected a folder`);
    throw new Failure(`${folder}: cannot be read: ${error.message}`);
  }
}

/// The names of the images in a folder, sorted.
export function listImages(folder) {
  const names = readFolder(folder).filter(
      name => endings.includes(path.extname(name).toLowerCase()));
  if (names.length === 0) {
    throw new Failure(`${folder}: holds no images; their names end in ${endings.join(', ')}`);
  }
  return names.sort();
}
