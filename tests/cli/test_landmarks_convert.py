"""`caos landmarks convert`: formats in and out, losses, and what is refused before it runs."""

import csv
import os
import re
import subprocess
import unittest
from pathlib import Path

from support import PATIENCE, PROGRAM, ProgramTest

FAILED = 1
MISUSED = 2

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "landmarks"
CONVERT = ["landmarks", "convert"]


class ConvertTest(ProgramTest):
    def convert(self, source, target, *more):
        return self.succeed(*CONVERT, source, target, *more)

    def rows(self, source, *more):
        """What a file says, by way of CSV."""
        self.convert(source, "rows.csv", "--quiet", *more)
        with open(self.folder / "rows.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Images(ConvertTest):
    def test_tell_their_sizes(self):
        self.succeed("landmarks", "draw", "--out", "faces", "--n", 1, "--new", 1)
        self.convert("faces/labeled.csv", "faces.tps", "--tps-y", "bottom", "--images",
                     "faces/labeled")
        drawn = self.rows("faces/labeled.csv")
        flipped = self.rows("faces.tps", "--tps-y", "top")
        for row, other in zip(drawn, flipped):
            self.assertAlmostEqual(float(row["y"]), 218 - float(other["y"]))
        back = self.rows("faces.tps", "--tps-y", "bottom", "--images", "faces/labeled")
        for row, other in zip(drawn, back):
            self.assertAlmostEqual(float(row["y"]), float(other["y"]))


class Formats(ConvertTest):
    def test_of_every_tool_are_read(self):
        tps = ["--tps-y", "bottom", "--tps-curves", "skip", "--image-size", "640x480"]
        for file, more, first in (
                ("points.csv", [], ("cat 1.jpg", "left eye", 101.5, 52.25)),
                ("tpsdig.tps", tps, ("wing_001.jpg", "1", 152, 175)),
                ("indoor_001.pts", ["--image-extension", ".png"],
                 ("indoor_001.png", "1", 445.5, 90.5)),
                ("person_keypoints.json", [], ("000000000785.jpg", "nose", 367.5, 81.5)),
                ("imglab.xml", ["--outside", "missing"],
                 ("faces/2007_007763.jpg", "00", 331.5, 127.5)),
                ("label_studio.json", [], ("plane one.jpg", "Engine", 480, 104.96)),
                ("slicer", ["--slicer-scale", "0.5"], ("skull_1", "nasion", 107.5, 147))):
            with self.subTest(file=file):
                row = self.rows(SAMPLES / file, *more)[0]
                self.assertEqual((row["image"], row["landmark"]), first[:2])
                self.assertAlmostEqual(float(row["x"]), first[2], delta=1e-9)
                self.assertAlmostEqual(float(row["y"]), first[3], delta=1e-9)

    def test_that_hold_everything_give_back_the_same_bytes(self):
        self.write("in.csv", "image,landmark,x,y,width,height\na.png,nose,12.5,8,64,32\n"
                             "a.png,ear,3.25,7.75,64,32\n\"b, c.png\",nose,1,2,64,32\n")
        for target, more in (("x.json", ["--to", "coco"]), ("y.json", ["--to", "label-studio"]),
                             ("z.xml", ["--dlib-fractions"])):
            with self.subTest(target=target):
                self.assertEqual(self.convert("in.csv", target, *more).err, "")
                self.convert(target, "back.csv")
                rows = self.rows("back.csv")
                marked = [row for row in rows if row["x"]]
                self.assertEqual([r["x"] for r in marked], ["12.5", "3.25", "1"])
                self.assertEqual([r["image"] for r in marked], ["a.png", "a.png", "b, c.png"])

    def test_may_come_from_and_go_to_a_pipe(self):
        done = self.succeed(*CONVERT, "-", "/dev/stdout", "--from", "csv", "--to", "pts",
                            stdin=b"image,landmark,x,y\na,1,0.5,1.5\n")
        self.assertEqual(done.out, "version: 1\nn_points: 1\n{\n1 2\n}\n")

    def test_with_a_file_for_each_image_fill_a_folder(self):
        self.convert(SAMPLES / "points.csv", "out", "--to", "slicer")
        self.assertEqual(sorted(self.files()), ["out/cat 1.mrk.json", "out/cat, 2.mrk.json"])
        rows = self.rows("out", "--slicer-scale", "0.1", "--image-extension", ".jpg")
        self.assertEqual(rows[0]["image"], "cat 1.jpg")
        self.assertAlmostEqual(float(rows[0]["x"]), 101.5, delta=1e-9)


class Reports(ConvertTest):
    def test_count_what_was_converted(self):
        found = self.json(*CONVERT, SAMPLES / "points.csv", "out.json", "--to", "coco")
        self.assertEqual(
            {key: found[key] for key in ("file", "format", "num_images", "landmarks", "visible",
                                         "hidden", "missing", "outside")},
            {"file": "out.json", "format": "coco", "num_images": 2,
             "landmarks": ["left eye", "right eye", "nose"], "visible": 3, "hidden": 1,
             "missing": 1, "outside": 0})
        self.assertEqual(len(found["losses"]), 3)

    def test_warn_of_what_is_lost(self):
        run = self.convert(SAMPLES / "points.csv", "out.tps", "--tps-y", "top")
        self.assertIn("caos: warning: TPS holds no subjects; those of 1 images are lost", run.err)
        self.assertIn("3 names are lost", run.err)
        quiet = self.convert(SAMPLES / "points.csv", "out.tps", "--tps-y", "top", "--quiet")
        self.assertEqual(quiet.err, "")

    def test_say_how_many_landmarks_lay_outside(self):
        run = self.convert(SAMPLES / "imglab.xml", "out.csv", "--outside", "missing")
        self.assertIn("1 landmarks outside of their images", run.err)


class Refusals(ConvertTest):
    def misuse(self, arguments, *said):
        self.refuse(MISUSED, [*CONVERT, *arguments], *said)

    def test_come_before_any_file_is_read(self):
        for name in ("bad.csv", "bad.tps"):
            self.write(name, "no landmarks")
        self.misuse(["bad.csv"], "OUT")
        self.misuse(["bad.csv", "x.json"], "x.json", "format")
        self.misuse(["bad.csv", "x.csv", "--from", "excel"], "'excel'", "label-studio")
        self.misuse(["bad.csv", "x.csv", "--to", "excel"], "'excel'", "label-studio")
        self.misuse(["bad.tps", "x.csv", "--tps-y", "left"], "--tps-y", "'left'", "top, bottom")
        self.misuse(["bad.tps", "x.csv", "--tps-y", "top", "--tps-curves", "x"], "--tps-curves")
        self.misuse(["bad.csv", "x.csv", "--outside", "keep"], "--outside", "'keep'")
        self.misuse(["bad.csv", "x.csv", "--slicer-axes", "LAS"], "--slicer-axes", "'LAS'")
        self.misuse(["bad.csv", "x.csv", "--image-extension", "png"], "--image-extension", ".png")
        self.misuse(["-", "x.csv"], "--from")
        for size in ("640", "640x", "x480", "0x4", "640x480x3", "-1x4", "axb"):
            self.misuse(["bad.csv", "x.csv", "--image-size", size], "--image-size", size)
        for scale in ("0", "-1", "nan", "inf", "x"):
            self.misuse(["bad.csv", "x.csv", "--slicer-scale", scale], "--slicer-scale", scale)

    def test_keep_inputs_from_being_replaced(self):
        self.write("a.csv", "image,landmark,x,y\n")
        self.misuse(["a.csv", "a.csv"], "a.csv: this run already reads")
        self.misuse(["a.csv", "./a.csv"], "this run already reads")
        (self.folder / "faces").mkdir()
        self.write("faces/a.pts", "version: 1\nn_points: 0\n{\n}\n")
        self.misuse(["faces", "faces/", "--to", "pts"], "this run already reads that folder")
        self.misuse(["faces/a.pts", "faces", "--to", "pts"], "this run already reads that folder")

    def test_of_bad_files_name_the_place(self):
        self.write("a.csv", "image,landmark,x,y\na,n,1,nan\n")
        self.refuse(FAILED, [*CONVERT, "a.csv", "x.xml"], "a.csv:2: y is 'nan'")
        self.refuse(FAILED, [*CONVERT, "no.csv", "x.xml"], "no.csv: no such file")
        self.refuse(FAILED, [*CONVERT, "a.csv", "no/x.xml"], "the folder no does not exist")
        self.refuse(FAILED, [*CONVERT, "a.csv", "no/x", "--to", "pts"], "does not exist")
        self.refuse(FAILED, [*CONVERT, SAMPLES / "imglab.xml", "x.csv"], "landmark '02'",
                    "outside of its 500 x 375 pixels")

    def test_of_sizes_that_contradict_the_file_name_both(self):
        self.refuse(FAILED, [*CONVERT, SAMPLES / "imglab.xml", "x.csv", "--image-size", "9x9"],
                    "500 x 375", "9 x 9")

    def test_say_when_a_size_is_needed(self):
        self.write("a.csv", "image,landmark,x,y\na,n,1,2\n")
        self.misuse(["a.csv", "x.json", "--to", "label-studio"], "'a'", "size of the images")
        for more in ([], ["--tps-y", "bottom"]):
            self.misuse(["a.csv", "x.tps", *more], "'a'", "size of the images", "--tps-y top")

    def test_of_missing_or_unknown_commands_are_clear(self):
        bare = self.run_caos("landmarks")
        self.assertEqual((bare.code, bare.out), (MISUSED, ""))
        self.assertIn("Usage: caos landmarks COMMAND", bare.err)
        self.assertRegex(bare.err, r"\n  convert  +Convert landmark files")
        self.refuse(MISUSED, ["landmarks", "convrt"], "unknown command 'convrt'")
        self.misuse(["a", "b", "c"], "unexpected argument 'c'")
        self.misuse(["a.csv", "b.csv", "--wrong"], "unknown option '--wrong'")


class Help(ConvertTest):
    def test_ends_in_an_example_that_works(self):
        (self.folder / "caos").symlink_to(os.path.abspath(PROGRAM))
        environment = self.environment | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        text = self.output(*CONVERT, "--help")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        example = re.split(r"(?m)^Example.*:\n", text)[-1]
        done = subprocess.run(["sh", "-e", "-c", example], cwd=self.folder, env=environment,
                              text=True, capture_output=True, timeout=60 * PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("points.xml: 1 images", done.stdout)


if __name__ == "__main__":
    unittest.main()
