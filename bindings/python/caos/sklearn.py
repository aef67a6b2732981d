"""CAOS as a scikit-learn classifier, on ordinary 2-D features.

    classifier = caos.CaosClassifier().fit(X, y)
    sets = classifier.predict_set(X_new, alpha=0.1)
    sets[0]                                      # the classes that the first row may have

Needs scikit-learn (Debian: python3-sklearn); nothing else in the package does.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any, overload

import numpy as np

from caos import _core
from caos._core import Calibration, PredictionSets
from caos._typing import Alpha, Alphas, ArrayLike, FloatArray
from caos.scorers import OneShotPredictors, Reference, ScoreFunction, Scorer

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import validation
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("caos.CaosClassifier needs scikit-learn; on Debian: apt install "
                      "python3-sklearn") from error

__all__ = ["CaosClassifier", "DistanceScorer"]


class DistanceScorer:
    """The Euclidean distance from the reference for its own label, infinity for all others.

    A CAOS score is then the sum of distances from the k nearest examples of a class. Nothing is
    fitted. Distances are float64 sums in one fixed order, so that they are symmetric to the bit and
    do not depend on batches.

    num_labels: how many labels there are.
    """

    def __init__(self, num_labels: int) -> None:
        self._num_labels = num_labels

    def score(self, reference: Reference, x: Any) -> FloatArray:
        """The scores of all labels of x, a row of features, under reference."""
        return self.score_many(reference, [x]).ravel()

    def score_many(self, reference: Reference, xs: Any) -> FloatArray:
        """The same for several rows xs under reference: one row of scores each."""
        scores = np.full((len(xs), self._num_labels), np.inf)
        scores[:, reference.y] = _core.distances(xs, [reference.x])[:, 0]
        return scores


class _ScoreAttribute:
    """What `classifier.score` is: to set it sets the parameter, to get it gives the method.

    scikit-learn wants a method of this name, which tells the accuracy, and it wants every parameter
    to be an attribute. See docs/decisions/0029.
    """

    def __init__(self, method: Callable[..., float]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self._method if owner is None else self._method.__get__(owner, kind)

    def __set__(self, owner: Any, value: Any) -> None:
        vars(owner)["score"] = value


class CaosClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # has no type hints
    """Prediction sets with a guarantee, from each labeled example as a predictor of its own.

    Parameters
    ----------
    score : callable or object with a method score, default=None
        score(reference, x) returns one number per class, in the order of classes_, smaller is
        better. x is a row of features; reference.x is the row of a labeled example, and
        reference.y the position of its class in classes_. It may have score_many(reference, xs) as
        well; see caos.OneShotPredictors, also for what it must not do. None means the Euclidean
        distance from the reference for the reference's own class, and infinity for all others: see
        DistanceScorer. A class with fewer than k examples then has no finite CAOS score: it is
        predicted only where nothing is ruled out.
    k : int, default=3
        How many of the smallest scores a CAOS score adds, from 1 to n_samples - 1.
    symmetric : bool, default=False
        Whether the score stays the same if reference and input are exchanged, which
        makes full-caos cheap; see caos.OneShotPredictors. The distance is symmetric in any case.
    groups : None or 'labels', default=None
        'labels' gives a guarantee within each class, from its own examples alone.

    Attributes
    ----------
    classes_ : array
        The classes seen in fit, ascending.
    n_features_in_ : int
        The number of features seen in fit.
    feature_names_in_ : array
        Their names, where X was a table whose columns have names.
    predictors_ : caos.OneShotPredictors
        The labeled examples and their calibration.

    Notes
    -----
    The guarantee needs a score that was fixed before the data were seen. In a Pipeline, a scaler or
    anything else that is fitted on the labeled data voids it; so does a k that GridSearchCV, or
    you, chose by looking at results on the labeled or the new examples. Scale by constants that
    are known beforehand, or fit and choose on other data.

    A class that was not seen in fit is in no set, and covers does not know it. Where new examples
    may have such a class, the guarantee is for the others; caos.OneShotPredictors, which takes
    num_labels, knows labels without examples, too.

    `score` is two things. As a parameter it is how labels are scored, read by get_params and set by
    set_params or by assignment; classifier.score(X, y) is the accuracy of predict, as for every
    classifier in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import caos
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = caos.CaosClassifier().fit(X[::3], y[::3])
    >>> sets = classifier.predict_set(X[1::3], alpha=0.1)
    >>> float(sets.covers(y[1::3]).mean())
    0.94
    """

    def __init__(self, score: Scorer | ScoreFunction | None = None, *, k: int = _core.default_k,
                 symmetric: bool = False, groups: str | None = None) -> None:
        self.score = score
        self.k = k
        self.symmetric = symmetric
        self.groups = groups

    @_ScoreAttribute
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy of predict(X) where y is true; the parameter score is another thing.

        sample_weight: how much each row counts; None for all alike.
        """
        return float(super().score(X, y, sample_weight))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, as in every estimator of scikit-learn.

        deep: also those of a score that has parameters of its own, as score__name.
        """
        params: dict[str, Any] = super().get_params(deep)
        scorer = params["score"] = vars(self)["score"]
        if deep and hasattr(scorer, "get_params") and not isinstance(scorer, type):
            params.update((f"score__{name}", value) for name, value in scorer.get_params().items())
        return params

    def fit(self, X: Any, y: Any) -> CaosClassifier:
        """Score the labeled examples under each other, and calibrate.

        X: rows of features, n_samples x n_features.
        y: the class of each, numbers or texts.

        Costs n_samples (n_samples - 1) scores.
        """
        if self.groups not in (None, "labels"):
            raise ValueError(f"groups: is {self.groups!r}; expected None or 'labels'")
        X, y = _validated(self, X, y=y, copy=True)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if operator.index(self.k) >= len(X):
            raise ValueError(f"n_samples={len(X)} is too few for k={self.k}; at least k + 1 "
                             "labeled examples are needed")
        scorer = vars(self)["score"]
        self.predictors_ = OneShotPredictors(
            DistanceScorer(len(self.classes_)) if scorer is None else scorer, X, labels, k=self.k,
            num_labels=len(self.classes_), groups=self.groups,
            symmetric=True if scorer is None else self.symmetric)
        return self

    @property
    def calibration_(self) -> Calibration:
        """The calibration behind the sets, with thresholds, guarantee and assumption."""
        check_is_fitted(self)
        return self.predictors_.calibration

    def predict(self, X: Any) -> Any:
        """The class of each row of X with the smallest CAOS score; the first of several.

        A single guess has no guarantee.
        """
        rows = self._rows(X)
        return self.classes_[self.predictors_.predict(rows)]

    @overload
    def predict_set(self, X: Any, alpha: Alpha, *, method: str = ...) -> PredictionSets: ...

    @overload
    def predict_set(self, X: Any, alpha: Alphas, *, method: str = ...) -> list[PredictionSets]: ...

    def predict_set(self, X: Any, alpha: Alpha | Alphas, *,
                    method: str = _core.default_method) -> PredictionSets | list[PredictionSets]:
        """The sets of new rows: each holds the true class with probability at least 1 - alpha.

        X: rows of features.
        alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of sets.
        method: 'caos'; or 'full-caos' for smaller sets, which asks a score of your own for more,
            see caos.OneShotPredictors; with the default distance it costs next to nothing.

        Where alpha is infeasible with so few examples, every set is every class, and a warning says
        so.
        """
        rows = self._rows(X)
        sets, told = self.predictors_._predict_set(rows, alpha, method, None)
        for text in told:
            warnings.warn(text, stacklevel=2)
        names = self.classes_.tolist()
        if isinstance(sets, list):
            return [one.with_names(names) for one in sets]
        return sets.with_names(names)

    def predict_p(self, X: Any, *, method: str = _core.default_method) -> FloatArray:
        """The conformal p-value of every class, rows x classes_: in the set at alpha if > alpha.

        X, method: as in predict_set.

        P-values are not probabilities of classes and do not add up to 1.
        """
        rows = self._rows(X)
        return self.predictors_.predict_p(rows, method=method)

    def _rows(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        rows: FloatArray = _validated(self, X, reset=False)
        return rows


def _validated(classifier: CaosClassifier, X: Any, **options: Any) -> Any:
    """X in float64, and y if given; refuses what is not finite, no table, or not as in fit."""
    validate = getattr(validation, "validate_data", None)  # which is there from scikit-learn 1.6 on
    if validate is None:
        return classifier._validate_data(X, dtype=np.float64, **options)
    return validate(classifier, X, dtype=np.float64, **options)
