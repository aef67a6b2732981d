"""Servers and programs that stall, lie or die: an error in bounded time, and all scores stay."""

import json
import socket
import sys
import threading
import time
import unittest

from fault_support import ROUNDS, Disturbed, TextTest, completions_server, tried

SECONDS = 1  # that an answer may take
BOUND = 20   # in which all must end, on a busy machine


class Unruly(completions_server.Handler):
    """Answers well until it has had `server.good` prompts, and then as `server.way` says."""

    def do_POST(self):
        if len(self.server.prompts) < self.server.good:
            super().do_POST()
            return
        self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
        try:
            getattr(self, self.server.way)()
        except OSError:
            pass  # the client has given up, as it should

    def pieces(self, piece, pause):
        while not self.server.over.wait(pause):
            self.wfile.write(piece)

    def head(self, length=None):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        if length is not None:
            self.wfile.write(b"Content-Length: %d\r\n" % length)
        self.wfile.write(b"\r\n")

    def never_answers(self):
        self.server.over.wait(60)

    def drips_its_head(self):
        self.pieces(b"H", 0.2)

    def sends_headers_without_end(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        self.pieces(b"X-More: of this\r\n", 0.05)

    def drips_its_body(self):
        self.head(100000)
        self.pieces(b" ", 0.2)

    def drips_a_body_without_length(self):
        self.head()
        self.pieces(b" ", 0.2)

    def sends_a_body_without_end(self):
        self.head()
        self.pieces(b" " * 65536, 0)

    def closes_midway(self):
        self.head(100000)
        self.wfile.write(b'{"choices": [')

    def says_a_wrong_length(self):
        self.head(7)
        self.wfile.write(b'{"choices": []}')

    def answers_invalid_data(self):
        self.head(4)
        self.wfile.write(b"\xff\x00{]")


WAYS = ("never_answers", "drips_its_head", "sends_headers_without_end", "drips_its_body",
        "drips_a_body_without_length", "sends_a_body_without_end", "closes_midway",
        "says_a_wrong_length", "answers_invalid_data")


class Servers(Disturbed, TextTest):
    def setUp(self):
        super().setUp()
        running = completions_server.running_server()
        self.server = running.__enter__()
        self.addCleanup(running.__exit__, None, None, None)
        self.server.RequestHandlerClass = Unruly
        self.server.over = threading.Event()
        self.addCleanup(self.server.over.set)
        self.write("key.txt", completions_server.KEY + "\n")
        self.score = ["text", "score", "--train", "train.csv", "--model",
                      f"server:http://{self.server.host}", "--key-file", "key.txt", "--timeout",
                      SECONDS, "--retries", 0, "--out", "store"]

    def stored(self):
        self.server.good = 1 << 30
        return self.json(*self.score, "--dry-run")["pairs_in_store"]

    def test_that_stall_or_lie_end_the_run_soon_and_what_was_scored_stays(self):
        before = 0
        for number, way in enumerate(WAYS * ROUNDS):
            if number % len(WAYS) == 0:  # nothing is left to ask for a full store
                self.score[-1] = f"store-{number}"
                before = 0
            with self.subTest(way=way):
                self.server.way = way
                # Enough for two or three references and their texts more than the last time.
                self.server.good = len(self.server.prompts) + 250
                began = time.monotonic()
                run = self.run_caos(*self.score)
                took = time.monotonic() - began
                now = self.stored()
                tried("server: " + way.replace("_", " "), refused=run.code != 0,
                      lost=max(0, before - now))
                self.assertGreaterEqual(now, before)
                before = now
                self.check_failure(run, self.server.host)
                self.assertLess(took, BOUND)
        self.server.good = 1 << 30
        self.score[self.score.index("--timeout") + 1] = 60  # this server is merely slow, on a busy machine
        self.succeed(*self.score)

    def test_that_are_gone_are_named(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        run = self.run_caos("text", "score", "--train", "train.csv", "--model",
                            f"server:http://127.0.0.1:{port}", "--out", "store")
        tried("server: is not there", refused=run.code != 0)
        self.check_failure(run, f"127.0.0.1:{port}", "is the server running")

    def test_that_accept_and_never_answer_are_left(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            host = f"127.0.0.1:{listener.getsockname()[1]}"
            began = time.monotonic()
            run = self.run_caos("text", "score", "--train", "train.csv", "--model",
                                f"server:http://{host}", "--timeout", 1, "--retries", 1, "--out",
                                "store")
            tried("server: accepts and is silent", refused=run.code != 0)
            self.check_failure(run, host, "no answer within 1 s")
            self.assertLess(time.monotonic() - began, BOUND)


MODEL = """
import json, sys, time, os
number = 0
def say(value):
    print(json.dumps(value), flush=True)
sys.stdin.readline()
say({"name": "faulty", "version": "1"})
for line in sys.stdin:
    asked = json.loads(line)
    number += 1
    if number > int(sys.argv[1]):
        exec(sys.argv[2])
    say({"id": asked["id"], "log_likelihoods": [-1.0, -2.0, -3.0]})
"""


class Commands(Disturbed, TextTest):
    def setUp(self):
        super().setUp()
        self.write("model.py", MODEL)

    def score(self, good, fault, *more):
        """The command is the same each time, or the store would be another; what it does is in
        `model.sh`."""
        self.write("model.sh", "exec " + " ".join(
            [sys.executable, "model.py", str(good), "'" + fault.replace("'", '"') + "'"]) + "\n")
        return self.run_caos("text", "score", "--train", "train.csv", "--model",
                             "command:sh model.sh", "--out", "store", *more)

    def test_that_die_hang_or_write_invalid_data_are_named_and_what_was_scored_stays(self):
        before = 0
        for fault, said in (("os._exit(3)", "status 3"), ("os.kill(os.getpid(), 9)", "137"),
                            ("print(\"{]\", flush=True)", "not a JSON object"),
                            ("say({\"id\": asked[\"id\"], \"log_likelihoods\": [1, 2, 3]})",
                             "not a log-likelihood"),
                            ("time.sleep(60)", "no answer within 10 s")):
            more = ["--timeout", 1] if "sleep" in fault else []
            began = time.monotonic()
            run = self.score(100, fault, *more)
            now = json.loads(self.score(1 << 30, "0", "--dry-run", "--json").out)["pairs_in_store"]
            tried("command: dies, hangs or writes invalid data", refused=run.code != 0,
                  lost=max(0, before - now))
            self.check_failure(run, "sh model.sh", said)
            self.assertLess(time.monotonic() - began, 10 + BOUND)
            self.assertGreaterEqual(now, before)
            before = now
        self.assertGreater(before, 0)
        self.assertEqual(self.score(1 << 30, "0").code, 0)


if __name__ == "__main__":
    unittest.main()
