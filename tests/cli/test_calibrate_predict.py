"""`caos calibrate` and `caos predict` against the oracle and against `caos evaluate`."""

import json
import unittest
from fractions import Fraction

import numpy as np

import oracle
from support import TaskTest, random_task

ALPHAS = ["0.05", "0.2", "0.5", "0.75"]


class PredictTest(TaskTest):
    def predict(self, model, *more, alpha="0.2"):
        return self.json("predict", model, "--test", "test.npy", "--alpha", alpha, *more)

    def assert_sets(self, found, expected):
        self.assertEqual(found["sets"], [sorted(s) for (s,) in expected.sets])

    def p_values_of_caos(self, problem):
        scores = [oracle.own_score(problem, i, range(problem.n)) for i in range(problem.n)]
        return [[oracle.p_value([scores[i] for i in problem.peers(t, y)],
                                oracle.minsum(pool, problem.k))
                 for y, pool in enumerate(pools)] for t, pools in enumerate(problem.test)]

    def assert_caos(self, problem, model, *more):
        p_values = self.p_values_of_caos(problem)
        for alpha in ALPHAS:
            found = self.predict(model, *more, alpha=alpha)
            expected = oracle.caos(problem, alpha)
            self.assert_sets(found, expected)
            self.assertEqual(found["p_values"], [[float(p) for p in row] for row in p_values])
            above = [[y for y, p in enumerate(row) if p > Fraction(alpha)] for row in p_values]
            self.assertEqual(found["sets"], above)
            self.assertEqual(found["rank"], expected.rank)
            self.assertEqual(found["feasible"], expected.feasible)
            limit = expected.threshold
            self.assertEqual(found["threshold"], None if limit == oracle.inf else limit)

    def assert_full(self, problem, model, *more):
        for alpha in ALPHAS:
            found = self.predict(model, "--method", "full-caos", *more, alpha=alpha)
            self.assert_sets(found, oracle.full_caos(problem, alpha))
            candidates = oracle.caos(problem, alpha).sets
            for t, row in enumerate(found["p_values"]):
                expected = [float(oracle.full_p_value(problem, t, y)) if y in candidates[t][0]
                            else None for y in range(problem.num_labels)]
                self.assertEqual(row, expected)
                above = [y for y in candidates[t][0]
                         if oracle.full_p_value(problem, t, y) > Fraction(alpha)]
                self.assertEqual(found["sets"][t], sorted(above))


class SetsAndPValuesAgreeWithTheOracle(PredictTest):
    def test_for_caos(self):
        for seed in range(12):
            with self.subTest(seed=seed):
                task = random_task(seed, dtype=[np.float64, np.float32][seed % 2])
                self.save_test(task)
                self.assert_caos(task.problem(), self.calibrate(task))

    def test_for_caos_with_infinite_scores(self):
        for seed in range(12, 16):
            with self.subTest(seed=seed):
                task = random_task(seed, values=[0.1, 0.7, np.inf])
                self.save_test(task)
                self.assert_caos(task.problem(), self.calibrate(task))

    def test_for_full_caos_with_reverse_scores(self):
        for seed in range(20, 26):
            with self.subTest(seed=seed):
                task = random_task(seed, values=[0.1, 0.2, 0.3, 0.7] + [np.inf] * (seed % 2))
                self.save_test(task)
                self.assert_full(task.problem(), self.calibrate(task), *self.save_reverse(task))

    def test_for_full_caos_with_symmetric_scores(self):
        for seed in range(26, 30):
            with self.subTest(seed=seed):
                task = random_task(seed)
                self.save_test(task)
                problem = task.problem(reverse=task.test.tolist())
                self.assert_full(problem, self.calibrate(task), "--symmetric")

    def test_for_groups_by_label(self):
        for seed in range(30, 34):
            with self.subTest(seed=seed):
                task = random_task(seed, num_labels=3)
                self.save_test(task)
                model = self.calibrate(task, "--groups", "labels")
                problem = task.problem(groups="labels")
                self.assert_caos(problem, model)
                self.assert_full(problem, model, *self.save_reverse(task))

    def test_for_groups_of_inputs_also_for_a_group_never_seen(self):
        for seed in range(34, 38):
            with self.subTest(seed=seed):
                task = random_task(seed)
                rng = np.random.default_rng(seed)
                groups = rng.choice([5, -2], size=task.n)
                test_groups = rng.choice([5, -2, 8], size=len(task.test))
                test_groups[0] = 8
                self.save_test(task)
                model = self.calibrate(task, "--groups", self.save("groups", groups))
                problem = task.problem(groups=groups.tolist(), test_groups=test_groups.tolist())
                more = ["--test-groups", self.save("test-groups", test_groups)]
                self.assert_caos(problem, model, *more)
                self.assert_full(problem, model, *more, *self.save_reverse(task))

    def test_for_own_scores_only(self):
        task = random_task(38)
        own = task.own()
        np.fill_diagonal(own, np.nan)
        self.save_test(task)
        self.succeed("calibrate", "--calibration", self.save("calibration", own), "--k", task.k,
                     "--out", "model.caos")
        self.assert_caos(task.problem(), "model.caos")

    def test_for_own_scores_only_with_groups_by_label(self):
        task = random_task(39, n=20, num_labels=4)
        task.labels[task.labels == 3] = 0  # the last label has no example
        self.save_test(task)
        self.succeed("calibrate", "--calibration", self.save("calibration", task.own()), "--labels",
                     self.save("labels", task.labels), "--groups", "labels", "--k", task.k,
                     "--out", "model.caos")
        self.assert_caos(task.problem(groups="labels"), "model.caos")

    def test_with_a_clipped_rank(self):
        task = random_task(40, n=8, k=2)
        self.save_test(task)
        model = self.calibrate(task)
        problem = task.problem(clip=True)
        found = self.predict(model, "--clip-rank", alpha="0.05")
        self.assert_sets(found, oracle.caos(problem, "0.05"))
        self.assertTrue(found["guarantee"].startswith("none ("))
        full = self.predict(model, "--clip-rank", "--method", "full-caos",
                            *self.save_reverse(task), alpha="0.05")
        self.assert_sets(full, oracle.full_caos(problem, "0.05"))

    def test_and_with_evaluate(self):
        task = random_task(41, n=25, m=20)
        self.save_test(task)
        model = self.calibrate(task)
        for method in ("caos", "full-caos"):
            rows = self.json("evaluate", *self.save_all(task), "--symmetric", "--methods", method,
                             "--alpha", ",".join(ALPHAS))["results"]
            for alpha, row in zip(ALPHAS, rows):
                found = self.predict(model, "--method", method, "--symmetric", alpha=alpha)
                sizes = [len(s) for s in found["sets"]]
                hits = [y in s for y, s in zip(task.test_labels, found["sets"])]
                self.assertEqual(row["mean_set_size"], float(oracle.mean(sizes)))
                self.assertEqual(row["coverage"], float(oracle.mean(hits)))
                self.assertEqual(row["rank"], found["rank"])
                self.assertEqual(row["threshold"], found["threshold"])


