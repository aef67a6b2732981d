"""The package as a whole: what it is made of, and what it does not bring along."""

import pathlib
import shutil
import subprocess
import sys

import caos
import caos._core


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_its_version_is_that_of_the_program(program):
    assert program.run("--version").stdout.split()[:2] == ["caos", caos.__version__]


def test_importing_it_imports_nothing_that_is_optional():
    optional = ("matplotlib", "pandas", "scipy", "sklearn", "torch")
    found = f"[name for name in {optional} if name in sys.modules]"
    said = run(sys.executable, "-c", f"import caos, sys; print({found})")
    assert said.strip() == "[]"


def test_the_module_is_linked_with_what_it_needs_and_no_more():
    linked = run("ldd", caos._core.__file__)
    assert "libhwy" in linked
    assert "not found" not in linked
    for needless in ("libmpi", "libopen-rte", "opencv", "lapack", "blas", "libgdal", "libpython"):
        assert needless not in linked


def test_plots_are_imported_when_they_are_used():
    said = run(sys.executable, "-c", "import caos, sys; print('caos.plots' in sys.modules); "
                                     "caos.plots.set_sizes; print('caos.plots' in sys.modules)")
    assert said.split() == ["False", "True"]
    assert "plots" in caos.__all__ and "plots" in dir(caos)


def test_a_wheel_is_manylinux_where_it_brings_its_libraries(tmp_path):
    tool = pathlib.Path(__file__).resolve().parents[2] / "tools" / "manylinux.py"
    shutil.copy(shutil.which("true"), tmp_path / "true.so")  # needs the C library alone
    assert run(tool, tmp_path).startswith("manylinux_2_")
    shutil.copy(caos._core.__file__, tmp_path)
    said = run(tool, tmp_path)
    assert said.startswith("no manylinux tag: not in the folder: ") and "libhwy.so.1" in said
