"""caos.advise and caos.coverage_law, against the program."""

import pickle
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos
from conftest import Program, Task

LAW_KEYS = {"calibration_examples": "n", "rank": "rank", "feasible": "feasible",
            "mean_coverage": "mean", "standard_deviation": "standard_deviation"}


def assert_same(advice, said):
    """Every number that the program's JSON has."""
    law = said.pop("split")
    curve = said.pop("learning_curve", None)
    confident = said.pop("split_with_confidence")
    assert confident == {"confidence": advice.confidence, "calibration_examples": advice.split.n,
                         "feasible": advice.confidence_rank is not None,
                         "rank": advice.confidence_rank,
                         "examples_needed": advice.confidence_examples_needed}
    for key, value in said.items():
        assert getattr(advice, key) == value, key
    for key, name in LAW_KEYS.items():
        assert getattr(advice.split, name) == law[key], key
    assert advice.split.quantile(0.05) == law["coverage_5_percent"]
    assert advice.split.quantile(0.95) == law["coverage_95_percent"]
    assert advice.num_test == law["num_test"]
    assert advice.split.observed_coverage(advice.num_test) == (
        law["observed_coverage_5_percent"], law["observed_coverage_95_percent"])
    if curve is None:
        assert advice.learning_curve is None
        return
    assert [{"n": p.n, "feasible": p.feasible, "mean_set_size": p.mean_set_size,
             "spread": p.spread, "coverage": p.coverage} for p in advice.learning_curve] == curve


class TestAgainstTheProgram:
    @pytest.mark.parametrize("n", [2, 19, 40, 99, 1000])
    @pytest.mark.parametrize("alpha", ["0.1", "0.05", "0.3", "0.001"])
    def test_for_a_number_of_examples(self, n, alpha, program):
        for num_test in (1, 37):
            said = program.json("advise", "--n", n, "--alpha", alpha, "--num-test", num_test)
            assert_same(caos.advise(n, alpha, num_test=num_test), said)

    def test_the_usual_number_of_test_examples(self, program):
        assert_same(caos.advise(40, 0.1), program.json("advise", "--n", 40, "--alpha", "0.1"))

    @pytest.mark.parametrize("how", [{}, {"k": 1, "repeats": 3, "seed": 8}])
    def test_from_scores(self, how, program, tmp_path):
        task = Task(1, n=30)
        files = task.save(tmp_path)
        options = [text for name, value in how.items() for text in (f"--{name}", value)]
        said = program.json("advise", "--labeled", files["labeled"], "--labels", files["labels"],
                            "--alpha", "0.15", *options)
        advice = caos.advise(alpha=0.15, labeled=task.labeled, labels=task.labels, **how)
        assert len(advice.learning_curve) == 4
        assert_same(advice, said)

    def test_the_text_is_that_of_the_program(self, tmp_path):
        task = Task(2, n=30)
        files = task.save(tmp_path)
        for advice, options in (
                (caos.advise(40, 0.1), ["--n", 40, "--alpha", "0.1"]),
                (caos.advise(5, 0.1), ["--n", 5, "--alpha", "0.1"]),
                (caos.advise(12, 0.1), ["--n", 12, "--alpha", "0.1"]),
                (caos.advise(alpha=0.1, labeled=task.labeled, labels=task.labels),
                 ["--labeled", files["labeled"], "--labels", files["labels"], "--alpha", "0.1"])):
            assert str(advice) + "\n" == Program().run("advise", *options).stdout


class TestAdvice:
    def test_several_alphas_give_a_list(self):
        advice = caos.advise(40, [0.1, "0.2"])
        assert [a.alpha for a in advice] == [0.1, 0.2]
        assert [str(a) for a in advice] == [str(caos.advise(40, 0.1)), str(caos.advise(40, 0.2))]

    def test_is_short_in_text(self):
        assert repr(caos.advise(40, 0.1)) == "Advice(n 40, alpha 0.1: rank 37, feasible)"
        assert repr(caos.advise(5, 0.1)).endswith("infeasible, every set is every label)")
        assert caos.advise(5, 0.1).rank is None
        assert caos.advise(5, 0.1).examples_missing == 4

    @pytest.mark.parametrize("arguments, message", [
        ({"n": 40}, "alpha: is missing; give the accepted miscoverage"),
        ({"alpha": 0.1}, "give either n, or labeled with labels"),
        ({"n": 1, "alpha": 0.1}, "n: is 1; expected 2 to 1000000"),
        ({"n": -1, "alpha": 0.1}, "n: is -1; expected a whole number from 0"),
        ({"n": 10**7, "alpha": 0.1}, "n: is 10000000; expected 2 to 1000000"),
        ({"n": 9, "alpha": 0.1, "num_test": 0}, "num_test: is 0; expected a whole number from 1"),
        ({"n": 9, "alpha": 0.1, "num_test": 10**7}, "num_test: is 10000000; expected 1 to 1000000"),
        ({"n": 9, "alpha": 1.5}, "alpha"),
        ({"n": 9, "alpha": 0.1, "labels": [1]}, "labeled and labels go together"),
        ({"alpha": 0.1, "labeled": np.zeros((3, 3)), "labels": [0, 0, 0]},
         "labeled: has two dimensions; expected three"),
        ({"alpha": 0.1, "labeled": np.zeros((3, 1, 3)), "labels": [0, 0, 0]}, "k = 3"),
        ({"alpha": 0.1, "labeled": np.zeros((9, 1, 9)), "labels": [0] * 9, "repeats": 0},
         "repeats: is 0; expected a whole number from 1"),
    ])
    def test_refuses_invalid_arguments(self, arguments, message):
        with pytest.raises(ValueError) as caught:
            caos.advise(**arguments)
        assert message in str(caught.value)


