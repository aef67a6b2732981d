"""Options and tables that `caos text` cannot use, and its help."""

import json
import re
import unittest

from text_support import LABELS, TextTest, csv_text

# Files that hold nothing of use: to complain about them would be exit 1.
TRAIN = ["--train", "bad.csv", "--labels-from", "a,b"]
EVALUATE = ["text", "evaluate", *TRAIN]
CALIBRATE = ["text", "calibrate", *TRAIN, "--out", "m.caos"]
SCORE = ["text", "score", *TRAIN, "--out", "scores"]
PREDICT = ["text", "predict", "bad.caos", "bad.csv"]


class Misuse(TextTest):
    def setUp(self):
        super().setUp()
        for name in ("bad.csv", "bad.caos", "x.npy", "x.gguf", "key"):
            self.write(name, b"\xff")

    def misuse(self, arguments, *said):
        message = self.refuse(2, arguments, *said)
        self.assertLess(len(message), 250, "too long to read")

    def test_needs_a_command_and_its_options(self):
        bare = self.run_caos("text")
        self.assertEqual((bare.code, bare.out), (2, ""))
        self.assertIn("Usage: caos text COMMAND", bare.err)
        self.misuse(["text", "guess"], "guess")
        self.misuse(["text", "calibrate", "--out", "m.caos"], "--train")
        self.misuse(["text", "calibrate", *TRAIN], "--out")
        self.misuse(["text", "score", *TRAIN], "--out")
        self.misuse(["text", "predict", "bad.caos"], "texts")

    def test_of_models_names_those_that_there_are(self):
        for command in (EVALUATE, CALIBRATE, SCORE, PREDICT):
            for model in ("gpt", "llama:", "server:", "command:", "scores:", "x.gguf"):
                self.misuse([*command, "--model", model], f"--model {model}:", "llama:FILE.gguf")

    def test_of_options_that_belong_to_other_models(self):
        for command in (EVALUATE, CALIBRATE, SCORE):
            self.misuse([*command, "--key-file", "key"], "server:URL")
            self.misuse([*command, "--key-variable", "KEY", "--model", "llama:x.gguf"], "server:URL")
            self.misuse([*command, "--retries", 9], "server:URL")
            self.misuse([*command, "--chat"], "--chat", "llama:FILE.gguf or server:URL")
            self.misuse([*command, "--context", 9, "--model", "command:x"], "--context", "server:URL")
            self.misuse([*command, "--normalization", "mean"], "mean", "average")
        self.misuse([*EVALUATE, "--model", "scores:x.npy", "--store", "s"], "--store")
        self.misuse([*EVALUATE, "--model", "scores:x.npy", "--methods", "full-caos"], "--reverse")
        self.misuse([*EVALUATE, "--reverse", "x.npy"], "--reverse")
        self.misuse([*SCORE, "--model", "scores:x.npy"], "nothing to compute")

    def test_of_keys_on_the_command_line(self):
        for command in (EVALUATE, CALIBRATE, SCORE, PREDICT):
            self.misuse([*command, "--key", "secret"], "--key")

    def test_of_methods_alphas_and_groups(self):
        self.misuse([*EVALUATE, "--methods", "best"], "best")
        self.misuse([*EVALUATE, "--alpha", "1.5"], "1.5")
        self.misuse([*EVALUATE, "--groups", "people"], "labels")
        self.misuse([*EVALUATE, "--groups", "labels", "--methods", "scos"], "scos")
        self.misuse([*EVALUATE, "--test-size", 0], "--test-size")
        self.misuse([*PREDICT, "--method", "scos"], "caos or full-caos")
        self.misuse([*PREDICT, "--alpha", "0"], "0")
        self.misuse([*PREDICT, "--format", "xml"], "csv or jsonl")
        self.misuse([*PREDICT, "--out", "sets.txt"], ".csv", ".jsonl")
        self.misuse([*PREDICT, "--json"], "--output FILE")

    def test_of_outputs_that_are_inputs(self):
        self.calibrate()
        before = self.files()
        self.misuse(["text", "calibrate", "--train", "train.csv", "--out", "train.csv"], "train.csv")
        self.misuse(["text", "calibrate", "--train", "train.csv", "--labels-from", "task.json",
                     "--out", "task.json"], "task.json")
        self.misuse(["text", "predict", "model.caos", "new.csv", "--out", "new.csv"], "new.csv")
        self.misuse(["text", "predict", "model.caos", "new.csv", "--out", "model.caos", "--format",
                     "csv"], "model.caos")
        self.misuse(["text", "predict", "-", "-"], "standard input")
        self.assertEqual(self.files(), before)

    def test_of_too_few_texts(self):
        train = ["--train", "train.csv"]
        self.misuse(["text", "evaluate", *train, "--test-size", 24], "train.csv", "24 texts")
        self.misuse(["text", "evaluate", *train, "--test-size", 21], "train.csv", "--k 3")
        self.misuse(["text", "calibrate", *train, "--k", 24, "--out", "m.caos"], "train.csv",
                    "--k 24", "25")


