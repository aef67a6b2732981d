"""Unreadable images, files that are not models, missing folders; help."""

import json
import os
import re
import shutil
import subprocess
import unittest

import numpy as np

from landmark_support import FacesTest, png
from support import PATIENCE, PROGRAM, random_task

MISUSED = 2
FAILED = 1


class BadFilesTest(FacesTest):
    n = 8
    num_new = 3

    def setUp(self):
        super().setUp()
        self.good = sorted(p.name for p in (self.folder / "faces/new").iterdir())

    def spoil(self, folder="faces/new"):
        """Puts bad images among the good ones; returns their names."""
        good = (self.folder / "faces/new" / self.good[0]).read_bytes()
        bad = {"a_corrupt.jpg": good[:2] + bytes(200) + good[202:], "b_cut.jpg": good[:len(good) // 2],
               "c_empty.jpg": b"", "d_text.jpg": b"this is not an image\n",
               "e_cut.png": png(64, 64)[:60], "z_enormous.png": png(1200, 1000)}
        for name, content in bad.items():
            self.write(f"{folder}/{name}", content)
        return sorted(bad)

    def predicting(self, *more, model="model.caos", images="faces/new", out="r.json"):
        return ["landmarks", "predict", model, images, "--out", out, *more]

    def calibrating(self, *more, images="faces/labeled", landmarks="faces/labeled.csv"):
        return ["landmarks", "calibrate", "--images", images, "--landmarks", landmarks, "--out",
                "m.caos", *more]


class BadImages(BadFilesTest):
    def test_leave_the_rest_of_a_batch_as_it_is(self):
        self.calibrate()
        self.predict()
        expected = json.loads((self.folder / "regions.json").read_text())
        self.assertEqual(expected["failed"], [])
        bad = self.spoil()
        run = self.predict("--max-megapixels", 1, "--overlay", "overlays", "--json")
        found = json.loads((self.folder / "regions.json").read_text())
        self.assertEqual(found["images"], expected["images"])
        self.assertEqual(len(found["failed"]), len(bad))
        for name, reason in zip(bad, found["failed"]):
            self.assertIn(f"faces/new/{name}: ", reason)
            self.assertIn(f"caos: warning: {reason}\n", run.err)
        self.assertIn("1200 x 1000 pixels; at most 1000000", found["failed"][-1])
        self.assertEqual(json.loads(run.out)["num_failed"], len(bad))
        self.assertEqual(sorted(os.listdir(self.folder / "overlays")),
                         ["contact_sheet.jpg", *(f"{name}.overlay.jpg" for name in self.good)])
        self.assertIn(f"images that could not be used: {len(bad)}", self.predict("--max-megapixels", 1).out)

    def test_are_too_large_in_the_cache_or_not(self):
        self.calibrate()
        self.spoil()
        self.predict()  # keeps the embeddings of the large one
        run = self.predict("--max-megapixels", 1, "--overlay", "overlays")
        self.assertIn("z_enormous.png: has 1200 x 1000 pixels", run.err)

    def test_leave_no_row_among_embeddings(self):
        bad = self.spoil()
        found = self.json("landmarks", "embed", "faces/new", "--out", "e.npy", "--max-megapixels", 1)
        self.assertEqual(found["images"], self.good)
        self.assertEqual(len(found["failed"]), len(bad))
        self.assertEqual(len(np.load(self.folder / "e.npy")), len(self.good))

    def test_do_not_calibrate(self):
        bad = self.spoil("faces/labeled")
        rows = self.rows("faces/labeled.csv")
        rows += [{"image": name, "landmark": rows[0]["landmark"], "x": 5, "y": 5} for name in bad]
        self.write_rows("all.csv", rows)
        run = self.calibrate("--max-megapixels", 1, landmarks="all.csv")
        for name in bad:
            self.assertIn(f"caos: warning: faces/labeled/{name}: ", run.err)
        self.assertEqual(self.json("inspect", "model.caos")["num_images"], self.n)
        run = self.landmarks("evaluate", "--images", "faces/labeled", "--landmarks", "all.csv",
                             "--max-megapixels", 1, "--k", 1)
        self.assertIn("b_cut.jpg", run.err)

    def test_alone_are_a_failure(self):
        self.calibrate()
        self.spoil()
        for name in self.good:
            (self.folder / "faces/new" / name).unlink()
        limit = ["--max-megapixels", 1]
        said = ["faces/new: no image could be used; the first: faces/new/a_corrupt.jpg"]
        self.refuse(FAILED, self.predicting(*limit), *said)
        self.refuse(FAILED, self.predicting(*limit, out="r.csv"), *said)
        self.refuse(FAILED, ["landmarks", "embed", "faces/new", "--out", "e.npy", *limit], *said)
        self.write("bad.csv", "image,landmark,x,y\na_corrupt.jpg,eye,1,1\nb_cut.jpg,eye,1,1\n")
        for command in ("calibrate", "evaluate"):
            out = ["--out", "m.caos"] if command == "calibrate" else []
            self.refuse(FAILED, ["landmarks", command, "--images", "faces/new", "--landmarks",
                                 "bad.csv", *out], *said)

    def test_are_listed_up_to_ten(self):
        self.calibrate()
        for i in range(15):
            self.write(f"faces/new/bad_{i:02}.jpg", b"no image")
        run = self.predict("--alpha", "0.2")
        about_regions = run.err.count("no location conforms")
        self.assertEqual(run.err.count("warning"), 11 + about_regions)
        self.assertIn("... and 5 more images could not be used", run.err)

    def test_with_names_that_are_no_utf8_are_used_all_the_same(self):
        self.calibrate()
        folder = os.fsencode(self.folder / "faces/new")
        shutil.copy(self.folder / "faces/new" / self.good[0], folder + b"/z\xff.jpg")
        with open(folder + b"/zz\xfe.jpg", "wb") as file:
            file.write(b"no image")
        done = subprocess.run([PROGRAM, *self.predicting("--json")], cwd=self.folder, check=False,
                              env=self.environment, capture_output=True, timeout=60 * PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads((self.folder / "r.json").read_text(encoding="utf-8"))
        self.assertEqual(found["images"][-1]["image"], "z\ufffd.jpg")
        self.assertEqual(found["images"][-1]["landmarks"], found["images"][0]["landmarks"])
        self.assertEqual(len(found["failed"]), 1)
        self.assertEqual(json.loads(done.stdout)["num_images"], 4)

    def test_with_any_name_are_quoted(self):
        self.calibrate()
        name = 'a "b", c;\nd.jpg'
        shutil.copy(self.folder / "faces/new" / self.good[0], self.folder / "faces/new" / name)
        self.predict(out="r.csv")
        self.predict(out="r.json")
        found = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(found["images"][0]["image"], name)
        self.assertEqual(self.rows("r.csv")[0]["image"], name)

    def test_in_a_split_are_left_out(self):
        self.write("faces/labeled/face_0003.jpg", b"no image")
        self.write("faces/new/face_0009.jpg", b"no image")
        run = self.landmarks("evaluate", "--images", "faces", "--landmarks", "faces/all.csv",
                             "--split", "faces/split.csv", "--alpha", "0.2", "--json")
        found = json.loads(run.out)
        self.assertEqual((found["num_labeled"], found["num_test"]), (self.n - 1, self.num_new - 1))
        self.assertEqual(run.err.count("not an image that can be read"), 2)

    def test_that_have_embeddings_in_a_file_have_regions_but_no_drawing(self):
        for name in ("labeled", "new"):
            self.landmarks("embed", f"faces/{name}", "--out", f"{name}.npy")
        self.calibrate("--backbone", "embeddings:labeled.npy")
        path = self.folder / "faces/new" / self.good[1]
        path.write_bytes(path.read_bytes()[:4000])
        run = self.predict("--alpha", "0.2", "--backbone", "embeddings:new.npy", "--overlay", "drawn")
        self.assertIn(f"not drawn: faces/new/{self.good[1]}: is truncated", run.err)
        self.assertEqual(sorted(os.listdir(self.folder / "drawn")),
                         ["contact_sheet.jpg", *(f"{self.good[i]}.overlay.jpg" for i in (0, 2))])
        self.assertEqual(len(json.loads((self.folder / "regions.json").read_text())["images"]), 3)

    def test_of_several_sizes_share_a_file_of_regions_but_not_of_embeddings(self):
        self.calibrate()
        rng = np.random.default_rng(1)
        noise = rng.integers(256, size=(100, 300, 3), dtype=np.uint8)
        self.write("faces/new/wide.png", png(300, 100, noise))
        self.predict("--alpha", "0.2", "--overlay", "overlays")
        wide = json.loads((self.folder / "regions.json").read_text())["images"][-1]
        self.assertEqual((wide["width"], wide["height"]), (300, 100))
        self.assertEqual((wide["grid"]["columns"], wide["grid"]["rows"]), (19, 7))
        self.assertTrue((self.folder / "overlays/wide.png.overlay.jpg").exists())
        self.refuse(MISUSED, ["landmarks", "embed", "faces/new", "--out", "e.npy"], "wide.png",
                    "has 133 patches", "--working-size")


class Places(BadFilesTest):
    def setUp(self):
        super().setUp()
        self.calibrate()

    def test_that_are_not_there(self):
        (self.folder / "empty").mkdir()
        self.refuse(FAILED, self.predicting(images="none"), "none: no such file")
        self.refuse(FAILED, self.predicting(images="empty"), "empty: contains no images")
        self.refuse(FAILED, self.predicting(model="none.caos"), "none.caos: no such file")
        self.refuse(FAILED, ["landmarks", "embed", "none", "--out", "e.npy"], "none: no such file")
        self.refuse(FAILED, self.calibrating(landmarks="none.csv"), "none.csv: no such file")
        self.refuse(FAILED, self.calibrating(images="none"), "none: no such file")
        self.refuse(FAILED, self.calibrating(images="empty"), "faces/labeled.csv",
                    "names the image 'face_0000.jpg', which is not in empty")
        (self.folder / "faces/labeled/face_0003.jpg").unlink()
        self.refuse(FAILED, self.calibrating(), "faces/labeled.csv",
                    "names the image 'face_0003.jpg', which is not in faces/labeled")

    def test_to_write_to_must_be_good(self):
        for out in ("r.txt", "r", "r.JSON"):
            self.refuse(MISUSED, self.predicting(out=out), f"--output {out}", ".json or .csv")
        self.refuse(FAILED, self.predicting(out="none/r.json"), "none/r.json", "create")
        self.write("file", "no folder")
        self.refuse(FAILED, self.predicting("--overlay", "file"), "file")
        self.refuse(FAILED, self.predicting("--overlay", "file/deep"), "file/deep")
        self.refuse(MISUSED, [*self.calibrating()[:-1], "faces/labeled.csv"],
                    "faces/labeled.csv", "another name")

    def test_to_write_to_are_never_images_of_the_run(self):
        said = "already reads"
        image = "faces/new/face_0008.jpg"
        embed = ["landmarks", "embed", "faces/new", "--out"]
        self.refuse(MISUSED, [*embed, image], image, said)
        self.refuse(MISUSED, [*embed, "e.npy", "--names", image], image, said)
        image = "faces/labeled/../labeled/face_0003.jpg"
        self.refuse(MISUSED, [*self.calibrating()[:-1], image], image, said)
        self.refuse(MISUSED, ["landmarks", "evaluate", *self.calibrating()[2:6], "--k", 1, "--sets",
                              image], image, said)

    def test_that_name_images_elsewhere_are_refused(self):
        shutil.copy(self.folder / "faces/new/face_0008.jpg", self.folder / "faces/secret.jpg")
        table = (self.folder / "faces/labeled.csv").read_text()
        calibrate = ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "far.csv", "--out", "m.caos"]
        for name in ("../secret.jpg", str(self.folder / "faces/secret.jpg"),
                     "x/../../labeled/../secret.jpg"):
            self.write("far.csv", table.replace("face_0003.jpg", name))
            self.refuse(FAILED, calibrate, "far.csv", name, "not in faces/labeled")
        # There and back again is fine, and so is a whole path.
        for name in ("../labeled/face_0003.jpg", str(self.folder / "faces/labeled/face_0003.jpg")):
            self.write("far.csv", table.replace("face_0003.jpg", name))
            self.succeed(*calibrate, "--k", 2)

    def test_that_name_an_image_twice_are_refused(self):
        table = (self.folder / "faces/labeled.csv").read_text()
        again = [line.replace("face_", "./face_", 1) for line in table.splitlines()[1:]]
        (self.folder / "twice.csv").write_text(table + "\n".join(again) + "\n")
        self.refuse(FAILED, ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                             "twice.csv", "--out", "m.caos"], "the same image", "twice.csv")

    def test_that_models_name_are_checked(self):
        self.refuse(MISUSED, self.calibrating("--k", 8), "no landmark is marked in 9 images")
        self.refuse(MISUSED, self.calibrating("--k", 0), "--k")
        self.refuse(MISUSED, self.calibrating()[:4] + ["--out", "m.caos"], "--landmarks")

    def test_alpha_that_is_too_small_gives_whole_images(self):
        run = self.predict("--alpha", "0.05")
        self.assertIn("alpha 0.05: 19 images are needed to calibrate a landmark", run.err)
        self.assertIn("have at most 8", run.err)
        self.assertIn("so their regions are the whole image", run.err)
        found = json.loads((self.folder / "regions.json").read_text())
        self.assertFalse(found["landmarks"][0]["feasible"])
        for image in found["images"]:
            for region in image["landmarks"]:
                self.assertEqual(region["set_size"], 168)
                self.assertEqual(len(region["outline"]), 1)
                self.assertEqual(len(region["outline"][0]), 4)

    def test_a_clipped_rank_has_no_guarantee(self):
        run = self.predict("--alpha", "0.05", "--clip-rank")
        self.assertIn("nothing is guaranteed", run.err)
        self.assertIn("Guarantee: none", run.out)

    def test_a_clipped_rank_of_one_landmark_takes_the_guarantee_of_all(self):
        rows = self.rows("faces/labeled.csv")
        last = rows[-1]["landmark"]
        self.write_rows("fewer.csv", [row for row in rows if row["landmark"] != last
                                      or row["image"] > "face_0003.jpg"])
        self.calibrate(landmarks="fewer.csv")
        run = self.predict("--alpha", "0.15", "--clip-rank")
        self.assertIn("Guarantee: none", run.out)

    def test_settings_are_refused_in_words(self):
        self.refuse(MISUSED, self.predicting("--method", "scos"), "--method is caos, full-caos or split-caos")
        self.refuse(MISUSED, self.predicting("--method", "full-caos", "--simultaneous"),
                    "--simultaneous goes with caos only")
        for alpha in ("0", "1", "-1", "x", "nan"):
            self.refuse(MISUSED, self.predicting("--alpha", alpha), alpha)
        for scale in ("0", "-1", "nan", "inf", "x", "1mm"):
            self.refuse(MISUSED, self.predicting("--scale", scale), "--scale", scale)
        self.refuse(MISUSED, self.predicting("--scale", "1", "--scales", "faces/new.csv"),
                    "--scale or --scales")


