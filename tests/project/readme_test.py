"""Runs every block of README.md that is shell or Python, in one scratch folder, with the built `caos`
on the PATH and the package on the PYTHONPATH, and follows the links of all documents."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

# What a test may need that a reader does not: to run as root, and on fewer cores than ranks.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl": "self,vader",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_oob_tcp_if_include": "lo"}


COMMANDS = {"sh": ["sh", "-eu", "-c"], "python": [sys.executable, "-B", "-c"]}


def blocks():
    """Language and text of each, in order."""
    text = README.read_text(encoding="utf-8")
    return re.findall(r"^```(sh|python)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def without_mpi():
    version = subprocess.run([os.environ["CAOS_PROGRAM"], "--version"], capture_output=True)
    return b"without MPI" in version.stdout


def why_not(language, block):
    """Why a block cannot be run here; None if it can."""
    if "mpirun" in block and without_mpi():
        return "mpirun, as this caos is without MPI"
    if language == "python" and "PYTHONPATH" not in os.environ:
        return "Python, as the package was not built"
    return None


class Readme(unittest.TestCase):
    def test_its_commands_and_programs_work_when_pasted(self):
        self.assertGreaterEqual(len(blocks()), 2)
        with tempfile.TemporaryDirectory() as scratch:
            bin_dir = pathlib.Path(scratch, "bin")
            bin_dir.mkdir()
            (bin_dir / "caos").symlink_to(os.environ["CAOS_PROGRAM"])
            (bin_dir / "python3").symlink_to(sys.executable)
            path = f"{bin_dir}:{os.environ['PATH']}"
            work = pathlib.Path(scratch, "work")
            work.mkdir()
            (work / "examples").symlink_to(ROOT / "examples")
            for language, block in blocks():
                if reason := why_not(language, block):
                    print(f"NOT TESTED: {reason}", file=sys.stderr)
                    continue
                result = subprocess.run([*COMMANDS[language], block], cwd=work, text=True,
                                        env={**os.environ, **MPI, "PATH": path},
                                        capture_output=True)
                self.assertEqual(result.returncode, 0, f"{block}\n{result.stderr}")


class Documents(unittest.TestCase):
    def test_link_to_files_that_exist(self):
        documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")]
        self.assertGreater(len(documents), 5)
        for document in documents:
            for link in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
                if "://" not in link:
                    self.assertTrue((document.parent / link).exists(), f"{document.name}: {link}")


if __name__ == "__main__":
    unittest.main()
