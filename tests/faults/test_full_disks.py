"""A full disk: an error that says so, the old file as it was, nothing half-written; and with room
again, everything works."""

import hashlib
import unittest

from fault_support import (ROUNDS, Disturbed, FacesTest, SmallDisk, TaskTest, TextTest, pixels,
                           random_task, studio, tried)

# Kilobytes that are left.
LEFT = (0, 4, 12, 40) if ROUNDS == 1 else (0, 4, 8, 12, 16, 24, 32, 40, 48, 64, 96, 128, 192, 256)
OLD = b"what was there before"
SPACE = ("No space left", "disk full")


class FullDisks(Disturbed):
    """For tests of the program: a disk with less and less space."""

    kilobytes = 4096

    def setUp(self):
        super().setUp()
        self.disk = SmallDisk(self, self.kilobytes)

    def fill_up(self, fault, names, *arguments, always=False):
        """Runs the command, which writes the files of these names and a manifest on the disk, with
        more and more space. With `always` it must succeed all the same."""
        if names:
            arguments = [*arguments, "--manifest", self.disk.path / f"{names[0]}.manifest.json"]
        self.disk.empty()
        for name in self.disk.files():
            if name.endswith("manifest.json"):  # of the command before
                (self.disk.path / name).unlink()
        self.succeed(*arguments)
        expected = self.disk.files()
        refused = 0
        for left in LEFT:
            for name in self.disk.files():
                (self.disk.path / name).unlink()
            for name in names:
                (self.disk.path / name).write_bytes(OLD)
            self.disk.fill_but(left)
            run = self.run_caos(*arguments)
            found = self.disk.files()
            whole = all(content in (OLD, expected.get(name)) for name, content in found.items())
            tried(f"disk full: {fault}", refused=run.code != 0, half=not whole)
            self.assertTrue(whole, f"{fault}, {left} kB left: {found.keys()}")
            if run.code == 0:
                if not always:
                    self.assertEqual(found, expected)
                continue
            refused += 1
            self.check_failure(run, str(self.disk.path))
            self.assertTrue(any(text in run.err for text in SPACE), run.err)
            self.assertFalse(always, run.err)
        self.assertTrue(refused > 0 or always, "the disk was never full")
        self.disk.empty()
        self.succeed(*arguments)
        self.assertEqual(self.disk.files(), expected)


class Arrays(FullDisks, TaskTest):
    def test_calibrations_tables_and_pages(self):
        task = random_task(2, n=90, num_labels=4, m=90, k=2)
        labeled, out = self.save_labeled(task), self.disk.path
        self.fill_up("calibrate", ["model.caos"], "calibrate", *labeled, "--k", 2, "--out",
                     out / "model.caos")
        self.disk.path.joinpath("model.caos").unlink()
        data = [*self.save_all(task), "--methods", "caos,scos", "--alpha", "0.1,0.2"]
        self.fill_up("evaluate", ["rows.csv", "page.html"], "evaluate", *data, "--per-example",
                     out / "rows.csv", "--report", out / "page.html")

    def test_folders_of_arrays(self):
        self.fill_up("generate", [], "generate", "--n", 30, "--num-labels", 5, "--num-test", 30,
                     "--out", self.disk.path / "toy", "--manifest",
                     self.disk.path / "toy" / "manifest.json")


class Faces(FullDisks, FacesTest):
    n = 12
    num_new = 3

    def test_models_regions_and_drawings(self):
        out = self.disk.path
        self.fill_up("landmarks calibrate", ["model.caos"], "landmarks", "calibrate", "--images",
                     "faces/labeled", "--landmarks", "faces/labeled.csv", "--score", "cosine",
                     "--out", out / "model.caos")
        (out / "model.caos").unlink()
        self.calibrate()
        self.fill_up("landmarks predict", ["regions.json"], "landmarks", "predict", "model.caos",
                     "faces/new", "--out", out / "regions.json", "--overlay", out / "drawn")

    def test_embeddings_and_conversions(self):
        out = self.disk.path
        self.fill_up("landmarks embed", ["e.npy", "names.csv"], "landmarks", "embed", "faces/new",
                     "--out", out / "e.npy", "--names", out / "names.csv")
        for name in self.disk.files():
            (out / name).unlink()
        self.fill_up("landmarks convert", ["l.json"], "landmarks", "convert", "faces/labeled.csv",
                     out / "l.json", "--to", "label-studio", "--images", "faces/labeled")

    def test_a_full_cache_does_not_cost_the_result(self):
        self.calibrate("--no-cache", out="expected.caos")
        arguments = ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks",
                     "faces/labeled.csv", "--score", "cosine", "--out", "model.caos"]
        self.fill_up("cache of embeddings", [], *arguments, "--cache", self.disk.path / "cache",
                     always=True)
        self.assertEqual(self.files()["model.caos"], self.files()["expected.caos"])


