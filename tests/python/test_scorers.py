"""Scorers written in Python, against scores that lie in arrays."""

import copy
import pickle
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos
import caos.scorers
from caos.scorers import OneShotPredictors, Reference
from conftest import OnlyDLPack, Task

ALPHAS = [0.05, 0.2, 0.5]


class TableScorer:
    """Looks up the scores of a Task. Examples and inputs are texts: `example 3`, `input 5`."""

    def __init__(self, task):
        self.task = task
        self.pairs = []

    def score(self, reference, x):
        self.pairs.append((reference.x, reference.y, x))
        (by, j), (what, i) = reference.x.split(), x.split()
        if by == "example":
            table = self.task.labeled if what == "example" else self.task.test
            return table[int(i), :, int(j)]
        # Only the number of the example's own label is ever used.
        scores = np.full(self.task.num_labels, -123.0)
        scores[self.task.labels[int(i)]] = self.task.reverse[int(j), reference.y, int(i)]
        return scores


class BatchScorer(TableScorer):
    """The same for several inputs at once."""

    def __init__(self, task):
        super().__init__(task)
        self.batches = []

    def score_many(self, reference, xs):
        assert isinstance(xs, list)
        self.batches.append(len(xs))
        return [self.score(reference, x) for x in xs]


def examples_of(task):
    return [f"example {i}" for i in range(task.n)]


def inputs_of(task):
    return [f"input {t}" for t in range(task.num_test)]


def tables():
    """Tasks of few score values, so that ties happen, with infinities."""
    def make(seed, n, num_labels, values):
        task = Task(seed, n=n, num_labels=num_labels, num_test=4, values=values)
        rng = np.random.default_rng(seed)
        for table in (task.labeled, task.test, task.reverse):
            table[rng.random(table.shape) < 0.1] = np.inf
        return task
    return st.builds(make, st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 5),
                     st.sampled_from([2, 5, 1000]))


def assert_same_sets(mine, theirs):
    assert len(mine) == len(theirs)
    for one, other in zip(mine, theirs):
        np.testing.assert_array_equal(one.mask, other.mask)
        assert (one.alpha, one.method, one.guarantee, one.assumption, one.feasible) == (
            other.alpha, other.method, other.guarantee, other.assumption, other.feasible)


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
@given(tables(), st.integers(1, 2), st.sampled_from([None, "labels", "inputs"]),
       st.sampled_from([TableScorer, BatchScorer]))
def test_results_are_those_of_the_same_scores_in_arrays(task, k, grouped, scorer_kind):
    own_groups = {"inputs": np.arange(task.n) % 2}.get(grouped, grouped)
    new_groups = np.arange(task.num_test) % 2 if grouped == "inputs" else None
    calibration = caos.calibrate(task.labeled, task.labels, k=k, groups=own_groups)
    predictors = OneShotPredictors(scorer_kind(task), examples_of(task), task.labels, k=k,
                                   groups=own_groups)

    np.testing.assert_array_equal(predictors.calibration.scores, calibration.scores)
    np.testing.assert_array_equal(predictors.scores(inputs_of(task)), task.test)
    np.testing.assert_array_equal(predictors.predict(inputs_of(task)),
                                  calibration.label_scores(task.test).argmin(axis=1))
    for method in ("caos", "full-caos"):
        assert_same_sets(
            predictors.predict_set(inputs_of(task), ALPHAS, method=method, groups=new_groups),
            calibration.predict_set(task.test, ALPHAS, method=method, reverse=task.reverse,
                                    groups=new_groups))
        np.testing.assert_array_equal(
            predictors.predict_p(inputs_of(task), method=method, groups=new_groups),
            calibration.predict_p(task.test, method=method, reverse=task.reverse,
                                  groups=new_groups))


def test_the_scorer_is_asked_for_each_ordered_pair_once(task):
    scorer = TableScorer(task)
    predictors = OneShotPredictors(scorer, examples_of(task), task.labels)
    assert len(scorer.pairs) == task.n * (task.n - 1)
    assert set(scorer.pairs) == {(f"example {j}", task.labels[j], f"example {i}")
                                 for i in range(task.n) for j in range(task.n) if i != j}
    scorer.pairs.clear()
    predictors.predict_set(inputs_of(task), alpha=[0.2, 0.4])
    assert len(scorer.pairs) == len(set(scorer.pairs)) == task.num_test * task.n


