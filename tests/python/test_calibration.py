"""Calibration and prediction, against the program and against themselves."""

import copy
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest

import caos
from conftest import Task

# alpha 0.05 is infeasible with Task's 12 examples; what is then warned of has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning",
                                        "ignore:no labeled example:UserWarning")


def program_calibration(program, files, folder, *options):
    """The program's calibration of the task: the path of its file."""
    model = folder / "model.caos"
    program.json("calibrate", "--labeled", files["labeled"], "--labels", files["labels"], "--out",
                 model, *options)
    return model


def assert_predictions(sets, p_values, said):
    """Sets and p-values, bit for bit; Full CAOS of the program tells only those that it needs."""
    assert [list(one) for one in sets] == said["sets"]
    assert (sets.alpha, sets.method) == (said["alpha"], said["method"])
    assert sets.guarantee == said["guarantee"]
    assert sets.assumption == said["assumption"]
    assert sets.feasible == said["feasible"]
    for mine, theirs in zip(p_values, said["p_values"]):
        for y, value in enumerate(theirs):
            assert value is None or mine[y] == value


class TestAgainstTheProgram:
    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    def test_sets_and_p_values_are_those_of_the_program(self, seed, method, program, tmp_path):
        task = Task(seed)
        files = task.save(tmp_path)
        model = program_calibration(program, files, tmp_path)
        calibration = caos.calibrate(task.labeled, task.labels)
        for alpha in ("0.2", "0.1", "0.05"):
            said = program.json("predict", model, "--test", files["test"], "--alpha", alpha,
                                "--method", method, "--reverse", files["reverse"])
            sets = calibration.predict_set(task.test, alpha, method=method, reverse=task.reverse)
            p_values = calibration.predict_p(task.test, method=method, reverse=task.reverse)
            assert_predictions(sets, p_values, said)

    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    @pytest.mark.parametrize("groups", ["labels", "inputs"])
    @pytest.mark.parametrize("seed", range(3))
    def test_groups_are_those_of_the_program(self, seed, groups, method, program, tmp_path):
        task = Task(seed, n=24)
        files = task.save(tmp_path)
        by_input = groups == "inputs"
        model = program_calibration(program, files, tmp_path, "--groups",
                                    files["groups"] if by_input else "labels")
        calibration = caos.calibrate(task.labeled, task.labels,
                                     groups=task.groups if by_input else "labels")
        test_groups = task.test_groups if by_input else None
        given_groups = ["--test-groups", files["test_groups"]] if by_input else []
        said = program.json("predict", model, "--test", files["test"], "--alpha", "0.2", "--method",
                            method, "--symmetric", *given_groups)
        how = {"method": method, "symmetric": True, "groups": test_groups}
        assert_predictions(calibration.predict_set(task.test, 0.2, **how),
                           calibration.predict_p(task.test, **how), said)
        assert said["guarantee"] == calibration.guarantee == "group-conditional"
        told = {g["group"]: g["n"] for g in program.json("inspect", model)["groups"]}
        assert calibration.groups == told

    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    def test_a_clipped_rank_gives_the_sets_of_the_program(self, method, program, tmp_path):
        task = Task(2)
        files = task.save(tmp_path)
        model = program_calibration(program, files, tmp_path)
        said = program.json("predict", model, "--test", files["test"], "--alpha", "0.01",
                            "--clip-rank", "--method", method, "--symmetric")
        calibration = caos.calibrate(task.labeled, task.labels)
        sets = calibration.predict_set(task.test, 0.01, clip_rank=True, method=method,
                                       symmetric=True)
        assert [list(one) for one in sets] == said["sets"]
        assert sets.guarantee == said["guarantee"]
        assert sets.guarantee.startswith("none (")
        assert calibration.threshold(0.01, clip_rank=True) == calibration.scores.max()

    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    @pytest.mark.parametrize("seed", [0, 1, 2**40])
    def test_smoothing_draws_what_the_program_draws(self, seed, method, program, tmp_path):
        task = Task(3)
        files = task.save(tmp_path)
        model = program_calibration(program, files, tmp_path)
        said = program.json("predict", model, "--test", files["test"], "--alpha", "0.3",
                            "--smoothed", "--seed", seed, "--method", method, "--symmetric")
        calibration = caos.calibrate(task.labeled, task.labels)
        how = {"method": method, "symmetric": True, "smoothing_seed": seed}
        assert_predictions(calibration.predict_set(task.test, 0.3, **how),
                           calibration.predict_p(task.test, **how), said)

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("groups", [None, "labels", "inputs"])
    def test_files_are_those_of_the_program_byte_for_byte(self, groups, dtype, program, tmp_path):
        task = Task(4, dtype=dtype)
        files = task.save(tmp_path)
        options = {None: [], "labels": ["--groups", "labels"],
                   "inputs": ["--groups", files["groups"]]}[groups]
        model = program_calibration(program, files, tmp_path, "--k", "2", *options)
        calibration = caos.calibrate(task.labeled, task.labels, k=2,
                                     groups=task.groups if groups == "inputs" else groups)
        calibration.save(tmp_path / "mine.caos")
        assert (tmp_path / "mine.caos").read_bytes() == model.read_bytes()
        loaded = caos.load(model)
        np.testing.assert_array_equal(loaded.scores, calibration.scores)
        assert (loaded.k, loaded.num_labels) == (2, 4)
        assert loaded.groups == calibration.groups
        loaded.save(str(tmp_path / "again.caos"))
        assert (tmp_path / "again.caos").read_bytes() == model.read_bytes()

    @pytest.mark.parametrize("with_labels", [False, True])
    def test_own_scores_give_the_file_of_the_program(self, with_labels, program, tmp_path):
        task = Task(5)
        files = task.save(tmp_path)
        np.save(tmp_path / "own.npy", task.own())
        labels = ["--labels", files["labels"], "--groups", "labels"] if with_labels else []
        program.json("calibrate", "--calibration", tmp_path / "own.npy", *labels, "--out",
                     tmp_path / "model.caos")
        how = {"labels": task.labels, "groups": "labels"} if with_labels else {}
        calibration = caos.calibrate(task.own(), **how)
        calibration.save(tmp_path / "mine.caos")
        assert (tmp_path / "mine.caos").read_bytes() == (tmp_path / "model.caos").read_bytes()

    def test_the_program_predicts_from_a_grown_calibration(self, program, tmp_path):
        task = Task(6)
        files = task.save(tmp_path)
        own = task.own()
        calibration = caos.calibrate(own[:9, :9])
        for i in range(9, 12):
            calibration.add_example(own[i, :i], own[:i, i])
        calibration.save(tmp_path / "grown.caos")
        said = program.json("predict", tmp_path / "grown.caos", "--test", files["test"], "--alpha",
                            "0.2")
        sets = calibration.predict_set(task.test, 0.2)
        assert_predictions(sets, calibration.predict_p(task.test), said)


