"""From results and sets to the numbers that caos.plots draws."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from caos._core import PredictionSets
from caos._typing import ArrayLike, BoolArray, FloatArray


class Grid(Protocol):
    """Square patches over an image that is padded on the right and below, numbered row by row."""

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def patch_size(self) -> int: ...


class Point(NamedTuple):
    """A coverage that was seen."""

    alpha: float
    coverage: float
    interval: tuple[float, float] | None


class Series(NamedTuple):
    """The coverages of one method, alphas ascending."""

    name: str
    guarantee: str
    points: list[Point]


def is_result(thing: Any) -> bool:
    """Whether it is PredictionSets or a MethodResult, rather than several of them."""
    return hasattr(thing, "guarantee") and hasattr(thing, "alpha")


def named(things: Any) -> list[tuple[str, Any]]:
    """One thing or several, each with a name that tells it from the others."""
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
    """One number per input."""
    if isinstance(result, PredictionSets):
        if what != "set_sizes":
            raise ValueError(f"what: is '{what}'; PredictionSets have 'set_sizes' only")
        return result.sizes.astype(np.float64)
    if what not in ("set_sizes", "covered"):
        raise ValueError(f"what: is '{what}'; expected 'set_sizes' or 'covered'")
    return np.asarray(getattr(result, what), dtype=np.float64)


def values_or_means(results: Any, what: str) -> FloatArray:
    """One number per input of a result, or per result of several."""
    if is_result(results):
        return values_of(results, what)
    return np.array([values_of(one, what).mean() for one in results])


class Histogram(NamedTuple):
    """Shares of values, in bins of whole numbers around `centers`."""

    centers: FloatArray
    shares: list[FloatArray]
    width: int


def histogram(samples: Sequence[FloatArray], most_bins: int = 30) -> Histogram:
    """Of several samples, in the same bins. Values between whole numbers go to the nearest."""
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
    series = [Series(name, ones[0].guarantee,
                     sorted(_point(one, labels) for one in ones))
              for name, ones in by_name.items() if ones]
    if not series:
        raise ValueError("results: there are none")
    return series


def _point(result: Any, labels: ArrayLike | None) -> Point:
    if not isinstance(result, PredictionSets):
        return Point(result.alpha, result.coverage, result.coverage_interval)
    if labels is None:
        raise ValueError("labels: give the true labels; PredictionSets do not know them")
    return Point(result.alpha, float(result.covers(labels).mean()), None)


def masks_of(regions: Any, grid: Grid) -> list[BoolArray]:
    """Each landmark's set as rows x columns of the grid."""
    regions = getattr(regions, "mask", regions)
    if not isinstance(regions, (list, tuple)):
        array = np.asarray(regions)
        if array.dtype != np.bool_ or array.ndim not in (1, 2):
            raise ValueError(f"regions: holds {array.dtype}, shape {array.shape}; expected a "
                             "boolean array, landmarks x patches, or a list of sets of patches")
        regions = list(np.atleast_2d(array))
    return [_mask(region, grid, i).reshape(grid.rows, grid.columns)
            for i, region in enumerate(regions)]


def _mask(region: Any, grid: Grid, i: int) -> BoolArray:
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


def check_image(pixels: np.ndarray[Any, Any], grid: Grid) -> None:
    """Raises unless the grid may lie over an image of this size."""
    if pixels.ndim not in (2, 3):
        raise ValueError(f"image: has shape {pixels.shape}; expected height x width, or height x "
                         "width x colours")
    height, width = pixels.shape[:2]
    size = grid.patch_size
    if math.ceil(height / size) != grid.rows or math.ceil(width / size) != grid.columns:
        raise ValueError(
            f"image: is {width} pixels wide and {height} high; a grid of {grid.columns} x "
            f"{grid.rows} patches of {size} does not fit it; give the image as it was cut")


def outline(mask: BoolArray, patch_size: int) -> FloatArray:
    """The edges between what is in the set and what is not: segments x 2 ends x (x, y)."""
    padded = np.pad(mask, 1).astype(np.int8)
    rows, columns = np.nonzero(np.diff(padded, axis=0)[:, 1:-1])
    flat = [[(column, row), (column + 1, row)] for row, column in zip(rows, columns)]
    rows, columns = np.nonzero(np.diff(padded, axis=1)[1:-1])
    steep = [[(column, row), (column, row + 1)] for row, column in zip(rows, columns)]
    return patch_size * np.array(flat + steep, dtype=np.float64)
