import path from 'node:path';

import {Annotator} from './annotator.mjs';
import {findChromium} from './chromium.mjs';
import {csv} from './csv.mjs';
import {Failure, firstLine} from './failure.mjs';
import {landmarkRows, reasonToSkip, roundFace} from './faces.mjs';
import {listImages} from './images.mjs';
import {help, parseOptions} from './options.mjs';
import {ensurePackages} from './packages.mjs';
import {Progress} from './progress.mjs';
import {checkTarget, writeWhole} from './write_whole.mjs';

/// {rows} to write for an image, or the {reason} why it is left out.
async function annotateOne(annotator, image, keepOutside) {
  let face;
  try {
    face = await annotator.annotate(image);
  } catch (error) {
    if (error instanceof Failure) throw error;
    return {reason: `MediaPipe failed: ${firstLine(error)}`};
  }
  if (!face) return {reason: 'cannot be read as an image'};
  face = roundFace(face);
  const reason = reasonToSkip(face, keepOutside);
  return reason ? {reason} : {rows: landmarkRows(image, face)};
}

async function annotateAll(annotator, images, keepOutside) {
  const results = [];
  const progress = new Progress(images.length);
  for (const image of images) {
    results.push({image, ...await annotateOne(annotator, image, keepOutside)});
    progress.show(results.length);
  }
  progress.clear();
  return {results, seconds: progress.seconds()};
}

function report({results, seconds}, skipped) {
  const count = results.length;
  console.error(`annotate: ${count - skipped.length} of ${count} images annotated, ` +
                `${(seconds / count).toFixed(2)} s an image`);
  for (const {image, reason} of skipped) console.error(`annotate: left out ${image}: ${reason}`);
}

function write(options, results, skipped) {
  if (options.skipped !== undefined) {
    const rows = skipped.map(({image, reason}) => [image, reason]);
    writeWhole(options.skipped, csv(['image', 'reason'], rows));
  }
  if (skipped.length === results.length) {
    throw new Failure(`${options.folder}: no image gave points, so nothing was written`);
  }
  const rows = results.flatMap(({rows}) => rows ?? []);
  writeWhole(options.out, csv(['image', 'landmark', 'x', 'y'], rows));
}

function checkOutputs({folder, out, skipped}, images) {
  const outputs = [out, skipped].filter(file => file !== undefined);
  const inputs = new Set(images.map(image => path.resolve(folder, image)));
  const replaced = outputs.find(file => inputs.has(path.resolve(file)));
  if (replaced) throw new Failure(`${replaced}: would replace an image`, 2);
  if (skipped !== undefined && path.resolve(out) === path.resolve(skipped)) {
    throw new Failure('--out and --skipped name the same file', 2);
  }
  outputs.forEach(checkTarget);
}

async function run(options) {
  const images = listImages(options.folder);
  checkOutputs(options, images);
  const chromium = findChromium();
  ensurePackages();
  const annotator = await Annotator.start(chromium, options.folder);
  let work;
  try {
    work = await annotateAll(annotator, images, options.keepOutside);
  } finally {
    await annotator.close();
  }
  const skipped = work.results.filter(({reason}) => reason);
  report(work, skipped);
  write(options, work.results, skipped);
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(help);
  else await run(options);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`annotate: ${error.message}`);
  process.exitCode = error.code;
}
