"""`caos text calibrate`, `predict` and `inspect` against the oracle; formats, stdin and stdout."""

import csv
import json
import unittest
from fractions import Fraction

import numpy as np

import oracle
from support import random_task
from text_support import LABELS, ScoredTextTest, TextTest, csv_text

ALPHAS = ["0.1", "0.2", "0.5"]
FROM_FILE = ["--model", "scores:scores.npy"]
OF_NEW = ["--model", "scores:new_scores.npy"]


class Sets(ScoredTextTest):
    def assert_rows(self, rows, task, expected_of, p_value_of):
        """Rows are by text, then alpha."""
        problem = task.problem()
        sets = {alpha: expected_of(problem, alpha).sets for alpha in ALPHAS}
        for number, row in enumerate(rows):
            t, alpha = number // len(ALPHAS), ALPHAS[number % len(ALPHAS)]
            self.assertEqual((row["id"], row["alpha"]), (str(t + 1), float(alpha)))
            self.assertEqual(row["set"], [LABELS[y] for y in sorted(sets[alpha][t][0])])
            scores = [oracle.minsum(pool, task.k) for pool in problem.test[t]]
            self.assertEqual(row["prediction"], LABELS[int(np.argmin(scores))])
            self.assertEqual(list(row["p_values"]), LABELS)
            for y, p in enumerate(row["p_values"].values()):
                expected = p_value_of(problem, t, y)
                self.assertEqual(p, None if expected is None else float(expected))
        self.assertEqual(len(rows), len(self.new) * len(ALPHAS))

    def caos_p_value(self, problem, t, y):
        scores = [oracle.own_score(problem, i, range(problem.n)) for i in range(problem.n)]
        peers = [scores[i] for i in problem.peers(t, y)]
        return oracle.p_value(peers, oracle.minsum(problem.test[t][y], problem.k))

    def full_p_value(self, problem, t, y):
        """Full CAOS looks only at what is in the CAOS set at the smallest alpha."""
        looked_at = self.caos_p_value(problem, t, y) > Fraction(ALPHAS[0])
        return oracle.full_p_value(problem, t, y) if looked_at else None

    def test_of_caos_are_those_of_the_oracle(self):
        for seed in range(3):
            self.save_scores(50 * seed)
            self.calibrate(*FROM_FILE, "--k", 1 + seed)
            rows = self.predict(*OF_NEW, "--alpha", ",".join(ALPHAS))
            self.assert_rows(rows, self.new_task(1 + seed), oracle.caos, self.caos_p_value)
            self.assertEqual({row["guarantee"] for row in rows}, {"marginal"})

    def test_of_full_caos_are_those_of_the_oracle(self):
        for seed in range(3):
            self.save_scores(50 * seed)
            self.calibrate(*FROM_FILE, "--k", 1 + seed)
            rows = self.predict(*OF_NEW, "--alpha", ",".join(ALPHAS), "--method", "full-caos",
                                "--reverse", "new_reverse.npy")
            self.assert_rows(rows, self.new_task(1 + seed), oracle.full_caos, self.full_p_value)

    def test_within_each_label_are_those_of_the_oracle(self):
        self.save_scores(11)
        self.calibrate(*FROM_FILE, "--groups", "labels")
        rows = self.predict(*OF_NEW, "--alpha", "0.2")
        problem = self.new_task(3).problem(groups="labels")
        expected = oracle.caos(problem, "0.2").sets
        self.assertEqual([row["set"] for row in rows],
                         [[LABELS[y] for y in sorted(s)] for (s,) in expected])
        self.assertEqual({row["guarantee"] for row in rows}, {"group-conditional"})

    def test_name_the_references_that_speak_for_each_label(self):
        self.save_scores(21)
        self.calibrate(*FROM_FILE)
        for t, row in enumerate(self.predict(*OF_NEW)):
            for y, label in enumerate(LABELS):
                nearest = np.argsort(self.new_scores[t, y], kind="stable")[:3]
                self.assertEqual(row["supporting_references"][label],
                                 [{"id": str(j + 1), "label": self.train[j][1],
                                   "score": self.new_scores[t, y, j]} for j in nearest])

    def test_need_scores_of_the_new_texts(self):
        self.save_scores(1)
        self.calibrate(*FROM_FILE)
        self.refuse(2, ["text", "predict", "model.caos", "new.csv"], "scores:scores.npy",
                    "those of the new texts")
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", *FROM_FILE],
                    "[24, 3, 24]", "[7, 3, 24]")
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--model", "builtin"],
                    "was calibrated with scores:scores.npy")

    def test_of_full_caos_need_reverse_scores(self):
        self.save_scores(1)
        self.calibrate(*FROM_FILE)
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", *OF_NEW, "--method",
                        "full-caos"], "--reverse")


