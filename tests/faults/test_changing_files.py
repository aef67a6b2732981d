"""Files that become shorter, or other, while the program looks at them."""

import json
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

import numpy as np

from fault_support import (ROUNDS, Disturbed, FacesTest, TaskTest, TextTest, csv_text, finish,
                           synthetic_texts, maps, random_task, start, stop_when, studio, tried)

TINY_GGUF = os.environ.get("CAOS_TINY_GGUF", "")


class Changing(Disturbed):
    """For tests of the program."""

    def disturb(self, name, change, *arguments):
        """Changes a file as soon as the program has mapped it."""
        before = set(self.files())
        for _ in range(10):  # a busy machine may look too late
            process = start(self, *arguments)
            if stop_when(process, lambda: maps(process.pid, name)):
                change()
                process.send_signal(signal.SIGCONT)
                return finish(process)
            missed = finish(process)
            for written in set(self.files()) - before:
                (self.folder / written).unlink()
        self.fail(f"it never mapped {name}, or was too fast: {missed}")


class Arrays(Changing, TaskTest):
    num_inputs = 6000

    def setUp(self):
        super().setUp()
        self.task = random_task(2, n=50, num_labels=40, m=6, k=2)
        self.save_all(self.task)
        self.calibrate(self.task)
        rng = np.random.default_rng(1)
        np.save(self.folder / "big.npy", rng.random((self.num_inputs, 40, 50)))
        np.save(self.folder / "truth.npy", rng.integers(40, size=self.num_inputs))
        self.before = set(self.files())

    def commands(self):
        return (["predict", "model.caos", "--test", "big.npy", "--alpha", "0.2", "--json"],
                ["evaluate", *self.save_labeled(self.task), "--k", 2, "--test", "big.npy",
                 "--test-labels", "truth.npy", "--methods", "caos", "--report", "page.html"])

    def test_that_become_shorter_end_the_program_with_their_name(self):
        size = (self.folder / "big.npy").stat().st_size
        for _ in range(ROUNDS):
            for arguments in self.commands():
                for _ in range(10):  # until it is halted before it has read all
                    run = self.disturb("/big.npy", lambda: os.truncate(self.folder / "big.npy", 4096),
                                       *arguments)
                    if run.code != 0:
                        break
                    os.truncate(self.folder / "big.npy", size)
                    for written in set(self.files()) - self.before:
                        (self.folder / written).unlink()
                tried("array becomes shorter", refused=run.code != 0,
                      half=len(set(self.files()) - self.before))
                self.check_failure(run, f"{self.folder}/big.npy: became shorter", "run again")
                self.assertEqual(run.out, "")
                self.assertEqual(set(self.files()), self.before)
                os.truncate(self.folder / "big.npy", size)

    def test_that_change_give_no_result(self):
        def change():
            with open(self.folder / "big.npy", "r+b") as stream:
                stream.seek(-8, os.SEEK_END)
                stream.write(np.float64(0.125).tobytes())

        for _ in range(ROUNDS):
            for arguments in self.commands():
                run = self.disturb("/big.npy", change, *arguments)
                tried("array changes", refused=run.code != 0,
                      half=len(set(self.files()) - self.before))
                self.check_failure(run, "big.npy: changed while it was being read", "run again")
                self.assertEqual(set(self.files()), self.before)

    def test_that_are_replaced_or_removed_change_nothing(self):
        arguments = self.commands()[0]
        expected = self.output(*arguments)
        other = self.folder / "other.npy"
        np.save(other, np.zeros((3, 40, 50)))
        shutil.copy(self.folder / "big.npy", self.folder / "kept.npy")
        for change in (lambda: other.rename(self.folder / "big.npy"),
                       lambda: (self.folder / "big.npy").unlink()):
            run = self.disturb("/big.npy", change, *arguments)
            shutil.copy(self.folder / "kept.npy", self.folder / "big.npy")
            tried("array is replaced or removed")
            self.assertEqual((run.code, run.out), (0, expected), run.err)


