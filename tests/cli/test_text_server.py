"""`caos text` with a model behind a completions server, which here is a few lines of Python."""

import sys
import unittest
from pathlib import Path

from text_support import TextTest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from completions_server import KEY, PROBE, running_server  # noqa: E402

TRAIN = ["--train", "train.csv"]


class AServerAsTheModel(TextTest):
    def setUp(self):
        super().setUp()
        running = running_server()
        self.server = running.__enter__()
        self.addCleanup(running.__exit__, None, None, None)
        self.write("key.txt", KEY + "\n")
        self.host = self.server.host
        self.model = ["--model", f"server:http://{self.host}", "--key-file", "key.txt"]

    def test_scores_once_and_predicts(self):
        run = self.succeed("text", "calibrate", *TRAIN, *self.model, "--store", "scores", "--out",
                           "model.caos")
        self.assertIn(f"texts and labels are sent to {self.host}", run.err)
        asked = len(self.server.prompts)
        self.assertEqual(asked, 1 + 24 * 23 * 4)  # the probe, and each pair without and with labels
        found = self.json("text", "evaluate", *TRAIN, *self.model, "--store", "scores")
        self.assertEqual(found["pairs_computed"], 0)
        self.assertEqual(self.server.prompts[asked:], [PROBE])
        # The file alone does not decide who gets the texts.
        before = list(self.server.prompts)
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--key-file", "key.txt"],
                    f"would be sent to {self.host}", f"--model 'server:http://{self.host}'")
        self.assertEqual(self.server.prompts, before)
        rows = self.predict(*self.model, "--quiet", "--alpha", "0.2")
        self.assertEqual(len(rows), len(self.new))

    def test_has_as_much_context_as_is_said(self):
        found = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--context", 70)
        self.assertIn("context 70", found["model_description"])
        self.assertGreater(found["shortened"], 0)
        whole = self.json("text", "score", *TRAIN, *self.model, "--out", "scores")
        self.assertEqual(whole["shortened"], 0)
        self.assertNotEqual(whole["store"], found["store"])

    def test_gets_no_text_in_a_dry_run(self):
        found = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--dry-run")
        self.assertIsNone(found["shortened"])
        self.assertEqual(found["sent_to"], self.host)
        self.assertEqual(found["requests"], 24 * 23 * 4)
        self.assertIsNone(found["estimated_seconds"])
        self.assertEqual(self.server.prompts, [PROBE])

    def test_keeps_its_key_out_of_everything(self):
        self.calibrate(*self.model, "--store", "scores")
        self.write("key.txt", KEY + "-wrong\n")
        message = self.refuse(1, ["text", "predict", "model.caos", "new.csv", "--quiet",
                                  *self.model], "401", "wrong key Bearer (key)")
        self.assertNotIn(KEY, message)
        (self.folder / "key.txt").unlink()
        for name, content in self.files().items():
            self.assertNotIn(KEY.encode(), content, name)


if __name__ == "__main__":
    unittest.main()
