"""Runs docs/tutorial.md: its cells, in order and in one namespace, print what stands below them and
draw its figures.

    python3 tests/python/test_tutorial.py     writes what they print and draw now into the document
"""

import contextlib
import io
import os
import pathlib
import re
import shutil
import tempfile
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
IMAGES = TUTORIAL.parent / "images"

# A cell, and what it prints, if it prints something.
CELL = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
                  flags=re.MULTILINE | re.DOTALL)


def run(code, namespace, line):
    """What the cell prints, warnings included, as a notebook shows them."""
    printed = io.StringIO()

    def show(message, category, *_, **__):
        print(f"{category.__name__}: {message}", file=printed)

    # So that errors name lines of the document.
    compiled = compile("\n" * line + code, str(TUTORIAL), "exec")
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        exec(compiled, namespace)  # pylint: disable=exec-used
    return re.sub(r"[ \t]+$", "", printed.getvalue(), flags=re.MULTILINE)


@contextlib.contextmanager
def scratch_folder():
    """A folder to work in, with the examples that a copy of the repository has."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def run_all(text):
    """Yields each cell's match with what it prints."""
    os.environ.setdefault("MPLBACKEND", "agg")
    namespace = {"__name__": "__main__"}
    for cell in CELL.finditer(text):
        line = text.count("\n", 0, cell.start("code"))
        yield cell, run(cell["code"], namespace, line)


def images_in(text):
    return sorted(re.findall(r"!\[[^\]]*\]\(images/([^)]+)\)", text))


def test_the_tutorial_prints_and_draws_what_it_shows():
    for package in ("matplotlib", "sklearn"):
        pytest.importorskip(package, reason=f"NOT TESTED: the tutorial, which needs {package}")
    from matplotlib.testing.compare import compare_images
    text = TUTORIAL.read_text(encoding="utf-8")
    with scratch_folder() as folder:
        for cell, printed in run_all(text):
            assert printed == (cell["output"] or ""), cell["code"]
        drawn = sorted(path.name for path in (folder / "images").iterdir())
        assert drawn == images_in(text)
        for name in drawn:
            # Fonts and versions of Matplotlib may differ a little.
            assert compare_images(IMAGES / name, folder / "images" / name, tol=8) is None


def test_every_image_is_shown():
    text = TUTORIAL.read_text(encoding="utf-8")
    # Those of the studio are shown in a document of their own.
    own = (path.name for path in IMAGES.iterdir() if not path.name.startswith("studio-"))
    assert sorted(own) == images_in(text)


def write():
    """The document with what its cells print and draw now."""
    text = TUTORIAL.read_text(encoding="utf-8")
    parts, end = [], 0
    with scratch_folder() as folder:
        for cell, printed in run_all(text):
            below = f"\n```text\n{printed}```\n" if printed else ""
            parts.append(f"{text[end:cell.start()]}```python\n{cell['code']}```\n{below}")
            end = cell.end()
        IMAGES.mkdir(exist_ok=True)
        for path in (folder / "images").iterdir():
            shutil.copy(path, IMAGES / path.name)
    TUTORIAL.write_text("".join(parts) + text[end:], encoding="utf-8")


if __name__ == "__main__":
    write()
