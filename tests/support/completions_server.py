"""A completions server in a few lines of Python, for models behind HTTP."""

import contextlib
import json
import re
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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


@contextlib.contextmanager
def running_server():
    """A server that answers until the end of the context. Its prompts are what it was sent, its host
    is where it is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.prompts = []
    server.host = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
