"""tools/check_voice.py finds what it should, and leaves out what is allowed."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_voice  # noqa: E402


class Findings(unittest.TestCase):
    def found(self, text, name="page.md"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            return [one.split(":", 2)[1:] for one in check_voice.findings(path)]

    def numbers(self, text, name="page.md"):
        return [int(number) for number, _ in self.found(text, name)]

    def test_are_the_phrases_of_every_pattern(self):
        examples = ["is no number", "nobody", "anew", "labelled", "grey", "one word too many", "mended",
                    "holds the truth", "It shall end.", "Who asks is told.", "in the mean", "promised"]
        for example in examples:
            with self.subTest(example):
                self.assertEqual(self.numbers(f"plain\n{example}\n"), [2])

    def test_look_into_names(self):
        self.assertEqual(self.numbers("TEST(Sets, AreSortedAnew) {}\nint sorted_anew;\n", "a.cpp"), [1, 2])

    def test_go_over_two_lines_once(self):
        self.assertEqual(self.numbers("/// The set holds\n/// the truth.\n/// More.\n", "a.hpp"), [1])

    def test_leave_plain_words_alone(self):
        plain = "There is no need to label. It is not a number; it contains the true label, again in gray.\n"
        self.assertEqual(self.found(plain), [])

    def test_leave_out_what_is_allowed_in_such_files(self):
        self.assertEqual(self.found("std::promise<int> done;\n", "a.cpp"), [])
        self.assertEqual(self.numbers("a promise\n", "a.cpp"), [1])


class Files(unittest.TestCase):
    def test_are_all_sources_and_documents(self):
        names = {path.relative_to(ROOT).as_posix() for path in check_voice.files()}
        for name in ("README.md", "Makefile", "apps/cli/main.cpp", "bindings/python/caos/sklearn.py",
                     "include/caos/calibration.hpp", "tests/project/voice_test.py"):
            self.assertTrue(name in names or not (ROOT / name).exists(), name)
        self.assertGreater(len(names), 1000)


if __name__ == "__main__":
    unittest.main()
