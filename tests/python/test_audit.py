"""Audits from Python: the bound against exact fractions, and the words of a report."""

import pickle
from fractions import Fraction
from math import comb

import numpy as np
import pytest

import caos


def remaining_hits(pool: int, audited: int, hits: int, error: Fraction) -> int:
    """The definition, with fractions."""
    def tail(total: int) -> Fraction:
        draws = sum(comb(total, j) * comb(pool - total, audited - j)
                    for j in range(hits, audited + 1))
        return Fraction(draws, comb(pool, audited))
    return next(k for k in range(pool + 1) if tail(k) > error) - hits


@pytest.mark.parametrize("pool, audited, hits", [(1000, 30, 30), (100, 1, 1), (77, 40, 39),
                                                 (300, 100, 0), (50, 50, 48)])
@pytest.mark.parametrize("confidence", [0.95, "0.9", 0.999])
def test_the_bound_is_exact(pool, audited, hits, confidence):
    found = caos.audit_bound(hits, audited, pool, confidence=confidence)
    expected = remaining_hits(pool, audited, hits, 1 - Fraction(str(confidence)))
    assert (found.remaining_hits, found.remaining) == (expected, pool - audited)
    assert found.share == (expected / (pool - audited) if pool > audited else 1)


def test_the_bound_without_a_pool_is_a_probability():
    found = caos.audit_bound(30, 30)
    assert found.pool_size is found.remaining is found.remaining_hits is None
    assert found.share == pytest.approx(0.05 ** (1 / 30), abs=1.1e-9)
    assert repr(found) == "AuditBound(30 hits of 30: at least 90.49 % of the rest)"


def test_a_report_has_a_finding_for_each_landmark_and_for_images():
    outcomes = np.ones((40, 2), int)
    outcomes[3, 0] = 0
    outcomes[5, 1] = -1
    outcomes[7] = [1, 0]
    report = caos.audit_report(outcomes, 500, landmarks=["nose", "chin"])
    assert [one.landmark for one in report] == ["nose", "chin", None]
    assert [one.missed for one in report] == [[3], [7], [3, 7]]
    assert [one.absent for one in report] == [0, 1, 0]
    assert [one.bound.hits for one in report] == [39, 39, 38]
    error = Fraction(1, 20)
    assert [one.bound.remaining_hits for one in report] == [
        remaining_hits(500, 40, one.bound.hits, error) for one in report]
    assert "of the remaining 460 regions of nose contain the landmark" in report[0].statement
    assert str(report).splitlines()[-1].startswith("This holds if the regions were frozen")


def test_statements_hold_together_on_request():
    report = caos.audit_report(np.ones((40, 2), int), 500, together=True, confidence="0.9")
    assert {one.bound.statements for one in report} == {3}
    expected = remaining_hits(500, 40, 40, Fraction(1, 10) / 3)
    assert {one.bound.remaining_hits for one in report} == {expected}


def test_the_order_is_a_seeded_permutation():
    order = caos.audit_order(50, seed=4)
    assert sorted(order.tolist()) == list(range(50))
    assert order.tolist() == caos.audit_order(50, seed=4).tolist() != list(range(50))


@pytest.mark.parametrize("call, message", [
    (lambda: caos.audit_bound(31, 30), "31 hits of 30 audited units"),
    (lambda: caos.audit_bound(3, 30, 20), "a pool of 20"),
    (lambda: caos.audit_bound(3, 30, confidence=95), "confidence '95'"),
    (lambda: caos.audit_report([[2]], 20), "outcomes: 2 is not one of 1"),
    (lambda: caos.audit_report([1, 0], 20), "outcomes: must be an array"),
    (lambda: caos.audit_report([[1]], 20, unit="voxel"), "unit: is 'voxel'"),
    (lambda: caos.audit_report([[1]], 20, landmarks=["a", "b"]), "2 landmarks are named"),
])
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def split_task():
    """Scores of 80 labeled examples and 30 new inputs with 6 labels."""
    rng = np.random.default_rng(3)
    return rng.random((80, 6, 80)), rng.integers(6, size=80), rng.random((30, 6, 80))


