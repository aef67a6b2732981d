#!/usr/bin/env python3
"""Checks that files can be found: unique names, folders and files of a readable size, and an architecture page
(docs/project/architecture.md) that names nothing that is not there."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/project/architecture.md"

PRODUCT = ("caos", "include", "apps", "bindings")
SOURCES = (*PRODUCT, "bench", "fuzz", "tests")
MOST_FILES = 41
MOST_LINES = 500
MOST_PAGE_LINES = 250

NAMES = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)*([.][a-z]+)?/?")


def files_below(tops):
    for top in tops:
        for path in sorted((ROOT / top).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.is_file() and not {"node_modules", "__pycache__"} & set(parts):
                yield path.relative_to(ROOT)


def name_problems(sources):
    """Base names within the product, where a name alone must identify a file."""
    places = collections.defaultdict(list)
    for path in sources:
        if path.parts[0] in PRODUCT:
            places[path.name].append(str(path))
    for name, paths in places.items():
        if len(paths) > 1:
            yield f"{name} is the name of several files: {', '.join(paths)}"


def size_problems(sources):
    for folder, count in collections.Counter(path.parent for path in sources).items():
        if count > MOST_FILES:
            yield f"{folder} has {count} sources; {MOST_FILES} are the most"
    for path in sources:
        lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            yield f"{path} has {lines} lines; {MOST_LINES} are the most"


def known_places():
    """Every file and folder, with and without the folders before it and the extension."""
    known = set()
    for path in files_below((*SOURCES, "docs", "examples", "experiments", "tools", "cmake")):
        for parts in (path.parts, path.with_suffix("").parts):
            for end in range(1, len(parts) + 1):
                known |= {"/".join(parts[begin:end]) for begin in range(end)}
    return known | {path.name for path in ROOT.iterdir()}


def page_problems(sources):
    """Names on the page that are paths, file names or identifiers must be there."""
    text = PAGE.read_text(encoding="utf-8")
    lines = text.splitlines()
    if len(lines) > MOST_PAGE_LINES:
        yield f"{PAGE.relative_to(ROOT)} has {len(lines)} lines; {MOST_PAGE_LINES} are the most"
    known = known_places()
    words = set()
    for path in sources:
        words |= set(re.findall(r"\w+", (ROOT / path).read_text(encoding="utf-8")))
    for number, line in enumerate(lines, 1):
        for name in NAMES.findall(line):
            is_there = name.rstrip("/") in known or name in words
            if PATH.fullmatch(name) and not is_there:
                yield f"{PAGE.relative_to(ROOT)}:{number}: nothing is called {name}"


def main():
    sources = [path for path in files_below(SOURCES) if path.suffix in {".cpp", ".hpp"}]
    found = [*name_problems(sources), *size_problems(sources), *page_problems(sources)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
