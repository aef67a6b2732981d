"""Faces that the program has drawn, for tests of images."""

import csv

import numpy as np
import pytest

import caos
from conftest import Program


class Faces:
    """Faces that the program has drawn, and their landmarks as it wrote them."""

    def __init__(self, folder, n=24, num_new=6, seed=5):
        self.folder, self.n, self.seed = folder, n, seed
        Program().json("landmarks", "draw", "--out", folder, "--n", n, "--new", num_new, "--seed",
                       seed)
        self.names, self.points = self.read("labeled.csv")
        _, self.new_points = self.read("new.csv")
        self.files = sorted((folder / "labeled").iterdir())
        self.new_files = sorted((folder / "new").iterdir())

    def read(self, file):
        with open(self.folder / file, newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        names = list(dict.fromkeys(row["landmark"] for row in rows))
        points = np.array([[float(row["x"]), float(row["y"])] for row in rows])
        return names, points.reshape(-1, len(names), 2)

    def write(self, file, rows):
        with open(self.folder / file, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(["image", "landmark", "x", "y", "subject"])
            writer.writerows(rows)
        return self.folder / file

    def rows(self, subjects=None, missing=()):
        """The lines of a landmark file, without those of `missing` (image, landmark)."""
        subject = subjects or [""] * self.n
        return [[file.name, name, *map(repr, self.points[i, t]), subject[i]]
                for i, file in enumerate(self.files) for t, name in enumerate(self.names)
                if (i, t) not in missing]


@pytest.fixture(scope="module", name="faces")
def fixture_faces(tmp_path_factory):
    return Faces(tmp_path_factory.mktemp("faces") / "faces")


@pytest.fixture(scope="module", name="embedded")
def fixture_embedded(faces):
    return caos.patches.embed(faces.files, cell=16)