class WithABuiltInModel(TextTest):
    def test_calibrates_and_predicts(self):
        out = self.output("text", "calibrate", "--train", "train.csv", "--out", "model.caos")
        for said in ("model.caos: a text model", "labeled texts n          24", "builtin", "average",
                     "the paper's", "smallest feasible alpha  0.04", "marginal", "exchangeable",
                     "praise, complaint, question"):
            self.assertIn(said, out)
        rows = self.predict("--alpha", "0.2")
        self.assertEqual([row["id"] for row in rows], [str(i) for i in range(1, 8)])
        for row in rows:
            self.assertEqual(row["set"], [label for label, p in row["p_values"].items() if p > 0.2])

    def test_knows_a_text_that_it_was_trained_on(self):
        self.calibrate("--k", 1)
        text, label = self.train[0]
        row, = self.predict(texts="-", stdin=json.dumps({"text": text}).encode())
        self.assertEqual(row["prediction"], label)
        self.assertIn(label, row["set"])
        self.assertEqual(row["supporting_references"][label][0]["label"], label)

    def test_gives_the_same_in_both_formats(self):
        self.calibrate()
        options = ["--alpha", "0.1,0.3"]
        rows = self.predict(*options)
        run = self.succeed("text", "predict", "model.caos", "new.csv", *options, "--out", "s.csv")
        for said in ("s.csv: sets for 7 texts, 3 labels", "alpha 0.1: ", "alpha 0.3: ", "guarantee marginal",
                     "exchangeable"):
            self.assertIn(said, run.out)
        text = (self.folder / "s.csv").read_text()
        self.assertTrue(text.startswith(
            "id,alpha,prediction,set,set_size,guarantee,p:praise,p:complaint,p:question,"
            "supporting_references:praise,supporting_references:complaint,"
            "supporting_references:question,support:praise,support:complaint,support:question\n"))
        table = self.csv_rows(text)
        self.assertEqual(len(table), len(rows))
        for row, fields in zip(rows, table):
            self.assertEqual(fields["set"], "|".join(row["set"]))
            self.assertEqual(int(fields["set_size"]), len(row["set"]))
            self.assertEqual((fields["id"], float(fields["alpha"])), (row["id"], row["alpha"]))
            self.assertEqual(fields["prediction"], row["prediction"])
            for label in LABELS:
                self.assertEqual(fields[f"supporting_references:{label}"].split("|"),
                                 [one["id"] for one in row["supporting_references"][label]])
                self.assertEqual(fields[f"support:{label}"],
                                 fields[f"supporting_references:{label}"])
            self.assertEqual(row["support"], row["supporting_references"])
            self.assertEqual([float(fields[f"p:{label}"]) for label in LABELS],
                             list(row["p_values"].values()))
        self.assertEqual(self.output("text", "predict", "model.caos", "new.csv", *options,
                                     "--format", "csv"), text)
        self.succeed("text", "predict", "model.caos", "new.csv", *options, "--out", "s.jsonl")
        lines = (self.folder / "s.jsonl").read_text().splitlines()
        self.assertEqual([json.loads(line) for line in lines], rows)
        self.succeed("text", "predict", "model.caos", "new.csv", *options, "--out", "sets",
                     "--format", "jsonl")
        self.assertEqual((self.folder / "sets").read_text(), (self.folder / "s.jsonl").read_text())

    def test_escapes_bars_in_labels(self):
        labels = ["a|b", "c\\d"]
        rows = [[text, labels[i % 2]] for i, (text, _) in enumerate(self.train)]
        self.write("bars.csv", csv_text(["text", "label"], rows))
        self.calibrate("--labels-from", "train", train="bars.csv")
        out = self.output("text", "predict", "model.caos", "new.csv", "--alpha", "0.01", "--format",
                          "csv")
        self.assertEqual({row["set"] for row in self.csv_rows(out)}, {"a\\|b|c\\\\d"})

    def test_says_guarantee_and_assumption_on_stderr_beside_rows(self):
        self.calibrate()
        run = self.succeed("text", "predict", "model.caos", "new.csv")
        self.assertIn("guarantee marginal", run.err)
        self.assertIn("exchangeable", run.err)
        self.assertEqual(self.succeed("text", "predict", "model.caos", "new.csv", "--quiet").err, "")

    def test_summarizes_in_json(self):
        self.calibrate()
        found = self.json("text", "predict", "model.caos", "new.csv", "--alpha", "0.01,0.2", "--out",
                          "s.csv")
        self.assertEqual((found["num_texts"], found["num_labels"], found["method"]), (7, 3, "caos"))
        self.assertIn("exchangeable", found["assumption"])
        small, large = found["results"]
        self.assertEqual((small["feasible"], small["mean_set_size"]), (False, 3))
        self.assertEqual((large["feasible"], large["guarantee"]), (True, "marginal"))
        self.assertEqual((found["model"], found["pairs"]), ("builtin", 7 * 24))

    def test_reads_standard_input_as_csv_and_json_lines(self):
        self.calibrate()
        expected = self.predict()
        self.assertEqual(self.predict(texts="-", stdin=(self.folder / "new.csv").read_bytes()),
                         expected)
        lines = "".join(json.dumps({"text": text}) + "\n" for text in self.new)
        self.assertEqual(self.predict(texts="-", stdin=lines.encode()), expected)
        self.assertEqual(self.predict(model="-", stdin=(self.folder / "model.caos").read_bytes()),
                         expected)

    def test_names_texts_by_a_column(self):
        self.calibrate()
        rows = [[f"m-{i}", text] for i, text in enumerate(self.new)]
        self.write("named.csv", csv_text(["key", "text"], rows))
        found = self.predict("--id-column", "key", texts="named.csv")
        self.assertEqual([row["id"] for row in found], [f"m-{i}" for i in range(7)])

    def test_full_caos_is_within_caos(self):
        self.calibrate()
        plain = self.predict("--alpha", "0.1,0.3")
        full = self.predict("--alpha", "0.1,0.3", "--method", "full-caos")
        for a, b in zip(plain, full):
            self.assertLessEqual(set(b["set"]), set(a["set"]))
            self.assertEqual(a["prediction"], b["prediction"])

    def test_is_the_same_one_by_one_in_blocks_and_with_any_number_of_threads(self):
        self.calibrate()
        many = self.new * 80  # more than two blocks
        self.write("many.csv", csv_text(["text"], [[text] for text in many]))
        once = self.predict("--threads", 1)
        found = self.predict("--threads", 3, texts="many.csv")
        self.assertEqual(len(found), len(many))
        for t, row in enumerate(found):
            self.assertEqual(row | {"id": ""}, once[t % 7] | {"id": ""})

    def test_makes_the_same_model_with_any_number_of_threads(self):
        models = {(self.folder / self.calibrate("--threads", threads, out=f"{threads}.caos")).read_bytes()
                  for threads in (1, 2, 4)}
        self.assertEqual(len(models), 1)

    def test_of_no_texts_is_nothing(self):
        self.calibrate()
        self.write("none.csv", "text\n")
        self.assertEqual(self.predict(texts="none.csv"), [])
        self.assertEqual(self.json("text", "predict", "model.caos", "none.csv", "--out",
                                   "s.csv")["num_texts"], 0)

    def test_takes_several_columns_from_the_model(self):
        rows = [[text.split()[0], " ".join(text.split()[1:]), label] for text, label in self.train]
        self.write("two.csv", csv_text(["title", "body", "label"], rows))
        self.calibrate("--text-column", "title,body", train="two.csv")
        new = [[" ".join(text.split()[1:]), text.split()[0]] for text in self.new]
        self.write("new2.csv", csv_text(["body", "title"], new))
        self.assertEqual(len(self.predict(texts="new2.csv")), 7)
        self.refuse(1, ["text", "predict", "model.caos", "new.csv"], "new.csv", "title")

    def test_keeps_the_template_and_the_normalization_of_the_model(self):
        self.write("own.txt", "Say.\n{reference_text} => {reference_label}\n{text} =>")
        self.calibrate("--template", "own.txt", "--normalization", "softmax")
        found = self.json("inspect", "model.caos")
        self.assertEqual((found["template"], found["normalization"]), ("own", "softmax"))
        (self.folder / "own.txt").unlink()
        self.assertEqual(len(self.predict()), 7)

    def test_warns_of_labels_that_the_table_alone_gave(self):
        run = self.succeed("text", "calibrate", "--train", "train.csv", "--labels-from", "train",
                           "--out", "model.caos", "--json")
        self.assertIn("warning: labels are those of the labeled texts", run.err)
        self.assertIn("missed on top of alpha", json.loads(run.out)["risk"])
        run = self.succeed("text", "predict", "model.caos", "new.csv", "--out", "s.csv", "--json")
        self.assertIn("warning: labels are those of the labeled texts", run.err)
        found = json.loads(run.out)
        self.assertEqual(found["labels_from"], "train")
        words = "marginal for listed labels (1 - alpha - P(label not in the list))"
        self.assertEqual({level["guarantee"] for level in found["results"]}, {words})
        with open(self.folder / "s.csv", newline="", encoding="utf-8") as file:
            self.assertEqual({row["guarantee"] for row in csv.DictReader(file)}, {words})
        self.assertEqual(self.json("inspect", "model.caos")["guarantee"], words)
        self.assertIn(words, self.output("inspect", "model.caos"))


