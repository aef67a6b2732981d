#!/usr/bin/env python3
"""Checks the wording of documents, help, errors, comments and test names: plain American English
with the terms of the field.

    tools/check_voice.py [FILE...]    these, or all files of the repository

Prints each finding with what to write instead, and exits with 1 if there is any. Names are read as
words: `SortingAnew` is "Sorting Anew". What has to stay is in ALLOWED.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# What not to write (whole words, any case), and what to write.
BANNED = {
    # What a result may claim.
    r"promis(e|es|ed|ing)": "guarantee",
    r"(hold|holds|held|holding) (the |its |their )?(truth|true label)": "contains the true label",
    r"by chance|chance's": "at random",
    # Dialect.
    r"(?<!there )is no(?= (?!longer|more|less|larger|smaller|worse|better|different|need|point|room|reason))":
        "is not a valid ...; unknown ...",
    r"(?<!there )(is|are|were|was) (?-i:none)(?! *\()(?= (of|that|where|or)|[.,;]|$)": "name what is missing",
    r"means? nothing": "say what is wrong",
    r"there (is|are) no such": "unknown ..., does not exist",
    r"nobody|somebody|anybody|whoever|whomever": "name the user, the caller or the thing",
    r"anew|afresh": "again",
    r"mend|mends|mended|mending": "fix",
    r"made[- ]up|make up|makes up": "synthetic",
    r"in the mean": "on average",
    r"words? too many": "unexpected argument",
    r"say what to do": "missing command",
    r"made again": "reproducible",
    r"for ever": "forever",
    r"of one's own": "of your own",
    r"rubbish": "invalid data",
    r"is legal|are legal|what is no": "valid",
    r"asked for on": "on",
    r"shall": "will, should or must",
    r"foret(ell|ells|old)|lest|thereof|upon(?! a time)": "predict; so that ... not; of it; on",
    r"one will|has a say|as ever": "name the subject; matters; as before",
    r"theirs to \w+": "name who",
    r"(a|the) rooms? of": "module",
    r"(?-i:Who) (asks|wants|saw|reads|makes|knows|gets|sends|stops|needs|joins|writes|changes)": "name the user or the client",
    r"says? what (to do|it was made with)|what there is to do": "remedy, provenance, work to do",
    r"leaves? no room|no room for": "no space for",
    r"tried by hand|worked by hand|by hand worked": "computed by hand",
    r"what takes longer": "long checks",
    # American spelling.
    r"(un)?labell(ed|ing|er|ers)": "labeled, labeling",
    r"(colour|behaviour|neighbour|favour|honour)\w*": "color, behavior, neighbor",
    r"cent(re|res|red|ring)": "center",
    r"grey(s|ed|scale)?": "gray",
    r"\w*(alis|nchronis|rganis|rmalis|cognis|imis|randomis|cialis|rialis|ummaris|sualis|dardis|teris|uantis"
    r"|oritis|gularis|tilis|okenis|arallelis)(e|es|ed|er|ers|ing|ations?)": "-ize",
    r"analys(e|ed|er|ing)": "analyze",
    r"(catalogue|licence|judgement|artefact)s?": "catalog, license, judgment, artifact",
    r"(mode|cance|trave|signa)ll(ed|ing|er)": "one l",
    r"whilst|amongst|towards": "while, among, toward",
}

# Words that belong there: a pattern of files, and a pattern of the words on their line.
ALLOWED = [
    ("*.hpp", r"std::(shared_)?promise"),
    ("*.cpp", r"std::(shared_)?promise|is_none"),
    ("*.ts*", r"\bPromise\b"),
    ("*.mjs", r"\bPromise\b|node:fs/promises|promise,|promise\b.*race"),
    ("apps/studio/pictures/image_cache.cpp", r"promise"),  # a std::promise
    ("apps/studio/routes/workbench_json.cpp", r'"promise"'),  # the old name of a field
    ("caos/landmarks/formats/json/label_studio_format.cpp", r"was_cancelled"),  # Label Studio's key
    ("CHANGELOG.md", r"instead of `promise`"),
    ("docs/start/*", r"like the colour"),  # a message of the example
    ("tools/check_voice.py", r"."),
    ("tests/project/voice_test.py", r"."),
]

KINDS = (".md", ".hpp", ".cpp", ".py", ".pyi", ".ts", ".tsx", ".mjs", ".html", ".css", ".txt", ".cmake", ".yml",
         ".sh", ".toml", ".in", "")
LEFT_OUT = ("*LICENSE", "*license.txt", "cmake/package/copyright", "tests/data/*", "fuzz/corpus/*", "*package-lock.json", "examples/messages/*.csv")

PATTERNS = [(re.compile(rf"\b(?:{banned})(?!\w)", re.IGNORECASE), instead) for banned, instead in BANNED.items()]


def files():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines()
            if pathlib.PurePosixPath(name).suffix in KINDS and not any(fnmatch.fnmatch(name, one) for one in LEFT_OUT)]


def words_of(line):
    """The line with names taken apart: SortingAnew and sorting_anew are two words each. Addresses of
    links are left out."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", re.sub(r"\]\([^)]*\)", "]", line))
    return apart.replace("_", " ")


def is_allowed(name, line):
    return any(fnmatch.fnmatch(name, pattern) and re.search(words, line) for pattern, words in ALLOWED)


def findings(path):
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (UnicodeDecodeError, OSError):
        return
    for number, (line, following) in enumerate(zip(lines, [*lines[1:], ""]), 1):
        words = words_of(line).rstrip()
        # A phrase may go on in the next line, behind the mark of a comment.
        both = words + " " + re.sub(r"^\s*(///?|#|\*)?\s*", "", words_of(following))
        for pattern, instead in PATTERNS:
            found = pattern.search(both)
            if found and found.start() < len(words) and not is_allowed(name, line + following):
                yield f"{name}:{number}: '{found[0].strip()}': {instead}\n    {line.strip()[:150]}"


def main():
    paths = [pathlib.Path(one).resolve() for one in sys.argv[1:]] or files()
    found = [one for path in paths for one in findings(path)]
    print("\n".join(found) or f"{len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
