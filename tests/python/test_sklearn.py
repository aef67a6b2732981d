"""The classifier in the manner of scikit-learn."""

import doctest
import pickle
import subprocess
import sys
import unittest
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos

pytest.importorskip("sklearn", reason="NOT TESTED: CaosClassifier needs scikit-learn")

from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from caos import CaosClassifier
from caos.sklearn import DistanceScorer


@parametrize_with_checks([
    CaosClassifier(), CaosClassifier(k=2), CaosClassifier(groups="labels"),
    CaosClassifier(standardize="batch"), CaosClassifier("distance"),
    CaosClassifier("distance", groups="labels")])
def test_every_check_of_scikit_learn_is_passed(estimator, check):
    try:
        check(estimator)
    except unittest.SkipTest as reason:
        pytest.skip(f"NOT TESTED: {reason}")


def table(seed, n=40, num_classes=3, num_features=4, values=5):
    """Features of few whole numbers, so that ties happen and distances are exact."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(num_classes, size=n)
    return rng.integers(values, size=(n, num_features)) + labels[:, None], labels


# The definitions, written out slowly, with nothing of the package.

def distance(a, b):
    return float(np.sqrt(int(((a - b) ** 2).sum())))


def minsum(pool, k):
    return sum(sorted(pool)[:k]) if len(pool) >= k else np.inf


def p_value(rows, labels, x, y, k, full):
    """Of label y of x, by comparing with every labeled example in turn."""
    score = minsum([distance(x, row) for row, label in zip(rows, labels) if label == y], k)
    at_least = 1
    for i, (row, label) in enumerate(zip(rows, labels)):
        pool = [distance(row, other) for j, (other, theirs) in enumerate(zip(rows, labels))
                if j != i and theirs == label]
        if full and label == y:
            pool.append(distance(row, x))
        at_least += minsum(pool, k) >= score
    return Fraction(at_least, len(rows) + 1)


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
@given(st.integers(0, 10**6), st.integers(4, 12), st.integers(1, 3), st.integers(1, 3))
def test_sets_are_those_of_the_definition(seed, n, num_classes, k):
    rows, labels = table(seed, n + 3, num_classes, 3, values=3)
    classifier = CaosClassifier("distance", k=k).fit(rows[:n], labels[:n])
    for method in ("caos", "full-caos"):
        expected = [[p_value(rows[:n], labels[:n], x, y, k, method == "full-caos")
                     for y in classifier.classes_] for x in rows[n:]]
        p_values = classifier.predict_p(rows[n:], method=method)
        np.testing.assert_array_equal(p_values, np.array(expected, dtype=float))
        for alpha in ("0.1", "0.25", "0.4"):
            sets = classifier.predict_set(rows[n:], alpha, method=method)
            assert [list(one) for one in sets] == [
                [y for y, p in zip(classifier.classes_, ps) if p > Fraction(alpha)]
                for ps in expected]


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
@given(st.integers(0, 10**6), st.sampled_from([2, 1000]))
def test_full_sets_lie_within_caos_sets(seed, values):
    rows, labels = table(seed, 30, values=values)
    classifier = CaosClassifier("distance", k=2).fit(rows[:20], labels[:20])
    alphas = [0.05, 0.1, 0.3, 0.7]
    for plain, full in zip(classifier.predict_set(rows[20:], alphas),
                           classifier.predict_set(rows[20:], alphas, method="full-caos")):
        assert not (full.mask & ~plain.mask).any()


@pytest.mark.parametrize("alpha", ["0.05", "0.1", "0.15", "0.5"])
def test_over_all_choices_of_the_new_example_full_caos_covers_as_often_as_its_rank(alpha):
    # Exchangeability in full: of n + 1 examples each is the new one once. Without ties the p-values
    # of the truths are then 1/(n + 1), ..., 1, each once.
    rng = np.random.default_rng(5)
    labels = np.arange(25) % 2
    rows = rng.normal(size=(25, 3)) + labels[:, None]
    covered = {"caos": 0, "full-caos": 0}
    for t in range(25):
        others = np.delete(np.arange(25), t)
        classifier = CaosClassifier("distance").fit(rows[others], labels[others])
        for method in covered:
            sets = classifier.predict_set(rows[[t]], alpha, method=method)
            covered[method] += int(sets.covers(labels[[t]])[0])
    rank = -((Fraction(alpha) - 1) * 25 // 1)  # the ceiling of (1 - alpha) (n + 1)
    assert covered["full-caos"] == rank <= covered["caos"]


class Cityblock(BaseEstimator):
    """A score of a user's own, with a parameter."""

    def __init__(self, scale=1):
        self.scale = scale

    def score(self, reference, x):
        assert x.shape == reference.x.shape == (4,) and x.dtype == np.float64
        scores = np.full(3, 100.0)
        scores[reference.y] = self.scale * np.abs(x - reference.x).sum()
        return scores


