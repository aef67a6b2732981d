"""help() is enough to work from: everything public is explained, with every argument."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re
import types

import pytest

import caos
import caos._core

REFERENCE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "python.md"

# Modules that need a package that not everyone has.
OPTIONAL = {"caos.plots": "matplotlib", "caos.sklearn": "sklearn"}


def public_modules():
    names = [f"caos.{module.name}" for module in pkgutil.iter_modules(caos.__path__)]
    return ["caos", *(name for name in names if not name.startswith("caos._"))]


@pytest.fixture(params=public_modules())
def module(request):
    if request.param in OPTIONAL:
        pytest.importorskip(OPTIONAL[request.param], reason=f"NOT TESTED: {request.param}")
    return importlib.import_module(request.param)


def is_ours(thing):
    return (thing.__module__ or "").partition(".")[0] == "caos"


def is_function(thing):
    return inspect.isroutine(thing) and callable(thing)


def members(kind):
    """The public members of a class with their names, inherited ones too if they are ours."""
    for base in filter(is_ours, kind.__mro__):
        for name, member in vars(base).items():
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", getattr(kind, name), member


def functions(module):
    """Every public function and method, with its name and where to look for what it refers to."""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isclass(thing) and is_ours(thing):
            yield from ((full, bound, thing) for full, bound, member in members(thing)
                        if is_function(bound) and not isinstance(member, property))
            own = isinstance(vars(thing).get("__init__"), types.FunctionType)
            if own and not getattr(thing, "_is_protocol", False):
                yield name, thing, thing
        elif is_function(thing):
            yield name, thing, module


def described(thing):
    """The docstring without the signatures that pybind11 writes at its top."""
    doc = inspect.getdoc(thing) or ""
    return re.sub(r"\A\w+\(.*\) -> .*\n*", "", doc)


def signature(thing):
    """As pybind11 writes it; empty for functions of Python."""
    match = re.match(r"\w+\((.*)\) -> (.*)", inspect.getdoc(thing) or "")
    return match[0] if match and not isinstance(thing, type) else ""


def parameters(thing):
    if text := signature(thing):
        found = inspect.signature(eval(f"lambda {plain(text)}: 0"))  # pylint: disable=eval-used
    else:
        found = inspect.signature(thing)
    return [name for name in found.parameters if name not in ("self", "cls")]


def plain(text):
    """The arguments of `f(x: int, *, y: str = 'a') -> int` without types: `x, *, y = 'a'`."""
    inside = re.match(r"\w+\((.*)\) -> ", text)[1]
    return re.sub(r": (?:[\w.]|\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])+", "", inside)


def explanation(thing, home):
    """What is said of the arguments, also where it says `as in another_function`."""
    text = described(thing)
    for other in re.findall(r"as in ([\w.]+\w)", text):
        place = home
        for part in other.removeprefix("caos.").split("."):
            place = getattr(place, part, None) or getattr(caos, part, None)
        text += described(place) if place else ""
    return text


def test_modules_say_what_they_are_for(module):
    assert len((module.__doc__ or "").splitlines()) >= 3


def test_all_names_exist_and_are_sorted(module):
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert list(module.__all__) == sorted(module.__all__)


def test_all_has_every_public_name(module):
    own = [name for name, thing in vars(module).items()
           if not name.startswith("_") and (inspect.isclass(thing) or is_function(thing))
           and thing.__module__ == module.__name__]
    assert sorted(set(own) - set(module.__all__)) == []


def test_classes_are_found_where_they_say_they_live():
    compiled = [thing for name, thing in vars(caos._core).items()
                if inspect.isclass(thing) and not name.startswith("_")]
    assert compiled
    for thing in compiled:
        home = importlib.import_module(thing.__module__)
        assert thing.__name__ in home.__all__, thing


def test_everything_public_is_explained(module):
    silent = []
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isclass(thing) and is_ours(thing):
            silent += [full for full, bound, member in members(thing)
                       if not described(member if isinstance(member, property) else bound)]
        if (inspect.isclass(thing) or is_function(thing)) and not described(thing):
            silent.append(name)
    assert not silent, "\n".join(silent)


def test_fields_of_tuples_are_explained(module):
    silent = [f"{name}.{field}" for name in module.__all__
              for field in getattr(getattr(module, name), "_fields", ())
              if getattr(getattr(module, name), field).__doc__.startswith("Alias for field")]
    assert silent == []


def test_every_argument_is_explained(module):
    missing = []
    for name, function, home in functions(module):
        text = explanation(function, home)
        missing += [f"{name}: {parameter}" for parameter in parameters(function)
                    if not re.search(rf"\b{parameter}\b", text)]
    assert not missing, "\n".join(missing)


def test_functions_are_called_in_help_what_users_call_them(module):
    for name, function, _ in functions(module):
        assert function.__name__ == name.rpartition(".")[2]


def test_signatures_speak_python(module):
    for name, function, _ in functions(module):
        assert not re.search(r"\bhandle\b|\barg\d|::|<", signature(function)), name


def test_examples_in_docstrings_run(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_the_reference_names_everything_public(module):
    words = set(re.findall(r"\w+", REFERENCE.read_text(encoding="utf-8")))
    assert sorted(set(module.__all__) - words - {"__version__"}) == []


def test_the_reference_names_nothing_else():
    for name in set(re.findall(r"`caos((?:\.\w+)+)", REFERENCE.read_text(encoding="utf-8"))):
        place = caos
        for part in name[1:].split("."):
            if isinstance(place, types.ModuleType) and not hasattr(place, part):
                importlib.import_module(f"{place.__name__}.{part}")
            place = getattr(place, part)
