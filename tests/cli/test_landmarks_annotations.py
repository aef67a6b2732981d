"""Landmarks that images lack, hide, or have outside; subjects with several images."""

import json
import unittest

from landmark_support import FacesTest, Images, caos_sets, MISSING

MISUSED = 2
FAILED = 1


class AnnotationTest(FacesTest):
    n = 14
    num_new = 3

    def setUp(self):
        super().setUp()
        self.all_rows = self.rows("faces/labeled.csv")
        self.images = sorted({row["image"] for row in self.all_rows})
        self.names = list(dict.fromkeys(row["landmark"] for row in self.all_rows))

    def row(self, image, landmark):
        return next(row for row in self.all_rows
                    if row["image"] == self.images[image] and row["landmark"] == landmark)

    def described(self, *more):
        """What calibrate says of the changed annotations, by landmark."""
        self.write_rows("changed.csv", self.all_rows)
        found = self.json("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                          "changed.csv", "--score", "cosine", "--out", "model.caos", *more)
        return found, {landmark["landmark"]: landmark for landmark in found["landmarks"]}

    def arguments(self, command="calibrate"):
        self.write_rows("changed.csv", self.all_rows)
        out = ["--out", "m.caos"] if command == "calibrate" else []
        return ["landmarks", command, "--images", "faces/labeled", "--landmarks", "changed.csv",
                "--score", "cosine", *out]


class MissingLandmarks(AnnotationTest):
    def test_leave_each_landmark_its_own_images(self):
        first, second = self.names[:2]
        gone = [self.row(i, first) for i in (1, 4, 6)] + [self.row(4, second)]
        self.all_rows = [row for row in self.all_rows if row not in gone]
        _, landmarks = self.described()
        self.assertEqual(landmarks[first]["n"], 11)
        self.assertEqual(landmarks[second]["n"], 13)
        self.assertAlmostEqual(landmarks[first]["smallest_feasible_alpha"], 1 / 12)
        self.assertAlmostEqual(landmarks[self.names[2]]["smallest_feasible_alpha"], 1 / 15)
        run = self.predict("--alpha", "0.07")
        self.assertIn(f"alpha 0.07: 14 images are needed to calibrate a landmark; 2 have at most 13 "
                      f"({first}, {second}), so their regions are the whole image", run.err)
        found = json.loads((self.folder / "regions.json").read_text())
        self.assertEqual([(entry["n"], entry["feasible"]) for entry in found["landmarks"][:3]],
                         [(11, False), (13, False), (14, True)])
        for image in found["images"]:
            self.assertEqual(image["landmarks"][0]["patches"], list(range(14 * 12)))
            self.assertAlmostEqual(image["landmarks"][0]["area"], 178 * 218)
            self.assertLess(image["landmarks"][2]["set_size"], 14 * 12)

    def test_predict_as_caos_on_the_images_that_have_them(self):
        gone = [self.row(i, self.names[0]) for i in (0, 5)]
        self.all_rows = [row for row in self.all_rows if row not in gone]
        self.described()
        self.predict("--alpha", "0.2")
        labeled, _, _ = self.annotated("faces/labeled", "changed.csv")
        test, _, _ = self.annotated("faces/new", "faces/new.csv")
        columns = list(dict.fromkeys(row["landmark"] for row in self.all_rows))
        found = json.loads((self.folder / "regions.json").read_text())
        t = columns.index(self.names[0])
        self.assertEqual((labeled.labels[:, t] == MISSING).sum(), 2)
        sets, _, _, _ = caos_sets(labeled, Images(test.embeddings, None), t, "0.2", 3)
        place = [entry["landmark"] for entry in found["landmarks"]].index(self.names[0])
        self.assertEqual([image["landmarks"][place]["patches"] for image in found["images"]], sets)

    def test_in_too_many_images_leave_a_landmark_out_with_a_warning(self):
        rare = self.names[3]
        self.all_rows = [row for row in self.all_rows
                         if row["landmark"] != rare or row["image"] in self.images[:3]]
        self.write_rows("changed.csv", self.all_rows)
        run = self.calibrate(landmarks="changed.csv")
        self.assertIn("left out, as fewer than 4 images of different subjects have them: " + rare,
                      run.err)
        found = self.json("inspect", "model.caos")
        self.assertEqual(found["left_out"], [rare])
        self.assertNotIn(rare, [landmark["landmark"] for landmark in found["landmarks"]])
        evaluated = self.json("landmarks", "evaluate", "--images", "faces/labeled", "--landmarks",
                              "changed.csv", "--alpha", "0.4")
        self.assertEqual(evaluated["left_out"], [rare])

    def test_in_all_images_are_refused(self):
        self.refuse(MISUSED, [*self.arguments(), "--k", 14], "no landmark is marked in 15 images",
                    "k = 14 needs")
        self.refuse(MISUSED, [*self.arguments("evaluate"), "--k", 14],
                    "no landmark is in 15 labeled images", "k = 14 needs")


class HiddenLandmarks(AnnotationTest):
    def hide(self):
        for row in self.all_rows:
            row["visible"] = "1"
        for i in range(4):
            self.row(i, self.names[0])["visible"] = "0"

    def test_are_missing_unless_asked_for(self):
        self.hide()
        _, landmarks = self.described()
        self.assertEqual(landmarks[self.names[0]]["n"], 10)
        _, landmarks = self.described("--use-hidden")
        self.assertEqual(landmarks[self.names[0]]["n"], 14)


class OutsideLandmarks(AnnotationTest):
    def test_are_refused_by_file_image_and_name(self):
        for x, y in (("-0.75", "9"), ("178.75", "9"), ("9", "219"), ("1e9", "9")):
            self.row(3, self.names[2]).update(x=x, y=y)
            for command in ("calibrate", "evaluate"):
                self.refuse(FAILED, self.arguments(command), "changed.csv", self.images[3],
                            f"'{self.names[2]}'", "outside", "178 x 218")

    def test_count_as_inside_up_to_half_a_pixel(self):
        """Tools differ by that much about where pixels begin."""
        for x, y in (("-0.5", "9"), ("178.5", "9"), ("9", "218.25")):
            self.row(3, self.names[2]).update(x=x, y=y)
            _, landmarks = self.described()
            self.assertEqual(landmarks[self.names[2]]["n"], 14)

    def test_are_missing_where_that_is_asked_for(self):
        self.row(3, self.names[2]).update(x="500", y="9")
        _, landmarks = self.described("--outside", "missing")
        self.assertEqual(landmarks[self.names[2]]["n"], 13)
        self.refuse(MISUSED, [*self.arguments(), "--outside", "keep"], "--outside", "'keep'",
                    "refuse, missing")


class Subjects(AnnotationTest):
    def setUp(self):
        super().setUp()
        for row in self.all_rows:
            row["subject"] = f"s{self.images.index(row['image']) // 2}"

    def test_calibrate_with_all_images_and_count_once(self):
        found, landmarks = self.described()
        self.assertEqual((found["num_images"], found["num_calibrating"], found["by_subject"]),
                         (14, 14, True))
        self.assertEqual(found["target"], "a random image of a new subject")
        self.assertIn("in a random image of a new subject", found["guarantee_is_for"])
        self.assertIn("labeled images are random among those of their subject", found["assumption"])
        self.assertEqual({landmark["n"] for landmark in landmarks.values()}, {14})
        self.assertEqual({landmark["num_references"] for landmark in landmarks.values()}, {14})
        self.assertEqual({landmark["smallest_feasible_alpha"] for landmark in landmarks.values()},
                         {1 / 8})
        self.assertIn("of a new subject", self.predict("--alpha", "0.2").out)
        regions = json.loads((self.folder / "regions.json").read_text())
        self.assertEqual(regions["target"], "a random image of a new subject")
        self.assertIn("of a new subject", regions["guarantee_is_for"])
        self.assertNotIn("guarantee", regions["images"][0])
        self.assertIn("7 subjects: all their images calibrate, and each subject counts once",
                      self.output("inspect", "model.caos"))
        self.assertIn("alpha 0.1: 9 subjects are needed", self.predict("--alpha", "0.1").err)

    def test_are_named_in_csv(self):
        self.described()
        self.predict("--alpha", "0.2", out="regions.csv")
        rows = self.rows("regions.csv")
        self.assertEqual({row["guarantee"] for row in rows}, {"marginal"})
        self.assertEqual({row["guarantee_is_for"] for row in rows},
                         {"for a landmark that is present, in a random image of a new subject"})

    def test_with_one_image_each_are_the_target_all_the_same(self):
        """Weights are plain then, and so are regions; the guarantee is for a new subject still."""
        def predicted():
            self.predict("--alpha", "0.2")
            regions = json.loads((self.folder / "regions.json").read_text())
            return regions, [image["landmarks"] for image in regions["images"]]
        for row in self.all_rows:
            row.pop("subject")
        found, plain_landmarks = self.described()
        self.assertEqual(found["target"], "a new image")
        plain, plain_regions = predicted()
        self.assertEqual(plain["target"], "a new image")
        for row in self.all_rows:
            row["subject"] = row["image"]
        found, landmarks = self.described("--target", "subject")
        self.assertEqual((found["by_subject"], found["num_calibrating"]), (False, 14))
        self.assertEqual(found["target"], "a random image of a new subject")
        self.assertIn("labeled images are random among those of their subject", found["assumption"])
        self.assertEqual(landmarks, plain_landmarks)
        regions, known_regions = predicted()
        self.assertEqual(regions["target"], "a random image of a new subject")
        self.assertEqual(known_regions, plain_regions)
        self.assertIn("14 subjects, one image of each\n", self.output("inspect", "model.caos"))
        self.assertIn("in a random image of a new subject", self.predict("--alpha", "0.2").out)
        self.predict("--alpha", "0.2", out="regions.csv")
        self.assertEqual({row["guarantee_is_for"] for row in self.rows("regions.csv")},
                         {"for a landmark that is present, in a random image of a new subject"})
        self.assertIn("alpha 0.05: 19 subjects are needed", self.predict("--alpha", "0.05").err)
        evaluated = self.json(*self.arguments("evaluate"), "--alpha", "0.4", "--k", 1)
        self.assertEqual(evaluated["target"], "a random image of a new subject")

    def test_are_on_one_side_of_a_split(self):
        evaluated = self.json(*self.arguments("evaluate"), "--alpha", "0.4", "--k", 1)
        self.assertIn("of a new subject", evaluated["guarantee_is_for"])
        self.assertEqual((evaluated["num_labeled"], evaluated["num_test"]), (6, 4))
        self.assertEqual((evaluated["target"], evaluated["average_over"]),
                         ("a random image of a new subject", "subjects"))
        for entry in evaluated["results"][0]["landmarks"]:
            self.assertEqual((entry["n"], entry["num_subjects"], entry["rank"]), (6, 3, None))

    def test_are_averaged_as_the_target_says(self):
        """Test subjects with one and with five images: the two averages are different ones."""
        for row in self.all_rows:
            place = self.images.index(row["image"])
            row["subject"] = "five" if place >= 9 else "one" if place == 8 else f"s{place // 2}"
        roles = ["reference", "calibration"] * 4 + ["test"] * 6
        self.write("split.csv", "image,role\n" + "".join(
            f"{image},{role}\n" for image, role in zip(self.images, roles)))
        arguments = [*self.arguments("evaluate"), "--split", "split.csv", "--alpha", "0.4", "--k", 1]
        by_subject = self.json(*arguments)
        by_image = self.json(*arguments, "--target", "image")
        self.assertEqual((by_subject["average_over"], by_image["average_over"]),
                         ("subjects", "images"))
        self.assertTrue(by_image["target"].startswith("a random image of the pool"))
        for entry in by_subject["results"][0]["landmarks"]:  # a half times the first, a tenth the rest
            self.assertAlmostEqual(entry["coverage"] * 10 % 1, 0)
        for entry in by_image["results"][0]["landmarks"]:
            self.assertAlmostEqual(entry["coverage"] * 6 % 1 % 1, 0)
        self.assertIn("averages over test subjects.", self.output(*arguments))
        self.assertIn("averages over test images.", self.output(*arguments, "--target", "image"))
        self.refuse(MISUSED, [*arguments, "--target", "images"], "the target 'images' is not one of")

    def test_have_no_split_methods(self):
        for method in ("scos", "scos-best", "split-caos"):
            self.refuse(MISUSED, [*self.arguments("evaluate"), "--methods", method, "--k", 1],
                        "several images of a subject", "caos and full-caos only")
        run = self.succeed(*self.arguments("evaluate"), "--alpha", "0.4", "--k", 1, "--json")
        self.assertIn("left out: scos needs one image of each subject", run.err)
        self.assertEqual([entry["method"] for entry in json.loads(run.out)["results"]],
                         ["caos", "full-caos"])

    def test_are_counted_in_what_k_needs(self):
        self.refuse(MISUSED, [*self.arguments(), "--k", 13],
                    "no landmark is marked in 14 images of different subjects", "k = 13 needs")


class Pools(AnnotationTest):
    """--target image: a random image of a finite pool."""

    def setUp(self):
        super().setUp()
        for row in self.all_rows:
            row["subject"] = f"s{self.images.index(row['image']) // 2}"
        self.new = sorted({row["image"] for row in self.rows("faces/new.csv")})
        self.pool = [(image, f"s{i // 2}") for i, image in enumerate(self.images)]

    def write_pool(self, more):
        lines = "".join(f"{image},{subject}\n" for image, subject in [*self.pool, *more])
        self.write("pool.csv", "image,subject\n" + lines)

    def calibrated(self, more):
        self.write_pool(more)
        return self.described("--target", "image", "--pool", "pool.csv")[0]

    def predicted(self, *more):
        run = self.predict("--alpha", "0.3", *more)
        return json.loads((self.folder / "regions.json").read_text()), run

    def test_are_looked_up_image_by_image(self):
        found = self.calibrated([(self.new[0], "a"), (self.new[1], "s0"), ("other.jpg", "a")])
        self.assertEqual((found["pool_images"], found["num_calibrating"]), (17, 14))
        self.assertTrue(found["target"].startswith("a random image of the pool"))
        self.assertIn("drawn at random from the pool", found["assumption"])
        self.assertIn("Pool of 17 images of 8 subjects", self.output("inspect", "model.caos"))
        regions, run = self.predicted()
        self.assertEqual([image["guarantee"] for image in regions["images"]],
                         ["marginal", "none (the image's subject has labeled images)",
                          "none (the image is not in the pool)"])
        self.assertIn("2 of 3 images have no guarantee", run.err)
        self.assertIn("a random image of the pool", run.out)
        self.predict("--alpha", "0.3", out="regions.csv")
        rows = self.rows("regions.csv")
        self.assertEqual([row["guarantee"] for row in rows if row["landmark"] == self.names[0]],
                         [image["guarantee"] for image in regions["images"]])

    def test_end_with_how_many_images_have_which_guarantee(self):
        self.calibrated([(self.new[0], "a"), (self.new[1], "s0"), (self.new[2], "s1")])
        _, run = self.predicted()
        self.assertIn("Guarantee: for 1 of 3 images marginal, for a landmark that is present", run.out)
        self.assertIn("for 2 of 3 images none (the image's subject has labeled images)", run.out)
        self.calibrated([(image, "s0") for image in self.new])
        _, run = self.predicted()
        self.assertIn("Guarantee: none (the image's subject has labeled images)", run.out)
        self.assertNotIn("marginal", run.out)

    def test_are_feasible_by_the_size_of_the_new_subject(self):
        """A subject with many images weighs so much that alpha 0.1 is infeasible for it alone."""
        more = [(self.new[0], "one"), *((image, "many") for image in self.new[1:]),
                *((f"{i}.jpg", "many") for i in range(40))]
        found = self.calibrated(more)
        for landmark in found["landmarks"]:
            least, most = landmark["smallest_feasible_alpha_range"]
            self.assertEqual(landmark["smallest_feasible_alpha"], most)
            self.assertTrue(least < 0.1 < most)
        self.assertIn("depending on how many images the new subject has in the pool (1 to 42)",
                      self.output("inspect", "model.caos"))
        run = self.predict("--alpha", "0.1")
        regions = json.loads((self.folder / "regions.json").read_text())
        self.assertEqual({one["feasible"] for one in regions["landmarks"]}, {False})
        self.assertEqual([image["infeasible"] for image in regions["images"]],
                         [[], self.names, self.names])
        for image in regions["images"]:
            whole = image["grid"]["columns"] * image["grid"]["rows"]
            for one in image["landmarks"]:
                self.assertEqual(one["set_size"] == whole, one["landmark"] in image["infeasible"])
        self.assertIn("alpha 0.1, new images of a subject with 42 images in the pool: about", run.err)
        self.assertNotIn("a subject with 1 image in the pool", run.err)
        self.predict("--alpha", "0.1", out="regions.csv")
        self.assertEqual({row["infeasible"] for row in self.rows("regions.csv")},
                         {"", ";".join(self.names)})

    def test_decide_by_how_many_images_the_subject_has(self):
        """One of 1 new image and one of 31: the second weighs more, so its p-values are larger."""
        more = [(image, "a") for image in self.new] + [(f"{i}.jpg", "b") for i in range(40)]
        self.calibrated(more)
        small, _ = self.predicted()
        self.calibrated(more + [(f"a{i}.jpg", "a") for i in range(30)])
        large, _ = self.predicted()
        for one, other in zip(small["images"], large["images"]):
            for before, after in zip(one["landmarks"], other["landmarks"]):
                self.assertLess(before["proposal"]["p_value"], 1.0000001)
                self.assertLessEqual(set(before["patches"]), set(after["patches"]))

    def test_that_do_not_fit_are_refused(self):
        self.write_pool([])
        arguments = self.arguments()
        self.refuse(MISUSED, [*arguments, "--target", "image"], "--target image needs --pool FILE")
        self.refuse(MISUSED, [*arguments, "--pool", "pool.csv"], "--pool is for --target image")
        with_pool = [*arguments, "--target", "image", "--pool", "pool.csv"]
        self.write("pool.csv", "image,who\n")
        self.refuse(FAILED, with_pool, "pool.csv", "no column 'subject'", "image,subject")
        self.pool[3] = (self.pool[2][0], "s1")
        self.write_pool([])
        self.refuse(FAILED, with_pool, "pool.csv: line 5:", "in the pool since line 4")
        del self.pool[3]
        self.write_pool([])
        self.refuse(MISUSED, with_pool, f"the labeled image '{self.images[3]}' is not in the pool")
        self.pool.append((self.images[3], "s6"))
        self.write_pool([])
        self.refuse(MISUSED, with_pool, "differs between the landmark file and the pool")


class Formats(AnnotationTest):
    def test_give_the_same_model(self):
        self.calibrate()
        expected = (self.folder / "model.caos").read_bytes()
        for name, more in (("l.tps", ["--tps-y", "bottom"]), ("l.json", []), ("l.xml", [])):
            kind = {"l.json": ["--to", "coco"]}.get(name, [])
            size = ["--image-size", "178x218"]
            fractions = ["--dlib-fractions"] if name == "l.xml" else []
            self.landmarks("convert", "faces/labeled.csv", name, *kind, *more, *size, *fractions,
                           "--quiet")
            with self.subTest(name=name):
                self.calibrate(*more, landmarks=name, out="other.caos")
                self.assertEqual(self.json("inspect", "other.caos")["num_images"], self.n)
                if name != "l.tps":  # which knows no names of landmarks
                    self.assertEqual((self.folder / "other.caos").read_bytes(), expected)


if __name__ == "__main__":
    unittest.main()
