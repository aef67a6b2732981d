#!/usr/bin/env python3
"""The manylinux tag of a folder of shared libraries; setup.py uses it for the wheel.

    tools/manylinux.py FOLDER

Prints the tag, or the library that prevents one. PEP 600: a wheel may need the C library of the version in
its tag, the libraries that every such system has, and the ones that it contains.
"""

import pathlib
import platform
import re
import subprocess
import sys

# Libraries of every system.
OF_THE_SYSTEM = re.compile(r"(ld-linux[-\w]*|lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+|z))\.so\.\d+")

# The oldest glibc of systems whose libstdc++ has these symbols (policies of auditwheel).
GLIBC_OF_GLIBCXX = {19: 17, 22: 24, 24: 26, 25: 27, 26: 28, 28: 31, 29: 34, 30: 35, 31: 37, 32: 38, 33: 39}


def _readelf(option, file):
    return subprocess.run(["readelf", "--wide", option, file], check=True, capture_output=True,
                          text=True).stdout


def needed(file):
    """The libraries that a file needs."""
    return set(re.findall(r"\(NEEDED\).*\[(.+?)\]", _readelf("--dynamic", file)))


def glibc_minor(file):
    """The minor version of the glibc 2 that a file needs, its C++ library considered."""
    text = _readelf("--version-info", file)
    of_c = [int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", text)]
    of_cxx = [int(patch) for patch in re.findall(r"Name: GLIBCXX_3\.4\.(\d+)", text)]
    known = [GLIBC_OF_GLIBCXX.get(next((p for p in sorted(GLIBC_OF_GLIBCXX) if p >= patch), 0), 99)
             for patch in of_cxx]
    return max([17, *of_c, *known])


def libraries(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if ".so" in path.name and path.is_file())


def missing(folder):
    """The libraries that neither the folder nor every system has."""
    files = libraries(folder)
    here = {path.name for path in files}
    wanted = set().union(*(needed(path) for path in files))
    return sorted(name for name in wanted - here if not OF_THE_SYSTEM.fullmatch(name))


def tag(folder):
    """Such as "manylinux_2_35_x86_64"; None if a library is missing, or if there are no libraries."""
    files = libraries(folder)
    if not files or missing(folder):
        return None
    return f"manylinux_2_{max(map(glibc_minor, files))}_{platform.machine()}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tools/manylinux.py FOLDER")
    print(tag(sys.argv[1]) or f"no manylinux tag: not in the folder: {', '.join(missing(sys.argv[1]))}")
