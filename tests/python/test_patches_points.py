"""Errors of proposed points, from caos.patches.evaluate."""

import pickle

import numpy as np
import pytest

import caos


@pytest.fixture(scope="module")
def faces():
    images, points, names = caos.patches.draw_faces(24, seed=3)
    embedded = caos.patches.embed(images)
    points = points.copy()
    points[20, 1] = np.nan
    return embedded, points, embedded.labels_of(points), names


def evaluate(faces, **more):
    embedded, points, labels, names = faces
    return caos.patches.evaluate(
        embedded[:14], labels[:14], embedded[14:], labels[14:], alpha=0.3, landmarks=names,
        points=points[:14], test_points=points[14:], **more)


def quantile(errors, percent):
    ordered = np.sort(errors)
    return ordered[-(-percent * len(ordered) // 100) - 1]


def test_points_are_those_of_the_calibration(faces):
    embedded, points, labels, names = faces
    found = evaluate(faces).point_errors
    calibration = caos.patches.calibrate(embedded[:14], labels[:14], landmarks=names,
                                         offsets=embedded[:14].offsets_of(points[:14]))
    regions = calibration.predict_set(embedded[14:], alpha=0.3)
    np.testing.assert_allclose(found.points(), regions.points, atol=0.000501)
    errors = np.linalg.norm(found.points() - points[14:], axis=-1)
    np.testing.assert_allclose(found.errors(), errors)
    assert np.isnan(found.errors()[6, 1])


def test_figures_are_those_of_the_errors(faces):
    found = evaluate(faces, tolerances=[3, "8px"]).point_errors
    assert found.sources == ["proposal", "nearest_image", "mean_position"]
    for row in found.to_dicts():
        errors = found.errors(row["source"])
        errors = errors[~np.isnan(errors)]
        assert row["unit"] == "px"
        assert row["num_points"] == len(errors)
        assert row["median"] == quantile(errors, 50)
        assert row["q90"] == quantile(errors, 90)
        assert row["mean"] == pytest.approx(errors.mean())
        assert row["within 3 px"] == pytest.approx((errors <= 3).mean())
        assert row["within 8 px"] == pytest.approx((errors <= 8).mean())
    by_landmark = found.to_dicts(by_landmark=True)
    assert len(by_landmark) == 3 * len(found.landmarks)
    errors = found.errors()[:, 1]
    assert by_landmark[1]["landmark"] == found.landmarks[1]
    assert by_landmark[1]["mean"] == pytest.approx(np.nanmean(errors))


def test_mean_positions_are_means(faces):
    _, points, _, _ = faces
    found = evaluate(faces).point_errors.points("mean_position")
    np.testing.assert_allclose(found, np.broadcast_to(np.nanmean(points[:14], axis=0), found.shape))


def test_units_are_named_and_images_without_them_counted(faces):
    _, points, _, names = faces
    found = evaluate(faces, normalize_by=(names[0], names[1]), scales=0.5,
                     tolerances=["5%", "2mm"]).point_errors
    assert found.units == ["px", "mm", f"% of {names[0]}-{names[1]}"]
    assert found.images_left_out == [0, 0, 1]
    rows = {(row["source"], row["unit"]): row for row in found.to_dicts()}
    errors = found.errors()
    kept = errors[~np.isnan(errors)]
    assert rows["proposal", "mm"]["mean"] == pytest.approx(kept.mean() / 2)
    distance = np.linalg.norm(points[14:, 0] - points[14:, 1], axis=-1)
    relative = 100 * errors / distance[:, None]
    assert rows["proposal", found.units[2]]["mean"] == pytest.approx(np.nanmean(relative))


def test_text_carries_no_guarantee(faces):
    evaluation = evaluate(faces)
    assert "A proposed point carries no guarantee" in repr(evaluation)
    assert "nearest image, px" in repr(evaluation.point_errors)


def test_without_points_there_are_none(faces):
    embedded, _, labels, _ = faces
    evaluation = caos.patches.evaluate(embedded[:14], labels[:14], embedded[14:], labels[14:],
                                       alpha=0.3)
    assert evaluation.point_errors is None
    assert "error of the point" not in repr(evaluation)


def test_pickled_images_keep_their_pixels(faces):
    embedded, points, labels, names = faces
    again = pickle.loads(pickle.dumps(embedded))
    assert (repr(evaluate((again, points, labels, names)).point_errors)
            == repr(evaluate(faces).point_errors))


def test_wrong_arguments_are_named(faces):
    embedded, points, labels, names = faces
    parts = (embedded[:14], labels[:14], embedded[14:], labels[14:])
    with pytest.raises(ValueError, match="give both"):
        caos.patches.evaluate(*parts, points=points[:14])
    with pytest.raises(ValueError, match="are about points"):
        caos.patches.evaluate(*parts, tolerances=3)
    with pytest.raises(ValueError, match="caos.patches.embed"):
        caos.patches.evaluate(embedded[:14].embeddings, labels[:14] % 168, embedded[14:],
                              labels[14:], points=points[:14], test_points=points[14:])
    moved = points[14:].copy()
    moved[0, 0] = 1, 1
    with pytest.raises(ValueError, match=r"test_points: element \[0, 0\] is in patch 0"):
        caos.patches.evaluate(*parts, points=points[:14], test_points=moved)
    for arguments, said in (({"normalize_by": ("here", names[0])}, "unknown landmark 'here'"),
                            ({"normalize_by": names[0]}, "two landmarks"),
                            ({"tolerances": "5%"}, "percent of what"),
                            ({"tolerances": "1mm"}, "no image has a scale"),
                            ({"scales": [1.0]}, "expected 10, one per test image"),
                            ({"scales": -1.0}, "positive number of millimeters")):
        with pytest.raises(ValueError, match=said):
            evaluate(faces, **arguments)
    with pytest.raises(ValueError, match="source: unknown 'best'"):
        evaluate(faces).point_errors.errors("best")
