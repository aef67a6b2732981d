"""caos.evaluate, against the program bit for bit."""

import copy
import json
import pickle
import re
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import caos
from conftest import Program, Task

METHODS = ["caos", "full-caos", "scos", "scos-best", "scos-oracle", "split-caos", "split-caos-cal",
           "split-caos-ref"]

# What is warned of has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning",
                                        "ignore:no labeled example:UserWarning",
                                        "ignore:.*is left out:UserWarning")


def as_by_default(*options):
    """Options of the program with what the package does by default: every method, three alphas."""
    more = []
    for name, value in (("--methods", "all"), ("--alpha", "0.05,0.1,0.2")):
        more += [] if name in options else [name, value]
    return [*options, *more]


def said_by_program(files, *options, labeled=True):
    scores = ["--labeled", files["labeled"], "--labels", files["labels"]]
    if not labeled:
        scores = ["--calibration", files["own"]]
    return Program().json("evaluate", *scores, "--test", files["test"], "--test-labels",
                          files["test_labels"], *as_by_default(*options))


def warnings_of(stderr):
    """What the package would warn of. The program notes every method that it leaves out of all;
    the package warns of those that k leaves out."""
    said = []
    for line in stderr.splitlines():
        if line.startswith("caos: warning: "):
            said.append(line.removeprefix("caos: warning: "))
        elif found := re.fullmatch(r"left out: (\S+) has (too few references for k = \d+)", line):
            said.append(f"{found[1]} is left out: it has {found[2]}")
        else:
            assert line.startswith("left out: ")
    return said


def assert_same(evaluation, said):
    """Every number of the program's JSON, and the same keys in the same order."""
    assert json.dumps(evaluation.to_dicts()) == json.dumps(said["results"])
    assert (evaluation.n, evaluation.num_labels) == (said["n"], said["num_labels"])
    assert (evaluation.num_test, evaluation.k) == (said["num_test"], said["k"])
    assert evaluation.assumption == said["assumption"]


def arguments(task):
    return task.labeled, task.labels, task.test, task.test_labels


