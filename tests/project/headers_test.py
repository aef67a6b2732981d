"""The public headers: few, and each compiles alone, with nothing else of the project in reach.

CAOS_CXX is the compiler.
"""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "include").rglob("*.hpp"))


class PublicHeaders(unittest.TestCase):
    def test_are_few_and_in_one_directory(self):
        self.assertEqual({header.parent for header in HEADERS}, {ROOT / "include" / "caos"})
        self.assertLessEqual(len(HEADERS), 30)

    def test_compile_alone(self):
        for header in HEADERS:
            with self.subTest(header.name):
                done = subprocess.run(
                    [os.environ["CAOS_CXX"], "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic",
                     "-Werror", "-I", ROOT / "include", "-x", "c++", "-"],
                    input=f"#include <caos/{header.name}>\n", capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_are_all_in_caos_hpp(self):
        text = (ROOT / "include" / "caos" / "caos.hpp").read_text(encoding="utf-8")
        for header in HEADERS:
            if header.name != "caos.hpp":
                self.assertIn(f'#include "caos/{header.name}"\n', text)


if __name__ == "__main__":
    unittest.main()
