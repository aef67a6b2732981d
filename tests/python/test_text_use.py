"""Texts: what users do wrong, progress, Ctrl-C, threads and memory."""

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


# Texts and labels as they come.


class Series:
    """As pandas has it: can be iterated over, and has one dimension."""

    ndim = 1

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


@pytest.mark.parametrize("make", [tuple, np.array, iter, Series,
                                  lambda texts: np.array(texts, dtype=object),
                                  lambda texts: (text for text in texts)])
def test_texts_are_whatever_one_can_iterate_over(make, few):
    expected = few.calibrate()
    found = caos.text.calibrate(make(few.texts), make(few.labels),
                                label_names=make(few.label_names))
    np.testing.assert_array_equal(found.scores, expected.scores)
    np.testing.assert_array_equal(found.predict_set(make(few.new), 0.3).mask,
                                  expected.predict_set(few.new, 0.3).mask)


def test_texts_may_be_anything_that_is_text(few):
    texts = ["", "ä € 🙂", "two\nlines\0and a zero", *few.texts[3:]]
    calibration = caos.text.calibrate(texts, few.labels, label_names=few.label_names)
    assert [text for text, _ in calibration.examples] == texts


def test_no_texts_have_no_sets(few):
    calibration = few.calibrate()
    sets = calibration.predict_set([], 0.3)
    assert len(sets) == 0 and sets.mask.shape == (0, 6)
    assert calibration.predict_p([]).shape == (0, 6)
    assert calibration.predict([]) == calibration.support([]) == []
    scorer = calibration.scorer
    assert scorer.score([], [], ["text"]).shape == (1, 6, 0)
    assert scorer.score(few.texts, few.labels, []).shape == (0, 6, 12)


@pytest.mark.parametrize("bad, what", [
    ("one text", "is one text, 'one text'; give a list"),
    (["good", None], "entry 1 is None; expected str"),
    (["good", float("nan")], "entry 1 is of type float; expected str"),
    ([b"bytes"], "entry 0 is of type bytes"),
    (["good", "half \ud83d"], "entry 1 cannot be written in UTF-8"),
    (7, "is int; expected a list of texts"),
    (None, "is NoneType; expected a list of texts"),
    ({"a": "b"}, "is dict; expected a list"),
    (np.array([["a", "b"]]), "is ndarray; expected a list"),
])
def test_what_is_no_list_of_texts_is_refused(bad, what, few):
    calibration = few.calibrate()
    with pytest.raises(ValueError, match=f"texts: {what}"):
        calibration.predict_set(bad, 0.3)
    with pytest.raises(ValueError, match=f"reference_texts: {what}"):
        calibration.scorer.score(bad, ["refund"], ["text"])
    with pytest.raises(ValueError, match=f"labels: {what}"):
        caos.text.calibrate(few.texts, bad)


def test_an_iterable_that_fails_fails_as_it_is(few):
    def texts():
        yield "good"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        few.calibrate().predict(texts())


def test_labels_must_be_known_and_as_many_as_texts(few):
    wrong = [*few.labels[:-1], "weather"]
    with pytest.raises(ValueError, match="labels: entry 11 is 'weather', which is none of the "
                                         "labels 'delivery', .*; correct it or add the label"):
        caos.text.calibrate(few.texts, wrong, label_names=few.label_names)
    with pytest.raises(ValueError, match="labels: there are 11; expected 12, as many as texts"):
        caos.text.calibrate(few.texts, few.labels[1:], label_names=few.label_names)
    with pytest.raises(ValueError, match="ids: there are 2; expected 12"):
        caos.text.calibrate(few.texts, few.labels, label_names=few.label_names, ids=["a", "b"])
    with pytest.raises(ValueError, match="label is 'weather', which is none"):
        few.calibrate().add_example("text", "weather")
    with pytest.raises(ValueError, match="label_names: the label 'a' is there twice"):
        caos.text.calibrate(few.texts, few.labels, label_names=["a", "a"])
    with pytest.raises(ValueError, match="labels: there must be at least two"):
        caos.text.Scorer(["a"])


# Other arguments.


