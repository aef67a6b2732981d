import {parseArgs} from 'node:util';

import {Failure} from './failure.mjs';

export const help = `Places the 478 points of MediaPipe Face Mesh on every image of a folder.

Usage: annotate FOLDER --out FILE [OPTIONS]

  FOLDER           Images: .jpg, .jpeg, .png, .webp, .bmp; subfolders are not entered
  --out FILE       (required) Where the points go: image,landmark,x,y, in pixels from the upper left
                   corner of the upper left pixel of the upright image
  --skipped FILE   Where the images left out go: image,reason
  --keep-outside   Keep faces with points outside their image, which caos refuses to read
  --help           This text

Images without a face, with points outside, or that cannot be read are left out and listed. Needs
Chromium (apt install chromium, or the environment's CHROMIUM=/path/to/it); the first use fetches
MediaPipe with npm, and from then on nothing leaves or enters the machine.
Exit codes: 0 done, 1 failed, 2 misused.

Example:
  annotate faces --out landmarks.csv --skipped skipped.csv
`;

const known = {
  'out': {type: 'string'},
  'skipped': {type: 'string'},
  'keep-outside': {type: 'boolean', default: false},
  'help': {type: 'boolean', default: false},
};

function misused(message) {
  return new Failure(`${message}; annotate --help says more`, 2);
}

/// The parser's complaint up to its advice, which is about more general programs.
function parse(words) {
  try {
    return parseArgs({args: words, options: known, allowPositionals: true});
  } catch (error) {
    throw misused(error.message.split('. ')[0]);
  }
}

function requireFile(name, value) {
  if (value === '') throw misused(`--${name}: the name of the file is empty`);
}

/// {folder, out, skipped, keepOutside}, or {help: true}.
export function parseOptions(words) {
  const {values, positionals} = parse(words);
  if (values.help) return {help: true};
  if (positionals.length === 0) throw misused('say which folder holds the images');
  if (positionals.length > 1) throw misused(`'${positionals[1]}' is an unexpected argument`);
  if (values.out === undefined) throw misused('say with --out where the points go');
  requireFile('out', values.out);
  requireFile('skipped', values.skipped);
  return {
    folder: positionals[0],
    out: values.out,
    skipped: values.skipped,
    keepOutside: values['keep-outside'],
  };
}
