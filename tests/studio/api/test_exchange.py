"""The ready-made project: its regions, and everything that goes in and out of it."""

import csv
import io
import json
import subprocess
import time
import unittest
import zipfile

from studio_support import PATIENCE, PROGRAM, StudioTest, new_change, visible


class DemoServer(StudioTest):
    """One server for all tests here: they only look, or work on projects of their own."""

    options = ("--demo",)

    def wait_for(self, path, what, seconds=120):
        deadline = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < deadline:
            progress = self.client.get(path + "/status")[what]
            if progress["done"] >= progress["total"]:
                return
            time.sleep(0.2)
        self.fail(f"{what} takes too long")


SHARED = DemoServer()


def setUpModule():
    unittest.addModuleCleanup(SHARED.doCleanups)  # also where what follows fails
    SHARED.setUp()
    SHARED.demo = SHARED.client.get("/v1/projects")["projects"][0]
    for what in ("embedding", "prediction"):
        SHARED.wait_for(f"/v1/projects/{SHARED.demo['id']}", what)


class DemoTest(StudioTest):
    def setUp(self):
        self.server, self.folder, self.demo = SHARED.server, SHARED.folder, SHARED.demo
        self.client = self.new_client()
        self.demo_path = f"/v1/projects/{self.demo['id']}"

    def images(self, in_sample):
        return [one for one in self.client.get(self.demo_path + "/images")["images"]
                if one["in_sample"] == in_sample]


class Regions(DemoTest):
    def test_are_described_by_the_status(self):
        status = self.client.get(self.demo_path + "/status")
        self.assertEqual(status["guarantee"]["kind"], "marginal")
        self.assertTrue(status["guarantee"]["by_design"], status["guarantee"])
        self.assertEqual(status["n"], status["num_labeled"])
        self.assertEqual(status["failed"], [])
        self.assertFalse(status["alarm"]["raised"])
        self.assertEqual(status["guarantee"]["alpha"], "0.1")
        self.assertIn("on average over the samples", status["guarantee"]["holds_for"])
        self.assertEqual(status["look"], {"number": 1, "count": 1, "size": 60, "next": None})
        both = self.client.get(self.demo_path + "/status", simultaneous="true")
        self.assertEqual(both["guarantee"]["kind"], "none")
        self.assertIn("each landmark by itself", both["guarantee"]["why_none"])

    def test_every_image_is_embedded_and_counted(self):
        text = self.client.request("GET", "/v1/metrics").body.decode()
        [count] = [line for line in text.splitlines() if line.startswith("caos_embeddings_total ")]
        self.assertGreaterEqual(float(count.split()[1]), self.demo["num_images"])

    def test_are_shown_of_images_outside_of_the_sample_alone(self):
        image = self.images(False)[0]
        found = self.client.get(f"{self.demo_path}/images/{image['id']}/regions")
        self.assertEqual(len(found["x"]), found["columns"] + 1)
        self.assertEqual(found["x"][-1], image["width"])
        for region in found["landmarks"]:
            self.assertEqual(len(region["exceeding"]), found["columns"] * found["rows"])
            self.assertEqual(max(region["exceeding"]), region["exceeding"][region["proposal"]])
            self.assertTrue(0 <= region["x"] <= image["width"])
        region = found["landmarks"][0]
        support = self.client.get(f"{self.demo_path}/images/{image['id']}/support",
                                  landmark=region["landmark"], patch=region["proposal"])
        self.assertEqual(support["supporting_references"], region["supporting_references"])
        self.assertEqual(support["supporters"], support["supporting_references"])
        self.assertEqual(region["supporters"], region["supporting_references"])
        self.assertTrue(self.client.get(f"{self.demo_path}/images/{image['id']}")["seen"])
        blind = self.images(True)[0]["id"]
        self.refuse(409, "GET", f"{self.demo_path}/images/{blind}/regions", kind="conflict")
        self.refuse(409, "GET", f"{self.demo_path}/images/{blind}/support", landmark=1, patch=1)

    def test_queue_the_worst_first(self):
        queue = self.client.get(self.demo_path + "/queue", alpha="0.2", order="worst")["images"]
        self.assertEqual({one["image"] for one in queue},
                         {one["id"] for one in self.images(False)})
        # The least conforming come first.
        keys = [one["mean_score_over_threshold"] ** 2 * one["shape_deviation"]
                for one in queue if not one["reviewed"]]
        self.assertEqual(keys, sorted(keys, reverse=True))
        for one in queue:
            self.assertLessEqual(one["lowest_p_value"], one["mean_p_value"])
        other = self.client.get(self.demo_path + "/queue", order="random")["images"]
        self.assertEqual(len(other), len(queue))
        for query in ({"alpha": "2"}, {"order": "best"}, {"simultaneous": "1"}, {"page": "2"}):
            self.refuse(400, "GET", self.demo_path + "/queue", **query)

    def test_are_refused_for_patches_that_are_not_there(self):
        image = self.images(False)[0]["id"]
        for query in ({"landmark": 1}, {"landmark": 1, "patch": -1}, {"landmark": 1, "patch": "x"},
                      {"landmark": 1, "patch": 10 ** 6}, {"landmark": 10 ** 6, "patch": 1}):
            answer = self.client.request(
                "GET", f"{self.demo_path}/images/{image}/support", **query)
            self.assertIn(answer.status, (400, 404), query)


