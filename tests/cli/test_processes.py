"""Several processes side by side: text score, commands that run alone, and starts that go wrong."""

import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from landmark_support import FacesTest
from processes_support import COMMAND, ENVIRONMENT, OnProcesses, without_mpi
from support import PATIENCE, PROGRAM, ProgramTest
from text_support import TextTest, csv_text, synthetic_texts

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import kills  # noqa: E402

SCORE = ["text", "score", "--train", "train.csv", "--out", "scores"]

# A model that fails on one text, and is slow enough that every process gets some.
PICKY = """
import json, sys, time
start = json.loads(sys.stdin.readline())
print(json.dumps({"name": "picky", "version": "1"}), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    time.sleep(0.002)
    if "unspeakable" in ask["text"]:
        sys.exit(3)
    values = [-1.0 - len(ask["text"]) % 7 - y for y in range(len(start["labels"]))]
    print(json.dumps({"id": ask["id"], "log_likelihoods": values}), flush=True)
"""


class TextScore(OnProcesses, TextTest):
    def setUp(self):
        super().setUp()
        self.train = synthetic_texts(45, seed=3)
        self.write("train.csv", csv_text(["text", "label"], self.train))

    def score(self, run, *more):
        """What is printed, and what is in the store afterwards."""
        done = run(*SCORE, *more)
        self.assertEqual(done.code, 0, done.err)
        said = re.sub(r"(?m)^  time .*\n", "", done.out)
        self.assertNotEqual(said, done.out)
        return said, done.err, kills.contents(self.folder / "scores")

    def same(self, *more):
        found = []
        for run in (self.run_caos, self.run_processes):
            shutil.rmtree(self.folder / "scores", ignore_errors=True)
            found.append([self.score(run, *more), self.score(run, *more)])
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0][0][2], found[0][1][2])
        return found[0]

    def test_says_the_same_and_fills_the_store_with_the_same(self):
        for more in ([], ["--normalization", "pmi"], ["--threads", 2]):
            (text, _, content), (again, _, _) = self.same(*more)
            self.assertRegex(text, r"found in the store +0\n")
            self.assertRegex(again, r"computed +0\n")
            self.assertGreater(len(kills.pairs(content)), 1800)

    def test_asks_a_model_of_the_user_on_every_process(self):
        self.write("picky.py", PICKY)
        self.same("--model", f"command:{sys.executable} picky.py", "--threads", 1)

    def test_goes_on_where_a_run_stopped(self):
        self.write("some.csv", csv_text(["text", "label"], self.train[:20]))
        outputs = []
        for run in (self.run_caos, self.run_processes):
            shutil.rmtree(self.folder / "scores", ignore_errors=True)
            self.succeed("text", "score", "--train", "some.csv", "--out", "scores")
            outputs.append(self.score(run))
        self.assertEqual(outputs[0], outputs[1])
        self.assertRegex(outputs[0][0], r"found in the store +380\n")

    def test_that_fails_keeps_what_was_finished(self):
        self.write("picky.py", PICKY)
        rows = [*self.train[:40], ("unspeakable", "praise"), *self.train[40:]]
        self.write("train.csv", csv_text(["text", "label"], rows))
        run = self.run_processes(*SCORE, "--model", f"command:{sys.executable} picky.py",
                             "--threads", 1)
        self.assertEqual(run.code, 1, run.err)
        self.assertEqual(run.out, "")
        self.assertEqual(sum(line.startswith("caos: ") for line in run.err.splitlines()), 1, run.err)
        self.assertIn("ended", run.err)
        left = {name for name in self.files() if not name.startswith("scores/scores-")}
        self.assertEqual(left, {"train.csv", "new.csv", "task.json", "picky.py"})

    def test_looks_and_does_nothing_when_dry(self):
        run = self.run_processes(*SCORE, "--dry-run", "--json")
        self.assertEqual(run.code, 0, run.err)
        self.assertIn('"pairs": 1980', run.out)
        self.assertFalse((self.folder / "scores").exists())

    def test_reads_the_table_on_the_first_process_alone(self):
        self.write("task.json", '{"labels": ["praise", "complaint", "question"]}')
        arguments = [*SCORE, "--labels-from", "task.json"]
        arguments[arguments.index("train.csv")] = "-"
        table = (self.folder / "train.csv").read_bytes()
        (self.folder / "train.csv").unlink()
        run = self.run_processes(*arguments, stdin=table)
        self.assertEqual(run.code, 0, run.err)
        self.assertRegex(run.out, r"computed +1980\n")

    def test_fails_alike(self):
        self.fail_alike(1, ["text", "score", "--train", "none.csv", "--out", "scores"], "none.csv")
        self.fail_alike(2, [*SCORE, "--model", "gpt"], "--model gpt")

    def test_ends_where_a_process_has_another_model(self):
        self.write("one.py", PICKY)
        self.write("two.py", PICKY.replace('"picky"', '"other"'))
        first, other = ([*SCORE, "--model", f"command:{sys.executable} {file}"]
                        for file in ("one.py", "two.py"))
        run = self.run_processes(*first, others=other)
        self.assertEqual(run.code, 2, run.err)
        self.assertIn("process 3 on ", run.err)
        self.assertIn("for the first process", run.err)


