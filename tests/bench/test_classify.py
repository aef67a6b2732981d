"""bench/classify from beginning to end, on tiny inputs."""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

from bench_support import BENCH, ROOT

BUILD = Path(os.environ.get("CAOS_BUILD", ROOT / "build/release"))


class QuickRun(unittest.TestCase):
    def test_finds_the_p_values_of_numpy_and_times_both(self):
        done = subprocess.run([sys.executable, "-B", BENCH / "classify", "--quick", "--build", BUILD],
                              timeout=240, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("says nothing about speed", done.stdout)
        self.assertRegex(done.stdout, r"\| all p-values of an input \| [\d.]+ ms \| [\d.]+ ms \| [\d.]+ \|")
        self.assertTrue(re.search(r"n = 300, K = 10, D = 32, 60 inputs", done.stdout))


if __name__ == "__main__":
    if not (BUILD / "python/caos").exists():
        print("NOT TESTED: bench/classify needs the package (make python)")
        sys.exit(77)
    unittest.main()
