"""`caos classify` against its definition in plain Python, and against `caos evaluate`."""

import csv
import json
import unittest
from fractions import Fraction

import numpy as np

from classify_support import (ClassifyTest, cosine, euclidean, kernel_score, manhattan, p_value,
                              priors, ratio_score, real_task, whole_task)

ALPHAS = ["0.05", "0.2", "0.5"]


class SetsAgreeWithTheDefinition(ClassifyTest):
    def assert_rows(self, found, expected, names):
        """Rows at every alpha against the p-values [m][K] of the definition."""
        by_alpha = {float(alpha): [] for alpha in ALPHAS}
        for row in found:
            by_alpha[row["alpha"]].append(row)
        for alpha in ALPHAS:
            rows = by_alpha[float(alpha)]
            self.assertEqual([row["id"] for row in rows], [str(t) for t in range(len(expected))])
            for row, p_values in zip(rows, expected):
                self.assertEqual(row["p_values"],
                                 {name: float(p) for name, p in zip(names, p_values)})
                self.assertEqual(row["set"], [name for name, p in zip(names, p_values)
                                              if p > Fraction(alpha)])

    def test_of_ratios_with_ties(self):
        for seed in range(6):
            k = 1 + seed % 3
            distance, name = [(euclidean, "euclidean"), (manhattan, "manhattan")][seed % 2]
            with self.subTest(seed=seed):
                task = whole_task(seed, 12 + seed, 6)
                self.save_task(task)
                self.calibrate("--k", k, "--distance", name)
                rows, labels, new, _ = task
                expected = [[p_value(rows, labels, x, y,
                                     lambda r, l, i: ratio_score(r, l, i, k, distance))
                             for y in range(3)] for x in new]
                self.assert_rows(self.predict(alphas=",".join(ALPHAS)), expected, "012")

    def test_of_kernel_votes_with_and_without_label_vectors(self):
        for seed in range(4):
            with self.subTest(seed=seed):
                task = real_task(seed, 14, 5)
                rows, labels, new, _ = task
                self.save_task(task, names=["cat", "dog", "eel"])
                vectors = np.random.default_rng(seed).normal(size=(3, 4))
                options, settings = ["--label-names", "cat,dog,eel"], {}
                if seed % 2:
                    options += ["--label-embeddings", self.save("names", vectors)]
                    settings = {"names": vectors.tolist(), "weight": 0.1}
                if seed == 3:
                    options += ["--temperature", "0.3", "--prior-weight", "0.5"]
                    settings |= {"temperature": 0.3, "weight": 0.5}
                self.calibrate("--method", "full-kernel", *options)
                expected = [[p_value(rows, labels, x, y,
                                     lambda r, l, i: kernel_score(r, l, i, 3, **settings))
                             for y in range(3)] for x in new]
                self.assert_rows(self.predict(alphas=",".join(ALPHAS)), expected,
                                 ["cat", "dog", "eel"])

    def test_within_labels_and_groups(self):
        task = whole_task(7, 20, 6)
        rows, labels, new, _ = task
        self.save_task(task)
        self.calibrate("--groups", "labels")
        expected = [[p_value(rows, labels, x, y, ratio_score, lambda i, y=y: labels[i] == y)
                     for y in range(3)] for x in new]
        self.assert_rows(self.predict(alphas=",".join(ALPHAS)), expected, "012")
        groups, new_groups = [i % 2 + 5 for i in range(20)], [5, 6, 5, 6, 5, 9]
        self.calibrate("--groups", self.save("groups", groups))
        found = self.predict("--groups", self.save("new-groups", new_groups),
                             alphas=",".join(ALPHAS))
        expected = [[p_value(rows, labels, x, y, ratio_score, lambda i, g=g: groups[i] == g)
                     for y in range(3)] for x, g in zip(new, new_groups)]
        self.assert_rows(found, expected, "012")

    def test_of_a_standardized_batch(self):
        task = real_task(3, 15, 6)
        rows, labels, new, _ = task
        scale = np.array([1, 1000, 0.01, 5])
        self.save_task(([list(np.array(r) * scale) for r in rows], labels,
                        [list(np.array(r) * scale) for r in new], [0] * 6))
        self.calibrate("--standardize", "batch")
        both = np.array(rows + new)
        both = (both - both.mean(axis=0)) / both.std(axis=0)
        expected = [[p_value(both[:15].tolist(), labels, x, y, ratio_score) for y in range(3)]
                    for x in both[15:].tolist()]
        self.assert_rows(self.predict(alphas=",".join(ALPHAS)), expected, "012")
        self.assertEqual(self.json("inspect", "model.caos")["standardize"], "batch")
        text = self.succeed("classify", "predict", "model.caos", "new.npy", "--out", "s.csv").out
        self.assertIn("sets depend on which vectors are predicted together", text)

    def test_the_order_of_examples_does_not_matter(self):
        for method in ("full-ratio", "full-kernel"):
            rows, labels, new, truths = whole_task(11, 25, 8)
            order = np.random.default_rng(0).permutation(25)
            found = []
            for some in (range(25), order):
                self.save_task(([rows[i] for i in some], [labels[i] for i in some], new, truths))
                self.calibrate("--method", method)
                found.append(self.predict())
            self.assertEqual(*found)


