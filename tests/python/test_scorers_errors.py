"""Scorers written in Python: what is refused, and how errors tell where."""

import re
import traceback

import numpy as np
import pytest

import caos.text
from caos.scorers import OneShotPredictors


def bad_scorers():
    def nan(reference, x):
        return [0.0, np.nan if (reference.x, x) == (1, 2) else 1.0]

    class Many:
        def score(self, reference, x):
            raise AssertionError("not asked")

        def score_many(self, reference, xs):
            return np.zeros((2, len(xs)))

    return [
        (nan, "score of example 2 under example 1: entry .1. is nan"),
        (lambda reference, x: [0.0, -np.inf], "example 1 under example 0: entry .1. is -inf"),
        (lambda reference, x: [-1e301, 0.0], "example 1 under example 0: .* not below -1e.300"),
        (lambda reference, x: 1.0, r"has shape \(\); expected \(K,\), one number per label"),
        (lambda reference, x: [], r"has shape \(0,\); expected \(K,\)"),
        (lambda reference, x: [[1.0, 2.0]], r"has shape \(1, 2\); expected \(K,\)"),
        (lambda reference, x: [0.0] * (2 + x % 2), r"example 2 under example 0: has shape \(2,\); "
                                                   r"expected \(3,\)"),
        (lambda reference, x: None, "what the scorer returned: is NoneType"),
        (lambda reference, x: ["0.5", "1"], "what the scorer returned: holds <U3"),
        (lambda reference, x: [True, False], "what the scorer returned: holds bool"),
        (lambda reference, x: np.ma.array([0.0, 1.0], mask=[True, False]), "mask"),
        (lambda reference, x: [0, 2**53 + 1], "2.53"),
        (lambda reference, x: [0.0], "labels: the largest is 1; but the scorer gives 1 scores"),
        (Many(), r"score of example 1 under example 0 and 3 more: has shape \(2, 4\); "
                 r"expected \(4, K\)"),
    ]


@pytest.mark.parametrize("scorer, message", bad_scorers())
def test_invalid_scores_are_refused_by_the_name_of_their_pair(scorer, message):
    with pytest.raises(ValueError) as caught:
        OneShotPredictors(scorer, range(5), [0, 1, 0, 1, 0])
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert re.search(message, text), text
    assert "under example" in text or text.startswith("labels")


def test_errors_of_the_scorer_come_through_with_a_note_on_the_pair():
    class Broken(Exception):
        pass

    def score(reference, x):
        if x == "new" or reference.x == "new":
            raise Broken("no such image")
        return [0.0, 1.0]

    predictors = OneShotPredictors(score, range(5), [0, 1, 0, 1, 0])
    with pytest.raises(Broken, match="no such image") as caught:
        predictors.predict_set([3, "new"], 0.5)
    assert "(in the score of input 1 under example 0)" in "".join(
        traceback.format_exception(caught.value))
    with pytest.raises(Broken) as caught:
        predictors.add_example("new", 1)
    assert caught.value.__notes__ == ["(in the score of the new example under example 0)"]
    assert len(predictors) == 5


def test_full_caos_names_the_pair_of_a_reverse_score():
    def score(reference, x):
        return [0.0, np.nan if reference.x == "new" and x == 3 else 1.0]

    predictors = OneShotPredictors(score, range(5), [0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match="of example 3 under input 0 with label 0: entry .1."):
        predictors.predict_p(["new"], method="full-caos")


@pytest.mark.parametrize("options, message", [
    (dict(k=5), "k = 5 does not fit n = 5"),
    (dict(k=-1), "k: is -1"),
    (dict(labels=[0, 1]), "labels: the number of labels is 2; expected 5"),
    (dict(labels=[0, 1, 0, 1, -1]), "labels: entry 4 is -1"),
    (dict(labels=[0.0, 1, 0, 1, 0]), "labels: holds float64"),
    (dict(num_labels=1), "labels: entry 1 is 1; labels are 0 to 0"),
    (dict(num_labels=0), "num_labels: is 0"),
    (dict(groups="label"), "groups: is 'label'"),
    (dict(groups=[1, 2]), "groups: there are 2; expected 5"),
    (dict(examples="texts"), "examples: is str; expected a list"),
    (dict(examples=[1], labels=[0]), "at least 2 labeled examples"),
])
def test_bad_arguments_are_refused_before_the_scorer_is_asked(options, message):
    def score(reference, x):
        raise AssertionError("the scorer was asked")

    arguments = dict(examples=range(5), labels=[0, 1, 0, 1, 0])
    with pytest.raises(ValueError, match=message):
        OneShotPredictors(score, **{**arguments, **options})


@pytest.mark.parametrize("options, message", [
    (dict(alpha=1.5), "alpha '1.5' is not usable"),
    (dict(alpha=[]), "alpha: is an empty list"),
    (dict(method="scos"), "scos does not predict from a calibration"),
    (dict(groups=[1]), "groups: there are 1; expected 2"),
    (dict(groups=[1, 1]), "no groups of inputs"),
    (dict(xs="ab"), "xs: is str"),
    (dict(xs={1: 2}), "xs: is dict"),
])
def test_bad_calls_are_refused_before_the_scorer_is_asked(options, message):
    asked = []

    def score(reference, x):
        assert not asked, "the scorer was asked"
        return [0.0, 1.0]

    predictors = OneShotPredictors(score, range(5), [0, 1, 0, 1, 0])
    asked.append(True)
    with pytest.raises(ValueError, match=message):
        predictors.predict_set(**{**dict(xs=[1, 2], alpha=0.5), **options})


def test_groups_of_inputs_must_be_told():
    predictors = OneShotPredictors(lambda reference, x: [0.0, 1.0], range(4), [0, 1, 0, 1], k=1,
                                   groups=[5, 5, 6, 6])
    for predict in (lambda: predictors.predict_set([1], 0.5), lambda: predictors.predict_p([1])):
        with pytest.raises(ValueError, match="give the group of each input"):
            predict()


def test_an_invalid_scorer_is_a_type_error():
    class Scorer:
        def score(self, reference, x):
            raise AssertionError("the scorer was asked")

    for scorer, message in (
            (3, "score: is int"),
            (Scorer, "is the class Scorer; give an object"),
            (caos.text.TextScorer(["a", "b"]), "is a caos.text.TextScorer, which scores texts for "
                                               "caos.text alone; call caos.text.calibrate")):
        with pytest.raises(TypeError, match=message):
            OneShotPredictors(scorer, range(5), [0, 1, 0, 1, 0])


def test_labels_of_a_new_example_are_checked():
    predictors = OneShotPredictors(lambda reference, x: [0.0, 1.0], range(4), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="y: is 2; labels are 0 to 1"):
        predictors.add_example(1, 2)
    with pytest.raises(TypeError):
        predictors.add_example(1, 0.5)
    with pytest.raises(ValueError, match="has no groups"):
        predictors.add_example(1, 1, group=3)
