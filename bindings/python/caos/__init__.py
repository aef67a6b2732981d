"""Prediction sets with a guarantee, from a few labeled examples and any frozen model.

    calibration = caos.calibrate(labeled, labels)            # scores [n, K, n], labels [n]
    sets = calibration.predict_set(test, alpha=0.1)          # scores [m, K, n]
    sets[0]                                                  # the labels that input 0 may have

Each labeled example alone is a predictor. CAOS adds, for every possible label, the k smallest
scores that the examples give it, calibrates by leaving each example out in turn, and returns the
labels that conform: the truth is among them with probability at least 1 - alpha, if labeled and
new examples are exchangeable and the scorer was fixed before the data were seen.

With four labeled examples, and the score of each one's own label under each other one:

    >>> import caos
    >>> calibration = caos.calibrate([[0, 1, 4, 3], [1, 0, 2, 5], [4, 2, 0, 1], [3, 5, 1, 0]], k=2)

A new input that may have one of three labels, each with its scores under the four:

    >>> sets = calibration.predict_set([[1, 2, 5, 4], [3, 1, 1, 2], [9, 8, 9, 7]], alpha=0.25)
    >>> sets[0]
    array([0, 1])
    >>> sets.guarantee
    'marginal'

Where things are:

    caos.calibrate, evaluate, advise    scores of any model, as arrays
    caos.audit_bound, audit_report      how many frozen regions are correct, from a blind audit
    caos.patches                        landmarks in images
    caos.text                           texts and language models
    caos.OneShotPredictors              a function of yours, or a PyTorch model, as the scorer
    caos.CaosClassifier                 for scikit-learn
    caos.plots                          for notebooks
"""

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from caos import patches, scorers, text
from caos._core import (
    Advice,
    AuditBound,
    AuditFinding,
    AuditReport,
    Calibration,
    CoverageLaw,
    Evaluation,
    GroupResult,
    LearningCurvePoint,
    MethodResult,
    PredictionSets,
    Selection,
    __version__,
    advise,
    assumption,
    audit_bound,
    audit_order,
    audit_report,
    calibrate,
    conformal_selection,
    coverage_law,
    evaluate,
    load,
)
from caos.scorers import OneShotPredictors

if TYPE_CHECKING:
    from caos import plots as plots
    from caos.sklearn import CaosClassifier as CaosClassifier

__all__ = [
    "Advice",
    "AuditBound",
    "AuditFinding",
    "AuditReport",
    "Calibration",
    "CaosClassifier",
    "CoverageLaw",
    "Evaluation",
    "GroupResult",
    "LearningCurvePoint",
    "MethodResult",
    "OneShotPredictors",
    "PredictionSets",
    "Selection",
    "__version__",
    "advise",
    "assumption",
    "audit_bound",
    "audit_order",
    "audit_report",
    "calibrate",
    "conformal_selection",
    "coverage_law",
    "evaluate",
    "load",
    "patches",
    "plots",
    "scorers",
    "text",
]
if importlib.util.find_spec("sklearn") is None:
    __all__.remove("CaosClassifier")  # which needs it


def __getattr__(name: str) -> Any:
    # Imported when asked for: these need packages that this one does not.
    if name == "plots":
        return importlib.import_module("caos.plots")
    if name == "CaosClassifier":
        from caos.sklearn import CaosClassifier
        return CaosClassifier
    raise AttributeError(f"module 'caos' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), "CaosClassifier", "plots"})
