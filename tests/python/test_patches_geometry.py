"""The score 'geometry' of caos.patches: by definition, with grids and offsets, kept in files."""

import math

import numpy as np
import pytest

import caos
from patch_support import MISSING, random_split

import geometry_oracle  # of tests/cli, which patch_support puts on the path

GRID = (4, 3)
K = 2

pytestmark = pytest.mark.filterwarnings("ignore:alpha:UserWarning", "ignore:left out:UserWarning")


@pytest.fixture(name="split")
def fixture_split():
    return random_split(5, n=12, m=4, num_patches=12, num_landmarks=2)


def unit_rows(images):
    rows = np.asarray(images, np.float64)
    return np.float32(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def offsets_of(labels):
    return np.random.default_rng(1).uniform(0, 1, (*labels.shape, 2))


def expected_sets(labeled, offsets, test, landmark, alpha):
    """By image; None for patches that rounding could decide."""
    rows, labels = unit_rows(labeled.embeddings), labeled.labels[:, landmark]
    having = np.flatnonzero(labels != MISSING)
    corners = np.stack([labels % GRID[0], labels // GRID[0]], axis=-1)
    positions = corners + offsets[:, landmark]

    def under(j, image):
        return geometry_oracle.scores(rows[j], labels[j], positions[j], image, GRID)

    own = sorted(sum(sorted(under(j, rows[i])[labels[i]] for j in having if j != i)[:K])
                 for i in having)
    rank = math.ceil((1 - alpha) * (len(own) + 1) - 1e-9)
    threshold = own[rank - 1] if rank <= len(own) else math.inf
    for image in unit_rows(test.embeddings):
        pools = np.sort(np.stack([under(j, image) for j in having]), axis=0)
        scores = pools[:K].sum(axis=0)
        yield [None if abs(s - threshold) < 1e-9 else bool(s <= threshold) for s in scores]


def test_is_the_definition(split):
    labeled, test = split
    offsets = offsets_of(labeled.labels)
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, k=K, score="geometry",
                                         grid=GRID, offsets=offsets)
    regions = calibration.predict_set(test.embeddings, 0.3)
    for t in range(2):
        for x, expected in enumerate(expected_sets(labeled, offsets, test, t, 0.3)):
            found = set(regions[x].sets[t])
            for y, member in enumerate(expected):
                assert member is None or member == (y in found)


def test_evaluates_as_it_predicts(split):
    labeled, test = split
    offsets = offsets_of(labeled.labels)
    more = {"k": K, "score": "geometry", "grid": GRID, "offsets": offsets}
    evaluation = caos.patches.evaluate(labeled.embeddings, labeled.labels, test.embeddings,
                                       test.labels, alpha=0.3, keep_sets="caos", **more)
    regions = caos.patches.calibrate(labeled.embeddings, labeled.labels,
                                     **more).predict_set(test.embeddings, 0.3)
    for x in range(len(test.embeddings)):
        for t in range(2):
            members = np.flatnonzero(evaluation.sets[0][x][t])
            np.testing.assert_array_equal(members, regions[x].sets[t])


def test_reads_the_offsets(split):
    labeled, test = split
    scores = [caos.patches.calibrate(labeled.embeddings, labeled.labels, k=K, score="geometry",
                                     grid=GRID, offsets=offsets).threshold(0.5)
              for offsets in (None, offsets_of(labeled.labels))]
    assert (scores[0] != scores[1]).all()
    assert len(test.embeddings) == 4


def test_is_the_same_once_saved(split, tmp_path):
    labeled, test = split
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, k=K, score="geometry",
                                         grid=GRID, offsets=offsets_of(labeled.labels))
    calibration.save(tmp_path / "model.caos")
    loaded = caos.patches.load(tmp_path / "model.caos")
    assert loaded.score == "geometry"
    np.testing.assert_array_equal(loaded.predict_p(test.embeddings),
                                  calibration.predict_p(test.embeddings))


@pytest.mark.parametrize("more, text", [
    ({}, "give the grid"),
    ({"grid": (5, 3)}, "grid: 5 x 3 is not the layout of 12 patches"),
    ({"grid": (12,)}, r"grid: must be \(columns, rows\)"),
])
def test_needs_a_grid_that_fits(split, more, text):
    labeled, _ = split
    with pytest.raises(ValueError, match=text):
        caos.patches.calibrate(labeled.embeddings, labeled.labels, k=K, score="geometry", **more)


def test_refuses_full_caos_and_other_grids(split):
    labeled, test = split
    calibration = caos.patches.calibrate(labeled.embeddings, labeled.labels, k=K, score="geometry",
                                         grid=GRID)
    with pytest.raises(ValueError, match="no exact position"):
        calibration.predict_set(test.embeddings, 0.3, method="full-caos")
    with pytest.raises(ValueError, match="10 patches; a grid of 0 x 0"):
        calibration.predict_set(test.embeddings[:, :10], 0.3)
