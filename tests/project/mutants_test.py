"""The list of facts that tools/mutants breaks fits the sources, and its parts do what they say."""

import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load_script():
    loader = importlib.machinery.SourceFileLoader("mutants", str(ROOT / "tools" / "mutants"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    sys.modules["mutants"] = module
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


mutants = load_script()


class Facts(unittest.TestCase):
    def test_are_in_their_files_once_and_have_tests_that_the_build_knows(self):
        self.assertEqual(list(mutants.complaints(mutants.read_facts())), [])

    def test_are_as_many_as_the_documents_say(self):
        text = (ROOT / "docs" / "project" / "testing.md").read_text(encoding="utf-8")
        said = re.search(r"breaks (\d+) facts", " ".join(text.split()))[1]
        self.assertEqual(len(mutants.read_facts()), int(said))


class Complaints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "module").mkdir()
        (self.root / "a.cpp").write_text("x <= y; z <= y;", encoding="utf-8")
        (self.root / "module" / "a_test.cpp").write_text("TEST(A, Is) {}\n", encoding="utf-8")
        for name in ("b.cpp", "test_a.py", "test_b.py"):
            (self.root / "module" / name).write_text("TEST(B, Is) {}\n", encoding="utf-8")
        (self.root / "module" / "CMakeLists.txt").write_text("foreach(module test_a)",
                                                             encoding="utf-8")

    def about(self, **changes):
        parts = {"name": "ties count", "file": "a.cpp", "right": "x <= y", "wrong": "x < y",
                 "tests": ["module/a_test.cpp"]} | changes
        return list(mutants.complaints([mutants.Fact(**parts)], self.root))

    def test_come_only_of_what_is_wrong(self):
        self.assertEqual(self.about(), [])
        self.assertIn("0 times", self.about(right="x == y")[0])
        self.assertIn("2 times", self.about(right="<= y")[0])
        self.assertIn("0 times", self.about(file="b.cpp")[0])
        self.assertIn("the same", self.about(wrong="x <= y")[0])
        self.assertIn("no tests", self.about(tests=[])[0])
        self.assertEqual(self.about(tests=["module/test_a.py"]), [])
        for test in ("b.cpp", "c_test.cpp", "test_b.py", "test_c.py"):
            self.assertIn("not a test file", self.about(tests=[f"module/{test}"])[0])


class Answers(unittest.TestCase):
    FAILED = "2/3 Test #17: module.Suite.Case ........***Failed    0.01 sec"
    ABORTED = "1/3 Test  #7: module.Suite.Other ..Subprocess aborted***Exception:   0.02 sec"
    STUCK = "1/3 Test  #7: module.Suite.Slow ...***Timeout 600.02 sec"

    @staticmethod
    def fact(may_hang):
        return mutants.Fact(name="", file="", right="", wrong="", tests=[], may_hang=may_hang)

    def test_name_the_test_that_failed(self):
        self.assertEqual(mutants.failing(self.fact(False), self.FAILED), "module.Suite.Case")
        self.assertEqual(mutants.failing(self.fact(False), self.ABORTED), "module.Suite.Other")

    def test_count_a_test_that_never_ends_only_where_that_is_stated(self):
        self.assertEqual(mutants.failing(self.fact(True), self.STUCK), "module.Suite.Slow")
        with self.assertRaises(mutants.Trouble):
            mutants.failing(self.fact(False), self.STUCK)

    def test_are_trouble_where_no_test_failed(self):
        with self.assertRaises(mutants.Trouble):
            mutants.failing(self.fact(False), "No tests were found!!!")


class Cases(unittest.TestCase):
    def test_are_called_as_ctest_calls_them(self):
        names = mutants.cases_of("tests/numerics/p_value_test.cpp")
        self.assertRegex("numerics.PValue.CountsTheCandidateItself", names)
        self.assertNotRegex("numerics.PValue.CountsTheCandidateItselfTwice", names)
        typed = mutants.cases_of("tests/kernels/check_test.cpp")
        self.assertRegex("kernels.FindNotAScore.FindsTheFirstNaNOrMinusInfinity<float>", typed)
        varied = mutants.cases_of("tests/studio/workbench/workbench_regions_test.cpp")
        name = "Scores.GiveTheRegionsThatTheProgramPredictsWithTheModel"
        self.assertRegex(f'studio.All/{name}/"cosine"', varied)
        self.assertEqual(mutants.cases_of("tests/cli/test_evaluate.py"), r"^cli\.evaluate$")
        self.assertEqual(mutants.cases_of("tests/studio/api/test_security.py"),
                         r"^studio\.api_security$")

    def test_are_built_by_their_program(self):
        self.assertEqual(mutants.target_of("tests/numerics/p_value_test.cpp"),
                         "numerics_tests")
        self.assertEqual(mutants.target_of("tests/cli/test_evaluate.py"), "caos_program")


if __name__ == "__main__":
    unittest.main()
