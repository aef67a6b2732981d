"""Errors of proposed points in `landmarks evaluate` and `experiment landmarks`, against NumPy."""

import csv
import json
import unittest

import numpy as np

from landmark_support import png, random_split
from support import ProgramTest

FAILED = 1
MISUSED = 2
NAMES = ["tip", "notch", "base"]
NUM_LABELED = 12


def quantile(errors, percent, weights=None):
    """The smallest error such that those that are not larger have `percent` of the weight; weights
    are whole."""
    errors = np.asarray(errors)
    weights = np.ones(len(errors), int) if weights is None else np.asarray(weights)
    order = np.argsort(errors, kind="stable")
    reached = 100 * np.cumsum(weights[order]) >= percent * weights.sum()
    return errors[order][np.argmax(reached)]


def thumbnail(gray):
    """Means over 32 x 32 cells of whatever shape, rounded half up."""
    height, width = gray.shape
    fine = np.kron(gray.astype(np.int64), np.ones((32, 32), np.int64))
    sums = fine.reshape(32, height, 32, width).sum(axis=(1, 3))
    return (2 * sums + height * width) // (2 * height * width)


class PointsTest(ProgramTest):
    """Images of noise with a bright spot at each landmark; sizes differ, some landmarks are absent."""

    num_images = 20
    equal_sizes = False
    missing = True

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(3)
        self.gray, self.points = [], np.full((self.num_images, len(NAMES), 2), np.nan)
        (self.folder / "images").mkdir()
        for i in range(self.num_images):
            height, width = (64, 80) if self.equal_sizes else rng.integers(50, 100, 2)
            gray = rng.integers(0, 120, (height, width)).astype(np.uint8)
            for t in range(len(NAMES)):
                x, y = rng.integers(8, width - 8), rng.integers(8, height - 8)
                gray[y - 2 - t:y + 3 + t, x - 2:x + 3] = 150 + 40 * t
                if not (self.missing and (i + t) % 6 == 0):
                    self.points[i, t] = x + 0.5, y + 0.25
            self.gray.append(gray)
            (self.folder / "images" / f"{i:02}.png").write_bytes(
                png(int(width), int(height), np.repeat(gray[..., None], 3, axis=2)))
        self.write_landmarks()
        self.write("split.csv", "image,role\n" + "".join(
            f"{i:02}.png,{'test' if i >= NUM_LABELED else ('reference', 'calibration')[i % 2]}\n"
            for i in range(self.num_images)))

    def write_landmarks(self, subjects=None, scales=None):
        lines = ["image,landmark,x,y,subject,scale"]
        for i in range(self.num_images):
            for t, name in enumerate(NAMES):
                x, y = self.points[i, t]
                place = "," if np.isnan(x) else f"{x},{y}"
                lines.append(f"{i:02}.png,{name},{place},{subjects[i] if subjects else ''},"
                             f"{scales[i] if scales else ''}")
        self.write("landmarks.csv", "\n".join(lines) + "\n")

    def data(self):
        return ["--images", "images", "--landmarks", "landmarks.csv", "--no-cache"]

    def evaluate(self, *more):
        return self.json("landmarks", "evaluate", *self.data(), "--split", "split.csv", "--alpha",
                         "0.3", "--quiet", *more)["point_errors"]

    def source(self, found, name):
        return next(source for source in found["sources"] if source["source"] == name)

    def proposals(self):
        """What `predict` proposes for the test images from a model of the labeled ones."""
        (self.folder / "new").mkdir()
        rows = (self.folder / "landmarks.csv").read_text().splitlines()
        labeled = [row for row in rows[1:] if int(row[:2]) < NUM_LABELED]
        self.write("labeled.csv", "\n".join([rows[0], *labeled]) + "\n")
        for i in range(NUM_LABELED, self.num_images):
            (self.folder / "images" / f"{i:02}.png").rename(self.folder / "new" / f"{i:02}.png")
        self.succeed("landmarks", "calibrate", "--images", "images", "--landmarks", "labeled.csv",
                     "--out", "model.caos", "--no-cache")
        self.succeed("landmarks", "predict", "model.caos", "new", "--alpha", "0.3", "--out",
                     "regions.csv", "--no-cache", "--quiet")
        points = np.full_like(self.points, np.nan)
        with open(self.folder / "regions.csv", newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                points[int(row["image"][:2]), NAMES.index(row["landmark"])] = row["x"], row["y"]
        for path in (self.folder / "new").iterdir():
            path.rename(self.folder / "images" / path.name)
        return points[NUM_LABELED:]

    def sizes(self):
        return np.array([(g.shape[1], g.shape[0]) for g in self.gray], float)

    def mean_positions(self):
        means = np.nanmean((self.points / self.sizes()[:, None])[:NUM_LABELED], axis=0)
        return means[None] * self.sizes()[NUM_LABELED:, None]

    def nearest_images(self):
        small = [thumbnail(gray).ravel() for gray in self.gray]
        points = np.full((self.num_images - NUM_LABELED, len(NAMES), 2), np.nan)
        for x in range(NUM_LABELED, self.num_images):
            alike = [np.corrcoef(small[x], small[i])[0, 1] for i in range(NUM_LABELED)]
            for t in range(len(NAMES)):
                having = [i for i in range(NUM_LABELED) if not np.isnan(self.points[i, t, 0])]
                nearest = max(having, key=lambda i: alike[i])
                points[x - NUM_LABELED, t] = (self.points[nearest, t] * self.sizes()[x]
                                              / self.sizes()[nearest])
        return points

    def errors(self, points):
        return np.linalg.norm(points - self.points[NUM_LABELED:], axis=-1)

    def check(self, found, errors, factor=1):
        """Figures over all points and by landmark; `factor` is by image."""
        scaled = errors * np.broadcast_to(factor, len(errors))[:, None]
        kept = scaled[~np.isnan(scaled)]
        self.assertEqual(found["points"], len(kept))
        self.assertAlmostEqual(found["median"]["value"], quantile(kept, 50), 9)
        self.assertAlmostEqual(found["mean"]["value"], kept.mean(), 9)
        self.assertAlmostEqual(found["q90"]["value"], quantile(kept, 90), 9)


class Evaluate(PointsTest):
    def test_proposals_are_those_of_predict(self):
        errors = self.errors(self.proposals())
        found = self.source(self.evaluate("--tolerances", "5,20px"), "proposal")
        self.check(found["px"], errors)
        for t, landmark in enumerate(found["landmarks"]):
            kept = errors[:, t][~np.isnan(errors[:, t])]
            self.assertEqual(landmark["landmark"], NAMES[t])
            self.assertEqual(landmark["px"]["points"], len(kept))
            self.assertAlmostEqual(landmark["px"]["median"], quantile(kept, 50), 9)
            self.assertAlmostEqual(landmark["px"]["mean"], kept.mean(), 9)
            self.assertAlmostEqual(landmark["within"][0], (kept <= 5).mean(), 9)
        kept = errors[~np.isnan(errors)]
        for share, tolerance in zip(found["within"], (5, 20)):
            self.assertAlmostEqual(share["value"], (kept <= tolerance).mean(), 9)
        self.assertEqual(len(found["percentiles_px"]), 100)
        self.assertAlmostEqual(found["percentiles_px"][89], quantile(kept, 90), 9)

    def test_baselines_are_those_of_numpy(self):
        found = self.evaluate()
        self.assertEqual([s["source"] for s in found["sources"]],
                         ["proposal", "nearest_image", "mean_position"])
        self.check(self.source(found, "mean_position")["px"], self.errors(self.mean_positions()))
        self.check(self.source(found, "nearest_image")["px"], self.errors(self.nearest_images()))

    def test_normalizes_where_both_landmarks_are_there(self):
        found = self.evaluate("--normalize-by", "tip,base", "--tolerances", "30%,25%:tip-notch")
        errors = self.errors(self.mean_positions())
        tested = self.points[NUM_LABELED:]
        distance = np.linalg.norm(tested[:, 0] - tested[:, 2], axis=-1)
        self.check(self.source(found, "mean_position")["%"], errors, 100 / distance)
        self.assertEqual(found["units"][1], {"unit": "%", "text": "% of tip-base",
                                             "images_left_out": int(np.isnan(distance).sum())})
        self.assertGreater(np.isnan(distance).sum(), 0)
        other = np.linalg.norm(tested[:, 0] - tested[:, 1], axis=-1)
        for i, (share, limit, of) in enumerate([(0.3, 30, distance), (0.25, 25, other)]):
            relative = (errors / of[:, None])[~np.isnan(errors / of[:, None])]
            within = self.source(found, "mean_position")["within"][i]
            self.assertAlmostEqual(within["value"], (relative <= share).mean(), 9)
            self.assertEqual(found["tolerances"][i]["images_left_out"], int(np.isnan(of).sum()))
            self.assertIn(f"{limit} % of the distance tip-", found["tolerances"][i]["tolerance"])

    def test_measures_in_millimeters_with_a_scale(self):
        errors = self.errors(self.mean_positions())
        found = self.evaluate("--scale", "0.25", "--tolerances", "2mm")
        self.check(self.source(found, "mean_position")["mm"], errors, 0.25)
        kept = errors[~np.isnan(errors)]
        self.assertAlmostEqual(self.source(found, "mean_position")["within"][0]["value"],
                               (kept <= 8).mean(), 9)
        scales = ["" if i % 3 == 0 else 0.1 * (i + 1) for i in range(self.num_images)]
        self.write_landmarks(scales=scales)
        by_image = np.array([s or np.nan for s in scales[NUM_LABELED:]])
        in_file = self.evaluate()
        self.check(self.source(in_file, "mean_position")["mm"], errors, by_image)
        self.assertEqual(in_file["units"][1]["images_left_out"], int(np.isnan(by_image).sum()))
        (self.folder / "landmarks.csv").rename(self.folder / "scales.csv")
        self.write_landmarks()
        self.assertEqual(self.evaluate("--scales", "scales.csv"), in_file)

    def test_weighs_images_as_the_target_says(self):
        subjects = [f"s{i}" if i < NUM_LABELED else f"t{max(i - NUM_LABELED, 3)}"
                    for i in range(self.num_images)]
        self.write_landmarks(subjects=subjects)
        errors = self.errors(self.mean_positions())
        count = self.num_images - NUM_LABELED
        weights = np.repeat(np.where(np.arange(count) < 4, 1, 4)[:, None], len(NAMES), axis=1)
        kept = ~np.isnan(errors)
        found = self.evaluate()
        self.assertEqual(found["average_over"], "subjects")
        self.assertEqual(found["error_over"], "subjects")
        self.assertEqual(found["error_over_count"], count - 3)
        mean = self.source(found, "mean_position")["px"]
        self.assertAlmostEqual(mean["mean"]["value"],
                               np.average(errors[kept], weights=weights[kept]), 9)
        self.assertAlmostEqual(mean["median"]["value"],
                               quantile(errors[kept], 50, weights[kept]), 9)
        image = self.evaluate("--target", "image")
        self.assertEqual(image["average_over"], "images")
        self.check(self.source(image, "mean_position")["px"], errors)

    def test_the_text_says_that_nothing_is_guaranteed(self):
        text = self.output("landmarks", "evaluate", *self.data(), "--split", "split.csv", "--alpha",
                           "0.3", "--quiet", "--tolerances", "5", "--normalize-by", "tip,base")
        for part in ("error of the point", "proposal, px", "nearest image, px", "mean position, px",
                     "proposal, % of tip-base", "share within    5 px", "landmark, worst first",
                     "A proposed point carries no guarantee", "± is the standard error over 8 test",
                     "lack a landmark of tip-base and are left out of the figures in % of tip-base"):
            self.assertIn(part, text)

    def test_a_standard_error_is_that_over_images(self):
        points = self.points.copy()
        self.points[np.isnan(points)] = 20
        self.write_landmarks()
        errors = self.errors(self.mean_positions())
        means = errors.mean(axis=1)
        found = self.source(self.evaluate(), "mean_position")["px"]["mean"]
        self.assertAlmostEqual(found["standard_error"], means.std(ddof=1) / len(means) ** 0.5, 9)

    def test_the_same_bytes_with_any_number_of_threads(self):
        runs = {self.output("landmarks", "evaluate", *self.data(), "--json", "--quiet", "--threads",
                            threads, "--tolerances", "3") for threads in (1, 2, 5)}
        self.assertEqual(len(runs), 1)

    def test_embeddings_of_a_file_have_no_nearest_image(self):
        for i in range(self.num_images):  # embeddings in one array need one size
            (self.folder / "images" / f"{i:02}.png").write_bytes(png(96, 96, np.resize(
                self.gray[i], (96, 96))[..., None].repeat(3, axis=2)))
        self.succeed("landmarks", "embed", "images", "--out", "embedded.npy", "--no-cache")
        found = self.evaluate("--backbone", "embeddings:embedded.npy")
        self.assertEqual([s["source"] for s in found["sources"]], ["proposal", "mean_position"])

    def test_of_arrays_nothing_is_said(self):
        labeled, test = random_split(1)
        arrays = ["landmarks", "evaluate", "--embeddings", self.save("e", labeled.embeddings),
                  "--labels", self.save("l", labeled.labels), "--test-embeddings",
                  self.save("te", test.embeddings), "--test-labels", self.save("tl", test.labels)]
        self.assertNotIn("point_errors", self.json(*arrays, "--quiet"))
        self.assertNotIn("error of the point", self.output(*arrays, "--quiet"))
        for option in (["--tolerances", "5"], ["--normalize-by", "a,b"], ["--scale", "1"],
                       ["--scales", "landmarks.csv"]):
            self.refuse(MISUSED, [*arrays, *option], option[0], "do not go with --embeddings")


class Refusals(PointsTest):
    def test_say_what_is_wrong(self):
        run = ["landmarks", "evaluate", *self.data(), "--split", "split.csv"]
        self.refuse(MISUSED, [*run, "--normalize-by", "tip,top"], "--normalize-by: 'tip,top'",
                    "does not name two different landmarks", "'tip,base'")
        self.refuse(MISUSED, [*run, "--tolerances", "5,zero"], "tolerance 'zero'", "5px")
        self.refuse(MISUSED, [*run, "--tolerances", "5%"], "tolerance '5%'", "as in 5%:A-B")
        self.refuse(MISUSED, [*run, "--tolerances", "1mm"], "tolerance 1mm: no image has a scale")
        self.refuse(MISUSED, [*run, "--scale", "0"], "--scale: '0' is not a positive number")
        self.refuse(MISUSED, [*run, "--scale", "1", "--scales", "landmarks.csv"],
                    "give --scale or --scales, not both")
        self.refuse(FAILED, [*run, "--scales", "none.csv"], "none.csv")


class Experiment(PointsTest):
    equal_sizes = True
    missing = False

    def run_experiment(self, *more):
        self.output("experiment", "landmarks", *self.data(), "--alpha", "0.3", "--k", "2", "--out",
                    "report", "--quiet", *more)
        return json.loads((self.folder / "report/results.json").read_text())["point_errors"]

    def test_one_split_is_that_of_evaluate(self):
        more = ["--tolerances", "4,9", "--normalize-by", "tip,base"]
        self.assertEqual(self.run_experiment("--split", "split.csv", *more),
                         self.evaluate("--k", "2", "--score", "cosine", *more))

    def test_splits_are_pooled_and_their_spread_is_told(self):
        found = self.run_experiment("--seeds", "3", "--tolerances", "4")
        self.assertEqual((found["splits"], found["images"]), (3, 30))
        for name in ("proposal", "nearest_image", "mean_position"):
            source = self.source(found, name)
            for figure in (*(source["px"][f] for f in ("median", "mean", "q90")), source["within"][0]):
                self.assertEqual(len(figure["by_split"]), 3)
                self.assertNotIn("standard_error", figure)
                self.assertLessEqual(min(figure["by_split"]), figure["value"])
                self.assertLessEqual(figure["value"], max(figure["by_split"]))
            mean = source["px"]["mean"]  # splits have as many points
            self.assertAlmostEqual(mean["value"], np.mean(mean["by_split"]), 9)
            self.assertEqual(source["px"]["points"], 90)

    def test_every_split_is_that_of_its_seed(self):
        all_splits = self.source(self.run_experiment("--seeds", "2", "--seed", "7"), "proposal")
        for s in range(2):
            self.folder.joinpath("report/results.json").unlink()
            one = self.source(self.run_experiment("--seed", 7 + s), "proposal")
            for figure in ("median", "mean", "q90"):
                self.assertEqual(all_splits["px"][figure]["by_split"][s],
                                 one["px"][figure]["value"])

    def test_a_step_leaves_the_reference_distance_alone(self):
        found = self.run_experiment("--split", "split.csv", "--landmark-step", "2",
                                    "--normalize-by", "tip,notch")
        self.assertEqual([t["landmark"] for t in found["sources"][0]["landmarks"]],
                         ["tip", "base"])
        self.assertEqual(found["units"][1]["text"], "% of tip-notch")

    def test_writes_a_table_and_a_section_of_the_page(self):
        found = self.run_experiment("--seeds", "2", "--tolerances", "4", "--normalize-by", "tip,base")
        with open(self.folder / "report/point_errors.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual(len(rows), 3 * 2 * (1 + len(NAMES)))
        first = rows[0]
        self.assertEqual((first["source"], first["landmark"], first["unit"]), ("proposal", "", "px"))
        proposal = found["sources"][0]
        self.assertEqual(float(first["median"]), proposal["px"]["median"]["value"])
        self.assertEqual(float(first["q90_largest_split"]), max(proposal["px"]["q90"]["by_split"]))
        self.assertEqual(float(first["within 4 px"]), proposal["within"][0]["value"])
        self.assertEqual(first["mean_sem"], "")
        self.assertEqual((rows[1]["unit"], rows[1]["within 4 px"]), ("% of tip-base", ""))
        page = (self.folder / "report/report.html").read_text()
        for part in ("<h2>Error of the proposed point</h2>", "A proposed point carries no guarantee",
                     "nearest image", "% of tip-base", "within 4 px"):
            self.assertIn(part, page)

    def test_of_embeddings_has_none(self):
        rng = np.random.default_rng(1)
        self.save("e", rng.normal(size=(16, 6, 4)))
        self.save("l", rng.integers(6, size=(16, 2)))
        self.output("experiment", "landmarks", "--embeddings", "e.npy", "--labels", "l.npy", "--out",
                    "report", "--quiet", "--k", "2")
        self.assertIsNone(json.loads((self.folder / "report/results.json").read_text())["point_errors"])
        self.assertFalse((self.folder / "report/point_errors.csv").exists())
        self.assertNotIn("Error of the proposed point", (self.folder / "report/report.html").read_text())


if __name__ == "__main__":
    unittest.main()
