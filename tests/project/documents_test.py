"""Every command and program in the documents works when pasted, and prints what is shown below it
(documents.py says how they are marked); links lead somewhere, and nothing hides.

    python3 tests/project/documents_test.py [DOCUMENT...]           runs these, or all
    python3 tests/project/documents_test.py --write DOCUMENT...     writes what they print now
"""

import concurrent.futures
import functools
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

from documents import ROOT, Failure, blocks_of, matches, place_of, run_document, write

IMAGES = ROOT / "docs" / "images"

# Blocks that are shown but not run. The reason stands behind the mark of each.
NOT_RUN = {"README.md": 2, "docs/howto/backbones.md": 3, "docs/reference/formats.md": 1, "docs/start/install.md": 3,
           "docs/start/studio.md": 1, "docs/start/texts.md": 3, "docs/start/vectors.md": 2, "docs/start/landmarks.md": 1,
           "docs/results/classification.md": 1, "docs/results/landmarks.md": 1, "docs/results/studio.md": 1,
           "examples/cpp/README.md": 1, "examples/slurm/README.md": 1}

MARKS = ("", "sh", "python", "text", "console", "py", "cpp", "json")
COMMAND = re.compile(r"^\s*(\$ )?(caos|make|cmake|python3|pip|mpirun|srun|sbatch|ssh|tools/\w+) ")


def documents():
    found = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")),
             *sorted(ROOT.glob("examples/*/README.md"))]
    # Pages of the reference show the examples of --help, which tests/cli runs.
    return [path for path in found if path.parent.name not in ("decisions", "commands")]


def load_script(name):
    """A program in tools/, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def links_of(text):
    """The links of a document to files and headings, pictures included."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r' src="([^"]+)"', text)
    return [link for link in found if "://" not in link and not link.startswith("mailto:")]


@functools.cache
def headings_of(document):
    """The anchors of a document's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def missing_packages(document):
    text = document.read_text(encoding="utf-8")
    needed = {"sklearn": "sklearn", "caos.plots": "matplotlib"}
    return [package for word, package in needed.items()
            if word in text and "```python" in text and not importlib.util.find_spec(package)]


def wrong_figures(folder):
    """Figures that are not those of the documents, but for fonts and versions of Matplotlib."""
    drawn = sorted(folder.iterdir())
    if not drawn:
        return
    from matplotlib.testing.compare import compare_images
    for path in drawn:
        if not (IMAGES / path.name).exists():
            yield f"{path.name} is drawn, and not in docs/images"
        elif difference := compare_images(IMAGES / path.name, path, tol=8):
            yield difference


def faults_of(document):
    """What is wrong with a document when it is run."""
    if missing := missing_packages(document):
        print(f"NOT TESTED: {document.name}, which needs {', '.join(missing)}", file=sys.stderr)
        return []
    faults = []
    with tempfile.TemporaryDirectory() as figures:
        try:
            for block, printed in run_document(document, figures):
                if block.expected is not None and not matches(printed, block.expected):
                    faults.append(f"{place_of(block, document)}\n{block.code}--- prints\n{printed}"
                                  f"--- but is said to print\n{block.expected}")
            faults += wrong_figures(pathlib.Path(figures))
        except Failure as failure:
            faults.append(str(failure))
    return faults


class Documents(unittest.TestCase):
    chosen = documents()

    def test_do_what_they_show(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for faults in pool.map(faults_of, self.chosen):
                for fault in faults:
                    with self.subTest():
                        self.fail(fault)

    def test_say_why_a_block_is_not_run(self):
        counts = {}
        for document in documents():
            for block in blocks_of(document.read_text(encoding="utf-8")):
                if block.mark in ("console", "py"):
                    name = str(document.relative_to(ROOT))
                    counts[name] = counts.get(name, 0) + 1
                    self.assertGreater(len(block.rest.split()), 2, place_of(block, document))
        self.assertEqual(counts, NOT_RUN)

    def test_hide_no_command_in_a_block_without_a_mark(self):
        for document in documents():
            for block in blocks_of(document.read_text(encoding="utf-8")):
                self.assertIn(block.mark, MARKS, place_of(block, document))
                if block.mark in ("", "json", "text"):
                    hidden = [line for line in block.code.splitlines() if COMMAND.match(line)]
                    self.assertEqual(hidden, [], place_of(block, document))

    def test_link_to_files_and_headings_that_exist(self):
        linked = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md"),
                  *ROOT.glob("fuzz/*.md"), *ROOT.glob("e*/*/README.md")]
        self.assertGreater(len(linked), 50)
        for document in linked:
            for link in links_of(document.read_text(encoding="utf-8")):
                path, _, heading = link.partition("#")
                target = document.parent / path if path else document
                self.assertTrue(target.exists(), f"{document}: {link}")
                if heading and target.suffix == ".md":
                    self.assertIn(heading, headings_of(target), f"{document}: {link}")

    def test_list_every_decision(self):
        self.assertEqual(list((ROOT / "docs" / "decisions").glob("*")), [], "use docs/project")
        decisions = load_script("decisions")
        text = (decisions.FOLDER / "README.md").read_text(encoding="utf-8")
        self.assertEqual(text, decisions.index(), "run tools/decisions")

    def test_have_no_generated_page_outside_of_its_folder(self):
        names = {path.name for path in (ROOT / "docs/reference").glob("*.md")}
        self.assertEqual(names & {path.name for path in
                                  (ROOT / "docs/reference/commands").glob("*.md")}, set())

    def test_begin_with_one_screen(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()), 150)

    def test_show_every_image(self):
        shown = set()
        for document in documents():
            links = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", document.read_text(encoding="utf-8"))
            shown |= {pathlib.Path(link).name for link in links}
        self.assertEqual({path.name for path in IMAGES.iterdir()} - shown, set())


class Matching(unittest.TestCase):
    def test_takes_dots_for_anything_and_all_else_as_it_is(self):
        self.assertTrue(matches("a\nb\nc\nd\n", "a\n...\nd\n"))
        self.assertTrue(matches("a\nd\n", "a\n...\nd\n"))
        self.assertTrue(matches("size 3.25 (s)\n", "size ... (s)\n"))
        self.assertFalse(matches("a\nb\nd\n", "a\nd\n"))
        self.assertFalse(matches("size 3.25\nx\n", "size ...\n"))
        self.assertFalse(matches("a+b\n", "a.b\n"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        for name in sys.argv[2:]:
            write(pathlib.Path(name).resolve())
    else:
        Documents.chosen = [pathlib.Path(one).resolve() for one in sys.argv[1:]] or Documents.chosen
        unittest.main(argv=sys.argv[:1])
