"""Files that are missing, malformed or do not fit: exit code, message, and nothing written."""

import unittest

import numpy as np

from support import TaskTest, random_task

FAILED = 1
MISUSED = 2


class BadFileTest(TaskTest):
    """A task of 10 labeled examples, 4 labels and 6 test examples, of which a test spoils one."""

    def setUp(self):
        super().setUp()
        self.task = random_task(7, n=10, num_labels=4, m=6, k=2)
        self.save_all(self.task)
        self.save_reverse(self.task)
        self.save("own", self.task.own())
        self.calibrate(self.task)
        self.write("old.caos", "an older file, to be left alone")
        self.write("old.csv", "an older file, to be left alone")

    def evaluate(self, *more, methods="caos", **files):
        given = {"labeled": "labeled.npy", "labels": "labels.npy", "test": "test.npy",
                 "test-labels": "test-labels.npy"}
        given |= {name.replace("_", "-"): file for name, file in files.items()}
        options = [word for name, file in given.items() for word in (f"--{name}", file)]
        return ["evaluate", *options, "--k", 2, "--alpha", "0.3", "--methods", methods,
                "--per-example", "old.csv", *more]

    def calibrating(self, *more):
        return ["calibrate", *more, "--k", 2, "--out", "old.caos"]

    def predicting(self, *more, model="model.caos", test="test.npy"):
        return ["predict", model, "--test", test, "--alpha", "0.3", *more]

    def refuse_labeled(self, code, file, *said):
        """A file of labeled scores, refused by every command that reads one."""
        labels = ["--labels", "labels.npy"]
        self.refuse(code, self.evaluate(labeled=file), file, *said)
        self.refuse(code, self.calibrating("--labeled", file, *labels), file, *said)
        self.refuse(code, ["advise", "--labeled", file, *labels, "--alpha", "0.3"], file, *said)

    def refuse_test(self, code, file, *said):
        self.refuse(code, self.evaluate(test=file), file, *said)
        self.refuse(code, self.predicting(test=file), file, *said)

    def spoiled(self, name, array, position, value):
        spoiled = array.copy()
        spoiled[position] = value
        return self.save(name, spoiled)


class ScoresThatAreNotNumbers(BadFileTest):
    VALUES = {"nan": np.nan, "-inf": -np.inf}

    def test_among_labeled_scores_are_refused_with_their_position(self):
        for name, value in self.VALUES.items():
            file = self.spoiled("bad", self.task.labeled, (3, 1, 8), value)
            self.refuse_labeled(FAILED, file, "3, 1, 8", name, "numbers")

    def test_among_own_scores_are_refused_with_their_position(self):
        for name, value in self.VALUES.items():
            file = self.spoiled("bad", self.task.own(), (9, 8), value)
            self.refuse(FAILED, self.calibrating("--calibration", file), file, "9, 8", name)

    def test_among_test_scores_are_refused_with_their_position(self):
        for name, value in self.VALUES.items():
            for position in ((0, 0, 0), (5, 3, 9)):
                file = self.spoiled("bad", self.task.test, position, value)
                place = ", ".join(map(str, position))
                self.refuse_test(FAILED, file, place, name)

    def test_in_float32_are_refused_too(self):
        file = self.spoiled("bad", self.task.test.astype(np.float32), (2, 1, 7), np.nan)
        self.refuse_test(FAILED, file, "2, 1, 7", "nan")

    def test_among_reverse_scores_are_refused_with_their_position(self):
        for name, value in self.VALUES.items():
            file = self.spoiled("bad", self.task.reverse, (4, 2, 6), value)
            arguments = self.evaluate("--reverse", file, methods="full-caos")
            self.refuse(FAILED, arguments, file, "4, 2, 6", name)
            arguments = self.predicting("--method", "full-caos", "--reverse", file)
            self.refuse(FAILED, arguments, file, "4, 2, 6", name)

    def test_among_many_inputs_are_all_found_by_any_number_of_threads(self):
        task = random_task(8, n=10, num_labels=4, m=3000, k=2)
        file = self.spoiled("bad", task.test, (2999, 3, 9), np.nan)
        labels = self.save("many", task.test_labels)
        for threads in (1, 2):
            self.refuse(FAILED, self.evaluate("--threads", threads, test=file, test_labels=labels),
                        file, "2999, 3, 9")
            self.refuse(FAILED, self.predicting("--threads", threads, test=file), file,
                        "2999, 3, 9")


