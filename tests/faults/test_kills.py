"""Killed at any instant, the program leaves the old file or the new one, and nothing else."""

import hashlib
import http.client
import random
import shutil
import threading
import time
import unittest

from fault_support import (PROGRAM, ROUNDS, FacesTest, TaskTest, TextTest, csv_text, kills,
                           synthetic_texts, pixels, random_task, start, studio, tried)

OLD = b"what was there before"


class KilledWriters:
    """For tests of the program: kills of a command that writes one file."""

    kills = 5

    def kill_writer(self, fault, out, *arguments):
        arguments = [*arguments, "--manifest", f"{out}.manifest.json"]
        path = self.folder / out
        before = set(self.files())
        began = time.monotonic()
        self.succeed(*arguments)
        duration = time.monotonic() - began
        new = path.read_bytes()
        whole = set(self.files().values())  # also of its manifest
        chance = random.Random(fault)
        killed = 0
        for _ in range(self.kills * ROUNDS):
            path.write_bytes(OLD)
            process = start(self, *arguments)
            killed += kills.kill_after(process, chance.uniform(0, 1.1 * duration))
            if killed == 0:
                duration /= 2  # the first run is slower than those after it: files were not in memory
            half = path.read_bytes() not in (OLD, new)
            # Between its two names, the new file is whole under both or one of them.
            strays = [name for name in set(self.files()) - before - {out}
                      if (self.folder / name).read_bytes() not in whole]
            for name in set(self.files()) - before - {out}:
                (self.folder / name).unlink()
            tried(f"kill -9: {fault}", half=half + len(strays))
            self.assertFalse(half, "neither the old file nor the new one")
            self.assertEqual(strays, [])
        self.assertGreater(killed, 0)
        self.succeed(*arguments)
        self.assertEqual(path.read_bytes(), new)


class Arrays(KilledWriters, TaskTest):
    def test_calibrations(self):
        task = random_task(3, n=150, num_labels=40, m=3, k=3)
        self.kill_writer("calibrate", "model.caos", "calibrate", *self.save_labeled(task), "--k", 3,
                         "--out", "model.caos")


class Faces(KilledWriters, FacesTest):
    n = 12
    num_new = 8
    kills = 4

    def test_landmark_models(self):
        self.kill_writer("landmarks calibrate", "model.caos", "landmarks", "calibrate", "--images",
                         "faces/labeled", "--landmarks", "faces/labeled.csv", "--no-cache", "--out",
                         "model.caos")

    def test_predicted_regions(self):
        self.calibrate()
        self.kill_writer("landmarks predict", "regions.json", "landmarks", "predict", "model.caos",
                         "faces/new", "--no-cache", "--out", "regions.json")


class Texts(KilledWriters, TextTest):
    def write_table(self, count):
        self.write("train.csv", csv_text(["text", "label"], synthetic_texts(count, seed=4)))

    def test_text_models_and_predictions(self):
        self.write_table(80)
        self.kill_writer("text calibrate", "model.caos", "text", "calibrate", "--train",
                         "train.csv", "--out", "model.caos")
        self.kill_writer("text predict", "sets.csv", "text", "predict", "model.caos", "new.csv",
                         "--out", "sets.csv")

    def test_score_stores(self):
        self.write_table(60)

        def command(folder):
            return [PROGRAM, "text", "score", "--train", str(self.folder / "train.csv"), "--quiet",
                    "--out", str(folder)]

        class Quiet(kills.Killer):
            """What is printed says how much was there already."""

            def check_complete(self, folder):
                kills.finish(self.command_for(folder))
                if kills.contents(folder) != self.expected:
                    raise AssertionError("another store than that of an undisturbed run")

        killer = Quiet(command, self.folder / "stores", seed=5)
        killer.run(10 * ROUNDS, seconds=60 + 30 * ROUNDS)
        tried("kill -9: text score", times=10 * ROUNDS)


class Uploader:
    """Uploads one image after another, and brings back the project again and again."""

    def __init__(self, path, restored):
        self.path, self.restored = path, restored
        self.count = 0
        self.stored = {}  # what was acknowledged: ids of images and their bytes
        self.projects = set()

    def run(self, port):
        """Until the server is gone."""
        client = studio.Client(port, check=False)
        try:
            while True:
                self.count += 1
                bytes_ = pixels.png(pixels.noise(40, 30, self.count))
                answer = client.request("POST", self.path, bytes_, name=f"{self.count}.png")
                assert answer.status == 201, answer.body
                self.stored[answer.json()["id"]] = bytes_
                if self.count % 3 == 0:
                    answer = client.request("POST", "/v1/restore", self.restored,
                                            headers={"Content-Type": "application/zip"})
                    assert answer.status == 201, answer.body
                    self.projects.add(answer.json()["id"])
        except (OSError, http.client.HTTPException):
            client.close()


