"""Landmark tasks for the package, and what the paper says about them.

The slow definitions are those that the program is held against, in tests/cli."""

import pathlib
import sys

import numpy as np
import pytest
from hypothesis import strategies

import caos

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

# pylint: disable=wrong-import-position,unused-import
import oracle  # noqa: E402
from landmark_support import (  # noqa: E402,F401
    MISSING, SCORES, Images, bits, caos_sets, landmark_problem, png, random_split, unit)

METHODS = ["caos", "full-caos", "scos", "scos-best", "scos-oracle", "split-caos", "split-caos-cal",
           "split-caos-ref"]


def save_split(folder, labeled, test):
    """Writes both as files, for the program; returns the arguments that name them."""
    for name, values in (("embeddings", labeled.embeddings), ("labels", labeled.labels),
                         ("test", test.embeddings), ("test_labels", test.labels)):
        np.save(folder / f"{name}.npy", values)
    return ["--embeddings", folder / "embeddings.npy", "--labels", folder / "labels.npy",
            "--test-embeddings", folder / "test.npy", "--test-labels", folder / "test_labels.npy"]


def evaluate(labeled, test, **more):
    return caos.patches.evaluate(labeled.embeddings, labeled.labels, test.embeddings, test.labels,
                                 **more)


# Rows whose products are multiples of 1/4, whatever the order of additions: every sum and every
# comparison is exact, and ties are everywhere.
ROWS = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, -2], [1, 1, 1, 1],
                 [1, -1, 1, -1], [-1, 1, 1, 1], [1, 1, -1, -1]], np.float32)


@strategies.composite
def tied_images(draw, count, num_landmarks):
    """Images of different sizes, as a list of arrays that are not of length 1, and their labels."""
    embeddings, labels = [], []
    for _ in range(count):
        chosen = draw(strategies.lists(strategies.integers(0, len(ROWS) - 1), min_size=1,
                                       max_size=6))
        scale = draw(strategies.sampled_from([0.5, 1, 4]))
        embeddings.append(scale * ROWS[chosen])
        labels.append([draw(strategies.integers(MISSING, len(chosen) - 1))
                       for _ in range(num_landmarks)])
    return embeddings, np.array(labels, int).reshape(count, num_landmarks)


@strategies.composite
def tied_tasks(draw):
    """(embeddings, labels) of labeled images, embeddings of new ones, and k."""
    num_landmarks = draw(strategies.integers(1, 3))
    labeled = draw(tied_images(draw(strategies.integers(3, 9)), num_landmarks))
    new, _ = draw(tied_images(draw(strategies.integers(1, 3)), num_landmarks))
    return labeled, new, draw(strategies.integers(1, 3))


class Definition:
    """One landmark by the definitions of the paper, one image at a time."""

    def __init__(self, embeddings, labels, k, score):
        self.having = np.flatnonzero(labels != MISSING)
        self.k, self.score = k, score
        self.images = [unit(embeddings[i]) for i in self.having]
        self.labels = labels[self.having]
        patches = np.array([image[y] for image, y in zip(self.images, self.labels)])
        self.patches = patches.reshape(-1, embeddings[0].shape[1])
        self.own = [score(image @ self.patches.T)[y] for image, y in zip(self.images, self.labels)]

    def problem(self, image):
        """As a task for the oracle, with one new input."""
        reverse = [[float(self.score(mine @ patch[:, None])[label, 0])
                    for mine, label in zip(self.images, self.labels)] for patch in unit(image)]
        return oracle.Problem(own=[row.tolist() for row in self.own],
                              test=[self.score(unit(image) @ self.patches.T).tolist()],
                              test_labels=[0], k=self.k, reverse=[reverse])


@pytest.fixture(name="split")
def fixture_split():
    return random_split(3, n=20, m=5)


@pytest.fixture(name="calibration")
def fixture_calibration(split):
    return caos.patches.calibrate(split[0].embeddings, split[0].labels)


def same(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other):
        np.testing.assert_array_equal(a.mask, b.mask)
        np.testing.assert_array_equal(a.proposals, b.proposals)
        np.testing.assert_array_equal(a.supporting_references, b.supporting_references)
