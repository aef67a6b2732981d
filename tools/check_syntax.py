"""Reads every source of a compilation database as its compiler would, without making objects: errors and warnings only.

    tools/check_syntax.py build/clang/compile_commands.json [--jobs N] [--only PART]
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def check(entry):
    """The messages of the compiler about one source; empty if none."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if "clang" in word or "g++" in word):]
    done = subprocess.run([*words, "-fsyntax-only"], cwd=entry["directory"], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if done.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="sources with this in their path")
    options = parser.parse_args()
    with open(options.database, encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if options.only in entry["file"]]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for entry, said in zip(entries, pool.map(check, entries)):
            if said:
                failed += 1
                print(f"{entry['file']}:\n{said}", flush=True)
    print(f"{len(entries)} sources read, {failed} with errors")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
