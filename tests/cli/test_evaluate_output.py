"""What `caos evaluate` says and writes besides the numbers of its methods."""

import csv
import io
import math
import json
import unittest

import numpy as np

import oracle
from support import TaskTest, random_task

KEYS = ["method", "alpha", "guarantee", "rank", "threshold", "coverage", "coverage_low",
        "coverage_high", "mean_set_size", "median_set_size", "singleton_rate", "empty_rate"]


class CoverageIntervals(TaskTest):
    def rows(self, *more, seed=1, m=20):
        task = random_task(seed, n=16, m=m, num_labels=4)
        found = self.json("evaluate", *self.save_all(task), "--symmetric", "--alpha",
                          "0.1,0.3,0.5,0.7,0.9", *more)
        return found["results"]

    def test_leave_a_fortieth_of_the_binomial_law_on_each_side(self):
        coverages = set()
        for m in (7, 20):
            for row in self.rows("--methods", "caos,full-caos,scos-best,split-caos", m=m):
                hits = round(row["coverage"] * m)
                coverages.add(row["coverage"])
                low, high = row["coverage_low"], row["coverage_high"]
                self.assertEqual(row["coverage_interval"], "clopper-pearson")
                above = oracle.binomial_at_least(hits, m, low) if hits > 0 else 0.025 - low
                below = oracle.binomial_at_most(hits, m, high) if hits < m else 0.025 + 1 - high
                self.assertAlmostEqual(above, 0.025, delta=1e-9)
                self.assertAlmostEqual(below, 0.025, delta=1e-9)
        self.assertGreater(len(coverages), 5)

    def test_of_averages_over_references_are_standard_errors_over_test_examples(self):
        task = random_task(2, n=16, m=20, num_labels=4)
        references = list(range(8))
        arguments = [*self.save_all(task), *self.save_references(references)]
        row = self.json("evaluate", *arguments, "--methods", "scos", "--alpha", "0.3")["results"][0]
        problem = task.problem(references=references)
        covered = [float(c) for c, _ in oracle.outcomes(problem, oracle.scos(problem, "0.3"))]
        error = np.std(covered, ddof=1) / math.sqrt(20)
        self.assertGreater(error, 0)
        self.assertEqual(row["coverage_interval"], "standard-error")
        self.assertAlmostEqual(row["coverage_standard_error"], error, delta=1e-12)
        mean = np.mean(covered)
        self.assertAlmostEqual(row["coverage_low"], max(0, mean - 1.96 * error), delta=1e-4)
        self.assertAlmostEqual(row["coverage_high"], min(1, mean + 1.96 * error), delta=1e-4)

    def test_are_null_for_an_average_on_a_single_test_example(self):
        row = self.rows("--methods", "scos", m=1)[0]
        self.assertIsNone(row["coverage_low"])
        self.assertIsNone(row["coverage_high"])


