"""The scripts in examples/python run as they are, and say what they should."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"

# Each script, what it needs besides the package, and what every line of its output looks like.
SCRIPTS = [
    ("torch_scorer.py", ["torch", "sklearn"],
     r"(caos|full-caos) +alpha 0.\d+ +coverage (0.[89]\d\d|0.7[5-9]\d|1.000)  "
     r"mean set size \d.\d\d  marginal"),
    ("arrays.py", [],
     r"input 0 is \[[ \d]+\], the truth \d+; marginal: labeled and new examples are .*|"
     r"60 labeled examples, 20 labels, 500 test examples, k = 3|method .*|-*|"
     r"(full-)?caos +0.(05|1) +marginal +(0.8|0.9)\d\d \[.*|(split-caos|scos)[-a-z]* .*|"
     r"(split-caos|scos)[-a-z]*: none .*|Guarantees are .*|Intervals are .*|"
     r"the same sets from the file: True"),
    ("landmarks.py", [],
     r"PatchCalibration\(42 landmarks from 60 images, k = 3, score geometry, backbone builtin-2; "
     r"marginal\)|alpha 0.\d+ +coverage 0.[89]\d\d  mean size \d.\d\d of 2688 cells  marginal|"
     r"face 0: nose_tip is in cells( \d+)+ and most likely at \(\d+, \d+\)|"
     r"labeled faces that support it:( \d+){3}|"
     r"faces with all landmarks in their regions: (0.[89]\d*|1.0) \(simultaneous, for all .*\)"),
]


def test_every_example_is_tested():
    assert sorted(script for script, _, _ in SCRIPTS) == sorted(
        path.name for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("script, needs, line", SCRIPTS, ids=[script[0] for script in SCRIPTS])
def test_examples_run(script, needs, line):
    for module in needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"NOT TESTED: {script} needs {module}")
    result = subprocess.run([sys.executable, "-B", FOLDER / script], capture_output=True, text=True,
                            check=False)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout
    for said in result.stdout.splitlines():
        assert re.fullmatch(line, said), said


def test_the_example_of_landmarks_draws(tmp_path):
    pytest.importorskip("matplotlib", reason="NOT TESTED: the picture of landmarks.py")
    picture = tmp_path / "regions.png"
    subprocess.run([sys.executable, "-B", FOLDER / "landmarks.py", picture], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "MPLBACKEND": "agg"})
    assert picture.read_bytes().startswith(b"\x89PNG")
