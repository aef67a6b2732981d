"""Landmarks from embeddings: arrays of all kinds, subjects, and what users do wrong."""

import pickle
import re

import numpy as np
import pytest
from hypothesis import assume, given

import caos
from patch_support import (MISSING, fixture_calibration, fixture_split, same,  # noqa: F401
                           tied_images)

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning", "ignore:left out:UserWarning")


class TestImagesOfDifferentSizes:
    @given(tied_images(8, 2), tied_images(3, 2))
    def test_are_predicted_as_each_alone(self, labeled, new):
        assume(all((labeled[1][:, t] != MISSING).sum() > 1 for t in range(2)))
        calibration = caos.patches.calibrate(*labeled, k=1)
        for image, one in zip(new[0], calibration.predict_set(new[0], 0.3)):
            alone = calibration.predict_set(image, 0.3)
            assert len(alone) == 1
            np.testing.assert_array_equal(one.mask, alone.mask[0])
            np.testing.assert_array_equal(one.mask, calibration.predict_set([image], 0.3).mask[0])

    def test_have_no_common_mask(self, calibration):
        rows = np.random.default_rng(1).normal(size=(9, 7))
        regions = calibration.predict_set([rows[:4], rows], 0.2)
        assert [one.mask.shape for one in regions] == [(4, 4), (4, 9)]
        with pytest.raises(ValueError, match=r"the images have 4 to 9 patches; take regions\[i\]"):
            regions.mask
        assert [p.shape for p in calibration.predict_p([rows[:4], rows])] == [(4, 4), (4, 9)]

    def test_are_the_same_as_an_array_where_they_do_not_differ(self, split, calibration):
        labeled, test = split
        from_list = caos.patches.calibrate(list(labeled.embeddings), labeled.labels)
        same(from_list.predict_set(list(test.embeddings), 0.2),
             calibration.predict_set(test.embeddings, 0.2))
        np.testing.assert_array_equal(from_list.predict_p(tuple(test.embeddings)),
                                      calibration.predict_p(test.embeddings))


class TestArrays:
    KINDS = {
        "float64": lambda x: x.astype(np.float64),
        "float16": lambda x: x.astype(np.float16),
        "fortran": np.asfortranarray,
        "every second": lambda x: np.repeat(x, 2, axis=2)[:, :, ::2],
        "backwards": lambda x: x[:, ::-1].copy()[:, ::-1],
        "read only": lambda x: np.frombuffer(x.tobytes(), np.float32).reshape(x.shape),
        "big-endian": lambda x: x.astype(">f4"),
        "nested lists": lambda x: x.tolist(),
        "list of arrays": list,
        "unaligned": lambda x: np.frombuffer(b"!" + x.tobytes(), np.uint8)[1:].view(
            np.float32).reshape(x.shape),
    }

    @pytest.mark.parametrize("kind", KINDS)
    def test_of_any_kind_give_the_same(self, kind, split):
        labels = split[0].labels
        # Sixteenths below 16 are exact in float16, too, and none is 0.
        coarse = [np.float32(np.round(x.embeddings.clip(-15, 15) * 8) / 8 + 1 / 16) for x in split]
        plain = caos.patches.calibrate(coarse[0], labels)
        other = caos.patches.calibrate(self.KINDS[kind](coarse[0]), labels.astype(np.int8).tolist())
        same(other.predict_set(self.KINDS[kind](coarse[1]), 0.2), plain.predict_set(coarse[1], 0.2))
        np.testing.assert_array_equal(other.threshold(0.2), plain.threshold(0.2))

    def test_of_pytorch_give_the_same(self, split, calibration):
        torch = pytest.importorskip("torch", reason="NOT TESTED: tensors of PyTorch")
        labeled, test = split
        other = caos.patches.calibrate(torch.tensor(labeled.embeddings),
                                       torch.tensor(labeled.labels))
        same(other.predict_set(torch.tensor(test.embeddings), 0.2),
             calibration.predict_set(test.embeddings, 0.2))

    def test_whole_numbers_are_numbers(self):
        rows = np.random.default_rng(2).integers(1, 5, size=(8, 6, 3))
        labels = np.zeros((8, 1), int)
        same(caos.patches.calibrate(rows, labels).predict_set(rows, 0.3),
             caos.patches.calibrate(rows.astype(np.float32), labels).predict_set(rows, 0.3))

    def test_lengths_of_rows_do_not_matter(self, split, calibration):
        labeled, test = split
        other = caos.patches.calibrate(4 * labeled.embeddings, labeled.labels)
        same(other.predict_set(test.embeddings / 8, 0.2),
             calibration.predict_set(test.embeddings, 0.2))

    def test_mapped_files_are_not_changed(self, split, tmp_path):
        labeled, test = split
        np.save(tmp_path / "x.npy", labeled.embeddings)
        mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
        calibration = caos.patches.calibrate(mapped, labeled.labels)
        same(calibration.predict_set(test.embeddings, 0.2),
             caos.patches.calibrate(labeled.embeddings, labeled.labels).predict_set(
                 test.embeddings, 0.2))
        np.testing.assert_array_equal(mapped, labeled.embeddings)

    def test_no_images_give_no_regions(self, calibration):
        assert len(calibration.predict_set(np.zeros((0, 11, 7), np.float32), 0.2)) == 0
        assert len(calibration.predict_set([], 0.2)) == 0
        assert calibration.predict_p(np.zeros((0, 11, 7))).shape == (0, 4, 0)
        assert calibration.predict_set([], [0.2, 0.3])[1].mask.shape == (0, 4, 0)


