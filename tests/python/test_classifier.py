"""Full conformal classification against its definition, and what it achieves with few labels."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos

pytest.importorskip("sklearn", reason="NOT TESTED: CaosClassifier needs scikit-learn")

from sklearn.datasets import load_digits

from caos import CaosClassifier


def table(seed, n, num_classes=3, num_features=3, values=3):
    """Features of few whole numbers, so that ties happen and distances are exact."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(num_classes, size=n)
    return rng.integers(1, values + 1, size=(n, num_features)) + labels[:, None], labels


# The definitions, recomputed for every candidate, with nothing of the package.

def ratio_score(x, y, others, labels, k):
    def nearest(rows):
        found = sorted(float(np.sqrt(int(((x - row) ** 2).sum()))) for row in rows)[:k]
        return found + [found[-1]] * (k - len(found)) if found else None
    same = nearest([row for row, label in zip(others, labels) if label == y])
    other = nearest([row for row, label in zip(others, labels) if label != y])
    if same is None:
        return np.inf
    if other is None:
        return 0.0
    above, below = sum(same), sum(other)
    if below == 0:
        return 1.0 if above == 0 else np.inf
    return above / below


def kernel_score(x, y, others, labels, num_classes, temperature=0.1, prior=0.001):
    def unit(row):
        return row / np.sqrt(float((row * row).sum()))
    votes = [np.exp((float(unit(x) @ unit(row)) - 1) / temperature) for row in others]
    own = sum(vote for vote, label in zip(votes, labels) if label == y)
    return -(prior / num_classes + own) / (prior + sum(votes))


def full_p_value(rows, labels, x, y, score, by_label=False):
    """Of label y of x: it joins the examples, and each is scored given all others."""
    rows, labels = np.vstack([rows, x]), np.append(labels, y)
    scores = [score(rows[i], labels[i], np.delete(rows, i, 0), np.delete(labels, i))
              for i in range(len(rows))]
    peers = [i for i in range(len(rows)) if not by_label or labels[i] == y]
    return Fraction(sum(scores[i] >= scores[-1] for i in peers), len(peers))


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 3), st.integers(1, 3),
       st.booleans())
def test_ratio_is_its_definition_with_ties(seed, n, num_classes, k, by_label):
    rows, labels = table(seed, n + 2, num_classes)
    classifier = CaosClassifier(k=k, groups="labels" if by_label else None)
    classifier.fit(rows[:n], labels[:n])
    expected = [[full_p_value(rows[:n], labels[:n], x, y,
                              lambda *parts: ratio_score(*parts, k), by_label)
                 for y in classifier.classes_] for x in rows[n:]]
    np.testing.assert_array_equal(classifier.predict_p(rows[n:]), np.array(expected, dtype=float))
    for alpha in ("0.1", "0.25", "0.4"):
        sets = classifier.predict_set(rows[n:], alpha)
        assert [list(one) for one in sets] == [
            [y for y, p in zip(classifier.classes_, ps) if p > Fraction(alpha)] for ps in expected]


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 3))
def test_kernel_is_its_definition(seed, n, num_classes):
    # Real features: the definition in floating point cannot tell ties, which the C++ tests have.
    rng = np.random.default_rng(seed)
    rows, labels = rng.normal(size=(n + 2, 4)), rng.integers(num_classes, size=n + 2)
    classifier = CaosClassifier("kernel").fit(rows[:n], labels[:n])
    expected = [[full_p_value(rows[:n], labels[:n], x, y,
                              lambda *parts: kernel_score(*parts, len(classifier.classes_)))
                 for y in classifier.classes_] for x in rows[n:]]
    found = classifier.predict_p(rows[n:])
    if len(classifier.classes_) > 1:  # else all scores tie
        np.testing.assert_array_equal(found, np.array(expected, dtype=float))
    assert ((found > 0) & (found <= 1)).all()


@given(st.integers(0, 10**6), st.sampled_from(["ratio", "kernel"]))
def test_the_order_of_examples_does_not_matter(seed, nonconformity):
    rows, labels = table(seed, 20)
    order = np.random.default_rng(seed).permutation(15)
    one = CaosClassifier(nonconformity).fit(rows[:15], labels[:15])
    two = CaosClassifier(nonconformity).fit(rows[:15][order], labels[:15][order])
    np.testing.assert_array_equal(one.predict_p(rows[15:]), two.predict_p(rows[15:]))


