"""What images are embedded with where nothing is said: size, precision, cache; and what is said of it."""

import hashlib
import json
import re
import shutil
import unittest
from pathlib import Path

import numpy as np

from landmark_support import FacesTest, png
from support import ProgramTest

FAILED, MISUSED = 1, 2
FIRST_MODEL = Path(__file__).resolve().parent.parent / "data" / "models" / "landmarks-0.1.0.caos"


def texture(rng, width, height, cell=20):
    """Random squares, smoothed, so that every place looks different."""
    coarse = rng.integers(0, 256, (height // cell + 2, width // cell + 2, 3))
    fine = np.kron(coarse, np.ones((cell, cell, 1)))
    fine = (fine + np.roll(fine, cell // 3, 0) + np.roll(fine, cell // 3, 1)) / 3
    return fine[:height, :width].astype(np.uint8)


class LargeImages(ProgramTest):
    """Images of 640 x 400 that show one scene, moved."""

    num = 8

    def setUp(self):
        super().setUp()
        scene = texture(np.random.default_rng(1), 700, 460)
        rows = ["image,landmark,x,y"]
        for folder in ("labeled", "new"):
            (self.folder / folder).mkdir()
            for i in range(self.num):
                dx, dy = 3 * i, (7 * i + (folder == "new")) % 40
                pixels = np.ascontiguousarray(scene[dy:dy + 400, dx:dx + 640])
                self.write(f"{folder}/{i}.png", png(640, 400, pixels))
                if folder == "labeled":
                    rows += [f"{i}.png,a,{300 - dx},{200 - dy}", f"{i}.png,b,{500 - dx},{120 - dy}"]
        self.write("points.csv", "\n".join(rows) + "\n")

    def calibrate(self, *more, out="model.caos"):
        """By patches, whose grid tells how large images were embedded."""
        return self.json("landmarks", "calibrate", "--images", "labeled", "--landmarks",
                         "points.csv", "--k", 2, "--out", out, "--score", "cosine", *more)

    def predict(self, *more, model="model.caos"):
        said = self.json("landmarks", "predict", model, "new", "--alpha", "0.2", "--out", "r.json",
                         *more)
        return said, json.loads((self.folder / "r.json").read_text())

    def test_are_made_smaller_and_outputs_say_so(self):
        made = self.calibrate()
        self.assertEqual((made["working_size"], made["precision"]), ("512", "float16"))
        said, file = self.predict()
        self.assertEqual((said["working_size"], said["precision"]), ("512", "float16"))
        self.assertEqual((file["working_size"], file["precision"]), ("512", "float16"))
        self.assertEqual(file["images"][0]["grid"], {"columns": 32, "rows": 20, "patch_size": 16})
        self.assertEqual(file["images"][0]["width"], 640)
        described = self.json("inspect", "model.caos")
        self.assertEqual((described["working_size"], described["precision"]), ("512", "float16"))
        self.assertIn("longest side 512, float16", self.output("inspect", "model.caos"))
        text = self.output("landmarks", "predict", "model.caos", "new", "--out", "r.json")
        self.assertIn("Embeddings: longest side 512, float16.", text)
        self.assertRegex(text, r"patches \(\d+\.\d\d % of the image, [\d.e+]+ px²\) on average")
        evaluate = ["landmarks", "evaluate", "--images", "labeled", "--landmarks", "points.csv",
                    "--k", 1, "--alpha", "0.3"]
        evaluated = self.json(*evaluate)
        self.assertEqual((evaluated["working_size"], evaluated["precision"]), ("512", "float16"))
        self.assertIn("longest side 512, float16", self.output(*evaluate))
        experiment = ["experiment", "landmarks", "--images", "labeled", "--landmarks", "points.csv",
                      "--k", 1, "--alpha", "0.3", "--out", "report"]
        setting = self.json(*experiment)["setting"]
        self.assertEqual((setting["working_size"], setting["precision"]), ("512", "float16"))
        self.assertIn("longest side 512, float16", self.output(*experiment))

    def test_stay_as_they_are_where_that_is_asked_for(self):
        self.assertEqual(self.calibrate("--working-size", "original")["working_size"], "original")
        _, file = self.predict()
        self.assertEqual(file["images"][0]["grid"], {"columns": 40, "rows": 25, "patch_size": 16})
        self.assertIn("original size, float16", self.output("inspect", "model.caos"))
        self.refuse(MISUSED, ["landmarks", "embed", "new", "--out", "e.npy", "--working-size", ""],
                    "working size ''", "original")

    def test_are_never_enlarged(self):
        self.calibrate("--working-size", "4000")
        _, file = self.predict()
        self.assertEqual(file["images"][0]["grid"]["columns"], 40)

    def test_have_the_same_embeddings_with_and_without_the_cache(self):
        files = {}
        for precision in ("float16", "float32"):
            for name, cache in (("none", ["--no-cache"]), ("first", ["--cache", "kept"]),
                                ("second", ["--cache", "kept"])):
                out = f"{precision}-{name}.npy"
                self.json("landmarks", "embed", "new", "--out", out, "--precision", precision, *cache)
                files[precision, name] = (self.folder / out).read_bytes()
            self.assertEqual(files[precision, "none"], files[precision, "first"])
            self.assertEqual(files[precision, "none"], files[precision, "second"])
        exact = np.load(self.folder / "float32-none.npy").astype(float)
        rounded = np.load(self.folder / "float16-none.npy").astype(float)
        self.assertNotEqual(files["float16", "none"], files["float32", "none"])
        self.assertGreater((exact * rounded).sum(axis=2).min(), 1 - 1e-6)

    def test_are_laid_out_alike_for_embeddings_of_a_file(self):
        self.json("landmarks", "embed", "labeled", "--out", "labeled.npy")
        self.json("landmarks", "embed", "new", "--out", "new.npy")
        self.calibrate()
        _, direct = self.predict()
        made = self.calibrate("--backbone", "embeddings:labeled.npy", out="file.caos")
        self.assertEqual((made["working_size"], made["precision"]), ("512", "float32"))
        _, file = self.predict("--backbone", "embeddings:new.npy", model="file.caos")
        sets = [[[r["patches"] for r in image["landmarks"]] for image in found["images"]]
                for found in (direct, file)]
        self.assertEqual(*sets)
        self.json("landmarks", "embed", "labeled", "--out", "full.npy", "--working-size", "original")
        self.refuse(FAILED, ["landmarks", "calibrate", "--images", "labeled", "--landmarks",
                             "points.csv", "--backbone", "embeddings:full.npy", "--out", "m.caos"],
                    "has 32 x 20 patches of 16", "--working-size original")
        self.calibrate("--backbone", "embeddings:full.npy", "--working-size", "original")

    def test_leave_a_cache_of_the_size_that_was_asked_for(self):
        entry = 32 * 20 * 387 * 2 + 512 * 320  # float16, and the gray image

        def kept():
            return sorted((p.stat().st_size, p.name) for p in (self.folder / "kept").rglob("*.safetensors"))
        self.json("landmarks", "embed", "new", "--out", "a.npy", "--cache", "kept")
        self.assertEqual(len(kept()), self.num)
        self.assertTrue(all(entry <= size < entry + 1000 for size, _ in kept()), kept())
        self.json("landmarks", "embed", "labeled", "--out", "b.npy", "--cache", "kept",
                  "--cache-size", "3MB")
        self.assertLessEqual(sum(size for size, _ in kept()), 3_000_000)
        self.assertGreaterEqual(len(kept()), 2)
        self.json("landmarks", "embed", "new", "--out", "c.npy", "--cache", "kept", "--cache-size",
                  "3MB")
        self.assertEqual((self.folder / "a.npy").read_bytes(), (self.folder / "c.npy").read_bytes())
        for size in ("large", "-1"):
            self.refuse(MISUSED, ["landmarks", "embed", "new", "--out", "e.npy", f"--cache-size={size}"],
                        "--cache-size", "500MB")


class FirstModels(ProgramTest):
    """tests/data/models/landmarks-0.1.0.caos is of version 0.1.0: 8 drawn faces, builtin, k = 2."""

    def test_keep_their_embeddings_bit_for_bit(self):
        shutil.copy(FIRST_MODEL, self.folder / "first.caos")
        self.succeed("landmarks", "draw", "--out", "faces")
        described = self.json("inspect", "first.caos")
        self.assertEqual((described["working_size"], described["precision"]), ("", "float32"))
        self.assertIn("longest side 1024 at 12 megapixels or more, float32",
                      self.output("inspect", "first.caos"))
        for cache in (["--no-cache"], [], []):
            self.succeed("landmarks", "predict", "first.caos", "faces/new", "--alpha", "0.3", "--out",
                         "regions.json", *cache)
            found = json.loads((self.folder / "regions.json").read_text())
            answers = [[(r["patches"], r["p_values"], r["proposal"]["p_value"])
                        for r in image["landmarks"]] for image in found["images"]]
            self.assertEqual(len(answers), 60)
            digest = hashlib.sha256(json.dumps(answers).encode()).hexdigest()[:16]
            self.assertEqual(digest, "c3d60fd2891a53f0")


class Duplicates(FacesTest):
    n = 12

    def setUp(self):
        super().setUp()
        rows = self.rows("faces/labeled.csv")
        for copy, original in (("copy_1.jpg", "face_0002.jpg"), ("copy_2.jpg", "face_0005.jpg"),
                               ("copy_3.jpg", "face_0002.jpg")):
            shutil.copy(self.folder / "faces/labeled" / original, self.folder / "faces/labeled" / copy)
            rows += [row | {"image": copy} for row in rows if row["image"] == original]
        self.write_rows("twice.csv", rows)
        self.images = ["--images", "faces/labeled", "--landmarks", "twice.csv", "--k", 1]
        self.left_out = re.compile(r"twice\.csv: 'copy_\d\.jpg' is left out, as 'face_000\d\.jpg' is the "
                                   "same image")

    def test_are_all_listed_before_anything_is_embedded(self):
        for command in (["landmarks", "calibrate", "--out", "m.caos"], ["landmarks", "evaluate"],
                        ["experiment", "landmarks", "--out", "report"]):
            said = self.refuse(FAILED, [*command, *self.images], "twice.csv", "the same image",
                               "'face_0002.jpg' and 'copy_1.jpg'", "'face_0005.jpg' and 'copy_2.jpg'",
                               "'face_0002.jpg' and 'copy_3.jpg'", "--duplicates keep-first")
            self.assertNotIn("face_0001", said)
        self.assertEqual(list(self.user_cache.rglob("*.safetensors")), [])

    def test_may_be_left_out_but_for_the_first(self):
        run = self.succeed("landmarks", "calibrate", *self.images, "--out", "m.caos", "--duplicates",
                           "keep-first")
        self.assertEqual(len(self.left_out.findall(run.err)), 3)
        self.succeed("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "faces/labeled.csv", "--k", 1, "--out", "plain.caos")
        self.assertEqual((self.folder / "m.caos").read_bytes(),
                         (self.folder / "plain.caos").read_bytes())

    def test_do_not_come_between_labeled_and_test_images(self):
        names = [f"face_{i:04}.jpg" for i in range(self.n)]
        roles = ["reference"] * 4 + ["calibration"] * 4 + ["test"] * 4
        self.write_rows("split.csv", [{"image": i, "role": r} for i, r in zip(
            [*names, "copy_1.jpg", "copy_2.jpg", "copy_3.jpg"], [*roles, *["test"] * 3])])
        split = ["--split", "split.csv", "--duplicates", "keep-first"]
        self.assertEqual(self.json("landmarks", "evaluate", *self.images, *split)["num_test"], 4)
        made = self.json("experiment", "landmarks", *self.images, *split, "--out", "report")
        self.assertEqual(made["setting"]["test"], 4)
        self.assertEqual(sum("is the same image" in note for note in made["notes"]), 3)

    def test_of_one_subject_are_allowed(self):
        rows = self.rows("twice.csv")
        subject = {"copy_1.jpg": "face_0002.jpg", "copy_2.jpg": "face_0005.jpg",
                   "copy_3.jpg": "face_0002.jpg"}
        self.write_rows("twice.csv", [row | {"subject": subject.get(row["image"], row["image"])}
                                      for row in rows])
        made = self.json("landmarks", "calibrate", *self.images, "--out", "m.caos")
        self.assertEqual(made["num_images"], 15)

    def test_have_no_other_words(self):
        self.refuse(MISUSED, ["landmarks", "calibrate", *self.images, "--out", "m.caos",
                              "--duplicates", "drop"], "--duplicates", "'drop'", "keep-first")


class LargeRegions(ProgramTest):
    """Images of noise, in which nothing can be found."""

    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(2)
        rows = ["image,landmark,x,y"]
        (self.folder / "images").mkdir()
        for i in range(16):
            noise = np.kron(rng.integers(0, 256, (30, 40, 3)), np.ones((8, 8, 1))).astype(np.uint8)
            self.write(f"images/{i:02}.png", png(320, 240, noise))
            rows.append(f"{i:02}.png,a,{rng.integers(320)},{rng.integers(240)}")
        self.write("points.csv", "\n".join(rows) + "\n")
        self.images = ["--images", "images", "--landmarks", "points.csv"]

    def check(self, run, said, share):
        self.assertGreater(share, 0.05)
        for text in (run.err, said):
            self.assertRegex(text, r"regions cover \d[\d.]* % of the image on average")
            for option in ("smaller --working-size", "more labeled images", "--backbone",
                           "caos landmarks show"):
                self.assertIn(option, text)

    def test_are_said_to_be_large_with_what_to_try(self):
        self.succeed("landmarks", "calibrate", *self.images, "--out", "m.caos")
        for command in (["landmarks", "predict", "m.caos", "images", "--alpha", "0.2", "--out", "r.json"],
                        ["landmarks", "evaluate", *self.images, "--alpha", "0.2"],
                        ["experiment", "landmarks", *self.images, "--alpha", "0.2", "--out", "report"]):
            run = self.succeed(*command, "--json")
            said = json.loads(run.out)
            share = said.get("mean_region_share")
            if share is None:
                results = said.get("results") or said["methods"]
                share = max(result["mean_region_share"] for result in results)
            self.check(run, said["large_regions"], share)

    def test_are_not_where_they_are_small(self):
        scene = texture(np.random.default_rng(3), 400, 300)
        rows = ["image,landmark,x,y"]
        for i in range(16):
            pixels = np.ascontiguousarray(scene[2 * i:2 * i + 240, i:i + 320])
            self.write(f"images/{i:02}.png", png(320, 240, pixels))
            rows.append(f"{i:02}.png,a,{200 - i},{120 - 2 * i}")
        self.write("points.csv", "\n".join(rows) + "\n")
        self.succeed("landmarks", "calibrate", *self.images, "--out", "m.caos", "--score", "cosine")
        run = self.succeed("landmarks", "predict", "m.caos", "images", "--alpha", "0.2", "--out",
                           "r.json", "--json")
        said = json.loads(run.out)
        self.assertLess(said["mean_region_share"], 0.05)
        self.assertIsNone(said["large_regions"])
        self.assertEqual(run.err, "")


if __name__ == "__main__":
    unittest.main()
