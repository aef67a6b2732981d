"""Landmarks from embeddings: calibration and prediction, by definition and against the program."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies

import caos
from patch_support import (MISSING, SCORES, Definition, Images, caos_sets, fixture_calibration,
                           fixture_split, oracle, random_split, same, tied_tasks)  # noqa: F401

ALPHAS = [0.05, 0.2, 0.5]

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning", "ignore:left out:UserWarning")


def exact_scores():
    """Scores whose values on tied rows are exact, with their definitions."""
    return strategies.sampled_from([("cosine", lambda s: 1 - s),
                                    ("margin:3", lambda s: 1 - s + 3 * (s.max(axis=0) - s))])


def definitions(labeled, k, score):
    """Of every landmark that has images enough for k."""
    embeddings, labels = labeled
    columns = [t for t in range(labels.shape[1]) if (labels[:, t] != MISSING).sum() > k]
    return columns, [Definition(embeddings, labels[:, t], k, score) for t in columns]


class TestByDefinition:
    """On rows whose products are exact, so that every tie is one."""

    @given(tied_tasks(), exact_scores(), strategies.sampled_from(["caos", "full-caos"]))
    def test_sets(self, task, score, method):
        labeled, new, k = task
        columns, slow = definitions(labeled, k, score[1])
        assume(columns)
        calibration = caos.patches.calibrate(*labeled, k=k, score=score[0])
        assert calibration.landmarks == [str(t) for t in columns]
        for alpha, regions in zip(ALPHAS, calibration.predict_set(new, ALPHAS, method=method)):
            for i, image in enumerate(new):
                for t, definition in enumerate(slow):
                    sets = oracle.METHODS[method](definition.problem(image), str(alpha)).sets[0]
                    assert set(regions[i].sets[t]) == sets[0]

    @given(tied_tasks(), exact_scores())
    def test_p_values_and_thresholds(self, task, score):
        labeled, new, k = task
        columns, slow = definitions(labeled, k, score[1])
        assume(columns)
        calibration = caos.patches.calibrate(*labeled, k=k, score=score[0])
        p_values = calibration.predict_p(new)
        thresholds = calibration.threshold(ALPHAS)
        for t, definition in enumerate(slow):
            problem = definition.problem(new[0])
            scores = [oracle.own_score(problem, i, range(problem.n)) for i in range(problem.n)]
            for a, alpha in enumerate(ALPHAS):
                assert thresholds[a, t] == oracle.threshold(scores, str(alpha))
            for i, image in enumerate(new):
                expected = [oracle.p_value(scores, oracle.minsum(pool, k))
                            for pool in definition.problem(image).test[0]]
                assert p_values[i][t].tolist() == [float(p) for p in expected]

    @given(tied_tasks())
    def test_proposals_and_supporting_references(self, task):
        labeled, new, k = task
        columns, slow = definitions(labeled, k, lambda s: 1 - s)
        assume(columns)
        regions = caos.patches.calibrate(*labeled, k=k).predict_set(new, 0.5)
        for image, found in zip(new, regions):
            for t, definition in enumerate(slow):
                pools = np.array(definition.problem(image).test[0])
                best = np.sort(pools, axis=1)[:, :k].sum(axis=1).argmin()
                order = np.argsort(pools[best], kind="stable")[:k]
                assert found.proposals[t] == best
                assert found.supporting_references[t].tolist() == definition.having[order].tolist()

    @given(tied_tasks(), strategies.sampled_from(["caos", "full-caos"]), strategies.booleans())
    def test_sets_of_several_alphas_are_those_of_each(self, task, method, clip_rank):
        labeled, new, k = task
        assume(definitions(labeled, k, lambda s: s)[0])
        calibration = caos.patches.calibrate(*labeled, k=k)
        for simultaneous in ([False, True] if method == "caos" else [False]):
            how = {"method": method, "clip_rank": clip_rank, "simultaneous": simultaneous}
            together = calibration.predict_set(new, [0.5, 0.05, 0.2], **how)
            for alpha, regions in zip([0.5, 0.05, 0.2], together):
                alone = calibration.predict_set(new, alpha, **how)
                assert regions.alpha == alone.alpha == alpha
                assert regions.guarantee == alone.guarantee
                assert regions.feasible.tolist() == alone.feasible.tolist()
                for one, other in zip(regions, alone):
                    np.testing.assert_array_equal(one.mask, other.mask)
                    for p, q in zip(one.p_values, other.p_values):
                        np.testing.assert_array_equal(p, q)

    @given(tied_tasks())
    def test_a_patch_is_in_the_set_if_its_p_value_is_above_alpha(self, task):
        labeled, new, k = task
        assume(definitions(labeled, k, lambda s: s)[0])
        calibration = caos.patches.calibrate(*labeled, k=k)
        p_values = calibration.predict_p(new)
        for regions in calibration.predict_set(new, ALPHAS):
            for p, one in zip(p_values, regions):
                np.testing.assert_array_equal(one.mask, p > regions.alpha)
                for values, patches, of_set in zip(p, one.sets, one.p_values):
                    np.testing.assert_array_equal(values[patches], of_set)


@pytest.mark.parametrize("score", ["cosine", "margin:3", "softmax:0.1"])
@pytest.mark.parametrize("seed", range(3))
def test_sets_are_close_to_the_definition_on_any_embeddings(seed, score):
    """Equal but where two scores differ by rounding alone."""
    labeled, test = random_split(seed)
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, score=score)
    regions = calibration.predict_set(test.embeddings, 0.2)
    p_values = calibration.predict_p(test.embeddings)
    for t in range(labeled.labels.shape[1]):
        sets, expected, own, scores = caos_sets(labeled, test, t, "0.2", 3, SCORES[score])
        gaps = np.abs(own[None, None] - scores[..., None])
        clear = (gaps > 1e-9).all(axis=2)
        assert clear.mean() > 0.9
        np.testing.assert_allclose(p_values[:, t][clear], expected[clear], rtol=1e-15)
        for i, one in enumerate(sets):
            assert set(regions[i].sets[t]) ^ set(one) <= set(np.flatnonzero(~clear[i]))


class TestWhatIsTold:
    def test_by_a_calibration(self, split, calibration):
        counts = (split[0].labels != MISSING).sum(axis=0)
        assert calibration.num_calibrating.tolist() == counts.tolist()
        assert (len(calibration), calibration.k, calibration.score) == (20, 3, "cosine")
        assert calibration.landmarks == ["0", "1", "2", "3"]
        assert calibration.images == [str(i) for i in range(20)]
        assert (calibration.left_out, calibration.dimension) == ([], 7)
        assert calibration.backbone == "embeddings:"
        assert calibration.backbone_identity == "embeddings of dimension 7"
        assert calibration.guarantee == "marginal"
        assert calibration.guarantee_is_for == "for a landmark that is present"
        assert calibration.assumption == caos.assumption
        assert calibration.is_feasible(0.1) and not calibration.is_feasible(0.01)
        assert repr(calibration) == ("PatchCalibration(4 landmarks from 20 images, k = 3, score "
                                     "cosine; marginal)")

    def test_by_thresholds(self, calibration):
        assert calibration.threshold(0.1).shape == (4,)
        both = calibration.threshold([0.1, 0.01])
        np.testing.assert_array_equal(both[0], calibration.threshold("0.1"))
        assert np.isinf(both[1]).all()
        assert np.isfinite(calibration.threshold(0.01, clip_rank=True)).all()

    def test_by_regions(self, split, calibration):
        regions = calibration.predict_set(split[1].embeddings, 0.2)
        assert (regions.alpha, regions.method, len(regions)) == (0.2, "caos", 5)
        assert (regions.guarantee, regions.assumption) == ("marginal", caos.assumption)
        assert regions.landmarks == calibration.landmarks
        assert regions.feasible.tolist() == [True] * 4
        assert regions.mask.shape == (5, 4, 11)
        np.testing.assert_array_equal(np.asarray(regions), regions.mask)
        np.testing.assert_array_equal(regions.sizes, regions.mask.sum(axis=2))
        np.testing.assert_array_equal(regions.proposals, [one.proposals for one in regions])
        assert repr(regions).startswith("Regions(5 images, 4 landmarks, mean size ")
        assert repr(regions).endswith("alpha 0.2, caos; marginal)")

    def test_by_the_regions_of_an_image(self, split, calibration):
        one = calibration.predict_set(split[1].embeddings, 0.2)[-1]
        assert (one.alpha, one.method, one.guarantee, len(one)) == (0.2, "caos", "marginal", 4)
        assert one.mask.shape == (4, 11)
        np.testing.assert_array_equal(np.asarray(one, int), one.mask.astype(int))
        for t, patches in enumerate(one.sets):
            np.testing.assert_array_equal(patches, np.flatnonzero(one.mask[t]))
            np.testing.assert_array_equal(one[t], patches)
            np.testing.assert_array_equal(one[str(t)], patches)
            assert len(one.p_values[t]) == one.sizes[t] == len(patches)
        assert one.supporting_references.shape == (4, 3)
        assert one.grid is None
        np.testing.assert_array_equal(one.offsets, np.full((4, 2), 0.5))
        with pytest.raises(IndexError, match="there are 4 landmarks"):
            one[4]
        with pytest.raises(KeyError, match="nose"):
            one["nose"]

    def test_that_proposals_are_where_the_p_value_is_largest(self, split, calibration):
        p_values = calibration.predict_p(split[1].embeddings)
        regions = calibration.predict_set(split[1].embeddings, 0.2)
        for p, one in zip(p_values, regions):
            np.testing.assert_array_equal(p[np.arange(4), one.proposals], one.proposal_p_values)
            np.testing.assert_array_equal(p.max(axis=1), one.proposal_p_values)

    @pytest.mark.parametrize("alpha", [0.01, 0.2, 0.5])
    def test_which_to_check_first(self, alpha, split, calibration):
        regions = calibration.predict_set(split[1].embeddings, alpha)
        means = []
        for one in regions:
            keys = zip(one.sizes > 0, one.proposal_p_values, -one.scores_over_threshold, -one.sizes)
            expected = [t for _, t in sorted((key, t) for t, key in enumerate(keys))]
            assert one.review_order.tolist() == expected
            if regions.feasible.all():
                assert ((one.scores_over_threshold > 1) == (one.sizes == 0)).all()
            means.append(one.scores_over_threshold.mean())
        np.testing.assert_allclose(np.array(means)[regions.review_order], np.sort(means)[::-1])

    def test_by_offsets_that_are_means_of_the_supporting_references(self, split):
        labeled, test = split
        offsets = np.random.default_rng(1).uniform(size=(*labeled.labels.shape, 2))
        offsets[labeled.labels == MISSING] = np.nan
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, offsets=offsets)
        for one in calibration.predict_set(test.embeddings, 0.2):
            for t in range(4):
                expected = offsets[one.supporting_references[t], t].mean(axis=0)
                np.testing.assert_allclose(one.offsets[t], expected, rtol=1e-14)


class TestCovers:
    def test_whether_sets_hold_labels_and_nan_where_they_are_missing(self, split, calibration):
        labels = split[1].labels
        regions = calibration.predict_set(split[1].embeddings, 0.2)
        covered = regions.covers(labels)
        for i, t in np.ndindex(*labels.shape):
            if labels[i, t] == MISSING:
                assert np.isnan(covered[i, t])
            else:
                assert covered[i, t] == regions.mask[i, t, labels[i, t]]

    def test_that_one_landmark_needs_no_second_dimension(self, split):
        labeled, test = split
        labeled.labels[labeled.labels == MISSING] = 0
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels[:, 0])
        regions = calibration.predict_set(test.embeddings, 0.2)
        np.testing.assert_array_equal(regions.covers(test.labels[:, 0]),
                                      regions.covers(test.labels[:, :1]))
        assert len(regions.landmarks) == 1

    @pytest.mark.parametrize("labels, said", [
        (np.zeros((4, 4), int), "labels: are of 4 images with 4 landmarks; these are regions of 5 "
                                "with 4"),
        (np.zeros((5, 3), int), "of 5 images with 3 landmarks"),
        (np.full((5, 4), 11), r"labels: element \[0, 0\] is 11; patches are 0 to 10"),
        (np.zeros((5, 4)), "labels: holds float64; expected whole numbers"),
    ])
    def test_what_does_not_fit_is_refused(self, labels, said, split, calibration):
        regions = calibration.predict_set(split[1].embeddings, 0.2)
        with pytest.raises(ValueError, match=said):
            regions.covers(labels)


class TestTooFewImages:
    @pytest.mark.filterwarnings("default:left out:UserWarning")
    def test_leave_a_landmark_out(self, split):
        labeled, test = split
        labeled.labels[3:, 2] = MISSING
        with pytest.warns(UserWarning, match="left out, as fewer than 4 images of different "
                                             "subjects have them: nose"):
            calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels,
                                                 landmarks=["eye", "ear", "nose", "chin"])
        assert calibration.left_out == ["nose"]
        assert calibration.landmarks == ["eye", "ear", "chin"]
        others = [0, 1, 3]
        same(calibration.predict_set(test.embeddings, 0.2),
             caos.patches.calibrate(labeled.embeddings, labeled.labels[:, others]).predict_set(
                 test.embeddings, 0.2))

    def test_for_k_are_refused(self, split):
        with pytest.raises(ValueError, match="no landmark is marked in 21 images .* k = 20 needs"):
            caos.patches.calibrate(split[0].embeddings, split[0].labels, k=20)

    @pytest.mark.filterwarnings("default:alpha:UserWarning")
    def test_for_alpha_make_every_patch_conform(self, split, calibration):
        with pytest.warns(UserWarning, match="alpha 0.01: 99 images are needed to calibrate a "
                                             "landmark; 4 have at most .* the whole image"):
            regions = calibration.predict_set(split[1].embeddings, 0.01)
        assert regions.mask.all()
        assert not regions.feasible.any()
        assert regions.guarantee == "marginal"
        assert repr(regions).endswith("alpha is infeasible for 4 landmarks)")

    def test_for_alpha_void_the_guarantee_where_the_rank_is_clipped(self, split, calibration):
        regions = calibration.predict_set(split[1].embeddings, 0.01, clip_rank=True)
        assert regions.guarantee.startswith("none (")
        assert not regions.mask.all()
        enough = calibration.predict_set(split[1].embeddings, 0.2, clip_rank=True)
        assert enough.guarantee == "marginal"


class TestSimultaneous:
    def test_sets_have_one_threshold(self, split):
        labeled, test = split
        labeled.labels[labeled.labels == MISSING] = 0
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels)
        regions = calibration.predict_set(test.embeddings, 0.2, simultaneous=True)
        assert regions.guarantee == "simultaneous"
        assert "all landmarks of an image" in regions.guarantee_is_for
        found = caos.patches.evaluate(labeled.embeddings, labeled.labels, test.embeddings,
                                      test.labels, alpha=0.2, simultaneous=True)
        all_held = np.nan_to_num(regions.covers(test.labels), nan=1).all(axis=1)
        present = (test.labels != MISSING).any(axis=1)
        assert found.simultaneous[0].coverage == all_held[present].mean()

    def test_there_is_none_of_full_caos(self, split, calibration):
        with pytest.raises(ValueError, match="no simultaneous form of full-caos"):
            calibration.predict_set(split[1].embeddings, 0.2, method="full-caos",
                                    simultaneous=True)


class TestFiles:
    @pytest.mark.parametrize("score", ["cosine", "margin", "softmax:0.2"])
    @pytest.mark.parametrize("subjects", [None, np.arange(20) // 2])
    def test_and_pickles_give_the_same_back(self, score, subjects, split, tmp_path):
        labeled, test = split
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, score=score,
                                             subjects=subjects, landmarks=list("ab,\""))
        calibration.save(tmp_path / "a.caos")
        copies = [caos.patches.load(tmp_path / "a.caos"), pickle.loads(pickle.dumps(calibration)),
                  caos.patches.PatchCalibration.load(str(tmp_path / "a.caos"))]
        for copy in copies:
            assert repr(copy) == repr(calibration)
            assert (copy.landmarks, copy.score) == (list("ab,\""), calibration.score)
            for method in ("caos", "full-caos"):
                same(copy.predict_set(test.embeddings, 0.2, method=method),
                     calibration.predict_set(test.embeddings, 0.2, method=method))
            copy.save(tmp_path / "b.caos")
            assert (tmp_path / "b.caos").read_bytes() == (tmp_path / "a.caos").read_bytes()

    def test_of_other_kinds_say_who_reads_them(self, split, calibration, tmp_path):
        caos.calibrate(np.ones((6, 6))).save(tmp_path / "scores.caos")
        with pytest.raises(ValueError, match="is a calibration of scores, for 'caos predict'"):
            caos.patches.load(tmp_path / "scores.caos")
        calibration.save(tmp_path / "patches.caos")
        with pytest.raises(ValueError, match="is a landmark model; caos.patches.load reads it"):
            caos.load(tmp_path / "patches.caos")
        with pytest.raises(FileNotFoundError, match="missing.caos"):
            caos.patches.load(tmp_path / "missing.caos")
        assert split is not None


def test_progress_is_told_and_what_it_raises_is_raised(split, calibration):
    told = []
    calibration.predict_set(split[1].embeddings, 0.2, progress=lambda *so_far: told.append(so_far))
    assert told[-1] == (5, 5)

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough(f"{done} of {total}")

    with pytest.raises(Enough, match="of 5"):
        calibration.predict_set(split[1].embeddings, 0.2, progress=stop)


def test_results_do_not_depend_on_threads():
    labeled, test = random_split(9, n=30, m=17)
    for score in ("cosine", "softmax"):
        alone = caos.patches.calibrate(labeled.embeddings, labeled.labels, score=score, threads=1)
        more = caos.patches.calibrate(labeled.embeddings, labeled.labels, score=score, threads=5)
        np.testing.assert_array_equal(alone.threshold(ALPHAS), more.threshold(ALPHAS))
        same(alone.predict_set(test.embeddings, 0.1, threads=1),
             more.predict_set(test.embeddings, 0.1, threads=5))
        np.testing.assert_array_equal(alone.predict_p(test.embeddings, threads=1),
                                      more.predict_p(test.embeddings, threads=3))


def test_new_images_belong_to_the_caller(split):
    """A calibration keeps no look into the arrays that it was made of."""
    labeled, test = split
    embeddings, labels = labeled.embeddings.copy(), labeled.labels.copy()
    calibration = caos.patches.calibrate(embeddings, labels)
    before = calibration.predict_set(test.embeddings, 0.2)
    embeddings[:], labels[:] = 7, 0
    same(calibration.predict_set(test.embeddings, 0.2), before)
    assert isinstance(labeled, Images)