class Texts(FullDisks, TextTest):
    def test_models_and_sets(self):
        out = self.disk.path
        self.fill_up("text calibrate", ["model.caos"], "text", "calibrate", "--train", "train.csv",
                     "--out", out / "model.caos")
        (out / "model.caos").unlink()
        self.calibrate()
        self.fill_up("text predict", ["sets.csv"], "text", "predict", "model.caos", "new.csv",
                     "--out",
                     out / "sets.csv")

    def test_score_stores_keep_what_they_have(self):
        score = ["text", "score", "--train", "train.csv", "--out", self.disk.path / "store"]
        expected = self.json("text", "score", "--train", "train.csv", "--out", "store")["pairs"]
        stored = 0
        for left in (0, 16, 24, 32, 40, 48, 56):
            self.disk.fill_but(left)
            run = self.run_caos(*score)
            if run.code != 0:
                self.check_failure(run, str(self.disk.path))
                self.assertTrue(any(text in run.err for text in SPACE), run.err)
            self.disk.empty()
            again = self.json(*score, "--dry-run")
            now = again["pairs_in_store"]
            tried("disk full: text score", refused=run.code != 0, lost=max(0, stored - now))
            self.assertGreaterEqual(now, stored)
            stored = now
        self.succeed(*score)
        self.assertEqual(self.json(*score)["pairs_computed"], 0)
        self.assertEqual(self.json(*score)["pairs"], expected)


class StandardOutputs(FacesTest, TextTest):
    n = 8
    num_new = 1

    def test_that_are_full_are_failures(self):
        for arguments in (["text", "evaluate", "--train", "train.csv"],
                          ["text", "score", "--train", "train.csv", "--out", "store"],
                          ["landmarks", "draw", "--out", "drawn", "--n", 2, "--new", 1],
                          ["landmarks", "embed", "faces/new", "--out", "e.npy", "--json"],
                          ["generate", "--out", "toy"],
                          ["serve", "--data", "data", "--port", 0]):
            with open("/dev/full", "wb") as full:
                run = self.run_caos(*arguments, stdout=full)
            tried("disk full: /dev/full", refused=run.code != 0)
            self.assertEqual(run.code, 1, arguments)
            self.assertIn("caos: standard output cannot be written", run.err)


class Studio(studio.StudioTest):
    def setUp(self):
        self.disk = SmallDisk(self, 4096)
        super().setUp()

    def start(self, *options, folder=None, **more):
        return super().start(*options, folder=folder or self.disk.path / "data", **more)

    def test_keeps_what_it_has_acknowledged(self):
        project = self.new_project(landmarks=["nose"])
        image = self.add_image(project)
        nose, = self.landmark_ids(project)
        path, base = self.annotations(project, image), 0
        images = []
        for step in range(2 * ROUNDS):
            self.disk.fill_but(24)
            base, changes, refused = self.change_until_full(path, nose, base)
            images += self.upload_until_full(project, seed=100 * step)
            self.assertEqual(self.client.get("/v1/health")["status"], "ok")
            self.disk.empty()
            answer = self.client.ask("POST", path, studio.new_change(base, studio.visible(nose, 1,
                                                                                          2)))
            base = answer["revision"]
            self.assertEqual(self.server.stop(), 0)
            self.server = self.start()
            self.client = self.new_client()
            found = self.client.get(path.replace("annotations", "history"))["history"]
            lost = base - len(found)
            lost += sum(not self.is_whole(name) for name in images)
            tried("disk full: studio", times=changes, refused=refused, lost=lost)
            self.assertEqual(lost, 0)

    def change_until_full(self, path, nose, base):
        refused = 0
        for number in range(400):
            change = studio.new_change(base, studio.visible(nose, number % 60, 3))
            answer = self.client.request("POST", path, change)
            if answer.status == 200:
                base = answer.json()["revision"]
                continue
            self.assertEqual(answer.status, 500, answer.body)
            self.assertIn("disk full", answer.json()["error"]["message"])
            refused += 1
            if refused == 5:
                break
        self.assertGreater(refused, 0, "the disk was never full")
        return base, number + 1, refused

    def upload_until_full(self, project, seed):
        names, refused = [], 0
        for number in range(8):
            content = pixels.png(pixels.noise(60, 60, seed + number))
            answer = self.client.request("POST", f"/v1/projects/{project}/images", content,
                                         name=f"{seed + number}.png")
            if answer.status == 201:
                names.append(hashlib.sha256(content).hexdigest())
            else:
                self.assertEqual(answer.status, 500, answer.body)
                self.assertRegex(answer.json()["error"]["message"], "No space left|disk full")
                refused += 1
        self.assertGreater(refused, 0, "the disk was never full")
        return names

    def is_whole(self, name):
        content = (self.disk.path / "data" / "images" / name[:2] / name).read_bytes()
        return hashlib.sha256(content).hexdigest() == name


if __name__ == "__main__":
    unittest.main()