@pytest.mark.parametrize("arguments, what", [
    ({"model": "gpt"}, "'gpt' is no language model; choose builtin, llama:"),
    ({"model": "tiny.gguf"}, "did you mean llama:tiny.gguf"),
    ({"model": "llama:"}, "names nothing"),
    ({"model": "scores:x.npy"}, "caos.calibrate takes them"),
    ({"model": 7}, "model: expected a text"),
    ({"normalization": "mean"}, "mean"),
    ({"context": 100}, "context length goes with llama:FILE or server:URL alone"),
    ({"context": -1}, "context: is -1"),
    ({"chat": True}, "chat template goes with"),
    ({"server_model": "x"}, "goes with server:URL alone"),
    ({"retries": -1}, "retries: is -1"),
    ({"concurrency": 0}, "concurrency: is 0; expected a whole number from 1"),
    ({"timeout_seconds": 0}, "timeout_seconds: is 0"),
    ({"timeout_seconds": float("nan")}, "timeout_seconds: is nan"),
    ({"threads": -1}, "threads: is -1"),
    ({"progress": 7}, "progress: cannot be called"),
    ({"prompt": "{text} first"}, "prompt: a prompt template has the fields"),
    ({"prompt": 7}, "prompt: is int; expected a template"),
    ({"k": 12}, "k"),
    ({"k": 0}, "k"),
    ({"groups": "inputs"}, "groups: texts are grouped by 'labels'"),
    ({"groups": [0] * 12}, "groups: texts are grouped by 'labels'"),
])
def test_other_arguments_are_checked_before_anything_is_scored(arguments, what, few):
    with pytest.raises(ValueError, match=what):
        few.calibrate(**arguments)


def test_missing_files_are_not_found(few, tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.txt"):
        few.calibrate(prompt=tmp_path / "missing.txt")
    with pytest.raises(FileNotFoundError, match="no template"):
        few.calibrate(prompt="no template")
    with pytest.raises(FileNotFoundError, match="missing.caos"):
        caos.text.load(tmp_path / "missing.caos")
    with pytest.raises(FileNotFoundError, match="missing.csv"):
        caos.text.read_table(tmp_path / "missing.csv")
    with pytest.raises((FileNotFoundError, RuntimeError), match="missing.gguf|llama"):
        few.calibrate(model=f"llama:{tmp_path / 'missing.gguf'}")


def test_wrong_files_are_named_with_their_fault(few, tmp_path):
    path = tmp_path / "model.caos"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="model.caos"):
        caos.text.load(path)
    caos.calibrate(np.zeros((4, 2, 4)), [0, 1, 0, 1], k=1).save(path)
    with pytest.raises(ValueError, match="is a calibration of scores"):
        caos.text.load(path)
    few.calibrate().save(path)
    with pytest.raises(ValueError, match="caos.text.load reads it"):
        caos.load(path)
    table = tmp_path / "table.csv"
    table.write_bytes(b"text\n\xff\n")
    with pytest.raises(ValueError, match="table.csv:2: is not UTF-8"):
        caos.text.read_table(table)


def test_a_model_of_another_identity_is_refused(few, gguf, program, tmp_path):
    path = tmp_path / "model.caos"
    few.calibrate(model=gguf, context=120).save(path)
    said = program.run("text", "predict", path, few.new_file, "--model", "builtin")
    with pytest.raises(ValueError, match="context length") as error:
        caos.text.load(path, model="builtin")
    few.calibrate(model=gguf).save(path)
    said = program.run("text", "predict", path, few.new_file, "--model", "builtin")
    with pytest.raises(ValueError, match="gives other scores") as error:
        caos.text.load(path, model="builtin")
    assert said.stderr.strip() == f"caos: {error.value}"


def test_scorers_have_their_own_options(few):
    scorer = caos.text.Scorer(few.label_names)
    for more in ({"store": "x"}, {"prompt": "y"}, {"threads": 3}, {"normalization": "sum"},
                 {"progress": print}):
        with pytest.raises(ValueError, match="a Scorer has its own"):
            caos.text.calibrate(few.texts, few.labels, model=scorer, **more)
    with pytest.raises(ValueError, match="label_names: are not those of the scorer"):
        caos.text.calibrate(few.texts, few.labels, model=scorer, label_names=["a", "b"])


