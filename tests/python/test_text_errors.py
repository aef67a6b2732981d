"""Texts: what users hand in, and what they hear of it."""

import numpy as np
import pytest

import caos
import caos.text
from text_data import few, gguf  # noqa: F401 (fixtures)


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


@pytest.mark.parametrize("arguments, what", [
    ((None, "refund"), "text is None; expected str"),
    (("half \ud83d", "refund"), "text cannot be written in UTF-8"),
    (("text", 3), "label is of type int; expected str"),
    (("text", "refund", 7), "id is of type int; expected str"),
])
def test_texts_that_join_must_be_texts(arguments, what, few):
    text, label, *name = arguments
    calibration = few.calibrate()
    with pytest.raises(ValueError, match=what):
        calibration.add_example(text, label, id=name[0] if name else None)
    assert len(calibration) == 12


def test_no_texts_have_no_sets(few):
    calibration = few.calibrate()
    sets = calibration.predict_set([], 0.3)
    assert len(sets) == 0 and sets.mask.shape == (0, 6)
    assert calibration.predict_p([]).shape == (0, 6)
    assert calibration.predict([]) == calibration.supporting_references([]) == []
    assert calibration.support([]) == []
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
def test_anything_but_a_list_of_texts_is_refused(bad, what, few):
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
    with pytest.raises(ValueError, match="labels: entry 11 is 'weather', which is not one of the "
                                         "labels 'delivery', .*; correct it or add the label"):
        caos.text.calibrate(few.texts, wrong, label_names=few.label_names)
    with pytest.raises(ValueError, match="labels: there are 11; expected 12, as many as texts"):
        caos.text.calibrate(few.texts, few.labels[1:], label_names=few.label_names)
    with pytest.raises(ValueError, match="ids: there are 2; expected 12"):
        caos.text.calibrate(few.texts, few.labels, label_names=few.label_names, ids=["a", "b"])
    with pytest.raises(ValueError, match="label is 'weather', which is not one"):
        few.calibrate().add_example("text", "weather")
    with pytest.raises(ValueError, match="label_names: the label 'a' is listed twice"):
        caos.text.calibrate(few.texts, few.labels, label_names=["a", "a"])
    with pytest.raises(ValueError, match="label_names: there must be at least two"):
        caos.text.TextScorer(["a"])


# Other arguments.


@pytest.mark.parametrize("arguments, what", [
    ({"model": "gpt"}, "'gpt' is not a language model; choose builtin, llama:"),
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
    with pytest.raises(ValueError, match="table.csv:2: not UTF-8"):
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
    scorer = caos.text.TextScorer(few.label_names)
    for more in ({"store": "x"}, {"prompt": "y"}, {"threads": 3}, {"normalization": "sum"},
                 {"progress": print}):
        with pytest.raises(ValueError, match="a TextScorer has its own"):
            caos.text.calibrate(few.texts, few.labels, model=scorer, **more)
    with pytest.raises(ValueError, match="label_names: are not those of the scorer"):
        caos.text.calibrate(few.texts, few.labels, model=scorer, label_names=["a", "b"])


def test_infeasible_alphas_are_told_and_give_every_label(few):
    calibration = few.calibrate()
    with pytest.warns(UserWarning, match="99 labeled texts are needed and there are 12"):
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
    ({"test_size": 12}, "12 test texts of 12 do not leave two labeled texts"),
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
