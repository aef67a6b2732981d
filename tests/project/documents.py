"""Runs what documents show: the blocks of one document in order, in a scratch folder of its own.

    ```sh                commands, pasted into a shell; `caos serve` is started, opened and stopped
    ```python            a cell; the cells of a document share their names, as in a notebook
    ```python FILE       a program, put into this file for commands further down
    ```text              right below one of these: what it prints, `...` standing for anything
    ```console REASON    commands that are not run, and why; ```py REASON the same of programs

Blocks without a mark are not commands.
"""

import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What `tools/get_model minilm` fetches.
ENCODER = ROOT / "models" / "all-MiniLM-L6-v2"
# How many times longer than usual things may take, as under sanitizers.
PATIENCE = int(os.environ.get("CAOS_PATIENCE", "1"))

BLOCK = re.compile(r"^```(?P<mark>\w*)[ ]*(?P<rest>[^\n]*)\n(?P<code>.*?)^```\n",
                   re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"\n```text\n(?P<output>.*?)^```\n", re.MULTILINE | re.DOTALL)

# What a test may need that a reader does not: to run as root, and on fewer cores than ranks.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl": "self,vader",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_oob_tcp_if_include": "lo",
       "ASAN_OPTIONS": "detect_leaks=0"}  # MPI keeps some memory to its end


@dataclass
class Block:
    mark: str
    rest: str  # what stands behind the mark
    code: str
    line: int  # of its first line, from 0
    expected: str | None  # what the document says that it prints
    output: tuple[int, int]  # where that stands


def blocks_of(text):
    """The blocks of a document, in order; outputs belong to what prints them."""
    blocks, end = [], 0
    while found := BLOCK.search(text, end):
        end = found.end()
        output = OUTPUT.match(text, end) if found["mark"] in ("sh", "python") else None
        span = output.span() if output else (end, end)
        blocks.append(Block(found["mark"], found["rest"].strip(), found["code"],
                            text.count("\n", 0, found.start("code")),
                            output["output"] if output else None, span))
        end = span[1]
    return blocks


