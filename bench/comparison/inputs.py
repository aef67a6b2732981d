#!/usr/bin/python3
"""Synthetic inputs for the comparison with other software, the same in every run.

    bench/comparison/inputs.py FOLDER w1 [IMAGES LANDMARKS]
    bench/comparison/inputs.py FOLDER w2 structured|isotropic DIMENSION REFERENCES QUERIES

W1 is what `caos landmarks evaluate` reads: as many labeled as test images of 12 x 14 patches, D = 768.
W2 is one landmark: a patch of each labeled image, and all patches of new images as queries.

A structured patch is the sum of what lies at its place in the face, a style of its image, noise whose
spectrum falls as a power, and a mean that all share; isotropic ones are directions drawn at random.
Rows have length 1. Files that are there already are kept; VERSION is part of their folder's name.
"""

import os

# The last bits of a matrix product depend on the number of threads.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import pathlib
import sys

import numpy as np

VERSION = 1
COLUMNS, ROWS, SIDE = 12, 14, 16  # patches across, patches down, pixels of a patch
PATCHES = COLUMNS * ROWS
W1_DIMENSION = 768
IMAGES_PER_BLOCK = 64

FACE_CENTER = np.array([96.0, 118.0])
FACE_RADII = np.array([55.0, 72.0])


# Where landmarks lie, in units of the face: the unit circle is its outline.

def ring(count, x, y, radius_x, radius_y):
    angle = 2 * np.pi * np.arange(count) / count
    return np.stack([x + radius_x * np.cos(angle), y + radius_y * np.sin(angle)], axis=1)


def line(count, start, end):
    return np.linspace(start, end, count)


