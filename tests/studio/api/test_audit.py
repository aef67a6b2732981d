"""Audits over the API: begun, labeled without sight of regions, finished, and kept."""

import time
import unittest

from studio_support import StudioTest, new_change, visible


class Audits(StudioTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project(landmarks=["nose", "chin"], k=2)
        for i in range(16):
            self.add_image(self.project, f"{i}.png", seed=i)
        self.path = f"/v1/projects/{self.project}/audit"
        self.landmarks = self.landmark_ids(self.project)

    def images(self):
        images = self.client.get(f"/v1/projects/{self.project}/images")["images"]
        return sorted(images, key=lambda image: image["order"] if image["order"] is not None else -1)

    def label(self, image, x=20, status=200):
        revision = self.client.get(f"/v1/projects/{self.project}/images/{image}")["revision"]
        edits = [visible(landmark, x, 10 + 20 * i) for i, landmark in enumerate(self.landmarks)]
        return self.client.ask("POST", self.annotations(self.project, image),
                               new_change(revision, *edits), status)

    def draw_and_label(self, size=9):
        self.client.ask("POST", f"/v1/projects/{self.project}/sample", {"size": size})
        for image in self.images():
            if image["in_sample"]:
                self.label(image["id"])

    def wait_until_embedded(self):
        for _ in range(500):
            progress = self.client.get(f"/v1/projects/{self.project}/status")["embedding"]
            if progress["done"] == progress["total"]:
                return
            time.sleep(0.05)
        self.fail("images were never embedded")

    def begin(self, size=4):
        self.draw_and_label()
        self.wait_until_embedded()
        return self.client.ask("POST", self.path, {"size": size}, 201)

    def test_are_refused_before_there_is_anything_to_audit(self):
        before = self.client.get(self.path)
        self.assertEqual((before["audits"], before["offers"]), ([], []))
        self.assertIn("draw a random sample", before["why_none"])
        self.refuse(400, "POST", self.path, {"size": 3})
        self.refuse(400, "POST", self.path, {}, "size is missing")
        self.refuse(400, "POST", self.path, {"size": 3, "seed": 1}, "seed is not known")
        self.refuse(400, "POST", f"{self.path}/finish", said="no audit is open")
        self.refuse(400, "DELETE", self.path, said="no audit is open")
        self.refuse(404, "GET", "/v1/projects/99/audit", kind="not_found")
        self.draw_and_label()
        self.wait_until_embedded()
        self.refuse(400, "POST", self.path, {"size": 8}, "between 1 and 7")

    def test_offer_what_sizes_buy(self):
        self.draw_and_label(3)
        self.wait_until_embedded()
        found = self.client.get(self.path, size=5)
        self.assertEqual((found["population"], found["largest"], found["why_none"]), (13, 13, ""))
        self.assertEqual([offer["size"] for offer in found["offers"]], [5, 10])
        everything = self.client.get(self.path, size=13)  # leaves nothing to speak of
        self.assertEqual([offer["size"] for offer in everything["offers"]], [10])
        # All of 10 right, 3 left: (K choose 10) / (13 choose 10) > 0.05 from K = 12 on.
        self.assertEqual(found["offers"][1]["percents"][0], "66.66 %")

    def test_hide_regions_and_keep_labels(self):
        begun = self.begin()
        self.assertEqual(begun["audits"][0]["state"], "open")
        self.assertIsNone(begun["audits"][0]["findings"])
        inside = [image for image in self.images() if image["audit"] == "open"]
        self.assertEqual([image["order"] for image in inside], [9, 10, 11, 12])
        for image in inside:
            path = f"/v1/projects/{self.project}/images/{image['id']}"
            self.refuse(409, "GET", f"{path}/regions", said="in the audit")
            self.refuse(409, "GET", f"{path}/support", said="in the audit",
                        landmark=self.landmarks[0], patch=0)
        queue = self.client.get(f"/v1/projects/{self.project}/queue")["images"]
        self.assertEqual(len(queue), 3)
        self.refuse(400, "GET", f"/v1/projects/{self.project}/export/model", said="an audit is open")
        self.refuse(400, "POST", f"/v1/projects/{self.project}/sample", {"size": 10},
                    "an audit is open")
        self.refuse(400, "POST", f"{self.path}/finish", said="0 of 4 images")
        for image in inside:
            self.label(image["id"])
        finished = self.client.ask("POST", f"{self.path}/finish")["audits"][0]
        self.assertEqual(finished["state"], "finished")
        self.assertEqual(finished["why_void"], "")
        findings = finished["findings"]
        self.assertEqual([one["landmark"] for one in findings["landmarks"]], ["nose", "chin"])
        for finding in [findings["images"], *findings["landmarks"]]:
            self.assertIn("With 95 % confidence", finding["statement"])
            self.assertEqual(finding["misses"], len(finding["missed"]))
        self.refuse(400, "POST", self.annotations(self.project, inside[0]["id"]),
                    new_change(1, visible(self.landmarks[0], 1, 1)), "frozen")
        together = self.client.get(self.path, together="true")["audits"][0]["findings"]
        self.assertLessEqual(together["landmarks"][0]["share"], findings["landmarks"][0]["share"])

    def test_survive_a_restart_and_a_backup(self):
        self.begin()
        for image in self.images():
            if image["audit"] == "open":
                self.label(image["id"])
        before = self.client.ask("POST", f"{self.path}/finish")["audits"]
        backup = self.client.request("GET", f"/v1/projects/{self.project}/backup").body
        restored = self.client.ask("POST", "/v1/restore", backup, 201, name="again")["id"]
        after = self.client.get(f"/v1/projects/{restored}/audit")["audits"]
        self.assertIn("restored from a backup", after[0].pop("assumption"))
        self.assertEqual(after, [{key: value for key, value in before[0].items()
                                  if key != "assumption"}])
        self.server.stop()
        self.server = self.start()
        self.client = self.new_client()
        self.assertEqual(self.client.get(self.path)["audits"], before)

    def test_become_void_with_the_calibration(self):
        self.begin()
        first = next(image for image in self.images() if image["in_sample"])
        self.label(first["id"], x=40)
        self.assertIn("the calibration changed", self.client.get(self.path)["audits"][0]["why_void"])
        for image in self.images():
            if image["audit"] == "open":
                self.label(image["id"])
        self.refuse(400, "POST", f"{self.path}/finish", said="the calibration changed")
        discarded = self.client.ask("DELETE", self.path)
        self.assertEqual(discarded["audits"][0]["state"], "discarded")
        self.assertEqual(discarded["population"], 3)
        again = self.client.ask("POST", self.path, {"size": 1}, 201)
        self.assertEqual([one["begun_before"] for one in again["audits"]], [0, 1])

    def test_are_refused_where_an_image_was_removed(self):
        self.draw_and_label()
        self.wait_until_embedded()
        gone = next(image for image in self.images() if image["order"] == 10)
        self.client.ask("DELETE", f"/v1/projects/{self.project}/images/{gone['id']}", status=204)
        limits = self.client.get(self.path)
        self.assertEqual((limits["population"], limits["largest"]), (7, 1))
        self.refuse(400, "POST", self.path, {"size": 4}, "number 11 of the order was removed")


if __name__ == "__main__":
    unittest.main()
