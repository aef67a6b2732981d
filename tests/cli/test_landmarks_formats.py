"""Landmark files of other tools: read, shown, written from predictions, and refused with a remedy."""

import csv
import json
import os
import shutil
import unittest
from pathlib import Path

from support import ProgramTest

FAILED = 1
MISUSED = 2

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "landmarks"
CONVERT = ["landmarks", "convert"]
REAL = Path(os.environ.get("CAOS_SHARED", SAMPLES.parents[3] / "shared")) / "data"


class FormatTest(ProgramTest):
    def rows(self, source, *more):
        self.succeed(*CONVERT, source, "rows.csv", "--quiet", *more)
        with open(self.folder / "rows.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def faces(self, n=12, new=3):
        self.succeed("landmarks", "draw", "--out", "faces", "--n", n, "--new", new)


class Readers(FormatTest):
    def test_of_every_tool(self):
        for file, more, first in (
                ("deeplabcut.csv", [], ("labeled-data/run/img1.png", "snout", 10.5, 20.25)),
                ("deeplabcut_fixed.h5", [], ("labeled-data/run/img1.png", "snout", 10.5, 20.25)),
                ("deeplabcut_table.h5", [], ("labeled-data/run/img1.png", "snout", 10.5, 20.25)),
                ("deeplabcut_multi.h5", ["--instances", "fly2"],
                 ("labeled-data/run/img1.png", "snout", 50, 60)),
                ("sleap_images.slp", ["--instances", "largest"], ("/data/run/a.png", "snout", 10.5, 20.5)),
                ("sleap_embedded.pkg.slp", [], ("video0_000007.png", "snout", 1, 2)),
                ("face.asf", ["--image-size", "200x100"], ("face.bmp", "1", 50, 50))):
            with self.subTest(file=file):
                row = self.rows(SAMPLES / file, *more)[0]
                self.assertEqual((row["image"], row["landmark"]), first[:2])
                self.assertEqual((float(row["x"]), float(row["y"])), first[2:])

    def test_take_a_folder_of_tps_without_final_newlines(self):
        (self.folder / "wings").mkdir()
        self.write("wings/a.tps", "LM=1\n1 2\nIMAGE=a.jpg\nID=0")
        self.write("wings/b.TPS", "LM=1\r\n3 4\r\nIMAGE=b.jpg\r\nID=0")
        rows = self.rows("wings", "--tps-y", "top")
        self.assertEqual([(row["image"], row["x"]) for row in rows], [("a.jpg", "1"), ("b.jpg", "3")])

    def test_find_images_of_other_machines(self):
        self.faces(n=1, new=1)
        self.write("a.tps", "LM=1\n1 2\nIMAGE=C:\\Users\\me\\FACE_0000.JPG\nID=0\n")
        for more in (["--tps-y", "bottom"], []):
            row = self.rows("a.tps", *more, "--images", "faces/labeled")[0]
            self.assertEqual((row["image"], row["y"]), ("face_0000.jpg", "216"))
        run = self.succeed(*CONVERT, "a.tps", "out.csv", "--images", "faces/labeled")
        self.assertIn("y is taken to count from the bottom, as tpsDig writes it", run.err)
        row = self.rows("a.tps", "--images", "faces")[0]
        self.assertEqual((row["image"], row["y"]), ("labeled/face_0000.jpg", "216"))

    def test_extract_embedded_images(self):
        self.succeed(*CONVERT, SAMPLES / "sleap_embedded.pkg.slp", "out.csv", "--extract-images", "frames")
        self.assertTrue((self.folder / "frames/video0_000007.png").read_bytes().startswith(b"\x89PNG"))
        self.succeed("landmarks", "show", "--images", "frames", "--landmarks", "out.csv", "--out", "shown")
        self.assertTrue((self.folder / "shown/contact_sheet.jpg").stat().st_size > 0)

    def test_take_lists_of_points_for_each_image(self):
        self.faces(n=2, new=1)
        (self.folder / "points").mkdir()
        self.write("points/face_0000.txt", "10,20\r\n30,40\r\n1\r\n3\r\n")
        self.write("points/FACE_0001.txt", "11,21\r\n31,41\r\n2\r\n1")
        run = self.succeed(*CONVERT, "points", "rows.csv", "--images", "faces/labeled")
        self.assertIn("2 lines after the points are not read", run.err)
        self.assertIn("1 image was found under another folder, letter case or extension", run.err)
        with open(self.folder / "rows.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["image"], row["landmark"], row["x"]) for row in rows],
                         [("face_0001.jpg", "1", "11"), ("face_0001.jpg", "2", "31"),
                          ("face_0000.jpg", "1", "10"), ("face_0000.jpg", "2", "30")])

    def test_take_tables_of_other_countries(self):
        self.write("shells.csv", "\ufeffSpecimen;X1;Y1;X2;Y2;sex\r\nshell 1;12,5;7,25;NA;NA;f\r\n;;;;;\r\n")
        row = self.rows("shells.csv", "--image-extension", ".JPG")[0]
        self.assertEqual((row["image"], row["x"], row["y"]), ("shell 1.JPG", "12.5", "7.25"))

    def test_choose_among_specimens_of_an_image(self):
        self.write("a.tps", "LM=1\n1 2\nIMAGE=a.jpg\nID=m1\nLM=1\n3 4\nIMAGE=a.jpg\nID=m2\n")
        self.refuse(FAILED, [*CONVERT, "a.tps", "b.csv", "--tps-y", "top"],
                    "a.tps:5: a second specimen in image 'a.jpg'", "m1, m2", "--instances")
        self.assertEqual(self.rows("a.tps", "--tps-y", "top", "--instances", "m2")[0]["x"], "3")

    def test_say_what_they_decided(self):
        self.write("a.json", json.dumps({
            "images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 1}],
            "annotations": [{"image_id": 1, "category_id": 1, "keypoints": [1, 2, 1, 3, 4, 0]}]}))
        run = self.succeed(*CONVERT, "a.json", "out.csv")
        self.assertIn("no keypoint has visibility 2; 1 is read as visible and 0 as missing", run.err)
        self.assertIn("keypoint_1", (self.folder / "out.csv").read_text())


class Writers(FormatTest):
    def test_write_proposals(self):
        self.faces()
        self.succeed("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "faces/labeled.csv", "--out", "model.caos")
        self.succeed("landmarks", "predict", "model.caos", "faces/new", "--out", "regions.json",
                     "--points", "points.csv")
        points = self.rows("points.csv")
        self.assertEqual({row["source"] for row in points}, {"proposed"})
        regions = json.loads((self.folder / "regions.json").read_text())
        first = regions["images"][0]["landmarks"][0]["proposal"]
        self.assertEqual(float(points[0]["x"]), first["x"])
        self.assertEqual(float(points[0]["conformity"]), first["p_value"])
        for name, more, back in (
                ("points.tps", ["--tps-y", "bottom"], ["--tps-y", "bottom", "--images", "faces/new"]),
                ("points.tps", [], ["--images", "faces/new"]), ("points.h5", [], []),
                ("points.slp", [], []), ("lists", ["--points-format", "points"], []),
                ("study.json", ["--points-format", "label-studio"], []),
                ("points.json", ["--points-format", "coco"], []),
                ("dlc.csv", ["--points-format", "deeplabcut"], [])):
            with self.subTest(name=name):
                self.succeed("landmarks", "predict", "model.caos", "faces/new", "--points", name, *more)
                again = self.rows(name, *back)
                self.assertEqual([row["conformity"] for row in again],
                                 [row["conformity"] for row in points])
                for row, other in zip(again, points):
                    self.assertAlmostEqual(float(row["y"]), float(other["y"]))
        self.succeed(*CONVERT, "regions.json", "later.tps", "--tps-y", "top")
        self.assertEqual([row["conformity"] for row in self.rows("later.tps", "--tps-y", "top")],
                         [row["conformity"] for row in points])

    def test_are_asked_for_properly(self):
        self.write("bad.caos", "no model")
        (self.folder / "empty").mkdir()
        predict = ["landmarks", "predict", "bad.caos", "empty"]
        self.refuse(MISUSED, predict, "--output is required unless --points is given")
        self.refuse(MISUSED, [*predict, "--points", "a.doc"], "a.doc", "deeplabcut (.csv)", "sleap (.slp)")
        self.refuse(MISUSED, [*predict, "--out", "a.json", "--points-format", "tps"], "--points")


class Show(FormatTest):
    def test_draws_a_picture_per_image_and_a_sheet(self):
        self.faces(n=3, new=1)
        found = self.json("landmarks", "show", "--images", "faces/labeled", "--landmarks",
                          "faces/labeled.csv", "--out", "shown", "--names", "on")
        self.assertEqual(found["num_images"], 3)
        self.assertEqual(found["num_outside"], 0)
        for name in (*found["pictures"], found["contact_sheet"]):
            self.assertTrue((self.folder / name).read_bytes().startswith(b"\xff\xd8"))

    def test_writes_names_as_asked_for(self):
        self.faces(n=1, new=1)
        sizes = []
        for names in ("off", "on", "auto"):
            found = self.json("landmarks", "show", "--images", "faces/labeled", "--landmarks",
                              "faces/labeled.csv", "--out", names, "--names", names)
            sizes.append((self.folder / found["pictures"][0]).stat().st_size)
        self.assertLess(sizes[0], sizes[1])
        self.assertEqual(sizes[2], sizes[0])  # 42 landmarks
        self.refuse(MISUSED, ["landmarks", "show", "--images", "faces/labeled", "--landmarks",
                              "faces/labeled.csv", "--out", "x", "--names", "maybe"], "--names", "auto, on, off")

    def test_refuses_the_folder_of_the_images(self):
        self.faces(n=1, new=1)
        self.refuse(MISUSED, ["landmarks", "show", "--images", "faces/labeled", "--landmarks",
                              "faces/labeled.csv", "--out", "faces/labeled"], "give another")


class Errors(FormatTest):
    def test_name_missing_images(self):
        self.faces(n=2, new=1)
        self.write("a.tps", "LM=1\n1 2\nIMAGE=face_0000.jpg\nLM=1\n3 4\nIMAGE=gone.jpg\n")
        more = ["--tps-y", "bottom", "--images", "faces/labeled"]
        self.refuse(FAILED, [*CONVERT, "a.tps", "b.csv", *more],
                    "a.tps: names the image 'gone.jpg', which is not in faces/labeled",
                    "--missing-images skip")
        run = self.succeed(*CONVERT, "a.tps", "b.csv", *more, "--missing-images", "skip")
        self.assertIn("1 images are not in faces/labeled and are left out; the first: 'gone.jpg'", run.err)
        self.assertEqual(len(self.rows("b.csv")), 1)
        self.refuse(FAILED, ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks", "a.tps",
                             "--tps-y", "bottom", "--out", "m.caos"], "'gone.jpg'")

    def test_name_the_sizes_that_a_location_prior_cannot_take(self):
        self.faces(n=4, new=1)
        self.succeed("landmarks", "show", "--images", "faces/labeled", "--landmarks", "faces/labeled.csv",
                     "--out", "shown")
        shutil.copy(self.folder / "shown/face_0000.jpg.landmarks.jpg", self.folder / "faces/labeled/large.jpg")
        with open(self.folder / "faces/labeled.csv", "a", encoding="utf-8") as file:
            file.write("large.jpg,left_pupil,100,100\n")
        self.refuse(MISUSED, ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                              "faces/labeled.csv", "--out", "m.caos", "--location-sigma", "20",
                              "--score", "cosine"],
                    "need images of one size", "'face_0000.jpg' has 178 x 218", "'large.jpg' has",
                    "crop or scale")

    def test_list_the_known_formats(self):
        self.write("a.doc", "")
        self.refuse(MISUSED, [*CONVERT, "a.doc", "b.csv"], "a.doc", "tps (.tps)", "asf (.asf)")
        self.refuse(MISUSED, [*CONVERT, "a.doc", "b.csv", "--from", "excel"], "'excel'", "deeplabcut-h5")

    def test_ask_for_a_choice_of_instances(self):
        self.refuse(FAILED, [*CONVERT, SAMPLES / "deeplabcut_multi.h5", "b.csv"], "fly1, fly2",
                    "--instances largest, first, each")
        self.refuse(FAILED, [*CONVERT, SAMPLES / "sleap_video.slp", "b.csv"], "'clip.mp4'", ".pkg.slp")

    def test_tell_json_lists_apart(self):
        self.write("a.json", '[{"image": "/data/upload/a.png", "label": []}]')
        self.refuse(FAILED, [*CONVERT, "a.json", "b.csv"], "JSON-MIN")
        self.write("a.json", '[{"image_id": 1, "keypoints": []}]')
        self.refuse(FAILED, [*CONVERT, "a.json", "b.csv"], "COCO results")