@pytest.mark.parametrize("nonconformity", ["ratio", "kernel"])
@pytest.mark.parametrize("alpha", ["0.05", "0.1", "0.5"])
def test_over_all_choices_of_the_new_example_coverage_is_its_rank(nonconformity, alpha):
    # Of n + 1 examples each is the new one once; without ties rank of them are covered. The two
    # mutual nearest neighbors may tie, so that a few more may be.
    rng = np.random.default_rng(5)
    labels = np.arange(25) % 2
    rows = rng.normal(size=(25, 3)) + labels[:, None]
    covered = 0
    for t in range(25):
        others = np.delete(np.arange(25), t)
        classifier = CaosClassifier(nonconformity).fit(rows[others], labels[others])
        covered += int(classifier.predict_set(rows[[t]], alpha).covers(labels[[t]])[0])
    rank = -((Fraction(alpha) - 1) * 25 // 1)
    assert rank <= covered <= rank + 1


def test_confidence_level_is_one_minus_alpha_exactly():
    rows, labels = table(1, 40)
    classifier = CaosClassifier().fit(rows[:30], labels[:30])
    by_alpha = classifier.predict_set(rows[30:], alpha=0.1)
    for level in (0.9, "0.9", Decimal("0.90")):
        sets = classifier.predict_set(rows[30:], confidence_level=level)
        np.testing.assert_array_equal(sets.mask, by_alpha.mask)
        assert sets.alpha == by_alpha.alpha and sets.method == "full-ratio"
    for wrong in (0, 1, 1.5, "much", float("nan")):
        with pytest.raises(ValueError, match="confidence_level: is"):
            classifier.predict_set(rows[30:], confidence_level=wrong)
    with pytest.raises(TypeError, match="give alpha, such as 0.1, or confidence_level"):
        classifier.predict_set(rows[30:])
    with pytest.raises(TypeError, match="give alpha, such as 0.1, or confidence_level"):
        classifier.predict_set(rows[30:], 0.1, confidence_level=0.9)


def test_a_class_of_one_example_can_be_predicted_and_one_of_none_is_missed():
    rows = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0]])
    classifier = CaosClassifier().fit(rows, list("aaabbbc"))
    sets = classifier.predict_set([[0.15], [9.0], [20.0]], alpha=0.3)
    assert "a" in sets[0]
    assert sets.covers(["a", "d", "e"]).tolist() == [True, False, False]
    p_values = classifier.predict_p([[9.0]])
    assert p_values.shape == (1, 3) and (p_values > 0).all()


def test_classes_that_no_labeled_example_has_can_be_in_sets():
    rng = np.random.default_rng(1)
    rows, labels = rng.integers(1, 9, size=(12, 2)), np.array([1, 3, 4, 6] * 3)
    few = CaosClassifier().fit(rows[:5], labels[:5])  # two of each, but three alone
    assert few.predict_set(rows, 0.4).guarantee.startswith("marginal for listed labels")
    all_classes = CaosClassifier(classes=[6, 4, 3, 1, 0]).fit(rows[:5], labels[:5])
    np.testing.assert_array_equal(all_classes.classes_, [0, 1, 3, 4, 6])
    sets = all_classes.predict_set(rows, 0.4)
    assert sets.guarantee == "marginal"
    expected = [[full_p_value(rows[:5], labels[:5], x, y, lambda *parts: ratio_score(*parts, 1))
                 for y in all_classes.classes_] for x in rows]
    np.testing.assert_array_equal(all_classes.predict_p(rows), np.array(expected, dtype=float))
    assert any(0 in one for one in sets)  # as many examples as not are alone in their class
    with pytest.raises(ValueError, match="classes: does not hold 6, which y has"):
        CaosClassifier(classes=[1, 3, 4]).fit(rows, labels)
    with pytest.raises(ValueError, match="classes: holds a class twice"):
        CaosClassifier(classes=[1, 3, 4, 6, 6]).fit(rows, labels)


