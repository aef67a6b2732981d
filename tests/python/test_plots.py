"""Plots: what is drawn is what was given."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import caos
from caos import plots
from conftest import Task

matplotlib = pytest.importorskip("matplotlib", reason="NOT TESTED: caos.plots needs matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.collections import LineCollection, PathCollection, PolyCollection

ALPHAS = [0.1, 0.2, 0.4]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def task():
    return Task(seed=3, n=30, num_labels=6, num_test=50, values=40)


@pytest.fixture(scope="module")
def calibration(task):
    return caos.calibrate(task.labeled, task.labels)


@pytest.fixture(scope="module")
def evaluation(task):
    return caos.evaluate(task.labeled, task.labels, task.test, task.test_labels, alpha=ALPHAS,
                         methods=["caos", "scos", "scos-best"])


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def drawn(ax):
    """Renders everything, so that nothing that cannot be drawn goes unnoticed."""
    ax.figure.canvas.draw()
    return ax


def heights(container):
    return np.array([bar.get_height() for bar in container])


def centers(container):
    return np.array([bar.get_x() + bar.get_width() / 2 for bar in container])


def test_the_histogram_holds_the_share_of_each_size(task, calibration):
    sets = calibration.predict_set(task.test, 0.2)
    ax = drawn(plots.set_sizes(sets))
    (bars,) = ax.containers
    np.testing.assert_array_equal(heights(bars), np.bincount(sets.sizes) / len(sets))
    np.testing.assert_allclose(centers(bars), np.arange(sets.sizes.max() + 1))
    assert ax.get_title() == "Set sizes at alpha 0.2"
    assert texts(ax) == [f"caos: mean {sets.sizes.mean():.3g}; marginal"]
    assert ax.lines[0].get_xdata()[0] == sets.sizes.mean()


def test_several_histograms_stand_side_by_side_with_names(task, calibration):
    first, second = calibration.predict_set(task.test, [0.1, 0.4])
    ax = drawn(plots.set_sizes([first, second]))
    for bars, sets in zip(ax.containers, (first, second)):
        expected = np.bincount(sets.sizes, minlength=len(bars)) / len(sets)
        np.testing.assert_array_equal(heights(bars), expected)
    assert np.all(centers(ax.containers[0]) < centers(ax.containers[1]))
    assert len({bars[0].get_hatch() for bars in ax.containers}) == 2
    assert [text.split(":")[0] for text in texts(ax)] == ["caos, alpha 0.1", "caos, alpha 0.4"]
    assert ax.get_title() == "Set sizes"
    again = drawn(plots.set_sizes([first, first]))
    assert [text.split(":")[0] for text in texts(again)] == ["caos", "caos (2)"]
    by_name = drawn(plots.set_sizes({"mine": first, "yours": second}))
    assert [text.split(":")[0] for text in texts(by_name)] == ["mine", "yours"]


def test_many_sizes_share_bins_and_none_is_lost():
    wide = Task(seed=1, n=10, num_labels=500, num_test=80, values=1000)
    sets = caos.calibrate(wide.labeled, wide.labels).predict_set(wide.test, 0.5)
    assert sets.sizes.max() > 100
    (bars,) = drawn(plots.set_sizes(sets)).containers
    assert len(bars) <= 31
    assert heights(bars).sum() == pytest.approx(1)
    for center, height in zip(centers(bars), heights(bars)):
        near = np.abs(sets.sizes - center) < 0.5 * (centers(bars)[1] - centers(bars)[0])
        assert height == near.mean()


def test_sets_of_no_inputs_are_drawn_as_nothing(task, calibration):
    ax = drawn(plots.set_sizes(calibration.predict_set(task.test[:0], 0.2)))
    assert heights(ax.containers[0]).sum() == 0


def test_averages_go_to_the_nearest_size(evaluation):
    result = evaluation.result("scos", 0.2)
    assert np.any(result.set_sizes % 1 != 0)
    ax = drawn(plots.set_sizes(result))
    (bars,) = ax.containers
    expected = [((result.set_sizes >= size - 0.5) & (result.set_sizes < size + 0.5)).mean()
                for size in range(len(bars))]
    np.testing.assert_array_equal(heights(bars), expected)
    assert heights(bars).sum() == pytest.approx(1)


def lines_by_label(ax):
    return {line.get_label(): line for line in ax.lines}


def bands(ax):
    return [one for one in ax.collections if isinstance(one, PolyCollection)]


def ends_at(band, alpha):
    vertices = band.get_paths()[0].vertices
    at_alpha = vertices[vertices[:, 0] == 1 - alpha, 1]
    return at_alpha.min(), at_alpha.max()


def words(text):
    return text.replace("\n", " ")


def test_coverage_shows_what_was_seen_and_the_exact_band(evaluation):
    ax = drawn(plots.coverage(evaluation))
    lines = lines_by_label(ax)
    for method in ("caos", "scos", "scos-best"):
        results = [evaluation.result(method, alpha) for alpha in ALPHAS]
        (line,) = [line for label, line in lines.items() if label.startswith(method + ";")]
        np.testing.assert_array_equal(line.get_xdata(), [1 - alpha for alpha in ALPHAS])
        np.testing.assert_array_equal(line.get_ydata(), [result.coverage for result in results])
    bars = [one for one in ax.collections if isinstance(one, LineCollection)]
    ends = {tuple(path.vertices[:, 1]) for bar in bars for path in bar.get_paths()}
    assert ends == {result.coverage_interval for result in evaluation if result.coverage_interval}

    of_caos, of_split = bands(ax)
    assert words(of_split.get_label()) == (
        "scos of one reference, split-caos: 90 % band, exact (n = 15, 50 test examples)")
    assert words(of_caos.get_label()) == (
        "to compare with CAOS: 90 % band of a split method with as many calibration examples "
        "(n = 30, 50 test examples)")
    (least,) = [line for label, line in lines.items() if words(label) == (
        "CAOS: at least this on average over calibrations (n = 30)")]
    for alpha in ALPHAS:
        for band, n in ((of_caos, 30), (of_split, 15)):
            law = caos.coverage_law(n, alpha)
            assert ends_at(band, alpha) == pytest.approx(law.observed_coverage(50), abs=0)
        law = caos.coverage_law(30, alpha)
        assert least.get_ydata()[list(least.get_xdata()).index(1 - alpha)] == law.mean


@pytest.mark.filterwarnings("ignore:alpha 0.2:UserWarning")
def test_there_is_a_band_for_the_kinds_of_methods_that_are_drawn(task, evaluation):
    split = [result for result in evaluation if result.method != "caos"]
    (band,) = bands(drawn(plots.coverage(split, n=30)))
    assert words(band.get_label()) == "scos of one reference, split-caos: 90 % band, exact (n = 15)"
    (band,) = bands(drawn(plots.coverage(evaluation.result("caos", 0.2), n=30)))
    assert band.get_label().startswith("to compare with CAOS")
    # Methods that choose a reference, calibrate on others than half of the examples, or in groups.
    for options in (dict(methods="split-caos-ref"), dict(methods="split-caos-cal"),
                    dict(methods="scos-best"), dict(methods="scos-oracle"),
                    dict(methods="split-caos", reference_indices=range(5)),
                    dict(methods="caos", groups="labels")):
        other = caos.evaluate(task.labeled, task.labels, task.test, task.test_labels, alpha=0.2,
                              **options)
        assert bands(drawn(plots.coverage(other))) == []


def test_coverage_says_what_is_guaranteed(evaluation):
    said = " ".join(texts(drawn(plots.coverage(evaluation)))).replace("\n", " ")
    for result in evaluation:
        assert f"{result.method}; {result.guarantee}" in said
    assert "none (" in said


def test_the_band_without_test_examples_is_that_of_the_probability(task, calibration):
    sets = calibration.predict_set(task.test, 0.2)
    ax = drawn(plots.coverage(sets, task.test_labels, n=30))
    (band,) = bands(ax)
    law = caos.coverage_law(30, 0.2)
    assert ends_at(band, 0.2) == (law.quantile(0.05), law.quantile(0.95))


def test_coverage_of_sets_needs_labels_and_n(task, calibration):
    sets = calibration.predict_set(task.test, [0.4, 0.2])
    full = calibration.predict_set(task.test, [0.2], method="full-caos", reverse=task.reverse)
    lines = lines_by_label(drawn(plots.coverage(sets + full, task.test_labels, n=30, num_test=50)))
    np.testing.assert_array_equal(lines["caos; marginal"].get_xdata(), [1 - 0.2, 1 - 0.4])
    np.testing.assert_array_equal(lines["caos; marginal"].get_ydata(),
                                  [sets[1].covers(task.test_labels).mean(),
                                   sets[0].covers(task.test_labels).mean()])
    assert list(lines["full-caos; marginal"].get_ydata()) == [
        full[0].covers(task.test_labels).mean()]
    lines = lines_by_label(plots.coverage({"mine": sets, "yours": full[0]}, task.test_labels, n=30))
    assert {"mine; marginal", "yours; marginal"} <= set(lines)
    with pytest.raises(ValueError, match="labels: give the true labels"):
        plots.coverage(sets, n=30)
    with pytest.raises(ValueError, match="n: give the number of labeled examples"):
        plots.coverage(sets, task.test_labels)
    with pytest.raises(ValueError, match="results: the list is empty"):
        plots.coverage([], n=30)


def test_scatter_has_one_mark_per_place_and_counts_sides(evaluation):
    a, b = evaluation.result("scos", 0.1), evaluation.result("caos", 0.1)
    ax = drawn(plots.scatter(a, b))
    (marks,) = [one for one in ax.collections if isinstance(one, PathCollection)]
    assert {tuple(place) for place in marks.get_offsets()} == set(zip(a.set_sizes, b.set_sizes))
    counts = (b.set_sizes < a.set_sizes).sum(), (b.set_sizes == a.set_sizes).sum()
    assert ax.get_title().startswith(f"50 examples at alpha 0.1\n{counts[0]} below the diagonal, "
                                     f"{counts[1]} on it, {50 - sum(counts)} above")
    assert ax.get_xlabel() == f"set sizes: scos ({a.guarantee})"
    assert ax.get_ylabel() == f"set sizes: caos ({b.guarantee})"
    assert ax.get_xlim() == ax.get_ylim()


def test_marks_grow_with_the_number_of_examples_that_coincide(task, calibration):
    sets = calibration.predict_set(task.test, 0.2)
    ax = drawn(plots.scatter(sets, sets))
    (marks,) = [one for one in ax.collections if isinstance(one, PathCollection)]
    counts = np.bincount(sets.sizes)[marks.get_offsets()[:, 0].astype(int)]
    assert len(set(counts)) > 1
    np.testing.assert_allclose((marks.get_sizes() / marks.get_sizes()[0]) ** 2, counts / counts[0])


def test_scatter_of_several_results_shows_their_means(evaluation, task, calibration):
    a = [evaluation.result("scos", alpha) for alpha in ALPHAS]
    b = [evaluation.result("caos", alpha) for alpha in ALPHAS]
    for what in ("set_sizes", "covered"):
        ax = drawn(plots.scatter(a, b, what=what))
        (marks,) = [one for one in ax.collections if isinstance(one, PathCollection)]
        assert {tuple(place) for place in marks.get_offsets()} == {
            (getattr(one, what).mean(), getattr(other, what).mean()) for one, other in zip(a, b)}
        assert ax.get_title().startswith("3 tasks\n")
    sets = calibration.predict_set(task.test, 0.2)
    with pytest.raises(ValueError, match="result_a has 50 values and result_b 3"):
        plots.scatter(sets, b)
    with pytest.raises(ValueError, match="PredictionSets have 'set_sizes' only"):
        plots.scatter(sets, sets, what="covered")
    with pytest.raises(ValueError, match="expected 'set_sizes' or 'covered'"):
        plots.scatter(a[0], b[0], what="coverage")


GRID = SimpleNamespace(rows=3, columns=4, patch_size=10)
IMAGE = np.linspace(0, 1, 28 * 39 * 3).reshape(28, 39, 3)


def fills(ax):
    return [image.get_array()[:, :, 3] > 0 for image in ax.images[1:]]


def outlines(ax):
    """The edges of each region; each is drawn twice, first in white."""
    return [{tuple(map(tuple, segment)) for segment in one.get_segments()}
            for one in ax.collections if isinstance(one, LineCollection)][::2]


def test_regions_lie_on_the_patches_of_their_sets():
    mask = np.zeros((2, 12), dtype=bool)
    mask[0, [0, 1, 5]] = True
    mask[1, 11] = True
    for regions in (mask, [[0, 1, 5], [11]], (np.array([5, 1, 0]), mask[1])):
        ax = drawn(plots.overlay(IMAGE, regions, GRID))
        np.testing.assert_array_equal(ax.images[0].get_array(), IMAGE)
        for fill, row in zip(fills(ax), mask, strict=True):
            np.testing.assert_array_equal(fill, row.reshape(3, 4))
        assert all(list(image.get_extent()) == [0, 40, 30, 0] for image in ax.images[1:])
        assert outlines(ax)[1] == {((30, 20), (40, 20)), ((30, 30), (40, 30)),
                                   ((30, 20), (30, 30)), ((40, 20), (40, 30))}
        assert len(outlines(ax)[0]) == 8
        assert ax.get_xlim() == (0, 39) and ax.get_ylim() == (28, 0)


def test_one_region_may_come_alone_and_gray_images_too():
    mask = np.zeros(12, dtype=bool)
    mask[6] = True
    ax = drawn(plots.overlay(IMAGE[:, :, 0], mask, GRID))
    (fill,) = fills(ax)
    np.testing.assert_array_equal(fill.ravel(), mask)


def test_points_names_and_empty_sets_are_shown():
    ax = drawn(plots.overlay(IMAGE, [[0, 1], [], [11]], GRID, points=[(5, 6), (7.5, 8), (35, 25)],
                             names=["eye", "nose", "chin"]))
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines] == [
        (5, 6), (7.5, 8), (35, 25)]
    assert [text.get_text() for text in ax.texts] == ["eye", "chin"]
    assert ax.get_xlabel() == "empty sets: nose"
    assert len(fills(ax)) == 2


def test_sets_say_their_alpha_and_guarantee(task):
    # Labels of a landmark task are patches: here 12 of them, and each input is a landmark.
    own = Task(seed=4, num_labels=12, num_test=3)
    sets = caos.calibrate(own.labeled, own.labels).predict_set(own.test, 0.2)
    ax = drawn(plots.overlay(IMAGE, sets, GRID))
    assert ax.get_title() == "caos at alpha 0.2 (marginal)"
    drawn_masks = iter(fills(ax))
    for row in sets.mask:
        if row.any():
            np.testing.assert_array_equal(next(drawn_masks).ravel(), row)


@pytest.mark.parametrize("options, message", [
    (dict(image=IMAGE[:20]), "image: is 39 pixels wide and 20 high; a grid of 4 x 3 patches of 10"),
    (dict(image=IMAGE[0, :, 0]), "image: has shape .39,."),
    (dict(regions=np.zeros((2, 12))), "regions: holds float64"),
    (dict(regions=np.zeros((2, 11), dtype=bool)), "landmark 0 has 11 patches; the grid has 12"),
    (dict(regions=[[1], [12]]), "landmark 1 holds patches 12 to 12; the grid has 0 to 11"),
    (dict(regions=[[1], [-1, 3]]), "landmark 1 holds patches -1 to 3"),
    (dict(regions=[1, 2]), "landmark 0 is int"),
    (dict(regions=[["a"]]), "landmark 0 is list of <U1"),
    (dict(points=[(1, 2), (3, 4)]), "points: there are 2; expected 1"),
    (dict(names=["a", "b"]), "names: there are 2; expected 1"),
])
def test_what_does_not_fit_the_grid_is_refused(options, message):
    arguments = dict(image=IMAGE, regions=[[1, 2]])
    with pytest.raises(ValueError, match=message):
        plots.overlay(**{**arguments, **options}, grid=GRID)
    assert pyplot.get_fignums() == []


def test_axes_may_be_given_and_are_returned(task, calibration):
    sets = calibration.predict_set(task.test, 0.2)
    for draw in (lambda ax: plots.set_sizes(sets, ax=ax),
                 lambda ax: plots.coverage(sets, task.test_labels, n=30, ax=ax),
                 lambda ax: plots.scatter(sets, sets, ax=ax),
                 lambda ax: plots.overlay(IMAGE, [[1]], GRID, ax=ax)):
        _, ax = pyplot.subplots()
        assert draw(ax) is ax
        assert ax.has_data()
    assert len(pyplot.get_fignums()) == 4


def test_there_must_be_something_to_draw():
    with pytest.raises(ValueError, match="there is nothing to draw"):
        plots.set_sizes([])


def test_without_matplotlib_the_error_says_what_to_install():
    code = """
import sys
sys.modules["matplotlib"] = None  # as if it were not installed
import caos
try:
    caos.plots.overlay([[0.0]], [[0]], type("Grid", (), dict(rows=1, columns=1, patch_size=1)))
except ImportError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    assert "apt install python3-matplotlib" in result.stdout
