#!/usr/bin/env python3
"""Holds the one-way doors between rooms: who may include whom."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each library room and the rooms that it may include, besides itself.
MAY_INCLUDE = {
    "core": set(),
    "kernels": {"core"},
    "numerics": {"core", "kernels"},
    "conformal": {"core", "kernels", "numerics"},
    "scorers": {"core", "kernels", "numerics"},
    "vision": {"core", "kernels", "numerics"},
    "io": {"core", "numerics", "conformal"},
    "landmarks": {"core", "io"},
    "text": {"core", "kernels", "numerics", "scorers", "io"},
    "dist": {"core"},
    "engine": {"core", "kernels", "numerics", "conformal", "scorers", "vision", "io", "landmarks",
               "text", "dist"},
}

# Each room of the studio, which rooms of the studio it may include besides itself, and which of the
# library (None: all of them).
STUDIO = {
    "store": (set(), None),
    "workbench": ({"store"}, None),
    "exchange": ({"store", "workbench"}, None),
    "pictures": ({"store"}, None),
    "http": (set(), {"core", "io"}),
    "web": (set(), {"core"}),
    "routes": ({"store", "workbench", "exchange", "pictures", "http", "web"}, None),
}

# Runtimes that only one room, or one file, may see.
ONLY_IN = {
    "hwy/": {"bench/comparison", "caos/kernels", "tests/kernels"},
    "nlohmann/": {"caos/io", "caos/landmarks", "caos/vision", "caos/text", "apps/cli",
                  "apps/predictions", "apps/studio/http", "apps/studio/routes", "tests/io",
                  "tests/landmarks", "tests/studio", "tests/text"},
    "cairo": {"caos/vision/pen.cpp"},
    "ft2build.h": {"caos/vision/lettering.cpp"},
    "png.h": {"caos/vision", "tests/vision"},
    "tiffio.h": {"caos/vision", "tests/vision"},
    "turbojpeg.h": {"caos/vision"},
    "webp/": {"caos/vision", "tests/vision"},
    "onnxruntime": {"caos/vision", "bench/onnx_bench.cpp"},
    "llama.h": {"caos/text"},
    "ggml": {"caos/text", "tests/text"},
    "gguf.h": {"tests/text"},
    "httplib.h": {"caos/text", "tests/studio", "tests/text", "apps/studio/http"},
    "openssl/": {"caos/io", "apps/studio/http"},
    "sqlite3.h": {"caos/io"},
    "xxhash.h": {"caos/io"},
    "mpi.h": {"caos/dist/mpi_communicator.cpp"},
    "zip.h": {"apps/studio/exchange", "tests/studio"},
    "CLI/": {"apps/cli"},
    "pybind11/": {"bindings/python"},
    "faiss/": {"bench/comparison"},
    "cblas.h": {"bench/comparison"},
    "omp.h": {"bench/comparison"},
}

# What stands outside and looks in.
OUTSIDE = {"tests", "bench", "fuzz"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
FORBIDDEN_ROOMS = {"utils", "util", "common", "misc", "helpers"}


def sources():
    for top in ("caos", "apps", "bindings", "tests", "bench", "fuzz"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".cpp", ".hpp"}:
                yield path.relative_to(ROOT)


def includes(path):
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def room_of(include):
    parts = include.split("/")
    return parts[1] if parts[0] == "caos" and len(parts) == 3 else None


def studio_room_of(parts):
    return parts[2] if tuple(parts[:2]) == ("apps", "studio") and len(parts) == 4 else None


def complaints_about_studio(room, include):
    """What is wrong with a room of the studio including `include`."""
    if room not in STUDIO:
        yield f"the room apps/studio/{room} is not in the table"
        return
    studio, library = STUDIO[room]
    other = studio_room_of(include.split("/"))
    if other and other != room and other not in studio:
        yield f"apps/studio/{room} may not include apps/studio/{other}"
    if library is not None and room_of(include) and room_of(include) not in library:
        yield f"apps/studio/{room} may not include {room_of(include)}"


def complaints_about(path, include):
    """What is wrong with `path` including `include`."""
    folders = {"/".join(path.parts[:2]), "/".join(path.parts[:3])}
    if studio_room_of(path.parts):
        yield from complaints_about_studio(studio_room_of(path.parts), include)
    if path.parts[0] == "caos" and len(path.parts) == 3:
        room, other = path.parts[1], room_of(include)
        if room not in MAY_INCLUDE:
            yield f"the room {room} is not in the table"
        elif other and other != room and other not in MAY_INCLUDE[room]:
            yield f"{room} may not include {other}"
    if path.parts[0] in {"caos", "apps", "bindings"} and include.split("/")[0] in OUTSIDE:
        yield f"nobody includes {include.split('/')[0]}"
    for prefix, allowed in ONLY_IN.items():
        if include.startswith(prefix) and not (folders | {str(path)}) & allowed:
            yield f"<{prefix}...> belongs to {', '.join(sorted(allowed))} alone"


def main():
    found = []
    for path in sources():
        if FORBIDDEN_ROOMS & set(path.parts):
            found.append(f"{path}: there is no room of that name")
        for number, include in includes(path):
            found += [f"{path}:{number}: {text}" for text in complaints_about(path, include)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