class TestWhatIsCalibrated:
    def test_own_scores_calibrate_as_all_scores_do(self, task):
        own = caos.calibrate(task.own())
        every = caos.calibrate(task.labeled, task.labels)
        np.testing.assert_array_equal(own.scores, every.scores)
        np.testing.assert_array_equal(own.predict_p(task.test), every.predict_p(task.test))

    def test_labels_beside_own_scores_do_not_bound_the_labels_of_new_inputs(self, task):
        calibration = caos.calibrate(task.own(), np.minimum(task.labels, 1))
        assert calibration.num_labels is None
        assert calibration.predict_set(task.test, 0.2).mask.shape == (9, 4)

    def test_scores_of_an_example_under_itself_are_not_looked_at(self, task):
        spoiled = task.labeled.copy()
        spoiled[np.arange(task.n), :, np.arange(task.n)] = np.nan
        np.testing.assert_array_equal(caos.calibrate(spoiled, task.labels).scores,
                                      caos.calibrate(task.labeled, task.labels).scores)

    def test_scores_are_sums_of_the_k_smallest(self, task):
        own = task.own().astype(float)
        np.fill_diagonal(own, np.inf)
        for k in (1, 3, 11):
            expected = np.sort(own, axis=1)[:, :k].sum(axis=1)
            np.testing.assert_array_equal(caos.calibrate(task.own(), k=k).scores, expected)

    def test_label_scores_are_sums_of_the_k_smallest(self, task):
        expected = np.sort(task.test.astype(float), axis=2)[:, :, :3].sum(axis=2)
        calibration = caos.calibrate(task.labeled, task.labels)
        np.testing.assert_array_equal(calibration.label_scores(task.test), expected)

    def test_results_do_not_depend_on_the_number_of_threads(self):
        task = Task(7, n=40, num_test=200)
        how = {"symmetric": True, "method": "full-caos"}
        results = []
        for threads in (1, 2, 5):
            calibration = caos.calibrate(task.labeled, task.labels, threads=threads)
            results.append(calibration.predict_set(task.test, 0.1, threads=threads, **how).mask)
        np.testing.assert_array_equal(results[0], results[1])
        np.testing.assert_array_equal(results[0], results[2])


