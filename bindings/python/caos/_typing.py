"""Types of arguments and results, for annotations in this package and in its stubs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from caos._core import EmbeddedImages


class SupportsDLPack(Protocol):
    """An object that exports its memory by DLPack."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, Any]: ...


# NumPy arrays, PyTorch tensors, anything with __array__ or DLPack, nested lists.
ArrayLike: TypeAlias = Union[npt.ArrayLike, SupportsDLPack]

# One miscoverage. Texts and Decimals mean what they say, floats the shortest decimal that prints as
# they do.
Alpha: TypeAlias = Union[float, str, Decimal, "np.floating[Any]"]

# Several. No Sequence[str], because that is what a text is, too.
Alphas: TypeAlias = Union[Sequence[float], Sequence[Decimal], list[str], tuple[str, ...],
                          "npt.NDArray[np.floating[Any]]"]

Path: TypeAlias = Union[str, "os.PathLike[str]"]

BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
FloatArray: TypeAlias = "npt.NDArray[np.float64]"
Float32Array: TypeAlias = "npt.NDArray[np.float32]"
IntArray: TypeAlias = "npt.NDArray[np.int64]"

# Vectors of patches: one array, one each image, or what caos.patches.embed returns.
Embeddings: TypeAlias = Union[ArrayLike, Sequence[ArrayLike], "EmbeddedImages"]
# A folder, a file, several files, or pixels.
Images: TypeAlias = Union[Path, Sequence[Path], ArrayLike, Sequence[ArrayLike]]