class TestAgainstTheProgram:
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("seed", range(4))
    def test_all_methods_at_the_usual_alphas(self, seed, dtype, tmp_path):
        task = Task(seed, n=22, num_test=30, dtype=dtype)
        files = task.save(tmp_path)
        said = said_by_program(files, "--reverse", files["reverse"])
        evaluation = caos.evaluate(*arguments(task), reverse=task.reverse)
        assert [r.method for r in evaluation] == [m for m in METHODS for _ in range(3)]
        assert_same(evaluation, said)

    @pytest.mark.parametrize("method", METHODS)
    def test_each_method_alone(self, method, tmp_path):
        task = Task(10, n=15, num_test=11)
        files = task.save(tmp_path)
        options = ["--symmetric", "--methods", method, "--alpha", "0.1,0.25", "--k", "2"]
        evaluation = caos.evaluate(*arguments(task), symmetric=True, methods=[method],
                                   alpha=[0.1, 0.25], k=2)
        assert_same(evaluation, said_by_program(files, *options))

    @pytest.mark.parametrize("groups", ["labels", "inputs"])
    @pytest.mark.parametrize("seed", range(3))
    def test_groups(self, seed, groups, tmp_path):
        task = Task(seed, n=30, num_test=25)
        task.test_groups[:3] = 12  # no labeled example is in that group
        files = task.save(tmp_path)
        if groups == "labels":
            options = ["--groups", "labels"]
            how = {"groups": "labels"}
        else:
            options = ["--groups", files["groups"], "--test-groups", files["test_groups"]]
            how = {"groups": task.groups, "test_groups": task.test_groups}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            evaluation = caos.evaluate(*arguments(task), reverse=task.reverse, alpha=[0.2, 0.4],
                                       **how)
        assert_same(evaluation, said_by_program(files, "--reverse", files["reverse"], "--alpha",
                                                "0.2,0.4", *options))
        assert "scos" not in {r.method for r in evaluation}

    @pytest.mark.parametrize("clip", [False, True])
    def test_clipped_ranks(self, clip, tmp_path):
        task = Task(11)
        files = task.save(tmp_path)
        options = ["--symmetric", "--alpha", "0.01,0.3"] + ["--clip-rank"] * clip
        evaluation = caos.evaluate(*arguments(task), symmetric=True, alpha=[0.01, 0.3],
                                   clip_rank=clip)
        assert_same(evaluation, said_by_program(files, *options))
        assert (evaluation[0].threshold == np.inf) == (not clip)

    @pytest.mark.parametrize("seed", [1, 7, 2**50])
    def test_seeds_of_the_halving(self, seed, tmp_path):
        task = Task(12, n=21)
        files = task.save(tmp_path)
        evaluation = caos.evaluate(*arguments(task), seed=seed, methods=METHODS[2:])
        assert_same(evaluation, said_by_program(files, "--seed", seed, "--methods",
                                                ",".join(METHODS[2:])))

    def test_reference_indices(self, tmp_path):
        task = Task(13, n=16)
        files = task.save(tmp_path)
        chosen = np.array([9, 0, 3, 4, 15])
        np.save(tmp_path / "chosen.npy", chosen)
        evaluation = caos.evaluate(*arguments(task), reference_indices=chosen)
        assert_same(evaluation, said_by_program(files, "--reference-indices",
                                                tmp_path / "chosen.npy"))

    def test_own_scores_in_place_of_all(self, tmp_path):
        task = Task(14, n=16)
        files = task.save(tmp_path)
        files["own"] = tmp_path / "own.npy"
        np.save(files["own"], task.own())
        evaluation = caos.evaluate(task.own(), None, task.test, task.test_labels)
        assert_same(evaluation, said_by_program(files, labeled=False))
        assert "scos-best" not in {r.method for r in evaluation}

    def test_own_scores_with_labels_as_groups(self, tmp_path):
        task = Task(15, n=26)
        files = task.save(tmp_path)
        files["own"] = tmp_path / "own.npy"
        np.save(files["own"], task.own())
        evaluation = caos.evaluate(task.own(), task.labels, task.test, task.test_labels,
                                   groups="labels", alpha=0.2)
        assert_same(evaluation, said_by_program(files, "--labels", files["labels"], "--groups",
                                                "labels", "--alpha", "0.2", labeled=False))

    def test_outcomes_are_those_of_the_program(self, tmp_path):
        task = Task(16, n=20, num_test=13)
        files = task.save(tmp_path)
        said_by_program(files, "--symmetric", "--per-example", tmp_path / "rows.csv")
        evaluation = caos.evaluate(*arguments(task), symmetric=True)
        rows = [f"{t},{task.test_labels[t]},{r.method},{r.alpha},{r.covered[t]:.17g},"
                f"{r.set_sizes[t]:.17g}" for r in evaluation for t in range(13)]
        lines = (tmp_path / "rows.csv").read_text().splitlines()[1:]
        assert [row.split(",")[:4] for row in rows] == [line.split(",")[:4] for line in lines]
        assert [list(map(float, row.split(",")[4:])) for row in rows] == [
            list(map(float, line.split(",")[4:])) for line in lines]

    def test_the_table_is_that_of_the_program(self, tmp_path):
        task = Task(17, n=20)
        files = task.save(tmp_path)
        for options, how in ([], {}), (["--groups", "labels"], {"groups": "labels"}):
            run = Program().run("evaluate", "--labeled", files["labeled"], "--labels",
                                files["labels"], "--test", files["test"], "--test-labels",
                                files["test_labels"], "--quiet", *as_by_default(*options))
            evaluation = caos.evaluate(*arguments(task), **how)
            assert str(evaluation) + "\n" == run.stdout
            assert repr(evaluation) == str(evaluation)

    def test_warnings_are_those_of_the_program(self, tmp_path):
        task = Task(18, n=8)
        task.test_groups[0] = 55
        files = task.save(tmp_path)
        for options, how in (
                ([], {}), (["--clip-rank"], {"clip_rank": True}), (["--k", "6"], {"k": 6}),
                (["--groups", files["groups"], "--test-groups", files["test_groups"]],
                 {"groups": task.groups, "test_groups": task.test_groups})):
            run = Program().run("evaluate", "--labeled", files["labeled"], "--labels",
                                files["labels"], "--test", files["test"], "--test-labels",
                                files["test_labels"], *as_by_default(*options))
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                caos.evaluate(*arguments(task), **how)
            theirs = warnings_of(run.stderr)
            assert theirs
            assert [str(w.message) for w in caught] == theirs
            assert {w.category for w in caught} == {UserWarning}


