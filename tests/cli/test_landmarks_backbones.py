"""Where embeddings come from: the built-in backbone, files of them, ONNX models, the cache."""

import json
import os
import unittest
from pathlib import Path

import numpy as np

from landmark_support import FacesTest

MISUSED = 2
FAILED = 1

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("CAOS_SHARED", ROOT.parent / "shared"))
VIT = SHARED / "models" / "vit_tiny_patch16_192x224.onnx"


def predictions(regions):
    """What was found, without where the embeddings came from."""
    return {key: value for key, value in regions.items()
            if not key.startswith("backbone") and key != "precision"}


class SourceTest(FacesTest):
    n = 12
    num_new = 4

    def regions(self, *more, **options):
        self.predict("--alpha", "0.2", *more, **options)
        found = json.loads((self.folder / "regions.json").read_text())
        found.pop("model")
        return found

    def embed(self, images, out, *more):
        self.landmarks("embed", f"faces/{images}", "--out", out, *more)
        return f"embeddings:{out}"

    def cached(self, folder):
        return sorted(p for p in Path(folder).rglob("*") if p.is_file())


class EmbeddingFiles(SourceTest):
    """Points are refined with pixels, which files of embeddings do not have."""

    def setUp(self):
        super().setUp()
        self.labeled = self.embed("labeled", "labeled.npy")
        self.new = self.embed("new", "new.npy")

    def test_give_what_the_backbone_gives(self):
        for score in ("cosine", "margin:2"):
            self.calibrate("--score", score, "--refine", "none")
            expected = self.regions()
            self.calibrate("--score", score, "--backbone", self.labeled, out="file.caos")
            self.assertEqual(predictions(self.regions("--backbone", self.new, model="file.caos")),
                             predictions(expected))

    def test_evaluate_as_the_backbone_does(self):
        evaluate = ["landmarks", "evaluate", "--images", "faces/labeled", "--landmarks",
                    "faces/labeled.csv", "--seed", 3, "--alpha", "0.4", "--k", 2, "--score", "cosine",
                    "--methods", "caos,full-caos,scos,scos-best,scos-oracle,split-caos"]
        from_pixels = self.output(*evaluate, "--refine", "none").splitlines()
        from_file = self.output(*evaluate, "--backbone", self.labeled).splitlines()
        # Without pixels there is no nearest image to compare points with.
        self.assertTrue(any(line.startswith("nearest image") for line in from_pixels))
        self.assertFalse(any(line.startswith("nearest image") for line in from_file))
        first = next(i for i, line in enumerate(from_pixels) if line.startswith("nearest image"))
        self.assertEqual(from_pixels[0].replace("float16", "float32"), from_file[0])
        self.assertEqual(from_pixels[1:first], from_file[1:first])

    def test_of_the_labeled_images_are_not_taken_for_those_of_new_ones(self):
        """There are as many new images as labeled ones: nothing else would tell."""
        self.calibrate("--backbone", self.labeled)
        for path in sorted((self.folder / "faces/labeled").iterdir())[self.num_new:]:
            path.rename(self.folder / "faces/new" / path.name)
        for path in sorted((self.folder / "faces/new").iterdir())[self.n:]:
            path.unlink()
        self.refuse(MISUSED, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json"],
                    "model.caos", "calibrated with embeddings:labeled.npy",
                    "--backbone embeddings:FILE.npy")

    def test_of_turned_images_fit_their_grid(self):
        """A photograph on its side has as many patches either way: 12 x 14 and 14 x 12."""
        exif = (b"\xff\xe1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0"
                b"\0\0\0\0")
        for path in (self.folder / "faces").rglob("*.jpg"):
            content = path.read_bytes()
            path.write_bytes(content[:2] + exif + content[2:])
        stored = ["--ignore-orientation"]
        turned = self.run_caos("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                               "faces/labeled.csv", "--out", "turned.caos")
        self.assertIn("outside", turned.err)  # 218 x 178 as they are shown
        self.calibrate(*stored, "--refine", "none")
        expected = self.regions()
        self.assertEqual(expected["images"][0]["width"], 178)
        labeled = self.embed("labeled", "stored.npy", *stored)
        new = self.embed("new", "new-stored.npy", *stored)
        self.calibrate(*stored, "--backbone", labeled, out="file.caos")
        self.assertEqual(predictions(self.regions("--backbone", new, model="file.caos")),
                         predictions(expected))

    def test_must_be_of_as_many_images(self):
        self.refuse(MISUSED,
                    ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "faces/labeled.csv", "--out", "m.caos", "--backbone", self.new],
                    "new.npy: holds embeddings of 4 images; there are 12 images")

    def test_of_another_dimension_are_refused(self):
        self.calibrate("--backbone", self.labeled)
        array = np.load(self.folder / "new.npy")
        self.save("narrow", array[..., :-1])
        self.refuse(MISUSED, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json",
                              "--backbone", "embeddings:narrow.npy"], "model.caos",
                    f"'embeddings of dimension {array.shape[2]}'", "gives other embeddings")

    def test_are_no_substitute_for_the_backbone_of_the_model(self):
        self.calibrate()
        self.refuse(MISUSED, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json",
                              "--backbone", self.new], "was calibrated with the backbone",
                    "gives other embeddings")

    def test_cannot_be_embedded(self):
        self.refuse(MISUSED, ["landmarks", "embed", "faces/new", "--out", "e.npy", "--backbone",
                              self.new], "computes embeddings; give builtin-2, builtin or onnx:FILE")

    def renamed(self, prefix):
        rows = self.rows("faces/labeled.csv")
        for row in rows:
            row["image"] = prefix + row["image"]
        return ["--landmarks", self.write_rows("renamed.csv", rows), "--backbone", self.labeled,
                "--out", "m.caos", "--images", "faces/labeled"]

    def test_know_images_by_any_of_their_names(self):
        self.landmarks("calibrate", *self.renamed("./"))

    def test_do_not_know_images_in_other_folders(self):
        (self.folder / "faces/labeled/more").mkdir()
        for path in (self.folder / "faces/labeled").glob("*.jpg"):
            (self.folder / "faces/labeled/more" / path.name).write_bytes(path.read_bytes())
        self.refuse(FAILED, ["landmarks", "calibrate", *self.renamed("more/")], "no image could be",
                    "not among the images whose embeddings labeled.npy holds")