class Models(BadFilesTest):
    def setUp(self):
        super().setUp()
        self.calibrate()
        self.model = (self.folder / "model.caos").read_bytes()

    def test_that_are_damaged_are_refused(self):
        middle = len(self.model) // 2
        damaged = {"cut": self.model[:-1], "empty": b"", "text": b"model\n", "longer":
                   self.model + b"\0", "half": self.model[:middle], "header": self.model[:30],
                   "turned": self.model[:middle] + bytes([self.model[middle] ^ 1])
                   + self.model[middle + 1:]}
        for name, content in damaged.items():
            file = self.write(f"{name}.caos", content)
            self.refuse(FAILED, self.predicting(model=file), file)
            self.refuse(FAILED, ["inspect", file], file)

    def test_of_another_kind_are_called_what_they_are(self):
        task = random_task(1, n=10, num_labels=4, m=3, k=2)
        self.save("labeled", task.labeled)
        self.save("labels", task.labels)
        self.save("test", task.test)
        self.succeed("calibrate", "--labeled", "labeled.npy", "--labels", "labels.npy", "--k", 2,
                     "--out", "plain.caos")
        self.refuse(FAILED, self.predicting(model="plain.caos"),
                    "plain.caos: is a calibration of scores, for 'caos predict'",
                    "'caos landmarks calibrate'")
        self.refuse(FAILED, ["predict", "model.caos", "--test", "test.npy", "--alpha", "0.3"],
                    "model.caos: is a landmark model; 'caos landmarks predict' uses it")
        self.refuse(FAILED, self.predicting(model="labels.npy"), "labels.npy")

    def test_can_be_inspected(self):
        found = self.json("inspect", "model.caos")
        landmarks = list(dict.fromkeys(r["landmark"] for r in self.rows("faces/labeled.csv")))
        self.assertEqual([landmark["landmark"] for landmark in found["landmarks"]], landmarks)
        self.assertEqual((found["kind"], found["num_images"], found["k"], found["backbone"]),
                         ("landmark model", 8, 3, "builtin-2"))
        self.assertRegex(found["checksum"], r"\A[0-9a-f]{16}\Z")
        self.assertRegex(found["written_by"], r"\Acaos \d")
        self.assertEqual(found, json.loads(self.output("inspect", "-", "--json", stdin=self.model))
                         | {"file": "model.caos"})
        text = self.output("inspect", "model.caos")
        self.assertIn(f"{len(landmarks)} landmarks from 8 images, k = 3, score cosine", text)
        self.assertIn(f"checksum {found['checksum']} is valid", text)

    def test_are_the_same_bytes_each_time(self):
        self.calibrate(out="again.caos")
        self.assertEqual(self.model, (self.folder / "again.caos").read_bytes())


class Help(BadFilesTest):
    def paste(self, example):
        return subprocess.run(["sh", "-e", "-c", example], cwd=self.folder, text=True,
                              capture_output=True, timeout=120 * PATIENCE, check=False, env=self.environment
                              | {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"})

    def test_of_every_command_ends_in_an_example_that_works(self):
        shutil.rmtree(self.folder / "faces")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/caos").symlink_to(os.path.abspath(PROGRAM))
        for command in (["synthesize"], ["embed"], ["calibrate"], ["predict"], ["evaluate"], []):
            with self.subTest(command=command):
                text = self.output("landmarks", *command, "--help")
                self.assertLessEqual(max(map(len, text.splitlines())), 100)
                for machinery in (":POSITIVE", "Excludes:", "Needs:", "SUBCOMMAND"):
                    self.assertNotIn(machinery, text)
                example = re.split(r"(?m)^Example.*:\n", text)[-1]
                self.assertTrue(example.startswith(" ".join(["  caos landmarks", *command])), example)
                done = self.paste(example)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")
        self.assertTrue((self.folder / "faces/overlays").is_dir())


if __name__ == "__main__":
    unittest.main()
