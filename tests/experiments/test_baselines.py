"""experiments/classification/baselines, on a few splits of a small data set."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("CAOS_BUILD", ROOT / "build/release"))
COMPARE = ROOT / "experiments" / "classification" / "baselines"


def compare(*more):
    return subprocess.run([sys.executable, "-B", COMPARE, *map(str, more)], timeout=600,
                          env=os.environ | {"PYTHONPATH": str(BUILD / "python")},
                          capture_output=True, text=True, check=False)


class Comparison(unittest.TestCase):
    def test_measures_every_method_in_the_same_way_twice(self):
        with tempfile.TemporaryDirectory(prefix="caos-test-") as folder:
            arguments = ["--splits", 3, "--data", "iris", "--labeled", 30]
            one = compare(*arguments, "--out", Path(folder, "one.json"))
            self.assertEqual(one.returncode, 0, one.stderr)
            two = compare(*arguments, "--out", Path(folder, "two.json"))
            self.assertEqual(one.stdout, two.stdout)
            found = json.loads(Path(folder, "one.json").read_text(encoding="utf-8"))
        self.assertEqual(len(found), 8)
        for result in found:
            self.assertGreaterEqual(result["coverage"], 0.7, result)
            self.assertGreater(result["size"], 0.5)
            self.assertLessEqual(result["size"], 3)
        lines = one.stdout.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertEqual(len(re.findall(r"[\d.]+ \([\d.]+ ± [\d.]+ %\)", lines[2])), 8)

    def test_refuses_what_gives_no_error(self):
        self.assertEqual(compare("--splits", 1).returncode, 2)
        self.assertEqual(compare("--data", "mnist").returncode, 2)


class Baselines(unittest.TestCase):
    """The baselines against their definitions, written out for one input and label at a time."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(BUILD / "python"))
        from importlib.machinery import SourceFileLoader
        cls.compare = SourceFileLoader("baselines", str(COMPARE)).load_module()

    def test_split_and_cross_conformal_are_their_definitions(self):
        import numpy as np
        rng = np.random.default_rng(1)
        rows, labels = rng.normal(size=(40, 2)), rng.integers(3, size=40)
        rows += 2 * labels[:, None]

        class Model:  # probabilities by distance to the mean of a class
            def __init__(self, seed):
                del seed

            def fit(self, rows, labels):
                self.classes_ = np.unique(labels)
                self.means = [rows[labels == y].mean(axis=0) for y in self.classes_]
                return self

            def predict_proba(self, new):
                near = np.array([np.exp(-((new - mean) ** 2).sum(axis=1)) for mean in self.means]).T
                return near / near.sum(axis=1, keepdims=True)

        def score(fitted, x, y):
            probabilities = Model(0).fit(rows[fitted], labels[fitted]).predict_proba(x[None])[0]
            return 1 - probabilities[y]

        labeled, new = np.arange(30), np.arange(30, 40)
        sets = self.compare.split_lac(Model, rows[:30], labels[:30], rows[30:], 3, 7)
        order = np.random.default_rng(7).permutation(30)
        own = sorted(score(order[:15], rows[i], labels[i]) for i in order[15:])
        threshold = own[15 - 1]  # ceil(0.9 * 16) = 15
        for t in new:
            for y in range(3):
                self.assertEqual(sets[t - 30, y], score(order[:15], rows[t], y) <= threshold)

        sets = self.compare.cross_conformal(Model, rows[:30], labels[:30], rows[30:], 3, 7)
        folds = np.random.default_rng(7).permutation(30) % 5
        for t in new:
            for y in range(3):
                at_least = sum(score(labeled[folds != folds[i]], rows[i], labels[i])
                               >= score(labeled[folds != folds[i]], rows[t], y) for i in labeled)
                self.assertEqual(sets[t - 30, y], (1 + at_least) / 31 > 0.1)


if __name__ == "__main__":
    if not (BUILD / "python/caos").exists():
        print("NOT TESTED: the comparison needs the package (make python)")
        sys.exit(77)
    try:
        import sklearn  # noqa: F401
    except ImportError:
        print("NOT TESTED: the comparison needs scikit-learn")
        sys.exit(77)
    unittest.main()
