import fs from 'node:fs';
import path from 'node:path';

import {Failure} from './failure.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/// The browser that CHROMIUM names, or else the first on the PATH.
export function findChromium(environment = process.env) {
  const named = environment.CHROMIUM;
  if (named && !isProgram(named)) throw new Failure(`CHROMIUM=${named}: is not a program`);
  const folders = (environment.PATH ?? '').split(path.delimiter);
  const found = named || names.flatMap(name => folders.map(folder => path.join(folder, name)))
                             .find(isProgram);
  if (!found) throw new Failure('needs the browser Chromium: apt install chromium');
  return found;
}