class OtherCommands(OnProcesses, ProgramTest):
    def test_refuse_to_run_several_times(self):
        for command in (["generate", "--out", "example"], ["advise", "--n", 40, "--alpha", "0.1"],
                     ["landmarks", "draw", "--out", "faces"]):
            self.fail_on_processes(2, command, "runs in one process, and 4 were started together",
                               "landmarks predict, landmarks evaluate, text score")

    def test_help_and_version_are_printed_once(self):
        for arguments in (["--version"], ["--help"], ["landmarks", "predict", "--help"]):
            run = self.run_processes(*arguments)
            self.assertEqual((run.code, run.out), (0, self.output(*arguments)), run.err)

    def test_what_cannot_be_understood_is_said_once(self):
        for arguments in (["bogus"], ["landmarks", "predict"]):
            self.fail_alike(2, arguments)

    def test_the_short_help_of_no_command_is_printed_once(self):
        alone, run = self.run_caos(), self.run_processes()
        self.assertEqual((run.code, run.out), (2, ""), run.err)
        self.assertEqual((alone.code, alone.out), (2, ""))
        self.assertIn(alone.err, run.err)
        self.assertEqual(run.err.count("Usage: caos"), 1)

    def test_a_process_that_is_misused_alone_speaks_for_itself(self):
        self.write("model.caos", "")
        (self.folder / "faces").mkdir(exist_ok=True)
        arguments = ["landmarks", "predict", "model.caos", "faces", "--out", "regions.json"]
        self.fail_on_processes(2, arguments, "--bogus", others=[*arguments, "--bogus"])


class Starts(ProgramTest):
    """By something that sets the environment of MPI, but is not the MPI of this program: it has
    another, or none at all."""

    def start(self, process, *arguments):
        self.environment |= ENVIRONMENT | {"PMI_RANK": str(process), "PMI_SIZE": "3"}
        return self.run_caos(*arguments)

    def test_that_would_do_the_work_several_times_are_refused_by_the_first_at_once(self):
        self.write("train.csv", "")
        arguments = ["text", "score", "--train", "train.csv", "--out", "scores"]
        first = self.start(0, *arguments)
        self.assertEqual(first.code, 1)
        said = "built without MPI" if without_mpi() else "3 processes were started together"
        self.assertIn(said, first.err)
        began = time.monotonic()
        other = self.start(1, *arguments)
        self.assertEqual((other.code, other.out, other.err), (1, "", first.err))
        # Who started them has long ended this one, as the first has failed.
        self.assertGreater(time.monotonic() - began, 1)


class Slurm(OnProcesses, FacesTest):
    script = ROOT / "examples" / "slurm" / "landmarks.sbatch"

    def batch(self, *arguments):
        """Runs the script where `srun` is mpirun, and the program is in the path."""
        folder = self.new_folder()
        words = " ".join([*COMMAND, "-n", "3"])
        (folder / "srun").write_text(
            "#!/bin/sh\nwhile [ \"${1#--}\" != \"$1\" ]; do echo \"$1\" >>srun.txt; shift; done\n"
            f"exec {words} \"$@\"\n")
        (folder / "srun").chmod(0o755)
        (folder / "caos").symlink_to(PROGRAM)
        environment = self.environment | {
            "PATH": f"{folder}:{os.environ['PATH']}", "SLURM_CPUS_PER_TASK": "1"}
        return subprocess.run(["bash", str(self.script), *arguments], cwd=self.folder,
                              env=environment, capture_output=True, timeout=120 * PATIENCE, check=False)

    def test_script_is_one_that_bash_understands(self):
        subprocess.run(["bash", "-n", str(self.script)], check=True)

    def test_script_predicts_what_one_process_does(self):
        self.calibrate()
        self.predict("--alpha", "0.2", out="alone.json")
        done = self.batch("model.caos", "faces/new", "shared.json", "--alpha", "0.2")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual((self.folder / "shared.json").read_bytes(),
                         (self.folder / "alone.json").read_bytes())
        options = (self.folder / "srun.txt").read_text().split()
        self.assertEqual(options, ["--mpi=pmix", "--cpus-per-task=1", "--kill-on-bad-exit=1"])

    def test_script_says_what_it_needs(self):
        done = self.batch("model.caos")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"usage: sbatch", done.stderr)


if __name__ == "__main__":
    unittest.main()
