"""What the compiled module has. One section per topic; types of arguments are in caos._typing."""

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

# Where alpha is one number, results are one object; for a list of them, a list. Overloads say so:
# one with `alpha: Alpha`, one with `alpha: Alphas`.
