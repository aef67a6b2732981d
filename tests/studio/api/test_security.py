"""Access: the studio answers permitted clients only."""

import os
import shutil
import stat
import subprocess
import time
import unittest

from raw_requests import raw, status_of
from studio_support import PATIENCE, PROGRAM, StudioTest


class Hosts(StudioTest):
    def test_of_other_names_are_refused(self):
        for host in ("evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example",
                     "evil.example:8474", "[::1].evil", "127.0.0.2", "", "localhost@evil.example"):
            with self.subTest(host=host):
                answer = self.client.request("GET", "/v1/projects", headers={"Host": host})
                self.assertIn(answer.status, (400, 403))

    def test_of_this_machine_are_taken_with_any_port(self):
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]:8474", "[::1]"):
            self.assertEqual(
                self.client.request("GET", "/v1/projects", headers={"Host": host}).status, 200)

    def test_that_are_missing_or_given_twice_are_refused(self):
        for head in (b"", b"Host: localhost\r\nHost: localhost\r\n"):
            answer = raw(self.server.port, b"GET /v1/projects HTTP/1.1\r\n" + head
                         + b"Connection: close\r\n\r\n")
            self.assertEqual(status_of(answer), 400)

    def test_that_are_allowed_are_taken(self):
        server = self.start("--allow-host", "studio.lab", folder=self.folder / "other")
        client = self.new_client(server)
        for host, status in (("studio.lab", 200), ("Studio.Lab:99", 200), ("other.lab", 403)):
            self.assertEqual(client.request("GET", "/v1/projects", headers={"Host": host}).status,
                             status)


class Origins(StudioTest):
    def ask(self, method="POST", path="/v1/projects", **headers):
        names = {"origin": "Origin", "site": "Sec-Fetch-Site"}
        body = {"name": "x"} if method == "POST" else None
        return self.client.request(method, path, body,
                                   {names[key]: value for key, value in headers.items()}).status

    def test_of_other_sites_are_refused(self):
        port = self.server.port
        for origin in ("http://evil.example", "null", f"http://localhost:{port + 1}",
                       f"http://localhost:{port}", "http://127.0.0.1", "file://"):
            self.assertEqual(self.ask(origin=origin), 403, origin)
            self.assertEqual(self.ask("GET", origin=origin), 403, origin)
        for site in ("cross-site", "same-site"):
            self.assertEqual(self.ask(site=site), 403)
            self.assertEqual(self.ask("GET", site=site), 403)
            self.assertEqual(self.ask("DELETE", "/v1/projects/1", site=site), 403)
        self.assertEqual(self.client.get("/v1/projects")["projects"], [])

    def test_of_this_page_are_taken(self):
        here = f"http://127.0.0.1:{self.server.port}"
        self.assertEqual(self.ask(origin=here, site="same-origin"), 201)
        self.assertEqual(self.ask("GET", site="none"), 200)

    def test_may_link_to_the_page_but_to_nothing_else(self):
        self.assertEqual(self.ask("GET", "/", site="cross-site"), 200)
        self.assertEqual(self.ask("GET", "/v1/health", site="cross-site"), 403)

    def test_get_no_leave_from_a_preflight(self):
        answer = self.client.request("OPTIONS", "/v1/projects")
        self.assertEqual(answer.status, 204)
        self.assertEqual(answer.headers["Allow"], "OPTIONS, GET, HEAD, POST")
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)


