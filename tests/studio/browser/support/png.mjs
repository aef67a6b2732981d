// PNG files of any size and kind, also of kinds that should not exist.
import { deflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

// Older versions of node have none of their own.
const table = Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}

function header(width, height) {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2, 0, 0, 0], 8);
  return chunk("IHDR", data);
}

/** A picture with `color(x, y)`, an array of red, green and blue, at each pixel. */
export function png(width, height, color) {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0, at = 0; y < height; ++y) {
    rows[at++] = 0;
    for (let x = 0; x < width; ++x) {
      const [red, green, blue] = color(x, y);
      rows[at++] = red;
      rows[at++] = green;
      rows[at++] = blue;
    }
  }
  return Buffer.concat([
    signature,
    header(width, height),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A few bytes that claim to be a picture of this size. */
export function pngBomb(width, height) {
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([
    signature,
    header(width, height),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