def test_a_score_of_ones_own_is_asked_as_in_one_shot_predictors():
    rows, labels = table(1)
    names = np.array(["b", "c", "a"])[labels]
    classifier = CaosClassifier(Cityblock(), symmetric=True).fit(rows[:25], names[:25])
    assert list(classifier.classes_) == ["a", "b", "c"]
    numbers = np.array([1, 2, 0])[labels]
    predictors = caos.OneShotPredictors(Cityblock(), rows[:25].astype(float), numbers[:25])
    for method in ("caos", "full-caos"):
        sets = classifier.predict_set(rows[25:], 0.2, method=method)
        expected = predictors.predict_set(rows[25:].astype(float), 0.2, method=method)
        np.testing.assert_array_equal(sets.mask, expected.mask)
        np.testing.assert_array_equal(
            classifier.predict_p(rows[25:], method=method),
            predictors.predict_p(rows[25:].astype(float), method=method))
    np.testing.assert_array_equal(classifier.predict(rows),
                                  classifier.classes_[predictors.predict(rows.astype(float))])


def test_sets_hold_classes_and_cover_classes():
    rows, labels = table(2)
    names = np.array(["red", "green", "blue"])[labels]
    sets = CaosClassifier().fit(rows[:25], names[:25]).predict_set(rows[25:], 0.2)
    assert sets.label_names == ("blue", "green", "red")
    for one, row in zip(sets, sets.mask):
        assert one == [name for name, is_in in zip(sets.label_names, row) if is_in]
    np.testing.assert_array_equal(sets.covers(names[25:]),
                                  [name in one for name, one in zip(names[25:], sets)])
    # A class that was not seen in fit is in no set.
    strange = np.where(np.arange(15) == 3, "gray", names[25:])
    np.testing.assert_array_equal(sets.covers(strange),
                                  [name in one for name, one in zip(strange, sets)])
    with pytest.raises(ValueError, match="labels: there are 1; expected 15"):
        sets.covers(["red"])
    assert pickle.loads(pickle.dumps(sets))[3] == sets[3]
    for classes in ([10, 30, 20], [3.0, 2.0, 1.0], [True, False, True]):
        own = np.array(classes)[labels]
        classifier = CaosClassifier().fit(rows[:25], own[:25])
        sets = classifier.predict_set(rows[25:], 0.2)
        assert sets.label_names == tuple(sorted(set(classes)))
        assert sets.covers(own[25:]).mean() > 0.5


def test_names_of_labels_must_be_one_per_label_and_different(task):
    sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, 0.2)
    named = sets.with_names(["a", "b", "c", "d"])
    assert named.label_names == ("a", "b", "c", "d") and sets.label_names is None
    assert named[0] == ["abcd"[y] for y in sets[0]]
    np.testing.assert_array_equal(named.with_names(None)[0], sets[0])
    assert (named.alpha, named.guarantee, named.method) == (sets.alpha, sets.guarantee, sets.method)
    with pytest.raises(ValueError, match="names: there are 2; expected 4"):
        sets.with_names(["a", "b"])
    with pytest.raises(ValueError, match="names: two labels have the same name"):
        sets.with_names(["a", "b", "a", "d"])


