"""bench/peers from beginning to end, on tiny inputs."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from bench_support import SCRIPT, script

BUILD = Path(os.environ.get("CAOS_BUILD", SCRIPT.parent.parent / "build/release"))


def lacking():
    modules = [name for name in ("torch", "matplotlib") if importlib.util.find_spec(name) is None]
    return modules + script().contest.Programs(BUILD).missing()


class QuickRun(unittest.TestCase):
    def test_compares_everything_and_writes_table_plot_and_results(self):
        with tempfile.TemporaryDirectory(prefix="caos-test-") as scratch:
            out = Path(scratch, "out")
            done = subprocess.run(
                [sys.executable, "-B", SCRIPT, "--quick", "--build", BUILD, "--out", out],
                env=os.environ | {"CAOS_BENCH_DATA": str(Path(scratch, "data"))}, timeout=240,
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(p.name for p in out.iterdir()),
                             ["peers.svg", "results.json", "table.md"])
            table = (out / "table.md").read_text(encoding="utf-8")
            results = json.loads((out / "results.json").read_text(encoding="utf-8"))
            self.assertIn("<svg", (out / "peers.svg").read_text(encoding="utf-8"))
        self.assertEqual(done.stdout, table)
        self.assertIn("says nothing about speed", table)
        for name in ("FAISS", "NumPy", "PyTorch", "OpenBLAS", "Full CAOS", "peak", "memory"):
            self.assertIn(name, table)
        for row in results["rows"]:
            self.assertGreater(row["ratio"], 0, row)
        self.assertEqual(len(results["digests"]), 3)


if __name__ == "__main__":
    if missing := lacking():
        print("NOT TESTED: bench/peers needs", ", ".join(missing), "(tools/setup --peers)")
        sys.exit(77)
    unittest.main()