class Embedding(SourceTest):
    def test_writes_one_row_per_image_and_their_names(self):
        found = self.json("landmarks", "embed", "faces/new", "--out", "e.npy", "--names", "n.csv")
        array = np.load(self.folder / "e.npy")
        self.assertEqual(list(array.shape), found["shape"])
        self.assertEqual(array.shape[:2], (4, 14 * 12))
        self.assertEqual(array.dtype, np.float32)
        np.testing.assert_allclose(np.linalg.norm(array, axis=2), 1, atol=1e-5)
        self.assertEqual([row["image"] for row in self.rows("n.csv")], found["images"])
        self.assertEqual([row["row"] for row in self.rows("n.csv")], list("0123"))
        self.assertEqual(found["images"], sorted(found["images"]))

    def test_gives_the_same_bytes_with_any_number_of_threads(self):
        for threads in (1, 2, 5):
            self.landmarks("embed", "faces/new", "--out", f"{threads}.npy", "--no-cache",
                           "--threads", threads)
        contents = {(self.folder / f"{threads}.npy").read_bytes() for threads in (1, 2, 5)}
        self.assertEqual(len(contents), 1)

    def test_draws_the_same_faces_with_the_same_seed(self):
        def drawn(name, *more):
            self.landmarks("draw", "--out", name, "--n", 2, "--new", 1, *more)
            return {k.removeprefix(name): v for k, v in self.files().items() if k.startswith(name)}
        one = drawn("one", "--threads", 1)
        self.assertEqual(one, drawn("two", "--threads", 3))
        self.assertNotEqual(one, drawn("other", "--seed", 1))

    def test_of_an_unknown_backbone_is_refused(self):
        for backbone in ("dino", "onnx:", "onnx:none.onnx", "embeddings:", "embeddings:none.npy"):
            run = self.run_caos("landmarks", "calibrate", "--images", "faces/labeled",
                                "--landmarks", "faces/labeled.csv", "--out", "m.caos",
                                "--backbone", backbone)
            self.assertIn(run.code, (FAILED, MISUSED), backbone)
            self.assertRegex(run.err, r"\Acaos: [^\n]+\n\Z")
            self.assertFalse((self.folder / "m.caos").exists())