class Inspect(TextTest):
    def test_tells_what_a_text_model_is(self):
        self.calibrate("--k", 2)
        found = self.json("inspect", "model.caos")
        self.assertEqual((found["kind"], found["n"], found["k"]), ("text model", 24, 2))
        self.assertEqual((found["labels"], found["labels_from"]), (LABELS, "given"))
        self.assertEqual((found["model"], found["normalization"]), ("builtin", "average"))
        self.assertEqual(found["smallest_feasible_alpha"], 0.04)
        self.assertEqual(len(found["thresholds"]), 4)
        self.assertIn("{reference_text}", found["prompt"])
        text = self.output("inspect", "model.caos")
        for said in ("a text model", "builtin", "checksum", "written by caos"):
            self.assertIn(said, text)

    def test_names_groups_by_their_labels(self):
        self.calibrate("--groups", "labels")
        text = self.output("inspect", "model.caos")
        for label in LABELS:
            self.assertRegex(text, rf"\n{label} +\d")


class OtherModels(TextTest):
    def test_are_sent_to_their_own_commands(self):
        self.calibrate()
        task = random_task(1, n=24, num_labels=3)
        self.save("test", task.test)
        self.refuse(1, ["predict", "model.caos", "--test", "test.npy", "--alpha", "0.1"],
                    "is a text model", "caos text predict")
        self.refuse(1, ["landmarks", "predict", "model.caos", ".", "--out", "regions.json"],
                    "is a text model", "caos text predict")
        self.succeed("calibrate", "--labeled", self.save("labeled", task.labeled), "--labels",
                     self.save("labels", task.labels), "--out", "plain.caos")
        self.refuse(1, ["text", "predict", "plain.caos", "new.csv"], "is a calibration",
                    "caos predict")

    def test_that_are_damaged_are_refused(self):
        self.calibrate()
        content = bytearray((self.folder / "model.caos").read_bytes())
        content[len(content) // 2] ^= 1
        self.write("model.caos", bytes(content))
        self.refuse(1, ["text", "predict", "model.caos", "new.csv"], "model.caos")


if __name__ == "__main__":
    unittest.main()
