"""`caos text evaluate` against the oracle, and what it says."""

import json
import unittest

import oracle
from text_support import LABELS, ScoredTextTest, TextTest, csv_text

ALPHAS = ["0.1", "0.2", "0.5"]
METHODS = ["caos", "full-caos", "scos", "scos-best", "scos-oracle", "split-caos",
           "split-caos-cal", "split-caos-ref"]


class Evaluation(ScoredTextTest):
    def evaluate(self, *more):
        return self.json("text", "evaluate", "--train", "train.csv", "--model", "scores:scores.npy",
                         "--alpha", ",".join(ALPHAS), *more)

    def problem_of(self, found, k, **more):
        """What the oracle wants to know of the split that the program drew."""
        test = [int(row) - 1 for row in found["test_texts"]]
        labeled = [i for i in range(len(self.train)) if i not in test]
        references = [labeled.index(int(row) - 1) for row in found["references"]]
        return self.split_task(labeled, test, k).problem(references=references, **more)

    def assert_like_oracle(self, found, problem, methods):
        self.assertEqual([(r["method"], r["alpha"]) for r in found["results"]],
                         [(m, float(a)) for m in methods for a in ALPHAS])
        for result, (method, alpha) in zip(found["results"],
                                           [(m, a) for m in methods for a in ALPHAS]):
            expected = oracle.METHODS[method](problem, alpha)
            for key, value in oracle.summary(problem, expected).items():
                self.assertAlmostEqual(result[key], float(value), msg=(method, alpha, key))
            self.assertEqual(result["feasible"], expected.feasible)

    def test_agrees_with_the_oracle_for_every_method_and_seed(self):
        sizes = set()
        for seed in range(4):
            self.save_scores(100 * seed)
            found = self.evaluate("--methods", ",".join(METHODS), "--reverse", "reverse.npy",
                                  "--seed", seed, "--test-size", 4 + seed, "--k", 1 + seed)
            self.assertEqual((found["n"], found["num_test"]), (20 - seed, 4 + seed))
            self.assertEqual(len(found["references"]), (20 - seed) // 2)
            self.assert_like_oracle(found, self.problem_of(found, 1 + seed), METHODS)
            sizes.update(result["mean_set_size"] for result in found["results"])
        self.assertGreater(len(sizes), 20)

    def test_within_each_label_agrees_with_the_oracle(self):
        self.save_scores(7)
        found = self.evaluate("--groups", "labels", "--methods", "caos,full-caos", "--reverse",
                              "reverse.npy")
        self.assert_like_oracle(found, self.problem_of(found, 3, groups="labels"),
                                ["caos", "full-caos"])
        result = found["results"][0]
        self.assertEqual(result["guarantee"], "group-conditional")
        self.assertEqual([group["label"] for group in result["groups"]], LABELS)
        self.assertEqual(sum(group["n"] for group in result["groups"]), found["n"])
        text = self.output("text", "evaluate", "--train", "train.csv", "--model",
                           "scores:scores.npy", "--groups", "labels", "--alpha", "0.5")
        for label in LABELS:
            self.assertRegex(text, rf"\n  {label} +\d")

    def test_by_default_compares_caos_with_scos_on_ten_texts(self):
        self.save_scores(1)
        found = self.json("text", "evaluate", "--train", "train.csv", "--model", "scores:scores.npy")
        self.assertEqual(found["num_test"], 10)
        self.assertEqual(list(dict.fromkeys(r["method"] for r in found["results"])),
                         ["caos", "scos"])
        self.assertEqual({r["alpha"] for r in found["results"]}, {0.1})

    def test_refuses_a_k_that_does_not_fit_before_any_text_is_scored(self):
        for method in ("split-caos", "split-caos-ref"):
            self.refuse(2, ["text", "evaluate", "--train", "train.csv", "--k", 8, "--methods",
                            method, "--model", "command:false"], "k 8", method, "out of methods")

    def test_of_scores_of_another_shape_is_refused(self):
        self.save("scores", [[[0.1] * 3] * 2] * 3)
        self.refuse(2, ["text", "evaluate", "--train", "train.csv", "--model", "scores:scores.npy"],
                    "scores.npy", "[3, 2, 3]", "[24, 3, 24]")

    def test_refuses_invalid_scores_in_any_file(self):
        for name in ("scores", "reverse"):
            self.save_scores(3)
            bad = getattr(self, name)
            bad[:] = float("nan")
            self.save(name, bad)
            self.refuse(1, ["text", "evaluate", "--train", "train.csv", "--model",
                            "scores:scores.npy", "--reverse", "reverse.npy", "--methods",
                            "full-caos"], f"{name}.npy", "nan")


class WithABuiltInModel(TextTest):
    def test_says_model_guarantee_and_assumption(self):
        run = self.succeed("text", "evaluate", "--train", "train.csv", "--alpha", "0.2", "--methods",
                           "caos,scos,scos-best")
        for said in ("builtin", "average", "caos", "marginal", "exchangeable", "14 labeled examples",
                     "scos-best: none", "552 pairs"):
            self.assertIn(said, run.out)
        self.assertEqual(run.err, "")
        run = self.succeed("text", "evaluate", "--train", "train.csv", "--alpha", "0.2", "--json")
        self.assertRegex(run.err, r"\Aleft out: full-caos [^\n]+\n\Z")
        found = json.loads(run.out)
        self.assertEqual(found["model"], "builtin")
        self.assertTrue(found["model_identity"])
        self.assertEqual((found["normalization"], found["template"]), ("average", "paper"))
        self.assertEqual((found["pairs"], found["shortened"], found["store"]), (552, 0, None))
        self.assertIn("exchangeable", found["assumption"])
        self.assertEqual(found["labels"], LABELS)
        self.assertEqual(found["labels_from"], "task.json")

    def test_is_the_same_with_any_number_of_threads(self):
        texts = {self.output("text", "evaluate", "--train", "train.csv", "--threads", threads,
                             "--methods", "caos,full-caos,scos", "--json") for threads in (1, 2, 5)}
        self.assertEqual(len(texts), 1)

    def test_full_caos_is_within_caos_and_costs_further_pairs(self):
        found = self.json("text", "evaluate", "--train", "train.csv", "--alpha", "0.1", "--methods",
                          "caos,full-caos")
        caos, full = found["results"]
        self.assertLessEqual(full["mean_set_size"], caos["mean_set_size"])
        self.assertGreater(found["pairs"], 552)

    def test_warns_where_alpha_is_too_small(self):
        run = self.succeed("text", "evaluate", "--train", "train.csv", "--alpha", "0.01")
        self.assertIn("alpha 0.01: 99 calibration examples are needed and there are 14", run.err)
        self.assertEqual(self.succeed("text", "evaluate", "--train", "train.csv", "--alpha", "0.01",
                                      "--quiet").err, "")

    def test_reads_other_columns_and_json_lines_alike(self):
        expected = self.json("text", "evaluate", "--train", "train.csv")
        rows = [[i, text, label] for i, (text, label) in enumerate(self.train, start=1)]
        self.write("other.csv", csv_text(["number", "Sentence", "Class"], rows))
        self.write("other.jsonl", "".join(json.dumps({"Sentence": text, "Class": label}) + "\n"
                                          for text, label in self.train))
        columns = ["--text-column", "Sentence", "--label-column", "Class"]
        for train in ("other.csv", "other.jsonl"):
            found = self.json("text", "evaluate", "--train", train, *columns)
            self.assertEqual(found, expected)
        with_ids = self.json("text", "evaluate", "--train", "other.csv", *columns, "--id-column",
                             "number")
        self.assertEqual(with_ids, expected)
        from_stdin = self.json("text", "evaluate", "--train", "-", "--labels-from", "task.json",
                               stdin=(self.folder / "train.csv").read_bytes())
        self.assertEqual(from_stdin, expected)

    def test_takes_columns_from_a_task_file_in_the_style_of_raft(self):
        expected = self.json("text", "evaluate", "--train", "train.csv")
        self.write("task.json", json.dumps({
            "name": "feedback", "data_columns": ["ID", "Sentence"],
            "label_columns": {"Label": LABELS}}))
        rows = [[i, text, label] for i, (text, label) in enumerate(self.train)]
        self.write("raft.csv", csv_text(["ID", "Sentence", "Label"], rows))
        self.assertEqual(self.json("text", "evaluate", "--train", "raft.csv"), expected)

    def test_joins_several_columns(self):
        rows = [[text.split()[0], " ".join(text.split()[1:]), label] for text, label in self.train]
        self.write("two.csv", csv_text(["title", "body", "label"], rows))
        joined = [[f"title: {title}\nbody: {body}", label] for title, body, label in rows]
        self.write("one.csv", csv_text(["text", "label"], joined))
        expected = self.json("text", "evaluate", "--train", "one.csv")
        for columns in (["--text-column", "title,body"],
                        ["--text-column", "title", "--text-column", "body"]):
            self.assertEqual(self.json("text", "evaluate", "--train", "two.csv", *columns), expected)


class LabelSpaces(TextTest):
    def evaluate(self, *more):
        return self.run_caos("text", "evaluate", "--train", "train.csv", "--json", *more)

    def test_may_be_a_list_or_a_file(self):
        expected = self.evaluate("--labels-from", "task.json")
        found = json.loads(self.evaluate("--labels-from", ", ".join(LABELS)).out)
        self.assertEqual(found["labels_from"], "list")
        self.assertEqual(found | {"labels_from": "task.json"}, json.loads(expected.out))

    def test_of_the_table_alone_are_a_risk_that_is_told(self):
        run = self.evaluate("--labels-from", "train")
        self.assertIn("warning: labels are those of the labeled texts", run.err)
        found = json.loads(run.out)
        self.assertEqual((found["labels_from"], found["labels"]), ("train", sorted(LABELS)))
        self.assertIn("missed on top of alpha", found["risk"])
        self.assertEqual({result["guarantee"] for result in found["results"]
                          if result["method"] in ("caos", "scos")},
                         {"marginal for listed labels (1 - alpha - P(label not in the list))"})

    def test_do_not_take_labels_of_test_texts(self):
        """Each text that is put aside alone has a label of its own: nothing lists it."""
        rows = [(f"{text} {i}", label) for i, (text, label) in enumerate(self.train)]
        given = json.loads(self.evaluate("--labels-from", "task.json", "--test-size", 5).out)
        aside = [int(i) - 1 for i in given["test_texts"]]
        rows[aside[0]] = (rows[aside[0]][0], "spam")
        self.write("rare.csv", csv_text(["text", "label"], rows))
        found = self.json("text", "evaluate", "--train", "rare.csv", "--labels-from", "train",
                          "--test-size", 5, "--alpha", "0.01", "--methods", "caos")
        self.assertNotIn("spam", found["labels"])
        self.assertEqual(found["num_test_unlisted"], 1)
        # alpha is infeasible, so sets hold every listed label, and miss the one that is not.
        result = found["results"][0]
        self.assertEqual(result["mean_set_size"], len(found["labels"]))
        self.assertAlmostEqual(result["coverage"], 4 / 5)
        text = self.output("text", "evaluate", "--train", "rare.csv", "--labels-from", "train",
                           "--test-size", 5, "--methods", "caos")
        self.assertIn("marginal (listed)", text)
        self.assertIn("1 - alpha - P(label not in the list)", text)

    def test_that_are_given_hold_labels_that_only_test_texts_have(self):
        rows = [(text, "spam" if i == 0 else label) for i, (text, label) in enumerate(self.train)]
        self.write("rare.csv", csv_text(["text", "label"], rows))
        found = self.json("text", "evaluate", "--train", "rare.csv", "--labels-from",
                          ",".join([*LABELS, "spam"]), "--methods", "caos")
        self.assertIn("spam", found["labels"])
        self.assertNotIn("num_test_unlisted", found)
        self.assertEqual(found["results"][0]["guarantee"], "marginal")

    def test_must_come_from_somewhere(self):
        (self.folder / "task.json").unlink()
        self.refuse(2, ["text", "evaluate", "--train", "train.csv"], "--labels-from", "task.json",
                    "train.csv", "'train'")

    def test_must_hold_every_label_of_the_table(self):
        self.refuse(1, ["text", "evaluate", "--train", "train.csv", "--labels-from",
                        "praise,complaint"], "train.csv:", "question")

    def test_must_have_two_different_names(self):
        self.write("bad.csv", "no texts")
        for labels in ("praise", "praise,praise", "praise,,question"):
            self.refuse(2, ["text", "evaluate", "--train", "bad.csv", "--labels-from", labels],
                        "--labels-from")

    def test_of_one_label_in_the_table_are_too_few(self):
        self.write("one.csv", csv_text(["text", "label"], [["a", "x"], ["b", "x"]]))
        self.refuse(2, ["text", "evaluate", "--train", "one.csv", "--labels-from", "train"],
                    "one.csv", "two labels")


if __name__ == "__main__":
    unittest.main()