def test_full_caos_asks_only_for_labels_in_the_caos_set_of_the_smallest_alpha(task):
    scorer = TableScorer(task)
    predictors = OneShotPredictors(scorer, examples_of(task), task.labels)
    plain = predictors.predict_set(inputs_of(task), alpha=0.3)
    assert 0 < plain.sizes.sum() < plain.mask.size
    scorer.pairs.clear()
    predictors.predict_set(inputs_of(task), alpha=[0.6, 0.3], method="full-caos")
    asked = {(x, y) for x, y, _ in scorer.pairs if x.startswith("input")}
    assert asked == {(f"input {t}", y) for t, y in np.argwhere(plain.mask)}
    assert len(scorer.pairs) == (task.num_test + len(asked)) * task.n


def symmetric_score(reference, x):
    """Distances from the reference for its own label; whole numbers, so that ties happen."""
    scores = np.full(3, 9.0)
    scores[reference.y] = abs(reference.x - x)
    return scores


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
def test_symmetric_scores_serve_full_caos_without_being_asked_for():
    rng = np.random.default_rng(3)
    examples, labels, inputs = rng.integers(9, size=15), rng.integers(3, size=15), range(9)
    calls = []

    def counting(reference, x):
        calls.append(x)
        return symmetric_score(reference, x)

    asked = OneShotPredictors(symmetric_score, examples, labels)
    spared = OneShotPredictors(counting, examples, labels, symmetric=True)
    calls.clear()
    assert_same_sets(spared.predict_set(inputs, ALPHAS, method="full-caos"),
                     asked.predict_set(inputs, ALPHAS, method="full-caos"))
    np.testing.assert_array_equal(spared.predict_p(inputs, method="full-caos"),
                                  asked.predict_p(inputs, method="full-caos"))
    assert len(calls) == 2 * 9 * 15


def test_a_false_claim_of_symmetry_is_found_out(task):
    with pytest.raises(ValueError, match="symmetric=True, but the score of example .* under "):
        OneShotPredictors(TableScorer(task), examples_of(task), task.labels, symmetric=True)

    def score(reference, x):
        return [abs(reference.x - x), float(reference.x > 90)]

    predictors = OneShotPredictors(score, [1, 2, 4, 8, 9], [0] * 5, symmetric=True)
    with pytest.raises(ValueError, match="the score of example 5 under example 0 is 0.0 and that "
                                         "of 0 under 5 is 98.0"):
        predictors.add_example(99, 1)
    assert len(predictors) == len(predictors.calibration) == 5


@pytest.mark.filterwarnings("ignore:alpha:UserWarning")
@given(tables(), st.sampled_from([None, "labels", "inputs"]))
def test_an_example_that_joins_is_as_one_that_was_there_from_the_start(task, grouped):
    groups = np.arange(task.n) % 2
    argument = {"inputs": groups, "labels": "labels", None: None}[grouped]
    scorer = TableScorer(task)
    again = OneShotPredictors(scorer, examples_of(task), task.labels, k=1, groups=argument,
                             num_labels=task.num_labels)
    grown = OneShotPredictors(scorer, examples_of(task)[:-1], task.labels[:-1], k=1,
                              groups=groups[:-1] if grouped == "inputs" else argument,
                              num_labels=task.num_labels)
    scorer.pairs.clear()
    grown.add_example(examples_of(task)[-1], int(task.labels[-1]),
                      group=int(groups[-1]) if grouped == "inputs" else None)
    assert len(scorer.pairs) == 2 * (task.n - 1)

    np.testing.assert_array_equal(grown.calibration.scores, again.calibration.scores)
    np.testing.assert_array_equal(grown.labels, again.labels)
    new_groups = [0] * task.num_test if grouped == "inputs" else None
    assert_same_sets(
        grown.predict_set(inputs_of(task), ALPHAS, method="full-caos", groups=new_groups),
        again.predict_set(inputs_of(task), ALPHAS, method="full-caos", groups=new_groups))


def test_an_example_that_left_leaves_no_trace(task):
    predictors = OneShotPredictors(TableScorer(task), examples_of(task), task.labels)
    predictors.remove_example(4)
    rest = np.delete(np.arange(task.n), 4)
    again = OneShotPredictors(TableScorer(task), [f"example {i}" for i in rest], task.labels[rest])
    np.testing.assert_array_equal(predictors.calibration.scores, again.calibration.scores)
    np.testing.assert_array_equal(predictors.predict_p(inputs_of(task)),
                                  again.predict_p(inputs_of(task)))


