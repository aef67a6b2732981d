"""Projects whose regions are made of cells, as with the score geometry."""

import csv
import json
import math
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from studio_support import PATIENCE, PROGRAM, StudioTest, new_change, visible

LABELED = 14
WANTED = ("left_pupil", "right_pupil", "nose_tip", "chin")


def run(*arguments):
    told = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    return told.stdout


class Cells(StudioTest):
    """A project of synthetic faces, labeled where they were drawn."""

    def setUp(self):
        super().setUp()
        self.drawn = Path(tempfile.mkdtemp(prefix="caos-cells-", dir=self.folder.parent))
        self.addCleanup(lambda: run_rm(self.drawn))
        run("landmarks", "synthesize", "--n", LABELED + 3, "--new", 1, "--output", self.drawn, "--quiet")
        self.points = {}
        with open(self.drawn / "all.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                place = (float(row["x"]), float(row["y"]))
                self.points.setdefault(Path(row["image"]).name, {})[row["landmark"]] = place

    def project(self, score):
        project = self.new_project(f"by {score}", WANTED, score=score)
        ids = dict(zip(WANTED, self.landmark_ids(project)))
        for name in sorted(self.points):
            data = next(self.drawn.rglob(name)).read_bytes()
            self.client.ask("POST", f"/v1/projects/{project}/images", data, 201, name=name)
        self.client.ask("POST", f"/v1/projects/{project}/sample", {"size": LABELED, "seed": 5})
        for image in self.client.get(f"/v1/projects/{project}/images", which="sample", sort="order")["images"]:
            edits = [visible(ids[name], *self.points[image["name"]][name]) for name in WANTED]
            self.client.ask("POST", self.annotations(project, image["id"]), new_change(0, *edits))
        return project, ids

    def rest(self, project):
        return self.client.get(f"/v1/projects/{project}/images", which="review")["images"]

    def regions(self, project, image):
        return self.client.get(f"/v1/projects/{project}/images/{image}/regions")

    def area(self, answer, landmark, alpha=0.1):
        """Of a region in square pixels, by the p-values of its labels."""
        one = next(one for one in answer["landmarks"] if one["landmark"] == landmark)
        total = 0
        for label, count in enumerate(one["exceeding"]):
            row, column = divmod(label, answer["columns"])
            if count >= 0 and (1 + count) / (one["units"] + 1) > alpha:
                total += ((answer["x"][column + 1] - answer["x"][column])
                          * (answer["y"][row + 1] - answer["y"][row]))
        return total

    def test_regions_are_finer_and_proposals_close(self):
        project, ids = self.project("geometry")
        patches, _ = self.project("cosine")
        image = self.rest(project)[0]
        fine = self.regions(project, image["id"])
        coarse = self.regions(patches, self.rest(patches)[0]["id"])
        self.assertEqual((fine["columns"], fine["rows"]), (4 * coarse["columns"], 4 * coarse["rows"]))
        for one in fine["landmarks"]:
            name = next(name for name, landmark in ids.items() if landmark == one["landmark"])
            x, y = self.points[image["name"]][name]
            self.assertLess(math.hypot(one["x"] - x, one["y"] - y), 4, name)

    def queue(self, project):
        """Once all images are predicted."""
        deadline = time.monotonic() + 60 * PATIENCE
        while True:
            entries = self.client.get(f"/v1/projects/{project}/queue", alpha="0.1")["images"]
            if all(entry["predicted"] for entry in entries):
                return entries
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def model(self, project):
        model = self.folder / "model.caos"
        model.write_bytes(self.client.request("GET", f"/v1/projects/{project}/export/model").body)
        return model

    def test_the_queue_measures_shapes_as_the_program_does(self):
        project, _ = self.project("geometry")
        model = self.model(project)
        names = {image["id"]: image["name"] for image in self.rest(project)}
        for entry in self.queue(project):
            told = run("landmarks", "predict", model, next(self.drawn.rglob(names[entry["image"]])),
                       "--alpha", "0.1", "--output", self.folder / "regions.json")
            off = re.search(r"shape off by ([0-9.]+) patches", told)
            self.assertIsNotNone(off, told)
            self.assertAlmostEqual(entry["shape_deviation"], float(off[1]), delta=0.006)

    def test_the_queue_knows_how_large_regions_of_cells_are(self):
        project, ids = self.project("geometry")
        for entry in self.queue(project):
            answer = self.regions(project, entry["image"])
            mean = sum(self.area(answer, landmark) for landmark in ids.values()) / len(ids)
            # Cells at the far edges of an image are cut off in the one and not in the other.
            self.assertAlmostEqual(entry["mean_area"], mean, delta=0.2 * mean + 16)

    def test_the_exported_model_predicts_the_same(self):
        project, ids = self.project("geometry")
        model = self.model(project)
        for image in self.rest(project):
            answer = self.regions(project, image["id"])
            out = self.folder / "regions.json"
            run("landmarks", "predict", model, next(self.drawn.rglob(image["name"])), "--alpha", "0.1",
                "--output", out, "--quiet")
            said = json.loads(out.read_text(encoding="utf-8"))
            landmarks = {one["landmark"]: one for one in said["images"][0]["landmarks"]}
            for name, landmark in ids.items():
                one = next(one for one in answer["landmarks"] if one["landmark"] == landmark)
                point = landmarks[name]["proposal"]
                self.assertAlmostEqual(point["x"], one["x"], delta=0.02, msg=name)
                self.assertAlmostEqual(point["y"], one["y"], delta=0.02, msg=name)
                held = [label for label, count in enumerate(one["exceeding"])
                        if count >= 0 and 10 * (1 + count) > one["units"] + 1]
                self.assertEqual(landmarks[name]["patches"], held, name)

    def test_another_score_before_the_draw_is_another_grid(self):
        project = self.new_project("changed", WANTED, score="cosine")
        ids = dict(zip(WANTED, self.landmark_ids(project)))
        for name in sorted(self.points)[:12]:
            data = next(self.drawn.rglob(name)).read_bytes()
            self.client.ask("POST", f"/v1/projects/{project}/images", data, 201, name=name)
        for image in self.client.get(f"/v1/projects/{project}/images")["images"][:11]:
            edits = [visible(ids[name], *self.points[image["name"]][name]) for name in WANTED]
            self.client.ask("POST", self.annotations(project, image["id"]), new_change(0, *edits))
        self.client.ask("PATCH", f"/v1/projects/{project}", {"settings": {"score": "geometry"}})
        self.client.ask("POST", f"/v1/projects/{project}/sample", {"from": "labeled"})
        answer = self.regions(project, self.rest(project)[0]["id"])
        self.assertTrue(answer["landmarks"])
        self.assertLessEqual(answer["x"][1] - answer["x"][0], 4.01)

    def test_proposals_are_accepted_without_review(self):
        project, _ = self.project("geometry")
        plan = {"tolerance": "8px", "q": "0.2", "unit": "points"}
        path = f"/v1/projects/{project}/acceptance"
        deadline = time.monotonic() + 60 * PATIENCE
        while self.client.get(f"/v1/projects/{project}/status")["embedding"]["done"] < len(self.points):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        decided = self.client.ask("POST", path, plan, 201)
        self.assertEqual(decided["guarantee"]["kind"], "FDR", decided)
        self.assertEqual(decided["num_accepted"], decided["num_points"])


def run_rm(folder):
    subprocess.run(["rm", "-r", str(folder)], check=False)


if __name__ == "__main__":
    unittest.main()