class TestSubjects:
    def test_may_be_anything_that_can_be_compared(self, split):
        labeled, test = split
        numbers = np.arange(20) // 2
        names = [f"subject {i}" for i in numbers]
        pairs = [(int(i), "left") for i in numbers]
        how = [caos.patches.calibrate(labeled.embeddings, labeled.labels, subjects=subjects, k=2)
               for subjects in (numbers, names, pairs, numbers.tolist())]
        for other in how[1:]:
            np.testing.assert_array_equal(other.threshold(0.3), how[0].threshold(0.3))
            same(other.predict_set(test.embeddings, 0.3), how[0].predict_set(test.embeddings, 0.3))
        assert how[0].guarantee_is_for == ("for a landmark that is present, in a random image of a "
                                           "new subject")
        regions = how[0].predict_set(test.embeddings, 0.3)
        assert regions.guarantee_is_for == how[0].guarantee_is_for
        assert regions.target == regions[0].target == "a random image of a new subject"
        assert "random among those of their subject" in regions.assumption
        assert "a random image of a new subject" in repr(how[0])

    def test_that_all_differ_change_no_region_but_the_target(self, split, calibration):
        labeled, test = split
        other = caos.patches.calibrate(labeled.embeddings, labeled.labels, subjects=range(20))
        same(other.predict_set(test.embeddings, 0.2), calibration.predict_set(test.embeddings, 0.2))
        assert other.target == "a random image of a new subject"
        assert "labeled and new subjects are exchangeable" in other.assumption
        assert pickle.loads(pickle.dumps(other)).target == other.target
        none = caos.patches.calibrate(labeled.embeddings, labeled.labels, subjects=[None] * 20)
        assert none.guarantee_is_for == calibration.guarantee_is_for

    def test_are_never_their_own_references(self):
        """Two images of each subject are the same; without subjects each would be the other's."""
        rng = np.random.default_rng(4)
        once = rng.normal(size=(10, 6, 5)).astype(np.float32)
        labels = np.repeat(rng.integers(6, size=(10, 1)), 2, axis=0)
        twice = np.repeat(once, 2, axis=0)
        alone = caos.patches.calibrate(once, labels[::2], k=1)
        apart = caos.patches.calibrate(twice, labels, subjects=np.repeat(np.arange(10), 2), k=1)
        alphas = [0.05, 0.2, 0.5]
        np.testing.assert_array_equal(apart.threshold(alphas), alone.threshold(alphas))
        assert apart.num_calibrating.tolist() == [20]
        assert caos.patches.calibrate(twice, labels, k=1).threshold(0.2) < 1e-6

    def test_count_once_each(self, split):
        """p = [1 + sum_s (1/n_s) #{S >= s}] / [1 + sum_s P_s/n_s], by the scores of k = 1."""
        labeled, test = split
        subjects = np.minimum(np.arange(20), 12)  # twelve with one image, one with eight
        calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, k=1,
                                             subjects=subjects)
        rows = labeled.embeddings / np.linalg.norm(labeled.embeddings, axis=2, keepdims=True)
        new = test.embeddings[0] / np.linalg.norm(test.embeddings[0], axis=1, keepdims=True)
        p_values = calibration.predict_p(test.embeddings[:1])[0]
        for t in range(labeled.labels.shape[1]):
            has = np.flatnonzero(labeled.labels[:, t] >= 0)
            marked = rows[has, labeled.labels[has, t]]
            own = 1 - marked @ marked.T
            own[subjects[has][:, None] == subjects[has]] = np.inf
            weight = 1 / np.bincount(subjects)[subjects[has]]
            scores = (1 - new @ marked.T).min(axis=1)
            reached = own.min(axis=1)[None, :] >= scores[:, None] - 1e-9
            expected = (1 + reached @ weight) / (1 + weight.sum())
            np.testing.assert_allclose(p_values[t], expected, atol=1e-9)


