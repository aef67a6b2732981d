"""What docs/project/security.md says of the built program and the Python module: how they were compiled
and linked (read off the files with readelf), that no command opens a socket unless asked to; limits.

CAOS_PROGRAM and, if it was built, CAOS_MODULE name the files; CAOS_HARDENED is 0 where a sanitizer
takes the place of some flags.
"""

import ast
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["CAOS_PROGRAM"]
MODULE = os.environ.get("CAOS_MODULE")
TINY_GGUF = os.environ.get("CAOS_TINY_GGUF")  # a program that writes one
TINY_ONNX = ROOT / "fuzz" / "corpus" / "runtime_onnx" / "tiny"


def readelf(option, path):
    return subprocess.run(["readelf", "--wide", option, path], check=True, capture_output=True,
                          text=True).stdout


@unittest.skipUnless(shutil.which("readelf"), "NOT TESTED: there is no readelf")
class Files(unittest.TestCase):
    def setUp(self):
        if not MODULE:
            print("NOT TESTED: the Python module, which was not built")
        self.paths = [PROGRAM] + ([MODULE] if MODULE else [])

    def test_can_be_loaded_at_any_address(self):
        self.assertIn("Position-Independent Executable", readelf("--file-header", PROGRAM))
        for path in self.paths:
            self.assertNotIn("TEXTREL", readelf("--dynamic", path))

    def test_bind_their_functions_at_once_and_write_protect_the_table(self):
        for path in self.paths:
            self.assertRegex(readelf("--dynamic", path), r"FLAGS.*\bNOW\b")
            self.assertIn("GNU_RELRO", readelf("--program-headers", path))

    def test_execute_nothing_on_the_stack_and_write_nothing_executable(self):
        for path in self.paths:
            headers = readelf("--program-headers", path)
            self.assertRegex(headers, r"GNU_STACK +(0x\w+ +){5}RW +")
            self.assertNotRegex(headers, r"LOAD +(0x\w+ +){5}RWE")

    def test_watch_their_stacks_and_copies(self):
        if os.environ.get("CAOS_HARDENED") == "0":
            self.skipTest("NOT TESTED: sanitizers stand in for these")
        for path in self.paths:
            symbols = readelf("--dyn-syms", path)
            self.assertIn("__stack_chk_fail", symbols)
            self.assertRegex(symbols, r"__memcpy_chk|__snprintf_chk|__fprintf_chk")

    def test_look_for_libraries_in_no_folder_that_others_may_write(self):
        """An empty folder in the list is the current one, wherever the program is called."""
        for path in self.paths:
            lists = re.findall(r"R(?:UN)?PATH.*\[(.*)\]", readelf("--dynamic", path))
            for folder in ":".join(lists).split(":") if lists else []:
                self.assertRegex(folder, r"\A(\$ORIGIN|/)")

    def test_run_without_special_rights(self):
        for path in self.paths:
            self.assertEqual(os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID), 0)


def traced(*arguments, folder, succeeds=True):
    """What the system was asked about networks by a run of the program."""
    log = pathlib.Path(folder, "calls")
    subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=%network", "-o", log,
                    PROGRAM, *arguments], cwd=folder, check=succeeds, capture_output=True,
                   # Leaks cannot be looked for under a debugger.
                   env={**os.environ, "HOME": folder, "ASAN_OPTIONS": "detect_leaks=0"})
    return log.read_text()


def version():
    return subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout


def write_messages(folder):
    """A few of the messages: each reference of a score store is synced to the disk."""
    lines = (ROOT / "examples" / "messages" / "messages.csv").read_text().splitlines()[:13]
    pathlib.Path(folder, "messages.csv").write_text("\n".join(lines) + "\n")


def can_trace():
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-qq", "-e", "trace=none", "true"], check=False,
                          capture_output=True).returncode == 0


