"""`caos text score`, the store that it fills, and models of the user's own."""

import json
import os
import shlex
import subprocess
import sys
import unittest

import numpy as np

from text_support import LABELS, TextTest, csv_text

TINY_GGUF = os.environ.get("CAOS_TINY_GGUF", "")
TRAIN = ["--train", "train.csv"]

# Knows a label by the words that text and reference share, and writes down what it is asked.
PROGRAM = """
import json, math, sys
start = json.loads(sys.stdin.readline())
print(json.dumps({"name": "shared words", "version": "1"}), flush=True)
for line in sys.stdin:
    with open("asked.txt", "a") as file:
        file.write(line)
    ask = json.loads(line)
    words, seen = set(ask["text"].split()), set(ask["reference"]["text"].split())
    like = (1 + len(words & seen)) / (2 + len(words | seen))
    values = [math.log(like if label == ask["reference"]["label"] else 1 - like)
              for label in start["labels"]]
    print(json.dumps({"id": ask["id"], "log_likelihoods": values}), flush=True)
"""


class Store(TextTest):
    def score(self, *more):
        return self.json("text", "score", *TRAIN, "--out", "scores", *more)

    def test_is_filled_once(self):
        first, second = self.score(), self.score()
        self.assertEqual((first["pairs"], first["pairs_from_store"], first["pairs_computed"]),
                         (552, 0, 552))
        self.assertEqual((second["pairs"], second["pairs_computed"]), (552, 0))
        self.assertEqual(first["store"], second["store"])
        self.assertTrue(first["store"].startswith("scores/"))
        text = self.output("text", "score", *TRAIN, "--out", "scores")
        for said in ("train.csv: 24 texts, 3 labels", "552", "found in the store", first["store"]):
            self.assertIn(said, text)

    def test_serves_every_later_run(self):
        plain = self.json("text", "evaluate", *TRAIN)
        self.score()
        for more in ([], ["--k", 1], ["--alpha", "0.3"], ["--normalization", "softmax"],
                     ["--normalization", "per-byte", "--seed", 4], ["--groups", "labels"]):
            found = self.json("text", "evaluate", *TRAIN, "--store", "scores", *more)
            self.assertEqual(found["pairs_computed"], 0, more)
        found = self.json("text", "evaluate", *TRAIN, "--store", "scores")
        self.assertEqual(found["results"], plain["results"])
        found = self.json("text", "calibrate", *TRAIN, "--store", "scores", "--out", "model.caos")
        self.assertEqual((found["pairs"], found["pairs_computed"]), (552, 0))

    def test_keeps_what_predict_computes(self):
        self.calibrate()
        first, second = (self.json("text", "predict", "model.caos", "new.csv", "--store", "scores",
                                   "--method", "full-caos", "--out", "s.csv") for _ in range(2))
        self.assertGreater(first["pairs_computed"], 0)
        self.assertEqual((second["pairs"], second["pairs_computed"]), (first["pairs"], 0))

    def test_is_another_one_for_another_template(self):
        first = self.score()
        self.write("own.txt", "{reference_text} {reference_label} {text}")
        second = self.score("--template", "own.txt")
        self.assertNotEqual(first["store"], second["store"])
        self.assertEqual(second["pairs_from_store"], 0)

    def test_holds_no_text(self):
        store = self.score()["store"]
        content = (self.folder / store).read_bytes()
        for text, _ in self.train:
            self.assertNotIn(text.encode(), content)


class DryRun(TextTest):
    def test_writes_nothing_and_reports_the_work(self):
        before = self.files()
        found = self.json("text", "score", *TRAIN, "--out", "scores", "--dry-run")
        self.assertEqual((found["pairs"], found["pairs_in_store"], found["prompts"]),
                         (552, 0, 552 * 3))
        self.assertGreaterEqual(found["estimated_seconds"], 0)
        self.assertIsNone(found["sent_to"])
        text = self.output("text", "score", *TRAIN, "--out", "scores", "--dry-run")
        for said in ("552, of which the store has 0", "1656, 552 pairs with 3 labels each", "about",
                     "leaves this program       nothing", "nothing was kept"):
            self.assertIn(said, text)
        self.assertEqual(self.files(), before)
        self.assertFalse((self.folder / "scores").exists())

    def test_knows_what_the_store_has(self):
        self.succeed("text", "score", *TRAIN, "--out", "scores")
        before = self.files()
        found = self.json("text", "score", *TRAIN, "--out", "scores", "--dry-run")
        self.assertEqual((found["pairs_in_store"], found["prompts"]), (552, 0))
        self.assertIsNone(found["estimated_seconds"])
        self.assertEqual(self.files(), before)
        self.write("own.txt", "{reference_text} {reference_label} {text}")
        before = self.files()
        found = self.json("text", "score", *TRAIN, "--out", "scores", "--dry-run", "--template",
                          "own.txt")
        self.assertEqual(found["pairs_in_store"], 0)
        self.assertEqual(self.files(), before)


