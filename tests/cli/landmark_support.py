"""Landmarks for the program, and what the paper says about them, slowly and with NumPy."""

import csv
import shutil
import struct
import subprocess
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import oracle
from support import PROGRAM, ProgramTest

MISSING = -1
PATCH = 16


def cosine(similarities):
    return 1 - similarities


def margin(weight):
    """`similarities` of an image's patches (axis 0) with references."""
    return lambda s: 1 - s + weight * (s.max(axis=0) - s)


def softmax(temperature):
    def score(similarities):
        z = similarities / temperature
        top = z.max(axis=0)
        return np.log(np.exp(z - top).sum(axis=0)) + top - z
    return score


SCORES = {"cosine": cosine, "margin:3": margin(3), "softmax:0.1": softmax(0.1)}


def unit(embeddings):
    embeddings = np.asarray(embeddings, np.float64)
    return embeddings / np.linalg.norm(embeddings, axis=-1, keepdims=True)


def similarities(rows, others):
    """Every row with every other. No BLAS: that may round a product and its transpose differently, and
    Full CAOS compares the two."""
    return (rows[:, None, :] * others[None, :, :]).sum(axis=-1)


@dataclass
class Images:
    """Embeddings [images, patches, D] and labels [images, landmarks]."""

    embeddings: np.ndarray
    labels: np.ndarray

    def scores(self, references, score):
        """[images, patches, references]"""
        return np.stack([score(similarities(unit(image), references)) for image in self.embeddings])


def landmark_problem(labeled, test, landmark, k, score=cosine, references=()):
    """One landmark as a task for the oracle: the images that have it, and all scores. `references` are images of
    the split; returns the problem and the test images that have the landmark."""
    having = np.flatnonzero(labeled.labels[:, landmark] != MISSING)
    labels = labeled.labels[having, landmark]
    images = unit(labeled.embeddings[having])
    patches = images[np.arange(len(having)), labels]
    mine = Images(images, labels[:, None])
    scored = mine.scores(patches, score)
    tested = np.flatnonzero(test.labels[:, landmark] != MISSING)
    reverse = [
        [[float(score(similarities(image, unit(candidate)[None]))[label, 0])
          for image, label in zip(images, labels)] for candidate in test.embeddings[t]]
        for t in tested]
    return oracle.Problem(
        own=scored[np.arange(len(having)), labels].tolist(), labeled=scored.tolist(),
        test=Images(test.embeddings[tested], None).scores(patches, score).tolist(),
        test_labels=test.labels[tested, landmark].tolist(), k=k, reverse=reverse,
        labels=labels.tolist(), references=[p for p, i in enumerate(having) if i in set(references)],
    ), tested


def random_images(rng, num, num_patches=11, dimension=7, num_landmarks=4, missing=0.2):
    """Embeddings of any length; landmarks lean toward a patch of their own, some share one."""
    anchors = rng.normal(size=(num_landmarks, dimension))
    anchors[1] = anchors[0]
    embeddings = rng.normal(size=(num, num_patches, dimension))
    labels = rng.integers(num_patches, size=(num, num_landmarks))
    labels[:, 1] = np.where(rng.random(num) < 0.5, labels[:, 0], labels[:, 1])
    for i in range(num):
        for t in range(num_landmarks):
            embeddings[i, labels[i, t]] += 1.5 * anchors[t]
    embeddings *= np.exp(rng.normal(size=(num, num_patches, 1)))
    labels[rng.random(labels.shape) < missing] = MISSING
    return Images(embeddings.astype(np.float32), labels)


def random_split(seed, n=14, m=6, **shape):
    """Labeled and test images of one kind."""
    rng = np.random.default_rng(seed)
    both = random_images(rng, n + m, **shape)
    return (Images(both.embeddings[:n], both.labels[:n]),
            Images(both.embeddings[n:], both.labels[n:]))


def bits(sets, num_patches):
    """Sets as --sets writes them: little-endian bits."""
    flags = np.zeros(num_patches, np.uint8)
    flags[sorted(sets)] = 1
    return np.packbits(flags, bitorder="little")


def png(width, height, pixels=None):
    """An RGB image as a PNG file."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    pixels = np.zeros((height, width, 3), np.uint8) if pixels is None else pixels
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class FacesTest(ProgramTest):
    """A test with drawn faces in `faces`. They are drawn once per class."""

    n = 24
    num_new = 6
    draw_seed = 5

    @classmethod
    def setUpClass(cls):
        cls.drawn = tempfile.TemporaryDirectory(prefix="caos-faces-")
        cls.addClassCleanup(cls.drawn.cleanup)
        subprocess.run([PROGRAM, "landmarks", "draw", "--out", cls.drawn.name + "/faces", "--n",
                        str(cls.n), "--new", str(cls.num_new), "--seed", str(cls.draw_seed)],
                       check=True, stdout=subprocess.DEVNULL)

    def setUp(self):
        super().setUp()
        shutil.copytree(Path(self.drawn.name) / "faces", self.folder / "faces")

    def landmarks(self, *arguments, **more):
        return self.succeed("landmarks", *arguments, **more)

    def rows(self, file):
        with open(self.folder / file, newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    def write_rows(self, file, rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        with open(self.folder / file, "w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            writer.writerows(rows)
        return file

    def calibrate(self, *more, landmarks="faces/labeled.csv", out="model.caos", **options):
        """By patches, unless `more` says otherwise: quick, and what most tests are about."""
        if "--score" not in more:
            more = ("--score", "cosine", *more)
        return self.landmarks(
            "calibrate", "--images", "faces/labeled", "--landmarks", landmarks, "--out", out,
            *more, **options)

    def predict(self, *more, images="faces/new", out="regions.json", model="model.caos"):
        return self.landmarks("predict", model, images, "--out", out, *more)

    def embedded(self, images, *more):
        """Embeddings of a folder and the names of its images."""
        found = self.json("landmarks", "embed", images, "--out", "embedded.npy", *more)
        return np.load(self.folder / "embedded.npy"), found["images"]

    def annotated(self, images, file):
        """A folder with its landmarks as patches of 12 columns, and names of images and landmarks,
        from the files alone."""
        embeddings, names = self.embedded(images)
        rows = self.rows(file)
        landmarks = list(dict.fromkeys(row["landmark"] for row in rows))
        labels = np.full((len(names), len(landmarks)), MISSING)
        for row in rows:
            patch = int(float(row["y"]) // PATCH) * 12 + int(float(row["x"]) // PATCH)
            labels[names.index(row["image"]), landmarks.index(row["landmark"])] = patch
        return Images(embeddings, labels), names, landmarks


def caos_sets(labeled, test, landmark, alpha, k, score=cosine):
    """CAOS for one landmark, with arrays: sets and p-values of every test image's patches."""
    having = np.flatnonzero(labeled.labels[:, landmark] != MISSING)
    labels = labeled.labels[having, landmark]
    images = unit(labeled.embeddings[having])
    patches = images[np.arange(len(having)), labels]
    own = Images(images, None).scores(patches, score)[np.arange(len(having)), labels]
    np.fill_diagonal(own, np.inf)
    calibration = np.sort(own, axis=1)[:, :k].sum(axis=1)
    scores = np.sort(test.scores(patches, score), axis=2)[..., :k].sum(axis=2)
    p_values = (1 + (calibration >= scores[..., None]).sum(axis=2)) / (len(having) + 1)
    limit = oracle.threshold(calibration.tolist(), alpha)
    return [np.flatnonzero(row <= limit).tolist() for row in scores], p_values, calibration, scores


