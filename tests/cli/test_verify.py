"""`caos verify`: its coverages against the oracle on the same splits, what it finds, and how it ends."""

import json
import math
import re
from fractions import Fraction

import numpy as np

import oracle
from classify_support import p_value, ratio_score, whole_task
from landmark_support import FacesTest
from support import ProgramTest, random_task
from text_support import csv_text, synthetic_texts

MASK = 2**64 - 1
METHODS = ["caos", "full-caos", "scos", "split-caos", "split-caos-cal"]


class Rng:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        limit = 2**64 - 2**64 % bound
        while True:
            drawn = self.next()
            if drawn < limit:
                return drawn % bound

    def draw(self, count, chosen):
        """Positions that are drawn, and the others; ascending."""
        order = list(range(count))
        for left in range(count, 1, -1):
            other = self.below(left)
            order[left - 1], order[other] = order[other], order[left - 1]
        drawn = sorted(order[:chosen])
        return drawn, sorted(order[chosen:])


def split(count, tested, seed):
    rng = Rng(seed)
    test, labeled = rng.draw(count, tested)
    references, _ = rng.draw(len(labeled), len(labeled) // 2)
    return labeled, test, references


def problem_of(task, reverse, labeled, test, references):
    """The oracle's problem on a split of labeled examples."""
    scores = task.labeled
    return oracle.Problem(
        own=[[float(scores[i, task.labels[i], j]) for j in labeled] for i in labeled],
        test=scores[np.ix_(test, range(scores.shape[1]), labeled)].tolist(),
        reverse=reverse[np.ix_(test, range(scores.shape[1]), labeled)].tolist(),
        labels=[int(task.labels[i]) for i in labeled],
        test_labels=[int(task.labels[t]) for t in test], k=task.k, references=references)


def coverages(task, reverse, method, alpha, tested, seeds):
    results = []
    for seed in seeds:
        p = problem_of(task, reverse, *split(len(task.labels), tested, seed))
        results.append(oracle.summary(p, oracle.METHODS[method](p, alpha))["coverage"])
    return results


def true_reverse(task, rng):
    """Reverse scores that agree with the scores of own labels, and are drawn elsewhere."""
    reverse = rng.choice(task.labeled.ravel(), size=task.labeled.shape)
    n = len(task.labels)
    for t in range(n):
        for i in range(n):
            reverse[t, task.labels[t], i] = task.labeled[i, task.labels[i], t]
    return reverse


class VerifyTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.task = random_task(3, n=24, num_labels=4, k=2)
        self.reverse = true_reverse(self.task, np.random.default_rng(5))
        self.arguments = ["verify", "--labeled", self.save("labeled", self.task.labeled),
                          "--labels", self.save("labels", self.task.labels), "--k", 2]

    def rows(self, part, verdict=None):
        return [r for r in part["coverage"] if verdict in (None, r["verdict"])]

    def identity(self, part, name):
        return next(i for i in part["identities"] if i["identity"] == name)

    def test_coverages_are_those_of_the_definitions_on_the_same_splits(self):
        said = self.json(*self.arguments, "--reverse", self.save("reverse", self.reverse),
                         "--splits", 6, "--seed", 40, "--test-size", 7, "--alpha", "0.1,0.25",
                         "--methods", ",".join(METHODS))
        self.assertEqual(said["verdict"], "agrees")
        part = said["parts"][0]
        for method in METHODS:
            for alpha in ["0.1", "0.25"]:
                row = next(r for r in part["coverage"]
                           if r["method"] == method and r["alpha"] == float(alpha))
                by_split = coverages(self.task, self.reverse, method, alpha, 7, range(40, 46))
                mean = sum(by_split, Fraction(0)) / 6
                error = math.sqrt(sum((c - mean) ** 2 for c in by_split) / 30)
                self.assertAlmostEqual(row["coverage"], float(mean), delta=1e-12)
                self.assertAlmostEqual(row["coverage_standard_error"], error, delta=1e-12)
                n = 17 if "caos" in method and "split" not in method else 9
                self.assertAlmostEqual(row["expected"], oracle.rank(n, alpha) / (n + 1))
                self.assertEqual(row["verdict"], "agrees")
        for check in part["identities"]:
            self.assertEqual((check["verdict"], check["broken"]), ("holds", 0), check)
            self.assertGreater(check["compared"], 0)

    def test_wrong_reverse_scores_are_a_result_and_exit_1(self):
        wrong = np.zeros_like(self.task.labeled)
        run = self.run_caos(*self.arguments, "--reverse", self.save("wrong", wrong), "--splits", 40,
                            "--json")
        self.assertEqual((run.code, run.err), (1, ""))
        said = json.loads(run.out)
        self.assertEqual(said["verdict"], "contradicts")
        self.assertIn("contradict", said["summary"])
        part = said["parts"][0]
        guilty = {r["method"] for r in self.rows(part, "contradicts")}
        self.assertIn("full-caos", guilty)
        self.assertTrue(guilty <= {"full-caos", "full-caos by label"}, guilty)
        reverse = self.identity(part, "reverse")
        self.assertEqual(reverse["verdict"], "broken")
        differ = sum(self.task.labeled[i, self.task.labels[i], t] != 0
                     for i in range(24) for t in range(24) if i != t)
        self.assertEqual((reverse["compared"], reverse["broken"]), (24 * 23, differ))

    def test_scores_that_are_not_symmetric_are_noticed(self):
        run = self.run_caos(*self.arguments, "--symmetric", "--splits", 3)
        self.assertEqual((run.code, run.err), (1, ""))
        self.assertIn("reverse is broken: scores that are stated to be symmetric are symmetric", run.out)
        self.assertRegex(run.out.splitlines()[-1], r"^1 of 11 identities broken; none of \d+ coverages ")

    def test_without_reverse_scores_full_caos_is_not_checked_and_says_so(self):
        said = self.json(*self.arguments, "--splits", 3)
        part = said["parts"][0]
        self.assertNotIn("full-caos", {r["method"] for r in part["coverage"]})
        for name in ["inclusion", "reverse"]:
            self.assertEqual(self.identity(part, name)["verdict"], "not checked")
            self.assertIn("reverse scores", self.identity(part, name)["why"])
        self.assertIn("(2 not checked)", said["summary"])

    def test_methods_without_a_guarantee_are_shown_and_not_judged(self):
        part = self.json(*self.arguments, "--splits", 30)["parts"][0]
        unguaranteed = {r["method"] for r in self.rows(part, "not judged")}
        self.assertEqual(unguaranteed, {"scos-best", "scos-oracle", "split-caos-ref"})
        alone = self.json(*self.arguments, "--splits", 5, "--methods", "scos-best")["parts"][0]
        self.assertEqual({r["method"] for r in alone["coverage"]}, {"scos-best"})
        one = self.json(*self.arguments, "--splits", 1)["parts"][0]
        self.assertEqual(len(self.rows(one, "not judged")), len(one["coverage"]))

    def test_the_same_seed_gives_the_same_bytes_on_any_threads_and_kernels(self):
        arguments = [*self.arguments, "--splits", 4, "--seed", 9]
        first = self.output(*arguments)
        self.assertEqual(self.output(*arguments, "--threads", 1), first)
        self.assertEqual(self.output(*arguments, "--threads", 5), first)
        self.environment["CAOS_KERNELS"] = "SCALAR"
        self.assertEqual(self.output(*arguments), first)
        self.assertNotEqual(self.output(*self.arguments, "--splits", 4, "--seed", 10), first)

    def test_without_data_it_takes_drawn_faces_and_the_task_of_generate(self):
        options = ["--splits", 3, "--seed", 6, "--alpha", "0.1,0.2"]
        said = self.json("verify", *options)
        # The examples have a seed of their own: the numbers that make them must not split them.
        seed = int(re.search(r"--seed (\d+)'", said["parts"][0]["source"])[1])
        self.assertNotEqual(seed, 6)
        self.succeed("generate", "--out", "toy", "--n", 80, "--num-labels", 20, "--seed", seed)
        self.assertEqual([p["part"] for p in said["parts"]], ["scores", "landmarks"])
        self.assertEqual(said["verdict"], "agrees")
        for part in said["parts"]:
            self.assertTrue(all(i["verdict"] == "holds" for i in part["identities"]), part)
        given = self.json("verify", "--labeled", "toy/labeled.npy", "--labels", "toy/labels.npy",
                          "--symmetric", *options)["parts"][0]
        self.assertEqual(given | {"source": ""}, said["parts"][0] | {"source": ""})

    def test_texts(self):
        self.write("texts.csv", csv_text(["text", "label"], synthetic_texts(30, 1)))
        said = self.json("verify", "--train", "texts.csv", "--labels-from", "praise,complaint,question",
                         "--splits", 5, "--methods", "caos,full-caos,scos")
        part = said["parts"][0]
        self.assertEqual((part["part"], part["examples"], part["tested"]), ("texts", 30, 7))
        self.assertEqual(said["verdict"], "agrees")
        self.assertEqual(self.identity(part, "reverse")["compared"], 30 * 29)

    def test_vectors(self):
        rows, labels, _, _ = whole_task(1, 40, 1)
        self.save("v", rows, float)
        self.save("y", labels)
        said = self.json("verify", "--vectors", "v.npy", "--vector-labels", "y.npy", "--splits", 40,
                         "--alpha", "0.2")
        self.assertEqual([p["part"] for p in said["parts"]], ["vectors", "votes of vectors"])
        self.assertEqual(said["verdict"], "agrees")
        full, votes = said["parts"]
        self.assertEqual([r["method"] for r in full["coverage"]],
                         ["full-ratio", "full-kernel", "full-ratio by label",
                          "full-kernel by label"])
        self.assertAlmostEqual(full["coverage"][0]["expected"], 25 / 31)
        covered = []
        for seed in range(40):  # the definition on the same splits
            labeled, test, _ = split(40, 10, seed)
            for t in test:
                p = p_value([rows[i] for i in labeled], [labels[i] for i in labeled], rows[t],
                            labels[t], ratio_score)
                covered.append(p > Fraction("0.2"))
        self.assertAlmostEqual(full["coverage"][0]["coverage"], np.mean(covered))
        self.assertTrue(all(i["verdict"] == "holds" for p in said["parts"]
                            for i in p["identities"]))
        self.assertIn("full-caos", {r["method"] for r in votes["coverage"]})
        table = "a,b,c,kind\n" + "".join(f"{a},{b},{c},k{y}\n" for (a, b, c), y in zip(rows, labels))
        self.write("t.csv", table)
        said = self.json("verify", "--vectors", "t.csv", "--vector-label-column", "kind",
                         "--methods", "full-kernel", "--splits", 3, "--standardize", "batch")
        self.assertEqual(len(said["parts"]), 1)
        self.refuse(2, ["verify", "--vectors", "v.npy"], "give its labels with --vector-labels")
        self.refuse(2, ["verify", "--vectors", "v.npy", "--train", "t.csv"], "give one of")
        self.refuse(2, ["verify", "--temperature", "0.2"], "--temperature goes with --vectors")

    def test_misuse(self):
        for name in ("a", "b", "c"):
            self.write(name, "")  # missing files are reported first
        (self.folder / "faces").mkdir()
        for arguments, said in [
            (["--labeled", "labeled.npy"], "--labeled and --labels go together"),
            (["--images", "faces"], "--images and --landmarks go together"),
            (["--symmetric"], "go with --labeled"),
            (["--labeled", "a", "--labels", "b", "--train", "c"], "give one of"),
            (["--labeled", "a", "--labels", "b", "--methods", "full-caos"], "full-caos needs"),
            (["--labeled", "labeled.npy", "--labels", "labels.npy", "--test-size", "23"],
             "23 tested of 24 examples leave too few, as k = 3 needs 4 labeled ones: test at most 20"),
            (["--labeled", "labeled.npy", "--labels", "labels.npy", "--k", "18"], "k"),
            (["--splits", "0"], "--splits"),
            (["--backbone", "builtin"], "--backbone goes with --images and --landmarks"),
            (["--model", "builtin"], "--model goes with --train"),
            (["--labeled", "a", "--labels", "b", "--score", "margin"], "--score goes with --images"),
            (["--images", "a", "--landmarks", "b", "--store", "c"], "--store goes with --train"),
        ]:
            self.refuse(2, ["verify", *arguments], said)
        self.refuse(1, ["verify", "--labeled", "none.npy", "--labels", "labels.npy"], "none.npy")


class VerifyImagesTest(FacesTest):
    def test_images(self):
        said = self.json("verify", "--images", "faces", "--landmarks", "faces/all.csv", "--splits", 3)
        part = said["parts"][0]
        self.assertEqual((part["part"], said["verdict"]), ("landmarks", "agrees"))
        self.assertIn("caos, all at once", {r["method"] for r in part["coverage"]})
        self.assertTrue(all(i["verdict"] == "holds" for i in part["identities"]), part)
