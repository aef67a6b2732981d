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
from caos._keywords import one_alpha, seed_of_state, threads_of_jobs
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

# The methods that a nonconformity by name stands for, with full conformal prediction.
_FULL = {"ratio": "full-ratio", "kernel": "full-kernel"}


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
    to be an attribute. See docs/project/decisions/0029.
    """

    def __init__(self, method: Callable[..., float]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self._method if owner is None else self._method.__get__(owner, kind)

    def __set__(self, owner: Any, value: Any) -> None:
        vars(owner)["score"] = value


class CaosClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # has no type hints
    """Prediction sets with a guarantee, from a few labeled rows of features.

    Parameters
    ----------
    nonconformity : 'ratio', 'kernel', 'distance', callable or object, default='ratio'
        How badly a class fits a row.
        'ratio': full conformal prediction with the distance to the nearest rows of the class over
        that to the nearest rows of all other classes.
        'kernel': full conformal prediction with votes of all labeled rows, weighted by
        exp((cosine - 1) / temperature). For embeddings.
        'distance': CAOS with the distance from a row of the class; see DistanceScorer. A class with
        fewer than k examples has no finite score then.
        A callable, or an object with a method score: CAOS with a score of your own.
        score(reference, x) returns one number per class, in the order of classes_, smaller is
        better. x is a row of features; reference.x is the row of a labeled example, and
        reference.y the position of its class in classes_. It may have score_many(reference, xs) as
        well; see caos.OneShotPredictors, also for what it must not do.
    score : default=None
        Deprecated: the former name of nonconformity.
    k : int, default=None
        With 'ratio', how many neighbors each sum of distances has: 1 by default. Else how many of
        the smallest scores a CAOS score adds: 3 by default. Not used by 'kernel'.
    symmetric : bool, default=False
        Whether a score of your own stays the same if reference and input are exchanged, which
        makes full-caos cheap; see caos.OneShotPredictors.
    classes : array, default=None
        All classes that a new row may have. With few labeled rows some may not occur among them;
        named here, they can be in sets, and the guarantee holds for all rows. None takes those that
        occur, and a row of another class is missed.
    groups : None or 'labels', default=None
        'labels' gives a guarantee within each class, from its own examples alone.
    temperature : float, default=0.1
        Of 'kernel': smaller gives near rows more weight.
    prior_weight : float, default=None
        Of 'kernel': what all classes share before any vote; None means 0.001.
    standardize : None or 'batch', default=None
        Of 'ratio' and 'kernel'. 'batch' gives every feature mean 0 and variance 1 over the labeled
        and all new rows of a call together. No labels are used, so that the guarantee stays; but
        sets depend on which rows are predicted together.

    smoothing : bool, default=False
        Of 'ratio' and 'kernel'. Smoothed p-values: ties count by a random share, so that coverage
        is 1 - alpha exactly and sets are a little smaller. They then depend on random_state, and
        on the place of a row among those predicted together.
    random_state : int, RandomState or Generator, default=None
        What smoothing draws from; None draws differently each time. Nothing else is random.
    n_jobs : int, default=None
        Of 'ratio' and 'kernel': how many threads; None and -1 mean one per core. Results do not
        depend on it.

    Attributes
    ----------
    classes_ : array
        The classes that a set may hold, ascending: those of classes, or those seen in fit.
    n_features_in_ : int
        The number of features seen in fit.
    feature_names_in_ : array
        Their names, where X was a table whose columns have names.
    predictors_ : caos.OneShotPredictors
        The labeled examples and their calibration, with 'distance' and scores of your own.

    Notes
    -----
    The guarantee needs a nonconformity that was fixed before the data were seen. In a Pipeline, a
    scaler or anything else that is fitted on the labeled data voids it; so does a parameter that
    GridSearchCV, or you, chose by looking at results on the labeled or the new examples. Scale by
    constants that are known beforehand or with standardize='batch', or fit and choose on other
    data.

    Without classes, a class that was not seen in fit is in no set, and covers says so: sets then
    hold the true class with probability at least 1 - alpha - P(class not seen), as guarantee says.

    `score` is two things. As a deprecated parameter it is how labels are scored, read by get_params
    and set by set_params or by assignment; classifier.score(X, y) is the accuracy of predict, as
    for every classifier in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import caos
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = caos.CaosClassifier().fit(X[::3], y[::3])
    >>> sets = classifier.predict_set(X[1::3], alpha=0.1)
    >>> sets[0]
    [0]
    >>> sets.guarantee
    'marginal for listed labels (1 - alpha - P(label not in the list))'
    """

    def __init__(self, nonconformity: str | Scorer | ScoreFunction = "ratio", *,
                 score: Scorer | ScoreFunction | None = None, k: int | None = None,
                 symmetric: bool = False, classes: Any = None, groups: str | None = None,
                 temperature: float = 0.1,
                 prior_weight: float | None = None, standardize: str | None = None,
                 smoothing: bool = False, random_state: Any = None,
                 n_jobs: int | None = None) -> None:
        self.nonconformity = nonconformity
        self.score = score
        self.k = k
        self.symmetric = symmetric
        self.classes = classes
        self.groups = groups
        self.temperature = temperature
        self.prior_weight = prior_weight
        self.standardize = standardize
        self.smoothing = smoothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    @_ScoreAttribute
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy of predict(X) where y is true; the parameter score is unrelated.

        sample_weight: how much each row counts; None for all alike.
        """
        return float(super().score(X, y, sample_weight))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, as in every estimator of scikit-learn.

        deep: also those of a score that has parameters of its own, as nonconformity__name.
        """
        params: dict[str, Any] = super().get_params(deep)
        scorer = params["score"] = vars(self)["score"]
        if deep and hasattr(scorer, "get_params") and not isinstance(scorer, type):
            params.update((f"score__{name}", value) for name, value in scorer.get_params().items())
        return params

    def fit(self, X: Any, y: Any) -> CaosClassifier:
        """Compare the labeled examples with each other, and calibrate.

        X: rows of features, n_samples x n_features.
        y: the class of each, numbers or texts.

        Costs n_samples (n_samples - 1) distances or scores.
        """
        if self.groups not in (None, "labels"):
            raise ValueError(f"groups: is {self.groups!r}; expected None or 'labels'")
        if self.standardize not in (None, "batch"):
            raise ValueError(f"standardize: is {self.standardize!r}; expected None or 'batch'")
        chosen = self._chosen()
        X, y = _validated(self, X, y=y, copy=True)
        check_classification_targets(y)
        self.classes_, labels = self._numbered(y)
        for name in ("predictors_", "vectors_"):
            if hasattr(self, name):
                delattr(self, name)
        if isinstance(chosen, str) and chosen in _FULL:
            self._fit_vectors(chosen, X, labels)
        else:
            self._fit_scores(chosen, X, labels)
        return self

    def _chosen(self) -> Any:
        """The nonconformity in effect."""
        chosen, old = self.nonconformity, vars(self)["score"]
        if old is not None:
            warnings.warn("CaosClassifier(score=...) is deprecated; give nonconformity=...",
                          DeprecationWarning, stacklevel=3)
            chosen = old
        if isinstance(chosen, str) and chosen not in (*_FULL, "distance"):
            raise ValueError(f"nonconformity: is {chosen!r}; expected 'ratio', 'kernel', "
                             "'distance', or a score of your own")
        return chosen

    def _numbered(self, y: Any) -> tuple[Any, Any]:
        """All classes, and the index of the class of each label."""
        seen, labels = np.unique(y, return_inverse=True)
        if self.classes is None:
            return seen, labels
        listed = np.unique(np.asarray(self.classes))
        if len(listed) != len(np.asarray(self.classes)):
            raise ValueError("classes: holds a class twice")
        places: Any = np.searchsorted(listed, seen)
        found = np.isin(seen, listed)
        if not found.all():
            raise ValueError(f"classes: does not hold {seen[~found][0]!r}, which y has")
        return listed, places[labels]

    def _fit_vectors(self, chosen: str, X: FloatArray, labels: Any) -> None:
        k = 1 if self.k is None else operator.index(self.k)
        if chosen == "ratio" and k > len(X):
            raise ValueError(f"n_samples={len(X)} is too few for k={k}; at least k labeled "
                             "examples are needed")
        self.vectors_ = _core._VectorClassifier(
            X, labels, num_labels=len(self.classes_), method=_FULL[chosen],
            temperature=self.temperature, prior_weight=self.prior_weight, k=k,
            standardize=self.standardize == "batch", by_label=self.groups == "labels",
            threads=0 if self.n_jobs is None else threads_of_jobs(self.n_jobs))

    def _fit_scores(self, chosen: Any, X: FloatArray, labels: Any) -> None:
        if self.standardize is not None:
            raise ValueError("standardize is for nonconformity 'ratio' and 'kernel'; leave it out")
        if self.smoothing:
            raise ValueError("smoothing is for nonconformity 'ratio' and 'kernel'; leave it out")
        k = _core.default_k if self.k is None else operator.index(self.k)
        if k >= len(X):
            raise ValueError(f"n_samples={len(X)} is too few for k={k}; at least k + 1 "
                             "labeled examples are needed")
        by_distance = isinstance(chosen, str)
        self.predictors_ = OneShotPredictors(
            DistanceScorer(len(self.classes_)) if by_distance else chosen, X, labels, k=k,
            num_labels=len(self.classes_), groups=self.groups,
            symmetric=True if by_distance else self.symmetric)

    @property
    def calibration_(self) -> Calibration:
        """The underlying calibration, for 'distance' and custom scores."""
        check_is_fitted(self)
        if not hasattr(self, "predictors_"):
            raise AttributeError("full conformal prediction has no calibration; 'distance' and "
                                 "scores of your own have one")
        return self.predictors_.calibration

    def predict(self, X: Any) -> Any:
        """The class of each row of X that conforms best; the first of several.

        A single guess has no guarantee.
        """
        rows = self._rows(X)
        if hasattr(self, "vectors_"):
            return self.classes_[self.vectors_.predict(rows)]
        return self.classes_[self.predictors_.predict(rows)]

    @overload
    def predict_set(self, X: Any, alpha: Alpha | None = ..., *,
                    confidence_level: Alpha | None = ...,
                    method: str | None = ...) -> PredictionSets: ...

    @overload
    def predict_set(self, X: Any, alpha: Alphas, *, confidence_level: None = ...,
                    method: str | None = ...) -> list[PredictionSets]: ...

    def predict_set(self, X: Any, alpha: Alpha | Alphas | None = None, *,
                    confidence_level: Alpha | None = None,
                    method: str | None = None) -> PredictionSets | list[PredictionSets]:
        """The sets of new rows: each contains the true class with probability at least 1 - alpha.

        X: rows of features.
        alpha: the accepted miscoverage, such as 0.1. A list of alphas gives a list of sets.
        confidence_level: 1 - alpha, such as 0.9; give one of the two.
        method: with 'distance' and scores of your own, 'caos' (default); or 'full-caos' for smaller
            sets, which asks a score of your own for more, see caos.OneShotPredictors.

        Where alpha is infeasible with so few examples, every set is every class, and a warning says
        so.
        """
        rows = self._rows(X)
        level = one_alpha(alpha, confidence_level)
        method = self._method(method)
        if hasattr(self, "vectors_"):
            found, told, single = self.vectors_.predict_sets(
                rows, level, smoothing_seed=self._smoothing_seed())
            sets: PredictionSets | list[PredictionSets] = found[0] if single else found
        else:
            sets, told = self.predictors_._predict_set(rows, level, method, None)
        for text in told:
            warnings.warn(text, stacklevel=2)
        if isinstance(sets, list):
            return [self._named(one) for one in sets]
        return self._named(sets)

    def _named(self, sets: PredictionSets) -> PredictionSets:
        sets = sets.with_names(self.classes_.tolist())
        return sets._of_listed_labels() if self.classes is None else sets

    def predict_p(self, X: Any, *, method: str | None = None) -> FloatArray:
        """The conformal p-value of every class, rows x classes_: in the set at alpha if > alpha.

        X, method: as in predict_set.

        P-values are not probabilities of classes and do not add up to 1.
        """
        rows = self._rows(X)
        method = self._method(method)
        if hasattr(self, "vectors_"):
            return self.vectors_.predict_p(rows, smoothing_seed=self._smoothing_seed())
        return self.predictors_.predict_p(rows, method=method)

    def _method(self, method: str | None) -> str:
        if not hasattr(self, "vectors_"):
            return _core.default_method if method is None else method
        if method not in (None, self.vectors_.method):
            raise ValueError(f"method: is {method!r}; this classifier has "
                             f"{self.vectors_.method!r} alone")
        return self.vectors_.method

    def _smoothing_seed(self) -> int | None:
        if not self.smoothing:
            return None
        state = np.random.default_rng() if self.random_state is None else self.random_state
        return seed_of_state(state)

    def _rows(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        rows: FloatArray = _validated(self, X, reset=False)
        return rows


def _validated(classifier: CaosClassifier, X: Any, **options: Any) -> Any:
    """X in float64, and y if given; rejects values that are not finite or do not match fit."""
    validate = getattr(validation, "validate_data", None)  # which is there from scikit-learn 1.6 on
    if validate is None:
        return classifier._validate_data(X, dtype=np.float64, **options)
    return validate(classifier, X, dtype=np.float64, **options)
