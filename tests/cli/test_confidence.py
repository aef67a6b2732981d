"""split-caos with a confidence: ranks against exact fractions, sets against the oracle."""

import json
import unittest
from fractions import Fraction
from math import ceil, comb, inf

import numpy as np

import oracle
from landmark_support import FacesTest, Images, cosine, similarities, unit
from support import TaskTest, random_task

ALPHAS = ["0.05", "0.1", "0.2", "0.5"]


def below(n, rank, alpha, remaining=None):
    """P(the threshold at this rank covers 1 - alpha), exactly."""
    alpha = Fraction(alpha)
    if remaining is None:
        return sum(comb(n, j) * (1 - alpha) ** j * alpha ** (n - j) for j in range(rank))
    drawn = ceil((1 - alpha) * remaining) + rank - 1
    ways = sum(comb(n, j) * comb(remaining, drawn - j) for j in range(rank) if j <= drawn)
    return Fraction(ways, comb(n + remaining, drawn))


def confident_rank(n, alpha, confidence, remaining=None):
    """The smallest rank with that confidence; n + 1 if there is none."""
    return next((r for r in range(1, n + 1)
                 if below(n, r, alpha, remaining) >= Fraction(confidence)), n + 1)


def split_sets(problem, rank):
    """Sets of split-caos with the threshold at this rank."""
    calibrating = [i for i in range(problem.n) if i not in set(problem.references)]
    scores = sorted(oracle.own_score(problem, i, problem.references) for i in calibrating)
    limit = scores[rank - 1] if rank <= len(scores) else inf
    return [[y for y, pool in enumerate(pools)
             if oracle.minsum([pool[j] for j in problem.references], problem.k) <= limit]
            for pools in problem.test], limit


class ScoreArrays(TaskTest):
    def task(self, seed):
        task = random_task(seed, n=40 + seed, k=2, num_labels=5, m=8)
        references = sorted(np.random.default_rng(seed).permutation(task.n)[:10].tolist())
        return task, references, task.problem(references=references)

    def test_are_predicted_at_the_confident_rank(self):
        for seed in range(3):
            task, references, problem = self.task(seed)
            model = self.calibrate(task)
            self.save_test(task)
            for pool in (None, task.n + 1, task.n + 57):
                remaining = None if pool is None else pool - task.n
                more = [] if pool is None else ["--pool-size", pool]
                for alpha in ALPHAS:
                    with self.subTest(seed=seed, pool=pool, alpha=alpha):
                        found = self.json(
                            "predict", model, "--test", "test.npy", "--alpha", alpha, "--method",
                            "split-caos", "--confidence", "0.9", *more,
                            *self.save_references(references))
                        rank = confident_rank(task.n - 10, alpha, "0.9", remaining)
                        sets, limit = split_sets(problem, rank)
                        self.assertEqual(found["rank"], rank)
                        self.assertEqual(found["sets"], sets)
                        self.assertEqual(found["feasible"], rank <= task.n - 10)
                        self.assertEqual(found["threshold"], None if limit == inf else limit)
                        self.assertTrue(found["guarantee"].startswith("PAC (90 % confidence"))
                        self.assertIn("labeled examples were drawn at random from the pool"
                                      if remaining else "independent draws from one distribution",
                                      found["assumption"])
                        self.assertNotIn("exchangeable", found["assumption"])

    def test_are_predicted_at_the_plain_rank_without_a_confidence(self):
        task, references, problem = self.task(5)
        model = self.calibrate(task)
        self.save_test(task)
        found = self.json("predict", model, "--test", "test.npy", "--alpha", "0.2", "--method",
                          "split-caos", *self.save_references(references))
        sets, _ = split_sets(problem, oracle.rank(task.n - 10, "0.2"))
        self.assertEqual(found["sets"], sets)
        self.assertEqual(found["guarantee"], "marginal")

    def test_are_evaluated_at_the_confident_rank(self):
        task, references, problem = self.task(7)
        rows = self.json("evaluate", *self.save_all(task), *self.save_references(references),
                         "--methods", "split-caos,split-caos-cal", "--alpha", ",".join(ALPHAS),
                         "--confidence", "0.95")["results"]
        for row, alpha in zip(rows, ALPHAS):
            rank = confident_rank(task.n - 10, alpha, "0.95")
            sets, _ = split_sets(problem, rank)
            self.assertEqual(row["rank"], rank)
            self.assertEqual(row["mean_set_size"], float(np.mean([len(s) for s in sets])))
            self.assertIn("95 % confidence over independent draws", row["guarantee"])
            self.assertIn("independent draws from one distribution", row["assumption"])
        self.assertEqual({row["guarantee"] for row in rows[len(ALPHAS):]}, {"marginal"})

    def test_too_few_for_the_confidence_get_every_label(self):
        task, references, _ = self.task(1)
        model = self.calibrate(task)
        self.save_test(task)
        run = self.succeed("predict", model, "--test", "test.npy", "--alpha", "0.05", "--method",
                           "split-caos", "--confidence", "0.95", "--json",
                           *self.save_references(references))
        self.assertIn("alpha 0.05 with confidence 0.95: 59 calibration examples are needed and "
                      "there are 31; so every set is every label", run.err)
        self.assertEqual(json.loads(run.out)["sets"], [list(range(5))] * 8)

    def test_a_confidence_is_refused_where_it_has_no_law(self):
        task, _, _ = self.task(0)
        model = self.calibrate(task)
        self.save_test(task)
        predict = ["predict", model, "--test", "test.npy", "--alpha", "0.2"]
        self.refuse(2, [*predict, "--confidence", "0.9"], "--confidence is for split-caos")
        split = [*predict, "--method", "split-caos", "--confidence", "0.9"]
        self.refuse(2, [*split, "--smoothed"], "no form with smoothing or a clipped rank")
        self.refuse(2, [*split, "--clip-rank"], "no form with smoothing or a clipped rank")
        self.refuse(2, [*split, "--pool-size", task.n], "so none of the pool remains")
        self.refuse(2, [*predict, "--method", "split-caos", "--pool-size", 99], "--confidence")
        grouped = self.calibrate(task, "--groups", "labels", out="grouped.caos")
        self.refuse(2, ["predict", grouped, *split[2:]], "a confidence has no form with groups")
        evaluate = ["evaluate", *self.save_all(task)]
        self.refuse(2, [*evaluate, "--methods", "caos", "--confidence", "0.9"],
                    "--confidence is for split-caos")