class Labels(BadFileTest):
    def refuse_labels(self, code, file, *said):
        self.refuse(code, self.evaluate(labels=file), file, *said)
        self.refuse(code, self.calibrating("--labeled", "labeled.npy", "--labels", file), file,
                    *said)

    def test_that_are_too_large_are_refused_with_their_position_and_the_range(self):
        file = self.save("bad", [0, 1, 2, 3, 0, 4, 0, 0, 0, 0])
        self.refuse_labels(FAILED, file, "entry 5", "4", "0 to 3")

    def test_that_are_negative_are_refused_with_their_position(self):
        file = self.save("bad", [0, 1, 2, 3, 0, 0, 0, -1, 0, 0])
        self.refuse_labels(FAILED, file, "entry 7", "-1", "from 0")

    def test_that_are_not_whole_are_refused(self):
        for value in (1.5, np.nan, np.inf):
            file = self.save("bad", [0, 0, value, 0, 0, 0, 0, 0, 0, 0])
            self.refuse_labels(FAILED, file, "[2]", str(value), "whole")

    def test_of_another_number_are_refused(self):
        self.refuse_labels(MISUSED, self.save("bad", [0] * 9), "9", "10")

    def test_with_two_dimensions_are_refused(self):
        self.refuse_labels(MISUSED, self.save("bad", np.zeros((10, 1), int)), "10 x 1")

    def test_in_a_csv_file_are_refused_with_their_line(self):
        self.write("bad.csv", "label\n0\n1\ncat\n")
        self.refuse_labels(FAILED, "bad.csv", "bad.csv:4", "cat", "whole number")

    def test_cannot_steer_the_terminal(self):
        self.write("bad.csv", "label\n0\n\x1b[2J\x07\n")
        result = self.run_caos(*self.calibrating("--labeled", "labeled.npy", "--labels",
                                                 "no\x1b[2Jfile.npy"))
        self.assertIn("no?[2Jfile.npy", result.err)
        self.assertNotIn("\x1b", result.err)
        self.refuse_labels(FAILED, "bad.csv", "bad.csv:3", "?[2J?")

    def test_in_a_csv_file_of_two_columns_are_refused(self):
        self.write("bad.csv", "a,b\n0,1\n")
        self.refuse_labels(MISUSED, "bad.csv", "2 columns")

    def test_of_test_examples_are_refused_with_their_position(self):
        for value in (4, -1):
            file = self.save("bad", [0, 0, 0, value, 0, 0])
            self.refuse(FAILED, self.evaluate(test_labels=file), file, "entry 3", str(value))
        file = self.save("bad", [0] * 7)
        self.refuse(MISUSED, self.evaluate(test_labels=file), file, "7", "6")

    def test_beside_own_scores_are_refused_when_the_test_scores_lack_them(self):
        file = self.save("bad", [0, 0, 9, 0, 0, 0, 0, 0, 0, 0])
        for more in ([], ["--groups", "labels"]):
            arguments = ["evaluate", "--calibration", "own.npy", "--labels", file, "--test",
                         "test.npy", "--test-labels", "test-labels.npy", "--k", 2, "--methods",
                         "caos", *more]
            self.refuse(FAILED, arguments, file, "entry 2", "9", "0 to 3")


