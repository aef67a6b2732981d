"""What the compiled module has. One section per topic; types of arguments are in caos._typing."""

from collections.abc import Callable
from typing import Any, overload

from caos._typing import (
    Alpha,
    Alphas,
    ArrayLike,
    BoolArray,
    Float32Array,
    FloatArray,
    IntArray,
    Path,
)

# The module itself.

__version__: str
assumption: str
default_alphas: tuple[float, ...]
default_k: int
default_method: str

# Where alpha is one number, results are one object; for a list of them, a list. Overloads say so:
# one with `alpha: Alpha`, one with `alpha: Alphas`.

# distance

def distances(x: ArrayLike, references: ArrayLike, *, threads: int = ...) -> FloatArray: ...

# scorers: what caos.scorers is made of

def check_score_rows(scores: ArrayLike, place: Callable[[int], str]) -> None: ...
def join_sets(blocks: list[PredictionSets]) -> PredictionSets: ...
def predict_block(calibration: Calibration, test: ArrayLike, alpha: Alpha | Alphas, *, method: str,
                  reverse: ArrayLike | None, symmetric: bool,
                  groups: ArrayLike | None) -> tuple[list[PredictionSets], list[str], bool]: ...
