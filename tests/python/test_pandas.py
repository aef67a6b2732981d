"""Results as tables of pandas."""

import subprocess
import sys

import numpy as np
import pytest

import caos
from conftest import Task

NO_PANDAS = """
import sys
sys.modules["pandas"] = None  # as if it were not installed
import caos
calibration = caos.calibrate([[0, 1, 4], [1, 0, 2], [4, 2, 0]], k=1)
try:
    calibration.predict_set([[1, 2, 5]], alpha=0.5).to_pandas()
except ImportError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def task():
    return Task(seed=4, n=30, num_labels=5, num_test=20, values=40)


def test_without_pandas_it_is_asked_for_by_name():
    said = subprocess.run([sys.executable, "-c", NO_PANDAS], capture_output=True, text=True,
                          check=True).stdout
    assert said == ("to_pandas needs pandas; on Debian: apt install python3-pandas, with pip: "
                    "pip install pandas\n")


pandas = pytest.importorskip("pandas", reason="NOT TESTED: to_pandas needs pandas")


def test_sets_have_a_row_for_each_input(task):
    sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, alpha=0.1)
    frame = sets.to_pandas()
    assert list(frame.columns) == ["set", "size"] and len(frame) == 20
    assert [list(one) for one in frame["set"]] == [list(one) for one in sets]
    np.testing.assert_array_equal(frame["size"], sets.sizes)
    assert frame.attrs == {"alpha": 0.1, "method": "caos", "guarantee": "marginal"}
    named = sets.with_names(list("abcde")).to_pandas()
    assert [list(one) for one in named["set"]] == list(sets.with_names(list("abcde")))


def test_evaluations_have_a_row_for_each_method_and_alpha(task):
    found = caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                          alpha=[0.1, 0.2], methods=["caos", "scos"])
    frame = found.to_pandas()
    assert [*zip(frame["method"], frame["alpha"])] == [(one.method, one.alpha) for one in found]
    np.testing.assert_array_equal(frame["coverage"], [one.coverage for one in found])
    assert not any(isinstance(value, list) for value in frame.to_numpy().ravel())


def test_regions_have_a_row_for_each_image_and_landmark():
    images, points, names = caos.patches.draw_faces(12, seed=1)
    embedded = caos.patches.embed(images, cell=16)
    labels = embedded.labels_of(points)
    calibration = caos.patches.calibrate(embedded[:9], labels[:9], landmarks=names)
    regions = calibration.predict_set(embedded[9:], alpha=0.2)
    frame = regions.to_pandas()
    assert len(frame) == 3 * len(names)
    assert list(frame["landmark"][:len(names)]) == list(names)
    np.testing.assert_array_equal(frame["size"].to_numpy().reshape(3, -1), regions.sizes)
    np.testing.assert_array_equal(frame[["x", "y"]].to_numpy().reshape(3, -1, 2), regions.points)
    assert list(frame["set"][0]) == list(regions[0].sets[0])
    assert frame.attrs["guarantee"] == regions.guarantee
    found = caos.patches.evaluate(embedded[:9], labels[:9], embedded[9:], labels[9:], alpha=0.2,
                                  landmarks=names, methods="caos")
    assert len(found.to_pandas()) == 1
    assert len(found.to_pandas(by_landmark=True)) == len(names)


def test_plain_embeddings_have_no_points():
    rng = np.random.default_rng(2)
    calibration = caos.patches.calibrate(rng.random((8, 6, 4)), rng.integers(6, size=(8, 2)))
    frame = calibration.predict_set(rng.random((3, 6, 4)), alpha=0.3).to_pandas()
    assert "x" not in frame.columns and len(frame) == 6