class Output(PredictTest):
    def setUp(self):
        super().setUp()
        self.task = random_task(50, n=20, m=12, num_labels=4)
        self.save_test(self.task)
        self.model = self.calibrate(self.task)

    def test_without_json_is_one_json_line_per_input_that_says_the_same(self):
        found = self.predict(self.model)
        run = self.succeed("predict", self.model, "--test", "test.npy", "--alpha", "0.2")
        lines = [json.loads(line) for line in run.out.splitlines()]
        self.assertEqual([line["input"] for line in lines], list(range(12)))
        self.assertEqual([line["set"] for line in lines], found["sets"])
        self.assertEqual([line["p_values"] for line in lines], found["p_values"])

    def test_without_json_tells_the_guarantee_on_stderr_unless_quiet(self):
        arguments = ["predict", self.model, "--test", "test.npy", "--alpha", "0.2"]
        self.assertIn("marginal", self.succeed(*arguments).err)
        self.assertEqual(self.succeed(*arguments, "--quiet").err, "")

    def test_with_json_has_the_documented_keys(self):
        found = self.predict(self.model)
        keys = {"alpha", "method", "rank", "threshold", "sets", "p_values", "guarantee"}
        self.assertLessEqual(keys, set(found))
        self.assertEqual((found["alpha"], found["method"]), (0.2, "caos"))

    def test_does_not_depend_on_the_number_of_threads(self):
        outputs = {self.output("predict", self.model, "--test", "test.npy", "--alpha", "0.3",
                               "--threads", threads) for threads in (0, 1, 2, 5)}
        self.assertEqual(len(outputs), 1)

    def test_an_infeasible_alpha_gives_every_label_and_a_warning(self):
        run = self.succeed("predict", self.model, "--test", "test.npy", "--alpha", "0.01", "--json")
        found = json.loads(run.out)
        self.assertRegex(run.err, r"caos: warning: alpha 0\.01: 99 labeled .*every label")
        self.assertEqual(found["sets"], [[0, 1, 2, 3]] * 12)
        self.assertIsNone(found["threshold"])
        self.assertFalse(found["feasible"])
        self.assertEqual(found["rank"], 21)

    def test_of_no_inputs_is_empty(self):
        self.save("test", np.zeros((0, 4, 20)))
        self.assertEqual(self.predict(self.model)["sets"], [])
        self.assertEqual(self.output("predict", self.model, "--test", "test.npy", "--alpha", "0.2"),
                         "")


class InputsOfAGroupNeverSeen(PredictTest):
    def test_are_warned_of(self):
        task = random_task(51, n=20, k=1)
        self.save_test(task)
        model = self.calibrate(task, "--groups", self.save("groups", [0] * 20))
        data = ["predict", model, "--test", "test.npy", "--alpha", "0.5", "--json"]
        seen, unseen = [0] * len(task.test), [0] * (len(task.test) - 1) + [9]
        self.assertEqual(self.succeed(*data, "--test-groups", self.save("seen", seen)).err, "")
        run = self.succeed(*data, "--test-groups", self.save("unseen", unseen))
        self.assertRegex(run.err, r"caos: warning: .*group")


