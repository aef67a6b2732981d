"""Results as pandas tables; pandas is imported when it is needed."""

from __future__ import annotations

import importlib
from typing import Any

from caos import _core


def _frame(columns: Any, about: Any = None) -> Any:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError("to_pandas needs pandas; on Debian: apt install python3-pandas, with "
                          "pip: pip install pandas") from error
    frame = pandas.DataFrame(columns)
    if about is not None:
        frame.attrs = {name: getattr(about, name) for name in ("alpha", "method", "guarantee")}
    return frame


def of_dicts(dicts: list[dict[str, Any]]) -> Any:
    """One row for each dict, without nested tables such as groups (see to_dicts)."""
    return _frame([{key: value for key, value in one.items() if not isinstance(value, list)}
                   for one in dicts])


def of_sets(sets: _core.PredictionSets) -> Any:
    """One row for each input: its set, as a tuple, and how many labels that has."""
    return _frame({"set": [tuple(one if isinstance(one, list) else one.tolist()) for one in sets],
                   "size": sets.sizes}, sets)


def of_regions(regions: _core.Regions) -> Any:
    """One row for each image and landmark."""
    rows = []
    for i in range(len(regions)):
        image = regions[i]
        points = None
        try:
            points = image.points
        except ValueError:
            pass  # embeddings that were plain arrays
        for j, name in enumerate(image.landmarks):
            row = {"image": i, "landmark": name,
                   "set": tuple(image.sets[j].tolist()), "size": int(image.sizes[j]),
                   "proposal": int(image.proposals[j]),
                   "p_value": float(image.proposal_p_values[j])}
            if points is not None:
                row |= {"x": float(points[j, 0]), "y": float(points[j, 1])}
            rows.append(row)
    return _frame(rows, regions)
