"""Runs every shell block of README.md in one scratch folder, with the built `caos` on the PATH."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def shell_blocks():
    text = README.read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_its_commands_work_when_pasted(self):
        blocks = shell_blocks()
        self.assertGreaterEqual(len(blocks), 2)
        with tempfile.TemporaryDirectory() as scratch:
            bin_dir = pathlib.Path(scratch, "bin")
            bin_dir.mkdir()
            (bin_dir / "caos").symlink_to(os.environ["CAOS_PROGRAM"])
            (bin_dir / "python3").symlink_to(sys.executable)
            path = f"{bin_dir}:{os.environ['PATH']}"
            work = pathlib.Path(scratch, "work")
            work.mkdir()
            for block in blocks:
                result = subprocess.run(["sh", "-eu", "-c", block], cwd=work, text=True,
                                        env={**os.environ, "PATH": path}, capture_output=True)
                self.assertEqual(result.returncode, 0, f"{block}\n{result.stderr}")


if __name__ == "__main__":
    unittest.main()