@pytest.mark.parametrize("alpha", ["0.1", "0.25"])
def test_over_all_choices_coverage_holds_for_classes_seen_once(alpha):
    # Each of n + 1 examples is the new one once; those that are alone in their class then have one
    # that was not seen.
    rng = np.random.default_rng(6)
    labels = np.minimum(np.arange(30) // 2, 9)  # some classes of two examples, and one of many
    labels[:5] = np.arange(20, 25)  # and five of one
    rows = rng.normal(size=(30, 3)) + labels[:, None]
    covered = 0
    for t in range(30):
        others = np.delete(np.arange(30), t)
        classifier = CaosClassifier(classes=np.unique(labels)).fit(rows[others], labels[others])
        covered += int(classifier.predict_set(rows[[t]], alpha).covers(labels[[t]])[0])
    assert covered >= -((Fraction(alpha) - 1) * 30 // 1)


def test_smoothed_sets_are_smaller_and_repeat_with_their_state():
    rows, labels = table(7, 60)
    plain = CaosClassifier().fit(rows[:40], labels[:40])
    smooth = CaosClassifier(smoothing=True, random_state=3, n_jobs=2).fit(rows[:40], labels[:40])
    p_values = smooth.predict_p(rows[40:])
    assert (p_values <= plain.predict_p(rows[40:])).all()
    np.testing.assert_array_equal(p_values, smooth.predict_p(rows[40:]))
    np.testing.assert_array_equal(smooth.predict_set(rows[40:], 0.3).mask, p_values > 0.3)
    other = CaosClassifier(smoothing=True, random_state=np.random.default_rng(3))
    assert (other.fit(rows[:40], labels[:40]).predict_p(rows[40:]) != p_values).any()
    with pytest.raises(ValueError, match="smoothing is for nonconformity 'ratio' and 'kernel'"):
        CaosClassifier("distance", smoothing=True).fit(rows, labels)
    with pytest.raises(ValueError, match="n_jobs: is 0"):
        CaosClassifier(n_jobs=0).fit(rows, labels)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonconformty'"):
        CaosClassifier(nonconformty="ratio")


def test_standardizing_the_batch_ignores_units_and_says_which_methods_have_it():
    rows, labels = table(2, 40)
    scaled = rows * np.array([1.0, 1024.0, 0.125])
    for nonconformity in ("ratio", "kernel"):
        p_values = [CaosClassifier(nonconformity, standardize="batch").fit(
            data[:30], labels[:30]).predict_p(data[30:]) for data in (rows, scaled)]
        np.testing.assert_array_equal(*p_values)
    with pytest.raises(ValueError, match="standardize is for nonconformity 'ratio' and 'kernel'"):
        CaosClassifier("distance", standardize="batch").fit(rows, labels)


def test_wrong_parameters_are_refused_by_name():
    rows, labels = table(3, 20)
    for bad, message in [({"nonconformity": "knn"}, "nonconformity: is 'knn'; expected 'ratio'"),
                         ({"standardize": "train"}, "standardize: is 'train'"),
                         ({"nonconformity": "kernel", "temperature": 0.0}, "temperature"),
                         ({"nonconformity": "kernel", "prior_weight": -1.0}, "prior"),
                         ({"groups": "x"}, "groups: is 'x'")]:
        with pytest.raises(ValueError, match=message):
            CaosClassifier(**bad).fit(rows, labels)
    classifier = CaosClassifier().fit(rows, labels)
    with pytest.raises(ValueError, match="this classifier has 'full-ratio' alone"):
        classifier.predict_p(rows, method="full-caos")
    with pytest.raises(AttributeError, match="has no calibration"):
        _ = classifier.calibration_
    with pytest.raises(ValueError, match="X: row 3 is all zeros"):
        CaosClassifier("kernel").fit(np.where(np.arange(20)[:, None] == 3, 0, rows), labels)


def test_the_classifier_is_among_the_public_names():
    assert "CaosClassifier" in caos.__all__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows, labels = table(4, 20)
        CaosClassifier().fit(rows, labels).predict_set(rows, 0.2)


def test_sixty_labeled_digits_give_small_sets():
    rows, labels = load_digits(return_X_y=True)
    sizes, coverages = [], []
    for seed in range(24):
        order = np.random.default_rng(seed).permutation(len(rows))
        train, new = order[:60], order[60:]
        sets = CaosClassifier().fit(rows[train], labels[train]).predict_set(rows[new], alpha=0.1)
        sizes.append(sets.mask.sum(axis=1).mean())
        coverages.append(sets.covers(labels[new]).mean())
    error = np.std(coverages, ddof=1) / np.sqrt(24)
    assert np.mean(sizes) <= 1.4
    assert np.mean(coverages) >= 0.9 - 3 * error