class ShapesThatDisagree(BadFileTest):
    def test_of_labeled_scores_are_refused(self):
        for shape in ((10, 10), (10, 4, 9), (9, 4, 10), (10,), (10, 4, 10, 1), ()):
            with self.subTest(shape=shape):
                self.refuse_labeled(MISUSED, self.save("bad", np.zeros(shape)))

    def test_of_own_scores_are_refused(self):
        for shape in ((10, 9), (10, 4, 10), (100,)):
            with self.subTest(shape=shape):
                file = self.save("bad", np.zeros(shape))
                self.refuse(MISUSED, self.calibrating("--calibration", file), file)

    def test_of_test_scores_are_refused(self):
        for shape, said in (((6, 4, 9), "9"), ((6, 5, 10), "5"), ((6, 10), "6 x 10"),
                            ((6, 0, 10), "6 x 0 x 10"), ((6, 4, 0), "6 x 4 x 0")):
            with self.subTest(shape=shape):
                self.refuse_test(MISUSED, self.save("bad", np.zeros(shape)), said)

    def test_of_reverse_scores_are_refused(self):
        for shape in ((5, 4, 10), (6, 3, 10), (6, 4, 11), (24, 10)):
            with self.subTest(shape=shape):
                file = self.save("bad", np.zeros(shape))
                arguments = self.evaluate("--reverse", file, methods="full-caos")
                self.refuse(MISUSED, arguments, file)
                arguments = self.predicting("--method", "full-caos", "--reverse", file)
                self.refuse(MISUSED, arguments, file)

    def test_of_groups_are_refused(self):
        right, wrong = self.save("right", [0] * 10), self.save("wrong", [0] * 7)
        test = self.save("test-groups", [0] * 6)
        self.refuse(MISUSED, self.evaluate(groups=wrong, test_groups=test), wrong, "7", "10")
        self.refuse(MISUSED, self.evaluate(groups=right, test_groups=wrong), wrong, "7", "6")
        labeled = ["--labeled", "labeled.npy", "--labels", "labels.npy"]
        self.refuse(MISUSED, self.calibrating(*labeled, "--groups", wrong), wrong, "7", "10")
        self.calibrate(self.task, "--groups", right, out="grouped.caos")
        self.refuse(MISUSED, self.predicting("--test-groups", wrong, model="grouped.caos"), wrong,
                    "7", "6")

    def test_a_single_labeled_example_is_too_few(self):
        file = self.save("bad", np.zeros((1, 1)))
        self.refuse(MISUSED, self.calibrating("--calibration", file), "at least 2")

    def test_an_evaluation_without_test_examples_is_refused_in_these_words(self):
        file = self.save("bad", np.zeros((0, 4, 10)))
        for labels in ("test-labels.npy", self.save("none", np.zeros(0, int))):
            arguments = self.evaluate(test=file, test_labels=labels)
            self.refuse(MISUSED, arguments, file, "no test examples")

    def test_a_k_that_does_not_fit_is_refused_with_the_largest_that_does(self):
        labeled = ["--labeled", "labeled.npy", "--labels", "labels.npy"]
        data = [*labeled, "--test", "test.npy", "--test-labels", "test-labels.npy"]
        for k in (10, 11, 10**15):
            self.refuse(MISUSED, ["evaluate", *data, "--methods", "caos", "--k", k], str(k), "9")
            self.refuse(MISUSED, ["calibrate", *labeled, "--out", "old.caos", "--k", k], str(k),
                        "9")
            self.refuse(MISUSED, ["advise", *labeled, "--alpha", "0.3", "--k", k], str(k), "9")
        self.refuse(MISUSED, ["evaluate", *data, "--methods", "split-caos-cal", "--k", 10], "10", "9")
        for method, most in (("split-caos", 5), ("split-caos-ref", 4)):
            arguments = ["evaluate", *data, "--methods", method, "--alpha", "0.3", "--k"]
            self.succeed(*arguments, most)
            self.refuse(MISUSED, [*arguments, most + 1], method, str(most))

    def test_reference_indices_that_do_not_fit_are_refused(self):
        cases = [([0, 10], FAILED, "10"), ([0, -1], FAILED, "-1"), ([3, 4, 3], FAILED, "3"),
                 (range(10), MISUSED, "calibrate"), (np.zeros(0, int), MISUSED, "")]
        for indices, code, said in cases:
            file = self.save("bad", indices)
            arguments = self.evaluate("--reference-indices", file, methods="split-caos")
            self.refuse(code, arguments, file, said)