class Tables(TextTest):
    def calibrating(self, content, *more, name="t.csv"):
        self.write(name, content)
        return ["text", "calibrate", "--train", name, "--out", "m.caos", *more]

    def test_that_are_missing_or_empty_are_refused(self):
        self.refuse(1, ["text", "calibrate", "--train", "no.csv", "--labels-from", "a,b", "--out",
                        "m.caos"], "no.csv")
        self.refuse(1, self.calibrating("text,label\n"), "t.csv", "no texts")
        self.refuse(1, self.calibrating(""), "t.csv")

    def test_without_the_columns_are_refused(self):
        self.refuse(1, self.calibrating("words,label\na,praise\n"), "t.csv", "text")
        self.refuse(1, self.calibrating("text,kind\na,praise\n"), "t.csv", "label")
        self.refuse(1, self.calibrating("text,label\na,praise\n", "--id-column", "key"), "key")

    def test_with_bad_rows_are_refused_with_their_line(self):
        self.refuse(1, self.calibrating('text,label\n"a\nb",praise\nc,other\n'), "t.csv:4", "other")
        self.refuse(1, self.calibrating("text,label\na,praise\nb\n"), "t.csv:3")
        self.refuse(1, self.calibrating(b"text,label\n\xff,praise\n"), "t.csv", "UTF-8")
        self.refuse(1, self.calibrating('{"text": "a", "label": "praise"}\n{"text": 1\n',
                                        name="t.jsonl"), "t.jsonl:2")

    def test_of_a_task_that_is_none_are_refused(self):
        self.write("task.json", "{")
        self.refuse(1, self.calibrating("text,label\na,praise\n"), "task.json")

    def test_leave_nothing_behind_where_predicting_fails(self):
        self.calibrate()
        self.write("bad.csv", b"text\nfine\n\xff\n")
        self.refuse(1, ["text", "predict", "model.caos", "bad.csv", "--out", "s.csv"], "bad.csv")

    def test_of_a_template_that_lacks_a_field_are_refused(self):
        self.write("own.txt", "{reference_text} {text}")
        self.refuse(1, ["text", "calibrate", "--train", "train.csv", "--template", "own.txt", "--out",
                        "m.caos"], "own.txt", "reference_label")


class Help(TextTest):
    COMMANDS = ("calibrate", "predict", "evaluate", "score")

    def test_fits_a_page_and_names_the_commands(self):
        text = self.output("text", "--help")
        for command in self.COMMANDS:
            self.assertIn(f"\n  {command} ", text)
            for line in self.output("text", command, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_has_examples_whose_options_exist(self):
        for command in self.COMMANDS:
            text = self.output("text", command, "--help")
            options, example = text.split("\nExample", 1)
            for option in re.findall(r"(--[a-z-]+)", example.split(":\n", 1)[1]):
                known = options + "".join(self.output("text", v, "--help") for v in self.COMMANDS)
                self.assertIn(f"  {option}", known)


if __name__ == "__main__":
    unittest.main()