def landmark_sets(labeled, test, landmark, references, rank):
    """Sets of split-caos with k = 3 for a landmark that every image has, with arrays."""
    n = len(labeled.labels)
    patches = unit(labeled.embeddings[np.arange(n), labeled.labels[:, landmark]])
    own = cosine(similarities(np.delete(patches, references, axis=0), patches[references]))
    calibration = np.sort(np.sort(own, axis=1)[:, :3].sum(axis=1))
    scores = Images(test.embeddings, None).scores(patches[references], cosine)
    scores = np.sort(scores, axis=2)[..., :3].sum(axis=2)
    return [np.flatnonzero(row <= calibration[rank - 1]).tolist() for row in scores]


class Landmarks(FacesTest):
    n = 60

    def test_are_predicted_at_the_confident_rank(self):
        self.calibrate()
        labeled, names, landmarks = self.annotated("faces/labeled", "faces/labeled.csv")
        test, _, _ = self.annotated("faces/new", "faces/new.csv")
        self.predict("--method", "split-caos", "--confidence", "0.9", "--alpha", "0.2", "--seed", 4)
        found = json.loads((self.folder / "regions.json").read_text())
        references = [names.index(name) for name in found["split_references"]]
        self.assertEqual(len(references), 30)
        rank = confident_rank(30, "0.2", "0.9")
        self.assertLess(oracle.rank(30, "0.2"), rank)
        for t in range(len(landmarks)):
            sets = landmark_sets(labeled, test, t, references, rank)
            for image, expected in zip(found["images"], sets):
                self.assertEqual(image["landmarks"][t]["patches"], expected)
                self.assertLessEqual(set(image["landmarks"][t]["supporting_references"]),
                                     set(found["split_references"]))
        self.assertEqual({one["n"] for one in found["landmarks"]}, {30})
        self.assertTrue(all(one["guarantee"].startswith("PAC (90 %") for one in found["landmarks"]))
        self.assertIn("independent draws from one distribution", found["assumption"])
        self.assertNotIn("exchangeable", found["assumption"])
        text = self.predict("--method", "split-caos", "--confidence", "0.9", "--alpha", "0.2").out
        self.assertIn("if labeled and new examples are independent draws from one distribution", text)
        text = self.predict("--method", "split-caos", "--confidence", "0.9", "--alpha", "0.2",
                            "--pool-size", 500).out
        self.assertIn("if labeled examples were drawn at random from the pool", text)

    def test_are_evaluated_at_the_confident_rank(self):
        found = self.json("landmarks", "evaluate", "--images", "faces", "--landmarks",
                          "faces/all.csv", "--split", "faces/split.csv", "--methods",
                          "caos,split-caos", "--alpha", "0.2", "--confidence", "0.9")
        caos, split = found["results"]
        self.assertEqual(caos["guarantee"], "marginal")
        self.assertTrue(split["guarantee"].startswith("PAC (90 % confidence"))
        self.assertEqual({one["rank"] for one in split["landmarks"]},
                         {confident_rank(30, "0.2", "0.9")})

    def test_of_a_pool_must_all_be_there(self):
        rows = self.rows("faces/labeled.csv")
        rows[0] |= {"x": "", "y": ""}
        self.write_rows("some.csv", rows)
        self.calibrate(landmarks="some.csv")
        predict = ["landmarks", "predict", "model.caos", "faces/new", "--out", "regions.json",
                   "--method", "split-caos", "--confidence", "0.9"]
        self.refuse(2, [*predict, "--pool-size", 500],
                    f"landmark {rows[0]['landmark']}: a labeled image lacks it")
        self.succeed(*predict)

    def test_of_subjects_with_several_images_are_refused(self):
        rows = [row | {"subject": row["image"][:-5]} for row in self.rows("faces/labeled.csv")]
        self.write_rows("subjects.csv", rows)
        self.calibrate(landmarks="subjects.csv")
        self.refuse(2, ["landmarks", "predict", "model.caos", "faces/new", "--out", "regions.json",
                        "--method", "split-caos", "--confidence", "0.9"],
                    "split-caos needs one image of each subject", "label one image of each")


if __name__ == "__main__":
    unittest.main()
