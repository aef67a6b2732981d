"""Several Python threads at once: the same answers, and all of them get on."""

import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import caos
from conftest import Task

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning")

THREADS = 8
CALLS = 40


def at_once(*functions):
    """Runs each function on THREADS threads, CALLS times; what any of them raises is raised."""
    start = threading.Barrier(THREADS * len(functions))

    def repeat(function):
        start.wait()
        for _ in range(CALLS):
            function()

    with ThreadPoolExecutor(THREADS * len(functions)) as pool:
        for future in [pool.submit(repeat, f) for f in functions for _ in range(THREADS)]:
            future.result()


class TestTheSameAnswers:
    def test_from_one_calibration(self):
        task = Task(1, n=20, num_test=50)
        calibration = caos.calibrate(task.labeled, task.labels)
        sets = calibration.predict_set(task.test, 0.1).mask
        p_values = calibration.predict_p(task.test, method="full-caos", symmetric=True)

        def predict_set():
            np.testing.assert_array_equal(calibration.predict_set(task.test, 0.1).mask, sets)

        def predict_p():
            again = calibration.predict_p(task.test, method="full-caos", symmetric=True)
            np.testing.assert_array_equal(again, p_values)

        at_once(predict_set, predict_p)

    def test_from_calibrations_and_evaluations_of_the_same_arrays(self):
        task = Task(2, n=16, num_test=10)
        how = (task.labeled, task.labels)
        scores = caos.calibrate(*how).scores
        table = str(caos.evaluate(*how, task.test, task.test_labels, symmetric=True))

        def calibrate():
            np.testing.assert_array_equal(caos.calibrate(*how).scores, scores)

        def evaluate():
            again = caos.evaluate(*how, task.test, task.test_labels, symmetric=True)
            assert str(again) == table

        at_once(calibrate, evaluate)

    def test_from_one_file(self, tmp_path):
        task = Task(3)
        calibration = caos.calibrate(task.labeled, task.labels)
        path = tmp_path / "model.caos"
        calibration.save(path)

        def load():
            np.testing.assert_array_equal(caos.load(path).scores, calibration.scores)

        at_once(load, lambda: calibration.save(path))


class TestWhileExamplesComeAndGo:
    """One thread lets an example join and leave; what others see is the one state or the other."""

    def test_readers_see_whole_states(self, tmp_path):
        task = Task(4, n=21)
        own, test = task.own(), task.test[:, :, :20]
        calibration = caos.calibrate(own[:20, :20])
        small, large = calibration.scores, caos.calibrate(own).scores
        sets = calibration.predict_set(test, 0.2).mask
        rank, threshold = calibration.rank(0.2), calibration.threshold(0.2)
        grown = caos.calibrate(own)
        both = {(rank, threshold), (grown.rank(0.2), grown.threshold(0.2))}

        def look():
            seen = calibration.scores
            assert seen.size in (20, 21)
            np.testing.assert_array_equal(seen, small if seen.size == 20 else large)
            assert calibration.threshold(0.2) in {t for _, t in both}
            assert calibration.rank(0.2) in {r for r, _ in both}
            assert len(calibration) in (20, 21)

        def predict():
            try:
                mask = calibration.predict_set(test, 0.2).mask
            except ValueError as error:
                assert str(error) == "test: has 20 references; there are 21 labeled examples"
            else:
                np.testing.assert_array_equal(mask, sets)

        def copy():
            size = calibration.__getstate__()[0].shape[0]
            assert size in (20, 21)

        ready = threading.Event()

        def change():
            while not ready.is_set():
                calibration.add_example(own[20, :20], own[:20, 20])
                calibration.remove_example(20)

        changer = threading.Thread(target=change)
        changer.start()
        try:
            at_once(look, predict, copy)
        finally:
            ready.set()
            changer.join()
        np.testing.assert_array_equal(calibration.scores, small)

    def test_several_threads_may_let_examples_join(self):
        n, joining = 10, 64
        everyone = n + joining
        calibration = caos.calibrate(np.ones((n, n)))

        def join():
            """All scores are equal, so that the order does not matter; n may change meanwhile."""
            while True:
                size = len(calibration)
                try:
                    calibration.add_example(np.ones(size), np.ones(size))
                    return
                except ValueError:
                    continue

        with ThreadPoolExecutor(8) as pool:
            for future in [pool.submit(join) for _ in range(joining)]:
                future.result()
        assert len(calibration) == everyone
        np.testing.assert_array_equal(calibration.scores, np.full(everyone, 3.0))


# Each takes minutes: endless zeros, in pages that were never written to.
LONG_CALLS = {
    "evaluate": "caos.evaluate(own, None, test, np.zeros(len(test), int), methods=['caos'])",
    "predict_set": "caos.calibrate(own).predict_set(test, 0.1)",
    "predict_p": "caos.calibrate(own).predict_p(test)",
    "label_scores": "caos.calibrate(own).label_scores(test)",
    "calibrate": "caos.calibrate(labeled, np.zeros(len(labeled), int))",
    "advise": "caos.advise(alpha=0.1, labeled=labeled, labels=np.zeros(len(labeled), int))",
}


SETUP = """
    import mmap
    import os
    import threading
    import time
    import numpy as np
    import caos

    def zeros(*shape):
        count = int(np.prod(shape))
        pages = mmap.mmap(-1, 4 * count, mmap.MAP_PRIVATE, mmap.PROT_READ)
        return np.frombuffer(pages, np.float32).reshape(shape)

    own = np.zeros((2000, 2000))
    test = zeros(1_000_000, 100, 2000)
    labeled = zeros(2000, 30_000, 2000)
"""


def assert_others_run(setup, call):
    """The main thread sleeps: it is the call that uses the processor. If the call kept the GIL, the
    main thread would not wake up."""
    script = textwrap.dedent(setup) + textwrap.dedent(f"""
        threading.Thread(target=lambda: {call}, daemon=True).start()
        start = time.process_time()
        while time.process_time() - start < 1:
            time.sleep(0.01)
        print("alive", flush=True)
        os._exit(0)
    """)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                         check=True)
    assert run.stdout == "alive\n"


@pytest.mark.parametrize("call", LONG_CALLS)
def test_other_threads_run_while_it_works(call):
    assert_others_run(SETUP, LONG_CALLS[call])
