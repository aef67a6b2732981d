"""Image files made by hand, so that tests know each byte, and read by others."""

import io
import struct
import zlib

import numpy as np
from PIL import Image


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
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def jpeg(pixels):
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=90)
    return data.getvalue()


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
