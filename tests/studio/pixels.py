"""Image files made and read by hand, so that tests know each byte."""

import struct
import zlib

import numpy as np


def noise(width, height, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def chunk(name, data):
    return (struct.pack(">I", len(data)) + name + data
            + struct.pack(">I", zlib.crc32(name + data)))


def png(pixels, extra=b"", level=1):
    """A PNG file of 8-bit RGB pixels; `extra` are chunks before the pixels."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, width * 3 + 1), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + extra + chunk(b"IDAT", zlib.compress(rows.tobytes(), level)) + chunk(b"IEND", b""))


def png_chunks(data):
    """(name, content) of each chunk."""
    at = 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        yield name, data[at + 8:at + 8 + size]
        at += 12 + size


def read_png(data):
    """The pixels of an 8-bit RGB file without interlacing."""
    chunks = list(png_chunks(data))
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, color, interlaced) == (8, 2, 0), "not 8-bit RGB"
    raw = zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT"))
    rows = np.frombuffer(raw, dtype=np.uint8).reshape(height, width * 3 + 1)
    result = np.zeros((height, width * 3), dtype=np.uint8)
    before = np.zeros(width * 3, dtype=np.uint8)
    for y in range(height):
        before = unfilter(rows[y, 0], rows[y, 1:], before)
        result[y] = before
    return result.reshape(height, width, 3)


def unfilter(kind, row, above):
    """One row of a PNG file, by the definition."""
    if kind == 0:
        return row.copy()
    if kind == 2:
        return row + above
    result = [0] * len(row)
    row, up = row.tolist(), above.tolist()
    for i, value in enumerate(row):
        left = result[i - 3] if i >= 3 else 0
        corner = up[i - 3] if i >= 3 else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up[i]) // 2
        else:
            about = left + up[i] - corner
            guess = min((abs(about - left), 0, left), (abs(about - up[i]), 1, up[i]),
                        (abs(about - corner), 2, corner))[2]
        result[i] = (value + guess) & 255
    return np.array(result, dtype=np.uint8)


def jpeg_segments(data):
    """(marker, content) of each segment before the pixels."""
    at = 2
    while True:
        assert data[at] == 0xFF, "no marker"
        marker, size = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if marker == 0xDA:
            return
        yield marker, data[at + 4:at + 2 + size]
        at += 2 + size


def jpeg_size(data):
    for marker, content in jpeg_segments(data):
        if marker in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack(">HH", content[1:5])
            return width, height
    raise ValueError("no frame")


def with_exif(jpeg, orientation=6, secret=b"SECRET PLACE"):
    """A JPEG file with EXIF (orientation, and a comment in ImageDescription with GPS after it) and a
    comment."""
    text = secret + b"\0"
    entries = [(0x010E, 2, len(text), None), (0x0112, 3, 1, orientation), (0x8825, 4, 1, 0)]
    offset = 8 + 2 + 12 * len(entries) + 4
    gps = offset + len(text)
    body = struct.pack("<H", len(entries))
    for tag, kind, count, value in entries:
        value = offset if tag == 0x010E else gps if tag == 0x8825 else value
        body += struct.pack("<HHII", tag, kind, count, value)
    body += struct.pack("<I", 0) + text
    body += struct.pack("<H", 1) + struct.pack("<HHI4s", 1, 2, 2, b"N\0\0\0") + struct.pack("<I", 0)
    tiff = b"II*\0" + struct.pack("<I", 8) + body
    exif = b"Exif\0\0" + tiff
    segments = (b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
                + b"\xff\xfe" + struct.pack(">H", len(secret) + 2) + secret)
    return jpeg[:2] + segments + jpeg[2:]
