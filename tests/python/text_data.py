"""Labeled texts for the tests of caos.text."""

import os
import pathlib
import subprocess
import sys

import pytest

import caos.text

MESSAGES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "messages"

# A model of the user's own: knows a label by the words that text and reference share. With an
# argument, so many seconds pass before each answer.
COMMAND = """
import json, math, sys, time
start = json.loads(sys.stdin.readline())
print(json.dumps({"name": "shared words", "version": "1"}), flush=True)
for line in sys.stdin:
    time.sleep(float(sys.argv[1]) if sys.argv[1:] else 0)
    ask = json.loads(line)
    words, seen = set(ask["text"].split()), set(ask["reference"]["text"].split())
    like = (1 + len(words & seen)) / (2 + len(words | seen))
    values = [math.log(like if label == ask["reference"]["label"] else 1 - like)
              for label in start["labels"]]
    print(json.dumps({"id": ask["id"], "log_likelihoods": values}), flush=True)
"""


class Messages:
    """The first `count` of the project's messages, also as a table for the program."""

    def __init__(self, folder, count):
        task = caos.text.read_task(MESSAGES / "task.json")
        lines = (MESSAGES / "messages.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        self.train = folder / "train.csv"
        self.train.write_text("".join(lines[:count + 1]), encoding="utf-8")
        (folder / "task.json").write_bytes((MESSAGES / "task.json").read_bytes())
        self.texts, self.labels, self.ids = caos.text.read_table(
            self.train, label_column=task.label_column, id_column="id")
        self.label_names = task.label_names
        self.new_file = MESSAGES / "new.csv"
        self.new = caos.text.read_table(self.new_file).texts
        self.numbers = [self.label_names.index(label) for label in self.labels]

    def options(self, *more):
        """Of the program."""
        return ["--train", self.train, "--id-column", "id", *more]

    def calibrate(self, **more):
        return caos.text.calibrate(self.texts, self.labels, label_names=self.label_names,
                                   ids=self.ids, **more)


@pytest.fixture
def messages(tmp_path):
    return Messages(tmp_path, 40)


@pytest.fixture
def few(tmp_path):
    return Messages(tmp_path, 12)


@pytest.fixture
def command(tmp_path):
    """A slow model: command(seconds)."""
    (tmp_path / "model.py").write_text(COMMAND, encoding="utf-8")
    return lambda seconds=0: f"command:{sys.executable} {tmp_path / 'model.py'} {seconds}"


@pytest.fixture(scope="session")
def gguf(tmp_path_factory):
    """A tiny model for llama.cpp."""
    program = os.environ.get("CAOS_TINY_GGUF")
    if not program:
        pytest.skip("NOT TESTED: set CAOS_TINY_GGUF to the program tiny_gguf")
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    subprocess.run([program, path], check=True, capture_output=True)
    model = f"llama:{path}"
    try:
        caos.text.TextScorer(["yes", "no"], model)
    except RuntimeError as error:
        pytest.skip(f"NOT TESTED: {error}")
    return model
