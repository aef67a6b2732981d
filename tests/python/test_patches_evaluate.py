"""caos.patches.evaluate, held against the program and against sets of record."""

import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import caos
from patch_support import (METHODS, MISSING, SCORES, bits, evaluate, landmark_problem, oracle,
                           random_split, save_split)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("CAOS_SHARED", ROOT.parent / "shared"))
GENERATOR = SHARED / "bench" / "prep.py"

pytestmark = pytest.mark.filterwarnings("ignore:.*images are needed:UserWarning",
                                        "ignore:left out:UserWarning")


def hold(found, said):
    """A result against the program's JSON, to the last bit."""
    assert (found.method, found.k, found.alpha, found.guarantee) == (
        said["method"], said["k"], said["alpha"], said["guarantee"])
    for figure in ("coverage", "mean_set_size", "median_set_size", "singleton_rate", "empty_rate"):
        assert getattr(found, figure) == said[figure]["mean"]
        for error in ("standard_error", "standard_error_over_landmarks"):
            assert getattr(found, f"{figure}_{error}") == said[figure][error]
    landmarks = said["landmarks"]
    for figure in ("coverage", "mean_set_size"):
        nan_for_null = [np.nan if l[figure] is None else l[figure] for l in landmarks]
        np.testing.assert_array_equal(getattr(found, f"landmark_{figure}"), nan_for_null)
    assert found.num_calibrating.tolist() == [l["n"] for l in landmarks]
    assert found.feasible.tolist() == [l["feasible"] for l in landmarks]


class TestTheProgram:
    @pytest.mark.parametrize("score", SCORES)
    @pytest.mark.parametrize("seed", range(2))
    def test_finds_the_same(self, seed, score, program, tmp_path):
        labeled, test = random_split(seed, n=16, m=7)
        files = save_split(tmp_path, labeled, test)
        said = program.json("landmarks", "evaluate", *files, "--methods", ",".join(METHODS),
                            "--score", score, "--k", 2, "--seed", 3 + seed, "--alpha", "0.3,0.05",
                            "--simultaneous", "--sets", tmp_path / "sets.npy")
        found = evaluate(labeled, test, methods=METHODS, score=score, k=2, seed=3 + seed,
                         alpha=[0.3, 0.05], simultaneous=True, keep_sets="caos")
        assert len(found) == len(found.methods) == len(said["results"]) == 16
        for one, other in zip(found.methods, said["results"]):
            hold(one, other)
        for one, other in zip(found.simultaneous, said["simultaneous"], strict=True):
            assert one.to_dict() == other
        assert (found.num_labeled, found.num_test, found.k) == (16, 7, 2)
        assert (found.score, found.left_out) == (said["score"], said["left_out"])
        assert (found.guarantee_is_for, found.assumption) == (
            said["guarantee_is_for"], said["assumption"])
        np.testing.assert_array_equal(found.packed_sets, np.load(tmp_path / "sets.npy"))

    def test_prints_the_same(self, program, tmp_path):
        labeled, test = random_split(4, n=25)
        arguments = [*save_split(tmp_path, labeled, test), "--methods", "caos,scos-best,scos",
                     "--alpha", "0.05,0.1,0.2"]
        said = program.run("landmarks", "evaluate", *arguments, "--simultaneous", "--quiet").stdout
        found = evaluate(labeled, test, methods=["caos", "scos-best", "scos"], simultaneous=True)
        assert str(found) + "\n" == repr(found) + "\n" == said

    def test_warns_of_the_same(self, program, tmp_path):
        labeled, test = random_split(5, n=9)
        labeled.labels[:6, 1] = MISSING
        arguments = [*save_split(tmp_path, labeled, test), "--methods", "caos,full-caos,scos",
                     "--alpha", "0.05,0.1,0.2"]
        said = program.run("landmarks", "evaluate", *arguments).stderr
        with pytest.warns(UserWarning) as told:
            evaluate(labeled, test, methods=["caos", "full-caos", "scos"])
        assert [f"caos: warning: {one.message}" for one in told] == said.splitlines()


