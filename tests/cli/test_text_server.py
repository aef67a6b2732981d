"""`caos text` with a model behind a completions server, which here is a few lines of Python."""

import json
import re
import threading
import unittest
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from text_support import TextTest

TRAIN = ["--train", "train.csv"]
KEY = "not-to-be-shown"
PROBE = "The sun rises in the east."


def tokens_of(text):
    return ["<s>", *re.findall(r"\s?\S+|\s", text)]


def log_probability(tokens, t):
    """Any function of what stands before and at a token."""
    return -(zlib.crc32("".join(tokens[:t + 1]).encode()) % 1000) / 100


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else headers and body, written apart, wait for each other

    def log_message(self, *_):
        pass

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        if self.path == "/v1/models":
            self.answer(200, {"data": [{"id": "words"}]})
        else:
            self.answer(404, {"error": "no such page"})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.prompts.append(request["prompt"])
        if self.headers["Authorization"] != f"Bearer {KEY}":
            self.answer(401, {"error": {"message": f"wrong key {self.headers['Authorization']}"}})
            return
        tokens = tokens_of(request["prompt"])
        values = [None, *(log_probability(tokens, t) for t in range(1, len(tokens)))]
        self.answer(200, {"choices": [{"logprobs": {"tokens": tokens, "token_logprobs": values}}]})


class AServerAsTheModel(TextTest):
    def setUp(self):
        super().setUp()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.prompts = []
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.write("key.txt", KEY + "\n")
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.model = ["--model", f"server:http://{self.host}", "--key-file", "key.txt"]

    def test_scores_once_and_predicts(self):
        run = self.succeed("text", "calibrate", *TRAIN, *self.model, "--store", "scores", "--out",
                           "model.caos")
        self.assertIn(f"texts and labels are sent to {self.host}", run.err)
        asked = len(self.server.prompts)
        self.assertEqual(asked, 1 + 24 * 23 * 4)  # the probe, and each pair without and with labels
        found = self.json("text", "evaluate", *TRAIN, *self.model, "--store", "scores")
        self.assertEqual(found["pairs_computed"], 0)
        self.assertEqual(self.server.prompts[asked:], [PROBE])
        rows = self.predict("--key-file", "key.txt", "--quiet", "--alpha", "0.2")
        self.assertEqual(len(rows), len(self.new))

    def test_has_as_much_context_as_is_said(self):
        found = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--context", 70)
        self.assertIn("context 70", found["model_description"])
        self.assertGreater(found["shortened"], 0)
        whole = self.json("text", "score", *TRAIN, *self.model, "--out", "scores")
        self.assertEqual(whole["shortened"], 0)
        self.assertNotEqual(whole["store"], found["store"])

    def test_gets_no_text_in_a_dry_run(self):
        found = self.json("text", "score", *TRAIN, *self.model, "--out", "scores", "--dry-run")
        self.assertIsNone(found["shortened"])
        self.assertEqual(found["sent_to"], self.host)
        self.assertEqual(found["requests"], 24 * 23 * 4)
        self.assertIsNone(found["estimated_seconds"])
        self.assertEqual(self.server.prompts, [PROBE])

    def test_keeps_its_key_out_of_everything(self):
        self.calibrate(*self.model, "--store", "scores")
        self.write("key.txt", KEY + "-wrong\n")
        message = self.refuse(1, ["text", "predict", "model.caos", "new.csv", "--quiet",
                                  "--key-file", "key.txt"], "401", "wrong key Bearer (key)")
        self.assertNotIn(KEY, message)
        (self.folder / "key.txt").unlink()
        for name, content in self.files().items():
            self.assertNotIn(KEY.encode(), content, name)


if __name__ == "__main__":
    unittest.main()
