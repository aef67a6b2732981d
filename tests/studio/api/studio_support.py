"""A real server on a port of its own, in a folder of its own, and a client that holds every answer
against openapi.json."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import uuid
from pathlib import Path

import jsonschema

import pixels

PROGRAM = os.environ.get("CAOS_PROGRAM", "")
if not PROGRAM:
    raise RuntimeError("set CAOS_PROGRAM to the program to be tested: build/release/caos")

# How many times longer than usual things may take, as under sanitizers.
PATIENCE = int(os.environ.get("CAOS_PATIENCE", "1"))

OPENAPI = json.loads((Path(__file__).parents[3] / "apps/studio/routes/openapi.json").read_text())


class Server:
    """`caos serve` as a process; `kill` is what a power cut does to a program."""

    def __init__(self, folder, *options, wrapper=(), port=0):
        self.folder = Path(folder)
        self.process = subprocess.Popen(
            [*wrapper, PROGRAM, "serve", "--data", str(folder), "--port", str(port), "--json",
             *map(str, options)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Pretty-printed: the object ends with a line of its own.
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "}\n":
                break
        if not text:
            raise RuntimeError(f"the server did not start: {self.process.stderr.read()}")
        self.announced = json.loads(text)
        self.url = self.announced["url"]
        self.port = urllib.parse.urlsplit(self.url).port
        self.talk = ""
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()

    def _listen(self):
        for line in self.process.stderr:
            self.talk += line

    def stop(self):
        """Asks it to end, and gives its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def kill(self):
        self.process.kill()  # does nothing to one that has ended
        return self._ended()

    def _ended(self):
        code = self.process.wait(timeout=60 * PATIENCE)
        self.listener.join(timeout=10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def type(self):
        return self.headers.get("Content-Type", "").split(";")[0]

    def json(self):
        return json.loads(self.body)


def template_of(path):
    """The path of openapi.json that an address belongs to."""
    for template in OPENAPI["paths"]:
        if re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", template), path):
            return template
    return None


def resolve(node):
    if "$ref" not in node:
        return node
    found = OPENAPI
    for key in node["$ref"].removeprefix("#/").split("/"):
        found = found[key]
    return found


def check_answer(method, path, answer):
    """Holds an answer against its description: status, type and schema."""
    template = template_of(path)
    operation = OPENAPI["paths"].get(template, {}).get(method.lower().replace("head", "get"))
    if operation is None:
        described = resolve({"$ref": "#/components/responses/Refused"})
    else:
        default = operation["responses"]["default"] if answer.status >= 400 else None
        described = operation["responses"].get(str(answer.status), default)
        if described is None and answer.status in (204, 303, 304):
            return
        assert described is not None, f"{method} {path}: {answer.status} is not described"
    content = resolve(described).get("content", {})
    if not content or not answer.body:
        return
    assert answer.type in content, f"{method} {path}: {answer.type} is not among {list(content)}"
    if answer.type == "application/json":
        schema = content[answer.type]["schema"] | {"components": OPENAPI["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.json())


class Client:
    """One connection, kept open; not for several threads."""

    def __init__(self, port, headers=None, check=True):
        self.port = port
        self.headers = dict(headers or {})
        self.check = check
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30 * PATIENCE)

    def close(self):
        self.connection.close()

    def request(self, method, path, body=None, headers=None, **query):
        given = {key: value for key, value in query.items() if value is not None}
        target = path + ("?" + urllib.parse.urlencode(given) if given else "")
        all_headers = self.headers | (headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            all_headers.setdefault("Content-Type", "application/json")
        elif body is not None:
            all_headers.setdefault("Content-Type", "application/octet-stream")
        self.connection.request(method, target, body=body, headers=all_headers)
        answer = Answer(self.connection.getresponse())
        # An export holds whatever its format says.
        if self.check and not answer.headers.get("Content-Disposition"):
            check_answer(method, path, answer)
        return answer

    def ask(self, method, path, body=None, status=200, **query):
        """The JSON of an answer, which must have this status."""
        answer = self.request(method, path, body, **query)
        assert answer.status == status, f"{method} {path}: {answer.status} {answer.body[:500]}"
        return answer.json() if answer.body else None

    def get(self, path, **query):
        return self.ask("GET", path, **query)


def new_change(base, *edits, annotator="Ada", reading=1, source="blind", change=None):
    return {"change": change or str(uuid.uuid4()), "reading": reading, "base": base,
            "annotator": annotator, "source": source, "edits": list(edits)}


def visible(landmark, x, y):
    return {"landmark": landmark, "state": "visible", "x": x, "y": y}


class StudioTest(unittest.TestCase):
    """A test with a server of its own."""

    maxDiff = 2000
    options = ()

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="caos-studio-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.server = self.start(*self.options)
        self.client = self.new_client()

    def start(self, *options, folder=None, **more):
        server = Server(folder or self.folder / "data", *options, **more)
        self.addCleanup(server.kill)
        return server

    def new_client(self, server=None, **more):
        client = Client((server or self.server).port, **more)
        self.addCleanup(client.close)
        return client

    def refuse(self, status, method, path, body=None, said=(), kind=None, **query):
        """The request must be refused with this status, and say this."""
        answer = self.client.request(method, path, body, **query)
        self.assertEqual(answer.status, status, answer.body[:500])
        error = answer.json()["error"]
        for text in [said] if isinstance(said, str) else said:
            self.assertIn(text, error["message"])
        if kind:
            self.assertEqual(error["kind"], kind)
        return answer.json()

    # Things to work with.

    def new_project(self, name="wings", landmarks=(), **settings):
        settings = {"score": "cosine", **settings}  # quick, and what figures in tests are of
        project = self.client.ask("POST", "/v1/projects", {"name": name, "settings": settings}, 201)
        if landmarks:
            self.client.ask("PUT", f"/v1/projects/{project['id']}/scheme",
                            {"revision": project["scheme_revision"],
                             "landmarks": [{"name": name} for name in landmarks]})
        return project["id"]

    def add_image(self, project, name="a.png", width=64, height=48, seed=0):
        return self.client.ask("POST", f"/v1/projects/{project}/images",
                               pixels.png(pixels.noise(width, height, seed)), 201, name=name)["id"]

    def landmark_ids(self, project):
        return [one["id"] for one in self.client.get(f"/v1/projects/{project}/scheme")["landmarks"]]

    def annotations(self, project, image):
        return f"/v1/projects/{project}/images/{image}/annotations"
