import fs from 'node:fs';
import path from 'node:path';

import {Failure, firstLine} from './failure.mjs';
import {root} from './packages.mjs';

// A name that no network can resolve: what is not answered here is answered nowhere.
const origin = 'http://annotate.invalid';
const secondsPerImage = 120;
const secondsToStart = 120;

const switches = [
  // Software rendering, so that the points do not depend on the graphics card.
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  // The browser itself would ask its maker for the time, updates and accounts.
  '--host-resolver-rules=MAP * ~NOTFOUND', '--no-proxy-server',
];

const folders = {
  page: path.join(root, 'page'),
  face_mesh: path.join(root, 'node_modules/@mediapipe/face_mesh'),
};

async function launch(executablePath) {
  // Loaded late: --help works, and packages are fetched, before it is there.
  const {chromium} = await import('playwright-core');
  try {
    return await chromium.launch({executablePath, args: switches, timeout: 60_000});
  } catch (error) {
    throw new Failure(`${executablePath}: cannot be started: ${firstLine(error)}`);
  }
}

function readFile(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return null;
  }
}

function contentType(name) {
  const types = {'.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm'};
  return types[path.extname(name)] ?? 'application/octet-stream';
}

function withTimeout(promise, seconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${seconds} seconds`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/// Face Mesh in a browser that sees the files of this program and of one folder, and nothing else.
export class Annotator {
  static async start(chromium, imageFolder) {
    const annotator = new Annotator(await launch(chromium), imageFolder);
    try {
      await annotator.#openPage();
    } catch (error) {
      await annotator.close();
      throw error;
    }
    return annotator;
  }

  #browser;
  #folders;
  #page;

  constructor(browser, imageFolder) {
    this.#browser = browser;
    this.#folders = {...folders, images: imageFolder};
  }

  /// {width, height, points} of an image of the folder, in pixels; points is null where no face was
  /// found, and all is null where the image cannot be read. Throws where Face Mesh fails on it, but
  /// is ready for the next.
  async annotate(image) {
    const url = `/images/${encodeURIComponent(image)}`;
    try {
      return await withTimeout(this.#page.evaluate(url => findPoints(url), url), secondsPerImage);
    } catch (error) {
      // The graph does not survive a failure.
      await this.#openPage();
      throw error;
    }
  }

  async close() {
    await this.#browser.close();
  }

  async #openPage() {
    try {
      await this.#page?.close();
      this.#page = await this.#browser.newPage();
      await this.#page.route('**/*', route => this.#answer(route));
      await this.#page.goto(`${origin}/page/index.html`, {timeout: secondsToStart * 1000});
      await withTimeout(this.#page.evaluate(() => warmUp()), secondsToStart);
    } catch (error) {
      if (!this.#browser.isConnected()) throw new Failure('Chromium ended before its work');
      throw new Failure(`MediaPipe does not run in this Chromium: ${firstLine(error)}`);
    }
  }

  #answer(route) {
    const url = new URL(route.request().url());
    const [, folder, name] = url.pathname.split('/').map(decodeURIComponent);
    const isOurs = url.origin === origin && Object.hasOwn(this.#folders, folder);
    const body = isOurs ? readFile(path.join(this.#folders[folder], name)) : null;
    return body ? route.fulfill({body, contentType: contentType(name)}) : route.abort();
  }
}
