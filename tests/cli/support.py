"""Running the program in a folder of its own, and small random tasks for it."""

import json
import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import oracle

PROGRAM = os.environ.get("CAOS_PROGRAM", "")
if not PROGRAM:
    raise RuntimeError("set CAOS_PROGRAM to the program to be tested: build/release/caos")

# How many times longer than usual things may take, as under sanitizers.
PATIENCE = int(os.environ.get("CAOS_PATIENCE", "1"))

# Sums of these depend on the order of addition: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1.
TIED_SCORES = [0.1, 0.2, 0.3, 0.7]


@dataclass
class Run:
    code: int
    out: str
    err: str


class ProgramTest(unittest.TestCase):
    """A test with an empty folder, in which the program runs, and a cache that is not the user's."""

    maxDiff = 2000

    def setUp(self):
        self.folder = self.new_folder()
        self.user_cache = self.new_folder()
        self.environment = os.environ | {"XDG_CACHE_HOME": str(self.user_cache)}

    def new_folder(self):
        folder = tempfile.TemporaryDirectory(prefix="caos-test-")
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def save(self, name, values, dtype=None):
        """Saves an array as <name>.npy in the folder and returns the file's name."""
        np.save(self.folder / f"{name}.npy", np.asarray(values, dtype=dtype))
        return f"{name}.npy"

    def write(self, name, content):
        content = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(content)
        return name

    def run_caos(self, *arguments, stdin=b"", stdout=subprocess.PIPE):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, env=self.environment, input=stdin,
            stdout=stdout, stderr=subprocess.PIPE, timeout=120 * PATIENCE, check=False)
        return Run(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())

    def succeed(self, *arguments, stdin=b""):
        """Runs the program, which must succeed."""
        run = self.run_caos(*arguments, stdin=stdin)
        self.assertEqual(run.code, 0, run.err)
        return run

    def output(self, *arguments, stdin=b""):
        return self.succeed(*arguments, stdin=stdin).out

    def json(self, *arguments, stdin=b""):
        return json.loads(self.output(*arguments, "--json", stdin=stdin))

    def files(self):
        """Every file below the folder with its content."""
        paths = sorted(p for p in self.folder.rglob("*") if p.is_file())
        return {str(p.relative_to(self.folder)): p.read_bytes() for p in paths}

    def refuse(self, code, arguments, *said, stdin=b""):
        """Runs the program, which must exit with `code` and one line on stderr that has `said`
        in it, print nothing else, and leave every file as it was."""
        before = self.files()
        run = self.run_caos(*arguments, stdin=stdin)
        self.assertEqual(run.code, code, f"{arguments}: {run.err}")
        self.assertEqual(run.out, "")
        self.assertRegex(run.err, r"\Acaos: [^\n]+\n\Z")
        for text in said:
            self.assertIn(text, run.err)
        self.assertEqual(self.files(), before)
        return run.err


@dataclass
class Task:
    """The arrays of one task."""

    labeled: np.ndarray
    labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    reverse: np.ndarray
    k: int

    @property
    def n(self):
        return len(self.labels)

    def own(self):
        return self.labeled[np.arange(self.n), self.labels]

    def problem(self, **more):
        """What the oracle wants to know, with the reverse scores by default those of the task."""
        settings = {"reverse": self.reverse.tolist(), "labeled": self.labeled.tolist()} | more
        return oracle.Problem(
            own=self.own().tolist(), test=self.test.tolist(), k=self.k,
            test_labels=self.test_labels.tolist(), labels=self.labels.tolist(), **settings)


def random_task(seed, dtype=np.float64, values=None, n=None, k=None, num_labels=None, m=None):
    """A task with few distinct scores. Its labels lean toward small scores."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(4, 31))
    num_labels = num_labels or int(rng.integers(2, 10))
    m = m or int(rng.integers(3, 21))
    k = k or int(rng.integers(1, max(2, min(6, n // 2))))
    values = np.array(TIED_SCORES if values is None else values)

    def draw(*shape):
        return rng.choice(values, size=shape).astype(dtype)

    labeled, test = draw(n, num_labels, n), draw(m, num_labels, n)
    labels = np.argmin(np.where(np.isfinite(labeled), labeled, 9).sum(axis=2), axis=1)
    test_labels = np.argmin(np.where(np.isfinite(test), test, 9).sum(axis=2), axis=1)
    return Task(labeled, labels, test, test_labels, draw(m, num_labels, n), k)


class TaskTest(ProgramTest):
    """A test that hands tasks to the program."""

    def save_labeled(self, task):
        return ["--labeled", self.save("labeled", task.labeled),
                "--labels", self.save("labels", task.labels)]

    def save_test(self, task):
        return ["--test", self.save("test", task.test),
                "--test-labels", self.save("test-labels", task.test_labels)]

    def save_reverse(self, task):
        return ["--reverse", self.save("reverse", task.reverse)]

    def save_references(self, references):
        return ["--reference-indices", self.save("references", references)]

    def save_all(self, task):
        """Saves a task; returns the arguments that `caos evaluate` needs for it."""
        return [*self.save_labeled(task), *self.save_test(task), "--k", task.k]

    def calibrate(self, task, *more, out="model.caos"):
        self.succeed("calibrate", *self.save_labeled(task), "--k", task.k, "--out", out, *more)
        return out
