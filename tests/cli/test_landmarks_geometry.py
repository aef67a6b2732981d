"""`--score geometry` through the program: by definition, from arrays and from images."""

import math
import unittest

import numpy as np

import geometry_oracle
from landmark_support import MISSING, FacesTest, Images, random_split, unit
from processes_support import OnProcesses
from support import ProgramTest

MISUSED = 2
FAILED = 1
GRID = (4, 3)


def rows_of(images):
    return np.float32(unit(images.embeddings))


def positions_of(labels, seed):
    """Anywhere in the patches, [images, landmarks, 2]; NaN where a landmark is missing."""
    corners = np.stack([labels % GRID[0], labels // GRID[0]], axis=-1)
    positions = corners + np.random.default_rng(seed).uniform(0.01, 0.99, corners.shape)
    positions[labels == MISSING] = np.nan
    return positions


def centers_of(labels):
    return np.stack([labels % GRID[0], labels // GRID[0]], axis=-1) + 0.5


class Definition:
    """One landmark, from all scores."""

    def __init__(self, labeled, positions, landmark, k):
        self.k = k
        self.having = np.flatnonzero(labeled.labels[:, landmark] != MISSING)
        self.rows, self.labels = rows_of(labeled), labeled.labels[:, landmark]
        self.positions = positions[:, landmark]
        self.own = []
        for i in self.having:
            pool = [self.under(j, self.rows[i])[self.labels[i]] for j in self.having if j != i]
            self.own.append(sum(sorted(pool)[:k]))

    def under(self, j, image):
        return geometry_oracle.scores(self.rows[j], self.labels[j], self.positions[j], image, GRID)

    def scores(self, image):
        pools = np.sort(np.stack([self.under(j, image) for j in self.having]), axis=0)
        return pools[:self.k].sum(axis=0)

    def threshold(self, alpha):
        rank = math.ceil((1 - alpha) * (len(self.own) + 1) - 1e-9)
        return sorted(self.own)[rank - 1] if rank <= len(self.own) else math.inf


class GeometryFromArrays(OnProcesses, ProgramTest):
    def arrays(self, labeled, test):
        return ["landmarks", "evaluate", "--embeddings", self.save("embeddings", labeled.embeddings),
                "--labels", self.save("labels", labeled.labels),
                "--test-embeddings", self.save("test-embeddings", test.embeddings),
                "--test-labels", self.save("test-labels", test.labels), "--quiet",
                "--score", "geometry"]

    def check(self, seed, positions, more):
        labeled, test = random_split(seed, n=12, m=4, num_patches=12, num_landmarks=2)
        self.succeed(*self.arrays(labeled, test), "--grid", "4x3", "--alpha", "0.3", "--k", 2,
                     "--sets", "sets.npy", *more(labeled, test))
        sets = np.unpackbits(np.load(self.folder / "sets.npy"), axis=-1, bitorder="little")[..., :12]
        for t in range(2):
            definition = Definition(labeled, positions(labeled.labels), t, 2)
            threshold = definition.threshold(0.3)
            for x, image in enumerate(rows_of(test)):
                scores = definition.scores(image)
                clear = np.abs(scores - threshold) > 1e-9
                np.testing.assert_array_equal(sets[0, x, t][clear], (scores <= threshold)[clear])

    def test_is_the_definition_with_positions(self):
        for seed in range(3):
            with self.subTest(seed=seed):
                self.check(seed, lambda labels, seed=seed: positions_of(labels, seed),
                           lambda labeled, test, seed=seed: [
                               "--positions",
                               self.save("positions", positions_of(labeled.labels, seed)),
                               "--test-positions",
                               self.save("test-positions", positions_of(test.labels, seed))])

    def test_takes_the_middle_of_patches_without(self):
        self.check(7, centers_of, lambda labeled, test: [])

    def test_does_not_depend_on_threads_and_processes(self):
        labeled, test = random_split(3, n=12, m=7, num_patches=12)
        more = ["--grid", "4x3", "--methods", "caos,scos,scos-best,split-caos", "--simultaneous",
                "--json", "--sets", "sets.npy"]
        self.same_on_processes(*self.arrays(labeled, test), *more, "--threads", 1)
        one = self.succeed(*self.arrays(labeled, test), *more, "--threads", 1)
        self.assertEqual(self.succeed(*self.arrays(labeled, test), *more, "--threads", 3), one)

    def test_does_not_look_at_the_labels_of_test_images(self):
        labeled, test = random_split(4, n=12, m=5, num_patches=12, missing=0)
        sets = []
        for labels in (test.labels, (test.labels * 5 + 1) % 12):
            arguments = self.arrays(labeled, Images(test.embeddings, labels))
            self.succeed(*arguments, "--grid", "4x3", "--sets", "sets.npy")
            sets.append(np.load(self.folder / "sets.npy"))
        np.testing.assert_array_equal(*sets)

    def test_refuses_what_does_not_fit(self):
        labeled, test = random_split(5, num_patches=12)
        arguments = self.arrays(labeled, test)
        outside = centers_of(labeled.labels)
        outside[0, 0] += 1
        cases = [
            (MISUSED, [], "--grid 12x14"),
            (MISUSED, ["--grid", "4x4"], "4x4 does not fit 12 patches"),
            (MISUSED, ["--grid", "twelve"], "'twelve' must be columns x rows"),
            (MISUSED, ["--grid", "4x3", "--methods", "full-caos"],
             "full-caos is not available with the score geometry"),
            (MISUSED, ["--positions", self.save("p", centers_of(labeled.labels))], "need --grid"),
            (MISUSED, ["--grid", "4x3", "--positions", self.save("short", outside[:3])],
             "has shape [3, "),
            (FAILED, ["--grid", "4x3", "--positions", self.save("outside", outside)],
             "the position at [0, 0]"),
        ]
        for code, more, text in cases:
            with self.subTest(text=text):
                self.refuse(code, [*arguments, *more], text)


class GeometryFromImages(FacesTest):
    num_new = 4

    def test_calibrates_and_predicts(self):
        self.calibrate("--score", "geometry")
        self.predict("--alpha", "0.2", "--threads", 1)
        one = (self.folder / "regions.json").read_bytes()
        self.predict("--alpha", "0.2", "--threads", 3)
        self.assertEqual((self.folder / "regions.json").read_bytes(), one)
        self.assertIn(b'"geometry"', one)

    def test_splits_and_refuses_full_caos(self):
        self.calibrate("--score", "geometry")
        self.predict("--alpha", "0.3", "--method", "split-caos")
        self.refuse(MISUSED, ["landmarks", "predict", "model.caos", "faces/new", "--method",
                              "full-caos", "--out", "r.json"], "no exact position")


if __name__ == "__main__":
    unittest.main()
