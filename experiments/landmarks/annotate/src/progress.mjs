function duration(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/// One line on a terminal that says how far the work is; silent elsewhere.
export class Progress {
  constructor(total, stream = process.stderr) {
    this.total = total;
    this.stream = stream;
    this.begin = performance.now();
  }

  show(done) {
    if (!this.stream.isTTY) return;
    const rate = done / this.seconds();
    const left = duration((this.total - done) / rate);
    this.stream.write(
        `\r\x1b[K${done} of ${this.total} images, ${rate.toFixed(2)} a second, ${left} left`);
  }

  clear() {
    if (this.stream.isTTY) this.stream.write('\r\x1b[K');
  }

  seconds() {
    return (performance.now() - this.begin) / 1000;
  }
}
