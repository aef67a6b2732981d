"""Errors are Python's own, and say what the program says."""

import pathlib

import numpy as np
import pytest

import caos
from conftest import Program, Task

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning")


def words_of_program(files, *arguments):
    """The program's message, with the names of arguments in place of those of files."""
    run = Program().run(*arguments)
    assert run.returncode != 0
    message = run.stderr.strip().removeprefix("caos: ")
    for name, path in files.items():
        message = message.replace(str(path), name)
    return message


def words_of_package(call):
    with pytest.raises(ValueError) as caught:
        call()
    return str(caught.value)


def spoil(array, place, value):
    array[place] = value


# Each spoils a task so that calibrating it fails.
BAD_LABELED = {
    "nan": lambda t: spoil(t.labeled, (3, 1, 5), np.nan),
    "minus infinity": lambda t: spoil(t.labeled, (0, 0, 1), -np.inf),
    "a label too large": lambda t: spoil(t.labels, 4, 17),
    "a negative label": lambda t: spoil(t.labels, 4, -2),
    "too few labels": lambda t: setattr(t, "labels", t.labels[:-1]),
    "not square": lambda t: setattr(t, "labeled", t.labeled[:-1]),
    "one example": lambda t: (setattr(t, "labeled", t.labeled[:1, :, :1]),
                              setattr(t, "labels", t.labels[:1])),
}

# Each spoils a task so that evaluating it fails, though calibrating does not.
BAD_TEST = {
    "nan": lambda t: spoil(t.test, (2, 1, 5), np.nan),
    "minus infinity in reverse scores": lambda t: spoil(t.reverse, (2, 1, 5), -np.inf),
    "other references": lambda t: setattr(t, "test", t.test[:, :, 1:]),
    "other labels": lambda t: setattr(t, "test", t.test[:, 1:]),
    "reverse scores of another shape": lambda t: setattr(t, "reverse", t.reverse[1:]),
    "no test examples": lambda t: (setattr(t, "test", t.test[:0]),
                                   setattr(t, "reverse", t.reverse[:0]),
                                   setattr(t, "test_labels", t.test_labels[:0])),
    "a label too large": lambda t: spoil(t.test_labels, 3, 4),
    "a negative label": lambda t: spoil(t.test_labels, 3, -1),
    "too many labels": lambda t: setattr(t, "test_labels", np.append(t.test_labels, 0)),
}


