"""A process that dies ends all of them, with a nonzero exit code and nothing half-written."""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from fault_support import (MPI_COMMAND, MPI_ENVIRONMENT, PATIENCE, PROGRAM, ROUNDS, FacesTest,
                           TextTest, csv_text, end, kills, synthetic_texts, tried)

COUNT = 3


def processes_of(launcher):
    """The processes of the program below the launcher, in their order."""
    found = subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True,
                           check=False).stdout.split()
    name = os.path.basename(os.path.realpath(PROGRAM))
    return [int(pid) for pid in found if Path(f"/proc/{pid}/comm").exists()
            and Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == name[:15]]


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")",
                                                                            1)[1].split()[0] != "Z"
    except OSError:
        return False


class DyingProcesses:
    """For tests of the program on several processes."""

    kills = 2

    def setUp(self):
        super().setUp()
        if not MPI_COMMAND[0] or shutil.which("pgrep") is None:
            self.skipTest("NOT TESTED: mpirun or pgrep not found; run tools/setup")
        if "without MPI" in self.output("--version"):
            self.skipTest("NOT TESTED: this caos is without MPI")
        self.environment = self.environment | MPI_ENVIRONMENT

    def launch(self, *arguments):
        launcher = subprocess.Popen([*MPI_COMMAND, "-n", str(COUNT), PROGRAM, *map(str, arguments)],
                                    cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(end, launcher)
        return launcher

    def kill_one(self, fault, out, *arguments):
        began = time.monotonic()
        launcher = self.launch(*arguments)
        _, errors = launcher.communicate(timeout=120 * PATIENCE)
        duration = time.monotonic() - began
        self.assertEqual(launcher.returncode, 0, errors.decode())
        before = self.files()
        chance = random.Random(fault)
        killed = number = 0
        while number < self.kills * ROUNDS or (killed == 0 and number < 10):
            self.forget()
            if out:
                (self.folder / out).write_bytes(b"old")
            launcher = self.launch(*arguments)
            while launcher.poll() is None and len(processes_of(launcher)) < COUNT:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.3) * duration)
            processes = processes_of(launcher)
            if len(processes) == COUNT:
                os.kill(processes[number % COUNT], signal.SIGKILL)
            launcher.communicate(timeout=60 * PATIENCE)
            died = launcher.returncode != 0
            killed += died
            number += 1
            half = out and self.files()[out] not in (b"old", before[out])
            tried(f"a process dies: {fault}", refused=died, half=bool(half))
            self.assertFalse(half)
            self.wait_for_all(processes)
            self.check_left()
        self.assertGreater(killed, 0, "no process was killed in time")
        launcher = self.launch(*arguments)
        _, errors = launcher.communicate(timeout=120 * PATIENCE)
        self.assertEqual(launcher.returncode, 0, errors.decode())
        if out:
            self.assertEqual(self.files()[out], before[out])

    def wait_for_all(self, processes):
        """The launcher ends the others, and does not wait for their end."""
        deadline = time.monotonic() + 20
        while any(is_alive(pid) for pid in processes):
            self.assertLess(time.monotonic(), deadline, "a process goes on without the others")
            time.sleep(0.02)

    def forget(self):
        """What a run would find done already."""

    def check_left(self):
        """What else may be wrong."""


class Faces(DyingProcesses, FacesTest):
    n = 16
    num_new = 24

    def test_predictions(self):
        self.calibrate()
        self.kill_one("landmarks predict", "regions.json", "landmarks", "predict", "model.caos",
                        "faces/new", "--no-cache", "--out", "regions.json")

    def test_evaluations(self):
        self.kill_one("landmarks evaluate", "sets.npy", "landmarks", "evaluate", "--images",
                        "faces/labeled", "--landmarks", "faces/labeled.csv", "--no-cache", "--sets",
                        "sets.npy")


class Texts(DyingProcesses, TextTest):
    def test_score_stores(self):
        self.write("train.csv", csv_text(["text", "label"], synthetic_texts(120, seed=4)))
        score = ["text", "score", "--train", "train.csv", "--out", "store"]
        self.succeed(*score)
        self.expected = kills.pairs(kills.contents(self.folder / "store"))
        self.forget()
        self.kill_one("text score", "", *score)

    def forget(self):
        shutil.rmtree(self.folder / "store", ignore_errors=True)

    def check_left(self):
        self.assertLessEqual(kills.pairs(kills.contents(self.folder / "store")), self.expected)


if __name__ == "__main__":
    unittest.main()
