"""landmarks predict and evaluate on several processes: the same bytes as from one process."""

import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import numpy as np

from landmark_support import FacesTest, random_split
from processes_support import OnProcesses
from support import PATIENCE, PROGRAM, ProgramTest

EVALUATE = ["landmarks", "evaluate"]


class Predict(OnProcesses, FacesTest):
    num_new = 7

    def setUp(self):
        super().setUp()
        self.calibrate("--no-cache")

    def arguments(self, *more, out="regions.json"):
        return ["landmarks", "predict", "model.caos", "faces/new", "--out", out, "--threads", 1,
                "--no-cache", "--manifest", f"{out}.manifest.json", *more]

    def new_images(self):
        return sorted((self.folder / "faces/new").glob("*.jpg"))

    def test_writes_and_says_the_same(self):
        for more in (["--json"], ["--method", "full-caos"], ["--simultaneous", "--scale", "0.25"]):
            _, out, _, files = self.same_on_processes(*self.arguments(*more))
            self.assertEqual(sorted(files), ["regions.json", "regions.json.manifest.json"])
            self.assertIn("7", out)
        _, _, _, files = self.same_on_processes(*self.arguments(out="regions.csv"))
        self.assertEqual(sorted(files), ["regions.csv", "regions.csv.manifest.json"])

    def test_with_cells_writes_and_says_the_same(self):
        self.calibrate("--no-cache", "--score", "geometry")
        for more in (["--json", "--scale", "0.25"], ["--simultaneous"]):
            _, out, _, files = self.same_on_processes(*self.arguments(*more))
            self.assertEqual(sorted(files), ["regions.json", "regions.json.manifest.json"])
            self.assertIn("7", out)

    def test_draws_the_same(self):
        _, _, _, files = self.same_on_processes(*self.arguments("--overlay", "drawn"))
        self.assertEqual(len(files), 3 + self.num_new)  # regions, their manifest and the contact sheet

    def test_leaves_out_the_same_images(self):
        images = self.new_images()
        images[1].write_bytes(images[1].read_bytes()[:300])
        images[-2].write_bytes(b"")
        _, out, err, _ = self.same_on_processes(*self.arguments())
        self.assertIn("could not be used: 2", out)
        self.assertIn(images[-2].name, err)

    def test_takes_scales_and_a_model_that_only_the_first_process_reads(self):
        rows = [{"image": path.name, "landmark": "a", "x": 1, "y": 1, "scale": 0.1 + i}
                for i, path in enumerate(self.new_images())]
        self.write_rows("scales.csv", rows)
        self.same_on_processes(*self.arguments("--scales", "scales.csv"))
        arguments = ["-" if word == "model.caos" else word for word in self.arguments()]
        self.same_on_processes(*arguments, stdin=(self.folder / "model.caos").read_bytes())

    def test_takes_embeddings_from_a_file(self):
        self.embedded("faces/labeled")
        shutil.move(self.folder / "embedded.npy", self.folder / "labeled.npy")
        self.calibrate("--backbone", "embeddings:labeled.npy")
        self.embedded("faces/new")
        self.same_on_processes(*self.arguments("--backbone", "embeddings:embedded.npy"))

    def test_has_fewer_images_than_processes(self):
        for path in self.new_images()[1:]:
            path.unlink()
        self.same_on_processes(*self.arguments())

    def test_fails_alike(self):
        self.fail_alike(1, self.arguments()[:2] + ["none.caos"] + self.arguments()[3:],
                        "none.caos")
        self.fail_alike(2, self.arguments("--alpha", "2"), "alpha '2'")
        self.fail_alike(2, self.arguments("--bogus"), "--bogus")
        self.fail_alike(2, self.arguments(out="regions.txt"), "must end in .json or .csv")
        self.fail_alike(1, self.arguments(out="no/regions.json"), "the folder no does not exist")
        for path in self.new_images():
            path.write_bytes(b"no image")
        self.fail_alike(1, self.arguments(), "no image could be used")

    def test_that_cannot_write_a_drawing_leaves_no_regions(self):
        (self.folder / "drawn" / (self.new_images()[3].name + ".overlay.jpg")).mkdir(parents=True)
        run = self.run_processes(*self.arguments("--overlay", "drawn"))
        self.assertEqual(run.code, 1, run.err)
        self.assertIn("is a directory", run.err)
        self.assertFalse((self.folder / "regions.json").exists())
        self.assertEqual(list(self.folder.rglob("*.tmp")), [])

    def test_ends_with_the_error_of_a_process_that_lacks_the_backbone(self):
        others = self.arguments("--backbone", "onnx:not-here.onnx")
        self.fail_on_processes(1, self.arguments(), "process 3 on ", "not-here.onnx", others=others)

    def test_that_loses_a_process_leaves_nothing(self):
        image = self.new_images()[0]
        for i in range(6000):
            os.link(image, self.folder / "faces/new" / f"copy{i}.jpg")
        before = self.files()
        job = subprocess.Popen(self.command(*self.arguments()), cwd=self.folder,
                               env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.kill)
        os.kill(busy_process(job.pid, 2), signal.SIGKILL)
        job.communicate(timeout=60 * PATIENCE)
        self.assertNotEqual(job.returncode, 0)
        left = self.files()
        if any(name.endswith(".tmp") for name in left) and not nameless_files(self.folder):
            self.skipTest("NOT TESTED: this file system has no files without a name")
        self.assertEqual(left, before)


