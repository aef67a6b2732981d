"""Ctrl-C ends work that would otherwise take many minutes."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

CALLS = {
    "evaluate": "caos.evaluate(own, None, test, labels, methods=['caos'], alpha=0.1)",
    "evaluate on one thread": "caos.evaluate(own, None, test, labels, methods=['caos'], alpha=0.1, "
                              "threads=1)",
    "predict_set": "caos.calibrate(own).predict_set(test, 0.1)",
    "predict_set on one thread": "caos.calibrate(own).predict_set(test, 0.1, threads=1)",
    "predict_p": "caos.calibrate(own).predict_p(test)",
}

PROGRESS = ("caos.evaluate(own, None, test, labels, methods=['caos'], alpha=0.1, "
            "progress=lambda done, total: print('told', flush=True))")


def script(call):
    return textwrap.dedent(f"""
        import mmap
        import numpy as np
        import caos

        n, num_labels, num_test = 2000, 100, 1_000_000
        # Pages that were never written to: any number of zeros, without the memory.
        zeros = mmap.mmap(-1, 4 * num_test * num_labels * n, mmap.MAP_PRIVATE, mmap.PROT_READ)
        test = np.frombuffer(zeros, np.float32).reshape(num_test, num_labels, n)
        own = np.zeros((n, n))
        labels = np.zeros(num_test, int)
        print("ready", flush=True)
        try:
            {call}
            print("done", flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)


def interrupted(call, wait_until):
    """What the call prints after `wait_until(its output)` and a signal; it has a minute to end."""
    with subprocess.Popen([sys.executable, "-c", script(call)], stdout=subprocess.PIPE,
                          text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            wait_until(process.stdout)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0
    return out


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_ends_the_work(call):
    assert interrupted(CALLS[call], lambda _: time.sleep(1)) == "interrupted\n"


def test_ctrl_c_ends_work_that_reports_progress():
    def first_call(out):
        assert out.readline() == "told\n"

    assert interrupted(PROGRESS, first_call).replace("told\n", "") == "interrupted\n"