class Json(TaskTest):
    def test_has_the_documented_keys(self):
        task = random_task(3, n=16)
        found = self.json("evaluate", *self.save_all(task), "--symmetric", "--methods", "all")
        self.assertLessEqual({"n", "num_labels", "num_test", "k", "results"}, set(found))
        methods = {row["method"] for row in found["results"]}
        self.assertEqual(methods, set(oracle.METHODS))
        for row in found["results"]:
            self.assertLessEqual(set(KEYS + ["feasible"]), set(row))

    def test_says_of_every_method_what_it_guarantees(self):
        task = random_task(4, n=16)
        found = self.json("evaluate", *self.save_all(task), "--symmetric", "--alpha", "0.2",
                          "--methods", "all")
        none = {"scos-best", "scos-oracle", "split-caos-ref"}
        for row in found["results"]:
            if row["method"] in none:
                self.assertRegex(row["guarantee"], r"^none \(.+\)$")
            else:
                self.assertEqual(row["guarantee"], "marginal")

    def test_says_that_groups_have_a_guarantee_each(self):
        task = random_task(5, n=16, num_labels=2)
        found = self.json("evaluate", *self.save_all(task), "--groups", "labels", "--methods", "all")
        self.assertEqual({row["method"] for row in found["results"]},
                         {"caos", "split-caos", "split-caos-cal", "split-caos-ref"})
        for row in found["results"]:
            if row["method"] == "split-caos-ref":
                self.assertTrue(row["guarantee"].startswith("none ("))
            else:
                self.assertEqual(row["guarantee"], "group-conditional")

    def methods_of(self, found):
        return [row["method"] for row in found["results"]]

    def test_has_caos_full_caos_and_scos_by_default(self):
        task = random_task(6, n=16)
        found = self.json("evaluate", *self.save_all(task), "--symmetric")
        self.assertEqual(self.methods_of(found), ["caos", "full-caos", "scos"])

    def test_leaves_out_by_default_what_the_inputs_do_not_allow_with_a_note(self):
        arguments = self.save_all(random_task(6, n=16, num_labels=2))
        for more, methods, said in (([], ["caos", "scos"], "full-caos needs --reverse"),
                                    (["--symmetric", "--groups", "labels"], ["caos", "full-caos"],
                                     "scos has no form with groups")):
            run = self.succeed("evaluate", *arguments, *more, "--json")
            self.assertEqual(self.methods_of(json.loads(run.out)), methods)
            self.assertIn(f"left out: {said}", run.err)
            self.assertEqual(self.succeed("evaluate", *arguments, *more, "--quiet").err, "")

    def test_of_all_methods_leaves_out_what_the_inputs_do_not_allow(self):
        task = random_task(6, n=16)
        own = self.save("calibration", task.own())
        found = self.json("evaluate", "--calibration", own, *self.save_test(task), "--methods", "all")
        lacking = ("full-caos", "scos-best")
        self.assertEqual(self.methods_of(found), [m for m in oracle.METHODS if m not in lacking])

    def test_of_all_methods_leaves_out_what_k_does_not_allow(self):
        task = random_task(21, n=6, k=3)
        found = self.json("evaluate", *self.save_all(task), "--symmetric", "--methods", "all")
        self.assertEqual(self.methods_of(found), [m for m in oracle.METHODS if m != "split-caos-ref"])

    def test_keeps_the_order_of_methods_and_alphas_and_drops_repeated_methods(self):
        task = random_task(7, n=16)
        found = self.json("evaluate", *self.save_all(task), "--alpha", "0.5,0.25", "--methods",
                          "split-caos,scos,caos,scos")
        order = [(row["method"], row["alpha"]) for row in found["results"]]
        methods = ("split-caos", "scos", "caos")
        self.assertEqual(order, [(m, a) for m in methods for a in (0.5, 0.25)])

    def test_has_default_alphas_and_k_as_documented(self):
        task = random_task(8, n=40, k=3)
        arguments = [a for a in self.save_all(task) if a not in ("--k", 3)]
        found = self.json("evaluate", *arguments, "--methods", "caos")
        self.assertEqual(found["k"], 3)
        self.assertEqual([row["alpha"] for row in found["results"]], [0.1])

    def test_does_not_depend_on_the_number_of_threads(self):
        task = random_task(9, n=30, m=20)
        arguments = ["evaluate", *self.save_all(task), "--symmetric", "--methods", "all", "--json"]
        outputs = {self.output(*arguments, "--threads", threads) for threads in (0, 1, 2, 7)}
        self.assertEqual(len(outputs), 1)

    def test_is_the_same_for_columns_in_csv_files(self):
        task = random_task(22, n=20, m=12)
        columns = {"labels": task.labels, "test-labels": task.test_labels, "groups": [4, 5] * 10,
                   "test-groups": [5, 6] * 6, "reference-indices": [9, 3, 4, 1, 0, 7]}
        scores = ["--labeled", self.save("labeled", task.labeled), "--k", task.k,
                  "--test", self.save("test", task.test)]
        binary, text = [], []
        for name, column in columns.items():
            binary += [f"--{name}", self.save(name, column)]
            lines = "".join(f"{value}\n" for value in column)
            text += [f"--{name}", self.write(f"{name}.csv", f"{name}\n{lines}")]
        methods = ["--methods", "caos,split-caos", "--alpha", "0.3", "--json"]
        self.assertEqual(self.output("evaluate", *scores, *text, *methods),
                         self.output("evaluate", *scores, *binary, *methods))

    def test_processes_are_exact_where_floating_point_is_not(self):
        task = random_task(10, n=99, num_labels=2, m=3, k=1)
        row = self.json("evaluate", *self.save_all(task), "--methods", "caos",
                        "--alpha", "0.1")["results"][0]
        self.assertEqual(row["rank"], 90)