def busy_process(launcher, process):
    """The process of this process below the launcher, when it has worked for a while."""
    marks = f"OMPI_COMM_WORLD_RANK={process}".encode()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                stat = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                ours = (int(stat[1]) == launcher and os.readlink(folder / "exe") == os.path.realpath(PROGRAM)
                        and marks in (folder / "environ").read_bytes().split(b"\0"))
                ticks = int(stat[11]) + int(stat[12])
            except (OSError, IndexError):
                continue
            if ours and ticks / os.sysconf("SC_CLK_TCK") > 0.3:
                return int(folder.name)
        time.sleep(0.01)
    raise AssertionError(f"process {process} did not begin to work")


def nameless_files(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        return False
    return True


class EvaluateArrays(OnProcesses, ProgramTest):
    def setUp(self):
        super().setUp()
        labeled, self.test = random_split(3, n=20, m=13)
        for name, images in (("labeled", labeled), ("test", self.test)):
            self.save(name, images.embeddings)
            self.save(f"{name}-labels", images.labels)

    def arguments(self, *more):
        return [*EVALUATE, "--embeddings", "labeled.npy", "--labels", "labeled-labels.npy",
                "--test-embeddings", "test.npy", "--test-labels", "test-labels.npy", *more]

    def test_says_and_writes_the_same(self):
        methods = "caos,full-caos,scos,scos-best,scos-oracle,split-caos,split-caos-cal,split-caos-ref"
        for more in (["--sets", "sets.npy"], ["--methods", methods, "--simultaneous", "--json"],
                     ["--methods", "full-caos", "--score", "softmax:0.1", "--sets", "sets.npy"]):
            self.same_on_processes(*self.arguments(*more))

    def test_takes_test_images_that_only_the_first_process_can_read(self):
        arguments = ["-" if word == "test.npy" else word for word in self.arguments("--json")]
        self.same_on_processes(*arguments, stdin=(self.folder / "test.npy").read_bytes())

    def test_fails_alike_for_an_image_in_the_share_of_a_later_process(self):
        embeddings = self.test.embeddings.copy()
        embeddings[11, 4] = 0
        embeddings[12, 2, 1] = np.nan
        self.save("test", embeddings)
        self.fail_alike(1, self.arguments("--sets", "sets.npy"), "test.npy: image 11")

    def test_fails_alike_for_what_is_missing_or_does_not_fit(self):
        (self.folder / "test.npy").unlink()
        self.fail_alike(1, self.arguments(), "test.npy: no such file")
        self.fail_alike(2, [*EVALUATE], "give --embeddings")
        self.save("test", self.test.embeddings)
        self.fail_alike(2, self.arguments("--k", 30), "which k = 30 needs")
        self.fail_alike(2, self.arguments("--methods", "none"), "none")

    def test_ends_with_the_error_of_a_process_that_lacks_the_test_images(self):
        others = ["not-here.npy" if word == "test.npy" else word for word in self.arguments()]
        self.fail_on_processes(1, self.arguments(), "process 3 on ", "not-here.npy: no such file",
                           others=others)


class EvaluateImages(OnProcesses, FacesTest):
    def arguments(self, *more):
        return [*EVALUATE, "--images", "faces", "--landmarks", "faces/all.csv", "--no-cache", *more]

    def test_says_and_writes_the_same(self):
        self.same_on_processes(*self.arguments("--split", "faces/split.csv", "--sets", "sets.npy"))
        self.same_on_processes(*self.arguments("--seed", 4, "--simultaneous", "--json"))

    def test_leaves_out_the_same_images(self):
        for i, path in enumerate(sorted((self.folder / "faces").rglob("*.jpg"))[3::11]):
            path.write_bytes(path.read_bytes()[:700 + i])  # all different
        _, _, err, _ = self.same_on_processes(*self.arguments("--json"))
        self.assertIn("truncated", err)

    def test_fails_alike_for_a_landmark_outside_its_image(self):
        rows = self.rows("faces/all.csv")
        rows[-1]["x"] = "4000"
        self.write_rows("faces/all.csv", rows)
        self.fail_alike(1, self.arguments(), rows[-1]["image"])


if __name__ == "__main__":
    unittest.main()
