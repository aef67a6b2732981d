"""Projects, schemes and images: what works, and what is refused and why."""

import unittest

import pixels
from studio_support import StudioTest, new_change, visible


class Projects(StudioTest):
    def test_are_made_shown_changed_and_deleted(self):
        self.assertEqual(self.client.get("/v1/projects"), {"projects": []})
        made = self.client.ask("POST", "/v1/projects",
                               {"name": "wings", "settings": {"k": 5, "alpha": "0.05"}}, 201)
        self.assertEqual(made["settings"]["k"], 5)
        self.assertEqual(made["settings"]["alpha"], "0.05")
        self.assertEqual(made["settings"]["score"], "geometry")
        path = f"/v1/projects/{made['id']}"
        self.assertEqual(self.client.get(path), made)
        changed = self.client.ask("PATCH", path, {"name": "flies", "settings": {"mm_per_pixel": 0.5}})
        self.assertEqual((changed["name"], changed["settings"]["mm_per_pixel"]), ("flies", 0.5))
        self.assertEqual(changed["settings"]["k"], 5)
        again = self.client.ask("PATCH", path, {"settings": {"mm_per_pixel": None}})
        self.assertIsNone(again["settings"]["mm_per_pixel"])
        self.client.ask("DELETE", path, status=204)
        self.refuse(404, "GET", path, kind="not_found")
        self.refuse(404, "DELETE", path)

    def test_keep_names_that_look_like_markup_as_they_are(self):
        name = "<script>alert(1)</script> & \"quotes\" \u2603"
        made = self.client.ask("POST", "/v1/projects", {"name": name}, 201)
        self.assertEqual(self.client.get(f"/v1/projects/{made['id']}")["name"], name)

    def test_are_refused_where_the_body_is_wrong_with_the_key_named(self):
        for body, said in (({}, "name is missing"), ({"name": 3}, "name must be a text"),
                           ({"name": "x", "shade": 1}, "shade is not known"),
                           ({"name": "x", "settings": []}, "settings must be an object"),
                           ({"name": "x", "settings": {"k": "3"}}, "settings.k"),
                           ({"name": "x", "settings": {"k": 0}}, "settings.k"),
                           ({"name": "x", "settings": {"alpha": 0.1}}, "settings.alpha"),
                           ({"name": "x", "settings": {"alpha": "2"}}, "alpha"),
                           ({"name": "x", "settings": {"kk": 1}}, "settings.kk is not known"),
                           ({"name": ""}, "name"), ([], "must be an object")):
            with self.subTest(body=body):
                self.refuse(400, "POST", "/v1/projects", body, said, kind="invalid_input")
        self.assertEqual(self.client.get("/v1/projects"), {"projects": []})

    def test_are_refused_where_the_body_is_not_json(self):
        for body in (b"", b"{", b"{\"name\": NaN}", b"\xff\xfe", b"{\"name\": \"\xff\"}",
                     b"[" * 100000, b"{\"name\": 1e999}"):
            with self.subTest(body=body[:20]):
                answer = self.client.request("POST", "/v1/projects", body,
                                             {"Content-Type": "application/json"})
                self.assertEqual(answer.status, 400)
                self.assertEqual(answer.json()["error"]["kind"], "bad_format")

    def test_need_the_type_of_json(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            answer = self.client.request("POST", "/v1/projects", b"{\"name\": \"x\"}",
                                         {"Content-Type": kind})
            self.assertEqual(answer.status, 415)

    def test_have_numbers(self):
        for number in ("0", "-1", "99", "abc", "1e3", "%31x", "..", "9" * 30):
            self.refuse(404, "GET", f"/v1/projects/{number}", kind="not_found")


class Schemes(StudioTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project(landmarks=["nose", "left eye", "right eye"])
        self.path = f"/v1/projects/{self.project}/scheme"

    def test_keep_landmarks_that_have_their_number(self):
        scheme = self.client.get(self.path)
        nose, left, right = scheme["landmarks"]
        self.assertRegex(nose["color"], "^#[0-9a-f]{6}$")
        changed = self.client.ask("PUT", self.path, {
            "revision": scheme["revision"],
            "landmarks": [{"id": right["id"], "name": "right", "pair": "left", "color": "#0072b2"},
                          {"id": left["id"], "name": "left", "pair": "right"}, {"name": "chin"}]})
        self.assertEqual([one["name"] for one in changed["landmarks"]], ["right", "left", "chin"])
        self.assertEqual(changed["landmarks"][0]["id"], right["id"])
        self.assertGreater(changed["revision"], scheme["revision"])

    def test_of_another_revision_are_a_conflict(self):
        before = self.client.get(self.path)
        body = {"revision": before["revision"], "landmarks": [{"name": "one"}]}
        self.client.ask("PUT", self.path, body)
        answer = self.refuse(409, "PUT", self.path, body, kind="conflict")
        self.assertEqual(answer["current"], self.client.get(self.path))

    def test_that_would_lose_points_are_a_conflict_until_that_is_wanted(self):
        image = self.add_image(self.project)
        scheme = self.client.get(self.path)
        nose = scheme["landmarks"][0]["id"]
        self.client.ask("POST", self.annotations(self.project, image),
                        new_change(0, visible(nose, 1, 2)))
        body = {"revision": scheme["revision"], "landmarks": scheme["landmarks"][1:]}
        answer = self.refuse(409, "PUT", self.path, body, "1 point", kind="conflict")
        self.assertEqual(answer["points"], 1)
        self.client.ask("PUT", self.path, body | {"drop_points": True})
        self.assertEqual(self.client.get(self.annotations(self.project, image))["points"], [])

    def test_that_are_wrong_are_refused(self):
        revision = self.client.get(self.path)["revision"]
        for landmarks, said in (([{"name": "a"}, {"name": "a"}], "a"), ([{}], "landmarks[0].name"),
                                ([{"name": "a", "color": "red"}], "color"), ("a", "landmarks"),
                                ([{"name": "a", "id": 999}], "999"),
                                ([{"name": "a", "nick": "b"}], "landmarks[0].nick")):
            with self.subTest(landmarks=landmarks):
                self.refuse(400, "PUT", self.path, {"revision": revision, "landmarks": landmarks},
                            said)


class Images(StudioTest):
    def setUp(self):
        super().setUp()
        self.project = self.new_project(landmarks=["nose"])
        self.path = f"/v1/projects/{self.project}/images"

    def test_are_added_shown_changed_and_deleted(self):
        made = self.client.ask("POST", self.path, pixels.png(pixels.noise(60, 40)), 201,
                               name="a b\u00e9.png", subject="s1", mm_per_pixel="0.25")
        self.assertEqual((made["name"], made["width"], made["height"]), ("a b\u00e9.png", 60, 40))
        self.assertEqual((made["subject"], made["mm_per_pixel"]), ("s1", 0.25))
        path = f"{self.path}/{made['id']}"
        self.assertEqual(self.client.get(self.path)["images"], [made])
        self.assertEqual(self.client.get(path), made)
        changed = self.client.ask("PATCH", path, {"subject": None})
        self.assertEqual((changed["subject"], changed["mm_per_pixel"]), (None, 0.25))
        self.client.ask("DELETE", path, status=204)
        self.assertEqual(self.client.get(self.path)["images"], [])
        self.refuse(404, "GET", path)
        self.refuse(404, "GET", path + "/preview")

    def test_of_a_name_or_content_that_is_there_are_a_conflict(self):
        first = self.add_image(self.project, "a.png", seed=1)
        same = pixels.png(pixels.noise(64, 48, 1))
        other = pixels.png(pixels.noise(64, 48, 2))
        self.assertEqual(self.refuse(409, "POST", self.path, same, name="b.png")["image"], first)
        self.assertEqual(self.refuse(409, "POST", self.path, other, name="a.png")["image"], first)

    def test_that_are_none_are_refused_with_a_reason(self):
        whole = pixels.png(pixels.noise(64, 48, 1))
        bomb = (whole[:16] + (100000).to_bytes(4, "big") * 2 + whole[24:])
        for data in (b"", b"hello", b"<svg xmlns='http://www.w3.org/2000/svg'/>", whole[:100],
                     whole[:-20], bomb, b"GIF89a" + b"\0" * 100, b"%PDF-1.4"):
            with self.subTest(data=data[:10]):
                answer = self.refuse(400, "POST", self.path, data, name="x.png")
                self.assertIn(answer["error"]["kind"], ("bad_format", "invalid_input"))
        self.assertEqual(self.client.get(self.path)["images"], [])

    def test_need_names_of_files(self):
        data = pixels.png(pixels.noise(8, 8))
        for name in ("", "../../etc/passwd", "/etc/passwd", "a\0b.png", "a\nb.png", "x" * 300):
            with self.subTest(name=name):
                answer = self.client.request("POST", self.path, data, name=name)
                self.assertIn(answer.status, (201, 400))
                if answer.status == 201:
                    self.assertNotIn("/", answer.json()["name"])
        self.refuse(400, "POST", self.path, data, "name is missing")
        self.refuse(400, "POST", self.path, data, "mm_per_pixel", name="a.png", mm_per_pixel="wide")
        self.refuse(400, "POST", self.path, data, "surprise", name="a.png", surprise="1")

    def test_of_other_projects_are_not_found(self):
        image = self.add_image(self.project)
        other = self.new_project("other")
        for path in ("", "/preview", "/annotations", "/history", "/regions"):
            self.refuse(404, "GET", f"/v1/projects/{other}/images/{image}{path}")


if __name__ == "__main__":
    unittest.main()