class TestSets:
    @pytest.mark.parametrize("method", ["caos", "full-caos"])
    def test_are_those_of_predict_set(self, method):
        labeled, test = random_split(6, n=22)
        found = evaluate(labeled, test, methods=["caos", "full-caos"], keep_sets=method)
        regions = caos.patches.calibrate(labeled.embeddings, labeled.labels).predict_set(
            test.embeddings, caos._core.default_alphas, method=method)
        assert found.sets.shape == (3, 6, 4, 11)
        for kept, one in zip(found.sets, regions, strict=True):
            np.testing.assert_array_equal(kept, one.mask)
        unpacked = np.unpackbits(found.packed_sets, axis=-1, bitorder="little", count=11)
        np.testing.assert_array_equal(unpacked, found.sets)
        np.testing.assert_array_equal(found.packed_sets[0, 0, 0], bits(regions[0][0].sets[0], 11))

    def test_are_kept_only_where_asked_for(self):
        found = evaluate(*random_split(6, n=22))
        assert found.sets is None and found.packed_sets is None

    def test_of_images_of_different_sizes_are_no_array(self):
        labeled, test = random_split(7, n=22, missing=0)
        test.labels[:, :] = 0
        some = [test.embeddings[0, :5], test.embeddings[1]]
        found = caos.patches.evaluate(labeled.embeddings, labeled.labels, some, test.labels[:2],
                                      keep_sets="caos", alpha=0.2)
        with pytest.raises(ValueError, match="the test images have 5 to 11 patches"):
            found.sets
        with pytest.raises(ValueError, match="the test images have 5 to 11 patches"):
            found.packed_sets
        regions = caos.patches.calibrate(labeled.embeddings, labeled.labels).predict_set(some, 0.2)
        assert found.methods[0].mean_set_size == pytest.approx(regions.sizes.mean())


def test_ablation_is_caos_at_other_k():
    labeled, test = random_split(8, n=20)
    found = evaluate(labeled, test, ablation_ks=[1, 5], alpha=[0.1, 0.3])
    alone = [evaluate(labeled, test, k=k, alpha=[0.1, 0.3]).methods for k in (1, 5)]
    assert [r.k for r in found.ablation] == [1, 1, 5, 5]
    for one, other in zip(found.ablation, alone[0] + alone[1], strict=True):
        assert one.to_dict() == other.to_dict()
    assert found.to_dicts() == [r.to_dict() for r in found.methods + found.ablation]
    assert "caos with k" in str(found)


def test_reference_indices_say_who_refers():
    labeled, test = random_split(9, n=14, missing=0)
    references = [1, 2, 5, 8, 9, 13]
    found = evaluate(labeled, test, methods=["split-caos", "scos"], alpha=0.3, k=2,
                     reference_indices=references)
    for method in ("split-caos", "scos"):
        result = found.result(method, 0.3)
        for t in range(4):
            problem, _ = landmark_problem(labeled, test, t, 2, references=references)
            expected = oracle.summary(problem, oracle.METHODS[method](problem, "0.3"))
            assert result.landmark_coverage[t] == pytest.approx(float(expected["coverage"]))
            assert result.landmark_mean_set_size[t] == pytest.approx(
                float(expected["mean_set_size"]))
        assert result.num_calibrating.tolist() == [8] * 4


def test_results_are_found_by_method_and_alpha():
    found = evaluate(*random_split(2, n=25), methods=["caos", "full-caos"])
    assert found.result("full-caos", "0.10").method == "full-caos"
    assert found.result("full-caos", 0.1).alpha == 0.1
    with pytest.raises(ValueError, match="scos at alpha 0.1 is not among the 6 results"):
        found.result("scos", 0.1)


def test_dicts_by_landmark_have_the_figures_of_each():
    labeled, test = random_split(2, n=25)
    test.labels[:, 3] = MISSING
    found = evaluate(labeled, test, alpha=0.1, landmarks=["a", "b", "c", "d"])
    rows = found.to_dicts(by_landmark=True)
    assert [row["landmark"] for row in rows] == found.landmarks == ["a", "b", "c", "d"]
    assert [row["coverage"] for row in rows[:3]] == found.methods[0].landmark_coverage[:3].tolist()
    assert rows[3]["coverage"] is None and np.isnan(found.methods[0].landmark_coverage[3])


def test_subjects_are_kept_apart():
    labeled, test = random_split(3, n=20)
    subjects = np.arange(20) // 2
    found = evaluate(labeled, test, subjects=subjects, alpha=0.2, k=2, keep_sets="caos")
    regions = caos.patches.calibrate(labeled.embeddings, labeled.labels, subjects=subjects,
                                     k=2).predict_set(test.embeddings, 0.2)
    np.testing.assert_array_equal(found.sets[0], regions.mask)
    assert "a random image of a new subject" in found.guarantee_is_for
    assert (found.target, found.average_over) == ("a random image of a new subject", "subjects")
    with pytest.raises(ValueError, match="caos and full-caos only"):
        evaluate(labeled, test, subjects=subjects, methods=["scos"])


def test_averages_match_the_target():
    """The sets of a target `image` are those of a calibration with the same pool."""
    labeled, test = random_split(3, n=20)
    subjects = np.arange(20) // 2
    # One subject with one image, one with the rest.
    tested = np.minimum(np.arange(len(test.labels)), 1) + 100
    rest = len(tested) - 1
    for target, weights in (("subject", np.where(tested == 100, 1, 1 / rest)),
                            ("image", np.ones(len(tested)))):
        found = evaluate(labeled, test, subjects=subjects, test_subjects=tested, target=target,
                         alpha=0.2, k=2, keep_sets="caos")
        assert found.average_over == target + "s"
        pool = None if target == "subject" else [*subjects, *tested]
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, k=2, target=target,
                                             subjects=subjects, pool=pool)
        regions = calibration.predict_set(test.embeddings, 0.2,
                                          subjects=None if pool is None else tested)
        np.testing.assert_array_equal(found.sets[0], regions.mask)
        covered = regions.covers(test.labels)
        there = ~np.isnan(covered)
        expected = [np.average(covered[there[:, t], t], weights=weights[there[:, t]])
                    for t in range(covered.shape[1])]
        np.testing.assert_allclose(found.methods[0].landmark_coverage, expected)


