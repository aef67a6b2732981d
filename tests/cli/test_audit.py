"""`caos audit`: draw, label, report; the bound against exact fractions."""

import json
import shutil
import unittest
from fractions import Fraction
from math import comb, floor

from landmark_support import FacesTest
from support import ProgramTest


def tail(pool, total, audited, hits):
    """P(at least `hits` of the pool's `total` among `audited`), exactly."""
    draws = sum(comb(total, j) * comb(pool - total, audited - j) for j in range(hits, audited + 1))
    return Fraction(draws, comb(pool, audited))


def remaining_hits(pool, audited, hits, error):
    """The fewest hits among the units that were not audited for which the count is not too
    improbable."""
    total = next(k for k in range(pool + 1) if tail(pool, k, audited, hits) > error)
    return total - hits


def inside(outline, x, y):
    """By the patches' rule: left and upper edges belong to a region."""
    count = 0
    for ring in outline:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                count += 1
    return count % 2 == 1


class TheBound(ProgramTest):
    def bound(self, hits, audited, *more):
        return self.json("audit", "bound", "--hits", hits, "--of", audited, *more)

    def test_is_exact(self):
        for pool, audited, hits in [(1000, 30, 30), (1000, 30, 27), (100, 1, 1), (77, 40, 39),
                                    (300, 100, 0), (50, 50, 48), (2000, 300, 290)]:
            for confidence in ["0.95", "0.9", "0.999"]:
                found = self.bound(hits, audited, "--pool-size", pool, "--confidence", confidence)
                expected = remaining_hits(pool, audited, hits, 1 - Fraction(confidence))
                self.assertEqual(found["remaining_hits_at_least"], expected)
                self.assertEqual(found["remaining"], pool - audited)
                share = expected / (pool - audited) if pool > audited else 1
                self.assertEqual(found["share_at_least"], share)

    def test_of_several_statements_divides_the_error(self):
        found = self.bound(29, 30, "--pool-size", 500, "--statements", 7)
        expected = remaining_hits(500, 30, 29, Fraction(1, 20) / 7)
        self.assertEqual(found["remaining_hits_at_least"], expected)
        self.assertIn("for all 7 statements together", found["statement"])

    def test_of_thirty_hits_of_thirty_is_ninety_percent_and_a_half(self):
        found = self.bound(30, 30)
        self.assertIsNone(found["pool"])
        self.assertEqual(found["share_at_least"], floor(0.05 ** (1 / 30) * 1e9) / 1e9)
        self.assertAlmostEqual(self.bound(30, 30, "--pool-size", 10**9)["share_at_least"], 0.905, 3)
        text = self.output("audit", "bound", "--hits", 30, "--of", 30, "--pool-size", 1000)
        self.assertEqual(text.splitlines()[0],
                         "30 hits of 30. With 95 % confidence at least 90.41 % of the remaining "
                         "970 units are hits.")
        self.assertIn("the audited units are a random draw from the pool", text)
        self.assertNotIn("images", text)

    def test_refuses_what_cannot_be(self):
        def refuse(*arguments, said):
            self.refuse(2, ["audit", "bound", *arguments], said)
        refuse("--hits", 31, "--of", 30, said="31 hits of 30 audited units")
        refuse("--hits", 3, "--of", 30, "--pool-size", 20, said="30 audited units of a pool of 20")
        refuse("--hits", 3, "--of", 30, "--confidence", "95", said="confidence '95'")


class AuditTest(FacesTest):
    n = 24
    num_new = 40

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.regions_text = None

    def setUp(self):
        super().setUp()
        if type(self).regions_text is None:
            self.calibrate()
            self.predict("--alpha", "0.2")
            type(self).regions_text = (self.folder / "regions.json").read_text()
        self.write("regions.json", self.regions_text)

    def draw(self, *more, m=12):
        seed = [] if "--seed" in more else ["--seed", 0]
        return self.json("audit", "draw", "regions.json", "--m", m, "--out", "plan.json", *seed, *more)

    def images(self):
        return [unit["image"] for unit in json.loads(self.regions_plan())["units"]]

    def regions_plan(self):
        return (self.folder / "plan.json").read_text()

    def label(self, images, change=lambda row: row):
        rows = [change(row) for row in self.rows("faces/new.csv") if row["image"] in set(images)]
        return self.write_rows("audit.csv", rows)

    def report(self, *more):
        return self.json("audit", "report", "plan.json", "--landmarks", "audit.csv", *more)


