"""Prediction sets with a guarantee, from a few labelled examples and any frozen model.

    calibration = caos.calibrate(labeled, labels)            # scores [n, K, n], labels [n]
    sets = calibration.predict_set(test, alpha=0.1)          # scores [m, K, n]
    sets[0]                                                  # the labels that input 0 may have

Each labelled example alone is a predictor. CAOS adds, for every possible label, the k smallest
scores that the examples give it, calibrates by leaving each example out in turn, and returns the
labels that conform: the truth is among them with probability at least 1 - alpha, if labelled and
new examples are exchangeable and the scorer was fixed before the data were seen.
"""

from typing import TYPE_CHECKING, Any

from caos import patches, plots, scorers, text
from caos._core import (
    Advice,
    Calibration,
    CoverageLaw,
    Evaluation,
    GroupResult,
    LearningCurvePoint,
    MethodResult,
    PredictionSets,
    __version__,
    advise,
    assumption,
    calibrate,
    coverage_law,
    evaluate,
    load,
)
from caos.scorers import OneShotPredictors

if TYPE_CHECKING:
    from caos.sklearn import CaosClassifier as CaosClassifier

__all__ = [
    "Advice",
    "Calibration",
    "CoverageLaw",
    "Evaluation",
    "GroupResult",
    "LearningCurvePoint",
    "MethodResult",
    "OneShotPredictors",
    "PredictionSets",
    "__version__",
    "advise",
    "assumption",
    "calibrate",
    "coverage_law",
    "evaluate",
    "load",
    "patches",
    "plots",
    "scorers",
    "text",
]


def __getattr__(name: str) -> Any:
    # Imported when asked for: it needs scikit-learn, which the package does not.
    if name == "CaosClassifier":
        from caos.sklearn import CaosClassifier
        return CaosClassifier
    raise AttributeError(f"module 'caos' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), "CaosClassifier"})