class Evaluate(ClassifyTest):
    def result(self, found, method, alpha):
        return next(r for r in found["results"]
                    if r["method"] == method and r["alpha"] == float(alpha))

    def test_agrees_with_the_sets_that_predict_gives(self):
        names = ["cat", "dog", "eel"]
        for method in ("full-ratio", "full-kernel"):
            for groups in ([], ["--groups", "labels"]):
                task = whole_task(5, 30, 40)
                self.save_task(task, names)
                found = self.evaluate("--methods", method, "--alpha", ",".join(ALPHAS), *groups)
                self.calibrate("--method", method, *groups)
                rows = self.predict(alphas=",".join(ALPHAS))
                for alpha in ALPHAS:
                    sets = [r["set"] for r in rows if r["alpha"] == float(alpha)]
                    result = self.result(found, method, alpha)
                    covered = [names[y] in s for s, y in zip(sets, task[3])]
                    self.assertAlmostEqual(result["coverage"], np.mean(covered))
                    self.assertAlmostEqual(result["mean_set_size"], np.mean([*map(len, sets)]))
                    for y, group in enumerate(result.get("groups", [])):
                        of_label = [c for c, t in zip(covered, task[3]) if t == y]
                        self.assertEqual(group["label"], names[y])
                        self.assertAlmostEqual(group["coverage"], np.mean(of_label))

    def votes(self, rows, labels, x, num_labels):
        """-log P(y | x; {j}), [K, n]."""
        prior = np.array(priors(x, None, num_labels, 0.1, 0.001))
        weights = np.exp((np.array([cosine(x, row) for row in rows]) - 1) / 0.1)
        own = prior[:, None] + weights * (np.arange(num_labels)[:, None] == np.array(labels))
        return -np.log(own / (0.001 + weights))

    def test_of_the_papers_methods_is_that_of_the_votes_as_arrays(self):
        rows, labels, new, truths = real_task(9, 24, 30)
        self.save_task((rows, labels, new, truths))
        methods = ["caos", "full-caos", "scos", "scos-best", "scos-oracle", "split-caos",
                   "split-caos-cal", "split-caos-ref"]
        found = self.evaluate("--methods", ",".join(methods), "--alpha", "0.1,0.3")
        labeled = np.array([self.votes(rows, labels, x, 3) for x in rows])
        test = np.array([self.votes(rows, labels, x, 3) for x in new])
        self.assertTrue(np.isfinite(labeled).all() and np.isfinite(test).all())
        # Example i's own label under the reference (x, y).
        reverse = np.array([[[self.votes([x], [y], rows[i], 3)[labels[i], 0] for i in range(24)]
                             for y in range(3)] for x in new])
        arrays = self.json(
            "evaluate", "--labeled", self.save("scores", labeled), "--labels", "labels.npy",
            "--test", self.save("test-scores", test), "--test-labels", "truths.npy", "--reverse",
            self.save("reverse", reverse), "--methods", ",".join(methods), "--alpha", "0.1,0.3",
            "--quiet")
        self.assertEqual(found["k"], 3)
        for one, other in zip(found["results"], arrays["results"]):
            for key in ("method", "alpha", "coverage", "mean_set_size", "rank"):
                self.assertEqual(one[key], other[key], (one["method"], key))
            if other["threshold"] is not None:
                self.assertAlmostEqual(one["threshold"], other["threshold"], places=6)

    def test_all_methods_that_can_run(self):
        self.save_task(whole_task(1, 24, 10))
        def methods(*more):
            return [r["method"] for r in self.evaluate("--methods", "all", *more)["results"]]
        self.assertEqual(methods(), ["full-kernel", "full-ratio", "caos", "full-caos", "scos",
                                     "scos-best", "scos-oracle", "split-caos", "split-caos-cal",
                                     "split-caos-ref"])
        self.assertEqual(methods("--groups", "labels"), [
            "full-kernel", "full-ratio", "caos", "full-caos", "split-caos", "split-caos-cal",
            "split-caos-ref"])

    def test_marks_parameters_that_are_not_the_defaults(self):
        self.save_task(whole_task(1, 20, 10))
        found = self.evaluate()
        self.assertEqual(found["parameters"], {
            "full-ratio": {"k": 1, "distance": "euclidean", "default": True},
            "full-kernel": {"temperature": 0.1, "prior_weight": 0.001, "default": True}})
        self.assertIsNone(found["k"])
        found = self.evaluate("--temperature", "0.2", "--distance", "cosine")
        self.assertEqual(found["parameters"], {
            "full-ratio": {"k": 1, "distance": "cosine", "default": False},
            "full-kernel": {"temperature": 0.2, "prior_weight": 0.001, "default": False}})
        text = self.output("classify", "evaluate", "--train", "train.npy", "--labels",
                           "labels.npy", "--test", "new.npy", "--test-labels", "truths.npy",
                           "--prior-weight", "0.5", "--quiet")
        self.assertIn("full-ratio: k = 1, euclidean distance (defaults)\n", text)
        self.assertIn("full-kernel: T = 0.1, b = 0.5 (not the defaults: ", text)
        inspected = self.calibrate("--method", "full-kernel", "--temperature", "0.2")
        self.assertFalse(inspected["default_parameters"])

    def test_writes_outcomes_and_a_page(self):
        task = whole_task(2, 20, 10)
        self.save_task(task, ["a", "b", "<c>"])
        found = self.evaluate("--alpha", "0.2", "--per-example", "o.csv", "--report", "r.html",
                              "--manifest", "m.json")
        with open(self.folder / "o.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([r["label"] for r in rows[:10]], [["a", "b", "<c>"][y] for y in task[3]])
        for result in found["results"]:
            covered = [float(r["covered"]) for r in rows if r["method"] == result["method"]]
            self.assertAlmostEqual(np.mean(covered), result["coverage"])
        page = (self.folder / "r.html").read_text()
        self.assertIn("full-ratio", page)
        self.assertIn("20 labeled examples, 3 labels, 10 test examples.", page)
        manifest = json.loads((self.folder / "m.json").read_text())
        self.assertEqual([i["path"] for i in manifest["inputs"]],
                         ["train.npy", "labels.npy", "new.npy", "truths.npy"])
        self.assertEqual([o["path"] for o in manifest["outputs"] if o["path"] != "-"][:2],
                         ["o.csv", "r.html"])

    def test_sets_some_of_a_table_aside(self):
        rows, labels, _, _ = whole_task(3, 40, 1)
        self.write("t.csv", "x,y,z,label\n" + "".join(
            f"{a},{b},{c},{'pqr'[y]}\n" for (a, b, c), y in zip(rows, labels)))
        found = self.json("classify", "evaluate", "--train", "t.csv", "--test-size", 10, "--quiet")
        self.assertEqual((found["n"], found["num_test"], found["labels"]), (30, 10, list("pqr")))
        other = self.json("classify", "evaluate", "--train", "t.csv", "--test-size", 10, "--seed",
                          1, "--quiet")
        self.assertNotEqual(found["results"], other["results"])
        again = self.json("classify", "evaluate", "--train", "t.csv", "--test-size", 10, "--quiet")
        self.assertEqual(found, again)

    def test_counts_labels_that_were_never_seen_as_missed(self):
        rows, labels, new, truths = whole_task(4, 20, 8)
        self.save_task((rows, labels, new, [*truths[:-1], 17]))
        run = self.succeed("classify", "evaluate", "--train", "train.npy", "--labels",
                           "labels.npy", "--test", "new.npy", "--test-labels", "truths.npy",
                           "--alpha", "0.01", "--json")
        found = json.loads(run.out)
        self.assertEqual(found["num_test_unlisted"], 1)
        self.assertEqual(found["labels_from"], "train")
        self.assertIn("a label that does not occur there is in no set", found["risk"])
        self.assertIn("name all of them with --label-names", run.err)
        self.assertEqual(found["results"][0]["coverage"], 7 / 8)  # every set is every label
        self.assertIn("listed labels", found["results"][0]["guarantee"])
        self.assertFalse(found["results"][0]["feasible"])
        self.assertIn("alpha 0.01: 99 calibration examples are needed and there are 20", run.err)
        found = self.evaluate("--label-names", self.write("n.txt", "".join(
            f"{y}\n" for y in range(18))))
        self.assertEqual((found["labels_from"], found["num_labels"]), ("given", 18))


class Predict(ClassifyTest):
    def test_finds_columns_by_name(self):
        rows, labels, new, _ = whole_task(6, 30, 5)
        self.save_task((rows, labels, new, [0] * 5))
        self.calibrate("--label-names", "p,q,r")
        expected = self.predict()
        self.write("t.csv", "x,y,z,kind\n" + "".join(
            f"{a},{b},{c},{'pqr'[y]}\n" for (a, b, c), y in zip(rows, labels)))
        model = self.json("classify", "calibrate", "--train", "t.csv", "--label-column", "kind",
                          "--label-names", "p,q,r", "--out", "model.caos")
        self.assertEqual(model["features"], ["x", "y", "z"])
        self.write("new.csv", "name,z,y,x\n" + "".join(
            f"n{t},{c},{b},{a}\n" for t, (a, b, c) in enumerate(new)))
        self.succeed("classify", "predict", "model.caos", "new.csv", "--id-column", "name",
                     "--out", "sets.csv")
        with open(self.folder / "sets.csv", newline="", encoding="utf-8") as file:
            found = list(csv.DictReader(file))
        self.assertEqual([r["id"] for r in found], [f"n{t}" for t in range(5)])
        self.assertEqual([r["set"] for r in found], ["|".join(r["set"]) for r in expected])
        self.assertEqual([float(r["p:q"]) for r in found], [r["p_values"]["q"] for r in expected])
        self.assertEqual({r["guarantee"] for r in found}, {"marginal"})

    def test_a_column_that_names_rows_is_not_a_feature(self):
        rows, labels, new, truths = whole_task(6, 30, 5)
        def write(name, vectors, of_vectors):
            self.write(name, "name,x,y,z,label\n" + "".join(
                f"n{i},{a},{b},{c},{'pqr'[y]}\n"
                for i, ((a, b, c), y) in enumerate(zip(vectors, of_vectors))))
        write("t.csv", rows, labels)
        write("new.csv", new, truths)
        named = ["--train", "t.csv", "--id-column", "name", "--label-names", "p,q,r"]
        model = self.json("classify", "calibrate", *named, "--out", "model.caos")
        self.assertEqual(model["features"], ["x", "y", "z"])
        found = self.json("classify", "evaluate", *named, "--test", "new.csv")
        self.save_task((rows, labels, new, truths))
        expected = self.evaluate("--label-names", "p,q,r")
        self.assertEqual(found["results"], expected["results"])
        verified = self.json("verify", "--vectors", "t.csv", "--vector-id-column", "name",
                             "--splits", 5, "--methods", "full-ratio")
        self.assertEqual(verified["parts"][0]["examples"], 30)

    def test_reads_standard_input_and_writes_standard_output(self):
        task = whole_task(8, 20, 4)
        self.save_task(task)
        self.calibrate()
        run = self.succeed("classify", "predict", "model.caos", "-",
                           stdin=(self.folder / "new.npy").read_bytes())
        self.assertEqual([json.loads(line) for line in run.out.splitlines()], self.predict())
        self.assertIn("standard output: sets for 4 vectors, 3 labels, method full-ratio", run.err)
        run = self.succeed("classify", "predict", "model.caos", "new.npy", "--format", "csv")
        self.assertTrue(run.out.startswith("id,alpha,prediction,set,set_size,guarantee,p:0,"))

    def test_sums_up(self):
        self.save_task(whole_task(8, 20, 40))
        self.calibrate()
        rows = self.predict(alphas="0.2,0.01")
        found = self.json("classify", "predict", "model.caos", "new.npy", "--alpha", "0.2,0.01",
                          "--out", "sets.csv", "--quiet")
        sizes = [len(r["set"]) for r in rows if r["alpha"] == 0.2]
        self.assertEqual(found["results"][0]["singletons"], sizes.count(1))
        self.assertAlmostEqual(found["results"][0]["mean_set_size"], np.mean(sizes))
        self.assertEqual([r["feasible"] for r in found["results"]], [True, False])
        self.assertEqual(found["results"][1]["mean_set_size"], 3)
        self.assertEqual(found["parameters"]["default"], True)

    def test_smooths_with_a_seed(self):
        self.save_task(whole_task(10, 20, 30))
        self.calibrate()
        plain = self.predict()
        smooth, again, other = (self.predict("--smoothed", "--seed", s) for s in (1, 1, 2))
        self.assertEqual(smooth, again)
        self.assertNotEqual(smooth, other)
        for one, two in zip(smooth, plain):
            for name, p in one["p_values"].items():
                self.assertLessEqual(p, two["p_values"][name])
                self.assertEqual(name in one["set"], p > 0.1)

    def test_results_do_not_depend_on_threads(self):
        self.save_task(real_task(1, 60, 50))
        for method in ("full-ratio", "full-kernel"):
            self.calibrate("--method", method)
            self.assertEqual(self.predict("--threads", 1), self.predict("--threads", 3))

    def test_clipping_the_rank_loses_the_guarantee(self):
        self.save_task(whole_task(8, 12, 4))
        self.calibrate()
        rows = self.predict("--clip-rank", alphas="0.01")
        self.assertTrue(all(r["guarantee"].startswith("none (too few") for r in rows))

    def test_models_with_groups_say_which_alpha_all_of_them_permit(self):
        rows, _, new, truths = whole_task(8, 12, 4)
        self.save_task((rows, [0] * 7 + [1] * 3 + [2] * 2, new, truths))
        self.assertAlmostEqual(self.calibrate()["smallest_feasible_alpha"], 1 / 13)
        self.assertAlmostEqual(self.calibrate("--groups", "labels")["smallest_feasible_alpha"], 1 / 3)
        self.assertIn("smallest feasible alpha  0.3333, in every group\n",
                      self.output("inspect", "model.caos"))
        named = self.calibrate("--groups", "labels", "--label-names", "a,b,c,d")
        self.assertEqual(named["smallest_feasible_alpha"], 1)  # one has no example

    def test_models_say_what_they_are(self):
        self.save_task(whole_task(8, 12, 4))
        self.calibrate("--method", "full-kernel")
        text = self.output("inspect", "model.caos")
        for said in ("model.caos: a classification model", "full-kernel", "temperature T",
                     "labeled vectors n        12"):
            self.assertIn(said, text)
        self.refuse(1, ["predict", "model.caos", "--test", "new.npy", "--alpha", "0.1"],
                    "model.caos: is a classification model; 'caos classify predict' uses it")


if __name__ == "__main__":
    unittest.main()
