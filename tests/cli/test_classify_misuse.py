"""What `caos classify` refuses: file, place and remedy, and nothing is written."""

import unittest

import numpy as np

from classify_support import ClassifyTest, whole_task


class Refused(ClassifyTest):
    def setUp(self):
        super().setUp()
        self.save_task(whole_task(1, 20, 6))

    def bad(self, code, arguments, *said):
        self.refuse(code, ["classify", *arguments, "--quiet"], *said)

    def calibrated(self, *more):
        return ["calibrate", "--train", "train.npy", "--labels", "labels.npy", "--out", "m.caos",
                *more]

    def test_options_that_do_not_fit(self):
        self.bad(2, ["calibrate", "--train", "train.npy", "--out", "m.caos"],
                 "train.npy: is an array; give its labels with --labels")
        self.bad(2, self.calibrated("--label-column", "y"), "either --labels or a label column")
        self.bad(2, self.calibrated("--method", "knn"), "unknown method 'knn'", "full-kernel")
        self.bad(2, self.calibrated("--method", "caos"), "full-ratio or full-kernel",
                 "classify evaluate")
        self.bad(2, self.calibrated("--distance", "l3"), "unknown distance 'l3'", "manhattan")
        self.bad(2, self.calibrated("--standardize", "train"), "must be 'batch'")
        for bad in ("0", "-1", "x", "nan", "1e9"):
            self.bad(2, self.calibrated("--temperature", bad), "--temperature", "not a number from")
        self.bad(2, self.calibrated("--k", "30"), "k is 30", "1 <= k <= 20")
        self.bad(2, self.calibrated("--label-embeddings", "new.npy"), "is for full-kernel")
        evaluated = ["evaluate", "--train", "train.npy", "--labels", "labels.npy"]
        self.bad(2, evaluated, "either --test FILE or --test-size N")
        self.bad(2, [*evaluated, "--test-size", "19"], "leaves fewer than two")
        self.bad(2, [*evaluated, "--test", "new.npy"],
                 "new.npy: is an array; give its labels with --test-labels")
        self.bad(2, [*evaluated, "--test-size", "3", "--groups", "labels", "--methods", "scos"],
                 "scos has no form with groups")
        self.bad(2, [*evaluated, "--test", "new.npy", "--test-labels", "truths.npy",
                     "--test-groups", "truths.npy"], "--test-groups needs --groups FILE")
        self.succeed("classify", *self.calibrated("--quiet"))
        self.bad(2, ["predict", "m.caos", "new.npy", "--json"], "--json is for the summary")
        self.bad(2, ["predict", "m.caos", "new.npy", "--seed", "3"], "--seed is for --smoothed")
        self.bad(2, ["predict", "m.caos", "new.npy", "--out", "sets.txt"], "must end in .csv")
        self.bad(2, ["predict", "m.caos", "new.npy", "--groups", "truths.npy"],
                 "has no groups of vectors; leave out --groups")

    def test_vectors(self):
        rows = np.load(self.folder / "train.npy")
        rows[4, 1] = np.nan
        self.save("bad", rows)
        bad = [w if w != "train.npy" else "bad.npy" for w in self.calibrated()]
        self.bad(1, bad, "bad.npy: row 4, column 1 is nan, which is not finite; correct or remove the row")
        rows[4, 1] = -1e101
        self.save("bad", rows)
        self.bad(1, bad, "bad.npy: row 4, column 1 is -1e+101, which is beyond 1e100")
        rows[4] = 0
        self.save("bad", rows)
        for more in (["--method", "full-kernel"], ["--distance", "cosine"]):
            self.bad(1, [*bad, *more], "bad.npy: row 4 is all zeros",
                     "correct or remove it, or use full-ratio")
        self.save("bad", rows[:, 0])
        self.bad(2, bad, "bad.npy: has 1 dimension", "vectors x dimensions")
        self.save("bad", rows.astype("float16"))
        self.bad(1, bad, "bad.npy: element type '<f2' is not supported; convert with .astype")
        self.succeed("classify", *self.calibrated("--quiet"))
        narrow = self.save("narrow", np.ones((2, 2)))
        self.bad(2, ["predict", "m.caos", narrow], "narrow.npy: has vectors of 2 values; the labeled "
                 "vectors have 3", "same encoder")
        self.bad(2, ["evaluate", "--train", "train.npy", "--labels", "labels.npy", "--test",
                     narrow, "--test-labels", self.save("two", [0, 1])],
                 "narrow.npy: has vectors of 2 values")
        self.bad(1, ["predict", "labels.npy", "new.npy"], "labels.npy")
        self.save("empty", np.ones((0, 3)))
        self.bad(2, [w if w != "train.npy" else "empty.npy" for w in self.calibrated()], "labels.npy")

    def test_labels(self):
        few = self.save("few", [0, 1, 2])
        self.bad(2, [w if w != "labels.npy" else few for w in self.calibrated()],
                 "few.npy: has 3 labels; train.npy has 20 vectors, and each needs one")
        self.save("objects", np.array([{}, 1, 2], dtype=object))
        self.bad(1, [w if w != "labels.npy" else "objects.npy" for w in self.calibrated()],
                 "objects.npy: holds Python objects; convert with .astype(str)")
        self.save("flags", np.arange(20) > 9)
        self.bad(1, [w if w != "labels.npy" else "flags.npy" for w in self.calibrated()],
                 "flags.npy: holds True and False; convert with .astype('int8')")
        self.save("same", [3] * 20)
        self.bad(2, [w if w != "labels.npy" else "same.npy" for w in self.calibrated()],
                 "same.npy: all labels are", "--label-names")
        self.bad(2, self.calibrated("--label-names", "a,b,a"), "--label-names: names the label",
                 "twice")
        self.bad(2, self.calibrated("--label-names", "a,,b"), "--label-names: label 1 is empty")
        self.bad(1, self.calibrated("--label-names", "a,b"), "labels.npy: element 2",
                 "not among the labels")
        self.bad(2, self.calibrated("--label-names", self.write("n.txt", "a\nb\nb\n")),
                 "n.txt: names the label", "twice")
        self.bad(1, self.calibrated("--label-names", self.write("n.txt", "a\n\nb\n")),
                 "n.txt:2: the label is empty")

    def test_label_embeddings(self):
        kernel = ["--method", "full-kernel", "--label-embeddings"]
        self.bad(2, self.calibrated(*kernel, self.save("names", np.ones((3, 2)))),
                 "names.npy: has vectors of 2 values; the labeled vectors have 3")
        self.bad(2, self.calibrated(*kernel, self.save("names", np.ones((4, 3))), "--label-names",
                                    "a,b,c"), "names.npy: has 4 rows; expected 3, one per label")
        self.bad(1, self.calibrated(*kernel, self.save("names", np.zeros((3, 3)))),
                 "names.npy: row 0 is all zeros")
        self.bad(2, self.calibrated(*kernel, self.save("names", np.ones((2, 3)))),
                 "names.npy: has 2 rows, for the labels 0 to 1; labels.npy: element 2 is '2'; give a "
                 "row for each label")
        self.save_task(whole_task(1, 20, 6), ["a", "b", "c"])
        self.bad(2, self.calibrated(*kernel, self.save("names", np.ones((3, 3)))),
                 "names.npy: which label is each row of? Name them with --label-names")

    def test_tables(self):
        def train(content):
            return ["calibrate", "--train", self.write("t.csv", content), "--out", "m.caos"]
        self.bad(1, train("a,b\n1,2\n"), "t.csv: has no column", "--label-column")
        self.bad(1, train("a,label\n1,x\nq,y\n"), "t.csv:3: column", "not a finite number",
                 "--id-column")
        self.bad(1, train("a,label\n1,x\n2\n"), "t.csv:3")
        self.bad(1, train("1,x\n2,y\n"), "t.csv:1:", "names of the columns")
        self.bad(2, train("a,label\n"), "t.csv: has no vectors")
        self.bad(1, train("a,label\n1,x\n2,\n"), "t.csv:3: the label is empty")
        self.bad(1, [*train("a,label\n1,x\n"), "--id-column", "id"], "t.csv: has no column",
                 "the id")
        self.bad(2, self.calibrated("--id-column", "id"), "train.npy: is an array, which has no "
                 "column")
        self.succeed("classify", *train("a,b,label\n1,2,x\n2,3,y\n3,1,x\n"), "--quiet")
        self.bad(1, ["predict", "m.caos", self.write("n.csv", "a,c\n1,2\n")],
                 "n.csv: has no column", "a feature")
        self.bad(1, ["predict", "m.caos", self.write("n.csv", "a,b\n1,2\n"), "--id-column", "id"],
                 "n.csv: has no column", "the id")


if __name__ == "__main__":
    unittest.main()
