"""One-shot predictors from a scorer of your own: any function, any model.

    def score(reference, x):                     # reference.x, reference.y: one labeled example
        ...                                      # K numbers, one per label; smaller is better
    predictors = caos.OneShotPredictors(score, examples, labels)
    sets = predictors.predict_set(new_inputs, alpha=0.1)

Examples and inputs may be anything that the scorer understands: arrays, images, texts, tensors.
Here they are numbers, and the label says whether one is even (0) or odd (1):

    >>> import caos
    >>> def score(reference, x):
    ...     alike = (x - reference.x) % 2 == 0
    ...     return [0 if (label == reference.y) == alike else 1 for label in (0, 1)]
    >>> predictors = caos.OneShotPredictors(score, [2, 3, 5, 8, 9], [0, 1, 1, 0, 1])
    >>> predictors.predict_set([7, 12], alpha=0.2)[1]
    array([0])
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, overload

import numpy as np

from caos import _core
from caos._checked_scores import MOST_INPUTS, CheckedScores
from caos._core import Calibration, PredictionSets
from caos._keywords import one_alpha
from caos._typing import Alpha, Alphas, ArrayLike, FloatArray, IntArray

__all__ = ["OneShotPredictors", "Reference", "Scorer"]


class Reference(NamedTuple):
    """A labeled example that predicts others."""

    x: Any
    y: int


# What help() says of them; the class has no other place for it.
Reference.x.__doc__ = "The example, as given."
Reference.y.__doc__ = "Its label, from 0."


class Scorer(Protocol):
    """An object with a method that scores every label of an input under one labeled example.

    It may also have score_many(reference, xs), which returns the scores of a list of inputs at
    once, one row of K numbers for each. It is then called in place of score, with up to 256 inputs,
    and must give the same numbers, to the bit.
    """

    def score(self, reference: Reference, x: Any, /) -> Any:
        """The score of each label for x under a single labeled example, reference.

        Returns K numbers, one per label: smaller is better; infinity rules a label out.
        """


ScoreFunction = Callable[[Reference, Any], Any]

# How many scores are held at once.
_HELD_SCORES = 1 << 23


class OneShotPredictors:
    """Labeled examples, each of which predicts with a scorer, calibrated together.

    score: a function score(reference, x), or an object with a method of that name. It gets one
        labeled example as reference (reference.x, reference.y) and an input x, and returns K
        numbers, one per label, smaller is better: an array, a list or a tensor. An object may also
        have score_many(reference, xs) for a list of inputs, which saves calls (see Scorer).
    examples: the labeled examples, a sequence of whatever the scorer understands.
    labels: their labels, whole numbers from 0.
    k: how many of the smallest scores a CAOS score adds, from 1 to n - 1. Fix it before seeing
        results.
    num_labels: K. Unless given, it is how many numbers the scorer returns.
    groups: None; 'labels' for a guarantee within each label; or one whole number per example, for
        one within each group of inputs.
    symmetric: the score of label v for input b under (a, u) is that of label u for input a under
        (b, v), to the bit, for all a, b, u and v. Full CAOS then needs no further scores. Checked
        on the examples.
    progress: called now and then with (done, total), the number of pairs of examples.

    The scorer is asked for all n (n - 1) pairs of examples now, and later for n pairs per new
    input. It must be fixed before the labeled data are seen: nothing in it may be fitted on
    labeled or new examples. Examples are kept, not copied; do not change them afterwards.

    A score must be a fixed function of (reference, x): the same bits whenever it is asked for,
    alone or in a batch, on any thread. Scores of examples and of new inputs are compared exactly,
    and no tolerance forgives an arithmetic that differs. Matrix products in float32 often give
    other bits in other batches; so do random layers that were not switched off (eval mode). If such
    noise flips what should be a tie, labels that belong to a set fall out of it, and the guarantee
    is no longer exact. When in doubt, score one input at a time (no score_many), on one device.

    Predicting is safe from several threads if the scorer is; adding and removing examples is not.
    """

    def __init__(self, score: Scorer | ScoreFunction, examples: Iterable[Any], labels: ArrayLike, *,
                 k: int = _core.default_k, num_labels: int | None = None,
                 groups: str | ArrayLike | None = None, symmetric: bool = False,
                 progress: Callable[[int, int], object] | None = None) -> None:
        self._scores = CheckedScores(score, num_labels)
        self._examples = _list_of(examples, "examples")
        self._symmetric = symmetric
        self._by_label = isinstance(groups, str)
        self._by_input = groups is not None and not self._by_label
        n = len(self._examples)
        self._labels: IntArray = _core.whole_numbers(labels, "labels")
        # Finds what is wrong with k, labels and groups before the scorer works for hours.
        _core.calibrate(np.zeros((n, n)), labels, k=k, num_labels=num_labels, groups=groups)
        own = self._own_scores(progress)
        if symmetric:
            _check_symmetric(own)
        self._calibration = _core.calibrate(own, labels, k=k, num_labels=self.num_labels,
                                            groups=groups)

    def __len__(self) -> int:
        return len(self._examples)

    def __repr__(self) -> str:
        return (f"OneShotPredictors({len(self)} examples, {self.num_labels} labels, k = {self.k}; "
                f"{self.guarantee})")

    @property
    def calibration(self) -> Calibration:
        """The underlying calibration. Add and remove examples with this object's methods."""
        return self._calibration

    @property
    def k(self) -> int:
        """The number of smallest scores in the sum of a CAOS score."""
        return self._calibration.k

    @property
    def num_labels(self) -> int:
        """The number of labels K."""
        assert self._scores.num_labels is not None, "known since the first score"
        return self._scores.num_labels

    @property
    def labels(self) -> IntArray:
        """The labels of the examples."""
        return self._labels.copy()

    @property
    def guarantee(self) -> str:
        """The guarantee of the sets: marginal or group-conditional."""
        return self._calibration.guarantee

    @property
    def assumption(self) -> str:
        """The assumptions of the guarantee."""
        return self._calibration.assumption

    def is_feasible(self, alpha: Alpha) -> bool:
        """Whether there are enough examples for alpha, in every group. If not, sets are large.

        alpha: the accepted miscoverage.
        """
        return self._calibration.is_feasible(alpha)

    @overload
    def threshold(self, alpha: Alpha, *, group: int | None = None) -> float: ...

    @overload
    def threshold(self, alpha: Alphas, *, group: int | None = None) -> FloatArray: ...

    def threshold(self, alpha: Alpha | Alphas, *,
                  group: int | None = None) -> float | FloatArray:
        """The largest CAOS score that conforms at alpha; infinity where alpha is infeasible.

        alpha: one, or a list of them, which gives an array.
        group: of which group, where there are groups; of which label, for groups='labels'.
        """
        return self._calibration.threshold(alpha, group=group)

    @overload
    def predict_set(self, xs: Iterable[Any], alpha: Alpha | None = ..., *,
                    confidence_level: Alpha | None = ..., method: str = ...,
                    groups: ArrayLike | None = ...) -> PredictionSets: ...

    @overload
    def predict_set(self, xs: Iterable[Any], alpha: Alphas, *, confidence_level: None = ...,
                    method: str = ..., groups: ArrayLike | None = ...) -> list[PredictionSets]: ...

    def predict_set(self, xs: Iterable[Any], alpha: Alpha | Alphas | None = None, *,
                    confidence_level: Alpha | None = None,
                    method: str = _core.default_method, groups: ArrayLike | None = None
                    ) -> PredictionSets | list[PredictionSets]:
        """The sets of new inputs: each contains the true label with probability at least 1 - alpha.

        xs: the new inputs, a list or another sequence of what the scorer understands.
        alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of sets, at the
            cost of one.
        confidence_level: 1 - alpha, such as 0.9; give one of the two.
        method: 'caos'; or 'full-caos' for smaller sets, which asks the scorer for n more pairs per
            label in the CAOS set of an input (at the smallest alpha), unless scores are symmetric.
        groups: the group of each input, where the examples have groups.

        Where alpha is infeasible with so few examples, every set is every label, and a warning says
        so.
        """
        result, told = self._predict_set(xs, one_alpha(alpha, confidence_level), method, groups)
        for text in told:
            warnings.warn(text, stacklevel=2)
        return result

    def predict_p(self, xs: Iterable[Any], *, method: str = _core.default_method,
                  groups: ArrayLike | None = None) -> FloatArray:
        """The conformal p-value of every label, [m, K]: in the set at alpha if it is > alpha.

        Arguments are as in predict_set; 'full-caos' asks the scorer for K n more pairs per input,
        unless scores are symmetric.
        """
        def p_values(test: FloatArray, reverse: FloatArray | None,
                     own_groups: IntArray | None) -> FloatArray:
            return self._calibration.predict_p(test, method=method, reverse=reverse,
                                               symmetric=self._symmetric, groups=own_groups)

        inputs, numbers = self._checked(xs, method, groups, p_values)
        blocks = []
        for first, block in self._blocks(inputs):
            reverse = None
            if self._needs_reverse(method):
                every_label = np.ones((len(block), self.num_labels), dtype=np.bool_)
                reverse = self._reverse(first, block, every_label)
            blocks.append(p_values(self._tensor(first, block), reverse,
                                   _part(numbers, first, block)))
        return np.concatenate(blocks)

    def predict(self, xs: Iterable[Any]) -> IntArray:
        """The label of each of the inputs xs with the smallest CAOS score; the first of several.

        A single guess has no guarantee.
        """
        scores = [self._calibration.label_scores(self._tensor(first, block))
                  for first, block in self._blocks(_list_of(xs, "xs"))]
        guesses: IntArray = np.argmin(np.concatenate(scores), axis=1)
        return guesses

    def scores(self, xs: Iterable[Any]) -> FloatArray:
        """The scores of each label of each of xs under each example, [m, K, n]."""
        blocks = [self._tensor(first, block) for first, block in self._blocks(_list_of(xs, "xs"))]
        return np.concatenate(blocks)

    def add_example(self, x: Any, y: int, *, group: int | None = None) -> None:
        """Add a labeled example; bit for bit the same as starting again with it as the last.

        x, y: the example and its label.
        group: its group, where the examples have groups of inputs.

        Asks the scorer for 2 n pairs.
        """
        label = operator.index(y)
        if not 0 <= label < self.num_labels:
            raise ValueError(f"y: is {label}; labels are 0 to {self.num_labels - 1}")
        if self._by_label:
            if group is not None:
                raise ValueError("the groups are the labels; leave out group")
            group = label
        n = len(self)
        under_others = np.array([
            self._scores.rows(self._reference(j), [x],
                              lambda _: f"the new example under example {j}")[0, label]
            for j in range(n)])
        of_others = self._own_under(Reference(x, label), np.arange(n), "the new example")
        if self._symmetric:
            _check_symmetric_pair(under_others, of_others, n)
        self._calibration.add_example(under_others, of_others, group=group)
        self._examples.append(x)
        self._labels = np.append(self._labels, label)

    def remove_example(self, i: int) -> None:
        """Remove labeled example i; later ones move up by one. The scorer is not called."""
        self._calibration.remove_example(i)
        del self._examples[i]
        self._labels = np.delete(self._labels, i)

    def _reference(self, j: int) -> Reference:
        return Reference(self._examples[j], int(self._labels[j]))

    def _own_scores(self, progress: Callable[[int, int], object] | None) -> FloatArray:
        """[n, n]: the score of each example's own label under each other example."""
        n = len(self)
        own = np.full((n, n), np.inf)
        for j in range(n):
            others = np.delete(np.arange(n), j)
            own[others, j] = self._own_under(self._reference(j), others, f"example {j}")
            if progress is not None:
                progress((j + 1) * (n - 1), n * (n - 1))
        return own

    def _own_under(self, reference: Reference, examples: IntArray, name: str) -> FloatArray:
        """The scores of these examples' own labels under a reference, which errors call `name`."""
        rows = self._scores.rows(reference, [self._examples[i] for i in examples],
                                 lambda r: f"example {examples[r]} under {name}")
        labels = self._labels[examples]
        if labels.max(initial=0) >= self.num_labels:
            raise ValueError(f"labels: the largest is {labels.max()}; but the scorer gives "
                             f"{self.num_labels} scores, for labels 0 to {self.num_labels - 1}")
        return np.take_along_axis(rows, labels[:, None], axis=1)[:, 0]

    def _blocks(self, inputs: list[Any]) -> list[tuple[int, list[Any]]]:
        """At least one, so that no inputs give results for no inputs."""
        size = min(MOST_INPUTS, max(1, _HELD_SCORES // (self.num_labels * len(self))))
        return [(first, inputs[first:first + size])
                for first in range(0, max(1, len(inputs)), size)]

    def _tensor(self, first: int, block: list[Any]) -> FloatArray:
        """The scores of inputs `first` and following, [m, K, n]."""
        result = np.empty((len(block), self.num_labels, len(self)))
        for j in range(len(self)):
            result[:, :, j] = self._scores.rows(
                self._reference(j), block,
                lambda r: f"input {first + r} under example {j}")
        return result

    def _needs_reverse(self, method: str) -> bool:
        return method == "full-caos" and not self._symmetric

    def _reverse(self, first: int, block: list[Any],
                 candidates: np.ndarray[Any, np.dtype[np.bool_]]) -> FloatArray:
        """The scores of examples under (input, label), for candidates; infinity for others."""
        result = np.full((len(block), self.num_labels, len(self)), np.inf)
        every_example = np.arange(len(self))
        for t, y in np.argwhere(candidates):
            result[t, y] = self._own_under(Reference(block[t], int(y)), every_example,
                                           f"input {first + t} with label {y}")
        return result

    def _checked(self, xs: Iterable[Any], method: str, groups: ArrayLike | None,
                 predict: Callable[[FloatArray, FloatArray | None, IntArray | None], object]
                 ) -> tuple[list[Any], IntArray | None]:
        """The inputs and their groups. Checks the arguments before the scorer is called."""
        if self._by_input and groups is None:
            raise ValueError("the examples have groups; give the group of each input (groups=...)")
        inputs = _list_of(xs, "xs")
        numbers = None if groups is None else _core.whole_numbers(groups, "groups")
        if numbers is not None and len(numbers) != len(inputs):
            raise ValueError(f"groups: there are {len(numbers)}; expected {len(inputs)}, one per "
                             "input")
        if inputs:
            anything = np.full((1, self.num_labels, len(self)), np.inf)
            predict(anything, anything if self._needs_reverse(method) else None,
                    _part(numbers, 0, inputs[:1]))
        return inputs, numbers

    def _predict_set(self, xs: Iterable[Any], alpha: Alpha | Alphas, method: str,
                     groups: ArrayLike | None
                     ) -> tuple[PredictionSets | list[PredictionSets], list[str]]:
        """The sets, and the warnings."""
        def predict(test: FloatArray, reverse: FloatArray | None, own_groups: IntArray | None,
                    method: str = method) -> tuple[list[PredictionSets], list[str], bool]:
            return _core.predict_block(self._calibration, test, alpha, method=method,
                                       reverse=reverse, symmetric=self._symmetric,
                                       groups=own_groups)

        inputs, numbers = self._checked(xs, method, groups, predict)
        blocks = []
        for first, block in self._blocks(inputs):
            test, own_groups = self._tensor(first, block), _part(numbers, first, block)
            reverse = None
            if self._needs_reverse(method):
                # Full sets lie within CAOS sets, so what is outside need not be scored.
                plain, _, _ = predict(test, None, own_groups, method="caos")
                candidates = np.any([sets.mask for sets in plain], axis=0)
                reverse = self._reverse(first, block, candidates)
            blocks.append(predict(test, reverse, own_groups))
        joined = [_core.join_sets(list(parts)) for parts in zip(*(block[0] for block in blocks))]
        told = list(dict.fromkeys(text for block in blocks for text in block[1]))
        return (joined[0] if blocks[0][2] else joined), told


def _list_of(things: Iterable[Any], name: str) -> list[Any]:
    # These can be iterated over, too, but never in the way that is meant.
    if isinstance(things, (str, bytes, Mapping)) or hasattr(things, "columns"):
        raise ValueError(f"{name}: is {type(things).__name__}; expected a list, or another "
                         "sequence with one entry each")
    return list(things)


def _part(groups: IntArray | None, first: int, block: list[Any]) -> IntArray | None:
    return None if groups is None else groups[first:first + len(block)]


def _check_symmetric(own: FloatArray) -> None:
    for j in range(1, len(own)):
        _check_symmetric_pair(own[j, :j], own[:j, j], j)


def _check_symmetric_pair(under_others: FloatArray, of_others: FloatArray, j: int) -> None:
    """Raises unless example j scores under others as others do under it."""
    different = np.flatnonzero(under_others != of_others)
    if len(different) > 0:
        i = different[0]
        raise ValueError(
            f"symmetric=True, but the score of example {j} under example {i} is {under_others[i]} "
            f"and that of {i} under {j} is {of_others[i]}; they must be equal to the bit")
