"""`caos inspect`, `caos advise` and `caos generate`."""

import json
import unittest
from fractions import Fraction

import numpy as np

import oracle
from support import ProgramTest, TaskTest, random_task


class InspectACalibration(TaskTest):
    def test_tells_n_k_labels_guarantee_and_feasible_alphas(self):
        task = random_task(1, n=24, num_labels=5, k=3)
        self.calibrate(task)
        found = self.json("inspect", "model.caos")
        self.assertEqual(found["kind"], "calibration")
        self.assertEqual((found["n"], found["k"], found["num_labels"]), (24, 3, 5))
        self.assertEqual(found["smallest_feasible_alpha"], 1 / 25)
        self.assertEqual((found["method"], found["guarantee"]), ("caos", "marginal"))
        self.assertRegex(found["checksum"], r"^[0-9a-f]{16}$")
        version = self.output("--version").split()[1]
        self.assertIn(version, found["written_by"])
        for level in found["thresholds"]:
            expected = oracle.caos(task.problem(), str(level["alpha"]))
            self.assertEqual(level["rank"], expected.rank)
            limit = None if expected.threshold == oracle.inf else expected.threshold
            self.assertEqual(level["threshold"], limit)

    def test_does_not_invent_a_number_of_labels(self):
        task = random_task(2, n=10)
        self.succeed("calibrate", "--calibration", self.save("own", task.own()), "--k", 2,
                     "--out", "model.caos")
        self.assertIsNone(self.json("inspect", "model.caos")["num_labels"])

    def test_lists_the_groups_and_their_feasible_alphas(self):
        task = random_task(3, n=10, k=2)
        self.calibrate(task, "--groups", self.save("groups", [7] * 6 + [-1] * 4))
        found = self.json("inspect", "model.caos")
        self.assertEqual(found["guarantee"], "group-conditional")
        groups = [(g["group"], g["n"], g["smallest_feasible_alpha"]) for g in found["groups"]]
        self.assertEqual(groups, [(-1, 4, 1 / 5), (7, 6, 1 / 7)])
        text = self.output("inspect", "model.caos")
        self.assertRegex(text, r"(?m)^-1 +4 +0\.2$")

    def test_is_readable(self):
        self.calibrate(random_task(4, n=24, k=3))
        text = self.output("inspect", "model.caos")
        self.assertTrue(text.startswith("model.caos: "))
        for row in (r"n +24", r"k +3", r"smallest feasible alpha +0\.04", r"0\.05 +24 of 24"):
            self.assertRegex(text, row)
        self.assertRegex(text, r"0\.01 .*inf")

    def test_reads_standard_input(self):
        self.calibrate(random_task(5, n=10))
        content = self.files()["model.caos"]
        self.assertEqual(self.json("inspect", "-", stdin=content)["n"], 10)


class InspectAnArray(ProgramTest):
    def inspect(self, values, dtype=None):
        return self.json("inspect", self.save("array", values, dtype))

    def test_tells_type_shape_and_range(self):
        found = self.inspect([[0.5, -2.0], [np.inf, np.nan], [3.0, -np.inf]])
        self.assertEqual(found["kind"], "array")
        self.assertEqual(found["shape"], [3, 2])
        self.assertEqual((found["smallest"], found["largest"]), (-2.0, 3.0))
        counts = (found["nan"], found["plus_infinity"], found["minus_infinity"])
        self.assertEqual(counts, (1, 1, 1))

    def test_warns_of_values_that_would_be_refused(self):
        for value, warned in ((np.nan, True), (-np.inf, True), (np.inf, False), (1.0, False)):
            run = self.succeed("inspect", self.save("array", [value, 0.0]))
            self.assertEqual("caos: warning: " in run.err, warned, value)

    def test_says_what_the_shape_could_be_used_for(self):
        self.assertIn("labels", self.inspect([1, 2])["possible_use"])
        self.assertIn("--calibration", self.inspect(np.zeros((4, 4)))["possible_use"])
        self.assertIn("--labeled", self.inspect(np.zeros((4, 2, 4)))["possible_use"])
        other = self.inspect(np.zeros((5, 2, 4)))["possible_use"]
        self.assertIn("--test", other)
        self.assertIn("embeddings", other)
        self.assertNotIn("--labeled", other)

    def test_reads_every_number_type(self):
        for dtype in ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            with self.subTest(dtype=dtype):
                found = self.inspect([3, 1, 2], np.dtype(dtype))
                self.assertEqual((found["smallest"], found["largest"]), (1, 3))

    def test_of_no_values_has_no_range(self):
        found = self.inspect(np.zeros((0, 3, 4)))
        self.assertEqual((found["smallest"], found["largest"]), (None, None))
        self.assertNotIn("inf to -inf", self.output("inspect", "array.npy"))

    def test_reads_standard_input(self):
        self.save("array", np.arange(6.0).reshape(2, 3))
        content = self.files()["array.npy"]
        self.assertEqual(self.json("inspect", "-", stdin=content)["shape"], [2, 3])


