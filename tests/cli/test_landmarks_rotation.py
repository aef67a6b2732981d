"""References at several angles: --rotation."""

import json
import unittest

import numpy as np

from landmark_support import png
from support import ProgramTest

MISUSED = 2


def scene(rng, size=320, cell=16):
    """Random squares, so that every place looks different."""
    coarse = rng.integers(0, 256, (size // cell, size // cell, 3))
    fine = np.kron(coarse, np.ones((cell, cell, 1)))
    return (fine + np.roll(fine, 5, 0) + np.roll(fine, 5, 1)) / 3


def view(image, degrees, side=192):
    """The middle of the scene, rotated clockwise."""
    angle = np.deg2rad(degrees)
    at = np.arange(side) + 0.5 - side / 2
    u, v = np.meshgrid(at, at)
    middle = image.shape[0] / 2
    x = np.cos(angle) * u + np.sin(angle) * v + middle
    y = np.cos(angle) * v - np.sin(angle) * u + middle
    return image[np.floor(y).astype(int), np.floor(x).astype(int)].astype(np.uint8)


def moved(point, degrees, side=192):
    """Where a point of the scene, from its middle, is in that view."""
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    return c * point[0] - s * point[1] + side / 2, s * point[0] + c * point[1] + side / 2


class Rotation(ProgramTest):
    """Views of one scene at all angles."""

    points = {"a": (20.0, -30.0), "b": (-35.0, 15.0)}
    angles = [0, 130, 220, 40, 310, 85, 175, 265, 350, 100]

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(7)
        image = scene(rng)
        rows = ["image,landmark,x,y"]
        (self.folder / "labeled").mkdir()
        (self.folder / "new").mkdir()
        for i, degrees in enumerate(self.angles):
            noisy = np.clip(view(image, degrees) + rng.normal(0, 4, (192, 192, 3)), 0, 255)
            pixels = np.ascontiguousarray(noisy.astype(np.uint8))
            self.write(f"{'new' if i > 7 else 'labeled'}/{i}.png", png(192, 192, pixels))
            if i <= 7:
                for name, point in self.points.items():
                    x, y = moved(point, degrees)
                    rows.append(f"{i}.png,{name},{x},{y}")
        self.write("points.csv", "\n".join(rows) + "\n")
        self.labeled = ["--images", "labeled", "--landmarks", "points.csv", "--k", 2]

    def calibrate(self, *more):
        return self.json("landmarks", "calibrate", *self.labeled, "--out", "model.caos", *more)

    def predict(self, *more):
        self.json("landmarks", "predict", "model.caos", "new", "--alpha", "0.2", "--out", "r.json", *more)
        return json.loads((self.folder / "r.json").read_text())

    def sizes_and_errors(self):
        found = self.predict()
        sizes, errors = [], []
        for image in found["images"]:
            degrees = self.angles[int(image["image"].split(".")[0])]
            for landmark in image["landmarks"]:
                x, y = moved(self.points[landmark["landmark"]], degrees)
                sizes.append(len(landmark["patches"]))
                errors.append(np.hypot(landmark["proposal"]["x"] - x, landmark["proposal"]["y"] - y))
        return np.mean(sizes), np.max(errors)

    def test_references_at_all_angles_find_what_upright_ones_do_not(self):
        self.assertEqual(self.calibrate("--score", "cosine")["rotation"], "none")
        upright, _ = self.sizes_and_errors()
        made = self.calibrate("--rotation", "any")
        self.assertEqual(made["rotation"], "any")
        rotated, error = self.sizes_and_errors()
        self.assertLess(rotated, 0.5 * upright)
        self.assertLess(error, 16)

    def test_outputs_say_so(self):
        self.calibrate("--rotation", "small")
        self.assertIn("references at 5 rotations up to 30 degrees", self.output("inspect", "model.caos"))
        self.assertEqual(self.json("inspect", "model.caos")["rotation"], "small")
        self.assertEqual(self.predict()["rotation"], "small")
        evaluated = self.json("landmarks", "evaluate", *self.labeled, "--rotation", "any", "--alpha", "0.4")
        self.assertEqual(evaluated["rotation"], "any")
        self.assertEqual([entry["method"] for entry in evaluated["results"]], ["caos", "scos"])

    def test_geometry_takes_the_angle_on_which_most_agrees(self):
        self.calibrate("--rotation", "any", "--score", "geometry")
        size, error = self.sizes_and_errors()
        self.assertLess(error, 16)
        self.assertLess(size, 20)

    def test_what_cannot_be_is_refused(self):
        self.calibrate("--rotation", "small")
        predict = ["landmarks", "predict", "model.caos", "new", "--out", "r.json", "--method", "full-caos"]
        self.refuse(MISUSED, predict, "a candidate is not embedded rotated")
        calibrate = ["landmarks", "calibrate", *self.labeled, "--out", "m.caos", "--score", "cosine"]
        self.refuse(MISUSED, [*calibrate, "--rotation", "90"], "rotation '90'")
        self.refuse(MISUSED, [*calibrate, "--rotation", "any", "--location-sigma", "20"],
                    "leave one of them out")


if __name__ == "__main__":
    unittest.main()
