"""What happens to a project after the draw, and what becomes of its guarantee."""

import io
import json
import time
import unittest
import zipfile

from studio_support import PATIENCE, StudioTest


class DemoServer(StudioTest):
    """The server of all tests here, whose images are embedded once."""

    options = ("--demo",)


SHARED = DemoServer()


def setUpModule():
    unittest.addModuleCleanup(SHARED.doCleanups)  # also where what follows fails
    SHARED.setUp()
    SHARED.backup = SHARED.client.request("GET", "/v1/projects/1/backup").body


class Integrity(StudioTest):
    """A copy of the demo, whose sample of 60 is labeled and of which no region has been seen."""

    def setUp(self):
        self.server, self.folder = SHARED.server, SHARED.folder
        self.client = self.new_client()
        self.project = self.client.ask("POST", "/v1/restore", SHARED.backup, 201, name="copy")
        self.path = f"/v1/projects/{self.project['id']}"
        self.wait()

    def wait(self, path=None):
        for _ in range(600 * PATIENCE):
            status = self.client.get((path or self.path) + "/status")
            waits = any(status[what]["done"] < status[what]["total"]
                        for what in ("embedding", "prediction"))
            if not waits:
                return status
            time.sleep(0.1)
        raise AssertionError("the demo takes too long")

    def guarantee(self):
        return self.wait()["guarantee"]

    def images(self, in_sample):
        found = self.client.get(self.path + "/images")["images"]
        return sorted((one for one in found if one["in_sample"] == in_sample),
                      key=lambda one: one["order"])

    def integrity(self):
        return self.client.get(self.path)["integrity"]

    def look(self):
        self.client.get(f"{self.path}/images/{self.images(False)[0]['id']}/regions")

    def test_an_image_that_left_the_sample_counts_for_good(self):
        self.assertEqual(self.guarantee()["kind"], "marginal")
        last = self.images(True)[-1]
        self.client.ask("DELETE", f"{self.path}/images/{last['id']}", status=204)
        self.assertEqual(self.guarantee()["kind"], "none")
        self.client.ask("POST", self.path + "/sample", {"size": 59})
        self.assertEqual(self.guarantee()["kind"], "none")
        self.assertIn("removed", self.guarantee()["why_none"])
        self.assertEqual(self.integrity()["removed"], 1)
        backup = self.client.request("GET", self.path + "/backup").body
        restored = self.client.ask("POST", "/v1/restore", backup, 201, name="copy")
        self.assertEqual(restored["integrity"]["removed"], 1)
        with zipfile.ZipFile(io.BytesIO(backup)) as archive:
            kept = json.loads(archive.read("project.json"))
        self.assertEqual(kept["project"]["integrity"]["removed"], 1)

    def test_another_size_after_results_must_be_confirmed_and_costs_the_guarantee(self):
        self.client.ask("POST", self.path + "/sample", {"size": 61})
        self.client.ask("POST", self.path + "/sample", {"size": 60})
        self.assertEqual(self.guarantee()["kind"], "marginal")
        self.look()
        self.assertIsNotNone(self.integrity()["results_seen_at"])
        refused = self.refuse(409, "POST", self.path + "/sample", {"size": 61},
                              "no guarantee", kind="conflict")
        self.assertTrue(refused["confirm"])
        self.client.ask("POST", self.path + "/sample", {"size": 60})
        self.assertEqual(self.guarantee()["kind"], "marginal")
        self.client.ask("POST", self.path + "/sample", {"size": 61, "confirm": True})
        self.client.ask("POST", self.path + "/sample", {"size": 60})
        self.assertIn("size of the sample", self.guarantee()["why_none"])

    def test_another_target_after_results_must_be_confirmed_and_costs_the_guarantee(self):
        self.client.ask("PATCH", self.path, {"settings": {"alpha": "0.2"}})
        self.client.ask("PATCH", self.path, {"settings": {"alpha": "0.1"}})
        self.look()
        for settings in ({"alpha": "0.2"}, {"simultaneous": True}):
            refused = self.refuse(409, "PATCH", self.path, {"settings": settings}, "target")
            self.assertTrue(refused["confirm"])
        self.client.ask("PATCH", self.path, {"settings": {"mm_per_pixel": 0.5}})
        self.assertEqual(self.guarantee()["kind"], "marginal")
        self.client.ask("PATCH", self.path, {"settings": {"alpha": "0.2"}, "confirm": True})
        self.client.ask("PATCH", self.path, {"settings": {"alpha": "0.1"}})
        self.assertIn("target was changed", self.guarantee()["why_none"])

    def test_exporting_the_model_shows_every_image(self):
        self.assertFalse(any(one["seen"] for one in self.images(False)))
        self.assertEqual(self.client.request("GET", self.path + "/export/model").status, 200)
        self.assertTrue(all(one["seen"] for one in self.images(False)))
        self.assertIsNotNone(self.integrity()["results_seen_at"])
        self.refuse(409, "POST", self.path + "/sample", {"size": 61})

    def test_looks_can_be_planned_until_results_are_seen(self):
        planned = self.client.ask("POST", self.path + "/sample",
                                  {"looks": [{"size": 40}, {"size": 60}]})
        self.assertEqual(planned["sampling"]["looks"],
                         [{"size": 40, "alpha": "0.05"}, {"size": 60, "alpha": "0.05"}])
        status = self.wait()
        self.assertEqual(status["look"], {"number": 2, "count": 2, "size": 60, "next": None})
        self.assertEqual(status["guarantee"]["alpha"], "0.05")
        self.look()
        self.refuse(409, "POST", self.path + "/sample", {"looks": [{"size": 50}, {"size": 60}]})
        self.client.ask("POST", self.path + "/sample", {"size": 40})  # a planned one
        status = self.wait()
        self.assertEqual(status["guarantee"]["kind"], "marginal")
        self.assertEqual((status["n"], status["look"]["number"]), (40, 1))
        answer = self.client.request("GET", self.path + "/export/sets")
        sets = json.loads(answer.body)
        self.assertEqual(sets["alpha"], 0.05)
        self.assertEqual(sets["guaranteed_alpha"], 0.1)
        self.assertEqual(sets["look"], "1 of 2")
        self.assertIn("1 - 0.1", sets["guarantee_is_for"])
        self.assertEqual(sets["images"][0]["guaranteed_alpha"], "0.1")
        self.refuse(400, "GET", self.path + "/export/model", said="planned looks")
        self.assertNotEqual(sets["landmarks"][0]["guarantee"], "none")

    def test_a_restored_project_is_taken_on_trust(self):
        guarantee = self.guarantee()
        self.assertEqual((guarantee["kind"], guarantee["by_design"]), ("marginal", False))
        self.assertIn("restored from a backup of 20", guarantee["assumption"])
        self.assertIn("no results were seen", guarantee["assumption"])
        integrity = self.integrity()
        self.assertIsNotNone(integrity["restored_at"])
        self.assertLessEqual(integrity["backup_at"], integrity["restored_at"])

    def test_alpha_in_other_digits_leaves_the_looks_as_they_are(self):
        looks = [{"size": 60, "alpha": "0.09"}, {"size": 70, "alpha": "0.01"}]
        self.client.ask("POST", self.path + "/sample", {"looks": looks})
        self.look()
        changed = self.client.ask("PATCH", self.path, {"settings": {"alpha": "0.10"}})
        self.assertEqual(changed["sampling"]["looks"], looks)
        self.assertIsNone(changed["integrity"]["retargeted_at"])

    def test_landmarks_of_all_at_once_must_be_confirmed_after_results(self):
        self.client.ask("PATCH", self.path, {"settings": {"simultaneous": True}})
        self.look()
        scheme = self.client.get(self.path + "/scheme")
        kept = [dict(one, pair=None) for one in scheme["landmarks"][:10]]
        body = {"revision": scheme["revision"], "landmarks": kept, "drop_points": True}
        refused = self.refuse(409, "PUT", self.path + "/scheme", body, "target", kind="conflict")
        self.assertTrue(refused["confirm"])
        self.client.ask("PUT", self.path + "/scheme", dict(body, confirm=True))
        self.assertIsNotNone(self.integrity()["retargeted_at"])
        self.assertIn("target was changed", self.guarantee()["why_none"])


if __name__ == "__main__":
    unittest.main()
