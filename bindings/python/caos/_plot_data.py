"""From results and sets to the numbers that caos.plots draws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from caos._core import (
    Grid,
    ImageRegions,
    LandmarkMethodResult,
    PredictionSets,
    Regions,
    coverage_law,
)
from caos._typing import ArrayLike, BoolArray, FloatArray


class PatchLayout(Protocol):
    """Square patches over an image that is padded on the right and below, numbered row by row.

    A caos.patches.Grid is one, and knows besides how the image was scaled before it was cut.
    """

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def patch_size(self) -> int: ...


class Point(NamedTuple):
    """An observed coverage."""

    alpha: float
    coverage: float
    interval: tuple[float, float] | None


class Series(NamedTuple):
    """The coverages of one method, alphas ascending."""

    name: str
    guarantee: str
    points: list[Point]
    results: list[Any]


# Whose coverage is at least that of a law, on average; and whose follows it, for one reference. Of
# methods that choose their reference, or calibrate on what are references too, no law is known.
_BOUNDED = ("caos", "full-caos")
_EXACT = ("scos", "split-caos")


class Reference(NamedTuple):
    """A law to compare coverages with."""

    is_split: bool
    n: int
    of_landmark: bool


def is_result(thing: Any) -> bool:
    """Whether it is one result (sets or an evaluation) rather than several."""
    return hasattr(thing, "guarantee") and hasattr(thing, "alpha")


def named(things: Any) -> list[tuple[str, Any]]:
    """One result or several, each with a distinct name."""
    if isinstance(things, Mapping):
        return [(str(name), one) for name, one in things.items()]
    several = [things] if is_result(things) else list(things)
    if not several:
        raise ValueError("there is nothing to draw; give PredictionSets or results")
    names = [one.method for one in several]
    if len({one.alpha for one in several}) > 1:
        names = [f"{one.method}, alpha {one.alpha:g}" for one in several]
    seen: Counter[str] = Counter()
    for i, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[i] = f"{name} ({seen[name]})"
    return list(zip(names, several))


def values_of(result: Any, what: str) -> FloatArray:
    """One number per input, or per landmark; NaN where no test image has a landmark."""
    if isinstance(result, (PredictionSets, ImageRegions, Regions)):
        if what != "set_sizes":
            raise ValueError(f"what: is '{what}'; {type(result).__name__} have 'set_sizes' only")
        return result.sizes.astype(np.float64).ravel()
    if what not in ("set_sizes", "covered"):
        raise ValueError(f"what: is '{what}'; expected 'set_sizes' or 'covered'")
    if isinstance(result, LandmarkMethodResult):
        return (result.landmark_mean_set_size if what == "set_sizes" else result.landmark_coverage)
    return np.asarray(getattr(result, what), dtype=np.float64)


def values_or_means(results: Any, what: str) -> FloatArray:
    """One number per input of a result, or per result of several."""
    if is_result(results):
        return values_of(results, what)
    return np.array([np.nanmean(values_of(one, what)) for one in results])


def each_of(result: Any) -> str:
    """The name of its values."""
    if isinstance(result, LandmarkMethodResult):
        return "landmark"
    return "region" if isinstance(result, (ImageRegions, Regions)) else "example"


class Histogram(NamedTuple):
    """Shares of values, in bins of whole numbers around `centers`."""

    centers: FloatArray
    shares: list[FloatArray]
    width: int


def histogram(samples: Sequence[FloatArray], most_bins: int = 30) -> Histogram:
    """For several samples, in common bins. Values between whole numbers go to the nearest."""
    largest = max(float(values.max(initial=0)) for values in samples)
    width = math.ceil((largest + 1) / most_bins)
    edges = np.arange(0, largest + 1 + width, width) - 0.5
    shares = [np.histogram(values, edges)[0] / max(1, len(values)) for values in samples]
    return Histogram(edges[:-1] + 0.5 * width, shares, width)


def series_of(results: Any, labels: ArrayLike | None) -> list[Series]:
    """Coverages by method, or by the names of a dict."""
    by_name: dict[str, list[Any]] = {}
    if isinstance(results, Mapping):
        by_name = {str(name): [ones] if is_result(ones) else list(ones)
                   for name, ones in results.items()}
    else:
        for one in [results] if is_result(results) else results:
            by_name.setdefault(one.method, []).append(one)
    series = [Series(name, ones[0].guarantee, sorted(_point(one, labels) for one in ones), ones)
              for name, ones in by_name.items() if ones]
    if not series:
        raise ValueError("results: the list is empty")
    return series


def _point(result: Any, labels: ArrayLike | None) -> Point:
    if isinstance(result, LandmarkMethodResult):  # a mean over landmarks has no such interval
        return Point(result.alpha, math.nan if result.coverage is None else result.coverage, None)
    if not isinstance(result, (PredictionSets, Regions)):
        return Point(result.alpha, result.coverage, result.coverage_interval)
    if labels is None:
        raise ValueError(f"labels: give the true labels; {type(result).__name__} do not know them")
    return Point(result.alpha, float(np.nanmean(result.covers(labels))), None)


def references_of(series: Sequence[Series], n: int | None) -> list[Reference]:
    """The laws of the plotted methods, that of CAOS first: at most one for each kind of method.

    n: how many labeled examples there are. scos and split-caos calibrate on half of them; where
    ranks say that a method calibrates on others, it has no law here.
    """
    found: list[Reference] = []
    for is_split, methods in ((False, _BOUNDED), (True, _EXACT)):
        numbers = [_reference(one, n, is_split) for one in series
                   if one.results[0].method in methods]
        known = [number for number in numbers if number is not None]
        if known:
            found.append(min(known, key=lambda reference: reference.n))
    return found


def _reference(series: Series, n: int | None, is_split: bool) -> Reference | None:
    first = series.results[0]
    if isinstance(first, LandmarkMethodResult):
        least = min(int(one.num_calibrating.min()) for one in series.results)
        return Reference(is_split, least, True)
    if n is None:
        raise ValueError("n: give the number of labeled examples, for the band")
    calibrating = n - n // 2 if is_split else n
    fits = all(_fits(one, calibrating) for one in series.results)
    return Reference(is_split, calibrating, isinstance(first, Regions)) if fits else None


def _fits(result: Any, n: int) -> bool:
    """Whether the result may be of n calibration examples that are all in one group."""
    if getattr(result, "groups", []):
        return False
    rank = getattr(result, "rank", None)
    law = coverage_law(n, result.alpha)
    expected = n + 1 if law.rank is None else law.rank
    return rank is None or rank in (expected, min(expected, n))


def masks_of(regions: Any, grid: PatchLayout) -> list[BoolArray]:
    """Each landmark's set as rows x columns of the grid."""
    if isinstance(regions, Regions):
        raise ValueError(f"regions: are of {len(regions)} images; give those of one, regions[i]")
    regions = getattr(regions, "mask", regions)
    if not isinstance(regions, (list, tuple)):
        array = np.asarray(regions)
        if array.dtype != np.bool_ or array.ndim not in (1, 2):
            raise ValueError(f"regions: holds {array.dtype}, shape {array.shape}; expected a "
                             "boolean array, landmarks x patches, or a list of sets of patches")
        regions = list(np.atleast_2d(array))
    return [_mask(region, grid, i).reshape(grid.rows, grid.columns)
            for i, region in enumerate(regions)]


