"""`caos experiment landmarks`: its figures against the oracle, the same bytes from the same input,
the report, and what is refused before it runs."""

import csv
import json
import re
import struct
import unittest
import zlib

import numpy as np

import oracle
from support import ProgramTest

FAILED = 1
MISUSED = 2

RUN = ["experiment", "landmarks"]
ALPHAS = ["0.05", "0.1", "0.2"]
TABLE_1 = ["scos", "scos-best", "caos", "full-caos", "scos-oracle"]
DATA_REUSE = ["scos", "split-caos", "split-caos-cal", "split-caos-ref", "caos"]


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def faces(seed, count=26, num_patches=9, num_landmarks=3, dimension=6):
    """Patch embeddings of images, unit rows, and the patches that hold the landmarks."""
    rng = np.random.default_rng(seed)
    patches = rng.normal(size=(count, num_patches, dimension))
    landmarks = 1.5 * rng.normal(size=(num_landmarks, dimension))
    labels = np.array([rng.permutation(num_patches)[:num_landmarks] for _ in range(count)])
    for i in range(count):
        patches[i, labels[i]] += landmarks
    return unit(patches), labels.astype(np.int64)


def cosine_problem(embeddings, labels, landmark, split, k):
    """One landmark as the oracle wants it: 1 - cosine of every patch under every reference."""
    labeled = sorted(split["reference"] + split["calibration"])
    double = embeddings.astype(np.float64)
    references = np.array([double[i, labels[i, landmark]] for i in labeled])

    def scores(images):
        return np.array([1 - double[i] @ references.T for i in images])

    own_labels = labels[labeled, landmark]
    all_scores, test = scores(labeled), scores(split["test"])
    return oracle.Problem(
        own=all_scores[np.arange(len(labeled)), own_labels].tolist(), test=test.tolist(),
        test_labels=labels[split["test"], landmark].tolist(), k=k, labels=own_labels.tolist(),
        labeled=all_scores.tolist(), reverse=test.tolist(),
        references=[labeled.index(i) for i in split["reference"]])


