"""Folders that cannot be written or are gone, and files that cannot be read."""

import shutil
import subprocess
import unittest

from fault_support import (PATIENCE, PROGRAM, Disturbed, FacesTest, TaskTest, TextTest,
                           make_read_only, random_task, studio, tried, unprivileged)


class Refused(Disturbed):
    def expect(self, fault, run, *said):
        tried(fault, refused=run.code != 0)
        self.check_failure(run, *said)


class ReadOnlyFolders(Refused, FacesTest):
    """By their mount, which binds root too."""

    n = 10
    num_new = 2

    def setUp(self):
        super().setUp()
        self.calibrate()
        self.box = self.folder / "box"
        self.box.mkdir()
        shutil.copy(self.folder / "model.caos", self.box / "model.caos")

    def test_are_failures_that_leave_everything(self):
        self.write("train.csv",
                   "text,label\n" + "".join(f"a{i},{'xy'[i % 2]}\n" for i in range(12)))
        train = ["--train", "train.csv", "--labels-from", "x,y"]
        make_read_only(self, self.box)
        before = self.files()
        for arguments in (
                ["generate", "--out", "box/toy"],
                ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                 "faces/labeled.csv", "--out", "box/model.caos"],
                ["landmarks", "predict", "model.caos", "faces/new", "--out", "box/r.json"],
                ["landmarks", "draw", "--out", "box/drawn", "--n", 2, "--new", 1],
                ["text", "score", *train, "--out", "box/store"],
                ["text", "calibrate", *train, "--out", "box/m.caos"],
                ["serve", "--data", "box/data", "--port", 0]):
            self.expect("read-only folder", self.run_caos(*arguments), "box", "Read-only")
        self.assertEqual(self.files(), before)

    def test_hold_models_and_stores_that_can_be_used(self):
        expected = self.predict(out="expected.json").out
        make_read_only(self, self.box)
        self.assertEqual(self.predict(out="found.json", model="box/model.caos").out.replace(
            "found.json", "expected.json"), expected)

    def test_do_not_cost_the_result_as_caches(self):
        make_read_only(self, self.box)
        self.calibrate("--cache", "box", out="again.caos")
        tried("read-only cache")
        self.assertEqual(self.files()["again.caos"], self.files()["model.caos"])


class Permissions(Refused, TaskTest):
    def setUp(self):
        super().setUp()
        self.wrapper = unprivileged(self)
        self.task = random_task(2, n=10, num_labels=4, m=6, k=2)
        self.arguments = self.save_all(self.task)

    def test_to_read_are_needed(self):
        self.calibrate(self.task)
        for name, arguments in (
                ("test.npy", ["evaluate", *self.arguments]),
                ("model.caos", ["predict", "model.caos", "--test", "labeled.npy", "--alpha",
                                "0.2"]),
                ("labels.npy", ["calibrate", *self.arguments[:4], "--k", 2, "--out", "m.caos"])):
            (self.folder / name).chmod(0)
            self.expect("unreadable file", self.run_within(self.wrapper, *arguments), name,
                        "Permission denied")
            (self.folder / name).chmod(0o644)
            self.assertNotIn("m.caos", self.files())

    def test_to_write_are_needed(self):
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        for arguments in (
                ["calibrate", *self.arguments[:4], "--k", 2, "--out", "closed/m.caos"],
                ["evaluate", *self.arguments, "--methods", "caos", "--report", "closed/r.html"],
                ["serve", "--data", "closed/data", "--port", 0]):
            self.expect("folder without permission", self.run_within(self.wrapper, *arguments),
                        "closed", "Permission denied")
        self.assertEqual(list(closed.iterdir()), [])


class Images(Refused, FacesTest):
    n = 10
    num_new = 3

    def test_that_cannot_be_read_are_named_and_the_others_done(self):
        wrapper = unprivileged(self)
        self.calibrate()
        victim = sorted((self.folder / "faces/new").iterdir())[1]
        victim.chmod(0)
        run = self.run_within(wrapper, "landmarks", "predict", "model.caos", "faces/new", "--out",
                              "r.json", "--no-cache")
        tried("unreadable image", refused=victim.name in run.err)
        self.assertEqual(run.code, 0, run.err)
        self.assertIn(victim.name, run.err)

    def test_folders_that_vanish_are_failures(self):
        self.calibrate()
        shutil.rmtree(self.folder / "faces/new")
        self.expect("folder that is gone", self.run_caos(
            "landmarks", "predict", "model.caos", "faces/new", "--out", "r.json"), "faces/new")


class WorkingFolders(Refused, TextTest):
    def test_that_vanish_are_failures(self):
        """The folder in which the program runs is removed before it starts to write."""
        gone = self.folder / "gone"
        gone.mkdir()
        script = f'rmdir "{gone}"; exec "$@"'
        done = subprocess.run(
            ["sh", "-c", script, "sh", PROGRAM, "text", "calibrate", "--train",
             self.folder / "train.csv", "--out", "model.caos"],
            cwd=gone, env=self.environment, capture_output=True, text=True, timeout=60 * PATIENCE, check=False)
        tried("folder that is gone", refused=done.returncode != 0)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], r"\Acaos: model.caos: ")


class Studio(studio.StudioTest):
    def test_says_that_its_folder_is_gone_and_lives_on(self):
        project = self.new_project(landmarks=["nose"])
        image = self.add_image(project)
        nose, = self.landmark_ids(project)
        shutil.rmtree(self.folder / "data" / "images")
        path = f"/v1/projects/{project}/images/{image}"
        answer = self.client.request("GET", path + "/preview")
        tried("studio: a folder that vanishes", refused=answer.status != 200)
        self.assertIn(answer.status, (404, 500), answer.body)
        self.assertNotIn(str(self.folder), answer.json()["error"]["message"])
        change = studio.new_change(0, studio.visible(nose, 1, 2))
        self.assertEqual(self.client.ask("POST", path + "/annotations", change)["revision"], 1)
        self.assertEqual(self.client.get("/v1/health")["status"], "ok")
        self.assertEqual(self.server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