def test_infeasible_alphas_are_told_and_give_every_label(few):
    calibration = few.calibrate()
    with pytest.warns(UserWarning, match="99 labelled texts are needed and there are 12"):
        sets = calibration.predict_set(few.new, alpha=0.01)
    assert not sets.feasible and sets.mask.all()
    assert not calibration.is_feasible(0.01) and calibration.is_feasible(0.2)
    assert calibration.threshold(0.01) == np.inf
    assert calibration.threshold(0.01, clip_rank=True) == calibration.scores.max()
    with pytest.warns(UserWarning, match="nothing is guaranteed"):
        clipped = calibration.predict_set(few.new, alpha=0.01, clip_rank=True)
    assert clipped.guarantee.startswith("none")


@pytest.mark.parametrize("arguments, what", [
    ({"method": "scos"}, "scos does not predict from a calibration"),
    ({"method": "best"}, "best"),
    ({"alpha": 1.5}, "1.5"),
    ({"alpha": []}, "alpha: is an empty list"),
])
def test_predictions_refuse_what_they_cannot_do(arguments, what, few):
    with pytest.raises(ValueError, match=what):
        few.calibrate().predict_set(few.new, **{"alpha": 0.3, **arguments})


@pytest.mark.parametrize("arguments, what", [
    ({"test_size": 12}, "12 test texts of 12 do not leave two labelled texts"),
    ({"test_size": 0}, "0 test texts"),
    ({"test_size": -1}, "test_size: is -1"),
    ({"methods": ["scos"], "groups": "labels"}, "leave it out of methods"),
    ({"methods": ["split-caos-ref"], "test_size": 4, "k": 4}, "k 4 does not fit split-caos-ref"),
    ({"methods": "median"}, "median"),
    ({"k": 9, "test_size": 4}, "k"),
    ({"seed": -1}, "seed: is -1"),
    ({"seed": 0.5}, "seed: expected a whole number"),
    ({"seed": []}, "seed: is an empty list"),
])
def test_evaluations_refuse_what_they_cannot_do_before_scoring(arguments, what, few):
    with pytest.raises(ValueError, match=what):
        caos.text.evaluate(few.texts, few.labels, label_names=few.label_names,
                           **{"model": "command:false", **arguments})


def test_thresholds_of_groups_go_by_label(few):
    calibration = few.calibrate(groups="labels")
    assert calibration.guarantee == "group-conditional"
    with pytest.raises(ValueError, match="say of which one"):
        calibration.threshold(0.4)
    with pytest.raises(ValueError, match="label is 'weather'"):
        calibration.threshold(0.4, label="weather")
    with pytest.raises(ValueError, match="leave out label"):
        few.calibrate().threshold(0.4, label="refund")


# Texts that leave.


def test_programs_and_servers_are_told_to_get_the_texts(few, command, tmp_path):
    model = command()
    scorer = caos.text.Scorer(few.label_names, model)
    assert scorer.sends_texts_to == f"the program '{model.removeprefix('command:')}'"
    assert scorer.plan(few.texts, few.labels).sends_texts_to == scorer.sends_texts_to
    assert caos.text.Scorer(few.label_names).sends_texts_to is None
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
        scorer = caos.text.Scorer(few.label_names, f"server:http://{server.host}",
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
    scorer = caos.text.Scorer(messages.label_names, command(0.002), store=store)
    assert 0 < scorer.plan(messages.texts, messages.labels).pairs_in_store < 1560


INTERRUPTED = """
import sys
import pytest
import caos.text
import text_data
import pathlib

folder, model, progress = sys.argv[1:]
messages = text_data.Messages(pathlib.Path(folder), 40)
scorer = caos.text.Scorer(messages.label_names, model, store=pathlib.Path(folder) / "scores",
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
        calibration.support(few.new[:1])
        with pytest.raises(ValueError):
            calibration.predict([None])

    assert_flat(use)


def test_many_scorers_leak_nothing(few):
    assert_flat(lambda: caos.text.Scorer(few.label_names, progress=lambda done, total: None).score(
        few.texts[:2], few.labels[:2], few.new[:2]))
