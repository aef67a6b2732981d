"""accept: which points may be taken unseen, against the definition computed from the embeddings."""

import csv
import json
import unittest
from fractions import Fraction

import numpy as np

from landmark_support import PATCH, FacesTest, similarities, unit

COLUMNS = 12
K = 3


def selected(errors, confidence, new, q):
    """Jin and Candes' p-values and Benjamini and Hochberg's rule, slowly and exactly."""
    n, m = len(errors), len(new)
    p = [Fraction(1 + sum(e and t >= s for e, t in zip(errors, confidence)), n + 1) for s in new]
    for r in range(m, 0, -1):
        if sum(one <= q * r / m for one in p) >= r:
            return p, [one <= q * r / m for one in p]
    return p, [False] * m


class AcceptTest(FacesTest):
    n = 40
    num_new = 15

    def accept(self, *more, tolerance="4px", fdr="0.2", out="accepted.json",
               landmarks="faces/labeled.csv", candidates="faces/new"):
        return self.landmarks(
            "accept", "--images", "faces/labeled", "--landmarks", landmarks, "--candidates",
            candidates, "--tolerance", tolerance, "--fdr", fdr, "--out", out, *more)

    def result(self, *more, **options):
        self.accept(*more, **options)
        return json.loads((self.folder / "accepted.json").read_text())

    def arguments(self, **changed):
        options = {"--images": "faces/labeled", "--landmarks": "faces/labeled.csv", "--candidates":
                   "faces/new", "--tolerance": "4px", "--out": "a.csv"} | changed
        return ["landmarks", "accept", *(item for pair in options.items() for item in pair)]

    def points(self, file, names, landmarks):
        points = np.full((len(names), len(landmarks), 2), np.nan)
        for row in self.rows(file):
            points[names.index(row["image"]), landmarks.index(row["landmark"])] = (
                float(row["x"]), float(row["y"]))
        return points