class TestWhatItTells:
    def test_of_itself(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        assert (len(calibration), calibration.k, calibration.num_labels) == (12, 3, 4)
        assert calibration.groups == {}
        assert calibration.guarantee == "marginal"
        assert calibration.assumption == caos.assumption
        assert repr(calibration) == "Calibration(12 examples, k = 3, 4 labels; marginal)"
        grouped = caos.calibrate(task.labeled, task.labels, groups=task.groups)
        assert "3 groups by input; group-conditional" in repr(grouped)

    @pytest.mark.parametrize("n", [9, 12, 19, 99])
    @pytest.mark.parametrize("alpha", ["0.1", "0.05", "0.3", "0.7", "0.01"])
    def test_processes_are_exact(self, n, alpha):
        rng = np.random.default_rng(n)
        calibration = caos.calibrate(rng.random((n, n)))
        exact = -((-(1 - Fraction(alpha)) * (n + 1)) // 1)
        assert calibration.rank(float(alpha)) == calibration.rank(alpha) == exact
        assert calibration.is_feasible(alpha) == (exact <= n)
        expected = np.sort(calibration.scores)[exact - 1] if exact <= n else np.inf
        assert calibration.threshold(alpha) == expected

    def test_the_smallest_feasible_alpha(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        assert calibration.smallest_feasible_alpha == 1 / 13
        assert calibration.is_feasible(0.077) and not calibration.is_feasible(0.076)
        grouped = caos.calibrate(task.labeled, task.labels, groups=[1] * 8 + [2] * 4)
        assert grouped.smallest_feasible_alpha == 1 / 5
        assert grouped.is_feasible(0.2) and not grouped.is_feasible(0.199)

    def test_groups_have_ranks_and_thresholds_of_their_own(self, task):
        calibration = caos.calibrate(task.labeled, task.labels, groups=[-3] * 8 + [5] * 4)
        assert calibration.groups == {-3: 8, 5: 4}
        scores = np.sort(calibration.scores[:8])
        assert calibration.rank(0.2, group=-3) == 8
        assert calibration.threshold(0.2, group=-3) == scores[7]
        assert calibration.rank(0.1, group=5) == 5
        assert calibration.threshold(0.1, group=5) == np.inf
        with pytest.raises(ValueError, match="has groups; say of which one"):
            calibration.threshold(0.2)
        with pytest.raises(ValueError, match="has no groups; leave out group"):
            caos.calibrate(task.labeled, task.labels).rank(0.2, group=1)

    def test_several_alphas_give_arrays(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        alphas = [0.3, 0.1, 0.01]
        np.testing.assert_array_equal(calibration.threshold(alphas),
                                      [calibration.threshold(a) for a in alphas])
        np.testing.assert_array_equal(calibration.rank(alphas),
                                      [calibration.rank(a) for a in alphas])


class TestAlphas:
    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    def test_several_at_once_are_one_after_the_other(self, task, method):
        calibration = caos.calibrate(task.labeled, task.labels)
        how = {"method": method, "reverse": task.reverse}
        alphas = [0.3, 0.05, 0.1]
        together = calibration.predict_set(task.test, alphas, **how)
        assert isinstance(together, list)
        for alpha, sets in zip(alphas, together):
            alone = calibration.predict_set(task.test, alpha, **how)
            np.testing.assert_array_equal(sets.mask, alone.mask)
            assert (sets.alpha, sets.feasible) == (alone.alpha, alone.feasible) == (
                alpha, calibration.is_feasible(alpha))

    def test_a_list_of_one_gives_a_list_of_one(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        for one in ([0.1], (0.1,), np.array([0.1]), ["0.1"]):
            assert [s.alpha for s in calibration.predict_set(task.test, one)] == [0.1]

    def test_a_label_is_in_the_set_if_its_p_value_is_above_alpha(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        for alpha in (0.1, 0.2, 0.5):
            np.testing.assert_array_equal(calibration.predict_set(task.test, alpha).mask,
                                          calibration.predict_p(task.test) > alpha)

    def test_infeasible_ones_give_every_label_and_a_warning(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        with pytest.warns(UserWarning, match="alpha 0.01: 99 labeled examples are needed and "
                                             "there are 12, which support alpha 0.07692 or more; "
                                             "so every set is every label"):
            sets = calibration.predict_set(task.test, 0.01)
        assert sets.mask.all() and not sets.feasible

    def test_a_warning_that_is_an_error_ends_the_call(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(UserWarning):
                calibration.predict_set(task.test, 0.01)

    def test_inputs_in_unknown_groups_get_every_label_and_a_warning(self, task):
        calibration = caos.calibrate(task.labeled, task.labels, groups=task.groups)
        groups = task.test_groups.copy()
        groups[3] = 99
        with pytest.warns(UserWarning, match="no labeled example is in group 99"):
            sets = calibration.predict_set(task.test, 0.5, groups=groups)
        assert len(sets[3]) == 4 and not sets.feasible


class TestSets:
    def test_are_arrays_of_labels_and_a_mask(self, task):
        sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, 0.2)
        assert len(sets) == 9
        np.testing.assert_array_equal(np.asarray(sets), sets.mask)
        np.testing.assert_array_equal(sets.sizes, sets.mask.sum(axis=1))
        for i, one in enumerate(sets):
            np.testing.assert_array_equal(one, np.flatnonzero(sets.mask[i]))
        np.testing.assert_array_equal(sets[-1], sets[8])
        with pytest.raises(IndexError, match="there are 9 sets"):
            sets[9]

    def test_tell_what_they_cover(self, task):
        sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, 0.2)
        covered = sets.covers(task.test_labels)
        np.testing.assert_array_equal(covered, sets.mask[np.arange(9), task.test_labels])
        with pytest.raises(ValueError, match="the number of labels is 8; expected 9"):
            sets.covers(task.test_labels[:8])

    def test_of_one_input_need_no_third_dimension(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        every = calibration.predict_set(task.test, 0.2)
        one = calibration.predict_set(task.test[4], 0.2)
        assert len(one) == 1
        np.testing.assert_array_equal(one[0], every[4])

    def test_of_no_inputs_are_none(self, task):
        calibration = caos.calibrate(task.labeled, task.labels)
        assert len(calibration.predict_set(task.test[:0], 0.2)) == 0
        assert calibration.predict_p(task.test[:0]).shape == (0, 4)

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy,
                                           lambda x: pickle.loads(pickle.dumps(x))])
    def test_survive_pickle_and_copy(self, task, duplicate):
        sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, 0.05)
        again = duplicate(sets)
        np.testing.assert_array_equal(again.mask, sets.mask)
        assert repr(again) == repr(sets)


def test_sets_cannot_be_changed_by_accident(task):
    sets = caos.calibrate(task.labeled, task.labels).predict_set(task.test, alpha=0.2)
    for array in (sets.mask, np.asarray(sets)):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = True
