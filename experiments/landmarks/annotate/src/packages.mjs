import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {Failure} from './failure.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

function readJson(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
}

/// npm writes down what it installed once it has installed everything.
function areInstalled() {
  const installed = readJson(path.join(root, 'node_modules/.package-lock.json')).packages ?? {};
  const wanted = Object.entries(readJson(path.join(root, 'package.json')).dependencies);
  return wanted.every(([name, version]) => installed[`node_modules/${name}`]?.version === version);
}

/// Fetches the packages on first use, as the lock file has them. No script of theirs is run.
export function ensurePackages() {
  if (areInstalled()) return;
  console.error('annotate: first use: fetching MediaPipe Face Mesh and Playwright with npm');
  const {status, error} = spawnSync('npm', ['ci', '--ignore-scripts'],
                                    {cwd: root, stdio: ['ignore', 2, 2]});
  if (error?.code === 'ENOENT') throw new Failure('needs npm: apt install npm');
  if (status !== 0) throw new Failure('npm could not fetch the packages (see above); try again');
}
