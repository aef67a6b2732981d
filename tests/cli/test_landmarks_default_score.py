"""The score and the cells where none are named: geometry and 4 pixels, or cosine where that cannot be."""

import json
import unittest

import numpy as np

from landmark_support import FacesTest, random_split
from support import ProgramTest

MISUSED = 2


class DefaultScore(FacesTest):
    n = 16
    num_new = 3

    def labeled(self):
        return ["--images", "faces/labeled", "--landmarks", "faces/labeled.csv"]

    def test_is_geometry_with_cells_of_four_pixels(self):
        made = self.json("landmarks", "calibrate", *self.labeled(), "--out", "model.caos")
        self.assertEqual((made["score"], made["cell"]), ("geometry", 4))
        self.assertIn("score geometry, cells of 4 px,", self.output("inspect", "model.caos"))
        said = self.json("landmarks", "predict", "model.caos", "faces/new", "--out", "r.json",
                         "--scale", "0.5")
        file = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((said["cell"], file["score"], file["cell"]), (4, "geometry", 4))
        for image in file["images"]:
            self.assertEqual(image["grid"], {"columns": 48, "rows": 56, "patch_size": 4})
            for region in image["landmarks"]:
                self.assertLessEqual(region["area"], 16 * region["set_size"])
                self.assertAlmostEqual(region["area_mm2"], region["area"] / 4, places=2)
        areas = [region["area"] for image in file["images"] for region in image["landmarks"]]
        self.assertAlmostEqual(said["mean_region_area"], np.mean(areas), places=2)
        self.assertAlmostEqual(said["mean_region_area_mm2"], np.mean(areas) / 4, places=2)
        text = self.output("landmarks", "predict", "model.caos", "faces/new", "--out", "r.csv",
                           "--scale", "0.5")
        self.assertRegex(text, r"sets of \d+\.\d\d cells of 4 px \(\d\.\d\d % of the image, [\d.]+ px² or "
                               r"[\d.]+ mm²\) on average")

    def test_makes_smaller_regions_than_cosine(self):
        areas = {}
        for score in ([], ["--score", "cosine"]):
            found = self.json("landmarks", "evaluate", *self.labeled(), "--alpha", "0.3", "--k", 1,
                              "--methods", "caos", *score)
            areas[found["score"]] = found["results"][0]["mean_region_area"]
        self.assertLess(areas["geometry"], 0.7 * areas["cosine"])

    def test_leaves_full_caos_to_cosine(self):
        evaluate = ["landmarks", "evaluate", *self.labeled(), "--k", 1, "--alpha", "0.3"]
        run = self.succeed(*evaluate, "--json")
        self.assertIn("left out: full-caos is not available with the score geometry; it is with "
                      "--score cosine", run.err)
        found = json.loads(run.out)
        self.assertEqual((found["score"], found["cell"]), ("geometry", 4))
        self.assertEqual([one["method"] for one in found["results"]], ["caos", "scos"])
        self.refuse(MISUSED, [*evaluate, "--methods", "full-caos"], "full-caos", "the score cosine")
        named = self.json(*evaluate, "--score", "cosine")
        self.assertEqual((named["score"], named["cell"]), ("cosine", None))
        self.assertIn("full-caos", [one["method"] for one in named["results"]])

    def test_is_cosine_where_images_are_rotated_or_aligned(self):
        for more, said in ((["--rotation", "small"], "with --rotation the default score is cosine"),
                           (["--location-sigma", "24"],
                            "with a location prior the default score is cosine")):
            with self.subTest(more=more):
                run = self.succeed("landmarks", "calibrate", *self.labeled(), "--out", "m.caos",
                                   *more, "--json")
                self.assertIn(said, run.err)
                made = json.loads(run.out)
                self.assertEqual((made["score"], made["cell"]), ("cosine", None))
        help_text = " ".join(self.output("landmarks", "calibrate", "--help").split())
        self.assertIn("[geometry; cosine with --rotation, --location-sigma, --location-weight]",
                      help_text)

    def test_accepts_points(self):
        accept = ["landmarks", "accept", *self.labeled(), "--candidates", "faces/new", "--tolerance",
                  "5px", "--fdr", "0.3", "--plan", "plan.json", "--out", "accepted.json"]
        self.assertEqual(self.json(*accept)["guarantee"], "FDR")
        # The plan remembers what proposed.
        named = self.json(*accept, "--score", "geometry", "--cell", "4")
        self.assertEqual(named["guarantee"], "FDR")
        self.assertIn("none", self.json(*accept, "--score", "cosine")["guarantee"])

    def test_stands_beside_the_papers_in_the_experiment(self):
        arguments = [*self.labeled(), "--alpha", "0.3", "--k", 1, "--seed", 5]
        found = self.json("experiment", "landmarks", *arguments, "--out", "report")
        self.assertEqual(found["setting"]["score"], "cosine")
        beyond = {one["score"]: one for one in found["beyond"]}
        self.assertEqual(list(beyond), ["cosine", "margin:3", "softmax:0.02", "geometry",
                                        "geometry, cells of 4 px"])
        of_default = beyond["geometry, cells of 4 px"]
        self.assertEqual((of_default["cell"], beyond["geometry"]["cell"]), (4, None))
        evaluated = self.json("landmarks", "evaluate", *arguments, "--methods", "caos")
        result = evaluated["results"][0]
        self.assertEqual(of_default["coverage"]["mean"], result["coverage"]["mean"])
        self.assertAlmostEqual(of_default["mean_set_size"]["mean"],
                               result["mean_set_size"]["mean"] / 16, places=12)
        self.assertAlmostEqual(of_default["ratio_to_cosine"],
                               of_default["mean_set_size"]["mean"]
                               / beyond["cosine"]["mean_set_size"]["mean"], places=12)


class DefaultScoreOfArrays(ProgramTest):
    def test_needs_a_grid(self):
        labeled, test = random_split(3, n=12, m=4, num_patches=12)
        arguments = ["landmarks", "evaluate", "--embeddings", self.save("e", labeled.embeddings),
                     "--labels", self.save("l", labeled.labels), "--test-embeddings",
                     self.save("t", test.embeddings), "--test-labels", self.save("y", test.labels)]
        self.assertEqual(self.json(*arguments)["score"], "cosine")
        self.assertEqual(self.json(*arguments, "--grid", "4x3")["score"], "geometry")


if __name__ == "__main__":
    unittest.main()