class Advise(TaskTest):
    def test_tells_rank_and_feasibility_exactly(self):
        cases = [(99, "0.1", 90), (40, "0.1", 37), (19, "0.05", 19), (18, "0.05", 19),
                 (999, "0.001", 999), (998, "0.001", 999), (6, "0.3", 5)]
        for n, alpha, rank in cases:
            with self.subTest(n=n, alpha=alpha):
                found = self.json("advise", "--n", n, "--alpha", alpha)
                self.assertEqual(rank, oracle.rank(n, alpha))
                self.assertEqual(found["rank"], rank if rank <= n else None)
                self.assertEqual(found["every_label"], rank > n)
                self.assertEqual(found["examples_missing"],
                                 max(0, found["examples_needed"] - n))
                self.assertEqual(found["feasible"], rank <= n)
                self.assertEqual(found["smallest_feasible_alpha"], 1 / (n + 1))
                self.assertEqual(found["caos_coverage_at_least"], rank / (n + 1))

    def test_tells_ranks_that_floating_point_would_miss(self):
        for n in (9, 19, 29, 49, 99, 199, 499, 999):
            for alpha in ("0.1", "0.2", "0.3", "0.4", "0.6", "0.7", "0.8", "0.9"):
                exact = n + 1 - (n + 1) * int(alpha[2:]) // 10
                self.assertEqual(self.json("advise", "--n", n, "--alpha", alpha)["rank"], exact)

    def test_tells_the_fewest_examples_for_an_alpha(self):
        for alpha in ("0.1", "0.05", "0.3", "0.001", "0.07", "0.999", "1e-6", "0.5"):
            needed = self.json("advise", "--n", 10, "--alpha", alpha)["examples_needed"]
            self.assertTrue(oracle.feasible(needed, alpha))
            self.assertFalse(oracle.feasible(needed - 1, alpha))

    def test_tells_the_law_of_coverage_for_split_methods(self):
        for n, alpha, m in ((40, "0.1", 100), (99, "0.1", 30), (51, "0.2", 7)):
            with self.subTest(n=n):
                found = self.json("advise", "--n", n, "--alpha", alpha, "--num-test", m)["split"]
                half = n - n // 2
                a = oracle.rank(half, alpha)
                b = half + 1 - a
                self.assertEqual((found["calibration_examples"], found["rank"]), (half, a))
                self.assertEqual(found["mean_coverage"], a / (half + 1))
                deviation = (a * b / (a + b) ** 2 / (a + b + 1)) ** 0.5
                self.assertAlmostEqual(found["standard_deviation"], deviation, delta=1e-12)
                self.assert_quantile(found["coverage_5_percent"], 0.05, a, b)
                self.assert_quantile(found["coverage_95_percent"], 0.95, a, b)
                self.assert_count(found["observed_coverage_5_percent"], Fraction(5, 100), m, a, b)
                self.assert_count(found["observed_coverage_95_percent"], Fraction(95, 100), m, a, b)

    def assert_quantile(self, x, p, a, b):
        self.assertAlmostEqual(oracle.beta_cdf(x, a, b), p, delta=1e-9)

    def assert_count(self, share, p, m, a, b):
        """The smallest count of hits whose cumulative probability reaches p."""
        count = round(share * m)
        below = sum((oracle.beta_binomial(c, m, a, b) for c in range(count)), Fraction(0))
        self.assertLess(below, p)
        self.assertGreaterEqual(below + oracle.beta_binomial(count, m, a, b), p)

    def test_is_readable(self):
        text = self.output("advise", "--n", 99, "--alpha", "0.1")
        for row in (r"n = 99 .*alpha = 0\.1", r"rank +90 of 99", r"smallest feasible alpha +0\.01",
                    r"examples needed for this alpha +9\b", r"at least 0\.9\b", r"Beta\(46, 5\)", "exchangeable"):
            self.assertRegex(text, row)

    def test_says_how_many_more_examples_an_infeasible_alpha_needs(self):
        text = self.output("advise", "--n", 10, "--alpha", "0.05")
        self.assertRegex(text, r"infeasible [^L]*Label 9 more")
        self.assertNotIn("11 of 10", text)
        self.assertNotIn("at least 1,", text)
        self.assertEqual(text.splitlines()[2],
                         "alpha 0.05 is infeasible with 10 examples: every set is every label.")
        found = self.json("advise", "--n", 10, "--alpha", "0.05")
        self.assertEqual(list(found)[:4], ["n", "alpha", "feasible", "every_label"])
        self.assertIsNone(found["rank"])
        self.assertIsNone(found["split"]["rank"])
        self.assertNotIn("Beta(6, 0)", text)

    def test_shows_how_sets_shrink_with_more_labels(self):
        self.succeed("generate", "--out", "toy", "--n", 40, "--num-labels", 20, "--num-test", 1)
        arguments = ["--labeled", "toy/labeled.npy", "--labels", "toy/labels.npy", "--alpha", "0.2"]
        found = self.json("advise", *arguments)
        self.assertEqual((found["n"], found["rank"]), (40, 33))
        curve = found["learning_curve"]
        self.assertEqual([point["n"] for point in curve], [10, 20, 30, 36])
        self.assertLess(curve[-1]["mean_set_size"], curve[0]["mean_set_size"])
        for point in curve:
            self.assertTrue(0.5 < point["coverage"] <= 1)
            self.assertTrue(1 <= point["mean_set_size"] <= 20)
        self.assertEqual(self.json("advise", *arguments, "--seed", 0), found)
        self.assertNotEqual(self.json("advise", *arguments, "--seed", 1), found)
        text = self.output("advise", *arguments)
        self.assertRegex(text, rf"(?m)^36 +{curve[-1]['mean_set_size']:.3f} ")

    def test_of_subsamples_too_small_for_alpha_shows_every_label(self):
        task = random_task(8, n=20, num_labels=4, k=1)
        curve = self.json("advise", *self.save_labeled(task), "--k", 1, "--alpha",
                          "0.1")["learning_curve"]
        self.assertEqual((curve[0]["n"], curve[0]["feasible"]), (5, False))
        self.assertEqual((curve[0]["mean_set_size"], curve[0]["coverage"]), (4, 1))


