"""Who may ask, how much, how long: the studio answers nobody else."""

import os
import socket
import stat
import subprocess
import threading
import time
import unittest

import pixels
from support import PROGRAM, Client, StudioTest


def raw(port, data, timeout=15, half_close=False):
    """What the server answers to these bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(data)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionResetError:
            pass
        return answer


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer else None


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
        self.assertTrue(self.client.get("/v1/health")["login"])

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
        kept = cookie.split(";")[0]
        self.assertEqual(self.status("/", Cookie=kept), 200)
        gone = self.client.request("POST", "/logout", headers={"Cookie": kept})
        self.assertIn("Max-Age=0", gone.headers["Set-Cookie"])

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
                               *map(str, options)], capture_output=True, text=True, timeout=30,
                              check=False)

    def test_are_made_for_the_user_alone(self):
        path = self.folder / "token"
        self.start("--make-token", path, folder=self.folder / "x")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertRegex(path.read_text(), r"\A[0-9a-f]{48}\n\Z")
        again = self.serve("--make-token", path)
        self.assertEqual(again.returncode, 2)
        self.assertIn("is there already", again.stderr)

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


class Sizes(StudioTest):
    options = ("--max-upload", "1")

    def test_of_uploads_are_bounded(self):
        project = self.new_project()
        path = f"/v1/projects/{project}/images"
        answer = self.client.request("POST", path, bytes((1 << 20) + 1), name="a.png")
        self.assertEqual((answer.status, answer.json()["error"]["kind"]), (413, "too_large"))
        self.assertIn("--max-upload", answer.json()["error"]["message"])
        self.client.close()
        self.refuse(400, "POST", path, bytes(1 << 20), name="a.png")

    def test_of_bodies_are_bounded_before_they_come(self):
        for length in (b"99999999999", b"33554433", b"99999999999999999999999", b"-1", b"1x"):
            answer = raw(self.server.port, b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\n"
                         b"Content-Type: application/json\r\nContent-Length: " + length + b"\r\n\r\n")
            self.assertIn(status_of(answer), (400, 411, 413), length)
            self.assertNotIn(b"--max-upload", answer, "which bounds images alone")

    def test_of_heads_are_bounded(self):
        start = b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
        for data in (b"GET /" + b"a" * 100000, b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
                     start + b"X: " + b"b" * 20000 + b"\r\n\r\n",
                     start + b"".join(b"X%d: y\r\n" % i for i in range(20000)) + b"\r\n"):
            answer = raw(self.server.port, data)
            self.assertIn(status_of(answer), (None, 400, 414, 431))
        self.assertEqual(self.client.get("/v1/health")["status"], "ok")

    def test_that_contradict_themselves_are_refused(self):
        start = b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        smuggled = b"GET /v1/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for head in (b"Content-Length: 5\r\nContent-Length: 6\r\n", b"Transfer-Encoding: chunked\r\n",
                     b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
                     b"Content-Encoding: gzip\r\nContent-Length: 3\r\n"):
            answer = raw(self.server.port, start + head + b"\r\n0\r\n\r\n" + smuggled)
            self.assertEqual(answer.count(b"HTTP/1.1 "), 1, answer)
            self.assertEqual(status_of(answer), 411)

    def test_of_bodies_that_a_route_does_not_take_change_nothing(self):
        smuggled = b"DELETE /v1/projects/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        answer = raw(self.server.port, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(smuggled) + smuggled)
        self.assertEqual((status_of(answer), answer.count(b"HTTP/1.1 ")), (400, 1))


class Times(StudioTest):
    options = ("--timeout", "1", "--max-connections", "12")

    def cut_off_after(self, *pieces, pause=0.3):
        """Sends the pieces one by one; how long until the server closes."""
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)
                while connection.recv(65536):
                    pass
            except OSError:
                pass
        return time.monotonic() - start

    def test_of_heads_are_bounded_however_they_drip(self):
        letters = [bytes([letter]) for letter in b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n"]
        self.assertLess(self.cut_off_after(*letters), 10)
        headers = [b"X%d: y\r\n" % i for i in range(30)]
        taken = self.cut_off_after(b"GET / HTTP/1.1\r\nHost: localhost\r\n", *headers)
        self.assertLess(taken, 8)

    def test_of_heads_that_stop_are_bounded(self):
        self.assertLess(self.cut_off_after(b"GET / HTTP/1.1\r\nHo"), 4)

    def test_of_bodies_that_do_not_come_are_bounded(self):
        head = (b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 1000000\r\n\r\n{")
        taken = self.cut_off_after(head)
        self.assertLess(taken, 6)

    def test_of_clients_that_read_nothing_are_bounded(self):
        project = self.new_project()
        image = self.client.ask("POST", f"/v1/projects/{project}/images",
                                pixels.png(pixels.noise(900, 900)), 201, name="a.png")["id"]
        request = (f"GET /v1/projects/{project}/images/{image}/preview HTTP/1.1\r\n"
                   "Host: localhost\r\n\r\n").encode()
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", self.server.port))
            connection.sendall(request * 10)
            deadline = time.monotonic() + 60
            while self.open_connections() > 1 and time.monotonic() < deadline:
                time.sleep(0.5)
            self.assertEqual(self.open_connections(), 1)

    def open_connections(self):
        text = self.client.request("GET", "/v1/metrics").body.decode()
        return float(next(line for line in text.splitlines()
                          if line.startswith("caos_http_connections ")).split()[1])

    def test_of_connections_beyond_the_limit_are_no_time_at_all(self):
        self.client.get("/v1/health")
        idle = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(11)]
        try:
            time.sleep(0.3)
            answer = raw(self.server.port, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertEqual(status_of(answer), 503)
            self.assertIn(b"\"busy\"", answer)
            self.assertEqual(self.client.get("/v1/health")["status"], "ok")
        finally:
            for connection in idle:
                connection.close()
        time.sleep(0.3)
        other = Client(self.server.port)
        self.assertEqual(other.get("/v1/health")["status"], "ok")
        other.close()

    def test_of_events_leave_room_for_others(self):
        waiting, statuses = [], []
        for _ in range(8):
            client = Client(self.server.port, check=False)
            client.connection.request("GET", "/v1/events")
            response = client.connection.getresponse()
            waiting += [response, client]
            statuses.append(response.status)
        self.assertEqual(statuses, [200] * 6 + [503] * 2)
        self.assertEqual(self.client.get("/v1/health")["status"], "ok")
        for one in waiting:
            one.close()
        time.sleep(1.5)
        text = self.client.request("GET", "/v1/metrics").body.decode()
        self.assertIn("caos_event_clients 0\n", text)


class Ends(StudioTest):
    def test_wait_for_requests_that_were_begun(self):
        body = b'{"name": "last"}'
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as connection:
            connection.sendall(b"POST /v1/projects HTTP/1.1\r\nHost: localhost\r\n"
                               b"Content-Type: application/json\r\n"
                               b"Content-Length: %d\r\n\r\n" % len(body) + body[:5])
            time.sleep(0.3)
            ended = []
            stopper = threading.Thread(target=lambda: ended.append(self.server.stop()))
            stopper.start()
            time.sleep(0.3)
            self.assertEqual(ended, [])
            connection.sendall(body[5:])
            self.assertEqual(status_of(connection.recv(65536)), 201)
            stopper.join(20)
            self.assertEqual(ended, [0])
        again = self.new_client(self.start())
        self.assertEqual([one["name"] for one in again.get("/v1/projects")["projects"]], ["last"])

    def test_come_at_once_where_nobody_asks(self):
        self.client.get("/v1/health")  # and keeps its connection
        start = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - start, 5)


if __name__ == "__main__":
    unittest.main()
