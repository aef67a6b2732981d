"""Texts: models that get them, progress, Ctrl-C, threads and memory."""

import concurrent.futures
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

import caos
import caos.text
from test_leaks import assert_flat
from text_data import command, few, gguf, messages  # noqa: F401 (fixtures)

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

from completions_server import KEY, PROBE, running_server  # noqa: E402


# Texts that leave.


def test_programs_and_servers_are_told_to_get_the_texts(few, command, tmp_path):
    model = command()
    scorer = caos.text.TextScorer(few.label_names, model)
    assert scorer.sends_texts_to == f"the program '{model.removeprefix('command:')}'"
    assert scorer.plan(few.texts, few.labels).sends_texts_to == scorer.sends_texts_to
    assert caos.text.TextScorer(few.label_names).sends_texts_to is None
    path = tmp_path / "model.caos"
    caos.text.calibrate(few.texts, few.labels, model=scorer).save(path)
    with pytest.raises(ValueError, match="would be sent to the program .* name the model: model="):
        caos.text.load(path)
    loaded = caos.text.load(path, model=model)
    assert loaded.predict(few.new) == caos.text.calibrate(few.texts, few.labels,
                                                          model=scorer).predict(few.new)


def test_a_program_that_fails_is_an_error_of_the_runtime(few):
    with pytest.raises(RuntimeError, match="false"):
        few.calibrate(model="command:false")


def test_a_server_in_this_very_process_can_answer(few, tmp_path, monkeypatch):
    """Requests wait without the GIL, or it could not."""
    monkeypatch.setenv("CAOS_TEST_KEY", KEY)
    with running_server() as server:
        scorer = caos.text.TextScorer(few.label_names, f"server:http://{server.host}",
                                  key_variable="CAOS_TEST_KEY", store=tmp_path / "scores",
                                  retries=1, timeout_seconds=30, concurrency=2)
        assert scorer.sends_texts_to == server.host
        plan = scorer.plan(few.texts, few.labels)
        assert (plan.shortened, plan.estimated_seconds) == (None, None)
        assert plan.requests == 12 * 11 * 7
        assert server.prompts == [PROBE]
        calibration = caos.text.calibrate(few.texts, few.labels, model=scorer)
        assert len(server.prompts) == 1 + plan.requests
        calibration.save(tmp_path / "model.caos")
        with pytest.raises(ValueError, match=f"would be sent to {server.host}"):
            caos.text.load(tmp_path / "model.caos")
        with pytest.raises(RuntimeError, match="401"):
            caos.text.load(tmp_path / "model.caos", model=scorer.model)
        (tmp_path / "key.txt").write_text(KEY, encoding="utf-8")
        loaded = caos.text.load(tmp_path / "model.caos", model=scorer.model,
                                key_file=tmp_path / "key.txt")
        assert loaded.scorer.identity == scorer.identity
        (tmp_path / "key.txt").unlink()
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


# Progress and Ctrl-C.


def test_progress_goes_up_to_the_end(messages, command):
    told = []
    calibration = messages.calibrate(model=command(0.001),
                                     progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40 * 39, 40 * 39)
    assert len(told) > 2
    assert told == sorted(told)
    told.clear()
    calibration.predict_set(messages.new, 0.3, method="full-caos")
    assert told[-1][0] == told[-1][1] > 24 * 40


def test_what_progress_raises_ends_the_work_and_keeps_what_was_done(messages, command, tmp_path):
    def progress(done, total):
        raise ZeroDivisionError(f"{done} of {total}")

    store = tmp_path / "scores"
    with pytest.raises(ZeroDivisionError, match="of 1560"):
        messages.calibrate(model=command(0.002), store=store, progress=progress)
    scorer = caos.text.TextScorer(messages.label_names, command(0.002), store=store)
    assert 0 < scorer.plan(messages.texts, messages.labels).pairs_in_store < 1560


INTERRUPTED = """
import sys
import pytest
import caos.text
import text_data
import pathlib

folder, model, progress = sys.argv[1:]
messages = text_data.Messages(pathlib.Path(folder), 40)
scorer = caos.text.TextScorer(messages.label_names, model, store=pathlib.Path(folder) / "scores",
                          progress=print if progress == "True" else None)
try:
    scorer.score_labeled(messages.texts, messages.labels)
except KeyboardInterrupt:
    print("interrupted", scorer.tally.pairs_computed)
"""


def pairs_in(store):
    """How many pairs are in the one file of a store."""
    for path in store.glob("*.sqlite"):
        connection = sqlite3.connect(path, timeout=30)
        try:
            return connection.execute("SELECT count(*) FROM cells").fetchone()[0]
        except sqlite3.OperationalError:  # not yet made
            return 0
        finally:
            connection.close()
    return 0


@pytest.mark.parametrize("progress", [False, True])
def test_ctrl_c_ends_scoring_and_keeps_what_was_done(progress, command, tmp_path):
    places = [HERE, pathlib.Path(caos.__file__).parents[1]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    child = subprocess.Popen([sys.executable, "-B", "-c", INTERRUPTED, tmp_path, command(0.02),
                              str(progress)], stdout=subprocess.PIPE, text=True, env=environment)
    store = tmp_path / "scores"
    deadline = time.monotonic() + 120
    while pairs_in(store) == 0 and time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=120)
    assert child.returncode == 0
    assert out.splitlines()[-1] == f"interrupted {pairs_in(store)}"
    assert 0 < pairs_in(store) < 40 * 39


# Threads and memory.


def test_threads_may_use_one_calibration_at_once(few, gguf):
    calibration = few.calibrate(model=gguf)
    alone = few.calibrate(model=gguf).predict_p(few.new[:8], method="full-caos")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda t: calibration.predict_p([few.new[t]], method="full-caos"),
                         [*range(8)] * 2)
        for t, row in enumerate(found):
            np.testing.assert_array_equal(row[0], alone[t % 8])


def test_texts_may_join_while_others_are_predicted(messages):
    calibration = caos.text.calibrate(messages.texts[:20], messages.labels[:20],
                                      label_names=messages.label_names)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        sets = [pool.submit(calibration.predict_set, messages.new, 0.3) for _ in range(8)]
        list(pool.map(calibration.add_example, messages.texts[20:], messages.labels[20:]))
        for one in sets:
            assert one.result().mask.shape == (24, 6)
    assert len(calibration) == 40
    np.testing.assert_array_equal(sorted(calibration.scores), sorted(messages.calibrate().scores))


def test_many_calls_leak_nothing(few):
    calibration = few.calibrate()

    def use():
        calibration.predict_set(few.new[:1], [0.2, 0.3])
        calibration.supporting_references(few.new[:1])
        with pytest.raises(ValueError):
            calibration.predict([None])

    assert_flat(use)


def test_many_scorers_leak_nothing(few):
    def use():
        scorer = caos.text.TextScorer(few.label_names, progress=lambda done, total: None)
        scorer.score(few.texts[:2], few.labels[:2], few.new[:2])

    assert_flat(use)
