"""The notebooks of examples/notebooks run from top to bottom, and print what is kept in them.

    python3 tests/project/notebooks_test.py                      runs all
    python3 tests/project/notebooks_test.py --write NOTEBOOK...  keeps what they print and draw now
"""

import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PATIENCE = int(os.environ.get("CAOS_PATIENCE", "1"))

try:
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
    import sklearn  # noqa: F401
except ImportError as error:
    print(f"NOT TESTED: notebooks, which need {error.name}", file=sys.stderr)
    sys.exit(0)


def execute(path):
    """The notebook with what its cells print and draw, in the folder that it lies in."""
    notebook = nbformat.read(path, as_version=4)
    # The kernel is this Python, whatever the kernel of that name would be.
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    nbclient.NotebookClient(notebook, timeout=600 * PATIENCE, kernel_name="python3",
                            resources={"metadata": {"path": str(path.parent)}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("text/plain", None)
    return notebook


def texts(notebook):
    """What each cell prints."""
    return ["".join(output.text for output in cell.outputs if output.output_type == "stream")
            for cell in notebook.cells if cell.cell_type == "code"]


def pictures(notebook):
    """How many pictures each cell draws."""
    return [sum("image/png" in output.get("data", {}) for output in cell.outputs)
            for cell in notebook.cells if cell.cell_type == "code"]


class Notebooks(unittest.TestCase):
    def test_run_and_print_what_is_kept_in_them(self):
        self.assertEqual(len(NOTEBOOKS), 3)
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                kept, run = nbformat.read(path, as_version=4), execute(path)
                self.assertEqual(texts(run), texts(kept))
                self.assertEqual(pictures(run), pictures(kept))
                self.assertGreater(sum(pictures(kept)), 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for name in sys.argv[2:]:
            path = pathlib.Path(name).resolve()
            nbformat.write(execute(path), path)
    else:
        unittest.main()
