"""Lets pip build and install the Python package: CMake builds it, and knows what belongs to it.

Everything happens in one folder below build/, and a second run builds only what has changed. The
variable CAOS_PIP_BUILD names another folder.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import SetupError

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # since setuptools 70
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))

import manylinux  # noqa: E402
FOLDER = pathlib.Path(os.environ.get("CAOS_PIP_BUILD")
                      or ROOT / "build" / f"pip-{sys.implementation.cache_tag}").resolve()
REMEDY = "tools/setup --python installs all that building needs, on Debian"


def version():
    """CMake has it."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(caos VERSION ([\d.]+)", text, flags=re.MULTILINE)[1]


def check_tools():
    for tool, package in {"cmake": "cmake", "ninja": "ninja-build", "c++": "g++"}.items():
        if not shutil.which(tool):
            raise SetupError(f"{tool} is missing: install the Debian package {package}; {REMEDY}")


def run(*command):
    print("+", *command, flush=True)
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        raise SetupError(f"{command[0]} failed, see above; {REMEDY}")


def pybind11_of_pip():
    """Where pybind11 is installed for this Python; CMake finds Debian's by itself."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def build():
    """The package as CMake builds it: what the preset `release` compiles, by the same commands."""
    check_tools()
    # Not the link in a virtual environment, which may be gone when the folder is used again.
    python = pathlib.Path(sys.executable).resolve()
    run("cmake", "--preset", "release", "-B", str(FOLDER), "-DCAOS_PYTHON_PACKAGE=ON",
        "-DCAOS_PROGRAM=OFF", "-DCAOS_TESTS=OFF", "-DCAOS_BENCH=OFF", f"-DCAOS_PYTHON={python}",
        f"-DPython_EXECUTABLE={python}", *pybind11_of_pip())
    run("cmake", "--build", str(FOLDER), "--target", "caos_python")


def bundle(package):
    """Copies the shared libraries that the package needs into it, for a wheel to give to others.

    CAOS_BUNDLE=1 asks for it; on the machine of the build they are present.
    """
    core = next(package.glob("_core.*.so"))
    run(str(ROOT / "tools" / "bundle-libraries"), str(core), str(package / "lib"),
        str(package / "lib" / "licenses"))


class Build(build_py):
    """In place of copying Python files. An editable install imports from the folder itself."""

    def run(self):
        build()
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
            run("cmake", "--install", str(FOLDER), "--component", "python", "--prefix",
                str(self.build_lib), "--strip")
            if os.environ.get("CAOS_BUNDLE"):
                bundle(pathlib.Path(self.build_lib) / "caos")

    def get_source_files(self):
        return []  # MANIFEST.in has them


class AlreadyBuilt(build_ext):
    def run(self):
        pass


class Wheel(bdist_wheel):
    """Named for every Linux that can use it, if it brings what not every system has."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        built = self.get_finalized_command("build").build_lib
        return python, abi, manylinux.tag(built) or platform


SETUPTOOLS = FOLDER / "setuptools"
SETUPTOOLS.mkdir(parents=True, exist_ok=True)

setup(
    version=version(),
    packages=["caos"],
    package_dir={"": os.path.relpath(FOLDER / "python", ROOT)},
    # There to say that the wheel is for one Python and one kind of machine.
    ext_modules=[Extension("caos._core", sources=[])],
    cmdclass={"build_py": Build, "build_ext": AlreadyBuilt, "bdist_wheel": Wheel},
    options={"build": {"build_base": str(SETUPTOOLS)},
             "egg_info": {"egg_base": str(SETUPTOOLS)}},
)