class Importer:
    """Imports points of all images, each time one pixel further, and takes backups in between. What
    was not acknowledged is sent again."""

    def __init__(self, project, images):
        self.project, self.images = project, images
        self.acknowledged = 0

    @staticmethod
    def place(number):
        return 1 + number % 59 if number else 0

    def run(self, port):
        """Until the server is gone."""
        client = studio.Client(port, check=False)
        try:
            while True:
                number = self.acknowledged + 1
                rows = [f"{name},nose,{self.place(number)},2\n" for name in self.images]
                text = "image,landmark,x,y\n" + "".join(rows)
                body = {"files": [{"name": "points.csv", "text": text}], "annotator": "Ada",
                        "overwrite": True}
                answer = client.request("POST", f"/v1/projects/{self.project}/import", body)
                assert answer.status == 200, answer.body
                self.acknowledged = number
                answer = client.request("GET", f"/v1/projects/{self.project}/backup")
                assert answer.status == 200, answer.body
        except (OSError, http.client.HTTPException):
            client.close()


class Studio(studio.StudioTest):
    environment = None  # `start` hands it on: none, so that the program gets ours

    def kills_during(self, work, seed):
        """Once for each time that the server was killed at work, and started again."""
        chance = random.Random(seed)
        for _ in range(6 * ROUNDS):
            thread = threading.Thread(target=work, args=(self.server.port,))
            thread.start()
            time.sleep(chance.uniform(0.02, 0.3))
            self.server.kill()
            thread.join(30)
            self.server = self.start()
            self.client = self.new_client()
            yield

    def test_keeps_whole_images_and_projects(self):
        given = self.new_project("given", landmarks=["nose", "chin"])
        for i in range(4):
            image = self.add_image(given, f"{i}.png", seed=900 + i)
            nose, _ = self.landmark_ids(given)
            self.client.ask("POST", self.annotations(given, image),
                            studio.new_change(0, studio.visible(nose, i, i)))
        backup = self.client.request("GET", f"/v1/projects/{given}/backup").body
        project = self.new_project("mine")
        uploader = Uploader(f"/v1/projects/{project}/images", backup)
        for _ in self.kills_during(uploader.run, seed=11):
            lost, half = self.look(project, uploader)
            tried("kill -9: studio uploads and restores", lost=lost, half=half)
            self.assertEqual((lost, half), (0, 0))
        self.assertGreater(len(uploader.stored), 5)
        self.assertEqual(self.server.stop(), 0)

    def test_imports_whole_files_or_nothing(self):
        project = self.new_project("mine", landmarks=["nose"])
        images = {f"{i}.png": self.add_image(project, f"{i}.png", seed=i) for i in range(12)}
        importer = Importer(project, list(images))
        for _ in self.kills_during(importer.run, seed=13):
            places = {self.place_of_first_point(project, image) for image in images.values()}
            half = len(places) - 1 + len(list((self.folder / "data/tmp").iterdir()))
            done = importer.acknowledged
            lost = not places & {importer.place(done), importer.place(done + 1)}
            tried("kill -9: studio imports and backups", lost=lost, half=half)
            self.assertEqual((lost, half), (False, 0))
        self.assertGreater(importer.acknowledged, 5)

    def place_of_first_point(self, project, image):
        points = self.client.get(self.annotations(project, image))["points"]
        return points[0]["x"] if points else 0

    def look(self, project, uploader):
        """What is gone of what was acknowledged; what is there by half."""
        known = {one["id"] for one in self.client.get(f"/v1/projects/{project}/images")["images"]}
        lost = sum(image not in known or self.content_of(bytes_) != bytes_
                   for image, bytes_ in uploader.stored.items())
        found = {one["id"]: one for one in self.client.get("/v1/projects")["projects"]}
        lost += len(uploader.projects - set(found))
        half = 0
        for one in found:
            images = self.client.get(f"/v1/projects/{one}/images")["images"]
            half += one != project and len(images) != 4
        folder = self.folder / "data"
        half += len(list((folder / "tmp").iterdir()))
        half += len([path for path in (folder / "images").rglob(".caos-*")])
        return lost, half

    def content_of(self, bytes_):
        name = hashlib.sha256(bytes_).hexdigest()
        return (self.folder / "data" / "images" / name[:2] / name).read_bytes()

    def test_makes_its_demonstration_whole_or_not_at_all(self):
        began = time.monotonic()
        server = self.start("--demo", folder=self.folder / "first")
        duration = time.monotonic() - began
        client = self.new_client(server)
        expected = self.demo_of(client)
        server.stop()
        chance = random.Random(12)
        for i in range(3 * ROUNDS):
            folder = self.folder / f"demo-{i}"
            process = start(self, "serve", "--demo", "--data", folder, "--port", 0)
            kills.kill_after(process, chance.uniform(0, duration))
            server = self.start("--demo", folder=folder)
            found = self.demo_of(self.new_client(server))
            server.stop()
            tried("kill -9: studio demonstration", half=found != expected)
            self.assertEqual(found, expected)
            shutil.rmtree(folder)

    def demo_of(self, client):
        projects = client.get("/v1/projects")["projects"]
        return [(one["name"], len(client.get(f"/v1/projects/{one['id']}/images")["images"]))
                for one in projects]


if __name__ == "__main__":
    unittest.main()