class TestTheWordsAreThoseOfTheProgram:
    @pytest.mark.parametrize("how", BAD_LABELED)
    def test_calibrating(self, how, tmp_path):
        task = Task(1)
        BAD_LABELED[how](task)
        files = task.save(tmp_path)
        theirs = words_of_program(files, "calibrate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--out", tmp_path / "model.caos")
        assert words_of_package(lambda: caos.calibrate(task.labeled, task.labels)) == theirs

    @pytest.mark.parametrize("how", BAD_TEST)
    def test_evaluating(self, how, tmp_path):
        task = Task(2)
        BAD_TEST[how](task)
        files = task.save(tmp_path)
        theirs = words_of_program(files, "evaluate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--test", files["test"], "--test-labels",
                                  files["test_labels"], "--reverse", files["reverse"])
        mine = words_of_package(lambda: caos.evaluate(task.labeled, task.labels, task.test,
                                                      task.test_labels, reverse=task.reverse))
        assert mine == theirs

    @pytest.mark.parametrize("k", [0, 12, 100])
    def test_a_k_that_does_not_fit(self, k, task, tmp_path):
        files = task.save(tmp_path)
        if k > 0:  # the program's parser has its own words for 0
            theirs = words_of_program(files, "calibrate", "--labeled", files["labeled"], "--labels",
                                      files["labels"], "--k", k, "--out", tmp_path / "model.caos")
            mine = words_of_package(lambda: caos.calibrate(task.labeled, task.labels, k=k))
            assert mine == theirs
        mine = words_of_package(lambda: caos.evaluate(task.labeled, task.labels, task.test,
                                                      task.test_labels, k=k))
        assert mine == words_of_package(lambda: caos.calibrate(task.labeled, task.labels, k=k))
        assert f"k = {k}" in mine

    @pytest.mark.parametrize("alpha", ["0", "1", "-0.1", "2", "nan", "abc", "", "1e-40"])
    def test_an_alpha_that_is_none(self, alpha, task, tmp_path):
        theirs = words_of_program({}, "advise", "--n", "10", "--alpha", alpha)
        calibration = caos.calibrate(task.labeled, task.labels)
        for call in (lambda: calibration.predict_set(task.test, alpha),
                     lambda: calibration.predict_set(task.test, [0.1, alpha]),
                     lambda: calibration.threshold(alpha), lambda: calibration.rank(alpha),
                     lambda: calibration.is_feasible(alpha), lambda: caos.coverage_law(9, alpha),
                     lambda: caos.advise(10, alpha),
                     lambda: caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                                           alpha=alpha)):
            assert words_of_package(call) == theirs

    def test_a_method_that_there_is_not(self, task, tmp_path):
        files = task.save(tmp_path)
        theirs = words_of_program(files, "evaluate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--test", files["test"], "--test-labels",
                                  files["test_labels"], "--methods", "coas")
        assert words_of_package(lambda: caos.evaluate(task.labeled, task.labels, task.test,
                                                      task.test_labels, methods=["coas"])) == theirs
        calibration = caos.calibrate(task.labeled, task.labels)
        assert words_of_package(
            lambda: calibration.predict_set(task.test, 0.1, method="coas")) == theirs

    def test_a_method_that_does_not_predict(self, task, tmp_path):
        files = task.save(tmp_path)
        calibration = caos.calibrate(task.labeled, task.labels)
        calibration.save(tmp_path / "model.caos")
        theirs = words_of_program(files, "predict", tmp_path / "model.caos", "--test",
                                  files["test"], "--alpha", "0.1", "--method", "scos")
        assert words_of_package(
            lambda: calibration.predict_set(task.test, 0.1, method="scos")) == theirs

    @pytest.mark.parametrize("indices", [[0, 0], [12], [-1], [], list(range(12))])
    def test_reference_indices(self, indices, task, tmp_path):
        files = task.save(tmp_path)
        files["reference_indices"] = tmp_path / "indices.npy"
        np.save(files["reference_indices"], np.array(indices, int))
        theirs = words_of_program(files, "evaluate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--test", files["test"], "--test-labels",
                                  files["test_labels"], "--reference-indices",
                                  files["reference_indices"])
        mine = words_of_package(
            lambda: caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                                  reference_indices=indices))
        assert mine == theirs

    @pytest.mark.parametrize("method", ["split-caos", "split-caos-ref"])
    def test_too_few_references_for_k(self, method, task, tmp_path):
        files = task.save(tmp_path)
        theirs = words_of_program(files, "evaluate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--test", files["test"], "--test-labels",
                                  files["test_labels"], "--methods", method, "--k", "8")
        mine = words_of_package(
            lambda: caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                                  methods=[method], k=8))
        assert mine == theirs