def test_batches_and_blocks_are_bounded_and_change_nothing(monkeypatch):
    task = Task(seed=2, n=12, num_test=700)
    whole = caos.calibrate(task.labeled, task.labels)
    scorer = BatchScorer(task)
    predictors = OneShotPredictors(scorer, examples_of(task), task.labels)
    held = []
    predict_block = caos._core.predict_block

    def spy(calibration, test, *arguments, **options):
        held.append(test.size)
        return predict_block(calibration, test, *arguments, **options)

    monkeypatch.setattr(caos._core, "predict_block", spy)
    for most, inputs_per_block in ((1 << 23, 256), (480, 10), (1, 1)):
        monkeypatch.setattr(caos.scorers, "_HELD_SCORES", most)
        scorer.batches.clear()
        held.clear()
        assert_same_sets([predictors.predict_set(inputs_of(task), 0.2, method="full-caos")],
                         [whole.predict_set(task.test, 0.2, method="full-caos",
                                            reverse=task.reverse)])
        assert max(scorer.batches) == max(inputs_per_block, task.n)
        assert max(held) == inputs_per_block * task.num_labels * task.n


def test_groups_and_numbers_of_inputs_hold_across_blocks(task, monkeypatch):
    monkeypatch.setattr(caos.scorers, "_HELD_SCORES", 1)
    own, new = np.arange(task.n) % 2, np.arange(task.num_test) // 2 % 2
    scorer = TableScorer(task)
    predictors = OneShotPredictors(scorer, examples_of(task), task.labels, groups=own)
    whole = caos.calibrate(task.labeled, task.labels, groups=own)
    assert_same_sets([predictors.predict_set(inputs_of(task), 0.3, groups=new)],
                     [whole.predict_set(task.test, 0.3, groups=new)])
    np.testing.assert_array_equal(predictors.predict_p(inputs_of(task), groups=new),
                                  whole.predict_p(task.test, groups=new))
    with pytest.raises(ValueError, match="'nonsense'") as caught:
        predictors.scores([*inputs_of(task)[:7], "input nonsense"])
    assert caught.value.__notes__ == ["(in the score of input 7 under example 0)"]


def test_a_function_a_callable_object_and_an_object_with_a_method_are_scorers(task):
    scorer = TableScorer(task)

    class Callable:
        def __call__(self, reference, x):
            return scorer.score(reference, x)

    class Both(TableScorer):
        def __call__(self, *arguments):
            raise AssertionError("the method goes first, as a PyTorch module has both")

    expected = OneShotPredictors(scorer, examples_of(task), task.labels).calibration.scores
    for other in (scorer.score, lambda reference, x: scorer.score(reference, x), Callable(),
                  Both(task)):
        predictors = OneShotPredictors(other, examples_of(task), task.labels)
        np.testing.assert_array_equal(predictors.calibration.scores, expected)


def test_the_reference_is_an_example_with_its_label(task):
    seen = []

    def score(reference, x):
        seen.append(reference)
        return [0.0, 1.0]

    OneShotPredictors(score, "a b c d".split(), np.array([0, 1, 1, 0], dtype=np.uint8))
    assert seen[0] == Reference("a", 0)
    assert all(isinstance(one, Reference) and type(one.y) is int for one in seen)
    assert {(x, y) for x, y in seen} == {("a", 0), ("b", 1), ("c", 1), ("d", 0)}


@pytest.mark.parametrize("convert", [list, tuple, np.float16, np.float32, np.int8,
                                     np.asfortranarray, OnlyDLPack],
                         ids=lambda convert: convert.__name__)
def test_scores_may_be_of_any_type_of_numbers(task, convert):
    expected = OneShotPredictors(TableScorer(task), examples_of(task), task.labels)
    scorer = TableScorer(task)
    predictors = OneShotPredictors(
        lambda reference, x: convert(scorer.score(reference, x).astype(np.float64)),
        examples_of(task), task.labels)
    np.testing.assert_array_equal(predictors.predict_p(inputs_of(task)),
                                  expected.predict_p(inputs_of(task)))


def test_scores_may_be_torch_tensors_with_gradients(task):
    torch = pytest.importorskip("torch", reason="NOT TESTED: scores as tensors need torch")
    expected = OneShotPredictors(TableScorer(task), examples_of(task), task.labels)
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int32):
        scorer = TableScorer(task)

        def score(reference, x):
            tensor = torch.tensor(scorer.score(reference, x)).to(dtype)
            return tensor.requires_grad_(dtype.is_floating_point)

        predictors = OneShotPredictors(score, examples_of(task), task.labels)
        np.testing.assert_array_equal(predictors.predict_p(inputs_of(task)),
                                      expected.predict_p(inputs_of(task)))