def png(pixels):
    """The bytes of a PNG file with these gray pixels."""
    height, width = pixels.shape

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row.tobytes() for row in pixels.astype(np.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


class ExperimentTest(ProgramTest):
    def save_faces(self, seed=0, **shape):
        self.embeddings, self.labels = faces(seed, **shape)
        return ["--embeddings", self.save("faces", self.embeddings),
                "--labels", self.save("labels", self.labels)]

    def save_split(self, *sizes, name="split.csv"):
        """A split in a random order; images that are left over are not in it."""
        drawn = np.random.default_rng(5).permutation(len(self.labels)).tolist()
        split, rows = {}, ["image,role"]
        for role, size in zip(("reference", "calibration", "test"), sizes):
            split[role], drawn = sorted(drawn[:size]), drawn[size:]
            rows += [f"{i},{role}" for i in reversed(split[role])]
        self.write(name, "\n".join(rows) + "\n")
        return split

    def run_experiment(self, *arguments, out="out"):
        alphas = [] if "--alpha" in arguments else ["--alpha", ",".join(ALPHAS)]
        self.succeed(*RUN, *arguments, *alphas, "--out", out)
        return json.loads((self.folder / out / "results.json").read_text())

    def table(self, name, out="out"):
        with open(self.folder / out / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Figures(ExperimentTest):
    def expected(self, split, method, alpha, k):
        """Coverage and size of each landmark, by the oracle."""
        measured = []
        for landmark in range(self.labels.shape[1]):
            problem = cosine_problem(self.embeddings, self.labels, landmark, split, k)
            summary = oracle.summary(problem, oracle.METHODS[method](problem, alpha))
            measured.append((float(summary["coverage"]), float(summary["mean_set_size"])))
        return np.array(measured)

    def check_entry(self, entry, measured):
        for column, key in enumerate(("coverage", "mean_set_size")):
            values = measured[:, column]
            self.assertAlmostEqual(entry[key]["mean"], values.mean(), places=9)
            self.assertAlmostEqual(entry[key]["sem_landmarks"],
                                   values.std(ddof=1) / np.sqrt(len(values)), places=9)
            self.assertIsNone(entry[key]["sem_splits"])
            self.assertEqual(entry[key]["sem"], entry[key]["sem_images"])
            self.assertIsNotNone(entry[key]["sem_images"])

    def test_of_every_method_and_alpha_are_the_oracles(self):
        arguments = self.save_faces()
        split = self.save_split(6, 6, 10)
        results = self.run_experiment(*arguments, "--split", "split.csv", "--k", 2)
        for part, methods in (("methods", TABLE_1), ("data_reuse", DATA_REUSE)):
            found = [(entry["alpha"], entry["method"]) for entry in results[part]]
            self.assertEqual(found, [(a, m) for a in ALPHAS for m in methods])
            for entry in results[part]:
                with self.subTest(part=part, method=entry["method"], alpha=entry["alpha"]):
                    self.check_entry(
                        entry, self.expected(split, entry["method"], entry["alpha"], 2))

    def test_at_every_k_are_the_oracles(self):
        arguments = self.save_faces(1)
        split = self.save_split(6, 6, 10)
        results = self.run_experiment(*arguments, "--split", "split.csv", "--alpha", "0.2")
        self.assertEqual([entry["k"] for entry in results["k_ablation"]], list(range(1, 11)))
        for entry in results["k_ablation"]:
            measured = self.expected(split, "caos", "0.2", entry["k"])
            self.check_entry(entry, measured)
            by_k = [landmark["by_k"][entry["k"] - 1] for landmark in results["landmarks"]]
            np.testing.assert_allclose(by_k, measured[:, 1], atol=1e-9)

    def test_of_landmarks_are_at_the_first_alpha(self):
        arguments = self.save_faces(2)
        split = self.save_split(6, 6, 10)
        results = self.run_experiment(*arguments, "--split", "split.csv", "--alpha", "0.1,0.3")
        for method in TABLE_1:
            measured = self.expected(split, method, "0.1", 3)
            sizes = [landmark["sizes"][method] for landmark in results["landmarks"]]
            np.testing.assert_allclose(sizes, measured[:, 1], atol=1e-9)
        oracles = [landmark["sizes"]["scos-oracle"] for landmark in results["landmarks"]]
        strata = [results["landmarks"][t]["stratum"] for t in np.argsort(oracles, kind="stable")]
        self.assertEqual(strata, ["easy", "medium", "hard"])

    def test_over_splits_are_means_of_the_splits(self):
        arguments = self.save_faces(3)
        each = [self.run_experiment(*arguments, "--seed", seed, out=f"s{seed}")
                for seed in (4, 5, 6)]
        together = self.run_experiment(*arguments, "--seeds", 3, "--seed", 4)
        for part in ("methods", "data_reuse", "k_ablation", "simultaneous", "beyond"):
            for r, entry in enumerate(together[part]):
                for key in ("coverage", "mean_set_size"):
                    means = [one[part][r][key]["mean"] for one in each]
                    self.assertAlmostEqual(entry[key]["mean"], np.mean(means), places=9)
                    self.assertAlmostEqual(entry[key]["sem_splits"],
                                           np.std(means, ddof=1) / np.sqrt(3), places=9)
                    self.assertEqual(entry[key]["sem"], entry[key]["sem_splits"])
                    self.assertIsNone(entry[key]["sem_images"])
        self.assertEqual(together["setting"]["error_over"], "3 splits")
        self.assertTrue(any("An error over 3 splits may itself be several times too small" in note
                            for note in together["notes"]))
        self.assertEqual(each[0]["setting"]["error_over"], f"{each[0]['setting']['test']} images")

    def test_under_other_scores_are_those_of_an_experiment_with_that_score(self):
        arguments = self.save_faces(4)
        plain = self.run_experiment(*arguments)
        for score in ("margin:10", "softmax:0.05"):
            main = self.run_experiment(*arguments, "--score", score, out="other")
            of_score = [entry for entry in plain["beyond"] if entry["score"] == score]
            caos = [entry for entry in main["methods"] if entry["method"] == "caos"]
            for ours, theirs in zip(of_score, caos, strict=True):
                self.assertEqual(ours["mean_set_size"], theirs["mean_set_size"])
                self.assertEqual(ours["coverage"], theirs["coverage"])
            self.assertEqual(plain["beyond"], main["beyond"])
        sizes = {(e["score"], e["alpha"]): e["mean_set_size"]["mean"] for e in plain["beyond"]}
        for entry in plain["beyond"]:
            self.assertTrue(entry["fixed_in_advance"])
            self.assertAlmostEqual(
                entry["ratio_to_cosine"], sizes[entry["score"], entry["alpha"]] /
                sizes["cosine", entry["alpha"]], places=12)

    def test_stand_beside_the_papers(self):
        results = self.run_experiment(*self.save_faces())
        paper = {(e["method"], e["alpha"]): e["paper"] for e in results["methods"]}
        self.assertEqual(paper["caos", "0.05"]["mean_set_size"], 16.14)
        self.assertEqual(paper["scos", "0.2"]["coverage"], 0.842)
        self.assertIsNone(paper["full-caos", "0.1"])

    def test_come_with_the_guarantee_of_each_method(self):
        results = self.run_experiment(*self.save_faces())
        for entry in results["methods"] + results["data_reuse"]:
            none = entry["method"] in ("scos-best", "scos-oracle", "split-caos-ref")
            self.assertEqual(entry["guarantee"], "none" if none else "marginal")
            self.assertEqual(entry["why_none"] is not None, none)


class Splits(ExperimentTest):
    def test_are_half_and_half_unless_told_otherwise(self):
        arguments = self.save_faces(count=25)
        setting = self.run_experiment(*arguments)["setting"]
        self.assertEqual((setting["labeled"], setting["test"]), (12, 13))
        setting = self.run_experiment(*arguments, "--labeled", 14, "--test", 5)["setting"]
        self.assertEqual((setting["labeled"], setting["test"]), (14, 5))

    def test_take_every_nth_landmark_if_asked_and_say_so(self):
        results = self.run_experiment(*self.save_faces(), "--landmark-step", 2)
        self.assertEqual([landmark["name"] for landmark in results["landmarks"]], ["0", "2"])
        self.assertIn("Of 3 landmarks, one in 2 was used", " ".join(results["notes"]))

    def test_leave_out_and_name_landmarks_with_too_few_images(self):
        self.save_faces()
        self.labels[:20, 1] = -1
        self.save("labels", self.labels)
        results = self.run_experiment("--embeddings", "faces.npy", "--labels", "labels.npy")
        self.assertEqual([landmark["name"] for landmark in results["landmarks"]], ["0", "2"])
        self.assertRegex(" ".join(results["notes"]), "1 landmarks are left out.*: 1[.]")


class Reports(ExperimentTest):
    def test_are_the_same_bytes_from_the_same_input(self):
        arguments = [*self.save_faces(), "--seeds", 2]
        self.run_experiment(*arguments, "--threads", 1, out="one")
        self.run_experiment(*arguments, "--threads", 2, out="two")
        files = self.files()
        one = {name[4:]: data for name, data in files.items() if name.startswith("one/")}
        two = {name[4:]: data for name, data in files.items() if name.startswith("two/")}
        for manifest in (one.pop("manifest.json"), two.pop("manifest.json")):  # names its folder
            self.assertEqual(json.loads(manifest)["command"], "experiment landmarks")
        self.assertEqual(one, two)
        self.assertEqual(set(one), {
            "report.html", "results.json", "methods.csv", "data_reuse.csv", "k_ablation.csv",
            "k_strata.csv", "landmarks.csv", "simultaneous.csv", "beyond.csv"})

    def test_ask_for_nothing_from_elsewhere(self):
        self.run_experiment(*self.save_faces())
        page = (self.folder / "out" / "report.html").read_text(encoding="utf-8")
        self.assertIn("default-src 'none'", page)
        visible = re.sub(r"<!--.*?-->|<script.*?</script>", "", page, flags=re.DOTALL)
        self.assertNotRegex(visible, r"(?i)https?://|<link|src=|@import|url\(")
        self.assertNotRegex(page, r"(?i)<script[^>]+src")

    def test_have_the_figures_as_csv(self):
        results = self.run_experiment(*self.save_faces())
        rows = self.table("methods.csv")
        self.assertEqual([row["method"] for row in rows], TABLE_1 * 3)
        for row, entry in zip(rows, results["methods"], strict=True):
            self.assertEqual(float(row["mean_set_size"]), entry["mean_set_size"]["mean"])

    def test_are_announced_on_standard_output(self):
        arguments = [*RUN, *self.save_faces(), "--out", "out"]
        text = self.succeed(*arguments).out
        self.assertIn("Report: out/report.html", text)
        self.assertRegex(text, r"caos +0[.]1 +marginal +[01][.]\d{3} ± ")
        found = self.json(*arguments)
        self.assertEqual(found, json.loads((self.folder / "out" / "results.json").read_text()))

    def test_name_the_command_without_what_changes_no_result(self):
        arguments = [*self.save_faces(), "--alpha", "0.1,0.2", "--threads", 1, "--quiet"]
        self.assertEqual(
            self.run_experiment(*arguments)["command"],
            "caos experiment landmarks --embeddings faces.npy --labels labels.npy "
            "--alpha 0.1,0.2")


class Images(ExperimentTest):
    """Noise with a bright disc, whose center is the landmark."""

    def save_images(self, subject_of=None, count=18):
        rng = np.random.default_rng(0)
        (self.folder / "images").mkdir()
        rows = ["image,landmark,x,y" + (",subject" if subject_of else "")]
        y, x = np.mgrid[:64, :80]
        for i in range(count):
            at = rng.uniform(10, 54, size=2)
            disc = 150 * (np.hypot(x - at[0], y - at[1]) < 6)
            self.write(f"images/{i:02}.png", png(disc + rng.integers(0, 100, size=x.shape)))
            rows.append(f"{i:02}.png,disc,{at[0]},{at[1]}" +
                        (f",{subject_of(i)}" if subject_of else ""))
        self.write("landmarks.csv", "\n".join(rows) + "\n")
        return ["--images", "images", "--landmarks", "landmarks.csv", "--no-cache"]

    def page(self):
        return (self.folder / "out" / "report.html").read_text(encoding="utf-8")

    def test_are_in_the_page_and_nowhere_else(self):
        results = self.run_experiment(*self.save_images())
        self.assertEqual(results["setting"]["grid"], [5, 4])
        self.assertEqual(self.page().count("data:image/jpeg;base64,/9j/"), 3)
        self.assertEqual(self.page().count("<title>landmark disc: "), 6)
        self.assertNotIn("images", results)

    def test_are_known_to_splits_by_their_names(self):
        arguments = self.save_images()
        roles = ["reference"] * 5 + ["calibration"] * 5 + ["test"] * 4
        rows = [f"{i:02}.png,{role}" for i, role in enumerate(roles)]
        self.write("split.csv", "image,role\n" + "\n".join(rows) + "\n")
        setting = self.run_experiment(*arguments, "--split", "split.csv")["setting"]
        self.assertEqual((setting["images"], setting["labeled"], setting["test"]), (14, 10, 4))
        self.assertIn("12.png", self.page())

    def test_of_one_subject_stay_on_one_side(self):
        arguments = self.save_images(lambda i: f"s{i // 2}")
        results = self.run_experiment(*arguments, "--labeled", 5, "--test", 4)
        self.assertEqual((results["setting"]["labeled"], results["setting"]["test"]), (10, 4))
        self.assertEqual({entry["method"] for entry in results["methods"]}, {"caos", "full-caos"})
        self.assertEqual(results["data_reuse"], [])
        self.assertIn("of a new subject", " ".join(results["notes"]))
        self.assertEqual(results["target"], "a random image of a new subject")
        self.assertEqual({entry["target"] for entry in results["methods"]}, {results["target"]})
        self.assertIn("a random image of a new subject", self.page())
        pool = self.run_experiment(*arguments, "--labeled", 5, "--test", 4, "--target", "image")
        self.assertEqual((pool["setting"]["labeled"], pool["setting"]["test"]), (10, 8))
        self.assertTrue(pool["target"].startswith("a random image of the pool"))
        self.assertEqual(pool["average_over"], "images")
        self.assertNotIn("SCOS: set sizes on", self.page())
        self.write("split.csv", "image,role\n00.png,reference\n02.png,calibration\n03.png,test\n")
        self.refuse(FAILED, [*RUN, *arguments, "--split", "split.csv", "--out", "other"],
                    "'02.png'", "'03.png'", "one subject")


class Refusals(ExperimentTest):
    def refuse_split(self, text, *said):
        arguments = self.save_faces()
        self.write("split.csv", text)
        self.refuse(FAILED, [*RUN, *arguments, "--split", "split.csv", "--out", "out"],
                    "split.csv", *said)

    def test_of_splits_name_the_line(self):
        good = "image,role\n0,reference\n1,calibration\n"
        self.refuse_split(good + "2,tset\n", "line 4", "'tset'", "reference, calibration, test")
        self.refuse_split(good + "26,test\n", "line 4", "'26'", "26 annotated")
        self.refuse_split(good + "1,test\n", "line 4", "'1'", "line 3")
        self.refuse_split(good + "2,\n", "line 4", "role ''")

    def test_of_splits_that_lack_a_part_say_which(self):
        self.refuse_split("image,roles\n0,test\n", "no column 'role'", "image,role")
        self.refuse_split("image,role\n0,reference\n1,calibration\n", "role test")
        self.refuse_split("image,role\n0,reference\n1,test\n", "role calibration")
        self.refuse_split("image,role\n0,calibration\n1,test\n", "role reference")

    def test_of_too_few_images_for_k(self):
        arguments = self.save_faces(count=12)
        self.refuse(MISUSED, [*RUN, *arguments, "--k", 3, "--out", "out"], "k = 3", "smaller k")

    def test_of_more_images_than_there_are(self):
        arguments = self.save_faces()
        self.refuse(MISUSED, [*RUN, *arguments, "--labeled", 20, "--test", 7, "--out", "out"],
                    "20 labeled and 7 test", "the 26")
        self.refuse(MISUSED, [*RUN, *arguments, "--labeled", 26, "--out", "out"], "one test image")

    def test_of_options_that_do_not_go_together(self):
        arguments = self.save_faces()
        for more in (["--images", "."], ["--backbone", "onnx:x.onnx"], ["--split", "s.csv", "--seeds", 2], ["--seeds", 0],
                     ["--k", 0], ["--score", "best"], ["--alpha", "2"]):
            with self.subTest(more=more):
                self.refuse(MISUSED, [*RUN, *arguments, "--out", "out", *more])
        self.refuse(MISUSED, [*RUN, *arguments])
        self.refuse(MISUSED, [*RUN, "--images", ".", "--out", "out"], "--landmarks")
        self.refuse(MISUSED, [*RUN, "--embeddings", "faces.npy", "--out", "out"], "--labels")

    def test_of_a_folder_where_an_input_would_be_replaced(self):
        self.write("landmarks.csv", "image,landmark,x,y\n")
        self.refuse(MISUSED, [*RUN, "--images", ".", "--landmarks", "landmarks.csv", "--out", "."],
                    "landmarks.csv")

    def test_come_before_the_work_where_the_folder_cannot_be_made(self):
        arguments = self.save_faces()
        self.refuse(FAILED, [*RUN, *arguments, "--out", "no/such/place"], "no/such")
        self.write("taken", "")
        self.refuse(MISUSED, [*RUN, *arguments, "--out", "taken"], "taken", "folder")


if __name__ == "__main__":
    unittest.main()