class Checks(FormatTest):
    """Coordinates that were read wrongly are warned of; results stay what they are."""

    def calibrate(self, file, *more):
        return self.succeed("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks", file,
                            "--out", "model.caos", "--no-cache", *more).err

    def test_warn_of_points_on_nothing(self):
        self.faces(n=8, new=1)
        self.assertNotIn("structure", self.calibrate("faces/labeled.csv"))
        with open(self.folder / "faces/labeled.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row["x"], row["y"] = str(float(row["x"]) / 60), str(109 + float(row["y"]) / 218)
        with open(self.folder / "corner.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        said = self.calibrate("corner.csv")
        self.assertIn("corner.csv: in 8 of 8 images most landmarks lie where the image has little structure", said)
        self.assertIn("'caos landmarks show'", said)


WINGS = REAL / "landmarks/droso640"


@unittest.skipUnless(WINGS.is_dir(), "NOT TESTED: there are no real wings; set CAOS_SHARED")
class RealChecks(FormatTest):
    def commands(self):
        images = ["--images", WINGS / "images", "--landmarks", WINGS / "landmarks.tps"]
        yield ["landmarks", "calibrate", *images, "--out", "model.caos"]
        yield ["landmarks", "evaluate", *images, "--methods", "caos"]
        yield ["experiment", "landmarks", *images, "--seeds", 1, "--out", "results"]

    def test_warn_of_a_wrong_direction_of_y(self):
        for command in self.commands():
            with self.subTest(command=command[1]):
                run = self.succeed(*command, "--working-size", 320, "--tps-y", "top")
                self.assertIn("landmarks.tps: the landmarks would suit the images far better with y mirrored",
                              run.err)
                self.assertNotIn("mirrored", self.succeed(*command, "--working-size", 320, "--tps-y", "bottom").err)

    def test_do_not_warn_of_mice_and_faces(self):
        mouse = REAL / "landmarks/mirrormouse"
        faces = REAL / "faces-london-canada"
        for images, file in ((mouse, mouse / "CollectedData.csv"), (faces, faces / "landmarks189.csv")):
            with self.subTest(file=file):
                run = self.succeed("landmarks", "calibrate", "--images", images, "--landmarks", file,
                                   "--out", "model.caos", "--outside", "missing")
                self.assertNotIn("structure", run.err)


@unittest.skipUnless((REAL / "formats").is_dir(), "NOT TESTED: there are no real files of other tools; set CAOS_SHARED")
class RealFiles(FormatTest):
    def test_are_read(self):
        formats = REAL / "formats"
        dlc = formats / "sleap/dlc/labeled-data/video"
        for file, more, count in (
                (dlc / "dlc_testdata.csv", [], 4), (dlc / "dlc_testdata_v2.csv", [], 4),
                (dlc / "madlc_testdata.csv", ["--instances", "first"], 4),
                (dlc / "CollectedData_LM.csv", ["--instances", "Animal2"], 4),
                (formats / "sleap/slp/minimal_instance.pkg.slp", ["--instances", "first"], 1),
                (formats / "mmpose/test_wflw.json", ["--instances", "largest"], 2),
                (formats / "mmpose/test_300w.json", [], 2), (formats / "mmpose/test_fly.json", [], 2),
                (formats / "tps/BackWing.TPS", ["--tps-y", "top"], None),
                (formats / "tps/orthetrum_forewing.tps", ["--tps-y", "top"], None)):
            with self.subTest(file=file):
                rows = self.rows(file, *more)
                images = {row["image"] for row in rows}
                self.assertEqual(len(images), count or len(images))
                self.assertTrue(images)


if __name__ == "__main__":
    unittest.main()