class TestFiles:
    def test_one_that_is_missing(self, tmp_path):
        path = tmp_path / "missing.caos"
        theirs = words_of_program({}, "inspect", path)
        for load in (caos.load, caos.Calibration.load):
            for name in (path, str(path)):
                with pytest.raises(FileNotFoundError) as caught:
                    load(name)
                assert str(caught.value) == theirs == f"{path}: no such file"

    def test_one_that_is_damaged_anywhere(self, task, tmp_path):
        caos.calibrate(task.labeled, task.labels).save(tmp_path / "model.caos")
        whole = (tmp_path / "model.caos").read_bytes()
        bad = tmp_path / "bad.caos"
        for place in range(0, len(whole), 97):
            bad.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:])
            theirs = words_of_program({}, "inspect", bad)
            with pytest.raises(ValueError) as caught:
                caos.load(bad)
            assert str(caught.value).startswith(f"{bad}: ")
            assert str(caught.value) == theirs
            bad.write_bytes(whole[:place])
            with pytest.raises(ValueError):
                caos.load(bad)

    def test_one_whose_folder_is_missing(self, task, tmp_path):
        calibration = caos.calibrate(task.labeled, task.labels)
        files = task.save(tmp_path)
        path = tmp_path / "missing" / "model.caos"
        theirs = words_of_program(files, "calibrate", "--labeled", files["labeled"], "--labels",
                                  files["labels"], "--out", path)
        with pytest.raises(FileNotFoundError) as caught:
            calibration.save(path)
        assert str(caught.value) == theirs

    def test_one_that_cannot_be_written_leaves_the_old_one(self, task, tmp_path):
        calibration = caos.calibrate(task.labeled, task.labels)
        with pytest.raises((OSError, ValueError, RuntimeError)):
            calibration.save(tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_paths_may_be_texts_or_paths(self, task, tmp_path):
        calibration = caos.calibrate(task.labeled, task.labels)
        calibration.save(str(tmp_path / "a.caos"))
        calibration.save(pathlib.Path(tmp_path / "b.caos"))
        assert (tmp_path / "a.caos").read_bytes() == (tmp_path / "b.caos").read_bytes()
        assert len(caos.load(str(tmp_path / "a.caos"))) == 12


CALLS = {
    "labeled without labels": (
        lambda t: caos.calibrate(t.labeled), "labeled with three dimensions needs labels"),
    "groups of another name": (
        lambda t: caos.calibrate(t.labeled, t.labels, groups="label"),
        "groups: is 'label'; expected 'labels' or an array of whole numbers"),
    "groups by label without labels": (
        lambda t: caos.calibrate(t.own(), groups="labels"), "groups='labels' needs labels"),
    "too few groups": (
        lambda t: caos.calibrate(t.labeled, t.labels, groups=[1, 2]),
        "groups: there are 2; expected 12, one per labeled example"),
    "labels beyond memory": (
        lambda t: caos.calibrate(t.own(), np.full(12, 10**9), groups="labels"),
        "labels: entry 0 is 1000000000; labels are 0 to 999999"),
    "a negative number of threads": (
        lambda t: caos.calibrate(t.labeled, t.labels, threads=-1),
        "threads: is -1; expected a whole number from 0"),
    "a negative k": (
        lambda t: caos.calibrate(t.labeled, t.labels, k=-3),
        "k: is -3; expected a whole number from 0"),
    "full-caos without reverse scores": (
        lambda t: caos.calibrate(t.own()).predict_set(t.test, 0.1, method="full-caos"),
        "full-caos needs the scores of the labeled examples under each new input: give reverse, "
        "or symmetric=True"),
    "reverse scores that are symmetric": (
        lambda t: caos.calibrate(t.own()).predict_p(t.test, reverse=t.test, symmetric=True),
        "give either reverse or symmetric=True"),
    "groups for a calibration without": (
        lambda t: caos.calibrate(t.own()).predict_set(t.test, 0.1, groups=t.test_groups),
        "the calibration has no groups of inputs; leave out groups"),
    "no groups for a calibration with": (
        lambda t: caos.calibrate(t.own(), groups=t.groups).predict_set(t.test, 0.1),
        "the number of groups is 0; expected 9, one per input"),
    "labels of another number": (
        lambda t: caos.calibrate(t.labeled, t.labels).predict_set(t.test[:, 1:], 0.1),
        "test: has 3 labels per input; the calibration has 4"),
    "references of another number": (
        lambda t: caos.calibrate(t.labeled, t.labels).predict_set(t.test[:, :, 1:], 0.1),
        "test: has 11 references; there are 12 labeled examples"),
    "clipping and smoothing": (
        lambda t: caos.calibrate(t.own()).predict_set(t.test, 0.1, clip_rank=True,
                                                      smoothing_seed=1),
        "clip_rank does not go with smoothing_seed"),
    "no alpha": (
        lambda t: caos.calibrate(t.own()).predict_set(t.test, []),
        "alpha: is an empty list; give at least one"),
    "an example with a group": (
        lambda t: caos.calibrate(t.own()).add_example(t.own()[0], t.own()[0], group=1),
        "the calibration has no groups; leave out group"),
    "an example without a group": (
        lambda t: caos.calibrate(t.own(), groups=t.groups).add_example(t.own()[0], t.own()[0]),
        "the calibration has groups; give the group of the example (group=...)"),
    "an example with too few scores": (
        lambda t: caos.calibrate(t.own()).add_example(t.own()[0, 1:], t.own()[0]), "11"),
    "an example without scores": (
        lambda t: caos.calibrate(t.own()).add_example(np.full(12, np.nan), t.own()[0]), "nan"),
    "an example in two dimensions": (
        lambda t: caos.calibrate(t.own()).add_example(t.own(), t.own()[0]),
        "under_others: has 2 dimensions, shape (12, 12); expected 1: one score per labeled "
        "example"),
    "an example that is not there": (
        lambda t: caos.calibrate(t.own()).remove_example(12),
        "the example to remove is out of range"),
    "an example before the first": (
        lambda t: caos.calibrate(t.own()).remove_example(-1),
        "i: is -1; expected a whole number from 0"),
    "the last example that k needs": (
        lambda t: caos.calibrate(t.own()[:4, :4]).remove_example(0), "k"),
    "evaluating full-caos without reverse scores": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, methods="full-caos"),
        "full-caos needs reverse scores, or scores that are symmetric"),
    "evaluating scos-best without all scores": (
        lambda t: caos.evaluate(t.own(), None, t.test, t.test_labels, methods="scos-best"),
        "scos-best needs the scores of every label of the labeled examples"),
    "evaluating scos with groups": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, methods="scos",
                                groups="labels"), "no form with groups"),
    "evaluating groups without those of test examples": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, groups=t.groups),
        "groups needs test_groups, the group of each test example"),
    "evaluating groups of test examples only": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, groups="labels",
                                test_groups=t.test_groups),
        "test_groups needs groups, the group of each labeled example"),
    "evaluating too few groups": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, groups=t.groups,
                                test_groups=[1]),
        "test_groups: there are 1; expected 9, one per input"),
    "evaluating no method": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, methods=[]),
        "give at least one method and one alpha"),
    "evaluating with a negative seed": (
        lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, seed=-1),
        "seed: is -1; expected a whole number from 0"),
    "evaluating labels that the test examples do not have": (
        lambda t: caos.evaluate(t.own(), t.labels + 9, t.test, t.test_labels),
        "labels are 0 to 3"),
}


