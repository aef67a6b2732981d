"""No line of the Python package, its tests and examples, and none of the help that is written in
C++, is longer than 100 columns.

clang-format sees to C++, but leaves texts in raw strings alone. `help` shows these as they are.
"""

import pathlib
import re
import sys

MOST_COLUMNS = 100
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ["bindings/python", "examples/python", "tests/python"]


def python_files():
    yield ROOT / "setup.py"
    for folder in PYTHON:
        for ending in ("*.py", "*.pyi"):
            yield from sorted((ROOT / folder).rglob(ending))


def lines_of_help(text):
    """The lines of raw strings with their numbers."""
    for found in re.finditer(r'R"\((.*?)\)"', text, re.DOTALL):
        first = text.count("\n", 0, found.start()) + 1
        yield from enumerate(found[1].split("\n"), first)


def long_lines():
    for path in python_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > MOST_COLUMNS:
                yield path, number, len(line)
    for path in sorted((ROOT / "bindings" / "python").glob("*.cpp")):
        for number, line in lines_of_help(path.read_text(encoding="utf-8")):
            if len(line) > MOST_COLUMNS:
                yield path, number, len(line)


def main():
    found = list(long_lines())
    for path, number, columns in found:
        print(f"{path.relative_to(ROOT)}:{number}: {columns} columns, at most {MOST_COLUMNS}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