class TestPools:
    """A random image of a finite pool."""

    def calibrated(self, labeled, pool, **more):
        return caos.patches.calibrate(labeled.embeddings, labeled.labels, k=2, target="image",
                                      pool=pool, subjects=np.arange(20) // 2, **more)

    def test_weigh_subjects_by_their_images(self, split):
        labeled, test = split
        even = self.calibrated(labeled, list(np.arange(20) // 2) + [50, 51] * 2)
        uneven = self.calibrated(labeled, list(np.arange(20) // 2) + [0] * 30 + [50, 51] * 2)
        assert even.target.startswith("a random image of the pool")
        assert even.threshold(0.3).shape == uneven.threshold(0.3).shape
        one = even.predict_p(test.embeddings[:2], subjects=[50, 51])
        other = uneven.predict_p(test.embeddings[:2], subjects=[50, 51])
        assert np.abs(one - other).max() > 0.01

    def test_are_feasible_by_the_size_of_the_new_subject(self, split):
        labeled, test = split
        pool = list(np.arange(20) // 2) + [50] + [51] * 60
        calibration = self.calibrated(labeled, pool)
        assert not calibration.is_feasible(0.1)
        with pytest.warns(UserWarning, match="a subject with 60 images in the pool"):
            regions = calibration.predict_set(test.embeddings[:2], 0.1, subjects=[50, 51])
        assert regions[0].feasible.all() and not regions[1].feasible.any()
        assert not regions.feasible.any()
        again = pickle.loads(pickle.dumps(regions))
        assert again[0].feasible.all() and not again[1].feasible.any()

    def test_say_which_images_have_no_guarantee(self, split):
        labeled, test = split
        calibration = self.calibrated(labeled, list(np.arange(20) // 2) + [50, 51, 51, None])
        regions = calibration.predict_set(test.embeddings[:4], 0.3, subjects=[51, 0, "who", None])
        assert [r.guarantee for r in regions] == [
            "marginal", "none (the image's subject has labeled images)",
            "none (the image is not in the pool)", "marginal"]
        assert regions.guarantee.startswith("none (2 of 4 images")
        without = calibration.predict_set(test.embeddings[:2], 0.3)
        assert without.guarantee.startswith("none (2 of 2 images")
        again = pickle.loads(pickle.dumps(regions))
        assert [r.guarantee for r in again] == [r.guarantee for r in regions]

    def test_are_kept_in_files(self, split, tmp_path):
        labeled, test = split
        calibration = self.calibrated(labeled, list(np.arange(20) // 2) + [50, 51, 51, None])
        calibration.save(tmp_path / "pool.caos")
        again = caos.patches.load(tmp_path / "pool.caos")
        assert again.target == calibration.target
        for subjects in ([50, 51], ["50", None]):
            same(again.predict_set(test.embeddings[:2], 0.3, subjects=subjects),
                 calibration.predict_set(test.embeddings[:2], 0.3, subjects=subjects))

    @pytest.mark.parametrize("arguments, said", [
        ({"target": "image"}, "target 'image' needs pool"),
        ({"pool": [1, 2]}, "target 'image' needs pool"),
        ({"target": "picture"}, "the target 'picture' is not one of subject, image"),
        ({"target": "image", "pool": range(20)}, "pool: lacks the labeled subject a"),
        ({"target": "image", "pool": ["a"] * 19}, "20 labeled images and only 19 in the pool"),
        ({"target": "image", "pool": [1, "1"]}, "two different subjects are both called '1'"),
    ])
    def test_that_do_not_fit_are_refused(self, arguments, said, split):
        labeled, _ = split
        with pytest.raises(ValueError, match=re.escape(said)):
            caos.patches.calibrate(labeled.embeddings, labeled.labels, k=1, subjects=["a"] * 20,
                                   **arguments)

    def test_are_needed_for_subjects_of_new_images(self, split, calibration):
        with pytest.raises(ValueError, match="the calibration has no pool"):
            calibration.predict_set(split[1].embeddings[:1], 0.3, subjects=["a"])


class TestMisuse:
    ROWS = np.ones((6, 4, 3), np.float32)
    LABELS = np.zeros((6, 2), int)

    @pytest.mark.parametrize("embeddings, labels, more, said", [
        (ROWS[0], LABELS, {}, r"embeddings: has 2 dimensions, shape \(4, 3\); expected 3: images"),
        (ROWS[:, :0], LABELS, {}, r"embeddings: has shape \(6, 0, 3\); there must be patches"),
        ([ROWS[0], ROWS[1, :, :2]], LABELS, {}, r"embeddings\[1\]: has 2 numbers for each patch; "
                                                "images before it have 3"),
        ([ROWS[0], ROWS[1, 0]], LABELS, {}, r"embeddings\[1\]: has 1 dimension, shape \(3,\); "
                                            "expected 2: patches x"),
        (ROWS.astype(complex), LABELS, {}, "embeddings: holds complex128; expected float32"),
        (ROWS * np.array([1, 0, 1, 1])[:, None], LABELS, {},
         "embeddings: image 0: the embedding of patch 1 is all zeros"),
        (ROWS * np.nan, LABELS, {}, "embeddings: image 0: .* not a finite"),
        (ROWS, LABELS[:5], {}, "labels: has labels for 5 images; embeddings is of 6"),
        (ROWS, LABELS + 4, {}, r"labels: element \[0, 0\] is 4; patches are 0 to 3, and -1 is"),
        (ROWS, LABELS - 2, {}, r"labels: element \[0, 0\] is -2"),
        (ROWS, LABELS + 0.5, {}, "labels: holds float64; expected whole numbers"),
        (ROWS, LABELS[:, :0], {}, "labels: has no landmarks"),
        (ROWS, LABELS[None], {}, "labels: has 3 dimensions"),
        (ROWS, LABELS, {"k": 0}, "k: is 0; expected a whole number from 1"),
        (ROWS, LABELS, {"k": -1}, "k: is -1"),
        (ROWS, LABELS, {"threads": -1}, "threads: is -1"),
        (ROWS, LABELS, {"score": "euclid"}, "unknown score 'euclid'; choose geometry, cosine"),
        (ROWS, LABELS, {"score": "softmax:-1"}, "score softmax:-1: '-1' must be a number from"),
        (ROWS, LABELS, {"subjects": [1, 2]}, "subjects: there are 2; expected 6, one per image"),
        (ROWS, LABELS, {"landmarks": ["a"]}, "landmarks: there are 1 names; labels has 2"),
        (ROWS, LABELS, {"landmarks": ["a", "a"]}, "landmarks: there are two called 'a'"),
        (ROWS, LABELS, {"offsets": np.zeros((6, 2))}, "offsets: has 2 dimensions"),
        (ROWS, LABELS, {"offsets": np.zeros((6, 1, 2))},
         r"offsets: has shape \(6, 1, 2\); expected \(6, 2, 2\)"),
        (ROWS, LABELS, {"offsets": np.full((6, 2, 2), 1.5)}, r"offsets: element \[0, 0\] is \(1"),
        (ROWS, LABELS, {"offsets": np.full((6, 2, 2), np.nan)}, r"offsets: element \[0, 0\] is"),
        (ROWS, LABELS, {"patch_size": 0}, "patch_size: is 0"),
        (ROWS, LABELS, {"working_size": "large"}, "working size 'large': expected"),
    ])
    def test_of_calibrate_is_refused(self, embeddings, labels, more, said):
        with pytest.raises(ValueError, match=said):
            caos.patches.calibrate(embeddings, labels, **more)

    @pytest.mark.parametrize("embeddings, more, said", [
        (np.ones((2, 4, 3)), {}, r"embeddings: has 3 numbers for each patch; the calibration has 7 "
                                 r"\(embeddings of dimension 7\)"),
        (np.ones(7), {}, "embeddings: has 1 dimension"),
        (np.zeros((4, 7)), {}, "embeddings: image 0: .* all zeros"),
        (np.ones((4, 7)), {"alpha": 0}, "alpha"),
        (np.ones((4, 7)), {"alpha": []}, "alpha: is an empty list"),
        (np.ones((4, 7)), {"method": "scos"},
         "landmarks are predicted by caos, full-caos or split-caos"),
        (np.ones((4, 7)), {"method": "best"}, "best"),
        (np.ones((4, 7)), {"threads": -2}, "threads: is -2"),
    ])
    def test_of_predict_set_is_refused(self, embeddings, more, said, calibration):
        with pytest.raises(ValueError, match=said):
            calibration.predict_set(embeddings, **{"alpha": 0.1, **more})

    def test_of_types_is_a_type_error(self, split):
        with pytest.raises(TypeError):
            caos.patches.calibrate(split[0].embeddings, split[0].labels, k="three")
        with pytest.raises(TypeError, match="unhashable"):
            caos.patches.calibrate(split[0].embeddings, split[0].labels, subjects=[[]] * 20)