class TestCoverageLaw:
    @given(n=st.integers(1, 60), percent=st.integers(1, 99), m=st.integers(1, 30))
    def test_is_beta_and_beta_binomial(self, n, percent, m):
        law = caos.coverage_law(n, f"0.{percent:02}")
        rank = -(-(100 - percent) * (n + 1) // 100)
        feasible = rank <= n
        assert (law.n, law.rank, law.feasible) == (n, rank if feasible else None, feasible)
        assert law.mean == rank / (n + 1)
        if not law.feasible:
            assert law.quantile(0.3) == 1
            assert law.observed_coverage(m) == (1, 1)
            return
        other = n + 1 - rank
        variance = Fraction(rank * other, (n + 1) ** 2 * (n + 2))
        assert law.standard_deviation == pytest.approx(float(variance) ** 0.5, rel=1e-12)

        def below(hits):
            """P(at most so many of m test examples are covered), exactly."""
            return sum(Fraction(comb(rank - 1 + h, h) * comb(other - 1 + m - h, m - h),
                                comb(n + m, m)) for h in range(hits + 1))

        for share, p in zip(law.observed_coverage(m), (Fraction(5, 100), Fraction(95, 100))):
            hits = round(share * m)
            slack = Fraction(1, 10**9)
            assert below(hits) >= p - slack
            assert hits == 0 or below(hits - 1) <= p + slack

    def test_quantiles_enclose_simulated_coverage(self):
        """The coverage with n uniform scores is the rank-th smallest of them."""
        law = caos.coverage_law(30, 0.1)
        coverage = np.sort(np.random.default_rng(0).random((20000, 30)), axis=1)[:, law.rank - 1]
        for p in (0.05, 0.5, 0.95):
            # A binomial count of 20000: six standard deviations are far beyond any doubt.
            reach = 6 * (p * (1 - p) / 20000) ** 0.5
            assert abs(np.mean(coverage <= law.quantile(p)) - p) < reach

    def test_survives_pickle(self):
        law = caos.coverage_law(30, 0.1)
        again = pickle.loads(pickle.dumps(law))
        assert (again.n, again.rank, again.feasible) == (30, 28, True)
        assert repr(again) == "CoverageLaw(30 calibration examples: Beta(28, 3), mean 0.9032)"
        assert "coverage is 1" in repr(caos.coverage_law(3, 0.1))

    def test_refuses_invalid_arguments(self):
        law = caos.coverage_law(30, 0.1)
        for p in (-0.1, 1.1, float("nan")):
            with pytest.raises(ValueError, match="expected a share from 0 to 1"):
                law.quantile(p)
        with pytest.raises(ValueError, match="num_test: is 0; expected a whole number from 1"):
            law.observed_coverage(0)
        with pytest.raises(ValueError, match="num_test: is 10000000; expected 1 to 1000000"):
            law.observed_coverage(10**7)
        with pytest.raises(ValueError, match="n: is -1"):
            caos.coverage_law(-1, 0.1)


def test_advice_survives_pickle():
    task = Task(3, n=30)
    for advice in (caos.advise(alpha=0.1, labeled=task.labeled, labels=task.labels),
                   caos.advise(4, 0.05, num_test=7)):
        assert str(pickle.loads(pickle.dumps(advice))) == str(advice)
    point = caos.advise(alpha=0.1, labeled=task.labeled, labels=task.labels).learning_curve[1]
    assert repr(pickle.loads(pickle.dumps(point))) == repr(point)
    assert point.n == 15
