"""Keywords of compiled functions: scikit-learn's names for some, and clear errors for wrong ones.

The compiled module calls this: `translated` where a call has a name of scikit-learn's, and
`explanation` where pybind11 only knows that arguments are "incompatible".
"""

from __future__ import annotations

import ast
import difflib
import functools
import os
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple


class _Signature(NamedTuple):
    name: str
    positional: list[str]  # these may also be given by name
    by_name: list[str]
    required: list[str]

    @property
    def names(self) -> list[str]:
        return [*self.positional, *self.by_name]


@functools.lru_cache(maxsize=None)
def _signature(line: str) -> _Signature:
    """The keywords of a signature as pybind11 writes it, the first line of a docstring."""
    function = ast.parse(f"def {line}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    positional = [one.arg for one in (*given.posonlyargs, *given.args)]
    by_name = [one.arg for one in given.kwonlyargs]
    required = positional[:len(positional) - len(given.defaults)]
    required += [name for name, default in zip(by_name, given.kw_defaults) if default is None]
    return _Signature(function.name, positional, by_name, required)


def alpha_of_level(level: Any) -> Decimal:
    """1 minus a confidence level, exactly as the decimal typed."""
    try:
        left = 1 - Decimal(str(level))
    except InvalidOperation:
        left = Decimal(0)
    if left.is_nan() or not 0 < left < 1:
        raise ValueError(f"confidence_level: is {level!r}; expected a number between 0 and 1, such "
                         "as 0.9")
    return left


def one_alpha(alpha: Any, confidence_level: Any) -> Any:
    """Alpha, or 1 minus a confidence level; one of the two is None."""
    if (alpha is None) == (confidence_level is None):
        raise TypeError("give alpha, such as 0.1, or confidence_level, such as 0.9")
    return alpha if confidence_level is None else alpha_of_level(confidence_level)


def alphas_of_levels(levels: Any) -> Any:
    """The same for several: a list, a tuple or an array."""
    if isinstance(levels, (list, tuple)) or getattr(levels, "ndim", 0) > 0:
        return [alpha_of_level(level) for level in levels]
    return alpha_of_level(levels)


def threads_of_jobs(jobs: Any) -> int:
    """scikit-learn's n_jobs as threads: -1 means one per core, -2 one less, and so on."""
    count = int(jobs)
    if count == 0:
        raise ValueError("n_jobs: is 0; expected a positive number, or -1 for one per core")
    return count if count > 0 else max(1, (os.cpu_count() or 1) + 1 + count)


def seed_of_state(state: Any) -> int:
    """scikit-learn's random_state as a seed: a whole number, or a generator that gives one."""
    if hasattr(state, "integers"):  # numpy.random.Generator
        return int(state.integers(2**31))
    if hasattr(state, "randint"):  # numpy.random.RandomState
        return int(state.randint(2**31 - 1))
    return int(state)


_TRANSLATIONS = {
    "confidence_level": ("alpha", alphas_of_levels),
    "n_jobs": ("threads", threads_of_jobs),
    "random_state": ("seed", seed_of_state),
}


def translated(line: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a call with our names in place of scikit-learn's; None is left out.

    line: the signature of the function.
    """
    function = _signature(line)
    result = dict(given)
    for theirs, (ours, convert) in _TRANSLATIONS.items():
        if theirs not in result or theirs in function.names or ours not in function.names:
            continue
        value = result.pop(theirs)
        if ours in result:
            raise TypeError(f"{function.name}() got {ours} and {theirs}, which is the same; give "
                            "one of them")
        if value is not None:
            result[ours] = convert(value)
    return result


def explanation(line: str, num_positional: int, given: Mapping[str, Any]) -> str:
    """The error message for a call that does not match its signature."""
    function = _signature(line)
    known = [name for name in function.names if name != "self"]
    for name in given:
        if name not in function.names:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(known)}"
            return f"{function.name}() got an unexpected keyword argument {name!r}; {hint}"
    if num_positional > len(function.positional):
        most = len([name for name in function.positional if name != "self"])
        rest = f"; name the others: {', '.join(function.by_name)}" if function.by_name else ""
        return f"{function.name}() takes at most {most} arguments without their names{rest}"
    by_place = function.positional[:num_positional]
    for name in by_place:
        if name in given:
            return f"{function.name}() got several values for the argument {name!r}"
    missing = [name for name in function.required if name not in by_place and name not in given]
    if missing:
        return f"{function.name}() misses the argument {missing[0]!r}"
    return f"{function.name}() got an argument of a wrong type; expected {line}"
