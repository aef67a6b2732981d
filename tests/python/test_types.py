"""Type hints: complete, true of the compiled module, and what users need."""

import ast
import os
import pathlib
import re
import subprocess
import sys

import pytest

import caos
import caos._core

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(caos.__file__).absolute().parent
EXAMPLES = sorted((HERE.parents[1] / "examples" / "python").glob("*.py"))

# What stubtest finds in every class of pybind11: its own metaclass, and a constructor that takes
# anything and then refuses.
OF_PYBIND11 = re.compile(
    r"^caos\._core\.\w+ is inconsistent, metaclass differs$"
    r"|^caos\._core\.\w+\.__init__ is inconsistent, stub does not have \*args argument \"args\"$")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With what mypy knows already of the standard library and NumPy."""
    return tmp_path_factory.mktemp("types")


def run(*command, folder):
    places = {"PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-B", *map(str, command)], cwd=folder, text=True,
                          capture_output=True, check=False, env={**os.environ, **places})


def check(*what, folder):
    # Debian's Matplotlib and scikit-learn have no types.
    result = run("-m", "mypy", "--ignore-missing-imports", "--cache-dir", "cache", *what,
                 folder=folder)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_package_passes_mypy(folder):
    check("--strict", "--package", "caos", folder=folder)


def test_typical_code_of_users_passes_mypy(folder):
    check("--strict", HERE / "typed_usage.py", folder=folder)


def test_typical_code_of_users_runs(folder):
    result = run(HERE / "typed_usage.py", folder=folder)
    assert result.returncode == 0, result.stderr


# Their functions have no types, as they are there to be read.
@pytest.mark.parametrize("example", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_examples_pass_mypy(example, folder):
    check("--check-untyped-defs", example, folder=folder)


def test_stubs_have_what_the_module_has(folder):
    result = run("-m", "mypy.stubtest", "--concise", "caos._core", folder=folder)
    complaints = [line for line in (result.stdout + result.stderr).splitlines()
                  if not OF_PYBIND11.match(line)]
    assert complaints == []


# stubtest does not see the arguments of compiled functions; their docstrings tell them.


def stub_functions():
    """The functions of the stubs by name, each a list of its overloads."""
    functions = {}

    def collect(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                collect(node.body, f"{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
                if "property" not in decorators:
                    functions.setdefault(prefix + node.name, []).append(node)

    collect(ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8")).body, "")
    return functions


def run_time_function(name):
    """The compiled function, as its docstring describes it."""
    found = caos._core
    for part in name.split("."):
        found = getattr(found, part)
    line = (found.__doc__ or "").partition("\n")[0]
    return ast.parse(f"def {line}: ...").body[0]


def parameters(function):
    """Name, kind, and default where it is written out; ... stands for any."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    without = [None] * (len(positional) - len(arguments.defaults))
    described = [(one.arg, "positional", default)
                 for one, default in zip(positional, [*without, *arguments.defaults])]
    described += [(one.arg, "keyword", default)
                  for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, kind, default and ast.unparse(default)) for name, kind, default in described]


def agree(stub, run_time):
    def same(one, other):
        return one[:2] == other[:2] and (one[2] == other[2] or (one[2] == "..." and other[2]))

    return len(stub) == len(run_time) and all(map(same, stub, run_time))


# Special methods are called by position, and pybind11 gives some of them no names.
NAMED = {name: overloads for name, overloads in stub_functions().items()
         if not name.rpartition(".")[2].startswith("__")}


@pytest.mark.parametrize("name", NAMED)
def test_stubs_have_the_arguments_of_the_module(name):
    run_time = parameters(run_time_function(name))
    for overload in NAMED[name]:
        assert agree(parameters(overload), run_time), (parameters(overload), run_time)