def matches(printed, expected):
    """Whether a text is the expected one, in which `...` stands for anything: alone on a line for
    any lines, elsewhere for any part of a line."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else
                      r".*?".join(map(re.escape, line.split("..."))) + r"\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, printed) is not None


def commands_in(code):
    """One per line, lines that end in a backslash joined to the next, without comments."""
    lines = code.replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


class Failure(Exception):
    """A document does not do what it says."""


class Scratch:
    """A folder to work in, with the examples that a copy of the repository has, `caos` on the PATH,
    and a home of its own."""

    def __init__(self):
        self.whole = tempfile.TemporaryDirectory(prefix="caos-documents-")
        root = pathlib.Path(self.whole.name)
        self.work = root / "work"
        for name in ("bin", "work", "home", "tmp"):
            (root / name).mkdir()
        (root / "bin" / "caos").symlink_to(os.environ["CAOS_PROGRAM"])
        (root / "bin" / "python3").symlink_to(sys.executable)
        (self.work / "examples").symlink_to(ROOT / "examples")
        if ENCODER.is_dir():
            (self.work / "models").symlink_to(ROOT / "models")
        self.env = {**os.environ, **MPI, "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
                    "HOME": str(root / "home"), "TMPDIR": str(root / "tmp"), "MPLBACKEND": "agg"}
        self.env.pop("XDG_CACHE_HOME", None)
        self.cells = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.cells:
            self.cells.stdin.close()
            self.cells.wait(timeout=60)
            self.cells.stdout.close()
        self.whole.cleanup()

    def run(self, block, document):
        """What the block prints."""
        if block.mark == "python" and block.rest:
            (self.work / block.rest).write_text(block.code, encoding="utf-8")
            return ""
        if block.mark == "python":
            return self._run_cell(block, document)
        commands = commands_in(block.code)
        if any(command.startswith("caos serve ") for command in commands):
            return "".join(self._serve(command) if command.startswith("caos serve ")
                           else self._run_shell(command) for command in commands)
        return self._run_shell(block.code)

    def _run_shell(self, code):
        done = subprocess.run(["sh", "-eu", "-c", code], cwd=self.work, env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              stdin=subprocess.DEVNULL, timeout=300 * PATIENCE)
        if done.returncode != 0:
            raise Failure(f"exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def _serve(self, command):
        """Starts the studio on any free port, opens its page, and stops it as Ctrl-C does."""
        words = shlex.split(command, comments=True) + ["--port", "0"]
        with subprocess.Popen(words, cwd=self.work, env=self.env, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
            try:
                line = server.stdout.readline()
                if not (found := re.search(r"http://\S+", line)):
                    raise Failure(f"{command}: did not start\n{line}{server.stderr.read()}")
                with urllib.request.urlopen(found[0], timeout=30) as answer:
                    if b"caos studio" not in answer.read():
                        raise Failure(f"{command}: no page at {found[0]}")
            finally:
                server.send_signal(signal.SIGINT)
            if server.wait(timeout=60) != 0:
                raise Failure(f"{command}: exit code {server.returncode}")
        return line

    def _run_cell(self, block, document):
        if not self.cells:
            runner = pathlib.Path(__file__).with_name("run_cells.py")
            self.cells = subprocess.Popen([sys.executable, "-B", str(runner)], cwd=self.work,
                                          env=self.env, text=True, stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE)
        # So that errors name lines of the document.
        cell = {"code": "\n" * block.line + block.code, "name": str(document)}
        self.cells.stdin.write(json.dumps(cell) + "\n")
        self.cells.stdin.flush()
        done = json.loads(self.cells.stdout.readline())
        if done["error"]:
            raise Failure(f"{done['printed']}{done['error']}")
        return done["printed"]


@functools.cache
def version():
    return subprocess.run([os.environ["CAOS_PROGRAM"], "--version"], capture_output=True, text=True,
                          check=True).stdout


def why_not(block):
    """Why a block cannot be run here; None if it can."""
    if "mpirun" in block.code and "without MPI" in version():
        return "mpirun, as this caos is without MPI"
    if "encoder:models/" in block.code and not ENCODER.is_dir():
        return "an encoder, which 'tools/get_model minilm' fetches"
    if "encoder:" in block.code and "without ONNX Runtime" in version():
        return "an encoder, as this caos is without ONNX Runtime"
    if "caos serve" in block.code and "without the studio" in version():
        return "caos serve, as this caos is without its page"
    if block.mark == "python" and "PYTHONPATH" not in os.environ:
        return "Python, as the package was not built"
    return None


def outputs_of(block):
    """The files that a block writes with -o."""
    return set(re.findall(r" -o (\S+)", block.code))


def run_document(document, figures=None):
    """Runs a document up to the first block that fails, and yields each block with what it printed.
    A block that cannot be run is left out, and so are those that name a file which it writes. What
    cells drew into the folder `images` is copied to `figures`."""
    missing = set()
    with Scratch() as scratch:
        for block in blocks_of(document.read_text(encoding="utf-8")):
            if block.mark not in ("sh", "python"):
                continue
            if block.mark == "sh" and missing & set(block.code.split()):
                missing |= outputs_of(block)
                continue
            if reason := why_not(block):
                missing |= outputs_of(block)
                print(f"NOT TESTED: {document.name}: {reason}", file=sys.stderr)
                if block.mark == "python":
                    return  # what follows may stand on what it makes
                continue
            try:
                printed = scratch.run(block, document)
            except Failure as failure:
                raise Failure(f"{place_of(block, document)}\n{block.code}{failure}") from failure
            yield block, re.sub(r"[ \t]+$", "", printed, flags=re.MULTILINE)
        if figures and (scratch.work / "images").is_dir():
            shutil.copytree(scratch.work / "images", figures, dirs_exist_ok=True)


def place_of(block, document):
    return f"{document.relative_to(ROOT)}:{block.line}:"


def write(document):
    """The document with what its blocks print now; outputs with `...` stay as they are."""
    text, parts, end = document.read_text(encoding="utf-8"), [], 0
    figures = document.parent.parent / "images" if document.parent.name == "start" else None
    for block, printed in run_document(document, figures):
        if block.expected is None or "..." in block.expected:
            continue
        parts.append(f"{text[end:block.output[0]]}\n```text\n{printed}```\n")
        end = block.output[1]
    document.write_text("".join(parts) + text[end:], encoding="utf-8")
