#!/usr/bin/env python3
"""Checks the direction of dependencies: which module may include which."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each module of the library, and the modules it may include besides itself and the folders it lies in or contains.
MAY_INCLUDE = {
    "core": set(),
    "kernels": {"core"},
    "numerics": {"core", "kernels"},
    "conformal": {"core", "kernels", "numerics"},
    "scorers": {"core", "kernels", "numerics"},
    "io": {"core", "numerics", "conformal"},
    "dist": {"core"},
    "onnx": {"core"},
    "vision": {"core", "kernels", "numerics", "onnx"},
    "evaluation": {"core", "numerics", "conformal"},
    "classification": {"core", "kernels", "numerics", "conformal", "scorers", "io", "evaluation"},
    "landmarks/formats": {"core", "io"},
    "landmarks/cells": {"core", "kernels", "vision"},
    "landmarks/patches": {"core", "conformal", "vision", "landmarks/cells"},
    "landmarks/refinement": {"core", "kernels", "vision"},
    "landmarks/geometry": {"core", "kernels", "scorers", "vision"},
    "landmarks/matching": {"core", "kernels", "numerics", "conformal", "scorers", "vision", "landmarks/cells", "landmarks/patches",
                           "landmarks/geometry"},
    "landmarks/embedding": {"core", "conformal", "scorers", "vision", "io", "dist", "landmarks/cells", "landmarks/formats", "landmarks/patches"},
    "landmarks/points": {"core", "numerics", "conformal", "vision", "dist", "evaluation", "landmarks/patches", "landmarks/embedding"},
    "landmarks/evaluation": {"core", "numerics", "conformal", "scorers", "vision", "dist", "evaluation", "landmarks/patches",
                             "landmarks/matching", "landmarks/embedding", "landmarks/points"},
    "landmarks": {"core", "kernels", "numerics", "conformal", "scorers", "vision", "io", "dist", "evaluation"},
    "text/models": {"core", "kernels", "numerics", "scorers", "io"},
    "text/encoders": {"core", "kernels", "numerics", "io", "onnx", "text/models"},
    "text/encoded": {"core", "kernels", "numerics", "conformal", "io", "classification", "text/encoders"},
    "text": {"core", "kernels", "numerics", "conformal", "scorers", "io", "dist", "evaluation", "classification"},
    "verify": {"core", "kernels", "numerics", "conformal", "scorers", "vision", "evaluation", "classification", "landmarks",
               "text"},
}

# Subfolders that may use the files beside them, in their parent.
USE_PARENT = {"landmarks/points", "landmarks/evaluation", "text/models", "text/encoders", "text/encoded"}

# Which of the entry points' folders each may include besides itself.
ENTRY_POINTS = {
    "caos": set(),
    "include": set(),
    "bindings": set(),
    "apps/predictions": set(),
    "apps/studio": {"apps/predictions"},
    "apps/cli": {"apps/predictions", "apps/studio"},
}

# The public headers, include/caos/<name>.hpp, by the module that implements them. They include the standard library
# and each other; a file includes them as it includes their module.
PUBLIC = {
    "core": {"error", "rng", "scores", "version"},
    "numerics": {"miscoverage", "sorted_scores"},
    "conformal": {"audit", "calibration", "coverage_law", "evaluation", "full", "grouping", "growing", "guarantee",
                  "joint", "method", "selection", "split", "test_inputs"},
    "vision": {"backbone"},
    "evaluation": {"advice", "evaluate", "one_shot_predictors", "predict"},
    "io": {"calibration_file"},
    "classification": {"classification"},
    "landmarks": {"landmarks"},
    "text": {"text"},
}
FOR_USERS = {"caos"}  # includes all others; for users only

# Each module of the studio, which modules of the studio it may include besides itself, and which of the library
# (None: all of them).
STUDIO = {
    "store": (set(), None),
    "workbench": ({"store"}, None),
    "exchange": ({"store", "workbench"}, None),
    "pictures": ({"store"}, None),
    "http": (set(), {"core", "io"}),
    "web": (set(), {"core"}),
    "routes": ({"store", "workbench", "exchange", "pictures", "http", "web"}, None),
}

# Third-party headers, and the folders and files that may include them.
ONLY_IN = {
    "CLI/": {"apps/cli/command_line.cpp"},
    "hwy/": {"bench/comparison", "caos/kernels", "tests/kernels"},
    "nlohmann/": {"caos/io", "caos/landmarks/formats", "caos/vision/backbones", "caos/text", "apps/cli",
                  "apps/predictions", "apps/studio/http", "apps/studio/routes", "tests/io",
                  "tests/landmarks/formats", "tests/studio", "tests/text"},
    "hdf5.h": {"caos/landmarks/formats/hdf5/hdf5_handle.hpp"},
    "cairo": {"caos/vision/drawing/pen.cpp"},
    "ft2build.h": {"caos/vision/drawing/lettering.cpp"},
    "png.h": {"caos/vision/codecs", "tests/vision"},
    "tiffio.h": {"caos/vision/codecs", "tests/vision"},
    "turbojpeg.h": {"caos/vision/codecs"},
    "webp/": {"caos/vision/codecs", "tests/vision"},
    "onnxruntime": {"caos/onnx", "bench/onnx_bench.cpp"},
    "unicode/": {"caos/text/encoders"},
    "llama.h": {"caos/text/models/llama"},
    "ggml": {"caos/text/models/llama", "tests/text"},
    "gguf.h": {"tests/text"},
    "httplib.h": {"caos/text/models/servers", "tests/studio", "tests/text", "apps/studio/http"},
    "openssl/": {"caos/io", "apps/studio/http"},
    "sqlite3.h": {"caos/io"},
    "xxhash.h": {"caos/io"},
    "mpi.h": {"caos/dist/mpi_communicator.cpp"},
    "dcmtk/": {"apps/studio/pictures/dicom_picture.cpp", "tests/studio"},
    "zip.h": {"apps/studio/exchange", "tests/studio"},
    "pybind11/": {"bindings/python"},
    "faiss/": {"bench/comparison"},
    "cblas.h": {"bench/comparison"},
    "omp.h": {"bench/comparison"},
}

# They include the product; it does not include them.
OUTSIDE = {"tests", "bench", "fuzz"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]')
FORBIDDEN = {"utils", "util", "common", "misc", "helpers", "engine"}


def sources():
    for top in ("caos", "include", "apps", "bindings", "tests", "bench", "fuzz", "examples"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in {".cpp", ".hpp"} and "node_modules" not in path.parts:
                yield path.relative_to(ROOT)


def includes(path):
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1)


def public_name(path):
    """`calibration` for include/caos/calibration.hpp, which is included as caos/calibration.hpp; else None."""
    parts = pathlib.PurePosixPath(path).parts
    parts = parts[1:] if parts[0] == "include" else parts
    return parts[1].removesuffix(".hpp") if len(parts) == 2 and parts[0] == "caos" else None


def module_of(path):
    """The library module of a file, the longest prefix in the table; None for other files."""
    parts = pathlib.PurePosixPath(path).parts
    name = public_name(path)
    if name:
        return next((module for module, names in PUBLIC.items() if name in names), None)
    if parts[0] != "caos" or len(parts) < 3:
        return None
    for length in range(len(parts) - 1, 1, -1):
        name = "/".join(parts[1:length])
        if name in MAY_INCLUDE:
            return name
    return parts[1]


def studio_module_of(path):
    parts = pathlib.PurePosixPath(path).parts
    return parts[2] if parts[:2] == ("apps", "studio") and len(parts) >= 4 else None


def allows(module, other):
    if other == module or other.startswith(module + "/"):
        return True
    if module.startswith(other + "/"):
        return module in USE_PARENT
    return other in MAY_INCLUDE[module] or other.split("/")[0] in MAY_INCLUDE[module]


def public_problems(path, include):
    """A public header includes public headers and the standard library, nothing else."""
    if public_name(path) not in set().union(FOR_USERS, *PUBLIC.values()):
        yield f"{path} is not in the table"
    if not public_name(include) and not re.fullmatch(r"[a-z_]+", include):
        yield f"a public header may not include {include}"


def entry_point_of(path):
    name = pathlib.PurePosixPath(path).as_posix()
    return next((one for one in ENTRY_POINTS if name.startswith(one + "/")), None)


def entry_point_problems(path, include):
    """The library includes no entry point, and these include few of each other."""
    entry, other = entry_point_of(path), entry_point_of(include)
    if entry and other and other != entry and other not in ("caos", "include") and other not in ENTRY_POINTS[entry]:
        yield f"{entry} may not include {other}"


def library_problems(module, other):
    if module not in MAY_INCLUDE:
        yield f"caos/{module} is not in the table"
    elif other and not allows(module, other):
        yield f"{module} may not include {other}"


def studio_problems(module, include):
    if module not in STUDIO:
        yield f"apps/studio/{module} is not in the table"
        return
    studio, library = STUDIO[module]
    other = studio_module_of(include)
    if other and other != module and other not in studio:
        yield f"apps/studio/{module} may not include apps/studio/{other}"
    if library is not None and module_of(include) and module_of(include) not in library:
        yield f"apps/studio/{module} may not include {module_of(include)}"


def problems(path, include):
    """What is wrong with `path` including `include`."""
    if path.parts[0] == "include":
        yield from public_problems(path, include)
    elif path.parts[0] == "caos" and public_name(include) in FOR_USERS:
        yield f"{include} is for users"
    elif path.parts[0] == "examples" and include.startswith("caos/") and not public_name(include):
        yield f"an example may not include {include}"
    if module_of(path):
        yield from library_problems(module_of(path), module_of(include))
    if studio_module_of(path):
        yield from studio_problems(studio_module_of(path), include)
    yield from entry_point_problems(path, include)
    if path.parts[0] in {"caos", "include", "apps", "bindings"} and include.split("/")[0] in OUTSIDE:
        yield f"{path.parts[0]} may not include {include.split('/')[0]}"
    folders = {str(path), *map(str, path.parents)}
    for prefix, allowed in ONLY_IN.items():
        if include.startswith(prefix) and not folders & allowed:
            yield f"<{prefix}...> is for {', '.join(sorted(allowed))} only"


def main():
    found = []
    for path in sources():
        if FORBIDDEN & set(path.parts):
            found.append(f"{path}: a folder needs a subject for its name")
        for number, include in includes(path):
            found += [f"{path}:{number}: {text}" for text in problems(path, include)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
