"""Keywords: scikit-learn's names for some, and errors that say what is wrong with others."""

from decimal import Decimal

import numpy as np
import pytest

import caos
from caos import _keywords
from conftest import Task


@pytest.fixture(scope="module")
def task():
    return Task(seed=8, n=24, num_labels=4, num_test=9, values=30)


@pytest.fixture(scope="module")
def calibration(task):
    return caos.calibrate(task.labeled, task.labels)


def test_every_compiled_function_can_be_understood():
    lines = []
    for thing in [caos._core, *(one for one in vars(caos._core).values() if isinstance(one, type))]:
        for member in vars(thing).values():
            doc = (getattr(member, "__doc__", None) or "").partition("\n")[0]
            if callable(member) and ") -> " in doc:
                lines.append(doc)
    assert len(lines) > 100
    for line in lines:
        assert _keywords._signature(line).name == line.partition("(")[0]


@pytest.mark.parametrize("level", [0.9, "0.9", Decimal("0.90"), np.float64(0.9)])
def test_a_confidence_level_is_one_minus_alpha_exactly(calibration, task, level):
    sets = calibration.predict_set(task.test, confidence_level=level)
    assert sets.alpha == 0.1
    np.testing.assert_array_equal(sets.mask, calibration.predict_set(task.test, 0.1).mask)
    predictors = caos.OneShotPredictors(lambda r, x: np.abs(r.x - x) + np.arange(3.0),
                                        np.arange(20.0), np.arange(20) % 3)
    by_level = predictors.predict_set([1.0, 4.0], confidence_level=level)
    np.testing.assert_array_equal(by_level.mask, predictors.predict_set([1.0, 4.0], 0.1).mask)


def test_several_confidence_levels_are_several_alphas(calibration, task):
    sets = calibration.predict_set(task.test, confidence_level=[0.9, 0.8])
    assert [one.alpha for one in sets] == [0.1, 0.2]
    found = caos.evaluate(task.labeled, task.labels, task.test, task.test_labels, methods="caos",
                          confidence_level=(0.95, 0.75))
    assert [one.alpha for one in found] == [0.05, 0.25]


@pytest.mark.parametrize("level", [0, 1, 1.5, "much", float("nan")])
def test_confidence_levels_are_between_0_and_1(calibration, task, level):
    with pytest.raises(ValueError, match="confidence_level: is"):
        calibration.predict_set(task.test, confidence_level=level)


def test_n_jobs_and_random_state_are_threads_and_seed(task):
    def table(**more):
        return repr(caos.evaluate(task.labeled, task.labels, task.test, task.test_labels,
                                  alpha=0.2, methods=["caos", "split-caos"], **more))

    assert table(n_jobs=2, random_state=5) == table(threads=2, seed=5)
    assert table(n_jobs=-1, random_state=None) == table()
    assert table(random_state=np.random.RandomState(3)) == table(
        seed=np.random.RandomState(3).randint(2**31 - 1))
    assert table(random_state=np.random.default_rng(3)) == table(
        seed=int(np.random.default_rng(3).integers(2**31)))
    with pytest.raises(ValueError, match="n_jobs: is 0"):
        table(n_jobs=0)


def test_two_names_of_one_thing_are_refused(calibration, task):
    with pytest.raises(TypeError, match=r"^predict_set\(\) got alpha and confidence_level"):
        calibration.predict_set(task.test, alpha=0.1, confidence_level=0.9)
    with pytest.raises(TypeError, match=r"^predict_set\(\) got several values .* 'alpha'"):
        calibration.predict_set(task.test, 0.1, confidence_level=0.9)
    with pytest.raises(TypeError, match=r"^calibrate\(\) got threads and n_jobs"):
        caos.calibrate(task.labeled, task.labels, threads=1, n_jobs=1)


def test_a_misspelled_keyword_is_named(calibration, task):
    with pytest.raises(TypeError, match=r"^predict_set\(\) got an unexpected keyword argument "
                                        r"'aplha'; did you mean 'alpha'\?$"):
        calibration.predict_set(task.test, aplha=0.1)
    with pytest.raises(TypeError, match=r"^calibrate\(\) got .* 'xyzzy'; it has: labeled, labels, "
                                        "k, "):
        caos.calibrate(task.labeled, task.labels, xyzzy=1)
    # Where there is nothing random, there is no other name for a seed either.
    with pytest.raises(TypeError, match=r"^calibrate\(\) got .* 'random_state'"):
        caos.calibrate(task.labeled, task.labels, random_state=1)


def test_other_calls_that_do_not_fit_are_explained(calibration, task):
    with pytest.raises(TypeError, match=r"^predict_set\(\) misses the argument 'alpha'$"):
        calibration.predict_set(task.test)
    with pytest.raises(TypeError, match=r"^calibrate\(\) takes at most 2 arguments without their "
                                        "names; name the others: k, "):
        caos.calibrate(task.labeled, task.labels, 3)
    with pytest.raises(TypeError, match=r"^calibrate\(\) got an argument of a wrong type; expected "
                                        r"calibrate\(labeled"):
        caos.calibrate(task.labeled, task.labels, k="many")
    with pytest.raises(TypeError, match=r"^calibrate\(\) misses the argument 'labeled'$"):
        caos.calibrate()


def test_errors_of_other_kinds_stay_as_they_are(calibration, task):
    with pytest.raises(ValueError, match="alpha"):
        calibration.predict_set(task.test, alpha=2)
    with pytest.raises(TypeError, match="^caos.Evaluation is not made by calling it"):
        caos.Evaluation()
