"""The description of the API, the figures for Prometheus, the page, and the program's own options."""

import os
import re
import stat
import subprocess
import unittest

from studio_support import OPENAPI, PATIENCE, PROGRAM, StudioTest


class Description(StudioTest):
    def test_is_served_as_it_is(self):
        self.assertEqual(self.client.get("/v1/openapi.json"), OPENAPI)

    def test_knows_exactly_the_methods_of_each_path(self):
        for template, operations in OPENAPI["paths"].items():
            answer = self.client.request("OPTIONS", re.sub(r"\{\w+\}", "1", template))
            self.assertEqual(answer.status, 204, template)
            methods = set(answer.headers["Allow"].split(", ")) - {"OPTIONS", "HEAD"}
            self.assertEqual(methods, {method.upper() for method in operations}, template)

    def test_refers_to_nothing_that_is_not_there(self):
        def references(node):
            if isinstance(node, dict):
                if "$ref" in node:
                    yield node["$ref"]
                for child in node.values():
                    yield from references(child)
            elif isinstance(node, list):
                for child in node:
                    yield from references(child)

        for reference in references(OPENAPI):
            node = OPENAPI
            for key in reference.removeprefix("#/").split("/"):
                node = node[key]


class Figures(StudioTest):
    LINE = re.compile(r'[a-z_]+(\{([a-z]+="[^"]*",?)*\})? [-+0-9.e]+(inf|nan)?')

    def test_are_as_prometheus_reads_them(self):
        self.new_project()
        self.refuse(404, "GET", "/v1/projects/99")
        self.refuse(404, "GET", "/nothing")
        text = self.client.request("GET", "/v1/metrics").body.decode()
        described = set()
        for line in text.splitlines():
            if line.startswith("# "):
                described.add(line.split()[2])
                continue
            self.assertRegex(line, self.LINE)
            name = re.match("[a-z_]+", line).group()
            self.assertIn(re.sub("_(bucket|sum|count)$", "", name), described)
        for line in ('caos_http_requests_total{method="POST",route="/v1/projects",status="201"} 1',
                     'caos_http_requests_total{method="GET",route="/v1/projects/{p}",status="404"} 1',
                     'caos_http_requests_total{method="GET",route="other",status="404"} 1',
                     "caos_http_connections 1", "caos_annotations_stored_total 0",
                     "caos_event_clients 0"):
            self.assertIn(line + "\n", text)


class Page(StudioTest):
    def test_is_there_or_says_how_to_get_it(self):
        answer = self.client.request("GET", "/")
        self.assertEqual((answer.status, answer.type), (200, "text/html"))
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True,
                                 check=True).stdout
        if "without the studio's page" in version:
            self.assertIn(b"tools/setup", answer.body)
        else:
            self.assertIn(b"/studio.js", answer.body)
            self.assertIn("text/javascript",
                          self.client.request("GET", "/studio.js").headers["Content-Type"])
        self.assertNotRegex(answer.body, rb"https?://(?!www\.w3\.org)")

    def test_is_not_sent_again_to_who_has_it(self):
        tag = self.client.request("GET", "/").headers["ETag"]
        again = self.client.request("GET", "/", headers={"If-None-Match": tag})
        self.assertEqual((again.status, again.body), (304, b""))


class Program(StudioTest):
    def test_says_where_it_is(self):
        self.assertRegex(self.server.url, r"\Ahttp://127\.0\.0\.1:\d+/\Z")
        self.assertFalse(self.server.announced["login"])

    def test_shares_its_folder_with_no_other(self):
        other = subprocess.run([PROGRAM, "serve", "--data", str(self.folder / "data"), "--port", "0"],
                               capture_output=True, text=True, timeout=30 * PATIENCE, check=False)
        self.assertEqual(other.returncode, 2)
        self.assertRegex(other.stderr, r"\Acaos: [^\n]+\n\Z")

    def test_says_when_the_port_is_taken(self):
        other = subprocess.run([PROGRAM, "serve", "--data", str(self.folder / "b"), "--port",
                                str(self.server.port)], capture_output=True, text=True, timeout=30 * PATIENCE,
                               check=False)
        self.assertEqual(other.returncode, 1)
        self.assertIn("--port", other.stderr)

    def test_shows_the_demo_in_a_folder_of_the_user_alone(self):
        with subprocess.Popen([PROGRAM, "serve", "--demo", "--port", "0", "--quiet"],
                              env=os.environ | {"TMPDIR": str(self.folder)}, stdout=subprocess.PIPE,
                              text=True) as demo:
            told = demo.stdout.readline()
            demo.send_signal(2)
            self.assertEqual(demo.wait(60), 0)
        self.assertRegex(told, r"\AThe studio is at http://127\.0\.0\.1:\d+/\n\Z")
        folder, = self.folder.glob("caos-demo-*")
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        self.assertTrue((folder / "studio.sqlite").is_file())

    def test_ends_by_ctrl_c(self):
        self.server.process.send_signal(2)
        self.assertEqual(self.server.process.wait(20), 0)


if __name__ == "__main__":
    unittest.main()