class Decisions(AcceptTest):
    def proposals(self, images, references, points):
        """Points and CAOS scores of the proposed patches, [images, landmarks], from references."""
        labels = (points[..., 1] // PATCH * COLUMNS + points[..., 0] // PATCH).astype(int)
        offsets = points % PATCH
        proposed = np.zeros((len(images), points.shape[1], 2))
        scores = np.zeros(proposed.shape[:2])
        for t in range(points.shape[1]):
            patches = unit(references[np.arange(len(references)), labels[:, t]])
            for x, image in enumerate(images):
                each = 1 - similarities(unit(image), patches)
                total = np.sort(each, axis=1)[:, :K].sum(axis=1)
                best = int(np.argmin(total))
                near = np.argsort(each[best], kind="stable")[:K]
                corner = np.array([best % COLUMNS, best // COLUMNS]) * PATCH
                proposed[x, t] = corner + offsets[near, t].mean(axis=0)
                scores[x, t] = total[best]
        return np.round(proposed, 3), scores

    def test_are_those_of_the_definition(self):
        labeled, names, landmarks = self.annotated("faces/labeled", "faces/labeled.csv")
        new, new_names, _ = self.annotated("faces/new", "faces/new.csv")
        points = self.points("faces/labeled.csv", names, landmarks)
        found = self.result("--references", "15", "--seed", "3", "--refine", "none", "--score", "cosine")
        references = [names.index(name) for name in found["references"]]
        self.assertEqual(len(references), 15)
        others = [i for i in range(self.n) if i not in references]
        propose = (labeled.embeddings[references], points[references])
        known, known_scores = self.proposals(labeled.embeddings[others], *propose)
        proposed, scores = self.proposals(new.embeddings, *propose)
        wrong = np.linalg.norm(known - points[others], axis=2) > 4
        self.assertTrue(0 < wrong.sum() < wrong.size)
        self.assertEqual([one["num_wrong"] for one in found["landmarks"]], wrong.sum(axis=0).tolist())
        self.assertEqual(found["images"]["num_wrong"], wrong.any(axis=1).sum())
        self.assertEqual([image["image"] for image in found["candidates"]], new_names)
        q = Fraction(1, 5)
        for t, landmark in enumerate(found["landmarks"]):
            p, accepted = selected(wrong[:, t], -known_scores[:, t], -scores[:, t], q)
            self.assertEqual(landmark["num_accepted"], sum(accepted))
            for x, image in enumerate(found["candidates"]):
                point = image["landmarks"][t]
                self.assertEqual(point["accepted"], accepted[x])
                self.assertAlmostEqual(point["p_value"], float(p[x]))
                np.testing.assert_allclose([point["x"], point["y"]], proposed[x, t], atol=0.0011)
        p, accepted = selected(wrong.any(axis=1), -known_scores.mean(axis=1), -scores.mean(axis=1), q)
        self.assertEqual([image["accepted"] for image in found["candidates"]], accepted)
        np.testing.assert_allclose([image["p_value"] for image in found["candidates"]],
                                   [float(one) for one in p])
        self.assertGreater(sum(one["num_accepted"] for one in found["landmarks"]), 0)

    def test_depend_on_the_seed_and_not_on_threads(self):
        results = [self.result("--seed", seed, "--threads", threads)
                   for seed, threads in ((0, 1), (0, 2), (1, 2))]
        self.assertEqual(results[0], results[1])
        self.assertNotEqual(results[0]["references"], results[2]["references"])

    def test_follow_a_given_division(self):
        names = sorted({row["image"] for row in self.rows("faces/labeled.csv")})
        roles = [{"image": name, "role": "reference" if i % 3 == 0 else "calibration"}
                 for i, name in enumerate(names)]
        found = self.result("--split", self.write_rows("division.csv", roles))
        self.assertEqual(found["references"], names[::3])
        self.assertEqual(found["num_calibration"], self.n - len(names[::3]))
        said = "the division into references and calibration images was drawn at random, or fixed"
        self.assertIn(said, found["assumption"])
        self.assertNotIn(said, self.result()["assumption"])

    def test_count_absent_landmarks_as_wrong(self):
        rows = self.rows("faces/labeled.csv")
        landmark = rows[0]["landmark"]
        before = self.result(tolerance="30px")
        gone = [name for name in sorted({row["image"] for row in rows})
                if name not in before["references"]][:4]
        self.write_rows("fewer.csv", [row for row in rows if row["landmark"] != landmark
                                      or row["image"] not in gone])
        after = self.result(tolerance="30px", landmarks="fewer.csv")
        self.assertEqual(after["references"], before["references"])
        wrong = [{one["landmark"]: one["num_wrong"] for one in found["landmarks"]}
                 for found in (before, after)]
        self.assertEqual(wrong[1][landmark], wrong[0][landmark] + 4)
        del wrong[0][landmark], wrong[1][landmark]
        self.assertEqual(wrong[0], wrong[1])

    def test_measure_in_millimeters_and_percent(self):
        first, second = [row["landmark"] for row in self.rows("faces/labeled.csv")][:2]
        pixels = self.result(tolerance="4px")
        for found in (self.result("--scale", "0.5", tolerance="2mm"),):
            self.assertEqual(found["landmarks"], pixels["landmarks"])
        percent = self.result(tolerance=f"3%:{first}-{second}")
        self.assertIn(f"more than 3 % of the distance {first}-{second} off", percent["points_claim"])
        rows = self.rows("faces/labeled.csv")
        for row in rows:
            row["scale"] = "0.5"
        self.write_rows("scaled.csv", rows)
        self.assertEqual(self.result(tolerance="2mm", landmarks="scaled.csv")["landmarks"],
                         pixels["landmarks"])


class Candidates(AcceptTest):
    def test_are_all_images_without_landmarks(self):
        for path in (self.folder / "faces/new").iterdir():
            path.rename(self.folder / "faces/labeled" / path.name)
        self.landmarks("accept", "--images", "faces/labeled", "--landmarks", "faces/labeled.csv",
                       "--tolerance", "4px", "--out", "accepted.json")
        found = json.loads((self.folder / "accepted.json").read_text())
        self.assertEqual([image["image"] for image in found["candidates"]],
                         sorted({row["image"] for row in self.rows("faces/new.csv")}))

    def test_are_no_copies_of_labeled_images(self):
        labeled = sorted((self.folder / "faces/labeled").iterdir())[0]
        (self.folder / "faces/new/copy.jpg").write_bytes(labeled.read_bytes())
        run = self.accept()
        self.assertIn("1 images are copies of labeled ones and not candidates; the first is copy.jpg",
                      run.err)
        found = json.loads((self.folder / "accepted.json").read_text())
        self.assertEqual(found["num_candidates"], self.num_new)

    def test_may_not_have_the_name_of_a_labeled_image(self):
        labeled = sorted((self.folder / "faces/labeled").iterdir())[0].name
        new = sorted((self.folder / "faces/new").iterdir())[0]
        new.rename(new.with_name(labeled))
        self.refuse(2, self.arguments(), labeled, "another image of this name is labeled; rename one")

    def test_have_subjects_of_their_own(self):
        new = sorted(path.name for path in (self.folder / "faces/new").iterdir())
        subjects = [{"image": name, "subject": f"s{i}"} for i, name in enumerate(new)]
        self.write_rows("subjects.csv", subjects)
        self.refuse(2, self.arguments(**{"--subjects": "subjects.csv"}), "the subject of 'face_0",
                    "name the subjects of all candidates and labeled images in --subjects FILE")
        labeled = sorted({row["image"] for row in self.rows("faces/labeled.csv")})
        subjects += [{"image": name, "subject": name} for name in labeled]
        found = self.result("--subjects", self.write_rows("subjects.csv", subjects))
        self.assertIn("; every subject has one image, labeled or candidate, drawn at random from its "
                      "images", found["assumption"])
        self.assertNotIn("subject", self.result()["assumption"])
        subjects[3]["subject"] = "s1"
        self.write_rows("subjects.csv", subjects)
        self.refuse(2, self.arguments(**{"--subjects": "subjects.csv"}),
                    f"'{new[1]}' and '{new[3]}' are images of the subject 's1'",
                    "keep one at random")

    def test_need_subjects_where_labeled_images_have_them(self):
        rows = [row | {"subject": row["image"]} for row in self.rows("faces/labeled.csv")]
        self.write_rows("known.csv", rows)
        new = sorted(path.name for path in (self.folder / "faces/new").iterdir())
        self.refuse(2, self.arguments(**{"--landmarks": "known.csv"}),
                    f"the subject of '{new[0]}' is not known, and those of other images are",
                    "name the subjects of all candidates in --subjects FILE")
        subjects = [{"image": name, "subject": f"s{i}"} for i, name in enumerate(new)]
        found = self.result("--subjects", self.write_rows("subjects.csv", subjects),
                            landmarks="known.csv")
        self.assertEqual(found["guarantee"], "FDR")

    def test_and_labeled_images_have_one_image_per_subject(self):
        rows = self.rows("faces/labeled.csv")
        names = sorted({row["image"] for row in rows})
        for row in rows:
            row["subject"] = "twin" if row["image"] in names[:2] else row["image"]
        self.refuse(2, self.arguments(**{"--landmarks": self.write_rows("twins.csv", rows)}),
                    f"'{names[0]}' and '{names[1]}' are images of the subject 'twin'",
                    "keep one at random")

    def test_that_cannot_be_read_are_left_out(self):
        self.write("faces/new/zzz.jpg", b"no image")
        found = self.result()
        self.assertEqual((found["num_candidates"], found["num_failed"]), (self.num_new, 1))
        self.assertIn("zzz.jpg", found["failed"][0])


class Claims(AcceptTest):
    def test_are_made_in_sentences(self):
        text = self.accept(out="accepted.csv", fdr="0.1").out
        for part in ("Among the accepted points of each landmark, the expected share that is more than "
                     "4 px off, or whose landmark is absent, is at most 10 %.",
                     "Among the accepted images, the expected share with any landmark more than 4 px "
                     "off or absent is at most 10 %.", "Guarantee: FDR, if",
                     "tolerance and q were fixed before results were seen, and the candidates before "
                     "any of them was reviewed"):
            self.assertIn(part, text)

    def test_are_of_the_proposed_landmarks(self):
        rows = self.rows("faces/labeled.csv")
        landmark = rows[0]["landmark"]
        kept = {row["image"] for row in rows if row["landmark"] == landmark}
        kept = set(sorted(kept)[:2])
        self.write_rows("fewer.csv", [row for row in rows
                                      if row["landmark"] != landmark or row["image"] in kept])
        found = self.result(landmarks="fewer.csv")
        self.assertEqual(found["left_out"], [landmark])
        self.assertIn(f"with any proposed landmark (all but {landmark}) more than", found["images_claim"])

    def test_csv_says_what_json_says(self):
        found = self.result()
        self.accept(out="accepted.csv")
        with open(self.folder / "accepted.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        flat = [(image, point) for image in found["candidates"] for point in image["landmarks"]]
        self.assertEqual(len(rows), len(flat))
        for row, (image, point) in zip(rows, flat):
            self.assertEqual((row["image"], row["landmark"]), (image["image"], point["landmark"]))
            self.assertEqual((float(row["x"]), float(row["y"])), (point["x"], point["y"]))
            self.assertEqual(int(row["accepted"]), point["accepted"])
            self.assertEqual(float(row["p_value"]), point["p_value"])
            self.assertEqual(int(row["image_accepted"]), image["accepted"])
            self.assertEqual(float(row["image_p_value"]), image["p_value"])
            self.assertEqual(row["guarantee"], "FDR")

    def test_too_few_calibration_images_accept_nothing_and_say_so(self):
        run = self.accept("--references", "30", fdr="0.05")
        self.assertIn("q 0.05: nothing can be accepted with 10 calibration images; at least 19 are "
                      "needed", run.err)
        found = json.loads((self.folder / "accepted.json").read_text())
        self.assertFalse(found["feasible"])
        self.assertEqual(found["num_calibration_needed"], 19)
        self.assertEqual({one["num_accepted"] for one in found["landmarks"]}, {0})

    def test_bad_options_are_refused(self):
        for changed, message in (({"--tolerance": "4"}, "tolerance '4': expected a positive number"),
                                 ({"--tolerance": "4%:a-b"}, "does not name two different landmarks"),
                                 ({"--tolerance": "2mm"}, "has no scale"),
                                 ({"--fdr": "1.5"}, "--fdr '1.5': expected a decimal"),
                                 ({"--references": "0"}, "--references '0': expected a number"),
                                 ({"--references": "40"}, "40 references of 40 labeled images"),
                                 ({"--out": "a.txt"}, "must end in .json or .csv")):
            self.refuse(2, self.arguments(**changed), message)
            self.assertFalse((self.folder / "a.csv").exists())


class Plans(AcceptTest):
    def guarantee(self, *more, **options):
        return self.result("--plan", "plan.json", *more, **options)["guarantee"]

    def test_keep_the_guarantee_while_nothing_changes(self):
        self.assertEqual(self.guarantee(), "FDR")
        plan = (self.folder / "plan.json").read_bytes()
        self.assertEqual(self.guarantee(), "FDR")
        self.assertEqual((self.folder / "plan.json").read_bytes(), plan)

    def test_tell_what_was_changed(self):
        self.guarantee()
        for (more, options), why in (
                (([], {"tolerance": "5px"}), "the tolerance was changed after results were seen"),
                (([], {"fdr": "0.1"}), "q was changed after results were seen"),
                ((["--seed", "1"], {}), "references or settings of the predictions were changed after "
                 "results were seen"),
                ((["--k", "2"], {}), "references or settings of the predictions were changed after "
                 "results were seen")):
            self.assertEqual(self.guarantee(*more, **options), f"none ({why})")
        self.assertNotIn("points_claim", self.result("--plan", "plan.json", tolerance="5px"))
        self.assertEqual(self.guarantee(), "FDR")

    def test_notice_candidates_that_come_go_or_are_reviewed(self):
        self.guarantee()
        new = sorted((self.folder / "faces/new").iterdir())
        rows = [row for row in self.rows("faces/new.csv") if row["image"] == new[0].name]
        self.write_rows("more.csv", self.rows("faces/labeled.csv") + rows)
        moved = new[0].rename(self.folder / "faces/labeled" / new[0].name)
        self.assertEqual(self.guarantee(),
                         "none (the candidates were changed after results were seen)")
        self.assertEqual(self.guarantee(landmarks="more.csv"),
                         "none (a candidate was reviewed before the decision)")
        moved.rename(new[0])
        self.assertEqual(self.guarantee(), "FDR")

    def test_notice_changed_scales(self):
        """The tolerance in pixels is that in millimeters over the scale."""
        self.assertEqual(self.guarantee("--scale", "0.5", tolerance="2mm"), "FDR")
        self.assertEqual(self.guarantee("--scale", "0.25", tolerance="2mm"),
                         "none (the tolerance was changed after results were seen)")
        self.assertEqual(self.guarantee("--scale", "0.5", tolerance="2mm"), "FDR")
        (self.folder / "plan.json").unlink()
        self.assertEqual(self.guarantee("--scale", "0.5"), "FDR")
        self.assertEqual(self.guarantee("--scale", "0.25"), "FDR")  # pixels need none

    def test_notice_changed_images_of_the_same_names(self):
        self.guarantee()
        one, other = sorted((self.folder / "faces/new").iterdir())[:2]
        content = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(content)
        self.assertEqual(self.guarantee(),
                         "none (the candidates were changed after results were seen)")

    def test_notice_changed_labels(self):
        self.guarantee()
        rows = self.rows("faces/labeled.csv")
        rows[0]["x"] = str(float(rows[0]["x"]) + 0.5)
        self.assertEqual(self.guarantee(landmarks=self.write_rows("other.csv", rows)),
                         "none (the labeled examples were changed after results were seen)")

    def test_that_are_damaged_are_refused(self):
        for text, message in (("{", "expected a JSON object of that kind"),
                              ("[]", "expected a JSON object of that kind"),
                              ('{"kind": "caos acceptance plan", "format": 2}', "its format is 2"),
                              ('{"kind": "caos acceptance plan", "format": 1}',
                               "'tolerance' must be a text")):
            self.write("plan.json", text)
            self.refuse(1, self.arguments(**{"--plan": "plan.json"}), "plan.json: not a plan", message)
            self.assertEqual((self.folder / "plan.json").read_text(), text)


if __name__ == "__main__":
    unittest.main()