class InfeasibleAlphas(TaskTest):
    ALL = ",".join(oracle.METHODS)

    def evaluate(self, *more):
        task = random_task(11, n=10, num_labels=5, k=2)
        run = self.succeed("evaluate", *self.save_all(task), "--symmetric", "--methods", self.ALL,
                           "--alpha", "0.01", *more)
        return task, run

    def test_give_every_label_with_a_warning_and_no_failure(self):
        task = random_task(11, n=10, num_labels=5, k=2)
        arguments = [*self.save_all(task), "--symmetric", "--methods", self.ALL, "--alpha", "0.01"]
        for row in self.json("evaluate", *arguments)["results"]:
            self.assertEqual((row["mean_set_size"], row["coverage"]), (5, 1), row["method"])
            self.assertIsNone(row["threshold"])
            self.assertFalse(row["feasible"])
            self.assertGreater(row["rank"], 10 if row["method"] == "caos" else 5)

    def test_are_warned_of_with_the_number_of_examples_that_would_do(self):
        _, run = self.evaluate()
        for method in oracle.METHODS:
            self.assertRegex(run.err, rf"caos: warning: alpha 0\.01: 99 .*[( ]{method}[,)]")
        self.assertRegex(run.err, r"there are \d+, which support alpha 0\.\d+ or more")

    def test_are_not_warned_of_when_told_to_be_quiet(self):
        _, run = self.evaluate("--quiet")
        self.assertEqual(run.err, "")

    def test_are_not_warned_of_when_feasible(self):
        task = random_task(12, n=40)
        run = self.succeed("evaluate", *self.save_all(task), "--symmetric", "--alpha", "0.1")
        self.assertEqual(run.err, "")

    def test_with_a_clipped_rank_lose_the_guarantee_and_say_so(self):
        task = random_task(11, n=10, num_labels=5, k=2)
        arguments = [*self.save_all(task), "--symmetric", "--methods", self.ALL,
                     "--alpha", "0.01,0.5", "--clip-rank"]
        run = self.succeed("evaluate", *arguments)
        self.assertIn("clipped", run.err)
        for row in self.json("evaluate", *arguments)["results"]:
            if row["alpha"] == 0.01:
                self.assertTrue(row["guarantee"].startswith("none ("), row["method"])
                self.assertFalse(row["feasible"])
            elif row["method"] in ("caos", "full-caos", "scos", "split-caos", "split-caos-cal"):
                self.assertEqual(row["guarantee"], "marginal")

    def test_an_infinite_threshold_from_infinite_scores_is_null_but_feasible(self):
        task = random_task(13, n=10, k=2, values=[np.inf])
        row = self.json("evaluate", *self.save_all(task), "--methods", "caos",
                        "--alpha", "0.5")["results"][0]
        self.assertIsNone(row["threshold"])
        self.assertTrue(row["feasible"])
        self.assertEqual(row["coverage"], 1)

    def test_groups_that_are_too_small_are_counted_in_the_warning(self):
        task = random_task(14, n=12, num_labels=2, k=1)
        task.labels[:] = [0] * 10 + [1] * 2
        run = self.succeed("evaluate", *self.save_all(task), "--methods", "caos", "--alpha", "0.1",
                           "--groups", "labels")
        self.assertRegex(run.err, r"caos: warning: alpha 0\.1: 9 .*\b1 of 2 groups.*\(caos\)")


    def test_inputs_of_a_group_never_seen_are_warned_of(self):
        task = random_task(23, n=20, k=1)
        data = [*self.save_all(task), "--methods", "caos", "--alpha", "0.5",
                "--groups", self.save("groups", [0] * 20), "--test-groups"]
        test_groups = [0] * len(task.test)
        self.assertEqual(self.succeed("evaluate", *data, self.save("seen", test_groups)).err, "")
        test_groups[1] = 9
        run = self.succeed("evaluate", *data, self.save("unseen", test_groups))
        self.assertRegex(run.err, r"caos: warning: .*group")