def spiral(count):
    """Points that fill the unit disc evenly, each a golden angle further than the last."""
    steps = np.arange(count)
    angle = steps * np.pi * (3 - np.sqrt(5))
    radius = np.sqrt((steps + 0.5) / count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def face_points():
    """478 places, crowded around eyes, nose and mouth as in meshes of faces."""
    parts = [ring(36, 0, 0, 1, 1)]
    for side in (-0.36, 0.36):
        parts += [ring(16, side, -0.2, 0.18, 0.07), ring(16, side, -0.2, 0.26, 0.12),
                  ring(5, side, -0.2, 0.06, 0.05),
                  line(10, (side - 0.27, -0.42), (side + 0.27, -0.42))]
    parts += [ring(20, 0, 0.42, 0.33, 0.11), ring(20, 0, 0.42, 0.25, 0.05),
              ring(20, 0, 0.12, 0.18, 0.09), line(10, (0, -0.33), (0, 0.1))]
    return np.concatenate([*parts, spiral(478 - sum(map(len, parts)))])


# How faces stand in their images.

class Poses:
    """Shift, scale and turn of each face, drawn at random."""

    def __init__(self, count, rng):
        self.shift = rng.normal(0, 4.5, (count, 1, 2))
        self.scale = np.exp(rng.normal(0, 0.05, (count, 1, 1)))
        turn = rng.normal(0, 0.06, count)
        self.turns = np.moveaxis(np.array([[np.cos(turn), -np.sin(turn)],
                                           [np.sin(turn), np.cos(turn)]]), 2, 0)

    def to_pixels(self, points):
        """[images, points, 2] of points in the face."""
        turned = (points * FACE_RADII) @ self.turns.transpose(0, 2, 1)
        return turned * self.scale + FACE_CENTER + self.shift

    def to_face(self, pixels):
        """[images, points, 2] of points in every image."""
        return (pixels - FACE_CENTER - self.shift) / self.scale @ self.turns / FACE_RADII


def patch_labels(poses, points, rng):
    """[images, points]: the patch in which each point lies, marked with an unsteady hand."""
    pixels = poses.to_pixels(points)
    pixels = pixels + rng.normal(0, 1.5, pixels.shape)
    cells = np.clip(pixels // SIDE, 0, (COLUMNS - 1, ROWS - 1)).astype(np.int64)
    return cells[..., 1] * COLUMNS + cells[..., 0]


def patch_centers():
    index = np.arange(PATCHES)
    return np.stack([index % COLUMNS, index // COLUMNS], axis=1) * SIDE + SIDE / 2


# What patches look like.

class Appearance:
    """A fixed random map from place, style and noise to D numbers."""

    PLACES, STYLES, BENDS = 200, 40, 5

    def __init__(self, dimension, seed=20):
        rng = np.random.default_rng([seed, dimension])
        self.waves = rng.normal(0, 2.6, (2, self.PLACES))
        self.phases = rng.uniform(0, 2 * np.pi, self.PLACES)
        spectrum = np.arange(1, dimension + 1) ** -0.5
        self.map = np.concatenate([
            self._rows(rng, np.full(self.PLACES, 1.0), dimension, 1.4),
            self._rows(rng, np.full(self.STYLES * self.BENDS, 1.0), dimension, 0.65),
            self._rows(rng, spectrum, dimension, 0.7)])
        self.mean = rng.normal(0, 0.75 / np.sqrt(dimension), dimension).astype(np.float32)

    @staticmethod
    def _rows(rng, weights, dimension, length):
        """Random rows of these weights; standard normal factors give vectors of about `length`."""
        rows = rng.normal(0, 1 / np.sqrt(dimension), (len(weights), dimension))
        return (rows * (length * weights / np.linalg.norm(weights))[:, None]).astype(np.float32)

    def vectors(self, places, rng):
        """Unit rows [images, patches, D] for places [images, patches, 2] in the face."""
        images, patches, _ = places.shape
        x, y = places[..., 0], places[..., 1]
        bends = np.stack([np.ones_like(x), x, y, np.cos(2 * x), np.cos(2 * y)], axis=2)
        bends /= np.sqrt(self.BENDS)
        style = rng.normal(size=(images, 1, 1, self.STYLES))
        # Some images are worse than others, and so are some patches: blur, hair, shadow.
        level = np.exp(rng.normal(0, 0.35, (images, 1, 1)) + rng.normal(0, 0.35, (images, patches, 1)))
        noise = rng.standard_normal((images, patches, len(self.mean)), dtype=np.float32)
        factors = np.concatenate([
            np.cos(places @ self.waves + self.phases).astype(np.float32),
            (bends[..., None] * style).reshape(images, patches, -1).astype(np.float32),
            noise * level.astype(np.float32)], axis=2)
        return unit_rows(factors @ self.map + self.mean)


def unit_rows(rows):
    lengths = np.sqrt(np.einsum("...d,...d->...", rows, rows, dtype=np.float64))
    return (rows / lengths[..., None]).astype(np.float32)


# The arrays.

def save(path, array):
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.npy")
    np.save(temporary, np.ascontiguousarray(array))
    temporary.rename(path)


def landmark_images(images, points, seed):
    rng = np.random.default_rng(seed)
    poses = Poses(images, rng)
    labels = patch_labels(poses, points, rng)
    places = poses.to_face(np.broadcast_to(patch_centers(), (images, PATCHES, 2)))
    return Appearance(W1_DIMENSION).vectors(places, rng), labels


def w1(folder, images=100, landmarks=478):
    """The folder of W1's four arrays."""
    folder = pathlib.Path(folder) / f"v{VERSION}" / f"w1-{images}-{landmarks}"
    points = face_points()
    points = points[np.linspace(0, len(points) - 1, landmarks).astype(int)]
    for prefix, seed in (("", 1), ("test-", 2)):
        if (folder / f"{prefix}labels.npy").exists():
            continue
        vectors, labels = landmark_images(images, points, seed)
        save(folder / f"{prefix}embeddings.npy", vectors)
        save(folder / f"{prefix}labels.npy", labels)
    return folder


def structured_references(dimension, count, rng):
    """One patch of each image: that which holds the point between eye and nose."""
    appearance = Appearance(dimension)
    poses = Poses(count, rng)
    labels = patch_labels(poses, np.array([[0.12, -0.1]]), rng)[:, 0]
    places = poses.to_face(patch_centers()[labels][:, None])
    return appearance.vectors(places, rng)


def structured_queries(dimension, count, rng):
    appearance = Appearance(dimension)
    places = Poses(count, rng).to_face(np.broadcast_to(patch_centers(), (count, PATCHES, 2)))
    return appearance.vectors(places, rng)


def isotropic(dimension, images, patches, rng):
    return unit_rows(rng.standard_normal((images, patches, dimension), dtype=np.float32))


def w2_images(queries):
    """How many whole images hold that many query patches."""
    return -(-queries // PATCHES)


def w2(folder, kind, dimension, references, queries):
    """The folder of W2's two arrays: references [n, 1, D] and queries [images, 168, D]."""
    images = w2_images(queries)
    folder = pathlib.Path(folder) / f"v{VERSION}" / f"w2-{kind}-{dimension}-{references}-{images}"
    make = {"structured": (structured_references, structured_queries),
            "isotropic": (lambda d, n, rng: isotropic(d, n, 1, rng),
                          lambda d, n, rng: isotropic(d, n, PATCHES, rng))}[kind]
    if not (folder / "references.npy").exists():
        save(folder / "references.npy", make[0](dimension, references, np.random.default_rng(3)))
    if not (folder / "queries.npy").exists():
        save_in_blocks(folder / "queries.npy", (images, PATCHES, dimension),
                       lambda first, count: make[1](dimension, count, np.random.default_rng([4, first])))
    return folder


def save_in_blocks(path, shape, block):
    """As `save`, but never more than a block in memory."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    array = np.lib.format.open_memmap(temporary, mode="w+", dtype=np.float32, shape=shape)
    for first in range(0, shape[0], IMAGES_PER_BLOCK):
        count = min(IMAGES_PER_BLOCK, shape[0] - first)
        array[first:first + count] = block(first, count)
    array.flush()
    temporary.rename(path)


def main():
    arguments = sys.argv[1:]
    if len(arguments) in (2, 4) and arguments[1] == "w1":
        print(w1(arguments[0], *map(int, arguments[2:])))
    elif len(arguments) == 6 and arguments[1] == "w2" and arguments[2] in ("structured", "isotropic"):
        print(w2(arguments[0], arguments[2], *map(int, arguments[3:])))
    else:
        sys.exit(__doc__.split("\n\n")[1])


if __name__ == "__main__":
    main()