class Cache(SourceTest):
    def test_keeps_embeddings_and_gives_the_same_bytes(self):
        self.embed("new", "one.npy", "--cache", "kept")
        files = self.cached(self.folder / "kept")
        self.assertEqual(len(files), self.num_new)
        before = [(f.stat().st_ino, f.read_bytes()) for f in files]
        self.embed("new", "two.npy", "--cache", "kept")  # which updates the times of use, no more
        self.assertEqual(before, [(f.stat().st_ino, f.read_bytes()) for f in files])
        self.embed("new", "three.npy", "--no-cache")
        one = (self.folder / "one.npy").read_bytes()
        self.assertEqual(one, (self.folder / "two.npy").read_bytes())
        self.assertEqual(one, (self.folder / "three.npy").read_bytes())
        self.assertEqual(self.cached(self.user_cache), [])

    def test_is_the_users_own_unless_told(self):
        self.calibrate()
        self.assertEqual(len(self.cached(self.user_cache)), self.n)
        self.predict()
        self.assertEqual(len(self.cached(self.user_cache)), self.n + self.num_new)

    def test_is_left_alone_where_nothing_is_to_be_kept(self):
        self.calibrate("--no-cache")
        self.predict("--no-cache")
        self.assertEqual(self.cached(self.user_cache), [])

    def test_forgives_damage(self):
        self.embed("new", "one.npy", "--cache", "kept")
        for file, damaged in zip(self.cached(self.folder / "kept"), (
                lambda b: b[:-1] + bytes([b[-1] ^ 1]), lambda b: b"", lambda b: b[:100],
                lambda b: b"no cache")):
            file.write_bytes(damaged(file.read_bytes()))
        run = self.landmarks("embed", "faces/new", "--out", "two.npy", "--cache", "kept")
        self.assertEqual(run.err, "")
        self.assertEqual((self.folder / "one.npy").read_bytes(),
                         (self.folder / "two.npy").read_bytes())

    def test_that_cannot_be_written_is_not_a_failure(self):
        self.write("file", "not a folder")
        self.embed("new", "one.npy", "--cache", "file")
        self.embed("new", "two.npy", "--cache", "/proc/none")

    def test_is_really_read(self):
        """Embeddings of one image in place of another's show where they come from."""
        self.embed("new", "one.npy", "--cache", "kept")
        first, second, *_ = self.cached(self.folder / "kept")
        first.write_bytes(second.read_bytes())
        self.embed("new", "two.npy", "--cache", "kept")
        self.assertNotEqual((self.folder / "one.npy").read_bytes(),
                            (self.folder / "two.npy").read_bytes())

    def test_keeps_ways_of_embedding_apart(self):
        self.embed("new", "one.npy", "--cache", "kept")
        self.embed("new", "two.npy", "--cache", "kept", "--working-size", "96")
        self.assertEqual(len(self.cached(self.folder / "kept")), 2 * self.num_new)
        self.assertNotEqual(np.load(self.folder / "one.npy").shape,
                            np.load(self.folder / "two.npy").shape)

    def test_and_no_cache_exclude_each_other(self):
        self.refuse(MISUSED, ["landmarks", "embed", "faces/new", "--out", "e.npy", "--cache", "c",
                              "--no-cache"], "--cache", "--no-cache")


class OnnxModels(SourceTest):
    def setUp(self):
        super().setUp()
        if not VIT.is_file():
            self.skipTest(f"NOT TESTED: there is no {VIT}; set CAOS_SHARED")
        if "without ONNX Runtime" in self.output("--version"):
            self.skipTest("NOT TESTED: this caos is without ONNX Runtime")
        self.onnx = ["--backbone", f"onnx:{VIT}", "--onnx-output", "block1_keys"]

    def test_calibrate_predict_and_evaluate(self):
        run = self.run_caos("landmarks", "embed", "faces/new", "--out", "e.npy", *self.onnx)
        if "ONNX Runtime" in run.err and run.code == FAILED:
            self.skipTest(f"NOT TESTED: {run.err}")
        self.assertEqual(run.code, 0, run.err)
        self.calibrate(*self.onnx, "--refine", "none")
        found = self.regions()
        self.assertEqual(len(found["images"]), self.num_new)
        self.embed("labeled", "labeled.npy", *self.onnx)
        self.calibrate("--backbone", "embeddings:labeled.npy", out="file.caos")
        self.assertEqual(predictions(self.regions("--backbone", "embeddings:e.npy",
                                                  model="file.caos")), predictions(found))
        evaluated = self.json("landmarks", "evaluate", "--images", "faces", "--landmarks",
                              "faces/all.csv", "--split", "faces/split.csv", "--alpha", "0.2",
                              *self.onnx)
        self.assertEqual(evaluated["num_test"], self.num_new)
        self.refuse(MISUSED, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json",
                              "--backbone", "builtin"], "was calibrated with the backbone",
                    "gives other embeddings")


if __name__ == "__main__":
    unittest.main()