class Headers(StudioTest):
    def test_protect_every_answer(self):
        for method, path in (("GET", "/"), ("GET", "/v1/projects"), ("GET", "/nothing"),
                             ("POST", "/v1/projects"), ("GET", "/v1/projects/9/images/9/preview"),
                             ("DELETE", "/v1/health"), ("GET", "/studio.js")):
            headers = self.client.request(method, path).headers
            policy = headers["Content-Security-Policy"]
            for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'",
                         "base-uri 'none'", "form-action 'self'", "connect-src 'self'"):
                self.assertIn(part, policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertEqual(headers["Cross-Origin-Opener-Policy"], "same-origin")
            self.assertIn(headers["Cache-Control"], ("no-store", "no-cache"))
            self.assertNotIn("Server", headers)

    def test_of_methods_that_a_path_does_not_know(self):
        answer = self.client.request("PUT", "/v1/projects", {})
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "OPTIONS, GET, HEAD, POST"))
        for method in (b"TRACE", b"CONNECT", b"FOO"):
            answer = raw(self.server.port, method + b" /v1/health HTTP/1.1\r\nHost: localhost\r\n"
                         b"Connection: close\r\n\r\n")
            self.assertIn(status_of(answer), (400, 405))
            self.assertNotIn(b"FOO", answer)

    def test_of_head_are_those_of_get(self):
        get, head = (self.client.request(method, "/v1/health") for method in ("GET", "HEAD"))
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertEqual(head.headers["Content-Length"], str(len(get.body)))


class Paths(StudioTest):
    def test_reach_no_files(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                     "//etc/passwd", "/studio.sqlite", "/v1/../studio.sqlite", "/images/",
                     "/v1/projects/../../studio.sqlite", "/%00", "/studio.js/../../x", "/\\..\\x",
                     "/v1/projects/1/images/..%2f..%2fstudio.sqlite/preview"):
            with self.subTest(path=path):
                answer = raw(self.server.port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
                             "Connection: close\r\n\r\n".encode())
                self.assertEqual(status_of(answer), 404)
                self.assertNotIn(b"root:", answer)
                self.assertNotIn(b"SQLite", answer)


class Errors(StudioTest):
    def test_do_not_tell_where_the_data_are(self):
        folder = self.server.folder
        shutil.rmtree(folder / "tmp")
        answer = self.client.request("POST", "/v1/restore", b"x" * 100)
        self.assertEqual(answer.status, 500)
        self.assertIn("the data folder/tmp", answer.json()["error"]["message"])
        project = self.new_project()
        image = self.add_image(project)
        shutil.rmtree(folder / "images")
        preview = self.client.request("GET", f"/v1/projects/{project}/images/{image}/preview")
        self.assertGreaterEqual(preview.status, 400)
        for one in (answer, preview):
            self.assertNotIn(str(folder).encode(), one.body)


