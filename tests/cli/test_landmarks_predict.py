"""draw, calibrate, predict: regions against CAOS computed from the embeddings."""

import csv
import json
import unittest
from collections import defaultdict

import numpy as np

import oracle
from landmark_support import PATCH, FacesTest, Images, caos_sets, cosine, landmark_problem, softmax

COLUMNS = 12
ALPHA = "0.1"


def shoelace(ring):
    x, y = np.array(ring).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


class RegionsTest(FacesTest):
    def regions(self, *more, **options):
        self.predict("--alpha", ALPHA, *more, **options)
        return json.loads((self.folder / "regions.json").read_text())

    def labeled(self):
        return self.annotated("faces/labeled", "faces/labeled.csv")

    def new(self):
        return self.annotated("faces/new", "faces/new.csv")


class Regions(RegionsTest):
    def test_are_the_sets_of_caos(self):
        self.calibrate()
        labeled, _, landmarks = self.labeled()
        test, names, _ = self.new()
        found = self.regions()
        self.assertEqual([image["image"] for image in found["images"]], names)
        for t, landmark in enumerate(landmarks):
            sets, p_values, _, scores = caos_sets(labeled, test, t, ALPHA, 3)
            for x, image in enumerate(found["images"]):
                region = image["landmarks"][t]
                self.assertEqual(region["landmark"], landmark)
                self.assertEqual(region["patches"], sets[x])
                np.testing.assert_allclose(region["p_values"], p_values[x][sets[x]])
                self.assertTrue(all(p > float(ALPHA) for p in region["p_values"]))
                proposal = region["proposal"]
                self.assertEqual(proposal["patch"], int(np.argmin(scores[x])))
                self.assertAlmostEqual(proposal["p_value"], p_values[x].max())

    def test_of_scores_with_a_parameter_are_those_of_caos(self):
        self.calibrate("--score", "softmax:0.1", "--k", 2)
        labeled, _, landmarks = self.labeled()
        test, _, _ = self.new()
        found = self.regions()
        self.assertEqual((found["score"], found["score_parameter"], found["k"]),
                         ("softmax:0.1", "given", 2))
        for t in range(len(landmarks)):
            sets, _, _, _ = caos_sets(labeled, test, t, ALPHA, 2, softmax(0.1))
            self.assertEqual([image["landmarks"][t]["patches"] for image in found["images"]], sets)

    def test_of_full_caos_are_those_of_the_oracle(self):
        labeled, _, landmarks = self.labeled()
        test, _, _ = self.new()
        for text, score in (("cosine", cosine), ("softmax:0.1", softmax(0.1))):
            self.calibrate("--score", text)
            plain, found = self.regions(), self.regions("--method", "full-caos")
            for t in (0, len(landmarks) // 2):
                one = Images(test.embeddings[:2], test.labels[:2])
                problem, _ = landmark_problem(labeled, one, t, 3, score)
                sets = oracle.full_caos(problem, ALPHA).sets
                for x in range(2):
                    region = found["images"][x]["landmarks"][t]
                    self.assertEqual(set(region["patches"]), sets[x][0])
                    for y, p in zip(region["patches"], region["p_values"]):
                        self.assertAlmostEqual(p, float(oracle.full_p_value(problem, x, y)))
                        self.assertIn(y, plain["images"][x]["landmarks"][t]["patches"])

    def test_that_hold_all_landmarks_share_one_threshold(self):
        self.calibrate()
        labeled, _, landmarks = self.labeled()
        test, _, _ = self.new()
        parts = [caos_sets(labeled, test, t, ALPHA, 3) for t in range(len(landmarks))]
        largest = np.max([calibration for _, _, calibration, _ in parts], axis=0)
        limit = oracle.threshold(largest.tolist(), ALPHA)
        found = self.regions("--simultaneous")
        self.assertIn("simultaneous", found["landmarks"][0]["guarantee"])
        for t, (_, _, _, scores) in enumerate(parts):
            for x, image in enumerate(found["images"]):
                region = image["landmarks"][t]
                self.assertEqual(region["patches"], np.flatnonzero(scores[x] <= limit).tolist())
                expected = [(1 + (largest >= scores[x][y]).sum()) / (self.n + 1)
                            for y in region["patches"]]
                np.testing.assert_allclose(region["p_values"], expected)

    def test_do_not_depend_on_how_points_are_refined(self):
        found = []
        for how in ("pixels", "none"):
            self.calibrate("--refine", how)
            found.append(self.regions())
        moved = 0
        for refined, plain in zip(*(regions["images"] for regions in found)):
            for one, other in zip(refined["landmarks"], plain["landmarks"]):
                a, b = one.pop("proposal"), other.pop("proposal")
                self.assertEqual(one, other)
                self.assertEqual((a["refined"], b["refined"]), (True, False))
                self.assertEqual(b["inside_region"], b["patch"] in one["patches"])
                patch = int(a["y"] // PATCH * COLUMNS + a["x"] // PATCH)
                self.assertEqual(a["inside_region"], patch in one["patches"])
                for key in ("patch", "p_value", "score_over_threshold"):
                    self.assertEqual(a[key], b[key])
                moved += (a["x"], a["y"]) != (b["x"], b["y"])
        self.assertGreater(moved, 0)

    def test_have_outlines_proposals_and_references_that_fit(self):
        self.calibrate("--refine", "none")
        _, names, _ = self.labeled()
        for image in self.regions()["images"]:
            width, height = image["width"], image["height"]
            self.assertEqual((width, height), (178, 218))
            grid = {"columns": COLUMNS, "rows": 14, "patch_size": PATCH}
            self.assertEqual(image["grid"], grid)
            for region in image["landmarks"]:
                def clipped(patch):
                    row, column = divmod(patch, COLUMNS)
                    return (column * PATCH, row * PATCH, min(width, (column + 1) * PATCH),
                            min(height, (row + 1) * PATCH))
                area = sum((r - l) * (b - t) for l, t, r, b in map(clipped, region["patches"]))
                self.assertEqual(region["set_size"], len(region["patches"]))
                self.assertAlmostEqual(region["area"], area)
                self.assertAlmostEqual(abs(sum(map(shoelace, region["outline"]))), area, places=2)
                left, top, right, bottom = clipped(region["proposal"]["patch"])
                self.assertTrue(left <= region["proposal"]["x"] <= right)
                self.assertTrue(top <= region["proposal"]["y"] <= bottom)
                self.assertEqual(len(set(region["supporting_references"])), 3)
                self.assertLessEqual(set(region["supporting_references"]), set(names))
                self.assertEqual(region["references"], region["supporting_references"])

    def test_are_the_same_with_any_number_of_threads(self):
        texts = set()
        for threads in (1, 2, 5):
            self.calibrate("--threads", threads, out=f"{threads}.caos")
            self.predict("--threads", threads, "--no-cache", model="1.caos")
            texts.add((self.folder / "regions.json").read_bytes())
        self.assertEqual(len(texts), 1)
        models = {(self.folder / f"{threads}.caos").read_bytes() for threads in (1, 2, 5)}
        self.assertEqual(len(models), 1)

    def test_cover_as_evaluate_says(self):
        self.calibrate()
        found = self.regions()
        test, _, landmarks = self.new()
        covered = [[test.labels[x, t] in image["landmarks"][t]["patches"]
                    for x, image in enumerate(found["images"])] for t in range(len(landmarks))]
        evaluated = self.json("landmarks", "evaluate", "--images", "faces", "--landmarks",
                              "faces/all.csv", "--split", "faces/split.csv", "--alpha", ALPHA,
                              "--methods", "caos", "--score", "cosine")
        result, = evaluated["results"]
        self.assertEqual([landmark["coverage"] for landmark in result["landmarks"]],
                         [np.mean(c) for c in covered])
        self.assertAlmostEqual(result["coverage"]["mean"], np.mean(covered))

    def test_of_one_image_are_those_of_the_folder(self):
        self.calibrate()
        name = self.regions()["images"][2]
        alone = self.regions(images=f"faces/new/{name['image']}")
        self.assertEqual(alone["images"], [name])


def shape_deviation(shapes, points):
    """How far points, complex numbers, are from the three shapes that fit them best."""
    found = []
    for shape in shapes:
        weights = np.ones(len(points))
        for _ in range(5):
            a = shape - np.average(shape, weights=weights)
            center = np.average(points, weights=weights)
            turn = np.sum(weights * a.conj() * (points - center)) / np.sum(weights * abs(a) ** 2)
            distances = abs(turn * a + center - points)
            weights = 1 / (1 + (distances / np.median(distances)) ** 2)
        found.append(distances.mean())
    return np.mean(sorted(found)[:3])


class ReviewOrder(RegionsTest):
    """Which images to check first. At alpha 0.4 many regions are empty."""

    alpha = "0.4"

    def predicted(self, *more):
        self.calibrate("--refine", "none")  # the order goes by points that are not refined
        run = self.predict("--alpha", self.alpha, *more)
        return json.loads((self.folder / "regions.json").read_text()), run

    def shape_deviations(self, found):
        """Of the proposals of every image, in pixels: another unit does not change the order."""
        shapes = {}
        for row in self.rows("faces/labeled.csv"):
            shapes.setdefault(row["image"], []).append(complex(float(row["x"]), float(row["y"])))
        shapes = [np.array(shape) for shape in shapes.values()]
        return np.array([shape_deviation(shapes, np.array(
            [complex(region["proposal"]["x"], region["proposal"]["y"])
             for region in image["landmarks"]])) for image in found["images"]])

    def test_is_that_of_the_scores_over_their_thresholds_and_the_shape(self):
        found, _ = self.predicted()
        labeled, _, landmarks = self.labeled()
        test, names, _ = self.new()
        ratios = np.empty((len(names), len(landmarks)))
        for t in range(len(landmarks)):
            _, _, calibration, scores = caos_sets(labeled, test, t, self.alpha, 3)
            ratios[:, t] = scores.min(axis=1) / oracle.threshold(calibration.tolist(), self.alpha)
        given = [[region["proposal"]["score_over_threshold"] for region in image["landmarks"]]
                 for image in found["images"]]
        np.testing.assert_allclose(given, ratios, rtol=1e-6)
        strangeness = ratios.mean(axis=1) ** 2 * self.shape_deviations(found)
        self.assertEqual(found["review_order"], [names[i] for i in np.argsort(-strangeness)])
        self.assertEqual(list(found)[-1], "review_order")

    def test_puts_images_with_empty_regions_before_those_with_large_ones(self):
        found, _ = self.predicted()
        images = {image["image"]: image["landmarks"] for image in found["images"]}

        def empty(image):
            return sum(region["set_size"] == 0 for region in images[image])

        first, last = found["review_order"][0], found["review_order"][-1]
        self.assertGreater(empty(first), empty(last))
        self.assertEqual(sorted(found["review_order"]), sorted(images))

    def test_is_printed_with_a_warning_about_empty_regions(self):
        found, run = self.predicted()
        empty = [(image["image"], region) for image in found["images"]
                 for region in image["landmarks"] if region["set_size"] == 0]
        self.assertTrue(empty)
        words = "no location conforms: check this one"
        for image in found["images"]:
            for region in image["landmarks"]:
                self.assertEqual(region.get("warning"),
                                 words if region["set_size"] == 0 else None)
        count = len({image for image, _ in empty})
        self.assertIn(f"{len(empty)} empty regions in {count} image", run.err)
        self.assertIn(words, run.err)
        lines = run.out.splitlines()
        self.assertIn("Check first", lines[1])
        self.assertIn(found["review_order"][0], lines[2])

    def test_is_in_the_summary_and_empty_regions_in_csv(self):
        found, _ = self.predicted()
        summary = self.json("landmarks", "predict", "model.caos", "faces/new", "--alpha", self.alpha,
                            "--out", "regions.csv")
        self.assertEqual(summary["review_order"], found["review_order"])
        for row in self.rows("regions.csv"):
            self.assertEqual(row["warning"], "no location conforms: check this one"
                             if row["set_size"] == "0" else "")

    def test_goes_by_scores_where_alpha_is_infeasible(self):
        self.alpha = "0.01"
        found, run = self.predicted()
        self.assertIn("regions are the whole image", run.err)
        self.assertNotIn("no location conforms", run.err)
        labeled, _, _ = self.labeled()
        test, _, _ = self.new()
        _, _, calibration, scores = caos_sets(labeled, test, 0, self.alpha, 3)
        np.testing.assert_allclose(
            [image["landmarks"][0]["proposal"]["score_over_threshold"]
             for image in found["images"]], scores.min(axis=1) / calibration.max())


class Files(RegionsTest):
    def test_csv_says_what_holds(self):
        self.calibrate()
        for more, guarantee, rests_on in (
                (["--alpha", ALPHA], "marginal", "exchangeable"),
                (["--alpha", ALPHA, "--simultaneous"], "simultaneous", "exchangeable"),
                (["--alpha", "0.001", "--clip-rank"], "none (", "exchangeable"),
                (["--alpha", ALPHA, "--method", "split-caos", "--confidence", "0.9"],
                 "PAC (90 % confidence",
                 "labeled and new examples are independent draws from one distribution")):
            self.predict(*more, out="regions.csv")
            for row in self.rows("regions.csv"):
                self.assertTrue(row["guarantee"].startswith(guarantee), row["guarantee"])
                self.assertIn("present", row["guarantee_is_for"])
                self.assertIn(rests_on, row["assumption"])

    def test_csv_says_what_json_says(self):
        self.calibrate()
        found = self.regions("--scale", "0.25")
        self.predict("--alpha", ALPHA, "--scale", "0.25", out="regions.csv")
        with open(self.folder / "regions.csv", newline="", encoding="utf-8") as file:
            rows = defaultdict(list)
            for row in csv.DictReader(file):
                rows[row["image"]].append(row)
        self.assertEqual(len(rows), self.num_new)
        for image in found["images"]:
            self.assertEqual(len(rows[image["image"]]), len(image["landmarks"]))
            for row, region in zip(rows[image["image"]], image["landmarks"]):
                self.assertEqual(row["landmark"], region["landmark"])
                self.assertEqual([int(p) for p in row["patches"].split()], region["patches"])
                self.assertEqual([float(p) for p in row["p_values"].split()], region["p_values"])
                self.assertEqual(row["supporting_references"].split(";"),
                                 region["supporting_references"])
                self.assertEqual(row["references"], row["supporting_references"])
                self.assertEqual(int(row["set_size"]), region["set_size"])
                self.assertEqual(float(row["area"]), region["area"])
                proposal = region["proposal"]
                for column, key in (("x", "x"), ("y", "y"), ("x_mm", "x_mm"), ("y_mm", "y_mm"),
                                    ("proposal_patch", "patch"), ("proposal_p_value", "p_value"),
                                    ("score_over_threshold", "score_over_threshold")):
                    self.assertAlmostEqual(float(row[column]), proposal[key], delta=0.0011)

    def test_scales_turn_pixels_into_millimeters(self):
        self.calibrate()
        rows = self.rows("faces/new.csv")
        first = rows[0]["image"]
        for row in rows:
            row["scale"] = "0.5" if row["image"] == first else ""
        self.write_rows("scales.csv", rows)
        images = self.regions("--scales", "scales.csv")["images"]
        region = images[0]["landmarks"][0]
        self.assertEqual(images[0]["mm_per_pixel"], 0.5)
        self.assertAlmostEqual(region["proposal"]["x_mm"], region["proposal"]["x"] / 2, delta=2e-3)
        self.assertAlmostEqual(region["area_mm2"], region["area"] / 4, delta=2e-3)
        self.assertNotIn("mm_per_pixel", images[1])
        self.assertNotIn("area_mm2", images[1]["landmarks"][0])

    def test_overlays_are_drawn_for_every_image(self):
        self.calibrate()
        self.regions("--overlay", "overlays")
        drawn = sorted(p.name for p in (self.folder / "overlays").iterdir())
        self.assertEqual(drawn, ["contact_sheet.jpg", *sorted(
            f"{p.name}.overlay.jpg" for p in (self.folder / "faces/new").iterdir())])
        for name in drawn:
            overlay = (self.folder / "overlays" / name).read_bytes()
            self.assertTrue(overlay.startswith(b"\xff\xd8") and overlay.endswith(b"\xff\xd9"))

    def test_names_are_written_in_overlays_as_asked_for(self):
        self.calibrate()
        sizes = {}
        for names in ("auto", "on", "off"):
            self.regions("--overlay", names, "--names", names)
            sizes[names] = sum(p.stat().st_size for p in (self.folder / names).glob("*.overlay.jpg"))
        self.assertGreater(sizes["on"], sizes["off"])
        self.assertEqual(sizes["auto"], sizes["off"])  # 42 landmarks
        self.refuse(2, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json", "--names", "all"],
                    "--names", "auto, on, off")

    def test_overlays_never_replace_the_images(self):
        self.calibrate()
        predict = ["landmarks", "predict", "model.caos"]
        for images, folder in (("faces/new", "faces/new"), ("faces/new", "./faces/../faces/new/"),
                               ("faces/new/face_0025.jpg", "faces/new")):
            self.refuse(2, [*predict, images, "--out", "r.json", "--overlay", folder], "--overlay",
                        "is the folder of the images")

    def test_the_summary_counts_and_names_what_to_look_at(self):
        self.calibrate()
        summary = json.loads(self.predict("--json").out)
        images = json.loads((self.folder / "regions.json").read_text())["images"]
        sizes = [[region["set_size"] for region in image["landmarks"]] for image in images]
        self.assertEqual((summary["num_images"], summary["num_failed"]), (self.num_new, 0))
        self.assertAlmostEqual(summary["mean_set_size"], np.mean(sizes))
        self.assertEqual(summary["largest"], images[int(np.argmax(np.mean(sizes, axis=1)))]["image"])
        for t, landmark in enumerate(summary["landmarks"]):
            self.assertAlmostEqual(landmark["mean_set_size"], np.mean(sizes, axis=0)[t])


if __name__ == "__main__":
    unittest.main()
