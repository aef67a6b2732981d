import fs from 'node:fs';
import path from 'node:path';

import {Failure} from './failure.mjs';

function status(file) {
  return fs.statSync(file, {throwIfNoEntry: false});
}

/// Pipes and devices cannot be replaced by a file. The paths of open descriptors may lead to a file
/// that the shell holds open; it must stay the same one.
function isWrittenDirectly(file) {
  const existing = status(file);
  return existing && (!existing.isFile() || /^\/(dev|proc)\//.test(file));
}

/// Where the bytes really go: a symbolic link stays and its target is replaced.
function followLinks(file) {
  return status(file) ? fs.realpathSync(file) : file;
}

function replace(file, text) {
  const target = followLinks(file);
  const temporary = path.join(path.dirname(target), `.annotate-${process.pid}.tmp`);
  try {
    // Flushed, because a crash may otherwise leave the new name on an empty file.
    const mode = (status(target)?.mode ?? 0o666) & 0o777;
    const descriptor = fs.openSync(temporary, 'wx', mode);
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, {force: true});
    throw error;
  }
}

/// Fails if `file` cannot become a file: to find out before long work.
export function checkTarget(file) {
  if (file.endsWith('/') || status(file)?.isDirectory()) {
    throw new Failure(`${file}: is a directory; expected a file`);
  }
  const folder = path.dirname(file);
  if (!status(folder)?.isDirectory()) {
    throw new Failure(`${file}: the folder ${folder} does not exist; create it first`);
  }
}

/// Writes a file whole or not at all; on failure an older file is untouched.
export function writeWhole(file, text) {
  try {
    if (isWrittenDirectly(file)) fs.appendFileSync(file, text);
    else replace(file, text);
  } catch (error) {
    throw new Failure(`${file}: cannot be written: ${error.message}`);
  }
}