class Tokens(StudioTest):
    TOKEN = "abcdefghij0123456789-_"

    def start(self, *options, **more):
        self.token_file = self.folder / "token"
        self.token_file.write_text(self.TOKEN + "\n")
        return super().start("--token-file", self.token_file, *options, **more)

    def status(self, path="/v1/projects", **headers):
        return self.client.request("GET", path, headers=headers).status

    def test_are_asked_for(self):
        self.assertEqual(self.status(), 401)
        self.assertEqual(self.status("/v1/events"), 401)
        self.assertEqual(self.status("/v1/metrics"), 401)
        self.assertEqual(self.status("/studio.js"), 401)
        for wrong in ("Bearer " + self.TOKEN[:-1], "Bearer " + self.TOKEN + "x", "Bearer",
                      "Basic " + self.TOKEN, self.TOKEN, "Bearer " + self.TOKEN.upper()):
            self.assertEqual(self.status(Authorization=wrong), 401, wrong)
        for wrong in ("caos_token=", "caos_token=x", "x=" + self.TOKEN, "caos_tokenx=" + self.TOKEN):
            self.assertEqual(self.status(Cookie=wrong), 401, wrong)
        self.assertEqual(self.status(Authorization="Bearer " + self.TOKEN), 200)
        self.assertEqual(self.status(Cookie=f"a=b; caos_token={self.TOKEN}; c=d"), 200)

    def test_are_needed_to_learn_what_runs_here(self):
        self.assertEqual(self.client.get("/v1/health"), {"status": "ok", "login": True})
        self.assertEqual(self.status("/v1/health", Authorization="Bearer wrong"), 200)
        known = self.client.request("GET", "/v1/health",
                                    headers={"Authorization": "Bearer " + self.TOKEN}).json()
        self.assertEqual(known["backbone"], "builtin-2")
        self.assertIn("version", known)

    def test_become_a_cookie_that_scripts_cannot_read(self):
        page = self.client.request("GET", "/")
        self.assertEqual((page.status, page.headers["Location"]), (303, "/login"))
        form = self.client.request("GET", "/login")
        self.assertIn(b"<form method=\"post\"", form.body)
        self.assertNotIn(b"<script", form.body)
        self.assertEqual(form.headers["Referrer-Policy"], "same-origin")
        plain = {"Content-Type": "application/x-www-form-urlencoded"}
        wrong = self.client.request("POST", "/login", b"token=nonsense", plain)
        self.assertEqual(wrong.status, 401)
        self.assertNotIn("Set-Cookie", wrong.headers)
        here = {"Origin": f"http://127.0.0.1:{self.server.port}"}
        right = self.client.request("POST", "/login", f"token={self.TOKEN}".encode(), plain | here)
        self.assertEqual((right.status, right.headers["Location"]), (303, "/"))
        cookie = right.headers["Set-Cookie"]
        for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(part, cookie)
        self.assertNotIn("Secure", cookie)
        kept = cookie.split(";")[0]
        self.assertEqual(self.status("/", Cookie=kept), 200)
        gone = self.client.request("POST", "/logout", headers={"Cookie": kept})
        self.assertIn("Max-Age=0", gone.headers["Set-Cookie"])

    def test_stay_encrypted_behind_a_proxy_that_encrypts(self):
        answer = self.client.request("POST", "/login", f"token={self.TOKEN}".encode(), {
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": f"https://127.0.0.1:{self.server.port}"})
        self.assertEqual(answer.status, 303)
        self.assertIn("; Secure", answer.headers["Set-Cookie"])

    def test_from_other_sites_do_not_log_in(self):
        answer = self.client.request("POST", "/login", f"token={self.TOKEN}".encode(), {
            "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://evil.example"})
        self.assertEqual(answer.status, 403)

    def test_that_are_wrong_cost_time_but_not_that_of_others(self):
        start = time.monotonic()
        self.assertEqual(self.status(Authorization="Bearer wrong"), 401)
        self.assertGreater(time.monotonic() - start, 0.25)
        start = time.monotonic()
        self.assertEqual(self.status(Authorization="Bearer " + self.TOKEN), 200)
        self.assertLess(time.monotonic() - start, 0.25)

    def test_let_others_reach_the_studio_with_a_warning(self):
        server = self.start("--address", "0.0.0.0", folder=self.folder / "open")
        client = self.new_client(server, headers={"Authorization": "Bearer " + self.TOKEN})
        self.assertEqual(client.request("GET", "/v1/projects").status, 200)
        self.assertEqual(server.stop(), 0)
        self.assertIn("TLS", server.talk)


class TokenFiles(StudioTest):
    def serve(self, *options):
        return subprocess.run([PROGRAM, "serve", "--data", str(self.folder / "x"), "--port", "0",
                               *map(str, options)], capture_output=True, text=True, timeout=30 * PATIENCE,
                              check=False)

    def test_are_made_for_the_user_alone(self):
        path = self.folder / "token"
        self.start("--make-token", path, folder=self.folder / "x")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertRegex(path.read_text(), r"\A[0-9a-f]{48}\n\Z")
        again = self.serve("--make-token", path)
        self.assertEqual(again.returncode, 2)
        self.assertIn("already exists", again.stderr)

    def test_that_can_be_guessed_are_refused(self):
        path = self.folder / "token"
        for text in ("", "short", "with spaces in it, far too long", "x" * 15):
            path.write_text(text)
            refused = self.serve("--token-file", path)
            self.assertEqual(refused.returncode, 2, text)
            self.assertIn("16", refused.stderr)
        self.assertEqual(self.serve("--token-file", self.folder / "none").returncode, 1)

    def test_are_needed_where_others_can_come(self):
        for address in ("0.0.0.0", "::", "192.168.1.1"):
            refused = self.serve("--address", address)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("token", refused.stderr)


if __name__ == "__main__":
    unittest.main()