@pytest.mark.filterwarnings("ignore:CaosClassifier.score:DeprecationWarning")
def test_score_is_a_parameter_to_set_and_a_method_to_call():
    rows, labels = table(3)
    scorer = Cityblock()
    classifier = CaosClassifier(score=scorer)
    with pytest.warns(DeprecationWarning, match="deprecated; give nonconformity"):
        classifier.fit(rows, labels)
    accuracy = (classifier.predict(rows) == labels).mean()
    assert classifier.get_params()["score"] is scorer
    assert classifier.score(rows, labels) == accuracy
    weights = np.arange(len(labels))
    assert classifier.score(rows, labels, sample_weight=weights) == np.average(
        classifier.predict(rows) == labels, weights=weights)
    np.testing.assert_allclose(cross_val_score(classifier, rows, labels),
                               cross_val_score(classifier, rows, labels, scoring="accuracy"))
    other = Cityblock(2)
    assert classifier.set_params(score=other).get_params()["score"] is other
    classifier.score = None
    assert classifier.get_params()["score"] is None and callable(classifier.score)
    assert repr(CaosClassifier(score=scorer, k=1)) == "CaosClassifier(k=1, score=Cityblock())"


def test_parameters_of_the_scorer_are_parameters_too():
    classifier = CaosClassifier(score=Cityblock(2))
    assert classifier.get_params()["score__scale"] == 2
    assert "score__scale" not in classifier.get_params(deep=False)
    classifier.set_params(score__scale=5)
    assert classifier.get_params()["score"].scale == 5
    assert clone(classifier).get_params()["score"].scale == 5
    assert clone(classifier).get_params()["score"] is not classifier.get_params()["score"]


def test_clone_pickle_and_set_params_keep_what_predicts():
    rows, labels = table(4)
    classifier = CaosClassifier(Cityblock(), k=2, groups="labels").fit(rows[:30], labels[:30])
    again = clone(classifier)
    with pytest.raises(NotFittedError):
        again.predict_set(rows, 0.2)
    for other in (again.fit(rows[:30], labels[:30]), pickle.loads(pickle.dumps(classifier)),
                  CaosClassifier().set_params(nonconformity=Cityblock(), k=2, groups="labels").fit(
                      rows[:30], labels[:30])):
        np.testing.assert_array_equal(other.predict_p(rows), classifier.predict_p(rows))
        assert other.calibration_.guarantee == "group-conditional"


def test_pipelines_and_grid_search_work():
    rows, labels = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), CaosClassifier())
    search = GridSearchCV(pipeline, {"caosclassifier__k": [1, 3, 5],
                                     "caosclassifier__score": [None]}).fit(rows, labels)
    assert search.best_params_["caosclassifier__k"] in (1, 3, 5)
    assert search.score(rows, labels) > 0.9
    best = search.best_estimator_
    sets = best[-1].predict_set(best[:-1].transform(rows), 0.1)
    assert sets.covers(labels).mean() > 0.9


def test_later_changes_to_the_data_are_not_seen():
    rows, labels = table(6)
    rows = rows.astype(np.float64)
    classifier = CaosClassifier().fit(rows, labels)
    new = rows[::2].copy()
    before = classifier.predict_p(new)
    rows[:] = 0
    np.testing.assert_array_equal(classifier.predict_p(new), before)


