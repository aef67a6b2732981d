"""Limits of size, number and time: no client blocks the studio for others."""

import socket
import threading
import time
import unittest

import pixels
from raw_requests import raw, status_of
from studio_support import PATIENCE, Client, StudioTest


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

    def test_of_nesting_are_bounded(self):
        for deep in (b'{"name":' * 100000, b'{"name":' + b"[" * 100000 + b"]" * 100000 + b"}"):
            answer = self.client.request("POST", "/v1/projects", deep,
                                         headers={"Content-Type": "application/json"})
            self.assertEqual(answer.status, 400)
            self.assertIn("nested too deeply", answer.json()["error"]["message"])

    def test_of_forms_in_many_parts_are_refused_whole(self):
        body = (b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n'
                b"Content-Type: image/png\r\n\r\nbytes\r\n--x--\r\n")
        project = self.new_project()
        for path in (f"/v1/projects/{project}/images", "/v1/restore", "/v1/projects"):
            for kind in ("multipart/form-data; boundary=x", "multipart/form-data",
                         "multipart/form-data; boundary=" + "x" * 5000, "multipart/mixed"):
                answer = self.client.request("POST", path, body,
                                             headers={"Content-Type": kind})
                self.assertEqual(answer.status, 415, (path, kind))

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
            self.wait_for_connections(2)
            self.wait_for_connections(1)

    def wait_for_connections(self, count):
        deadline = time.monotonic() + 60 * PATIENCE
        while self.open_connections() != count and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.open_connections(), count)

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

    def test_come_at_once_without_other_requests(self):
        self.client.get("/v1/health")  # and keeps its connection
        start = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - start, 5)


if __name__ == "__main__":
    unittest.main()