@unittest.skipUnless(can_trace(), "NOT TESTED: strace is not there, or may not look")
class Network(unittest.TestCase):
    def test_is_used_by_no_command_that_was_not_asked_to(self):
        with tempfile.TemporaryDirectory() as folder:
            write_messages(folder)
            for line in ("generate -o example --n 20 --num-test 5",
                         "evaluate --labeled example/labeled.npy --labels example/labels.npy "
                         "--test example/test.npy --test-labels example/test-labels.npy",
                         "calibrate --labeled example/labeled.npy --labels example/labels.npy "
                         "-o model.caos",
                         "predict model.caos --test example/test.npy --alpha 0.1",
                         "inspect model.caos", "advise --n 20 --alpha 0.1", "--version", "--help",
                         "landmarks synthesize -o faces --n 10 --new 2",
                         "landmarks calibrate --images faces/labeled "
                         "--landmarks faces/labeled.csv -o faces.caos",
                         "landmarks predict faces.caos faces/new -o regions.json",
                         "text calibrate --train messages.csv --labels-from train "
                         "-o text.caos",
                         "text predict text.caos messages.csv",
                         "text score --train messages.csv --labels-from train -o scores",
                         "landmarks convert faces/labeled.csv faces/labeled.xml",
                         "landmarks embed faces/new -o embeddings.npy",
                         "landmarks evaluate --images faces/labeled "
                         "--landmarks faces/labeled.csv",
                         "text evaluate --train messages.csv --labels-from train --test-size 4",
                         "verify --labeled example/labeled.npy --labels example/labels.npy "
                         "--splits 2 --alpha 0.2",
                         "man"):
                with self.subTest(command=line):
                    self.assertEqual(traced(*line.split(), folder=folder), "")

    def test_is_not_used_by_onnx_runtime(self):
        if "without ONNX Runtime" in version():
            self.skipTest("NOT TESTED: this caos is without ONNX Runtime")
        with tempfile.TemporaryDirectory() as folder:
            draw = "landmarks synthesize -o faces --n 10 --new 2"
            embed = f"landmarks embed faces/new --backbone onnx:{TINY_ONNX} -o patches.npy"
            self.assertEqual(traced(*draw.split(), folder=folder), "")
            self.assertEqual(traced(*embed.split(), folder=folder), "")

    def test_is_not_used_by_llama_cpp(self):
        if "without llama.cpp" in version() or not TINY_GGUF:
            self.skipTest("NOT TESTED: this caos is without llama.cpp")
        with tempfile.TemporaryDirectory() as folder:
            write_messages(folder)
            subprocess.run([TINY_GGUF, pathlib.Path(folder, "tiny.gguf")], check=True,
                           stdout=subprocess.DEVNULL)
            calibrate = ("text calibrate --train messages.csv --labels-from train "
                         "--model llama:tiny.gguf -o text.caos")
            self.assertEqual(traced(*calibrate.split(), folder=folder), "")

    def test_would_be_seen(self):
        """The program looks for a server even if none is running."""
        with tempfile.TemporaryDirectory() as folder:
            write_messages(folder)
            line = ("text score --train messages.csv --labels-from train -o scores "
                    "--model server:http://127.0.0.1:9")
            log = traced(*line.split(), folder=folder, succeeds=False)
        self.assertIn("AF_INET", log)


UNITS = {"": 1, "s": 1000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def in_words(text):
    """The number that people read: `64 MiB`, `100,000`, `10 s` (in milliseconds)."""
    number, unit = re.fullmatch(r"([\d,]+)(?: (s|KiB|MiB|GiB))?", text).groups("")
    return int(number.replace(",", "")) * UNITS[unit]


def in_code(text):
    """The number that the compiler reads: `std::size_t{16} << 30`, `100'000`, `10000`."""
    plain = re.sub(r"std::\w+\{(\d+)\}", r"\1", text.replace("'", ""))
    found = ast.parse(re.fullmatch(r"[\d <]+", plain)[0].strip(), mode="eval").body
    if isinstance(found, ast.BinOp):
        return found.left.value << found.right.value
    return found.value


class Limits(unittest.TestCase):
    def test_are_those_of_the_code(self):
        """Rows of the table: what | `how much` | file | name in it."""
        text = (ROOT / "docs" / "project" / "security.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| [^|]+ \| ([\d,]+(?: \w+)?) \| `([^`]+)` \| `(\w+)` \|$", text,
                          re.MULTILINE)
        self.assertGreater(len(rows), 20)
        for words, path, name in rows:
            with self.subTest(name=name, path=path):
                code = (ROOT / path).read_text(encoding="utf-8")
                found = re.search(rf"\b{name}(?: = ([^;]+)|\{{(\d+)\}});", code)
                self.assertIsNotNone(found)
                self.assertEqual(in_words(words), in_code(found[1] or found[2]))


if __name__ == "__main__":
    unittest.main()
