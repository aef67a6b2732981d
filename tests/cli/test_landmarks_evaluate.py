"""`caos landmarks evaluate` from arrays, against the oracle; the sets that it writes."""

import itertools
import json
import unittest

import numpy as np

import oracle
from landmark_support import (MISSING, SCORES, Images, bits, landmark_problem, random_split)
from support import ProgramTest

MISUSED = 2
FAILED = 1
ALPHAS = ["0.1", "0.25", "0.5"]


class ArraysTest(ProgramTest):
    def arrays(self, labeled, test):
        return ["landmarks", "evaluate", "--embeddings", self.save("embeddings", labeled.embeddings),
                "--labels", self.save("labels", labeled.labels),
                "--test-embeddings", self.save("test-embeddings", test.embeddings),
                "--test-labels", self.save("test-labels", test.labels)]

    def sets_of(self, *arguments):
        self.succeed(*arguments, "--sets", "sets.npy")
        return np.load(self.folder / "sets.npy")


class EvaluateFromArrays(ArraysTest):
    def check_against_oracle(self, labeled, test, score, k=3):
        """Results by landmark and, for the two methods, the written sets."""
        data = self.arrays(labeled, test)
        more = ["--alpha", ",".join(ALPHAS), "--k", k, "--score", score, "--quiet"]
        for method in ("caos", "full-caos"):
            results = self.json(*data, *more, "--methods", method, "--sets", "sets.npy")["results"]
            sets = np.load(self.folder / "sets.npy")
            self.assertEqual(sets.dtype, np.uint8)
            num_test, num_patches, _ = test.embeddings.shape
            self.assertEqual(sets.shape, (len(ALPHAS), num_test, labeled.labels.shape[1],
                                          (num_patches + 7) // 8))
            for t in range(labeled.labels.shape[1]):
                problem, tested = landmark_problem(labeled, test, t, k, SCORES[score])
                for a, alpha in enumerate(ALPHAS):
                    expected = oracle.METHODS[method](problem, alpha)
                    found = results[a]["landmarks"][t]
                    self.assertEqual(found["n"], problem.n)
                    self.assertEqual(found["feasible"], expected.feasible)
                    self.assertAlmostEqual(found["smallest_feasible_alpha"], 1 / (problem.n + 1))
                    self.assertEqual(found["rank"], expected.rank)
                    for x, (one,) in zip(tested, expected.sets):
                        np.testing.assert_array_equal(sets[a, x, t], bits(one, num_patches),
                                                      f"{method} {alpha} image {x} landmark {t}")
                    summary = oracle.summary(problem, expected)
                    self.assertAlmostEqual(found["coverage"], float(summary["coverage"]))
                    self.assertAlmostEqual(found["mean_set_size"], float(summary["mean_set_size"]))

    def test_agrees_with_the_oracle_under_the_cosine(self):
        for seed in range(4):
            with self.subTest(seed=seed):
                self.check_against_oracle(*random_split(seed), "cosine", k=1 + seed % 3)

    def test_agrees_with_the_oracle_under_scores_that_are_not_symmetric(self):
        for seed, score in enumerate(["margin:3", "softmax:0.1"]):
            with self.subTest(score=score):
                self.check_against_oracle(*random_split(10 + seed), score)

    def test_summarizes_over_landmarks(self):
        labeled, test = random_split(20, missing=0.1)
        result, = self.json(*self.arrays(labeled, test), "--alpha", "0.3", "--methods", "caos",
                            "--quiet")["results"]
        coverages = [landmark["coverage"] for landmark in result["landmarks"]]
        self.assertAlmostEqual(result["coverage"]["mean"], np.mean(coverages))
        self.assertAlmostEqual(result["coverage"]["standard_error_over_landmarks"],
                               np.std(coverages, ddof=1) / len(coverages) ** 0.5)
        sizes = [landmark["mean_set_size"] for landmark in result["landmarks"]]
        self.assertAlmostEqual(result["mean_set_size"]["mean"], np.mean(sizes))

    def test_errors_are_over_test_images(self):
        """Every image has every landmark, so that an image's mean is that of its outcomes."""
        labeled, test = random_split(21, missing=0)
        found = self.json(*self.arrays(labeled, test), "--alpha", "0.3", "--methods", "caos", "--quiet")
        result, = found["results"]
        num_test, num_landmarks = test.labels.shape
        covered = np.empty((num_test, num_landmarks))
        for t in range(num_landmarks):
            problem, tested = landmark_problem(labeled, test, t, 3)
            measured = oracle.outcomes(problem, oracle.METHODS["caos"](problem, "0.3"))
            covered[tested, t] = [float(hit) for hit, _ in measured]
        means = covered.mean(axis=1)
        self.assertAlmostEqual(result["coverage"]["standard_error"],
                               means.std(ddof=1) / num_test ** 0.5)
        self.assertEqual((found["error_over"], found["error_over_count"]), ("images", num_test))
        text = self.output(*self.arrays(labeled, test), "--alpha", "0.3", "--quiet")
        self.assertIn(f"standard error over the {num_test} test images of this one split", text)

    def test_splits_the_images_once_for_all_landmarks_and_split_methods(self):
        """Which half are references is the program's secret; one half explains all it says."""
        labeled, test = random_split(30, n=8, m=5, missing=0, num_landmarks=2)
        methods = ["scos", "scos-best", "scos-oracle"]
        found = self.json(*self.arrays(labeled, test), "--alpha", "0.4", "--k", 2, "--methods",
                          ",".join(methods), "--quiet")["results"]
        told = [(landmark["coverage"], landmark["mean_set_size"])
                for result in found for landmark in result["landmarks"]]

        def explained(references):
            problems = [landmark_problem(labeled, test, t, 2, references=references)[0]
                        for t in range(2)]
            sums = [oracle.summary(p, oracle.METHODS[method](p, "0.4"))
                    for method in methods for p in problems]
            return [(float(s["coverage"]), float(s["mean_set_size"])) for s in sums]

        halves = itertools.combinations(range(8), 4)
        self.assertTrue(any(np.allclose(told, explained(half)) for half in halves))

    def test_holds_all_landmarks_at_once_where_asked(self):
        labeled, test = random_split(40, n=15, m=8)
        found = self.json(*self.arrays(labeled, test), "--alpha", "0.1,0.3", "--simultaneous",
                          "--quiet")["simultaneous"]
        num_landmarks = labeled.labels.shape[1]
        problems = [landmark_problem(labeled, Images(test.embeddings, np.zeros_like(test.labels)),
                                     t, 3)[0] for t in range(num_landmarks)]
        largest = {}
        for t, p in enumerate(problems):
            having = np.flatnonzero(labeled.labels[:, t] != MISSING)
            for i, image in enumerate(having):
                score = oracle.own_score(p, i, range(p.n))
                largest[image] = max(largest.get(image, score), score)
        for alpha, result in zip(["0.1", "0.3"], found):
            limit = oracle.threshold(list(largest.values()), alpha)
            separate = [oracle.caos(p, alpha).sets for p in problems]
            covered, apart, sizes = [], [], []
            for x, truths in enumerate(test.labels):
                sets = [{y for y, pool in enumerate(p.test[x]) if oracle.minsum(pool, 3) <= limit}
                        for p in problems]
                present = [t for t in range(num_landmarks) if truths[t] != MISSING]
                covered.append(all(truths[t] in sets[t] for t in present))
                apart.append(all(truths[t] in separate[t][x][0] for t in present))
                sizes.append(np.mean([len(sets[t]) for t in present]))
            self.assertEqual(result["n"], len(largest))
            self.assertAlmostEqual(result["coverage"], np.mean(covered))
            self.assertAlmostEqual(result["covered_separately"], np.mean(apart))
            self.assertAlmostEqual(result["mean_set_size"], np.mean(sizes))

    def test_gives_the_same_bytes_with_any_number_of_threads(self):
        labeled, test = random_split(50, n=30, m=17, num_patches=37)
        for method in ("caos", "full-caos"):
            for score in SCORES:
                runs = []
                for threads in (1, 2, 5):
                    run = self.succeed(
                        *self.arrays(labeled, test), "--methods", f"{method},scos", "--score", score,
                        "--simultaneous", "--threads", threads, "--sets", "sets.npy", "--json")
                    runs.append((run.out, run.err, (self.folder / "sets.npy").read_bytes()))
                self.assertEqual(runs[0], runs[1])
                self.assertEqual(runs[0], runs[2])

    def test_leaves_out_landmarks_of_too_few_images(self):
        labeled, test = random_split(60, n=10, missing=0)
        labeled.labels[3:, 2] = MISSING
        run = self.succeed(*self.arrays(labeled, test), "--sets", "sets.npy")
        self.assertIn("left out, as fewer than 4 images of different subjects have them: 2", run.err)
        self.assertEqual(np.load(self.folder / "sets.npy").shape[2], 3)

    def test_a_landmark_that_no_test_image_has_still_gets_sets(self):
        labeled, test = random_split(70)
        test.labels[:, 1] = MISSING
        result = self.json(*self.arrays(labeled, test), "--alpha", "0.3", "--quiet")["results"][0]
        self.assertIsNone(result["landmarks"][1]["coverage"])
        self.assertIsNotNone(result["landmarks"][0]["coverage"])

    def test_infeasible_alphas_are_warned_of_and_give_every_patch(self):
        labeled, test = random_split(80, n=9, missing=0)
        run = self.succeed(*self.arrays(labeled, test), "--alpha", "0.05", "--methods", "caos",
                           "--sets", "sets.npy")
        self.assertIn("caos at alpha 0.05: 19 calibration images are needed; 4 of 4 landmarks have "
                      "fewer, so their sets are every patch", run.err)
        full = bits(range(test.embeddings.shape[1]), test.embeddings.shape[1])
        self.assertTrue((np.load(self.folder / "sets.npy") == full).all())


    def test_compares_caos_full_caos_and_scos_by_default_where_the_score_permits_it(self):
        arrays = self.arrays(*random_split(90))
        for score, methods in (("cosine", ["caos", "full-caos", "scos"]), ("geometry", ["caos", "scos"])):
            run = self.succeed(*arrays, "--grid", "11x1", "--score", score, "--json")
            self.assertEqual([r["method"] for r in json.loads(run.out)["results"]], methods)
            self.assertEqual("left out: full-caos" in run.err, score == "geometry")


class Refusals(ArraysTest):
    def setUp(self):
        super().setUp()
        self.labeled, self.test = random_split(1, n=6)
        self.data = self.arrays(self.labeled, self.test)

    def with_arrays(self, **changed):
        for name, values in changed.items():
            self.save(name.replace("_", "-"), values)
        return self.data

    def test_of_missing_arguments_say_what_to_give(self):
        for count in range(2, 10, 2):
            self.refuse(MISUSED, self.data[:count], "give --embeddings, --labels",
                        "or --images and --landmarks")

    def test_of_labels_name_the_element(self):
        labels = self.test.labels.copy()
        labels[2, 1] = 11
        self.refuse(FAILED, self.with_arrays(test_labels=labels), "test-labels.npy",
                    "element [2, 1] is 11", "0 to 10", "-1 is missing")
        self.save("test-labels", self.test.labels)
        labels = self.labeled.labels.copy()
        labels[3, 2] = 99
        self.refuse(FAILED, self.with_arrays(labels=labels), "labels.npy", "element [3, 2] is 99",
                    "0 to 10")

    def test_of_shapes_name_both_files(self):
        self.refuse(MISUSED, self.with_arrays(labels=self.labeled.labels[:4]), "labels.npy",
                    "for 4 images", "of 6")
        self.save("labels", self.labeled.labels)
        self.refuse(MISUSED, self.with_arrays(test_embeddings=self.test.embeddings[..., :3]),
                    "test-embeddings.npy", "dimension 3", "embeddings.npy has 7")
        self.save("test-embeddings", self.test.embeddings)
        self.refuse(MISUSED, self.with_arrays(test_labels=self.test.labels[:, :3]),
                    "test-labels.npy", "3 landmarks", "4")

    def test_of_embeddings_that_are_no_numbers_or_zero(self):
        for value in (np.nan, np.inf, 0):
            embeddings = self.labeled.embeddings.copy()
            embeddings[4, 2] = value
            self.refuse(FAILED, self.with_arrays(embeddings=embeddings), "embeddings.npy", "image 4")

    def test_of_settings_come_before_files_are_read(self):
        self.refuse(MISUSED, [*self.data, "--k", 6], "no landmark is in 7 labeled images",
                    "k = 6 needs")
        self.refuse(MISUSED, [*self.data, "--sets", "s.npy", "--methods", "scos"], "--sets",
                    "caos or full-caos")
        self.refuse(MISUSED, [*self.data, "--score", "margin:-1"], "margin")
        self.refuse(MISUSED, [*self.data, "--score", "euclid"], "euclid", "cosine")
        self.refuse(MISUSED, [*self.data, "--alpha", "1.5"], "1.5")
        self.refuse(MISUSED, [*self.data, "--sets", "labels.npy"], "labels.npy", "another name")


if __name__ == "__main__":
    unittest.main()
