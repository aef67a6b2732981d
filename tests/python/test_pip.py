"""`pip install .` into a virtual environment, without a network, and what users then have.

The package is compiled again, in a folder of its own (CAOS_PIP_BUILD). Where ccache is at work that
takes seconds, as the commands are those of the preset `release`.
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import caos
from conftest import Task

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of what a user may have in the environment, nothing that leads to another package.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
ENVIRONMENT.pop("PYTHONPATH", None)
ENVIRONMENT["PIP_CONFIG_FILE"] = os.devnull

PREDICT = """
import json, numpy as np, caos
task = np.load("task.npz")
calibration = caos.calibrate(task["labeled"], task["labels"])
sets = calibration.predict_set(task["test"], alpha=0.2)
p_values = calibration.predict_p(task["test"])
print(json.dumps({"file": caos.__file__, "version": caos.__version__,
                  "sets": sets.mask.tolist(), "p_values": p_values.tolist()}))
"""

TEXTS = """
import sys, caos.text
texts = ["my parcel is late", "the parcel never came", "thank you, all is well", "well, thank you"]
labels = ["complaint", "complaint", "praise", "praise"]
calibration = caos.text.calibrate(texts, labels, model=sys.argv[1], k=1)
print(len(calibration.predict_set(["where is my parcel"], alpha=0.5)))
"""

IMAGES = """
import numpy as np, caos
caos.patches.embed(np.zeros((1, 64, 64, 3), dtype=np.uint8), backbone="onnx:invalid.onnx",
                   preset="dinov2-small")
"""


class Environment:
    """A virtual environment, as the README makes it."""

    def __init__(self, folder):
        self.folder = folder
        self.run(sys.executable, "-m", "venv", "--system-site-packages", folder)
        self.packages = next(folder.glob("lib/python*/site-packages"))

    def run(self, *command, cwd=ROOT, environment=None, check=True):
        result = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True,
                                text=True, check=False, env={**ENVIRONMENT, **(environment or {})})
        assert not check or result.returncode == 0, result.stdout + result.stderr
        return result

    def python(self, *arguments, **options):
        return self.run(self.folder / "bin" / "python", *arguments, **options)

    def pip(self, *arguments, **options):
        return self.python("-m", "pip", *arguments, **options)

    def install(self, *arguments, **options):
        return self.pip("install", "--no-build-isolation", "--no-deps", "--no-index", *arguments,
                        **options)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return Environment(tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def installed(environment):
    environment.install(".")
    yield environment
    environment.pip("uninstall", "--yes", "caos")


def test_a_missing_tool_is_named_with_its_package(environment, tmp_path):
    result = environment.install(".", environment={"PATH": str(tmp_path)}, check=False)
    assert result.returncode != 0
    assert "cmake is missing: install the Debian package cmake" in result.stdout + result.stderr
    assert "tools/setup --python" in result.stdout + result.stderr


def test_pip_knows_what_it_installed(installed, program):
    shown = dict(line.split(": ", 1) for line in installed.pip("show", "caos").stdout.splitlines()
                 if ": " in line)
    assert shown["Name"] == "caos"
    assert shown["Requires"] == "numpy"
    assert program.run("--version").stdout.split()[:2] == ["caos", shown["Version"]]
    assert shown["Location"] == str(installed.packages)


def test_it_predicts_from_anywhere_as_the_built_one_does(installed, tmp_path):
    task = Task(seed=3)
    np.savez(tmp_path / "task.npz", labeled=task.labeled, labels=task.labels, test=task.test)
    said = json.loads(installed.python("-c", PREDICT, cwd=tmp_path).stdout)
    calibration = caos.calibrate(task.labeled, task.labels)
    assert pathlib.Path(said["file"]).parent == installed.packages / "caos"
    assert said["version"] == caos.__version__
    assert said["sets"] == calibration.predict_set(task.test, alpha=0.2).mask.tolist()
    assert said["p_values"] == calibration.predict_p(task.test).tolist()


def test_it_has_all_files_of_the_built_one(installed):
    def names(folder):
        return sorted(path.name for path in folder.iterdir()
                      if path.name not in ("__pycache__", "lib"))

    assert names(installed.packages / "caos") == names(pathlib.Path(caos.__file__).parent)


def test_it_looks_for_libraries_in_its_own_folder_alone(installed):
    module = next((installed.packages / "caos").glob("_core*.so"))
    said = installed.run("readelf", "--dynamic", module).stdout
    assert "Library rpath: [$ORIGIN/lib]" in said
    assert str(ROOT) not in said
    linked = installed.run("ldd", module).stdout
    assert "not found" not in linked
    for line in linked.splitlines():
        if "llama" in line or "ggml" in line:
            assert str(installed.packages / "caos" / "lib") in line


def test_it_brings_the_libraries_that_debian_lacks(installed):
    fetched = [path.name for folder in ("llama", "onnxruntime")
               for path in (ROOT / "deps" / folder / "lib").glob("*.so*")]
    if not fetched:
        pytest.skip("NOT TESTED: bundled libraries, as deps/ has none")
    there = [path.name for path in (installed.packages / "caos" / "lib").iterdir()]
    assert set(fetched) <= set(there)


def test_it_loads_the_onnx_runtime_that_it_brings(installed, tmp_path):
    if not (installed.packages / "caos" / "lib" / "libonnxruntime.so.1").exists():
        pytest.skip("NOT TESTED: onnx: backbones, as deps/ has no ONNX Runtime")
    (tmp_path / "invalid.onnx").write_text("not a model", encoding="utf-8")
    result = installed.python("-c", IMAGES, cwd=tmp_path, check=False)
    assert "ONNX Runtime says" in result.stderr


@pytest.mark.parametrize("model", ["builtin", "llama"])
def test_it_opens_language_models(installed, model, program, tmp_path):
    if model == "llama":
        if "CAOS_TINY_GGUF" not in os.environ or "without llama" in program.run("--version").stdout:
            pytest.skip("NOT TESTED: llama: models, as this build is without llama.cpp")
        file = tmp_path / "tiny.gguf"
        installed.run(os.environ["CAOS_TINY_GGUF"], file)
        model = f"llama:{file}"
    assert installed.python("-c", TEXTS, model, cwd=tmp_path).stdout.split() == ["1"]


def test_nothing_is_left_lying_about(installed):
    assert not list(ROOT.glob("*.egg-info"))
    assert not list((ROOT / "build").glob("lib*"))
    assert not list((ROOT / "build").glob("bdist*"))
    assert not list((ROOT / "bindings" / "python" / "caos").glob("*.so"))


def test_uninstalling_leaves_nothing(environment):
    environment.install(".")
    environment.pip("uninstall", "--yes", "caos")
    assert not list(environment.packages.glob("caos*"))


def test_an_editable_install_imports_what_is_being_edited(environment, tmp_path):
    environment.install("--editable", ".")
    said = environment.python("-c", "import caos; print(caos.__file__)", cwd=tmp_path).stdout
    environment.pip("uninstall", "--yes", "caos")
    file = pathlib.Path(said.strip())
    assert file.resolve() == ROOT / "bindings" / "python" / "caos" / "__init__.py"
    assert not list(environment.packages.glob("*caos*"))
