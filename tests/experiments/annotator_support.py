"""Running annotate, and images made from bytes, as no image library can be counted on."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANNOTATE = ROOT / "experiments" / "landmarks" / "annotate"
SHARED = pathlib.Path(os.environ.get("CAOS_SHARED") or ROOT.parent / "shared")

SKIPPED = 77  # ctest's SKIP_RETURN_CODE
SECONDS = 400


class AnnotateTest(unittest.TestCase):
    """A test with an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="caos-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect_failure(self, code, message, *words, **options):
        result = run_annotate(*map(str, words), **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertTrue(result.stderr.startswith("annotate: "), result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stdout, "")


def require_node():
    if not shutil.which("node"):
        raise unittest.SkipTest("there is no node on the PATH: apt install nodejs npm")


def run_annotate(*words, program=ANNOTATE / "annotate", **environment):
    return subprocess.run([program, *words], text=True, capture_output=True, timeout=SECONDS,
                          env={**os.environ, **environment}, stdin=subprocess.DEVNULL)


def run_tests():
    """Runs the tests of the calling module; ends with SKIPPED if there were none to run."""
    result = unittest.main("__main__", exit=False).result
    for _, reason in result.skipped:
        print(f"SKIPPED: {reason}", file=sys.stderr)
    nothing_ran = result.skipped and result.testsRun <= len(result.skipped)
    sys.exit(1 if not result.wasSuccessful() else SKIPPED if nothing_ran else 0)


def blank_png(width, height):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + b"\x80" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


def with_orientation(jpeg, orientation):
    """The JPEG with an EXIF block that holds nothing but the orientation."""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def cut_to_height(jpeg, height):
    """The upper part of a JPEG: decoders stop at the height that the frame header states."""
    place = 2
    while jpeg[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + struct.unpack(">H", jpeg[place + 2:place + 4])[0]
    return jpeg[:place + 5] + struct.pack(">H", height) + jpeg[place + 7:]