def test_split_caos_takes_the_rank_of_a_confidence():
    labeled, labels, test = split_task()
    calibration = caos.calibrate(labeled, labels)
    references = np.arange(0, 80, 2)
    own = labeled[np.arange(80), labels]
    scores = np.sort(np.sort(own[1::2][:, references], axis=1)[:, :3].sum(axis=1))
    new = np.sort(test[:, :, references], axis=2)[..., :3].sum(axis=2)
    for pool, remaining in ((None, None), (200, 120)):
        found = calibration.predict_set(test, 0.1, method="split-caos", confidence=0.95,
                                        pool_size=pool, reference_indices=references)
        rank = confident_rank(40, Fraction(1, 10), Fraction(19, 20), remaining)
        np.testing.assert_array_equal(found.mask, new <= scores[rank - 1] + 1e-12)
        assert found.guarantee.startswith("PAC (95 % confidence")
        assert pickle.loads(pickle.dumps(found)).guarantee == found.guarantee


def confident_rank(n, alpha, confidence, remaining):
    def covers(rank):
        if remaining is None:
            return sum(comb(n, j) * (1 - alpha) ** j * alpha ** (n - j) for j in range(rank))
        drawn = -(-(1 - alpha) * remaining // 1) + rank - 1
        ways = sum(comb(n, j) * comb(remaining, int(drawn) - j) for j in range(rank))
        return Fraction(ways, comb(n + remaining, int(drawn)))
    return next(r for r in range(1, n + 1) if covers(r) >= confidence)


def test_a_confidence_is_for_split_caos_alone():
    labeled, labels, test = split_task()
    calibration = caos.calibrate(labeled, labels)
    with pytest.raises(ValueError, match="a confidence goes with split-caos"):
        calibration.predict_set(test, 0.1, confidence=0.95)
    with pytest.raises(ValueError, match="pool_size goes with confidence"):
        calibration.predict_set(test, 0.1, method="split-caos", pool_size=100)
    with pytest.raises(ValueError, match="so none remains"):
        calibration.predict_set(test, 0.1, method="split-caos", confidence=0.9, pool_size=80)
    truths = np.zeros(30, int)
    with pytest.raises(ValueError, match="a confidence is for split-caos"):
        caos.evaluate(labeled, labels, test, truths, methods="caos", confidence=0.9)
    (row,) = caos.evaluate(labeled, labels, test, truths, methods="split-caos", alpha=0.1,
                           confidence=0.9)
    assert row.guarantee.startswith("PAC (90 % confidence")


def test_advice_tells_what_a_confidence_takes():
    advice = caos.advise(100, 0.1)
    assert (advice.confidence, advice.confidence_rank) == (0.95, 49)
    assert advice.confidence_examples_needed == 29
    assert caos.advise(40, 0.1).confidence_rank is None
    assert pickle.loads(pickle.dumps(caos.advise(40, 0.1, confidence="0.8"))).confidence_rank == 20


def test_landmarks_are_predicted_by_split_caos_with_a_confidence():
    rng = np.random.default_rng(8)
    embeddings = rng.normal(size=(70, 9, 5))
    labels = rng.integers(9, size=(70, 2))
    embeddings[np.arange(70)[:, None], labels] += 3
    calibration = caos.patches.calibrate(embeddings, labels)
    new = rng.normal(size=(4, 9, 5))
    references = np.arange(30)
    found = calibration.predict_set(new, 0.1, method="split-caos", confidence=0.95,
                                    reference_indices=references)
    assert found.guarantee.startswith("PAC (95 % confidence")
    rank = confident_rank(40, Fraction(1, 10), Fraction(19, 20), None)
    unit = embeddings / np.linalg.norm(embeddings, axis=2, keepdims=True)
    unit_new = new / np.linalg.norm(new, axis=2, keepdims=True)
    for t in range(2):
        patches = unit[np.arange(70), labels[:, t]]
        own = np.sort(1 - patches[30:] @ patches[:30].T, axis=1)[:, :3].sum(axis=1)
        scores = np.sort(1 - unit_new @ patches[:30].T, axis=2)[..., :3].sum(axis=2)
        limit = np.sort(own)[rank - 1]
        for image in range(4):
            expected = np.flatnonzero(scores[image] <= limit + 1e-6).tolist()
            assert found[image][t].tolist() == expected
    twice = caos.patches.calibrate(embeddings, labels, subjects=[0, 0, *range(2, 70)])
    with pytest.raises(ValueError, match="split-caos needs one image of each subject"):
        twice.predict_set(new, 0.1, method="split-caos")