class Generate(ProgramTest):
    FILES = ["labeled.npy", "labels.npy", "test-labels.npy", "test.npy"]

    def generate(self, folder, *more):
        return self.json("generate", "--out", folder, "--n", 12, "--num-labels", 5, "--num-test", 7,
                         *more)

    def test_writes_arrays_that_fit_the_contract(self):
        found = self.generate("toy")
        self.assertEqual(sorted(found["files"]), self.FILES)
        arrays = {name: np.load(self.folder / "toy" / name) for name in self.FILES}
        self.assertEqual(arrays["labeled.npy"].shape, (12, 5, 12))
        self.assertEqual(arrays["test.npy"].shape, (7, 5, 12))
        self.assertEqual(arrays["labels.npy"].shape, (12,))
        self.assertEqual(arrays["test-labels.npy"].shape, (7,))
        self.assertLess(arrays["labels.npy"].max(), 5)
        own = arrays["labeled.npy"][np.arange(12), arrays["labels.npy"]]
        self.assertTrue((own == own.T).all(), "the scores are to be symmetric")

    def test_writes_the_same_bytes_for_the_same_seed(self):
        for folder, seed in (("a", 0), ("b", 0), ("c", 1)):
            self.generate(folder, "--seed", seed)
        self.generate("d")
        files = self.files()
        for name in self.FILES:
            self.assertEqual(files[f"a/{name}"], files[f"b/{name}"])
            self.assertEqual(files[f"a/{name}"], files[f"d/{name}"])
        self.assertNotEqual(files["a/labeled.npy"], files["c/labeled.npy"])

    def test_makes_a_task_on_which_the_methods_work(self):
        self.succeed("generate", "--out", "toy")
        rows = json.loads(self.output(
            "evaluate", "--labeled", "toy/labeled.npy", "--labels", "toy/labels.npy", "--test",
            "toy/test.npy", "--test-labels", "toy/test-labels.npy", "--symmetric", "--alpha", "0.1",
            "--json"))["results"]
        sizes = {row["method"]: row["mean_set_size"] for row in rows}
        self.assertLess(sizes["caos"], sizes["scos"])
        self.assertLessEqual(sizes["full-caos"], sizes["caos"])
        for row in rows:
            if row["guarantee"] == "marginal":  # one calibration of 50: Beta(46, 5), so 0.7 is low
                self.assertGreater(row["coverage"], 0.7, row["method"])


if __name__ == "__main__":
    unittest.main()
