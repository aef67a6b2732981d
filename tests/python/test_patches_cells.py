"""Cells of 4 pixels as labels, the default of embedded images, and their score."""

import pickle

import numpy as np
import pytest

import caos


@pytest.fixture(scope="module", name="faces")
def fixture_faces():
    images, points, names = caos.patches.draw_faces(18, seed=3)
    return images, points[:, :4], names[:4]


@pytest.fixture(scope="module", name="embedded")
def fixture_embedded(faces):
    return caos.patches.embed(faces[0], threads=1)


def test_are_of_four_pixels_unless_others_are_named(faces, embedded):
    images, points, _ = faces
    assert (embedded.cell, len(embedded.grids[0])) == (4, 48 * 56)
    assert embedded.embeddings.shape[1] == 168
    assert "cells of 4" in repr(embedded)
    patches = caos.patches.embed(images[:2], cell=16, threads=1)
    assert (patches.cell, len(patches.grids[0])) == (None, 168)
    np.testing.assert_array_equal(patches.embeddings, embedded[:2].embeddings)
    labels = embedded.labels_of(points)
    columns, rows = labels % 48, labels // 48
    np.testing.assert_array_equal(columns, points[..., 0] // 4)
    np.testing.assert_array_equal(rows, points[..., 1] // 4)
    assert caos.patches.embed(images[:1], cell=8, threads=1).cell == 8
    assert caos.patches.embed(images[:1], location=(20, 0.2), threads=1).cell is None
    with pytest.raises(ValueError, match="cell '5'"):
        caos.patches.embed(images[:1], cell=5)


def test_have_the_score_geometry(faces, embedded, tmp_path):
    _, points, names = faces
    labels = embedded.labels_of(points)
    offsets = embedded[:12].offsets_of(points[:12])
    calibration = caos.patches.calibrate(embedded[:12], labels[:12], k=2, landmarks=names,
                                         offsets=offsets)
    assert (calibration.score, calibration.cell) == ("geometry", 4)
    regions = calibration.predict_set(embedded[12:], 0.3)
    assert regions.mask.shape == (6, 4, 48 * 56)
    assert np.nanmean(regions.covers(labels[12:])) > 0.3
    off = np.hypot(*np.moveaxis(regions.points - points[12:], -1, 0))
    assert np.median(off) < 3
    # Kept in files and in pickles.
    calibration.save(tmp_path / "model.caos")
    again = caos.patches.load(tmp_path / "model.caos")
    copied = pickle.loads(pickle.dumps(embedded[12:]))
    assert copied.cell == 4
    np.testing.assert_array_equal(again.predict_set(copied, 0.3).mask, regions.mask)
    p = calibration.predict_p(embedded[12:14])
    np.testing.assert_array_equal(p > 0.3, regions.mask[:2])


def test_are_evaluated(faces, embedded):
    _, points, _ = faces
    labels = embedded.labels_of(points)
    offsets = embedded[:12].offsets_of(points[:12])
    how = {"k": 2, "offsets": offsets}
    found = caos.patches.evaluate(embedded[:12], labels[:12], embedded[12:], labels[12:], alpha=0.3,
                                  points=points[:12], test_points=points[12:], **how)
    calibration = caos.patches.calibrate(embedded[:12], labels[:12], **how)
    regions = calibration.predict_set(embedded[12:], 0.3)
    assert found.to_dicts()[0]["mean_set_size"] == pytest.approx(regions.sizes.mean())
    assert found.score == "geometry"


def test_are_refused_by_scores_of_patches(faces, embedded):
    _, points, _ = faces
    labels = embedded.labels_of(points)
    for score in ("cosine", "margin", "softmax"):
        with pytest.raises(ValueError, match="cell=16"):
            caos.patches.calibrate(embedded[:12], labels[:12], score=score)
    calibration = caos.patches.calibrate(embedded[:12], labels[:12], k=2)
    with pytest.raises(ValueError, match="full-caos"):
        calibration.predict_set(embedded[12:], 0.3, method="full-caos")


def test_propose_points_to_accept(faces, embedded):
    _, points, names = faces
    found = caos.patches.accept(embedded[:14], points[:14], embedded[14:], tolerance=6, q=0.4, k=2,
                                landmarks=names)
    assert np.median(np.hypot(*np.moveaxis(found.points - points[14:], -1, 0))) < 3


def test_is_cosine_for_arrays_without_a_grid(embedded):
    patches = embedded.embeddings
    labels = np.arange(18) % 5
    assert caos.patches.calibrate(patches, labels).score == "cosine"
    assert caos.patches.calibrate(patches, labels, grid=(12, 14)).score == "geometry"