def test_examples_and_inputs_may_be_arrays_and_iterators():
    rows = np.arange(10.0).reshape(5, 2)
    predictors = OneShotPredictors(lambda reference, x: abs(x - reference.x), rows, [0, 1, 0, 1, 0])
    sets = predictors.predict_set(rows, 0.4)
    assert_same_sets([predictors.predict_set((row for row in rows), 0.4)], [sets])
    for one in ([], np.empty((0, 2))):
        assert predictors.predict_set(one, 0.4).mask.shape == (0, 2)
        assert [len(sets) for sets in predictors.predict_set(one, [0.4, 0.3])] == [0, 0]
        assert predictors.predict_p(one, method="full-caos").shape == (0, 2)
        assert predictors.predict(one).shape == (0,)
        assert predictors.scores(one).shape == (0, 2, 5)


def test_labels_without_examples_count_too():
    predictors = OneShotPredictors(lambda reference, x: np.arange(7.0), range(5), [0, 1, 0, 1, 0])
    assert predictors.num_labels == predictors.calibration.num_labels == 7
    assert predictors.predict_set([1], 0.5).mask.shape == (1, 7)


def test_own_scores_may_come_with_a_number_of_labels(task):
    own = task.labeled[np.arange(task.n), task.labels]
    known = caos.calibrate(own, task.labels, num_labels=task.num_labels)
    assert known.num_labels == task.num_labels
    np.testing.assert_array_equal(known.predict_p(task.test),
                                  caos.calibrate(own, task.labels).predict_p(task.test))
    with pytest.raises(ValueError, match="test: has 3 labels per input; the calibration has 4"):
        known.predict_set(task.test[:, :3], 0.2)
    with pytest.raises(ValueError, match="labels are 0 to 1"):
        caos.calibrate(own, task.labels, num_labels=2)
    with pytest.raises(ValueError, match="num_labels: is 0; expected a whole number from 1"):
        caos.calibrate(own, task.labels, num_labels=0)
    with pytest.raises(ValueError, match="num_labels: is 5; labeled has 4"):
        caos.calibrate(task.labeled, task.labels, num_labels=5)
    empty = np.setdiff1d(np.arange(task.num_labels + 1), task.labels)[-1]
    grouped = caos.calibrate(own, task.labels, num_labels=task.num_labels + 1, groups="labels")
    assert grouped.threshold(0.5, group=int(empty)) == np.inf


def test_an_infeasible_alpha_is_warned_of_once_where_the_user_called(monkeypatch):
    monkeypatch.setattr(caos.scorers, "_HELD_SCORES", 1)
    predictors = OneShotPredictors(lambda reference, x: [0.0, 1.0], range(5), [0, 1, 0, 1, 0])
    for method in ("caos", "full-caos"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sets = predictors.predict_set(range(9), 0.1, method=method)
        assert [str(one.message)[:9] for one in caught] == ["alpha 0.1"]
        assert caught[0].filename == __file__ and caught[0].category is UserWarning
        assert not sets.feasible and sets.mask.all()


def test_progress_counts_pairs():
    said = []
    OneShotPredictors(lambda reference, x: [0.0, 1.0], range(4), [0, 1, 0, 1],
                      progress=lambda done, total: said.append((done, total)))
    assert said == [(3, 12), (6, 12), (9, 12), (12, 12)]


def test_predictors_survive_pickle_and_copy(task):
    predictors = OneShotPredictors(TableScorer(task), examples_of(task), task.labels)
    for other in (pickle.loads(pickle.dumps(predictors)), copy.deepcopy(predictors)):
        other.add_example("example 0", 1)
        assert (len(predictors), len(other)) == (task.n, task.n + 1)
        other.remove_example(task.n)
        np.testing.assert_array_equal(other.predict_p(inputs_of(task)),
                                      predictors.predict_p(inputs_of(task)))


def test_threads_may_predict_at_once(task):
    predictors = OneShotPredictors(BatchScorer(task), examples_of(task), task.labels)
    expected = predictors.predict_p(inputs_of(task), method="full-caos")
    found = []

    def work():
        for _ in range(5):
            found.append(predictors.predict_p(inputs_of(task), method="full-caos"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    for one in found:
        np.testing.assert_array_equal(one, expected)


def test_it_says_what_it_is(task):
    predictors = OneShotPredictors(TableScorer(task), examples_of(task), task.labels,
                                   groups="labels")
    assert repr(predictors) == "OneShotPredictors(12 examples, 4 labels, k = 3; group-conditional)"
    assert predictors.guarantee == "group-conditional"
    assert predictors.assumption == caos.assumption
    assert predictors.threshold(0.5, group=1) == predictors.calibration.threshold(0.5, group=1)
    for alpha in (0.01, 0.6):
        assert predictors.is_feasible(alpha) == predictors.calibration.is_feasible(alpha)
    assert not predictors.is_feasible(0.01)
    assert caos.OneShotPredictors is OneShotPredictors
    assert OneShotPredictors.__module__ == "caos.scorers"