def test_too_few_samples_are_refused_with_their_number():
    rows, labels = table(7)
    with pytest.raises(ValueError, match="n_samples=3 is too few for k=3; at least k . 1"):
        CaosClassifier("distance").fit(rows[:3], labels[:3])
    with pytest.raises(ValueError, match="n_samples=3 is too few for k=4; at least k labeled"):
        CaosClassifier(k=4).fit(rows[:3], labels[:3])
    with pytest.raises(ValueError, match="k = 0 does not fit n = 9"):
        CaosClassifier("distance", k=0).fit(rows[:9], labels[:9])
    with pytest.raises(ValueError, match="k: is 0"):
        CaosClassifier(k=0).fit(rows[:9], labels[:9])
    with pytest.raises(TypeError):
        CaosClassifier(k=1.5).fit(rows[:9], labels[:9])
    with pytest.raises(ValueError, match="groups: is 'classes'"):
        CaosClassifier(groups="classes").fit(rows[:9], labels[:9])


def test_an_infeasible_alpha_is_warned_of_where_the_user_called():
    rows, labels = table(8)
    classifier = CaosClassifier().fit(rows[:8], labels[:8])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sets = classifier.predict_set(rows, [0.05, 0.2])
    assert [(str(one.message)[:10], one.filename) for one in caught] == [("alpha 0.05", __file__)]
    assert [one.feasible for one in sets] == [False, True]


def test_distances_are_symmetric_and_the_same_alone_and_in_batches():
    rows = np.random.default_rng(9).normal(size=(30, 13))
    table_of = caos._core.distances(rows, rows)
    np.testing.assert_array_equal(table_of, table_of.T)
    np.testing.assert_allclose(table_of, np.linalg.norm(rows[:, None] - rows, axis=2), rtol=1e-14)
    scorer = DistanceScorer(3)
    reference = caos.scorers.Reference(rows[0], 1)
    many = scorer.score_many(reference, list(rows))
    np.testing.assert_array_equal(many[:, 1], table_of[:, 0])
    assert np.isinf(many[:, [0, 2]]).all()
    np.testing.assert_array_equal([scorer.score(reference, row) for row in rows], many)
    for threads in (1, 3):
        np.testing.assert_array_equal(caos._core.distances(rows, rows, threads=threads), table_of)
    np.testing.assert_array_equal(
        caos._core.distances(rows.astype(np.float32), np.asfortranarray(rows)),
        caos._core.distances(rows.astype(np.float32).astype(np.float64), rows))


@pytest.mark.parametrize("x, references, message", [
    ([1.0, 2.0], [[1.0, 2.0]], "x: has 1 dimension, shape .2,.; expected 2: rows x features"),
    ([[1.0]], [[1.0, 2.0]], "x: has rows of 1; the references have rows of 2"),
    ([[1.0, np.nan]], [[1.0, 2.0]], "x: row 0 has a value that is not a finite number"),
    ([["a"]], [[1.0]], "x: holds <U1"),
])
def test_distances_refuse_anything_but_a_table(x, references, message):
    with pytest.raises(ValueError, match=message):
        caos._core.distances(x, references)


def test_the_example_in_the_help_works():
    found = doctest.DocTestFinder().find(CaosClassifier, "CaosClassifier", globs={})
    results = [doctest.DocTestRunner().run(one) for one in found if one.examples]
    assert sum(one.attempted for one in results) >= 5
    assert sum(one.failed for one in results) == 0


def test_without_scikit_learn_everything_else_works():
    code = """
import sys
sys.modules["sklearn"] = None  # as if it were not installed
import caos
assert "CaosClassifier" in dir(caos)
caos.OneShotPredictors(lambda reference, x: [0.0, 1.0], range(5), [0, 1, 0, 1, 0])
try:
    caos.CaosClassifier
except ImportError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    assert "python3-sklearn" in result.stdout
    code = "import sys, caos; print({'sklearn', 'matplotlib'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                            check=True)
    assert loaded.stdout.strip() == "set()"
    with pytest.raises(AttributeError, match="module 'caos' has no attribute 'nothing'"):
        caos.nothing