class SmoothedPValues(PredictTest):
    def setUp(self):
        super().setUp()
        self.task = random_task(60, n=20, m=20, num_labels=4, k=2)
        self.save_test(self.task)
        self.model = self.calibrate(self.task)

    def test_are_the_same_for_the_same_seed_and_differ_between_seeds(self):
        found = [self.predict(self.model, "--smoothed", "--seed", seed) for seed in (0, 1, 0)]
        self.assertEqual(found[0], found[2])
        self.assertNotEqual(found[0]["p_values"], found[1]["p_values"])
        self.assertEqual(self.predict(self.model, "--smoothed"), found[0])

    def test_do_not_depend_on_the_number_of_threads(self):
        outputs = {str(self.predict(self.model, "--smoothed", "--threads", threads))
                   for threads in (1, 2, 5)}
        self.assertEqual(len(outputs), 1)

    def test_lie_between_the_share_above_and_the_plain_p_value_and_decide_the_set(self):
        for more in ([], ["--method", "full-caos", "--symmetric"]):
            plain = self.predict(self.model, *more, alpha="0.5")
            smoothed = self.predict(self.model, *more, "--smoothed", "--seed", 7, alpha="0.5")
            self.assertTrue(smoothed["smoothed"])
            self.assertIsNone(smoothed["threshold"])
            below = 0
            for ps, qs, s in zip(plain["p_values"], smoothed["p_values"], smoothed["sets"]):
                for p, q in zip(ps, qs):
                    self.assertEqual(p is None, q is None)
                    if p is not None:
                        self.assertLessEqual(0, q)
                        self.assertLessEqual(q, p)
                        below += q < p
                self.assertEqual(s, [y for y, q in enumerate(qs) if q is not None and q > 0.5])
            self.assertGreater(below, 10)

    def test_are_at_least_the_share_of_strictly_greater_scores(self):
        problem = self.task.problem()
        scores = [oracle.own_score(problem, i, range(problem.n)) for i in range(problem.n)]
        found = self.predict(self.model, "--smoothed", "--seed", 3)["p_values"]
        for pools, row in zip(problem.test, found):
            for pool, p in zip(pools, row):
                score = oracle.minsum(pool, problem.k)
                greater = sum(s > score for s in scores)
                equal = sum(s == score for s in scores)
                self.assertLessEqual(greater / 21, p + 1e-15)
                self.assertLess(p, (greater + equal + 1) / 21 + 1e-15)

    def test_are_uniform_draws(self):
        """Without ties every p-value is (count + u) / (n + 1) with u uniform on [0, 1)."""
        task = random_task(61, n=19, m=200, num_labels=5, k=1, values=np.linspace(0, 1, 9973))
        self.save_test(task)
        model = self.calibrate(task, out="other.caos")
        draws = np.modf(20 * np.ravel(self.predict(model, "--smoothed")["p_values"]))[0]
        self.assertLess(abs(draws.mean() - 0.5), 0.05)
        self.assertGreater(np.histogram(draws, 10, (0, 1))[0].min(), 60)


class Calibrate(TaskTest):
    def test_writes_the_same_bytes_for_the_same_input(self):
        task = random_task(70, n=30)
        models = set()
        for threads in (0, 1, 2, 2):
            self.calibrate(task, "--threads", threads)
            models.add(self.files()["model.caos"])
        self.assertEqual(len(models), 1)

    def test_says_what_it_wrote(self):
        task = random_task(71, n=39, num_labels=6, k=3)
        found = self.json("calibrate", *self.save_labeled(task), "--k", 3, "--out", "model.caos")
        self.assertEqual((found["n"], found["k"], found["num_labels"]), (39, 3, 6))
        self.assertEqual(found["file"], "model.caos")
        self.assertEqual(found["smallest_feasible_alpha"], 1 / 40)
        problem = task.problem()
        for level in found["thresholds"]:
            expected = oracle.caos(problem, str(level["alpha"]))
            self.assertEqual(level["rank"], expected.rank)
            limit = None if expected.threshold == oracle.inf else expected.threshold
            self.assertEqual(level["threshold"], limit)
        text = self.output("calibrate", *self.save_labeled(task), "--k", 3, "--out", "model.caos")
        self.assertTrue(text.startswith("model.caos: "))
        self.assertIn("marginal", text)

    def test_accepts_labels_and_groups_from_csv_files(self):
        task = random_task(72, n=20)
        model = self.calibrate(task, "--groups", self.save("groups", [1, 2] * 10), out="a.caos")
        self.write("labels.csv", "label\n" + "".join(f"{y}\n" for y in task.labels))
        self.write("groups.csv", "1\n2\n" * 10)
        self.succeed("calibrate", "--labeled", "labeled.npy", "--labels", "labels.csv", "--groups",
                     "groups.csv", "--k", task.k, "--out", "b.caos")
        self.assertEqual(self.files()[model], self.files()["b.caos"])


if __name__ == "__main__":
    unittest.main()
