"""Ten thousand calls leave nothing behind."""

import copy
import ctypes
import gc
import os
import pathlib
import pickle
import sys
import tempfile
import warnings

import numpy as np
import pytest

import caos
from conftest import Task

CALLS = 10_000

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning")


class HeapInfo(ctypes.Structure):
    """What mallinfo2 of the C library returns."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


def heap_in_use():
    """The bytes that malloc has given out, on all threads."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = HeapInfo
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return 4096 * int(statm.read().split()[1])


def assert_flat(call):
    """Neither Python's objects, nor malloc's bytes, nor resident memory grow with calls."""
    for _ in range(CALLS // 10):
        call()
    gc.collect()
    blocks, heap, pages = sys.getallocatedblocks(), heap_in_use(), resident()
    for _ in range(CALLS):
        call()
    gc.collect()
    # One leaked object per call, however small, would be 10,000 blocks and 160 kB.
    assert sys.getallocatedblocks() - blocks < CALLS // 20
    assert heap_in_use() - heap < 4 * CALLS
    assert resident() - pages < 2 * 2**20


def failing(call):
    def fail():
        try:
            call()
        except (ValueError, FileNotFoundError, LookupError):
            return
        raise AssertionError("it should have failed")

    return fail


class Interrupted:
    def __array__(self, dtype=None):
        raise LookupError("no array today")


def raising(done, total):
    raise LookupError("enough")


@pytest.fixture(scope="module")
def folder():
    """In memory where that is possible: a disk takes its time to be sure of each file."""
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield pathlib.Path(name)


@pytest.fixture(scope="module")
def calls(folder):
    """Calls by name, on a task so small that ten thousand take seconds."""
    task = Task(1, n=8, num_labels=3, num_test=4)
    own = task.own()
    how = (task.labeled, task.labels)
    test_how = (task.test, task.test_labels)
    calibration = caos.calibrate(*how)
    grouped = caos.calibrate(*how, groups=task.groups)
    changing = caos.calibrate(own)
    path = folder / "model.caos"
    calibration.save(path)
    evaluation = caos.evaluate(*how, *test_how, k=2, groups="labels")
    sets = calibration.predict_set(task.test, 0.2)
    fortran, lists = np.asfortranarray(task.test), task.test.tolist()

    def come_and_go():
        changing.add_example(own[0], own[0])
        changing.remove_example(8)

    return {
        "predict_set": lambda: calibration.predict_set(task.test, 0.2),
        "predict_set of one input": lambda: calibration.predict_set(task.test[0], 0.2)[0],
        "predict_set at several alphas": lambda: calibration.predict_set(task.test, [0.2, 0.4]),
        "predict_set with a warning": lambda: calibration.predict_set(task.test, 0.01),
        "predict_set of full-caos": lambda: calibration.predict_set(
            task.test, 0.2, method="full-caos", reverse=task.reverse),
        "predict_set with groups": lambda: grouped.predict_set(task.test, 0.5,
                                                               groups=task.test_groups),
        "predict_set of another order": lambda: calibration.predict_set(fortran, 0.2),
        "predict_set of lists": lambda: calibration.predict_set(lists, 0.2),
        "predict_p": lambda: calibration.predict_p(task.test),
        "label_scores": lambda: calibration.label_scores(task.test),
        "what a calibration tells": lambda: (
            calibration.scores, calibration.threshold([0.1, 0.2]), calibration.rank([0.1, 0.2]),
            grouped.groups, calibration.guarantee, repr(calibration)),
        "what sets tell": lambda: (list(sets), sets.sizes, np.asarray(sets), repr(sets),
                                   sets.covers(task.test_labels)),
        "calibrate": lambda: caos.calibrate(*how),
        "calibrate own scores by groups": lambda: caos.calibrate(own, groups=task.groups),
        "load": lambda: caos.load(path),
        "save": lambda: calibration.save(path),
        "pickle": lambda: pickle.loads(pickle.dumps((calibration, grouped, sets, evaluation))),
        "copy": lambda: copy.deepcopy(calibration),
        "add_example and remove_example": come_and_go,
        "evaluate": lambda: caos.evaluate(*how, *test_how, k=2, symmetric=True, threads=1),
        "evaluate on two threads": lambda: caos.evaluate(*how, *test_how, k=2, threads=2),
        "evaluate with progress": lambda: caos.evaluate(
            *how, *test_how, methods="caos", progress=lambda done, total: None),
        "what an evaluation tells": lambda: (
            [(r.covered, r.set_sizes, r.groups, r.coverage_interval) for r in evaluation],
            evaluation.to_dicts(), str(evaluation), evaluation._repr_html_(), evaluation[1:3],
            evaluation.result("caos", 0.1)),
        "advise": lambda: (str(caos.advise(9, 0.2, num_test=5)),
                           caos.advise(alpha=0.3, labeled=task.labeled, labels=task.labels, k=1,
                                       repeats=1, num_test=2, threads=1).learning_curve),
        "coverage_law": lambda: caos.coverage_law(9, 0.2).observed_coverage(3),
        "errors of scores": failing(lambda: caos.calibrate(np.full((8, 8), np.nan))),
        "errors of shapes": failing(lambda: calibration.predict_set(task.test[:, :, 1:], 0.2)),
        "errors of arrays": failing(lambda: caos.calibrate(Interrupted())),
        "errors of alphas": failing(lambda: calibration.predict_set(task.test, "much")),
        "errors of files": failing(lambda: caos.load("/nowhere/model.caos")),
        "errors of examples": failing(lambda: changing.add_example(own[0, 1:], own[0])),
        "errors of evaluate": failing(lambda: caos.evaluate(*how, *test_how,
                                                            methods=["full-caos"])),
        "errors of progress": failing(lambda: caos.evaluate(*how, *test_how, methods="caos",
                                                            progress=raising)),
    }


NAMES = [
    "predict_set", "predict_set of one input", "predict_set at several alphas",
    "predict_set with a warning", "predict_set of full-caos", "predict_set with groups",
    "predict_set of another order", "predict_set of lists", "predict_p", "label_scores",
    "what a calibration tells", "what sets tell", "calibrate", "calibrate own scores by groups",
    "load", "save", "pickle", "copy", "add_example and remove_example", "evaluate",
    "evaluate on two threads", "evaluate with progress", "what an evaluation tells", "advise",
    "coverage_law", "errors of scores", "errors of shapes", "errors of arrays", "errors of alphas",
    "errors of files", "errors of examples", "errors of evaluate", "errors of progress",
]


def test_every_call_is_tried(calls):
    assert list(calls) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_calls_leave_nothing_behind(name, calls):
    if not hasattr(ctypes.CDLL(None), "mallinfo2"):
        pytest.skip("NOT TESTED: leaks; this C library does not tell what is in use")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_flat(calls[name])


def test_a_leak_would_be_seen():
    kept = []
    with pytest.raises(AssertionError):
        assert_flat(lambda: kept.append(object()))
    array = np.zeros(4)
    with pytest.raises(AssertionError):
        assert_flat(lambda: kept.append(array.copy()))