class Exports(DemoTest):
    FORMATS = {"csv": "text/csv", "tps": None, "pts": "application/zip", "coco": None, "dlib": None,
               "label-studio": None, "slicer": "application/zip"}

    def download(self, path, **query):
        answer = self.client.request("GET", self.demo_path + path, **query)
        self.assertEqual(answer.status, 200, answer.body[:300])
        self.assertIn("attachment", answer.headers["Content-Disposition"])
        return answer

    def test_are_in_every_format(self):
        for form, kind in self.FORMATS.items():
            with self.subTest(format=form):
                answer = self.download("/export", format=form, images="labeled")
                self.assertGreater(len(answer.body), 100)
                self.assertRegex(answer.headers["X-Caos-Losses"], r"\A\d+\Z")
                if kind:
                    self.assertEqual(answer.type, kind)
                if kind == "application/zip":
                    self.assertIsNone(zipfile.ZipFile(io.BytesIO(answer.body)).testzip())
        for query in ({}, {"format": "xls"}, {"format": "csv", "images": "some"},
                      {"format": "tps", "tps_y": "left"}):
            self.refuse(400, "GET", self.demo_path + "/export", **query)

    def test_of_sets_state_the_guarantee(self):
        sets = json.loads(self.download("/export/sets", format="json", alpha="0.2").body)
        self.assertTrue(sets)
        text = self.download("/export/sets", format="csv", alpha="0.2").body.decode()
        self.assertGreater(len(list(csv.reader(io.StringIO(text)))), len(self.images(False)))
        self.refuse(400, "GET", self.demo_path + "/export/sets", format="xml")

    def test_of_the_model_are_what_the_program_reads(self):
        path = self.folder / "model.caos"
        path.write_bytes(self.download("/export/model").body)
        told = subprocess.run([PROGRAM, "inspect", path, "--json"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(told.returncode, 0, told.stderr)


class Backups(DemoTest):
    def test_make_the_same_project_again(self):
        answer = self.client.request("GET", self.demo_path + "/backup")
        self.assertIn(".caos-project.zip", answer.headers["Content-Disposition"])
        restored = self.client.request("POST", "/v1/restore", answer.body,
                                       {"Content-Type": "application/zip"}, name="again")
        self.assertEqual(restored.status, 201, restored.body[:300])
        again = restored.json()
        self.assertEqual(again["name"], "again")
        for key in ("num_images", "num_landmarks", "settings", "sampling"):
            self.assertEqual(again[key], self.demo[key])
        here, there = ([(one["name"], one["num_points"], one["order"], one["complete"])
                        for one in self.client.get(f"/v1/projects/{number}/images")["images"]]
                       for number in (self.demo["id"], again["id"]))
        self.assertEqual(here, there)
        self.client.ask("DELETE", f"/v1/projects/{again['id']}", status=204)

    def test_that_are_damaged_are_refused_whole(self):
        data = self.client.request("GET", self.demo_path + "/backup").body
        before = len(self.client.get("/v1/projects")["projects"])
        wrong = bytes(255 - byte for byte in data[5000:5100])  # more than a header of an entry
        for bad in (b"", b"PK", data[:len(data) // 2], data[:5000] + wrong + data[5100:]):
            answer = self.client.request("POST", "/v1/restore", bad)
            self.assertEqual(answer.status, 400)
        self.assertEqual(len(self.client.get("/v1/projects")["projects"]), before)


class Imports(DemoTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project("imports", landmarks=["nose"])
        self.addCleanup(self.client.ask, "DELETE", f"/v1/projects/{self.project}", status=204)
        self.image = self.add_image(self.project, "a.png")
        self.path = f"/v1/projects/{self.project}"

    def body(self, text, **more):
        return {"files": [{"name": "points.csv", "text": text}], "annotator": "Ada"} | more

    def test_place_points_and_say_what_they_did(self):
        text = "image,landmark,x,y\na.png,nose,1.5,2.5\na.png,chin,3,4\nb.png,nose,1,1\n"
        done = self.client.ask("POST", self.path + "/import", self.body(text, add_landmarks=True))
        self.assertEqual((done["images"], done["points"]), (1, 2))
        self.assertEqual((done["new_landmarks"], done["unknown_images"]), (["chin"], ["b.png"]))
        points = self.client.get(self.annotations(self.project, self.image))["points"]
        self.assertEqual([(one["x"], one["source"]) for one in points],
                         [(1.5, "import"), (3, "import")])

    def test_are_refused_whole_where_a_file_is_wrong(self):
        for text in ("image,landmark,x,y\na.png,nose,1,2\na.png,nose,x,4\n",
                     "image,landmark,x,y\na.png,nose,1000,2\n", "", "nonsense"):
            self.refuse(400, "POST", self.path + "/import", self.body(text))
        self.assertEqual(self.client.get(self.annotations(self.project, self.image))["points"], [])
        for body, said in (({"files": [], "annotator": "A"}, "files"),
                           ({"files": [{"name": "a"}], "annotator": "A"}, "files[0].text"),
                           (self.body("x", format="xls"), "xls"), (self.body("x", tps_y="up"), "tps_y"),
                           (self.body("x", other=1), "other")):
            self.refuse(400, "POST", self.path + "/import", body, said)

    def test_propose_a_scheme_and_store_nothing(self):
        text = "image,landmark,x,y\na.png,left eye,1,2\na.png,right eye,3,4\n"
        found = self.client.ask("POST", self.path + "/scheme/import",
                                {"files": [{"name": "points.csv", "text": text}]})["landmarks"]
        self.assertEqual([one["name"] for one in found], ["left eye", "right eye"])
        self.assertEqual(found[0]["pair"], "right eye")
        self.assertEqual(len(self.client.get(self.path + "/scheme")["landmarks"]), 1)


class Samples(DemoTest):
    def test_are_drawn_and_fix_the_score(self):
        project = self.new_project("sample", landmarks=["nose"])
        self.addCleanup(self.client.ask, "DELETE", f"/v1/projects/{project}", status=204)
        images = [self.add_image(project, f"{i}.png", seed=i) for i in range(6)]
        path = f"/v1/projects/{project}"
        drawn = self.client.ask("POST", path + "/sample", {"size": 4, "seed": 7})
        self.assertEqual((drawn["sampling"]["kind"], drawn["sampling"]["size"],
                          drawn["sampling"]["seed"]), ("random", 4, 7))
        sample = [one for one in self.client.get(path + "/images")["images"] if one["in_sample"]]
        self.assertEqual(sorted(one["order"] for one in sample), [0, 1, 2, 3])
        self.refuse(400, "PATCH", path, {"settings": {"k": 2}}, "k")
        nose, = self.landmark_ids(project)
        self.refuse(400, "POST", self.annotations(project, sample[0]["id"]),
                    new_change(0, visible(nose, 1, 1), source="accept"), "blind")
        self.assertTrue(drawn["sampling"]["seed_given"])
        for body in ({}, {"size": 0}, {"size": 99}, {"size": "4"}, {"from": "all"},
                     {"size": 4, "from": "labeled"}, {"size": 4, "seed": -1}, {"looks": []},
                     {"looks": [{"size": 4}, {"size": 3}]}, {"looks": [{"alpha": "0.1"}]},
                     {"looks": [{"size": 3, "alpha": "0.06"}, {"size": 4, "alpha": "0.06"}]},
                     {"size": 4, "looks": [{"size": 4}]}):
            self.refuse(400, "POST", path + "/sample", body)
        self.assertEqual(len(images), 6)


if __name__ == "__main__":
    unittest.main()