class Reports(AuditTest):
    def expected_misses(self, images, landmark):
        regions = {image["image"]: {one["landmark"]: one["outline"] for one in image["landmarks"]}
                   for image in json.loads(self.regions_text)["images"]}
        points = {(row["image"], row["landmark"]): row for row in self.rows("audit.csv")}
        missed = []
        for image in images:
            row = points.get((image, landmark))
            if row and row["x"] and not inside(regions[image][landmark], float(row["x"]),
                                               float(row["y"])):
                missed.append(image)
        return missed

    def test_count_hits_of_the_drawn_images(self):
        plan = self.draw("--seed", 3)
        self.assertEqual((plan["pool"], plan["audited"]), (40, 12))
        images = self.images()
        self.assertEqual(len(set(images)), 12)
        self.label(images)
        found = self.report()
        landmarks = [one["landmark"] for one in json.loads(self.regions_text)["landmarks"]]
        self.assertEqual([one["landmark"] for one in found["findings"]], [*landmarks, None])
        all_missed = set()
        for one in found["findings"][:-1]:
            missed = self.expected_misses(images, one["landmark"])
            all_missed |= set(missed)
            self.assertEqual(one["missed"], missed)
            self.assertEqual(one["hits"], 12 - len(missed))
            self.assertEqual(one["remaining_hits_at_least"],
                             remaining_hits(40, 12, one["hits"], Fraction(1, 20)))
            self.assertIn(f"of the remaining 28 regions of {one['landmark']} contain",
                          one["statement"])
        self.assertGreater(len(all_missed), 0)
        self.assertEqual(set(found["findings"][-1]["missed"]), all_missed)
        self.assertIn("all landmarks that are present", found["findings"][-1]["statement"])

    def test_count_an_image_without_the_landmark_as_a_hit(self):
        self.draw()
        images = self.images()
        lacking = images[0]

        def drop(row):
            if row["image"] == lacking and row["landmark"] == "chin":
                return row | {"x": "", "y": ""}
            return row
        self.label(images, drop)
        chin = next(one for one in self.report()["findings"] if one["landmark"] == "chin")
        self.assertEqual(chin["absent"], 1)
        self.assertNotIn(lacking, chin["missed"])
        self.assertIn("an image without it, or in which it is hidden, counts as if they did",
                      chin["statement"])

    def test_need_a_state_of_every_landmark_of_every_image(self):
        """Unfinished labeling would be all hits."""
        self.draw()
        images = self.images()
        rows = [row for row in self.rows("faces/new.csv") if row["image"] in images]
        first = rows[0]["landmark"]
        unfinished = [row for row in rows if row["landmark"] == first or row["image"] == images[0]]
        self.write_rows("audit.csv", unfinished)
        run = self.run_caos("audit", "report", "plan.json", "--landmarks", "audit.csv")
        self.assertEqual((run.code, run.out), (1, ""))
        self.assertIn("audit.csv: does not mention landmark", run.err)
        self.assertIn(f"of the image '{images[1]}'", run.err)
        self.assertIn("--unlisted-are-absent", run.err)
        found = self.report("--unlisted-are-absent")
        for one in found["findings"][:-1]:
            self.assertEqual(one["absent"], 0 if one["landmark"] == first else 11)

    def test_say_that_hidden_landmarks_count_as_absent(self):
        self.draw()
        images = self.images()

        def hide(row):
            return row | {"visible": "0" if row["landmark"] == "chin" else "1"}
        self.label(images, hide)
        chin, whole = (next(one for one in self.report()["findings"] if one["landmark"] == name)
                       for name in ("chin", None))
        self.assertEqual((chin["absent"], chin["hits"]), (12, 12))
        self.assertIn("an image without it, or in which it is hidden, counts", chin["statement"])
        self.assertIn("all landmarks that are present and not hidden lie inside", whole["statement"])
        used = self.report("--use-hidden")["findings"]
        chin = next(one for one in used if one["landmark"] == "chin")
        self.assertEqual(chin["absent"], 0)
        self.assertIn("; an image without it counts as if they did", chin["statement"])

    def test_of_a_second_audit_are_about_other_images(self):
        """Without --seed every audit draws its own, and the plan says which."""
        seeds = set()
        draws = set()
        for _ in range(3):
            plan = self.json("audit", "draw", "regions.json", "--m", 12, "--out", "plan.json")
            seeds.add(plan["seed"])
            draws.add(tuple(unit["image"] for unit in plan["units"]))
            again = self.draw("--seed", plan["seed"])
            self.assertEqual(again, plan)
        self.assertEqual((len(seeds), len(draws)), (3, 3))
        self.label(self.images())
        self.report()

    def test_hold_together_on_request(self):
        self.draw("--together")
        self.label(self.images())
        found = self.report()
        for one in found["findings"]:
            self.assertEqual(one["statements"], len(found["findings"]))
            self.assertEqual(one["remaining_hits_at_least"],
                             remaining_hits(40, 12, one["hits"],
                                            Fraction(1, 20) / len(found["findings"])))

    def test_of_subjects_take_one_image_of_each(self):
        names = [image["image"] for image in json.loads(self.regions_text)["images"]]
        whose = {name: f"s{i // 4}" for i, name in enumerate(names)}
        self.write_rows("subjects.csv",
                        [{"image": name, "subject": subject} for name, subject in whose.items()])
        plan = self.draw("--subjects", "subjects.csv", m=6)
        self.assertEqual((plan["pool"], len(plan["units"])), (10, 6))
        self.assertEqual(len({unit["subject"] for unit in plan["units"]}), 6)
        for unit in plan["units"]:
            self.assertEqual(unit["subject"], whose[unit["image"]])
        self.label(self.images())
        found = self.report()
        self.assertEqual(found["unit"], "subject")
        self.assertIn("in the remaining 4 subjects (one image of each, drawn at random)",
                      found["findings"][0]["statement"])

    def test_are_the_same_from_another_format(self):
        self.draw()
        self.label(self.images())
        found = self.report()
        self.landmarks("convert", "audit.csv", "audit.json", "--to", "coco",
                       "--images", "faces/new")
        again = self.json("audit", "report", "plan.json", "--landmarks", "audit.json")
        self.assertEqual(again, found)