class FilesThatAreNoArrays(BadFileTest):
    def refuse_everywhere(self, file, *said):
        """Every option that takes an array."""
        self.refuse_labeled(FAILED, file, *said)
        self.refuse_test(FAILED, file, *said)
        self.refuse(FAILED, self.evaluate(labels=file), file, *said)
        self.refuse(FAILED, self.evaluate(test_labels=file), file, *said)
        self.refuse(FAILED, self.evaluate("--reverse", file, methods="full-caos"), file, *said)
        self.refuse(FAILED, self.evaluate("--groups", file, "--test-groups", "test-labels.npy"),
                    file, *said)
        self.refuse(FAILED, self.evaluate("--groups", "labels.npy", "--test-groups", file), file,
                    *said)
        self.refuse(FAILED, self.calibrating("--calibration", file), file, *said)
        message = self.refuse(
            FAILED, self.evaluate("--reference-indices", file, methods="scos"), file, *said)
        self.assertEqual(message.count(file), 1, message)

    def test_a_missing_file_is_refused(self):
        self.refuse_everywhere("missing.npy", "no such file")

    def test_an_empty_file_is_refused(self):
        self.refuse_everywhere(self.write("empty.npy", ""), "empty")
        self.refuse(FAILED, self.evaluate(labels=self.write("empty.csv", "")), "empty.csv", "empty")

    def test_a_folder_is_refused(self):
        (self.folder / "folder").mkdir()
        self.refuse_everywhere("folder", "directory")

    def test_a_text_is_refused(self):
        self.refuse_everywhere(self.write("text.npy", "0.1 0.2 0.3\n" * 20), "numpy.save")

    def test_an_archive_is_refused(self):
        np.savez(self.folder / "archive.npz", self.task.labeled)
        self.refuse_everywhere("archive.npz", "numpy.save")

    def test_truncated_arrays_are_refused(self):
        content = self.files()["labeled.npy"]
        for size in (3, 9, 50, len(content) - 1):
            self.refuse_labeled(FAILED, self.write("cut.npy", content[:size]), "truncated")

    def test_bytes_after_the_array_are_refused(self):
        content = self.files()["labeled.npy"]
        self.refuse_labeled(FAILED, self.write("long.npy", content + b"more"), "4 bytes after")

    def test_arrays_in_fortran_order_are_refused(self):
        self.refuse_labeled(FAILED, self.save("bad", np.asfortranarray(self.task.labeled)),
                            "Fortran", "ascontiguousarray")

    def test_other_kinds_of_elements_are_refused(self):
        for dtype, said in ((object, "objects"), (np.float16, "f2"), (np.complex128, "c16"),
                            (bool, "True and False"), (">f8", "big-endian"), (str, "U")):
            with self.subTest(dtype=dtype):
                file = self.save("bad", self.task.labeled.astype(dtype))
                self.refuse_labeled(FAILED, file, said, "astype")


class FilesThatAreNoCalibrations(BadFileTest):
    def refuse_model(self, file, *said):
        self.refuse(FAILED, self.predicting(model=file), file, *said)
        if not file.endswith(".npy"):
            self.refuse(FAILED, ["inspect", file], file, *said)

    def test_a_missing_file_or_a_folder_is_refused(self):
        self.refuse_model("missing.caos", "no such file")
        (self.folder / "folder").mkdir()
        self.refuse_model("folder", "directory")

    def test_an_altered_file_is_refused_wherever_it_was_altered(self):
        content = self.files()["model.caos"]
        for place in range(8, len(content), 37):
            altered = bytearray(content)
            altered[place] ^= 1
            self.refuse(FAILED, self.predicting(model=self.write("bad.caos", bytes(altered))),
                        "bad.caos")

    def test_a_changed_number_is_noticed(self):
        content = self.files()["model.caos"]
        self.assertIn(b'"k":"2"', content)
        self.write("bad.caos", content.replace(b'"k":"2"', b'"k":"1"'))
        self.refuse_model("bad.caos", "altered")

    def test_a_truncated_file_is_refused(self):
        content = self.files()["model.caos"]
        for size in [0, 1, 8, 9, *range(20, len(content), 61), len(content) - 1]:
            self.refuse(FAILED, self.predicting(model=self.write("cut.caos", content[:size])),
                        "cut.caos")

    def test_a_longer_file_is_refused(self):
        self.refuse_model(self.write("long.caos", self.files()["model.caos"] + b"\0"))

    def test_a_foreign_file_is_refused(self):
        header = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
        self.write("foreign.caos", len(header).to_bytes(8, "little") + header + b"\0" * 4)
        self.refuse_model("foreign.caos", "not written by caos")
        self.refuse_model(self.write("text.caos", "hello\n" * 30), "not a .caos file")
        self.refuse_model("test.npy", "not a .caos file")

    def test_groups_of_inputs_must_fit_the_calibration(self):
        groups = self.save("groups", [0, 1] * 5)
        test_groups = self.save("test-groups", [0] * 6)
        self.refuse(MISUSED, self.predicting("--test-groups", test_groups), "model.caos",
                    "--test-groups")
        self.calibrate(self.task, "--groups", groups, out="grouped.caos")
        self.refuse(MISUSED, self.predicting(model="grouped.caos"), "grouped.caos",
                    "--test-groups")


if __name__ == "__main__":
    unittest.main()
