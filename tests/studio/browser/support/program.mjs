// The program under test, as a command and as a server that can be killed and started again.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

export const program = process.env.CAOS_PROGRAM ?? "";

/** Runs `caos` with these arguments to its end. */
export const caos = (...given) => promisify(execFile)(program, given, { maxBuffer: 1 << 26 });

/** `caos serve` on one folder; whatever happens to the process, address and folder stay. */
export class Server {
  constructor(folder, options = []) {
    this.folder = folder;
    this.options = options;
    this.port = 0;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start() {
    const given = ["serve", "--data", this.folder, "--port", String(this.port), ...this.options];
    this.process = spawn(program, given, { stdio: ["ignore", "pipe", "pipe"] });
    this.talk = "";
    this.process.stderr.on("data", (text) => (this.talk += text));
    for await (const line of createInterface(this.process.stdout)) {
      const found = /http:\/\/[^:]+:(\d+)/.exec(line);
      if (!found) continue;
      this.port = Number(found[1]);
      return this;
    }
    throw new Error(`the server did not start: ${this.talk}`);
  }

  /** What a power cut does to a program. */
  kill = () => this.#end("SIGKILL");
  stop = () => this.#end("SIGTERM");

  async #end(signal) {
    if (!this.process || this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill(signal);
    await ended;
  }
}
