"""Calls scorers written in Python and checks their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from caos import _core
from caos._typing import FloatArray

if TYPE_CHECKING:
    from caos.scorers import Reference, ScoreFunction, Scorer

# How many inputs score_many is given at once.
MOST_INPUTS = 256


class CheckedScores:
    """Calls a scorer and checks its results."""

    def __init__(self, scorer: Scorer | ScoreFunction, num_labels: int | None) -> None:
        if isinstance(scorer, type):
            raise TypeError(f"score: is the class {scorer.__name__}; give an object of it")
        if isinstance(scorer, _core.TextScorer):
            raise TypeError("score: is a caos.text.TextScorer, which scores texts for caos.text "
                            "alone; call caos.text.calibrate(texts, labels, model=scorer), or give "
                            "a function score(reference, x)")
        if not callable(getattr(scorer, "score", scorer)):
            raise TypeError(f"score: is {type(scorer).__name__}; expected a function "
                            "score(reference, x), or an object with a method score")
        self._scorer = scorer
        self.num_labels = num_labels  # or None until the first score

    def rows(self, reference: Reference, xs: list[Any],
             place: Callable[[int], str]) -> FloatArray:
        """The scores of inputs under a reference, [m, K]; `place(r)` says what row r is about."""
        ask_many = getattr(self._scorer, "score_many", None)
        if not xs:
            return np.empty((0, self.num_labels or 0))
        if ask_many is not None:
            result = self._in_batches(ask_many, reference, xs, place)
        else:
            ask: Any = getattr(self._scorer, "score", self._scorer)
            result = np.stack([self._asked(ask, reference, x, (), lambda: place(r))
                               for r, x in enumerate(xs)])
        _core.check_score_rows(result, lambda r: f"score of {place(r)}")
        return result

    def _in_batches(self, ask: Callable[[Reference, list[Any]], Any], reference: Reference,
                    xs: list[Any], place: Callable[[int], str]) -> FloatArray:
        batches = []
        for first in range(0, len(xs), MOST_INPUTS):
            batch = xs[first:first + MOST_INPUTS]

            def name() -> str:
                return place(first) + (f" and {len(batch) - 1} more" if len(batch) > 1 else "")

            batches.append(self._asked(ask, reference, batch, (len(batch),), name))
        return np.concatenate(batches)

    def _asked(self, ask: Callable[[Reference, Any], Any], reference: Reference, x: Any,
               leading: tuple[int, ...], name: Callable[[], str]) -> FloatArray:
        """The scorer's result: float64, of shape `leading` and then the number of labels."""
        try:
            scores = _numbers_of(ask(reference, x))
        except Exception as error:
            error.add_note(f"(in the score of {name()})")
            raise
        is_first = self.num_labels is None
        if is_first and scores.ndim > 0 and scores.size > 0 and scores.shape[:-1] == leading:
            self.num_labels = scores.shape[-1]
        expected = (*leading, "K" if self.num_labels is None else self.num_labels)
        if scores.shape != expected:
            raise ValueError(f"score of {name()}: has shape {scores.shape}; expected "
                             f"({', '.join(map(str, expected))}{',' if not leading else ''}), one "
                             "number per label")
        return scores


def _numbers_of(scores: Any) -> FloatArray:
    """As float64, which is exact for all smaller types."""
    if hasattr(scores, "detach"):  # PyTorch, perhaps with gradients, in bfloat16 or on a device
        scores = scores.detach().cpu().double()
    return _core.real_numbers(scores, "what the scorer returned")
