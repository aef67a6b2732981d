"""The manifest of a result, and what `caos inspect` makes of it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import unittest

from support import PROGRAM, ProgramTest
from text_support import TextTest

MISUSED, FAILED = 2, 1
CALIBRATE = ["calibrate", "--labeled", "example/labeled.npy", "--labels", "example/labels.npy"]
EVALUATE = ["evaluate", *CALIBRATE[1:], "--test", "example/test.npy", "--test-labels",
            "example/test-labels.npy", "--quiet"]
MODEL = ["--out", "model.caos", "--manifest", "model.caos.manifest.json"]


class ManifestTest(ProgramTest):
    def manifest(self, name):
        return json.loads((self.folder / name).read_text())

    def check_hashes(self, entries):
        """Every entry with a hash tells what the file holds; returns the paths."""
        for entry in entries:
            if "sha256" in entry and entry["path"] != "-":
                content = (self.folder / entry["path"]).read_bytes()
                self.assertEqual(entry["bytes"], len(content), entry)
                self.assertEqual(entry["sha256"], hashlib.sha256(content).hexdigest(), entry)
        return [entry["path"] for entry in entries]

    def inspect(self, name, code=0):
        """What `inspect --json` finds, the states of the files by their path, and what it says."""
        run = self.run_caos("inspect", name, "--json")
        self.assertEqual(run.code, code, run.err)
        found = json.loads(run.out)
        states = {entry["path"]: entry["state"]
                  for entry in [*found["outputs"], *found["inputs"]]}
        return found, states, run.err


class OfScores(ManifestTest):
    def setUp(self):
        super().setUp()
        self.succeed("generate", "--out", "example", "--n", 20, "--num-test", 9, "--num-labels", 5,
                     "--manifest", "example/manifest.json")

    def test_tells_with_what_and_from_what(self):
        self.succeed(*CALIBRATE, "--k", 2, *MODEL)
        found = self.manifest("model.caos.manifest.json")
        self.assertEqual((found["kind"], found["format"], found["command"], found["verb"]),
                         ("caos manifest", 1, "calibrate", "calibrate"))
        self.assertRegex(found["program"], r"\Acaos \d+\.\d+\.\d+\Z")
        self.assertEqual(self.check_hashes(found["inputs"]),
                         ["example/labeled.npy", "example/labels.npy"])
        self.assertEqual(self.check_hashes(found["outputs"]), ["model.caos", "-"])
        self.assertEqual(found["options"], {
            "--labeled": "example/labeled.npy", "--labels": "example/labels.npy",
            "--calibration": None, "--groups": None, "--k": "2", "--output": "model.caos",
            "--threads": "0", "--json": False, "--quiet": False})
        self.assertIn(found["kernels"], self.output("--version"))
        self.assertIn("byte for byte", found["same_bytes"])
        self.assertIn("sets that are predicted", found["guarantee"])
        self.assertIsNone(found["backbone"])
        self.assertEqual(found["runtimes"], {})

    def test_may_be_in_the_folder_of_the_result_and_has_the_seed(self):
        found = self.manifest("example/manifest.json")
        self.assertEqual(found["seed"], "0")
        self.assertEqual(len(self.check_hashes(found["outputs"])), 4 + 1)  # and what is printed
        self.assertEqual(found["inputs"], [])
        self.assertIsNone(found["guarantee"])

    def test_of_the_same_run_is_the_same(self):
        self.succeed(*CALIBRATE, *MODEL)
        first = self.files()
        self.succeed(*CALIBRATE, *MODEL)
        self.assertEqual(self.files(), first)
        self.assertNotIn(str(self.folder).encode(), first["model.caos.manifest.json"])

    def test_lists_every_file_of_the_run(self):
        files = ["--per-example", "rows.csv", "--report", "page.html"]
        self.succeed(*EVALUATE, *files, "--manifest", "rows.csv.manifest.json")
        self.succeed(*EVALUATE, *files, "--manifest", "page.html.manifest.json")
        rows = self.manifest("rows.csv.manifest.json")
        page = self.manifest("page.html.manifest.json")
        self.assertEqual(self.check_hashes(rows["outputs"]), ["rows.csv", "page.html", "-"])
        self.assertEqual(rows.pop("manifest"), "rows.csv.manifest.json")
        self.assertEqual(page.pop("manifest"), "page.html.manifest.json")
        self.assertEqual(rows, page)
        self.assertEqual(rows["options"]["--alpha"], "0.1")
        self.assertIn({"method": "caos", "alpha": "0.1", "guarantee": "marginal"},
                      rows["guarantee"])

    def test_of_what_is_printed_is_written_where_it_is_asked_for(self):
        self.succeed(*CALIBRATE, *MODEL)
        predict = ["predict", "model.caos", "--test", "example/test.npy", "--alpha", "0.1"]
        before = self.files()
        self.succeed(*predict)
        self.assertEqual(self.files(), before)
        run = self.succeed(*predict, "--manifest", "sets.json")
        found = self.manifest("sets.json")
        self.assertEqual([(o["path"], o["sha256"]) for o in found["outputs"]],
                         [("-", hashlib.sha256(run.out.encode()).hexdigest())])
        self.assertIn("marginal", found["guarantee"])
        self.assertIn("exchangeable", found["assumption"])
        _, states, _ = self.inspect("sets.json")
        self.assertEqual(states, {"-": "not checked", "model.caos": "matches",
                                  "example/test.npy": "matches"})
        self.succeed("advise", "--n", 40, "--alpha", "0.1", "--manifest", "advice.json")
        self.assertEqual(self.manifest("advice.json")["options"]["--n"], "40")

    def test_is_written_only_on_request(self):
        before = self.files()
        for more in ([], ["--no-manifest"]):  # the former option still does no harm
            self.succeed(*CALIBRATE, "--out", "model.caos", *more)
            self.succeed(*EVALUATE, "--report", "page.html", *more)
            self.succeed("generate", "--out", "other", "--n", 6, *more)
            self.assertEqual([name for name in self.files().keys() - before.keys()
                              if "manifest" in name], [])
        self.assertNotIn("--no-manifest", self.output("calibrate", "--help"))
        self.succeed(*CALIBRATE, *MODEL, "--no-manifest")
        self.assertIn("model.caos.manifest.json", self.files())

    def test_replaces_nothing_that_is_read_or_written(self):
        for name in ("example/labels.npy", "model.caos"):
            self.refuse(MISUSED, [*CALIBRATE, "--out", "model.caos", "--manifest", name], name,
                        "another name")
        self.refuse(FAILED, [*CALIBRATE, "--out", "model.caos", "--manifest", "none/m.json"],
                    "none/m.json", "create")
        (self.folder / "model.caos.manifest.json").mkdir()
        self.refuse(FAILED, [*CALIBRATE, *MODEL], "model.caos.manifest.json", "directory")

    def test_of_standard_input_says_that_it_is_not_hashed(self):
        labels = (self.folder / "example/labels.npy").read_bytes()
        self.succeed(*CALIBRATE[:-1], "-", *MODEL, stdin=labels)
        found = self.manifest("model.caos.manifest.json")
        self.assertEqual(found["inputs"][1], {"path": "-", "note": "standard input, not hashed"})

    def test_of_a_device_says_that_it_is_not_hashed(self):
        before = self.files()
        self.succeed(*EVALUATE, "--per-example", "/dev/null", "--manifest", "e.json")
        self.assertEqual(self.files().keys(), before.keys() | {"e.json"})
        self.assertEqual(self.manifest("e.json")["outputs"][0],
                         {"path": "/dev/null", "note": "not a regular file, not hashed"})

    # inspect

    def test_is_checked(self):
        self.succeed(*CALIBRATE, *MODEL)
        name = "model.caos.manifest.json"
        found, states, said = self.inspect(name)
        self.assertEqual(states, {"model.caos": "matches", "-": "not checked",
                                  "example/labeled.npy": "matches",
                                  "example/labels.npy": "matches"})
        self.assertEqual((found["command"], said), ("calibrate", ""))
        text = self.output("inspect", name)
        for words in ("calibrate", "--k \"3\"", "matches      model.caos", "byte for byte"):
            self.assertIn(words, text)
        # Inputs may go their way; the result is what it was.
        (self.folder / "example/labels.npy").unlink()
        (self.folder / "example/labeled.npy").write_bytes(b"other")
        _, states, said = self.inspect(name)
        self.assertEqual(states["example/labels.npy"], "missing")
        self.assertEqual(states["example/labeled.npy"], "changed")
        self.assertIn("warning", said)
        self.assertIn("2 of its inputs", said)
        with (self.folder / "model.caos").open("ab") as file:
            file.write(b"x")
        _, states, said = self.inspect(name, code=FAILED)
        self.assertEqual(states["model.caos"], "changed")
        self.assertIn("1 changed, 0 missing", said)
        (self.folder / "model.caos").unlink()
        _, states, said = self.inspect(name, code=FAILED)
        self.assertEqual(states["model.caos"], "missing")

    def test_may_move_together_with_the_files(self):
        (self.folder / "run").mkdir()
        self.succeed(*CALIBRATE, "--out", "run/model.caos", "--manifest",
                     "run/model.caos.manifest.json")
        (self.folder / "far").mkdir()
        for name in ("run", "example"):
            shutil.move(self.folder / name, self.folder / "far" / name)
        _, states, _ = self.inspect("far/run/model.caos.manifest.json")
        self.assertEqual(states.pop("-"), "not checked")
        self.assertEqual(set(states.values()), {"matches"})

    def test_is_named_by_inspecting_the_model(self):
        self.succeed(*CALIBRATE, *MODEL)
        self.assertIn("model.caos.manifest.json has its provenance", self.output("inspect", "model.caos"))
        self.assertEqual(self.json("inspect", "model.caos")["manifest"], "model.caos.manifest.json")
        (self.folder / "model.caos.manifest.json").unlink()
        self.assertIsNone(self.json("inspect", "model.caos")["manifest"])

    def test_of_an_older_model_is_not_named(self):
        self.succeed(*CALIBRATE, "--k", 3, *MODEL)
        self.succeed(*CALIBRATE, "--k", 1, "--out", "model.caos")
        run = self.succeed("inspect", "model.caos", "--json")
        self.assertIsNone(json.loads(run.out)["manifest"])
        self.assertIn("model.caos.manifest.json: is of another version of model.caos", run.err)
        self.write("model.caos.manifest.json", "{}")
        self.assertIn("not a caos manifest", self.succeed("inspect", "model.caos").err)

    def test_is_shown_for_results_that_do_not_tell_themselves(self):
        folder = self.output("inspect", "example")
        self.assertIn("example/labeled.npy", folder)
        self.assertEqual(folder, self.output("inspect", "example/manifest.json"))
        self.succeed(*EVALUATE, "--report", "page.html", "--manifest", "page.html.manifest.json")
        beside = self.output("inspect", "page.html.manifest.json")
        self.assertEqual(self.output("inspect", "page.html"), beside)
        self.write("page.html", "another page")
        self.assertEqual(self.run_caos("inspect", "page.html").code, FAILED)
        self.write("own.csv", "a,b,c\n1,2,3\n")
        self.refuse(FAILED, ["inspect", "own.csv"], "own.csv: not a .caos file")
        (self.folder / "own").mkdir()
        self.refuse(FAILED, ["inspect", "own"], "own: is a directory")

    def test_elsewhere_does_not_take_others_for_its_files(self):
        work = self.folder / "work"
        work.mkdir()
        (self.folder / "meta").mkdir()
        arguments = [word.replace("example/", "../example/") for word in CALIBRATE]
        home, self.folder = self.folder, work
        self.succeed(*arguments, "--out", "model.caos", "--manifest", "../meta/run.json")
        (home / "meta" / "model.caos").write_text("another model")
        self.assertEqual(self.inspect("../meta/run.json")[1]["model.caos"], "matches")

    def test_that_is_none_is_refused(self):
        good = {"kind": "caos manifest", "format": 1, "manifest": "m.json", "inputs": [],
                "outputs": []}
        self.write("m.json", json.dumps(good))
        self.succeed("inspect", "m.json")
        for bad in ("{", "{}", "{\"kind\": \"other\"}", "[" * 99, "{\"a\":" * 99,
                    json.dumps({**good, "format": 2}), json.dumps({**good, "inputs": 3}),
                    json.dumps({**good, "inputs": [3]}), json.dumps({**good, "manifest": None}),
                    json.dumps({**good, "outputs": [{"path": 1}]}),
                    json.dumps({**good, "outputs": [{}]})):
            self.write("m.json", bad)
            self.refuse(FAILED, ["inspect", "m.json"], "m.json")

    def test_of_a_stranger_moves_no_terminal_and_opens_no_pipe(self):
        strange = {"kind": "caos manifest", "format": 1, "manifest": "m.json", "verb": "\x1b[2Kx\x9b2J\x7f",
                   "inputs": [{"path": "/dev/zero", "sha256": "0", "bytes": 1},
                              {"path": "\x1b]0;y", "sha256": 4, "bytes": "z"}],
                   "outputs": [], "options": [1], "guarantee": [[1], {"a": {"b": 2}}],
                   "backbone": {"name": 3}, "same_bytes": 9}
        self.write("m.json", json.dumps(strange))
        run = self.succeed("inspect", "m.json")
        printed = run.out + run.err + self.output("inspect", "m.json", "--json")
        self.assertRegex(printed, r"\A[\n -~]*\Z")
        self.assertIn("missing      /dev/zero", run.out)


class OfImages(ManifestTest):
    def test_lists_images_backbone_and_drawings(self):
        self.succeed("landmarks", "draw", "--out", "faces", "--n", 8, "--new", 2, "--manifest",
                     "faces/manifest.json")
        self.assertEqual(len(self.check_hashes(self.manifest("faces/manifest.json")["outputs"])),
                         8 + 2 + 4 + 1)  # and what is printed
        self.succeed("landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "faces/labeled.csv", "--out", "faces/model.caos", "--k", 2, "--manifest",
                     "faces/model.caos.manifest.json")
        found = self.manifest("faces/model.caos.manifest.json")
        paths = self.check_hashes(found["inputs"])
        self.assertEqual(len(paths), 9)
        self.assertIn("faces/labeled/face_0003.jpg", paths)
        self.assertEqual(found["backbone"]["name"], "builtin-2")
        self.succeed("landmarks", "predict", "faces/model.caos", "faces/new", "--alpha", "0.3",
                     "--out", "regions.json", "--overlay", "drawn", "--manifest",
                     "regions.json.manifest.json")
        found = self.manifest("regions.json.manifest.json")
        self.assertEqual(self.check_hashes(found["inputs"]),
                         ["faces/model.caos", "faces/new/face_0008.jpg", "faces/new/face_0009.jpg"])
        self.assertEqual(len(self.check_hashes(found["outputs"])), 3 + 2)
        self.assertIn("marginal", found["guarantee"])
        self.succeed("landmarks", "embed", "faces/new", "--out", "e.npy", "--names", "e.csv",
                     "--manifest", "e.npy.manifest.json")
        found = self.manifest("e.npy.manifest.json")
        self.assertEqual(self.check_hashes(found["outputs"]), ["e.npy", "e.csv", "-"])
        self.assertIn("e.npy.manifest.json has its provenance", self.output("inspect", "e.npy"))
        self.succeed("landmarks", "convert", "faces/new.csv", "points", "--to", "pts", "--manifest",
                     "points/manifest.json")
        found = self.manifest("points/manifest.json")
        self.assertEqual(self.check_hashes(found["outputs"]),
                         ["points/face_0008.pts", "points/face_0009.pts", "-"])
        # The folder is read again as a folder of landmarks.
        self.succeed("landmarks", "convert", "points", "again.csv", "--image-extension", ".jpg",
                     "--manifest", "again.csv.manifest.json")
        self.assertEqual(len(self.manifest("again.csv.manifest.json")["inputs"]), 2)

    def test_notes_images_that_were_changed_before_the_end(self):
        """They are known only once they were read, so that their time at the start is not."""
        self.succeed("landmarks", "draw", "--out", "faces", "--n", 8, "--new", 1)
        points = (self.folder / "faces/labeled.csv").read_bytes()
        os.mkfifo(self.folder / "points.csv")
        process = subprocess.Popen(
            [PROGRAM, "landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
             "points.csv", "--k", "2", "--no-cache", *MODEL], cwd=self.folder,
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with open(self.folder / "points.csv", "wb") as pipe:  # opens when the program has begun
            image = self.folder / "faces/labeled/face_0003.jpg"
            time.sleep(0.02)  # the clock of files has steps of some milliseconds
            image.write_bytes(image.read_bytes())
            pipe.write(points)
        _, said = process.communicate()
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("face_0003.jpg", said)
        notes = {one["path"]: one["note"] for one in self.manifest("model.caos.manifest.json")["inputs"]
                 if "note" in one}
        self.assertEqual(notes.keys(), {"points.csv", "faces/labeled/face_0003.jpg"})
        self.assertIn("changed during the run", notes["faces/labeled/face_0003.jpg"])

    def test_of_an_experiment_lies_in_its_folder(self):
        self.succeed("landmarks", "draw", "--out", "faces", "--n", 8, "--new", 6)
        self.succeed("experiment", "landmarks", "--images", "faces", "--landmarks",
                     "faces/all.csv", "--split", "faces/split.csv", "--k", 2, "--landmark-step", 9,
                     "--out", "report", "--quiet")
        found = self.manifest("report/manifest.json")
        self.assertIn("report/report.html", self.check_hashes(found["outputs"]))
        self.assertEqual(len(self.check_hashes(found["inputs"])), 14 + 2)
        self.assertEqual(set(self.inspect("report/manifest.json")[1].values()), {"matches"})


class OfTexts(TextTest, ManifestTest):
    def test_names_table_task_and_model(self):
        self.calibrate(*MODEL[2:])
        found = self.manifest("model.caos.manifest.json")
        self.assertEqual(self.check_hashes(found["inputs"]), ["train.csv", "task.json"])
        self.assertEqual(found["language_model"]["name"], "builtin")
        self.succeed("text", "predict", "model.caos", "new.csv", "--out", "sets.csv", "--alpha",
                     "0.1,0.2", "--manifest", "sets.csv.manifest.json")
        found = self.manifest("sets.csv.manifest.json")
        self.assertEqual(self.check_hashes(found["inputs"]), ["model.caos", "new.csv"])
        self.assertEqual([one["alpha"] for one in found["guarantee"]], ["0.1", "0.2"])
        self.succeed("text", "score", "--train", "train.csv", "--out", "scores", "--manifest",
                     "scores/manifest.json")
        found = self.manifest("scores/manifest.json")
        self.assertIn("later runs add to", found["outputs"][0]["note"])
        self.succeed("text", "evaluate", "--train", "train.csv", "--manifest", "e.json", "--k", 2)
        self.assertIn("--methods", self.manifest("e.json")["options"])

    def test_says_that_a_program_is_outside_of_the_guarantee(self):
        self.write("model.py", """
import json, sys
labels = json.loads(sys.stdin.readline())["labels"]
print(json.dumps({"name": "even", "version": "1"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "log_likelihoods": [-1.5 for _ in labels]}),
          flush=True)
""")
        self.calibrate("--model", f"command:{sys.executable} model.py", *MODEL[2:])
        found = self.manifest("model.caos.manifest.json")
        self.assertEqual(found["runtimes"], {"command": "another program"})
        self.assertIn("another program computes them", found["same_bytes"])


if __name__ == "__main__":
    unittest.main()