@pytest.mark.parametrize("what", CALLS)
def test_invalid_values_are_value_errors_that_name_valid_ones(what, task):
    call, message = CALLS[what]
    with pytest.raises(ValueError) as caught:
        call(task)
    assert message in str(caught.value)


@pytest.mark.parametrize("call", [
    lambda t: caos.calibrate(),
    lambda t: caos.calibrate(t.labeled, t.labels, k=2.5),
    lambda t: caos.calibrate(t.labeled, t.labels, 3),
    lambda t: caos.calibrate(t.labeled, t.labels, kk=3),
    lambda t: caos.evaluate(t.labeled, t.labels, t.test),
    lambda t: caos.calibrate(t.own()).predict_set(t.test),
    lambda t: caos.load(3),
    lambda t: caos.evaluate(t.labeled, t.labels, t.test, t.test_labels, methods=3),
    lambda t: caos.Calibration(),
])
def test_wrong_kinds_of_arguments_are_type_errors(call, task):
    with pytest.raises(TypeError):
        call(task)


def test_a_failed_change_leaves_the_calibration_as_it_was(task):
    own = task.own()
    calibration = caos.calibrate(own)
    scores = calibration.scores
    for under, of in ((own[0, 1:], own[0]), (own[0], np.full(12, np.nan)),
                      (np.full(12, -np.inf), own[0])):
        with pytest.raises(ValueError):
            calibration.add_example(under, of)
    with pytest.raises(ValueError):
        calibration.remove_example(50)
    assert len(calibration) == 12
    np.testing.assert_array_equal(calibration.scores, scores)


@pytest.mark.parametrize("kind, maker", [
    (caos.Calibration, "caos.calibrate makes one, caos.load reads one"),
    (caos.PredictionSets, "predict_set"),
    (caos.Evaluation, "caos.evaluate"),
    (caos.patches.Regions, "functions of caos.patches"),
    (caos.text.TextCalibration, "functions of caos.text"),
])
def test_calling_a_class_without_a_constructor_says_what_gives_its_objects(kind, maker):
    name = f"{kind.__module__}.{kind.__name__}"
    for arguments in ((), (1, 2)):
        with pytest.raises(TypeError, match=f"^{name} is not made by calling it; .*{maker}"):
            kind(*arguments)