class AProgramAsTheModel(TextTest):
    def setUp(self):
        super().setUp()
        self.write("model.py", PROGRAM)
        self.model = ["--model", f"command:{sys.executable} model.py"]

    def asked(self):
        path = self.folder / "asked.txt"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def scores(self, references, texts):
        """[texts, labels, references] of the program, by its definition."""
        scores = np.empty((len(texts), len(LABELS), len(references)))
        for t, text in enumerate(texts):
            for j, (reference, label) in enumerate(references):
                words, seen = set(text.split()), set(reference.split())
                like = (1 + len(words & seen)) / (2 + len(words | seen))
                for y, name in enumerate(LABELS):
                    scores[t, y, j] = -np.log(like if name == label else 1 - like)
        return scores

    def test_gives_the_sets_of_its_scores(self):
        run = self.succeed("text", "calibrate", *TRAIN, *self.model, "--out", "model.caos")
        self.assertIn("texts and labels are sent to the program", run.err)
        self.assertIn("--store DIR keeps them", run.err)
        found = self.predict("--alpha", "0.1,0.3", "--method", "full-caos", *self.model)
        # The same by way of arrays.
        texts = [text for text, _ in self.train]
        self.save("scores", self.scores(self.train, texts))
        self.save("new", self.scores(self.train, self.new))
        reverse = np.empty((len(self.new), len(LABELS), len(self.train)))
        own = [LABELS.index(label) for _, label in self.train]
        for t, text in enumerate(self.new):
            for y, label in enumerate(LABELS):
                of_one = self.scores([(text, label)], texts)[:, :, 0]
                reverse[t, y] = of_one[np.arange(len(texts)), own]
        self.save("reverse", reverse)
        self.calibrate("--model", "scores:scores.npy", out="arrays.caos")
        expected = self.predict("--alpha", "0.1,0.3", "--method", "full-caos", "--model",
                                "scores:new.npy", "--reverse", "reverse.npy", model="arrays.caos")
        for a, b in zip(found, expected):
            for key in ("id", "set", "prediction", "p_values"):
                self.assertEqual(a[key], b[key])

    def test_is_asked_once_where_scores_are_kept(self):
        self.succeed("text", "score", *TRAIN, *self.model, "--out", "scores")
        self.assertEqual(self.asked(), 552)
        found = self.json("text", "evaluate", *TRAIN, *self.model, "--store", "scores", "--k", 2)
        self.assertEqual((found["pairs_computed"], self.asked()), (0, 552))

    def test_is_asked_little_in_a_dry_run(self):
        found = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--dry-run")
        self.assertEqual(found["sent_to"], f"the program '{sys.executable} model.py'")
        self.assertGreater(found["bytes_sent"], 0)
        self.assertLess(self.asked(), 50)
        self.assertFalse((self.folder / "scores").exists())

    def test_that_is_another_one_does_not_predict(self):
        self.calibrate(*self.model)
        self.write("other.py", PROGRAM.replace("shared words", "another"))
        # Not even a note that texts are sent, and no store.
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--store", "scores", "--model",
                        f"command:{sys.executable} other.py"], "shared words", "another")

    def test_that_only_the_file_names_does_not_run(self):
        self.calibrate(*self.model)
        asked = self.asked()
        said = self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--out", "sets.csv"],
                           "would run here", f"name the model: --model '{self.model[1]}'")
        self.assertEqual(self.asked(), asked)
        # The remedy, as a shell takes it.
        words = shlex.split(said[said.index("--model"):])
        self.assertEqual(words, self.model)
        self.predict(*words)

    def test_is_shown_without_what_a_terminal_would_obey(self):
        self.calibrate("--model", self.model[1] + " # it's \x1b[2Knice " + "x" * 2000)
        said = self.refuse(2, ["text", "predict", "model.caos", "new.csv"],
                           "# it'\\''s \\x1b[2Knice xxx", "xxx... (", "bytes)")
        self.assertLess(len(said), 3000)

    def test_that_fails_is_named(self):
        self.refuse(1, ["text", "evaluate", *TRAIN, "--quiet", "--model", "command:exit 3"])


@unittest.skipUnless(TINY_GGUF, "NOT TESTED: set CAOS_TINY_GGUF to the program tiny_gguf")
class ALlamaModel(TextTest):
    def setUp(self):
        super().setUp()
        if "without llama.cpp" in self.output("--version"):
            self.skipTest("NOT TESTED: this caos is without llama.cpp")
        subprocess.run([TINY_GGUF, self.folder / "tiny.gguf", "--context", "512"], check=True)
        self.model = ["--model", "llama:tiny.gguf"]

    def test_scores_once_and_predicts(self):
        plan = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--dry-run")
        self.assertGreater(plan["tokens_separately"], plan["tokens"])
        done = self.json("text", "score", *TRAIN, *self.model, "--out", "scores")
        self.assertEqual((done["tokens"], done["pairs_computed"]), (plan["tokens"], 552))
        self.assertEqual(done["shortened"], plan["shortened"])
        found = self.json("text", "calibrate", *TRAIN, *self.model, "--store", "scores", "--out",
                          "model.caos")
        self.assertEqual((found["pairs_computed"], found["tokens"]), (0, 0))
        rows = self.predict("--alpha", "0.2", "--quiet")
        self.assertEqual(len(rows), len(self.new))

    def test_is_found_again_where_it_lies_now(self):
        self.calibrate(*self.model)
        expected = self.predict("--quiet")
        (self.folder / "tiny.gguf").rename(self.folder / "moved.gguf")
        self.refuse(1, ["text", "predict", "model.caos", "new.csv", "--quiet"], "tiny.gguf")
        self.assertEqual(self.predict("--quiet", "--model", "llama:moved.gguf"), expected)

    def test_tells_how_often_texts_were_cut(self):
        long = [[text * 20, label] for text, label in self.train]
        self.write("long.csv", csv_text(["text", "label"], long))
        run = self.run_caos("text", "score", "--train", "long.csv", "--model", "llama:tiny.gguf",
                            "--out", "scores", "--json")
        self.assertEqual(run.code, 0, run.err)
        self.assertGreater(json.loads(run.out)["shortened"], 0)


if __name__ == "__main__":
    unittest.main()