class Refusals(AuditTest):
    def setUp(self):
        super().setUp()
        self.draw()
        self.drawn_images = self.images()

    def refused(self, *said, more=()):
        return self.refuse(1, ["audit", "report", "plan.json", "--landmarks", "audit.csv", *more],
                           *said)

    def test_of_an_image_that_was_not_labeled(self):
        self.label(self.drawn_images[:-1])
        self.refused("audit.csv: lacks the image", self.drawn_images[-1], "exactly the 12 images")

    def test_of_an_image_that_was_not_drawn(self):
        names = {row["image"] for row in self.rows("faces/new.csv")}
        other = sorted(names - set(self.drawn_images))[0]
        self.label([*self.drawn_images, other])
        self.refused("has the image", other, "leave others out")

    def test_of_regions_that_changed(self):
        self.label(self.drawn_images)
        self.write("regions.json", self.regions_text.replace('"alpha"', ' "alpha"', 1))
        self.refused("plan.json", "another version of regions.json", "draw a new audit")

    def test_of_images_that_were_exchanged(self):
        self.label(self.drawn_images)
        plan = json.loads(self.regions_plan())
        names = {row["image"] for row in self.rows("faces/new.csv")}
        other = sorted(names - set(self.drawn_images))[0]
        plan["units"][0]["image"] = other
        self.write("plan.json", json.dumps(plan))
        self.label([unit["image"] for unit in plan["units"]])
        self.refused("plan.json", "the plan was changed after it was drawn; draw a new audit")

    def test_of_a_plan_that_was_changed(self):
        """Confidence, m and together could be chosen once the labels are known."""
        text = self.regions_plan()
        self.label(self.drawn_images[:-1])
        for change in ({"confidence": "0.5"}, {"together": True}, {"audited": 11}, {"seed": 1},
                       {"pool": 41}, {"units": json.loads(text)["units"][:-1]},
                       {"units": json.loads(text)["units"][:-1], "audited": 11},
                       {"regions": json.loads(text)["regions"] | {"path": "other.json"}}):
            self.write("plan.json", json.dumps(json.loads(text) | change))
            self.refused("plan.json", "the plan was changed after it was drawn")
        plan = json.loads(text)
        del plan["checksum"]
        self.write("plan.json", json.dumps(plan))
        self.refused("plan.json", "has no 'checksum'")

    def test_of_a_landmark_under_another_name(self):
        self.label(self.drawn_images, lambda row: row | {
            "landmark": row["landmark"].replace("chin", "Chin")})
        run = self.run_caos("audit", "report", "plan.json", "--landmarks", "audit.csv")
        self.assertEqual(run.code, 1)
        self.assertIn("has no landmark 'chin', which regions.json has regions for", run.err)

    def test_of_more_images_than_there_are(self):
        self.refuse(2, ["audit", "draw", "regions.json", "--m", 41, "--out", "more.json"],
                    "has 40 images; 41 of them cannot be drawn")

    def test_of_what_is_not_a_plan_or_regions(self):
        self.label(self.drawn_images)
        shutil.copy(self.folder / "regions.json", self.folder / "plan.json")
        self.refused("not a plan of version 1")
        self.write("regions.json", "{}")
        self.refuse(1, ["audit", "draw", "regions.json", "--m", 3, "--out", "more.json"],
                    "regions.json", "has no 'landmarks'")


if __name__ == "__main__":
    unittest.main()