class PerExampleFiles(TaskTest):
    def test_hold_one_row_per_result_and_example(self):
        task = random_task(15, n=16, m=9, num_labels=5)
        references = list(range(8))
        alphas = ["0.2", "0.50"]
        self.succeed("evaluate", *self.save_all(task), *self.save_references(references),
                     *self.save_reverse(task), "--methods", ",".join(oracle.METHODS),
                     "--alpha", ",".join(alphas), "--per-example", "rows.csv")
        text = (self.folder / "rows.csv").read_text()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), len(oracle.METHODS) * 2 * 9)
        problem = task.problem(references=references)
        expected = []
        for method, run in oracle.METHODS.items():
            for alpha in alphas:
                measured = oracle.outcomes(problem, run(problem, alpha))
                for t, (covered, size) in enumerate(measured):
                    expected.append((t, task.test_labels[t], method, alpha.rstrip("0"),
                                     float(covered), float(size)))
        found = [(int(r["example"]), int(r["label"]), r["method"], r["alpha"],
                  float(r["covered"]), float(r["set_size"])) for r in rows]
        self.assertEqual(found, expected)

    def test_replace_a_file_of_that_name(self):
        task = random_task(16, n=8, m=3)
        self.write("rows.csv", "old")
        self.succeed("evaluate", *self.save_all(task), "--methods", "caos", "--per-example",
                     "rows.csv")
        self.assertTrue((self.folder / "rows.csv").read_text().startswith("example,label,method"))


class TextForPeople(TaskTest):
    def test_is_a_table_with_a_row_per_result_and_what_is_guaranteed(self):
        task = random_task(17, n=20, m=20)
        text = self.output("evaluate", *self.save_all(task), "--symmetric", "--methods", "all",
                           "--alpha", "0.1,0.2")
        lines = text.splitlines()
        self.assertTrue(lines[0].startswith("20 labeled examples"))
        header = next(i for i, line in enumerate(lines) if line.startswith("method"))
        rows = lines[header + 2: header + 2 + 16]
        self.assertEqual([row.split()[0] for row in rows],
                         [m for m in oracle.METHODS for _ in range(2)])
        self.assertEqual({row.split()[1] for row in rows}, {"0.1", "0.2"})
        self.assertEqual(len({len(line) for line in [lines[header], *rows]}), 1)
        for method in ("scos-best", "scos-oracle", "split-caos-ref"):
            self.assertRegex(text, rf"(?m)^{method}: none \(.+\)$")
        self.assertIn("exchangeable", lines[-2])
        self.assertIn("Clopper-Pearson", lines[-1])

    def test_shows_infinite_thresholds_as_inf(self):
        task = random_task(18, n=10, k=2)
        text = self.output("evaluate", *self.save_all(task), "--methods", "caos", "--alpha", "0.01")
        self.assertRegex(text, r"(?m)^caos .* inf$")

    def test_lists_every_group(self):
        task = random_task(19, n=20, num_labels=3)
        text = self.output("evaluate", *self.save_all(task), "--methods", "caos", "--alpha", "0.2",
                           "--groups", "labels")
        self.assertRegex(text, r"(?m)^caos, alpha 0\.2, by group:$")
        for group in range(3):
            n = int((task.labels == group).sum())
            self.assertRegex(text, rf"(?m)^  {group} +{n} ")

    def test_a_report_is_a_page_that_names_every_method(self):
        task = random_task(20, n=20)
        self.succeed("evaluate", *self.save_all(task), "--symmetric", "--methods", "all", "--report",
                     "report.html")
        page = (self.folder / "report.html").read_text()
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertTrue(page.endswith("</html>\n"))
        for method in oracle.METHODS:
            self.assertIn(f"<td>{method}</td>", page)
        self.assertNotIn("http", page)


if __name__ == "__main__":
    unittest.main()