@given(seed=st.integers(0, 2**32), n=st.integers(5, 14), num_labels=st.integers(1, 4),
       num_test=st.integers(1, 6), k=st.integers(1, 2), values=st.integers(1, 4),
       grouped=st.booleans())
def test_results_are_what_prediction_gives(seed, n, num_labels, num_test, k, values, grouped):
    task = Task(seed, n=n, num_labels=num_labels, num_test=num_test, values=values)
    groups = {"groups": "labels"} if grouped else {}
    alphas = [0.4, 0.1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evaluation = caos.evaluate(*arguments(task), reverse=task.reverse, k=k, alpha=alphas,
                                   methods=["full-caos", "caos"], **groups)
        calibration = caos.calibrate(task.labeled, task.labels, k=k, **groups)
        for method in ("caos", "full-caos"):
            all_sets = calibration.predict_set(task.test, alphas, method=method,
                                               reverse=task.reverse)
            for sets in all_sets:
                result = evaluation.result(method, sets.alpha)
                np.testing.assert_array_equal(result.set_sizes, sets.sizes)
                np.testing.assert_array_equal(result.covered, sets.covers(task.test_labels))
                assert result.coverage == np.mean(result.covered)
                assert result.feasible == calibration.is_feasible(sets.alpha)
                assert result.guarantee == sets.guarantee


class TestResults:
    @pytest.fixture
    def evaluation(self):
        task = Task(20, n=20, num_test=15)
        return caos.evaluate(*arguments(task), symmetric=True, alpha=[0.2, 0.1])

    def test_are_a_sequence(self, evaluation):
        assert len(evaluation) == 16
        assert [r.method for r in evaluation] == [r.method for r in evaluation[:]]
        assert evaluation[-1].method == "split-caos-ref"
        assert [r.alpha for r in evaluation[2:4]] == [0.2, 0.1]
        with pytest.raises(IndexError, match="there are 16 results"):
            evaluation[16]

    def test_are_found_by_method_and_alpha(self, evaluation):
        result = evaluation.result("scos", 0.1)
        assert (result.method, result.alpha) == ("scos", 0.1)
        with pytest.raises(ValueError, match="caos at alpha 0.3 is not among the 16 results"):
            evaluation.result("caos", 0.3)
        with pytest.raises(ValueError, match="unknown method 'cao'"):
            evaluation.result("cao", 0.1)

    def test_have_attributes_for_what_the_dicts_say(self, evaluation):
        for result, row in zip(evaluation, evaluation.to_dicts()):
            for name in ("method", "alpha", "guarantee", "rank", "feasible", "coverage",
                         "coverage_standard_error", "mean_set_size", "median_set_size",
                         "singleton_rate", "empty_rate"):
                assert getattr(result, name) == row[name], name
            assert result.coverage_interval == (row["coverage_low"], row["coverage_high"])
            assert result.interval_kind == row["coverage_interval"]
            assert result.threshold == row["threshold"]
            assert result.assumption == caos.assumption
            assert result.groups == []
            assert result.covered.dtype == result.set_sizes.dtype == np.float64
            assert result.covered.shape == result.set_sizes.shape == (15,)

    def test_have_no_interval_where_averages_do_not_vary(self):
        task = Task(21, num_test=1)
        result = caos.evaluate(*arguments(task), methods="scos", alpha=0.01)[0]
        assert result.coverage_interval is None
        assert result.interval_kind == "none"
        assert result.coverage_standard_error is None

    def test_have_groups(self):
        task = Task(22, n=30, num_test=25)
        task.test_groups[task.test_groups == 7] = 0
        task.test_groups[0] = 99
        evaluation = caos.evaluate(*arguments(task), groups=task.groups, alpha=0.2,
                                   test_groups=task.test_groups, methods=["caos"])
        result = evaluation[0]
        assert (result.rank, result.threshold) == (None, None)
        assert not result.feasible
        assert [g.id for g in result.groups] == [-4, 0, 7, 99]
        for group, row in zip(result.groups, evaluation.to_dicts()[0]["groups"]):
            member = task.test_groups == group.id
            assert (group.id, group.n) == (row["group"], np.sum(task.groups == group.id))
            assert (group.rank, group.feasible) == (row["rank"], row["feasible"])
            assert group.num_test == row["num_test"] == member.sum()
            if group.num_test > 0:
                assert group.coverage == row["coverage"] == result.covered[member].mean()
                assert group.mean_set_size == result.set_sizes[member].mean()
                assert group.interval_kind == "clopper-pearson"
            else:
                assert "coverage" not in row
                assert group.coverage is group.mean_set_size is group.coverage_interval is None
        assert result.groups[3].threshold is None and result.groups[2].coverage is None

    def test_are_short_in_text(self, evaluation):
        text = repr(evaluation[0])
        assert text.startswith("MethodResult(caos, alpha 0.2: coverage ")
        assert text.endswith("; marginal)")

    def test_are_a_table_in_a_notebook(self):
        task = Task(23, n=30)
        html = caos.evaluate(*arguments(task), groups="labels", methods=["caos"])._repr_html_()
        assert html.count("<table>") == html.count("</table>") == 4
        assert html.count("<tr>") == 1 + 3 + 3 * (1 + 4)
        assert "caos, alpha 0.05, by group:" in html
        assert caos.assumption in html

    @pytest.mark.parametrize("groups", [None, "labels"])
    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy,
                                           lambda x: pickle.loads(pickle.dumps(x))])
    def test_survive_pickle_and_copy(self, groups, duplicate):
        task = Task(24, n=25)
        evaluation = caos.evaluate(*arguments(task), groups=groups, alpha=[0.3, 0.02])
        again = duplicate(evaluation)
        assert again.to_dicts() == evaluation.to_dicts()
        assert str(again) == str(evaluation)
        for mine, theirs in zip(again, evaluation):
            np.testing.assert_array_equal(mine.covered, theirs.covered)
            np.testing.assert_array_equal(mine.set_sizes, theirs.set_sizes)
            assert mine.threshold == theirs.threshold
        assert repr(duplicate(evaluation[0])) == repr(evaluation[0])

    def test_outlive_the_evaluation(self):
        task = Task(25)
        result = caos.evaluate(*arguments(task), methods=["caos"], alpha=0.2)[0]
        groups = caos.evaluate(*arguments(task), methods=["caos"], alpha=0.2,
                               groups="labels")[0].groups
        assert result.method == "caos" and groups[0].id == 0


