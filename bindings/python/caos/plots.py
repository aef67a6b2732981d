"""Plots: set sizes, coverage and its exact band, two methods compared, regions.

    caos.plots.set_sizes(sets)
    caos.plots.coverage(evaluation)
    caos.plots.scatter(evaluation.result("caos", 0.1), evaluation.result("scos", 0.1))
    caos.plots.overlay(image, regions[0])

Every function draws on the Axes given as ax, or on new ones, and returns them. Colors can be told
apart by color-blind people, and no two things differ in color alone. Needs matplotlib (Debian:
python3-matplotlib); nothing else in the package does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from caos import _core
from caos._plot_data import (
    PatchLayout,
    Reference,
    Series,
    check_image,
    each_of,
    histogram,
    is_result,
    layout_of,
    masks_of,
    named,
    outline,
    patch_sides,
    references_of,
    series_of,
    values_of,
    values_or_means,
)
from caos._typing import ArrayLike, BoolArray, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coverage", "overlay", "scatter", "set_sizes"]

# The colors of Okabe and Ito, without yellow, which is faint on white.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "os^Dv*P"
_HATCHES = ("", "///", "...", "\\\\\\", "xx", "++", "oo")
_GRAY = "#767676"


def set_sizes(sets: Any, *, ax: Axes | None = None) -> Axes:
    """A histogram of set sizes, with the mean as a dashed line.

    sets: PredictionSets or a MethodResult; of caos.patches, Regions or a LandmarkMethodResult,
        which has a mean size of each landmark; or several of these, as a list, or by name as a
        dict.
    ax: the Axes to draw on; new ones unless given.
    """
    things = named(sets)
    samples = [values[~np.isnan(values)]
               for values in (values_of(one, "set_sizes") for _, one in things)]
    ax, is_ours = _axes(ax), ax is None
    centers, shares, width = histogram(samples)
    bar = 0.8 * width / len(things)
    for i, (name, one) in enumerate(things):
        mean = samples[i].mean() if len(samples[i]) > 0 else 0.0
        ax.bar(centers + (i - 0.5 * (len(things) - 1)) * bar, shares[i], bar, color=_color(i),
               hatch=_HATCHES[i % len(_HATCHES)], edgecolor="white", linewidth=0.5,
               label=_wrapped(f"{name}: mean {mean:.3g}; {one.guarantee}"))
        ax.axvline(mean, color=_color(i), linestyle="--", linewidth=1.5, path_effects=_outlined())
    each = each_of(things[0][1])
    ax.set_xlabel({"example": "labels in the set", "region": "patches in the region",
                   "landmark": "patches in a landmark's set, mean"}[each])
    ax.set_ylabel("share of inputs" if each == "example" else f"share of {each}s")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_title("Set sizes" + _at_alpha([one for _, one in things]))
    _add_legend(ax, is_ours)
    return ax


def coverage(results: Any, labels: ArrayLike | None = None, *, n: int | None = None,
             num_test: int | None = None, ax: Axes | None = None) -> Axes:
    """Coverage against 1 - alpha, with the band that the exact law gives.

    results: what caos.evaluate, caos.patches.evaluate or caos.text.evaluate returns; or results of
        these, of one method or several at any alphas; or PredictionSets or Regions, with labels; as
        a list, or lists by name as a dict.
    labels: the true labels of the inputs, for PredictionSets and Regions.
    n: how many labeled examples there are. caos and full-caos calibrate on all of them, scos and
        split-caos on half. Taken from what evaluate returns unless given; results of landmarks know
        how many calibrate.
    num_test: how many test examples each coverage is a share of. The band is then that of the
        observed share; without, it is that of the probability behind it. Taken likewise.
    ax: the Axes to draw on; new ones unless given.

    Bars are 95 % intervals of each coverage, where the results have them; small marks are the
    coverages of single landmarks, of which the line is the mean. The gray band is for split-caos
    and scos with one reference: it holds 90 % of what one sees over calibrations, exactly, with
    continuous scores and so many calibration examples; scos as drawn, an average over references,
    strays less. Of CAOS less is known: on average over calibrations it covers at least rank / (n +
    1), the dotted line; Full CAOS without ties exactly that. What a single calibration of either
    gives follows no known law: the hatched band is where a split method with as many calibration
    examples would be, to compare. No law is known for scos-best and scos-oracle, which choose their
    reference, nor for split-caos-cal and split-caos-ref, nor for groups: they have no band. Of
    landmarks, bands are those of a single one, with the fewest images that calibrate any.
    """
    series = series_of(results, labels)
    n = getattr(results, "n", None) if n is None else n
    num_test = getattr(results, "num_test", None) if num_test is None else num_test
    references = references_of(series, n)
    ax, is_ours = _axes(ax), ax is None
    for i, one in enumerate(series):
        _draw_coverage(ax, one, _color(i), _MARKERS[i % len(_MARKERS)])
    _draw_bands(ax, [point.alpha for one in series for point in one.points], references, num_test)
    ax.set_xlabel("1 - alpha")
    ax.set_ylabel("coverage")
    ax.set_title("Coverage")
    _add_legend(ax, is_ours)
    return ax


def scatter(result_a: Any, result_b: Any, *, what: str = "set_sizes",
            ax: Axes | None = None) -> Axes:
    """One method against another, example by example; below the diagonal, b is smaller.

    result_a, result_b: MethodResults or PredictionSets on the same inputs, a for the x axis and b
        for the y axis; of caos.patches, Regions, or LandmarkMethodResults, in which each landmark
        is an example; or two lists of these, of which each gives its mean.
    what: 'set_sizes', or 'covered' for results of methods.
    ax: the Axes to draw on; new ones unless given.

    Examples that coincide are one mark, the larger the more they are.
    """
    a, b = values_or_means(result_a, what), values_or_means(result_b, what)
    if len(a) != len(b):
        raise ValueError(f"result_a has {len(a)} values and result_b {len(b)}; they must be on the "
                         "same examples")
    there = ~(np.isnan(a) | np.isnan(b))
    a, b = a[there], b[there]
    ax = _axes(ax)
    places, counts = np.unique(np.column_stack([a, b]), axis=0, return_counts=True)
    largest = max(a.max(initial=1), b.max(initial=1))
    ax.axline((0, 0), slope=1, color=_GRAY, linewidth=1, linestyle="--", zorder=1)
    ax.scatter(places[:, 0], places[:, 1], s=24 * np.sqrt(counts), color=_color(0), alpha=0.6,
               edgecolor="white", linewidth=0.5, zorder=2)
    ax.set_xlim(-0.05 * largest, 1.05 * largest)
    ax.set_ylim(-0.05 * largest, 1.05 * largest)
    ax.set_aspect("equal")
    all_a, all_b = _several(result_a), _several(result_b)
    each = each_of(result_a) if is_result(result_a) else "task"
    words = ("mean " if each in ("task", "landmark") else "") + what.replace("_", " ")
    ax.set_xlabel(_wrapped(f"{words}: {all_a[0].method} ({all_a[0].guarantee})"))
    ax.set_ylabel(_wrapped(f"{words}: {all_b[0].method} ({all_b[0].guarantee})"))
    sides = f"{(b < a).sum()} below the diagonal, {(b == a).sum()} on it, {(b > a).sum()} above"
    ax.set_title(f"{len(a)} {each}s{_at_alpha([*all_a, *all_b])}\n{sides}", fontsize="medium")
    return ax


def overlay(image: ArrayLike, regions: Any, grid: PatchLayout | None = None, *,
            points: ArrayLike | None = None, names: Sequence[str] | None = None,
            ax: Axes | None = None) -> Axes:
    """The sets of patches of one image, drawn on it.

    image: height x width, or height x width x 3 or 4 colors: the one that was embedded, or, for
        a grid of your own, as it was cut into patches.
    regions: regions[i] of caos.patches; PredictionSets with one set per landmark; a boolean array,
        landmarks x patches; or a list with the numbers of the patches in each set. A boolean array
        with one dimension is the set of one landmark.
    grid: how the image was cut: a caos.patches.Grid, or what has rows, columns and patch_size. That
        of the regions unless given, where they know it.
    points: where the landmarks are, x and y in pixels from the upper left corner, landmarks x 2.
    names: of the landmarks, written beside their regions.
    ax: the Axes to draw on; new ones unless given.
    """
    pixels = np.asarray(image)
    grid = layout_of(regions, grid)
    check_image(pixels, grid)
    masks = masks_of(regions, grid)
    _check_count(points, len(masks), "points")
    _check_count(names, len(masks), "names")
    ax = _axes(ax)
    height, width = pixels.shape[:2]
    ax.imshow(pixels, cmap="gray" if pixels.ndim == 2 else None, extent=(0, width, height, 0))
    for i, mask in enumerate(masks):
        _draw_region(ax, mask, grid, _color(i), None if names is None else names[i])
    if points is not None:
        for i, (x, y) in enumerate(np.asarray(points, dtype=np.float64)):
            ax.plot(x, y, marker="o", color=_color(i), markeredgecolor="white",
                    markersize=6)
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_xticks([])
    ax.set_yticks([])
    empty = [str(i) if names is None else names[i]
             for i, mask in enumerate(masks) if not mask.any()]
    if empty:
        ax.set_xlabel(_wrapped("empty sets: " + ", ".join(empty)))
    if hasattr(regions, "guarantee"):
        ax.set_title(_wrapped(f"{regions.method}{_at_alpha([regions])} ({regions.guarantee})"))
    return ax


def _axes(ax: Axes | None) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("caos.plots needs matplotlib; on Debian: apt install "
                          "python3-matplotlib") from error
    return pyplot.subplots(layout="constrained")[1] if ax is None else ax


def _outlined() -> list[Any]:
    """A white outline, visible on any background."""
    from matplotlib.patheffects import withStroke
    return [withStroke(linewidth=3, foreground="white")]


def _color(i: int) -> str:
    return _COLORS[i % len(_COLORS)]


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 60)


def _at_alpha(results: Sequence[Any]) -> str:
    """Where all have the same alpha, that."""
    alphas = {one.alpha for one in results}
    return f" at alpha {alphas.pop():g}" if len(alphas) == 1 else ""


def _add_legend(ax: Axes, is_ours: bool) -> None:
    """Below Axes of our own; inside others, which may lack space below."""
    if is_ours:
        legend = ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, 0),
                           borderaxespad=3.5)
        lines = sum(1 + text.get_text().count("\n") for text in legend.get_texts())
        ax.figure.set_figheight(ax.figure.get_figheight() + 0.19 * lines)
    else:
        ax.legend(framealpha=0.9, fontsize="small")


def _several(results: Any) -> list[Any]:
    return [results] if is_result(results) else list(results)


def _check_count(things: Any, count: int, name: str) -> None:
    if things is not None and len(things) != count:
        raise ValueError(f"{name}: there are {len(things)}; expected {count}, one per landmark")


def _draw_bands(ax: Axes, seen: Sequence[float], references: Sequence[Reference],
                num_test: int | None) -> None:
    """The exact laws, at the evaluated alphas and at many in between."""
    low, high = min(seen), max(seen)
    if low == high:
        low, high = 0.5 * low, min(1.5 * low, 0.5 * (1 + low))
    alphas = np.unique([*seen, *np.linspace(low, high, 201).round(6)])
    for reference in references:
        _draw_band(ax, alphas, reference, num_test)
    ax.plot(1 - alphas, 1 - alphas, color=_GRAY, linewidth=1, zorder=1, label="1 - alpha")


def _draw_band(ax: Axes, alphas: FloatArray, reference: Reference, num_test: int | None) -> None:
    laws = [_core.coverage_law(reference.n, alpha) for alpha in alphas]
    if num_test is None:
        band = np.array([(law.quantile(0.05), law.quantile(0.95)) for law in laws])
    else:
        band = np.array([law.observed_coverage(num_test) for law in laws])
    count = f"n = {reference.n}" + (", of one landmark" if reference.of_landmark else "")
    tests = "" if num_test is None else f", {num_test} test examples"
    if reference.is_split:
        ax.fill_between(1 - alphas, band[:, 0], band[:, 1], color="#dddddd", linewidth=0, zorder=0,
                        label=_wrapped(f"scos of one reference, split-caos: 90 % band, exact "
                                       f"({count}{tests})"))
        return
    ax.fill_between(1 - alphas, band[:, 0], band[:, 1], facecolor="none", edgecolor="#b0b0b0",
                    hatch="///", linewidth=0.5, zorder=0.5,
                    label=_wrapped(f"to compare with CAOS: 90 % band of a split method with as "
                                   f"many calibration examples ({count}{tests})"))
    ax.plot(1 - alphas, [law.mean for law in laws], color=_GRAY, linestyle=":", zorder=1,
            label=_wrapped(f"CAOS: at least this on average over calibrations ({count})"))


def _draw_coverage(ax: Axes, series: Series, color: str, marker: str) -> None:
    x = [1 - point.alpha for point in series.points]
    y = [point.coverage for point in series.points]
    ax.plot(x, y, color=color, marker=marker, markeredgecolor="white", linewidth=1.2,
            label=_wrapped(f"{series.name}; {series.guarantee}"))
    for one in series.results:
        if isinstance(one, _core.LandmarkMethodResult):
            each = one.landmark_coverage
            ax.plot(np.full(len(each), 1 - one.alpha), each, color=color, marker=marker,
                    markersize=3, linewidth=0, alpha=0.35)
    for point in series.points:
        if point.interval is not None:
            ax.vlines(1 - point.alpha, *point.interval, color=color, linewidth=1.2, alpha=0.7)


def _draw_region(ax: Axes, mask: BoolArray, grid: PatchLayout, color: str,
                 name: str | None) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba

    if not mask.any():
        return
    sides = np.array(patch_sides(grid))
    fill = np.zeros((*mask.shape, 4))
    fill[mask] = to_rgba(color, 0.4)
    ax.imshow(fill, interpolation="nearest",
              extent=(0, grid.columns * sides[0], grid.rows * sides[1], 0))
    segments = sides * outline(mask)
    ax.add_collection(LineCollection(segments, colors="white", linewidths=3))
    ax.add_collection(LineCollection(segments, colors=color, linewidths=1.5))
    if name is not None:
        rows, columns = np.nonzero(mask)
        ax.annotate(name, ((columns.mean() + 0.5) * sides[0], rows.min() * sides[1]),
                    xytext=(0, 3), textcoords="offset points", ha="center", va="bottom",
                    color=color, fontweight="bold", path_effects=_outlined())