def test_equal_alphas_count_once():
    found = evaluate(*random_split(2, n=25), alpha=[0.1, "0.10", 0.2])
    assert [r.alpha for r in found.methods] == [0.1, 0.2]


def test_progress_is_told():
    told = []
    evaluate(*random_split(2, n=25), progress=lambda *so_far: told.append(so_far))
    assert told[-1] == (6, 6)


ROWS = np.ones((6, 4, 3), np.float32)
LABELS = np.zeros((6, 2), int)


@pytest.mark.parametrize("changed, said", [
    ({"test": np.ones((2, 4, 5))}, "test: has 5 numbers for each patch; embeddings has 3"),
    ({"test": ROWS[:0], "test_labels": LABELS[:0]}, "test: there are no images"),
    ({"test": ROWS[0]}, "test: has 2 dimensions"),
    ({"embeddings": [], "labels": LABELS[:0]}, "embeddings: there are no images"),
    ({"test_labels": LABELS[:, :1]}, "test_labels: has 1 landmarks; labels has 2"),
    ({"test_labels": LABELS[:3]}, "test_labels: has labels for 3 images; test is of 6"),
    ({"test_labels": LABELS + 4}, r"test_labels: element \[0, 0\] is 4"),
    ({"test": ROWS * 0}, "test: image 0: the embedding of patch 0 is all zeros"),
    ({"k": 6}, "no landmark is in 7 labeled images, which k = 6 needs"),
    ({"k": 0}, "k: is 0"),
    ({"ablation_ks": [0]}, "ablation_ks: is 0"),
    ({"ablation_ks": [9]}, "k = 9 needs 9 labeled images"),
    ({"methods": []}, "give at least one method"),
    ({"methods": ["best"]}, "best"),
    ({"keep_sets": "full-caos"}, "the sets of full-caos cannot be kept"),
    ({"methods": ["scos"], "keep_sets": "scos"}, "the sets of scos cannot be kept"),
    ({"reference_indices": [6]}, "reference_indices: "),
    ({"alpha": 2}, "alpha"),
])
def test_misuse_is_refused(changed, said):
    arguments = {"embeddings": ROWS, "labels": LABELS, "test": ROWS, "test_labels": LABELS}
    with pytest.raises(ValueError, match=said):
        caos.patches.evaluate(**{**arguments, **changed})


@pytest.mark.skipif(not GENERATOR.is_file(),
                    reason=f"NOT TESTED: there is no {GENERATOR}; set CAOS_SHARED")
def test_sets_of_a_large_task_are_those_of_record(tmp_path):
    """100 + 100 images of 168 patches with 478 landmarks, known by their digests."""
    subprocess.run([sys.executable, GENERATOR, "w1"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "CAOS_DATA": str(tmp_path)}, timeout=300)
    arrays = [np.load(tmp_path / f"w1_{name}.npy", mmap_mode="r")
              for name in ("ref", "yref", "test", "ytest")]
    labeled, labels, test, test_labels = arrays  # labels are [landmarks, images]

    def digest(method, threads=0):
        found = caos.patches.evaluate(labeled, labels.T, test, test_labels.T, methods=[method],
                                      keep_sets=method, threads=threads)
        assert found.packed_sets.shape == (3, 100, 478, 21)
        return hashlib.sha256(found.packed_sets.tobytes()).hexdigest()[:16]

    for threads in (0, 1, 3):
        assert digest("caos", threads) == "c2f0f7cadc39608a"
    assert digest("full-caos") == "818856ca8c76e1b2"


def test_an_evaluation_is_a_sequence_of_its_results():
    labeled, test = random_split(0, n=16, m=7)
    found = evaluate(labeled, test, methods=["caos", "scos"], k=2, alpha=[0.1, 0.3])
    assert [repr(one) for one in found] == [repr(one) for one in found.methods]
    assert repr(found[-1]) == repr(found.result("scos", 0.3))
    assert [one.method for one in found[1:3]] == ["caos", "scos"]
    assert found.n == found.num_labeled == 16
    html = found._repr_html_()
    assert html.startswith("<pre>16 labeled images") and "scos" in html
    with pytest.raises(IndexError, match="there are 4 results"):
        found[4]


def test_without_methods_caos_is_evaluated():
    labeled, test = random_split(0, n=16, m=7)
    assert [one.method for one in evaluate(labeled, test, methods=None, k=2, alpha=0.3)] == ["caos"]
