"""bench/python from beginning to end, on tiny inputs."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from bench_support import BENCH, ROOT

BUILD = Path(os.environ.get("CAOS_BUILD", ROOT / "build/release"))


class QuickRun(unittest.TestCase):
    def test_compares_the_package_with_the_program_and_times_calls(self):
        with tempfile.TemporaryDirectory(prefix="caos-test-") as scratch:
            done = subprocess.run(
                [sys.executable, "-B", BENCH / "python", "--quick", "--build", BUILD],
                env=os.environ | {"CAOS_BENCH_DATA": scratch}, timeout=240, capture_output=True,
                text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("says nothing about speed", done.stdout)
        rows = [line.split("|")[1:-1] for line in done.stdout.splitlines() if line.startswith("| ")]
        self.assertEqual([row[0].strip() for row in rows if row[0].startswith(" W1")],
                         [f"W1, {threads}, {what}" for threads in ("1 thread", "2 threads")
                          for what in ("seconds", "processor seconds")])
        self.assertEqual([row[0].strip() for row in rows if re.match(r" \d", row[0])],
                         ["1 x 2", "2 x 100", "10 x 100", "40 x 100"])
        for row in rows:
            for number in (float(cell) for cell in row if re.fullmatch(r" [\d.]+ ", cell)):
                self.assertGreater(number, 0)


if __name__ == "__main__":
    missing = [str(path) for path in (BUILD / "python/caos", BUILD / "caos") if not path.exists()]
    if missing:
        print("NOT TESTED: bench/python needs", ", ".join(missing), "(make python, make program)")
        sys.exit(77)
    unittest.main()
