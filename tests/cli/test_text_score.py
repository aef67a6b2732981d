"""`caos text score`, the store that it fills, and models of the user's own."""

import json
import sys
import unittest

from text_support import LABELS, TextTest

TRAIN = ["--train", "train.csv"]

# Counts how often it is asked, and says the same about a text whatever comes before.
MODEL = r"""
import json, pathlib, sys
log = pathlib.Path("asked.txt")
for line in sys.stdin:
    request = json.loads(line)
    with log.open("a") as file:
        file.write(line)
    print(json.dumps(ANSWER), flush=True)
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
    def test_writes_nothing_and_tells_what_there_is_to_do(self):
        before = self.files()
        found = self.json("text", "score", *TRAIN, "--out", "scores", "--dry-run")
        self.assertEqual((found["pairs"], found["pairs_in_store"], found["prompts"]),
                         (552, 0, 552 * 3))
        self.assertGreaterEqual(found["estimated_seconds"], 0)
        self.assertIsNone(found["sent_to"])
        text = self.output("text", "score", *TRAIN, "--out", "scores", "--dry-run")
        for said in ("552, of which the store has 0", "1656, 552 pairs with 3 labels each", "about",
                     "leaves the machine        nothing", "nothing was kept"):
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


if __name__ == "__main__":
    unittest.main()
