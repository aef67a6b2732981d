"""The sets of a fixed large task, known by their digests: 100 + 100 images, 478 landmarks."""

import hashlib
import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

from support import PATIENCE, ProgramTest

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATOR = Path(os.environ.get("CAOS_SHARED", ROOT.parent / "shared")) / "bench" / "prep.py"


@unittest.skipUnless(GENERATOR.is_file(), f"NOT TESTED: there is no {GENERATOR}; set CAOS_SHARED")
class Gold(ProgramTest):
    def make(self):
        subprocess.run([sys.executable, GENERATOR, "w1"], check=True, stdout=subprocess.DEVNULL,
                       env=os.environ | {"CAOS_DATA": str(self.folder)}, timeout=300 * PATIENCE)
        for name in ("yref", "ytest"):
            labels = np.load(self.folder / f"w1_{name}.npy")  # [landmarks, images]
            self.save(f"w1_{name}", np.ascontiguousarray(labels.T))

    def digest(self, *more):
        self.succeed("landmarks", "evaluate", "--embeddings", "w1_ref.npy", "--labels",
                     "w1_yref.npy", "--test-embeddings", "w1_test.npy", "--test-labels",
                     "w1_ytest.npy", "--sets", "sets.npy", "--alpha", "0.05,0.1,0.2", "--quiet",
                     *more)
        sets = np.load(self.folder / "sets.npy")
        self.assertEqual(sets.shape, (3, 100, 478, 21))
        return hashlib.sha256(sets.tobytes()).hexdigest()[:16]

    def test_sets_are_those_of_record(self):
        self.make()
        self.assertEqual(self.digest("--methods", "caos"), "c2f0f7cadc39608a")
        for threads in (1, 2, 3):
            self.assertEqual(self.digest("--methods", "caos", "--threads", threads), "c2f0f7cadc39608a")
        self.assertEqual(self.digest("--methods", "full-caos"), "818856ca8c76e1b2")


if __name__ == "__main__":
    unittest.main()
