"""`caos evaluate` against the oracle: every method, exactly."""

import unittest
from itertools import combinations

import numpy as np

import oracle
from support import TaskTest, random_task

ALPHAS = ["0.04", "0.1", "0.3", "0.5", "0.7", "0.9"]
METHODS = list(oracle.METHODS)
GROUPED = ["caos", "full-caos", "split-caos", "split-caos-cal", "split-caos-ref"]


def random_references(task, seed):
    """Half of the examples, in no order; with odd n the smaller half."""
    return np.random.default_rng(seed).permutation(task.n)[: task.n // 2]


class EvaluateTest(TaskTest):
    def evaluate(self, arguments, alphas=ALPHAS, methods=METHODS):
        found = self.json("evaluate", *arguments, "--alpha", ",".join(alphas),
                          "--methods", ",".join(methods))
        order = [(row["method"], row["alpha"]) for row in found["results"]]
        self.assertEqual(order, [(m, float(a)) for m in methods for a in alphas])
        return found

    def assert_agrees(self, problem, found, alphas=ALPHAS, methods=METHODS):
        """Every row is what the oracle says, to the last bit."""
        self.assertEqual(found["n"], problem.n)
        self.assertEqual(found["k"], problem.k)
        self.assertEqual(found["num_labels"], problem.num_labels)
        self.assertEqual(found["num_test"], len(problem.test))
        rows = iter(found["results"])
        for method in methods:
            for alpha in alphas:
                with self.subTest(method=method, alpha=alpha):
                    self.assert_row(problem, oracle.METHODS[method](problem, alpha), next(rows))

    def assert_row(self, problem, expected, row):
        limit = expected.threshold
        self.assertEqual(row["threshold"], None if limit == oracle.inf else limit)
        self.assertEqual(row["rank"], expected.rank)
        self.assertEqual(row["feasible"], expected.feasible)
        for key, value in oracle.summary(problem, expected).items():
            if row["method"] == "scos":  # averages of averages: rounded once more
                self.assertAlmostEqual(row[key], float(value), delta=1e-13, msg=key)
            else:
                self.assertEqual(row[key], float(value), key)

    def check_split(self, task, seed, *more, **settings):
        references = random_references(task, seed)
        arguments = [*self.save_all(task), *self.save_references(references), *more]
        if "--symmetric" not in more:
            arguments += self.save_reverse(task)
        problem = task.problem(references=references.tolist(), **settings)
        self.assert_agrees(problem, self.evaluate(arguments))


class EveryMethodAgreesWithTheOracle(EvaluateTest):
    def test_on_float64_scores_whose_sums_depend_on_the_order_of_addition(self):
        for seed in range(30):
            with self.subTest(seed=seed):
                self.check_split(random_task(seed), seed)

    def test_on_float32_scores_which_are_widened_before_they_are_added(self):
        for seed in range(200, 220):
            with self.subTest(seed=seed):
                self.check_split(random_task(seed, dtype=np.float32), seed)

    def test_on_whole_numbers(self):
        for seed, dtype in enumerate([np.int64, np.int32, np.int16, np.int8, np.uint8, np.uint16]):
            with self.subTest(dtype=dtype.__name__):
                self.check_split(random_task(40 + seed, dtype=dtype, values=[0, 1, 2, 5]), seed)

    def test_on_scores_of_which_some_are_infinite(self):
        for seed in range(220, 236):
            with self.subTest(seed=seed):
                task = random_task(seed, values=[0.1, 0.2, 0.3, np.inf])
                self.check_split(task, seed)

    def test_on_negative_scores(self):
        for seed in range(60, 65):
            with self.subTest(seed=seed):
                self.check_split(random_task(seed, values=[-0.3, -0.1, 0.2, 1e16]), seed)

    def test_on_symmetric_scores(self):
        for seed in range(70, 80):
            with self.subTest(seed=seed):
                task = random_task(seed)
                self.check_split(task, seed, "--symmetric", reverse=task.test.tolist())

    def test_with_clipped_ranks(self):
        for seed in range(80, 84):
            with self.subTest(seed=seed):
                self.check_split(random_task(seed, n=9 + seed % 2, k=2), seed, "--clip-rank",
                                 clip=True)

    def test_on_the_smallest_tasks(self):
        for n in (4, 5):
            with self.subTest(n=n):
                self.check_split(random_task(90 + n, n=n, k=1), n)

    def test_with_more_references_than_calibration_examples(self):
        task = random_task(95, n=12, k=4)
        references = [11, 3, 0, 7, 5, 9, 1, 2, 10]
        arguments = [*self.save_all(task), *self.save_reverse(task),
                     *self.save_references(references)]
        self.assert_agrees(task.problem(references=references), self.evaluate(arguments))

    def test_with_the_largest_k_that_caos_allows(self):
        task = random_task(96, n=8, k=7)
        arguments = [*self.save_all(task), *self.save_reverse(task)]
        methods = ["full-caos", "caos"]
        found = self.evaluate(arguments, methods=methods)
        self.assert_agrees(task.problem(), found, methods=methods)


class OwnScoresOnly(EvaluateTest):
    """--calibration [n, n] instead of --labeled."""

    def test_give_the_same_results_as_all_scores(self):
        methods = [m for m in METHODS if m != "scos-best"]
        for seed in range(100, 104):
            with self.subTest(seed=seed):
                task = random_task(seed)
                references = random_references(task, seed)
                arguments = ["--calibration", self.save("calibration", task.own()),
                             *self.save_test(task), "--k", task.k, *self.save_reverse(task),
                             *self.save_references(references)]
                problem = task.problem(references=references.tolist())
                found = self.evaluate(arguments, methods=methods)
                self.assert_agrees(problem, found, methods=methods)

    def test_ignore_the_diagonal(self):
        task = random_task(105, n=11, k=2)
        own = task.own()
        arguments = [*self.save_test(task), "--k", 2, "--symmetric", "--methods",
                     "caos,full-caos,scos,split-caos-cal,split-caos-ref"]
        outputs = set()
        for value in (np.nan, -np.inf, -1e300, 0.0):
            np.fill_diagonal(own, value)
            outputs.add(self.output("evaluate", "--calibration",
                                    self.save("calibration", own), *arguments))
        self.assertEqual(len(outputs), 1)

    def test_of_all_scores_ignore_what_an_example_says_about_itself(self):
        task = random_task(106, n=11, k=2)
        arguments = [*self.save_all(task), "--methods", "all"]
        before = self.output("evaluate", *arguments, "--symmetric")
        for i in range(task.n):
            task.labeled[i, :, i] = [np.nan, -np.inf, -5.0][i % 3]
        self.save_labeled(task)
        self.assertEqual(self.output("evaluate", *arguments, "--symmetric"), before)


class Groups(EvaluateTest):
    def check_groups(self, task, found, problem, calibrating):
        for row in found["results"]:
            used = range(task.n) if row["method"] in ("caos", "full-caos", "split-caos-ref") \
                else calibrating
            self.assertEqual([g["n"] for g in row["groups"]], oracle.group_sizes(problem, used))
            self.assertIsNone(row["rank"])
            self.assertIsNone(row["threshold"])
            for group in row["groups"]:
                alpha = next(a for a in ALPHAS if float(a) == row["alpha"])
                self.assertEqual(group["rank"], oracle.rank(group["n"], alpha))
                self.assertEqual(group["feasible"], oracle.feasible(group["n"], alpha))

    def check(self, task, seed, *more, **settings):
        references = random_references(task, seed)
        arguments = [*self.save_all(task), *self.save_reverse(task),
                     *self.save_references(references), *more]
        problem = task.problem(references=references.tolist(), **settings)
        found = self.evaluate(arguments, methods=GROUPED)
        self.assert_agrees(problem, found, methods=GROUPED)
        self.check_groups(task, found, problem, problem.calibrating())
        return found

    def test_by_label_agree_with_the_oracle(self):
        for seed in range(110, 118):
            with self.subTest(seed=seed):
                task = random_task(seed, num_labels=3)
                self.check(task, seed, "--groups", "labels", groups="labels")

    def test_by_label_with_clipped_ranks_agree_with_the_oracle(self):
        task = random_task(118, num_labels=5)
        self.check(task, 1, "--groups", "labels", "--clip-rank", groups="labels", clip=True)

    def test_of_inputs_agree_with_the_oracle_also_for_a_group_never_seen(self):
        for seed in range(120, 128):
            with self.subTest(seed=seed):
                task = random_task(seed)
                rng = np.random.default_rng(seed)
                groups = rng.choice([-4, 7, 1000], size=task.n)
                test_groups = rng.choice([-4, 7, 1000, 3], size=len(task.test))
                test_groups[0] = 3
                self.check(task, seed, "--groups", self.save("groups", groups), "--test-groups",
                           self.save("test-groups", test_groups), groups=groups.tolist(),
                           test_groups=test_groups.tolist())

    def test_an_input_of_a_group_never_seen_gets_every_label(self):
        task = random_task(129, n=20, num_labels=4, k=1)
        arguments = [*self.save_all(task), "--methods", "caos", "--alpha", "0.5",
                     "--groups", self.save("groups", [0] * 20),
                     "--test-groups", self.save("test-groups", [9] * len(task.test))]
        row = self.json("evaluate", *arguments)["results"][0]
        self.assertEqual((row["mean_set_size"], row["coverage"]), (4.0, 1.0))

    def test_by_label_work_with_own_scores_only(self):
        task = random_task(130, num_labels=3)
        arguments = ["--calibration", self.save("calibration", task.own()), *self.save_test(task),
                     "--labels", self.save("labels", task.labels), "--k", task.k,
                     "--groups", "labels"]
        problem = task.problem(groups="labels")
        found = self.evaluate(arguments, methods=["caos"])
        self.assert_agrees(problem, found, methods=["caos"])

    def test_are_reported_with_their_own_coverage(self):
        task = random_task(131, n=24, num_labels=3, m=20)
        found = self.json("evaluate", *self.save_all(task), "--methods", "caos", "--alpha", "0.25",
                          "--groups", "labels")
        sets = oracle.caos(task.problem(groups="labels"), "0.25").sets
        for group in found["results"][0]["groups"]:
            members = [s for (s,), y in zip(sets, task.test_labels) if y == group["group"]]
            self.assertEqual(group["num_test"], len(members))
            if members:
                hits = [group["group"] in s for s in members]
                self.assertEqual(group["coverage"], float(oracle.mean(hits)))
                sizes = [len(s) for s in members]
                self.assertEqual(group["mean_set_size"], float(oracle.mean(sizes)))


class RandomHalves(EvaluateTest):
    SPLIT = ["scos", "scos-best", "scos-oracle", "split-caos", "split-caos-cal", "split-caos-ref"]

    def halve(self, task, seed):
        return self.evaluate([*self.save_all(task), "--seed", seed], ["0.25", "0.5"], self.SPLIT)

    def agrees(self, problem, found):
        rows = iter(found["results"])
        for method in self.SPLIT:
            for alpha in ("0.25", "0.5"):
                summary = oracle.summary(problem, oracle.METHODS[method](problem, alpha))
                row = next(rows)
                if any(abs(row[key] - value) > 1e-12 for key, value in summary.items()):
                    return False
        return True

    def test_are_some_smaller_half_of_the_examples(self):
        for n in (6, 7):
            with self.subTest(n=n):
                task = random_task(140 + n, n=n, k=1, m=20)
                found = self.halve(task, 5)
                halves = combinations(range(n), n // 2)
                problems = (task.problem(references=list(half)) for half in halves)
                self.assertEqual(sum(self.agrees(p, found) for p in problems), 1)

    def test_with_odd_n_have_the_smaller_part_as_references(self):
        task = random_task(150, n=9, k=1)
        for row in self.halve(task, 0)["results"]:
            n = 9 if row["method"] == "split-caos-ref" else 5
            self.assertEqual(row["rank"], oracle.rank(n, str(row["alpha"])))

    def test_depend_on_the_seed_and_on_nothing_else(self):
        task = random_task(151, n=20, m=20)
        arguments = [*self.save_all(task), "--symmetric", "--methods", "all", "--json"]
        outputs = [self.output("evaluate", *arguments, "--seed", seed) for seed in range(6)]
        again = [self.output("evaluate", *arguments, "--seed", seed) for seed in range(6)]
        self.assertEqual(outputs, again)
        self.assertGreater(len(set(outputs)), 3)
        self.assertEqual(self.output("evaluate", *arguments), outputs[0])


if __name__ == "__main__":
    unittest.main()