class Embeddings(Changing, FacesTest):
    n = 20
    num_new = 3

    def test_that_change_give_no_result(self):
        """Rows of a file are used one by one, so it is looked at again for each."""
        self.landmarks("embed", "faces/labeled", "--out", "e.npy")

        def change():
            os.utime(self.folder / "e.npy", (1, 1))

        for _ in range(10):  # until it is halted before the last row
            run = self.disturb("/e.npy", change, "landmarks", "calibrate", "--images",
                               "faces/labeled", "--landmarks", "faces/labeled.csv", "--backbone",
                               "embeddings:e.npy", "--out", "model.caos")
            if run.code != 0:
                break
            (self.folder / "model.caos").unlink()
            os.utime(self.folder / "e.npy")
        tried("array changes", refused=run.code != 0, half="model.caos" in self.files())
        self.check_failure(run, "e.npy: changed while it was being read")
        self.assertNotIn("warning", run.err)  # not one image is to blame, but the run
        self.assertNotIn("model.caos", self.files())


class ModelWeights(Changing, TextTest):
    def test_that_become_shorter_end_the_program_with_their_name(self):
        version = self.output("--version")
        if not TINY_GGUF or "without llama.cpp" in version:
            self.skipTest("NOT TESTED: this caos is without llama.cpp")
        subprocess.run([TINY_GGUF, self.folder / "tiny.gguf"], check=True,
                       stdout=subprocess.DEVNULL)
        self.write("train.csv", csv_text(["text", "label"], synthetic_texts(60, seed=4)))
        run = self.disturb("/tiny.gguf", lambda: os.truncate(self.folder / "tiny.gguf", 64), "text",
                           "calibrate", "--train", "train.csv", "--model", "llama:tiny.gguf",
                           "--out",
                           "model.caos")
        tried("weights become shorter", refused=run.code != 0, half="model.caos" in self.files())
        self.check_failure(run, "tiny.gguf")
        self.assertNotIn("model.caos", self.files())


class Images(Changing, FacesTest):
    n = 10
    num_new = 12

    def test_that_become_shorter_while_others_are_done_are_failed_images(self):
        """They are read, not mapped: each gives the regions that it had, or a broken file's name."""
        self.calibrate()
        predict = ["landmarks", "predict", "model.caos", "faces/new", "--alpha", "0.2", "--out",
                   "r.json", "--no-cache", "--threads", 1]
        self.succeed(*predict)
        regions = {one["image"]: one for one in self.regions()["images"]}
        files = sorted((self.folder / "faces/new").iterdir())
        contents = {path: path.read_bytes() for path in files}
        for number in range(4 * ROUNDS):
            process = start(self, *predict)
            stop_when(process, lambda: Path(f"/proc/{process.pid}/task").exists())
            process.send_signal(signal.SIGCONT)
            for path in reversed(files[4:]):
                os.truncate(path, (100, len(contents[path]) // 2)[number % 2])
            run = finish(process)
            found = self.regions()
            other = [one for one in found["images"] if one != regions[one["image"]]]
            tried("images become shorter", refused=found["failed"] != [], half=len(other))
            self.assertEqual(run.code, 0, run.err)
            self.assertEqual(other, [])
            self.assertEqual(len(found["images"]) + len(found["failed"]), len(files))
            for path, content in contents.items():
                path.write_bytes(content)

    def regions(self):
        return json.loads((self.folder / "r.json").read_text())

    def test_models_that_change_are_noticed_by_their_checksum(self):
        self.calibrate()
        content = bytearray((self.folder / "model.caos").read_bytes())
        content[-5] ^= 1
        (self.folder / "model.caos").write_bytes(content)
        tried("model changes", refused=1)
        self.refuse(1, ["landmarks", "predict", "model.caos", "faces/new", "--out", "r.json"],
                    "model.caos", "checksum")


class Studio(studio.StudioTest):
    def test_survives_images_that_become_shorter(self):
        project = self.new_project()
        image = self.add_image(project, width=900, height=900)
        stored = next(path for path in (self.folder / "data/images").rglob("*") if path.is_file())
        self.client.request("GET", f"/v1/projects/{project}/images/{image}/thumbnail")
        shutil.rmtree(self.folder / "data/cache", ignore_errors=True)
        self.assertEqual(self.server.stop(), 0)
        os.chmod(stored, 0o644)
        os.truncate(stored, 100)
        self.server = self.start()
        self.client = self.new_client()
        for what in ("thumbnail", "preview", "tiles/0/0", "patch?x=5&y=5&radius=4"):
            answer = self.client.request("GET", f"/v1/projects/{project}/images/{image}/{what}")
            tried("studio: image becomes shorter", refused=answer.status != 200)
            self.assertGreaterEqual(answer.status, 400, answer.body[:100])
        self.assertEqual(self.client.get("/v1/health")["status"], "ok")
        self.add_image(project, "b.png", seed=3)


if __name__ == "__main__":
    unittest.main()
