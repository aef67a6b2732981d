"""`caos text` with an encoder: against `caos classify` on the same vectors, and by itself."""

import json
import os
import struct
import subprocess
import unittest

import numpy as np

from text_support import LABELS, TextTest, csv_text

TINY_ENCODER = os.environ.get("CAOS_TINY_ENCODER", "")
MODEL = ["--model", "encoder:tiny"]
TRAIN = ["--train", "train.csv"]
METHODS = "full-kernel,caos,full-caos,scos,scos-best,split-caos"


def arrays_of(path):
    """The arrays of numbers of a .caos file by name."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    types = {"F32": "<f4", "F64": "<f8", "I64": "<i8"}
    arrays = {}
    for name, part in json.loads(data[8:8 + size]).items():
        if part.get("dtype") in types:
            begin, end = (8 + size + offset for offset in part["data_offsets"])
            arrays[name] = np.frombuffer(data[begin:end], types[part["dtype"]]).reshape(
                part["shape"])
    return arrays


@unittest.skipUnless(TINY_ENCODER, "NOT TESTED: set CAOS_TINY_ENCODER to the program tiny_encoder")
class EncoderTest(TextTest):
    def setUp(self):
        super().setUp()
        if "without ONNX Runtime" in self.output("--version"):
            self.skipTest("NOT TESTED: this caos is without ONNX Runtime")
        subprocess.run([TINY_ENCODER, self.folder / "tiny"], check=True)

    def vectors_of(self, rows):
        """The vectors of texts, and those of the labels: as a model has them."""
        self.write("some.csv", csv_text(["text", "label"], rows))
        self.calibrate(*MODEL, train="some.csv", out="some.caos")
        arrays = arrays_of(self.folder / "some.caos")
        return arrays["vectors"], arrays["label_vectors"]

    def save_vectors(self):
        """--train and all that goes with it, for `caos classify` on the same texts."""
        vectors, names = self.vectors_of(self.train)
        self.save("train", vectors)
        self.save("names", names)
        self.write("labels.txt", "".join(f"{label}\n" for _, label in self.train))
        return ["--train", "train.npy", "--labels", "labels.txt", "--label-names",
                ",".join(LABELS), "--label-embeddings", "names.npy"]


class OfVectors(EncoderTest):
    def test_evaluation_is_that_of_classify(self):
        same = ["--test-size", 7, "--seed", 3, "--alpha", "0.1,0.3", "--k", 2]
        found = self.json("text", "evaluate", *TRAIN, *MODEL, *same, "--methods", METHODS)
        # `classify` halves the labeled ones in another way, unless it is told how.
        labeled = [str(i + 1) for i in range(len(self.train))]
        labeled = [i for i in labeled if i not in found["test_texts"]]
        self.save("references", [labeled.index(i) for i in found["references"]])
        expected = self.json("classify", "evaluate", *self.save_vectors(), *same, "--methods",
                             METHODS, "--reference-indices", "references.npy")
        self.assertEqual(found["results"], expected["results"])
        self.assertEqual([r["method"] for r in found["results"][::2]], METHODS.split(","))

    def test_evaluation_for_each_label_is_that_of_classify(self):
        same = ["--test-size", 7, "--alpha", "0.4", "--k", 2, "--groups", "labels"]
        found = self.json("text", "evaluate", *TRAIN, *MODEL, *same)
        expected = self.json("classify", "evaluate", *self.save_vectors(), *same, "--methods",
                             "full-kernel,caos")
        self.assertEqual(found["results"], expected["results"])

    def test_all_methods_leave_out_those_without_a_form_with_groups(self):
        found = self.json("text", "evaluate", *TRAIN, *MODEL, "--test-size", 7, "--alpha", "0.4",
                          "--k", 2, "--groups", "labels", "--methods", "all")
        self.assertEqual([row["method"] for row in found["results"]],
                         ["full-kernel", "caos", "full-caos", "split-caos", "split-caos-cal",
                          "split-caos-ref"])

    def predict_by_classify(self, *more):
        arguments = self.save_vectors()
        new, _ = self.vectors_of([[text, LABELS[0]] for text in self.new])
        self.save("new", new)
        self.succeed("classify", "calibrate", *arguments, "--method", "full-kernel", "--out",
                     "vectors.caos", *more)
        out = self.output("classify", "predict", "vectors.caos", "new.npy", "--alpha", "0.1,0.3")
        return [json.loads(line) for line in out.splitlines()]

    def test_sets_and_p_values_are_those_of_classify(self):
        for more in ([], ["--groups", "labels"]):
            self.calibrate(*MODEL, *more)
            found = self.predict("--alpha", "0.1,0.3", "--quiet")
            expected = self.predict_by_classify(*more)
            for row, other in zip(found, expected, strict=True):
                for key in ("set", "p_values", "prediction", "alpha", "guarantee"):
                    self.assertEqual(row[key], other[key])

    def test_caos_remains(self):
        self.calibrate(*MODEL)
        sets = {method: [set(row["set"]) for row in self.predict("--alpha", "0.2", "--quiet",
                                                                 "--method", method)]
                for method in ("caos", "full-caos")}
        for full, caos in zip(sets["full-caos"], sets["caos"], strict=True):
            self.assertLessEqual(full, caos)


class AnEncoder(EncoderTest):
    def test_embeds_every_text_once(self):
        different = len({text for text, _ in self.train}) + len(LABELS)
        plan = self.json("text", "score", *TRAIN, *MODEL, "--out", "store", "--dry-run")
        self.assertEqual(plan["texts_to_embed"], different)
        self.assertFalse((self.folder / "store").exists())
        done = self.json("text", "score", *TRAIN, *MODEL, "--out", "store")
        self.assertEqual((done["texts_embedded"], done["texts_from_store"]), (different, 0))
        again = self.json("text", "evaluate", *TRAIN, *MODEL, "--store", "store", "--test-size", 5)
        self.assertEqual((again["texts_embedded"], again["texts_from_store"]), (0, different))
        self.assertEqual(again["results"], self.json("text", "evaluate", *TRAIN, *MODEL,
                                                     "--test-size", 5)["results"])

    def test_has_full_kernel_and_the_methods_of_the_paper_by_default(self):
        found = self.json("text", "evaluate", *TRAIN, *MODEL, "--alpha", "0.2", "--test-size", 5)
        self.assertEqual([row["method"] for row in found["results"]],
                         ["full-kernel", "caos", "scos", "scos-best", "scos-oracle"])
        self.assertEqual([row["guarantee"].split()[0] for row in found["results"]],
                         ["marginal", "marginal", "marginal", "none", "none"])

    def test_says_which_texts_speak_for_a_label(self):
        self.calibrate(*MODEL)
        rows = self.predict("--alpha", "0.2", "--quiet", "--explain")
        vectors, _ = self.vectors_of(self.train)
        new, _ = self.vectors_of([[text, LABELS[0]] for text in self.new])
        for row, vector in zip(rows, new, strict=True):
            similarities = vectors.astype(float) @ vector.astype(float)
            nearest = np.argsort(-similarities, kind="stable")[:3]
            self.assertEqual([one["similarity"] for one in row["most_similar"]],
                             sorted([one["similarity"] for one in row["most_similar"]])[::-1])
            for one, i in zip(row["most_similar"], nearest, strict=True):
                self.assertAlmostEqual(one["similarity"], similarities[i], places=6)
                text, label = self.train[int(one["id"]) - 1]
                self.assertEqual((one["text"], one["label"]), (text, label))
        table = self.csv_rows(self.output("text", "predict", "model.caos", "new.csv", "--quiet",
                                          "--format", "csv", "--explain"))
        self.assertEqual(len(table[0]["most_similar"].split("|")), 3)
        self.assertNotIn("most_similar", self.predict("--quiet")[0])

    def test_counts_texts_that_it_truncates(self):
        self.write("long.csv", csv_text(["text", "label"],
                                        [[text + " x" * 70, label] for text, label in self.train]))
        run = self.run_caos("text", "evaluate", "--train", "long.csv", *MODEL, "--test-size", 5)
        self.assertEqual(run.code, 0, run.err)
        self.assertIn(f"{len({text for text, _ in self.train})} were too long for the encoder",
                      run.out)

    def test_is_described_by_inspect(self):
        self.calibrate(*MODEL)
        found = self.json("inspect", "model.caos")
        self.assertEqual((found["kind"], found["method"], found["dimensions"], found["guarantee"]),
                         ("text model", "full-kernel", 8, "marginal"))
        text = self.output("inspect", "model.caos")
        self.assertIn("full-kernel, T = 0.1, b = 0.1", text)
        self.assertIn("encoder:tiny", text)

    def test_may_lie_elsewhere_later_but_must_be_the_same(self):
        self.calibrate(*MODEL)
        expected = self.predict("--quiet")
        (self.folder / "tiny").rename(self.folder / "moved")
        self.refuse(1, ["text", "predict", "model.caos", "new.csv", "--quiet"], "tiny",
                    "tools/get_model minilm")
        self.assertEqual(self.predict("--quiet", "--model", "encoder:moved"), expected)
        (self.folder / "moved/sentence_bert_config.json").write_text('{"max_seq_length": 9}')
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--quiet", "--model",
                        "encoder:moved"], "was calibrated with the encoder", "--model")

    def test_takes_no_options_of_language_models(self):
        for options in (["--template", "t.txt"], ["--normalization", "sum"], ["--chat"],
                        ["--context", 9], ["--server-model", "m"]):
            self.refuse(2, ["text", "evaluate", *TRAIN, *MODEL, *options], options[0])

    def test_is_needed_for_full_kernel_and_explain(self):
        self.calibrate()
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--method", "full-kernel"],
                    "needs vectors", "encoder:DIR")
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", "--explain"],
                    "--explain compares vectors")
        self.refuse(2, ["text", "predict", "model.caos", "new.csv", *MODEL], "encoder:tiny")
        self.refuse(2, ["text", "evaluate", *TRAIN, "--methods", "full-kernel"],
                    "full-kernel needs vectors of texts", "encoder:DIR")

    def test_with_defects_is_named_with_a_remedy(self):
        self.refuse(1, ["text", "evaluate", *TRAIN, "--model", "encoder:none"],
                    "none: not a folder", "tools/get_model minilm")
        tokenizer = self.folder / "tiny/tokenizer.json"
        json_ = json.loads(tokenizer.read_text())
        json_["model"]["type"] = "BPE"
        tokenizer.write_text(json.dumps(json_))
        self.refuse(1, ["text", "evaluate", *TRAIN, *MODEL], "tokenizer.json",
                    "its model is of type BPE", "embed-server:URL")

    def test_refuses_labels_that_come_twice(self):
        self.refuse(2, ["text", "evaluate", *TRAIN, *MODEL, "--labels-from", "a,b,a"], "'a'")


class Experiment(EncoderTest):
    def test_has_full_kernel_first(self):
        for task in ("one", "two"):
            (self.folder / "data" / task).mkdir(parents=True)
            self.write(f"data/{task}/train.csv", csv_text(["Text", "Label"], self.train))
            self.write(f"data/{task}/task.json", json.dumps(
                {"name": task, "data_columns": ["Text"], "label_columns": {"Label": LABELS}}))
        run = self.run_caos("experiment", "raft", "--data", "data", *MODEL, "--seeds", 3,
                            "--test-size", 5, "--alpha", "0.2", "--out", "report", "--quiet")
        self.assertEqual(run.code, 0, run.err)
        results = json.loads((self.folder / "report/results.json").read_text())
        self.assertEqual([row["method"] for row in results["overall"]],
                         ["full-kernel", "caos", "scos", "scos-best", "scos-oracle"])
        # The same splits as `text evaluate` draws.
        (self.folder / "one.csv").write_text(csv_text(["text", "label"], self.train))
        for seed in range(3):
            single = self.json("text", "evaluate", "--train", "one.csv", *MODEL, "--test-size", 5,
                               "--seed", seed, "--alpha", "0.2")
            for row, overall in zip(single["results"], results["results"]):
                self.assertEqual(row["coverage"], overall["coverage"]["by_seed"][seed])
                self.assertEqual(row["mean_set_size"], overall["mean_set_size"]["by_seed"][seed])
        page = (self.folder / "report/report.html").read_text()
        self.assertIn("full-kernel", page)
        self.assertNotIn("is shown it with its label", page)


if __name__ == "__main__":
    unittest.main()