class TestArguments:
    def test_methods_and_alphas_count_once(self, task):
        evaluation = caos.evaluate(*arguments(task), methods=["scos", "caos", "scos"],
                                   alpha=[0.2, "0.20", 0.1])
        assert [(r.method, r.alpha) for r in evaluation] == [("scos", 0.2), ("scos", 0.1),
                                                             ("caos", 0.2), ("caos", 0.1)]

    def test_one_method_needs_no_list(self, task):
        assert [r.method for r in caos.evaluate(*arguments(task), methods="caos", alpha=0.2)] == [
            "caos"]

    def test_the_usual_alphas_are_those_of_the_library(self, task):
        evaluation = caos.evaluate(*arguments(task), methods="caos")
        assert tuple(r.alpha for r in evaluation) == caos._core.default_alphas

    def test_full_caos_is_left_out_where_it_has_nothing_to_go_by(self, task):
        without = {r.method for r in caos.evaluate(*arguments(task))}
        assert set(METHODS) - without == {"full-caos"}

    def test_results_do_not_depend_on_the_number_of_threads(self):
        task = Task(26, n=30, num_test=100)
        tables = {str(caos.evaluate(*arguments(task), symmetric=True, threads=threads))
                  for threads in (1, 2, 5)}
        assert len(tables) == 1


class TestProgress:
    def test_is_told_at_the_end(self, task):
        calls = []
        caos.evaluate(*arguments(task), progress=lambda *call: calls.append(call))
        assert calls[-1] == (9, 9)

    def test_grows_and_is_told_on_the_calling_thread(self):
        task = Task(27, n=60, num_labels=300, num_test=400)
        calls = []

        def progress(done, total):
            calls.append((done, total, threading.current_thread() is threading.main_thread()))

        caos.evaluate(*arguments(task), symmetric=True, progress=progress)
        done = [call[0] for call in calls]
        assert done == sorted(set(done))
        assert done[-1] == 400
        assert {call[1:] for call in calls} == {(400, True)}

    def test_is_refused_at_once_if_it_cannot_be_called(self, task):
        with pytest.raises(ValueError, match="^progress: cannot be called"):
            caos.evaluate(*arguments(task), progress=7)

    def test_what_it_raises_ends_the_evaluation(self, task):
        def progress(done, total):
            raise LookupError("enough")

        with pytest.raises(LookupError, match="enough"):
            caos.evaluate(*arguments(task), progress=progress)
