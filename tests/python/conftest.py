"""What the tests of the Python package share."""

import json
import os
import subprocess

import hypothesis
import numpy as np
import pytest

# The same cases in every run; properties are exact, so that a failure is a bug whatever the case.
hypothesis.settings.register_profile("caos", derandomize=True, deadline=None, database=None,
                                     max_examples=60)
hypothesis.settings.load_profile("caos")


class Program:
    """The program `caos`, to hold the package against."""

    def run(self, *arguments):
        command = [os.environ["CAOS_PROGRAM"], *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def json(self, *arguments):
        result = self.run(*arguments, "--json", "--quiet")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)


@pytest.fixture
def program():
    return Program()


class Task:
    """A synthetic task of few score values, so that ties happen."""

    def __init__(self, seed, n=12, num_labels=4, num_test=9, values=6, dtype=np.float32):
        rng = np.random.default_rng(seed)
        self.n, self.num_labels, self.num_test = n, num_labels, num_test
        self.labeled = rng.integers(values, size=(n, num_labels, n)).astype(dtype)
        self.labels = rng.integers(num_labels, size=n)
        self.test = rng.integers(values, size=(num_test, num_labels, n)).astype(dtype)
        self.test_labels = rng.integers(num_labels, size=num_test)
        self.reverse = rng.integers(values, size=(num_test, num_labels, n)).astype(dtype)
        self.groups = rng.choice([-4, 0, 7], size=n)
        self.test_groups = rng.choice([-4, 0, 7], size=num_test)

    def save(self, folder):
        """Writes every array as an .npy file; returns their paths by name."""
        paths = {}
        for name in ("labeled", "labels", "test", "test_labels", "reverse", "groups",
                     "test_groups"):
            paths[name] = folder / f"{name}.npy"
            np.save(paths[name], getattr(self, name))
        return paths

    def own(self):
        """The scores of the labeled examples' own labels, [n, n]."""
        return self.labeled[np.arange(self.n), self.labels]


class OnlyDLPack:
    """An array that gives its memory by DLPack, and by nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.fixture
def task():
    return Task(seed=1)