def _mask(region: Any, grid: PatchLayout, i: int) -> BoolArray:
    size = grid.rows * grid.columns
    array = np.asarray(region)
    if array.ndim == 1 and array.dtype == np.bool_:
        if len(array) != size:
            raise ValueError(f"regions: landmark {i} has {len(array)} patches; the grid has {size}")
        return array
    if array.ndim != 1 or (array.size > 0 and array.dtype.kind not in "iu"):
        raise ValueError(f"regions: landmark {i} is {type(region).__name__} of {array.dtype}; "
                         "expected the numbers of patches")
    if array.size > 0 and not 0 <= array.min() <= array.max() < size:
        raise ValueError(f"regions: landmark {i} holds patches {array.min()} to {array.max()}; the "
                         f"grid has 0 to {size - 1}")
    mask = np.zeros(size, dtype=np.bool_)
    mask[array.astype(np.int64)] = True
    return mask


def layout_of(regions: Any, grid: PatchLayout | None) -> PatchLayout:
    """The one that is given, or else that of the regions."""
    found = getattr(regions, "grid", None) if grid is None else grid
    if found is None:
        raise ValueError("grid: give how the image was cut; only regions of what "
                         "caos.patches.embed returned know it")
    layout: PatchLayout = found
    return layout


def check_image(pixels: np.ndarray[Any, Any], grid: PatchLayout) -> None:
    """Raises unless the grid may lie over an image of this size."""
    if pixels.ndim not in (2, 3):
        raise ValueError(f"image: has shape {pixels.shape}; expected height x width, or height x "
                         "width x colors")
    height, width = pixels.shape[:2]
    size = grid.patch_size
    if isinstance(grid, Grid):
        if (grid.width, grid.height) != (width, height):
            raise ValueError(f"image: is {width} pixels wide and {height} high; the grid is of an "
                             f"image of {grid.width} x {grid.height}; give the image that was "
                             "embedded")
    elif math.ceil(height / size) != grid.rows or math.ceil(width / size) != grid.columns:
        raise ValueError(
            f"image: is {width} pixels wide and {height} high; a grid of {grid.columns} x "
            f"{grid.rows} patches of {size} does not fit it; give the image as it was cut")


def patch_sides(grid: PatchLayout) -> tuple[float, float]:
    """The width and height of a patch in pixels of the image."""
    if not isinstance(grid, Grid):
        return float(grid.patch_size), float(grid.patch_size)
    # The corner of a patch that is not at the edge tells the scale, whether or not it is padding.
    last_column = grid.corner(grid.columns - 1)[0]
    last_row = grid.corner((grid.rows - 1) * grid.columns)[1]
    left, top, right, bottom = grid.bounds(0)
    return (last_column / (grid.columns - 1) if grid.columns > 1 else right - left,
            last_row / (grid.rows - 1) if grid.rows > 1 else bottom - top)


def outline(mask: BoolArray) -> FloatArray:
    """The edges between what is in the set and what is not: segments x 2 ends x (column, row)."""
    padded = np.pad(mask, 1).astype(np.int8)
    rows, columns = np.nonzero(np.diff(padded, axis=0)[:, 1:-1])
    flat = [[(column, row), (column + 1, row)] for row, column in zip(rows, columns)]
    rows, columns = np.nonzero(np.diff(padded, axis=1)[1:-1])
    steep = [[(column, row), (column, row + 1)] for row, column in zip(rows, columns)]
    return np.array(flat + steep, dtype=np.float64)
