"""Plots for a notebook: sizes of sets, coverage and its exact band, two methods compared, regions.

    caos.plots.set_sizes(sets)
    caos.plots.coverage(evaluation)
    caos.plots.scatter(evaluation.result("caos", 0.1), evaluation.result("scos", 0.1))
    caos.plots.overlay(image, sets, grid)

Every function draws on the Axes given as ax, or on new ones, and returns them. Colours can be told
apart by colour-blind people, and no two things differ in colour alone. Needs matplotlib (Debian:
python3-matplotlib); nothing else in the package does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from caos import _core
from caos._plot_data import (
    Grid,
    Series,
    check_image,
    histogram,
    is_result,
    masks_of,
    named,
    outline,
    series_of,
    values_of,
    values_or_means,
)
from caos._typing import ArrayLike, BoolArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coverage", "overlay", "scatter", "set_sizes"]

# The colours of Okabe and Ito, without yellow, which is faint on white.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "os^Dv*P"
_HATCHES = ("", "///", "...", "\\\\\\", "xx", "++", "oo")
_GREY = "#767676"


def set_sizes(sets: Any, *, ax: Axes | None = None) -> Axes:
    """How many labels sets hold: a histogram, with the mean as a dashed line.

    sets: PredictionSets or a MethodResult; or several of them, as a list, or by name as a dict.
    ax: the Axes to draw on; new ones unless given.
    """
    things = named(sets)
    samples = [values_of(one, "set_sizes") for _, one in things]
    ax, is_ours = _axes(ax), ax is None
    centers, shares, width = histogram(samples)
    bar = 0.8 * width / len(things)
    for i, (name, one) in enumerate(things):
        mean = samples[i].mean() if len(samples[i]) > 0 else 0.0
        ax.bar(centers + (i - 0.5 * (len(things) - 1)) * bar, shares[i], bar, color=_color(i),
               hatch=_HATCHES[i % len(_HATCHES)], edgecolor="white", linewidth=0.5,
               label=_wrapped(f"{name}: mean {mean:.3g}; {one.guarantee}"))
        ax.axvline(mean, color=_color(i), linestyle="--", linewidth=1.5, path_effects=_outlined())
    ax.set_xlabel("labels in the set")
    ax.set_ylabel("share of inputs")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_title("Set sizes" + _at_alpha([one for _, one in things]))
    _add_legend(ax, is_ours)
    return ax


def coverage(results: Any, labels: ArrayLike | None = None, *, n: int | None = None,
             num_test: int | None = None, ax: Axes | None = None) -> Axes:
    """Coverage against 1 - alpha, with the band that the exact law gives.

    results: what caos.evaluate returns; or MethodResults, of one method or several at any alphas;
        or PredictionSets, with labels; as a list, or lists by name as a dict.
    labels: the true labels of the inputs, for PredictionSets.
    n: how many examples calibrate: all labelled ones for caos and full-caos, the calibration half
        for split methods. The band is for this n; taken from what caos.evaluate returns unless
        given.
    num_test: how many test examples each coverage is a share of. The band is then that of the
        observed share; without, it is that of the probability behind it. Taken likewise.
    ax: the Axes to draw on; new ones unless given.

    Bars are 95 % intervals of each coverage, where the results have them. The band holds 90 % of
    what one sees over calibrations, exactly, for split methods with continuous scores and n
    calibration examples. Of CAOS less is known: on average over calibrations it covers at least
    rank / (n + 1), the dotted line; Full CAOS without ties exactly that. What a single calibration
    of either gives follows no known law.
    """
    series = series_of(results, labels)
    n = getattr(results, "n", None) if n is None else n
    num_test = getattr(results, "num_test", None) if num_test is None else num_test
    if n is None:
        raise ValueError("n: give the number of examples that calibrate, for the band")
    ax, is_ours = _axes(ax), ax is None
    for i, one in enumerate(series):
        _draw_coverage(ax, one, _color(i), _MARKERS[i % len(_MARKERS)])
    _draw_band(ax, [point.alpha for one in series for point in one.points], n, num_test)
    ax.set_xlabel("1 - alpha")
    ax.set_ylabel("coverage")
    ax.set_title("Coverage")
    _add_legend(ax, is_ours)
    return ax


def scatter(result_a: Any, result_b: Any, *, what: str = "set_sizes",
            ax: Axes | None = None) -> Axes:
    """One method against another, example by example; below the diagonal, b is smaller.

    result_a, result_b: MethodResults or PredictionSets on the same inputs, a for the x axis and b
        for the y axis; or two lists of them, such as one per landmark, of which each gives its
        mean.
    what: 'set_sizes', or 'covered' for MethodResults.
    ax: the Axes to draw on; new ones unless given.

    Examples that coincide are one mark, the larger the more they are.
    """
    a, b = values_or_means(result_a, what), values_or_means(result_b, what)
    if len(a) != len(b):
        raise ValueError(f"result_a has {len(a)} values and result_b {len(b)}; they must be on the "
                         "same examples")
    ax = _axes(ax)
    places, counts = np.unique(np.column_stack([a, b]), axis=0, return_counts=True)
    largest = max(a.max(initial=1), b.max(initial=1))
    ax.axline((0, 0), slope=1, color=_GREY, linewidth=1, linestyle="--", zorder=1)
    ax.scatter(places[:, 0], places[:, 1], s=24 * np.sqrt(counts), color=_color(0), alpha=0.6,
               edgecolor="white", linewidth=0.5, zorder=2)
    ax.set_xlim(-0.05 * largest, 1.05 * largest)
    ax.set_ylim(-0.05 * largest, 1.05 * largest)
    ax.set_aspect("equal")
    all_a, all_b = _several(result_a), _several(result_b)
    words = ("mean " if not is_result(result_a) else "") + what.replace("_", " ")
    ax.set_xlabel(_wrapped(f"{words}: {all_a[0].method} ({all_a[0].guarantee})"))
    ax.set_ylabel(_wrapped(f"{words}: {all_b[0].method} ({all_b[0].guarantee})"))
    each = "example" if is_result(result_a) else "task"
    sides = f"{(b < a).sum()} below the diagonal, {(b == a).sum()} on it, {(b > a).sum()} above"
    ax.set_title(f"{len(a)} {each}s{_at_alpha([*all_a, *all_b])}\n{sides}", fontsize="medium")
    return ax


def overlay(image: ArrayLike, regions: Any, grid: Grid, *, points: ArrayLike | None = None,
            names: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """The sets of patches of one image, drawn on it.

    image: height x width, or height x width x 3 or 4 colours, as it was cut into patches.
    regions: PredictionSets with one set per landmark, or a boolean array, landmarks x patches; or a
        list with the numbers of the patches in each set. A boolean array with one dimension is the
        set of one landmark.
    grid: how the image was cut: what has rows, columns and patch_size.
    points: where the landmarks are, x and y in pixels from the upper left corner, landmarks x 2.
    names: of the landmarks, written beside their regions.
    ax: the Axes to draw on; new ones unless given.
    """
    pixels = np.asarray(image)
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
    """White below what is drawn, so that it shows on anything."""
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
    """Below the Axes where they are ours; elsewhere there may be no room, so inside."""
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


def _draw_band(ax: Axes, seen: Sequence[float], n: int, num_test: int | None) -> None:
    """What the exact law says, at the alphas that were seen and at many between."""
    low, high = min(seen), max(seen)
    if low == high:
        low, high = 0.5 * low, min(1.5 * low, 0.5 * (1 + low))
    alphas = np.unique([*seen, *np.linspace(low, high, 201).round(6)])
    laws = [_core.coverage_law(n, alpha) for alpha in alphas]
    if num_test is None:
        band = np.array([(law.quantile(0.05), law.quantile(0.95)) for law in laws])
    else:
        band = np.array([law.observed_coverage(num_test) for law in laws])
    tests = "" if num_test is None else f", {num_test} test examples"
    ax.fill_between(1 - alphas, band[:, 0], band[:, 1], color="#dddddd", linewidth=0, zorder=0,
                    label=f"split methods: 90 % band, exact (n = {n}{tests})")
    ax.plot(1 - alphas, [law.mean for law in laws], color=_GREY, linestyle=":", zorder=1,
            label=f"CAOS: least mean over calibrations (n = {n})")
    ax.plot(1 - alphas, 1 - alphas, color=_GREY, linewidth=1, zorder=1, label="1 - alpha")


def _draw_coverage(ax: Axes, series: Series, color: str, marker: str) -> None:
    x = [1 - point.alpha for point in series.points]
    y = [point.coverage for point in series.points]
    ax.plot(x, y, color=color, marker=marker, markeredgecolor="white", linewidth=1.2,
            label=_wrapped(f"{series.name}; {series.guarantee}"))
    for point in series.points:
        if point.interval is not None:
            ax.vlines(1 - point.alpha, *point.interval, color=color, linewidth=1.2, alpha=0.7)


def _draw_region(ax: Axes, mask: BoolArray, grid: Grid, color: str, name: str | None) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba

    if not mask.any():
        return
    size = grid.patch_size
    fill = np.zeros((*mask.shape, 4))
    fill[mask] = to_rgba(color, 0.4)
    ax.imshow(fill, extent=(0, grid.columns * size, grid.rows * size, 0), interpolation="nearest")
    segments = outline(mask, size)
    ax.add_collection(LineCollection(segments, colors="white", linewidths=3))
    ax.add_collection(LineCollection(segments, colors=color, linewidths=1.5))
    if name is not None:
        rows, columns = np.nonzero(mask)
        ax.annotate(name, ((columns.mean() + 0.5) * size, rows.min() * size), xytext=(0, 3),
                    textcoords="offset points", ha="center", va="bottom", color=color,
                    fontweight="bold", path_effects=_outlined())
