"""Points, their history, conflicts, second readings and comparisons."""

import json
import threading
import unittest

from studio_support import StudioTest, new_change, visible


class AnnotationTest(StudioTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project(landmarks=["nose", "chin"], mm_per_pixel=0.5)
        self.image = self.add_image(self.project)
        self.path = self.annotations(self.project, self.image)
        self.nose, self.chin = self.landmark_ids(self.project)


class Annotations(AnnotationTest):
    def test_are_kept_with_who_and_when(self):
        empty = self.client.get(self.path)
        self.assertEqual((empty["revision"], empty["points"], empty["complete"]), (0, [], False))
        stored = self.client.ask("POST", self.path, new_change(
            0, visible(self.nose, 10.25, 20.5), {"landmark": self.chin, "state": "missing"}))
        self.assertTrue(stored["complete"])
        self.assertEqual(stored["points"][0]["x"], 10.25)
        self.assertIsNone(stored["points"][1]["x"])
        self.assertEqual(stored["points"][0]["annotator"], "Ada")
        self.assertEqual(self.client.get(self.path), stored)
        image = self.client.get(f"/v1/projects/{self.project}/images/{self.image}")
        self.assertEqual((image["num_points"], image["complete"]), (2, True))

    def test_are_taken_back_by_a_state_of_null(self):
        first = self.client.ask("POST", self.path, new_change(0, visible(self.nose, 1, 2)))
        second = self.client.ask("POST", self.path, new_change(
            first["revision"], {"landmark": self.nose, "state": None}, annotator="Bo"))
        self.assertEqual(second["points"], [])
        history = self.client.get(f"/v1/projects/{self.project}/images/{self.image}/history")
        states = [(one["state"], one["annotator"]) for one in history["history"]]
        self.assertEqual(states, [(None, "Bo"), ("visible", "Ada")])

    def test_that_are_sent_again_happen_once(self):
        change = new_change(0, visible(self.nose, 1, 2))
        first = self.client.ask("POST", self.path, change)
        self.assertEqual(self.client.ask("POST", self.path, change), first)
        later = self.client.ask("POST", self.path, new_change(first["revision"],
                                                              visible(self.nose, 3, 4)))
        self.assertEqual(self.client.ask("POST", self.path, change), later)
        history = self.client.get(f"/v1/projects/{self.project}/images/{self.image}/history")
        self.assertEqual(len(history["history"]), 2)

    def test_on_what_another_client_changed_are_a_conflict_that_shows_it(self):
        theirs = self.client.ask("POST", self.path,
                                 new_change(0, visible(self.nose, 1, 2), annotator="Bo"))
        answer = self.refuse(409, "POST", self.path, new_change(0, visible(self.nose, 5, 6)),
                             kind="conflict")
        self.assertEqual(answer["current"], theirs)
        self.assertEqual(self.client.get(self.path), theirs)

    def test_that_are_wrong_are_refused_and_change_nothing(self):
        good = visible(self.nose, 1, 2)
        for change, said in (
                (new_change(0, visible(self.nose, -1, 2)), "outside"),
                (new_change(0, visible(self.nose, 64, 2)), "outside"),
                (new_change(0, good, visible(999, 1, 2)), "999"),
                (new_change(0, good, reading=3), "reading"),
                (new_change(0, good, source="import"), "source"),
                (new_change(0, good, source="magic"), "source"),
                (new_change(0, good, annotator=""), "annotator"),
                (new_change(0, good | {"z": 1}), "edits[0].z"),
                (new_change(0, good | {"x": "1"}), "edits[0].x"),
                (new_change(0, {"landmark": self.nose, "state": "gone"}), "state"),
                (new_change(0, {"landmark": self.nose}), "edits[0].state"),
                (new_change(0, {"landmark": self.nose, "state": "visible"}), "edits[0].x"),
                (new_change("0", good), "base"),
                (new_change(0, good) | {"extra": 1}, "extra")):
            with self.subTest(change=change):
                self.refuse(400, "POST", self.path, change, said)
        self.assertEqual(self.client.get(self.path)["revision"], 0)

    def test_of_two_people_at_once_lose_no_click(self):
        """Each of two clients places its points one by one, and on a conflict looks and tries
        again; in the end every click is in the history once."""
        clicks, conflicts = 40, []

        def annotate(name, landmark):
            client = self.new_client()
            base = 0
            for i in range(clicks):
                change = new_change(base, visible(landmark, i, i), annotator=name)
                while True:
                    answer = client.request("POST", self.path, change)
                    if answer.status == 200:
                        base = answer.json()["revision"]
                        break
                    self.assertEqual(answer.status, 409)
                    conflicts.append(name)
                    change["base"] = answer.json()["current"]["revision"]

        people = [threading.Thread(target=annotate, args=who)
                  for who in (("Ada", self.nose), ("Bo", self.chin))]
        for person in people:
            person.start()
        for person in people:
            person.join()
        history = self.client.get(
            f"/v1/projects/{self.project}/images/{self.image}/history")["history"]
        for name in ("Ada", "Bo"):
            placed = [one["x"] for one in history if one["annotator"] == name]
            self.assertEqual(placed, list(range(clicks - 1, -1, -1)))
        self.assertGreater(len(conflicts), 0, "the two never met; the test shows nothing")


class SecondReadings(AnnotationTest):
    def test_are_kept_apart_and_compared(self):
        self.client.ask("POST", self.path, new_change(0, visible(self.nose, 10, 10),
                                                      visible(self.chin, 20, 30)))
        self.client.ask("POST", self.path, new_change(0, visible(self.nose, 13, 14), annotator="Bo",
                                                      reading=2))
        self.assertEqual(self.client.get(self.path)["points"][0]["x"], 10)
        self.assertEqual(self.client.get(self.path, reading=2)["points"][0]["x"], 13)
        people = self.client.get(f"/v1/projects/{self.project}/annotators")["annotators"]
        self.assertEqual(sorted(people), ["Ada", "Bo"])
        found = self.client.get(f"/v1/projects/{self.project}/comparison", first="Ada", second="Bo")
        self.assertEqual(found["pairs"][0]["distance"], 5)
        self.assertEqual(found["pairs"][0]["distance_mm"], 2.5)
        self.assertEqual(found["summary"], {"count": 1, "mean": 5, "median": 5, "p95": 5,
                                            "largest": 5, "mean_mm": 2.5})
        self.assertEqual(found["landmarks"][0]["landmark"], self.nose)

    def test_need_two_names_to_be_compared(self):
        self.refuse(400, "GET", f"/v1/projects/{self.project}/comparison", said="second",
                    first="Ada")
        self.refuse(400, "GET", self.path, said="reading", reading=3)


class Events(AnnotationTest):
    def read_events(self, count, path):
        """The first events of a stream, each as kind and data, after `ready` is set."""
        client = self.new_client(check=False)
        client.connection.request("GET", path)
        response = client.connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertEqual(response.headers["Content-Type"], "text/event-stream")
        self.assertEqual(response.readline(), b"retry: 1000\n")
        self.ready.set()
        found, kind = [], None
        while len(found) < count:
            line = response.readline().decode()
            if line.startswith("event: "):
                kind = line[7:].strip()
            elif line.startswith("data: "):
                found.append((kind, json.loads(line[6:])))
        self.found = found

    def test_tell_others_what_changed(self):
        self.ready = threading.Event()
        reader = threading.Thread(target=self.read_events,
                                  args=(3, f"/v1/events?project={self.project}"))
        reader.start()
        self.assertTrue(self.ready.wait(10))
        other = self.new_project("other")  # viewers of the first one do not hear of it
        change = new_change(0, visible(self.nose, 1, 2))
        revision = self.client.ask("POST", self.path, change)["revision"]
        self.client.ask("PATCH", f"/v1/projects/{self.project}", {"name": "new"})
        self.client.ask("PUT", f"/v1/projects/{self.project}/scheme",
                        {"revision": 1, "landmarks": [{"name": "x"}], "drop_points": True})
        reader.join(20)
        told = [one for one in self.found if one[0] in ("image", "project", "scheme")]
        self.assertEqual(told[0], ("image", {"project": self.project, "image": self.image,
                                             "revision": revision, "annotator": "Ada",
                                             "change": change["change"]}))
        self.assertNotIn(other, [one[1]["project"] for one in self.found])

    def test_of_projects_that_are_not_there_are_not_found(self):
        self.refuse(404, "GET", "/v1/events", project=99)
        self.refuse(400, "GET", "/v1/events", project="x")

    def test_end_when_the_server_stops(self):
        client = self.new_client(check=False)
        client.connection.request("GET", "/v1/events")
        response = client.connection.getresponse()
        self.assertEqual(self.server.stop(), 0)
        self.assertIn(b"retry", response.read())


if __name__ == "__main__":
    unittest.main()
