"""Help, version, streams, and files that are written whole or not at all."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from support import PATIENCE, PROGRAM, TaskTest, random_task

MESSAGES = Path(__file__).resolve().parents[2] / "examples" / "messages"
COMMANDS = ["evaluate", "calibrate", "predict", "inspect", "advise", "generate"]


def example_of(text):
    """The command after the last 'Example', its lines joined."""
    lines = re.split(r"(?m)^Example.*:\n", text)[-1].rstrip("\n").split("\n")
    return "\n".join(line.strip() for line in lines)


class Help(TaskTest):
    def paste(self, command):
        """Runs a command as a user would, with `caos` on the PATH."""
        programs = self.folder / ".programs"
        programs.mkdir(exist_ok=True)
        if not (programs / "caos").exists():
            (programs / "caos").symlink_to(os.path.abspath(PROGRAM))
        environment = self.environment | {"PATH": f"{programs}:{os.environ['PATH']}"}
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, text=True,
                              capture_output=True, timeout=60 * PATIENCE, check=False)

    def test_of_the_program_names_every_command_and_ends_in_examples_that_work(self):
        text = self.output("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")
        examples = text.split("Examples:\n")[1]
        shutil.copytree(MESSAGES, self.folder / "examples" / "messages")
        landmarks_and_texts = examples[examples.index("  caos landmarks"):]
        done = self.paste("set -e\n" + landmarks_and_texts)
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in ("faces/regions.json", "sets.csv"):
            self.assertTrue((self.folder / file).stat().st_size > 0, file)

    def test_of_every_command_ends_in_an_example_that_works(self):
        for command in ["generate", *COMMANDS]:  # the examples of the others use what it makes
            with self.subTest(command=command):
                example = example_of(self.output(command, "--help"))
                self.assertTrue(example.startswith(f"caos {command} "), example)
                done = self.paste(example)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")

    def test_names_every_option_of_the_contract(self):
        options = {
            "evaluate": "labeled labels test test-labels reverse symmetric alpha k methods "
                        "reference-indices seed groups test-groups clip-rank per-example json",
            "calibrate": "labeled labels calibration k groups output json",
            "predict": "test alpha method reverse symmetric output json",
            "inspect": "json", "advise": "n alpha labeled labels json", "generate": "output seed json",
        }
        for command, names in options.items():
            text = self.output(command, "--help")
            for name in names.split():
                self.assertRegex(text, rf"(?m)^  (-\w, |    )--{name}\b", command)

    def all_commands(self, program):
        yield from ([program["name"], *rest] for below in program["commands"]
                    for rest in ([below["name"]], *(self.all_commands(below) if below["commands"] else [])))

    def test_of_every_command_fits_on_the_page_and_shows_no_machinery(self):
        program = json.loads(self.output("man", "--json"))["program"]
        commands = [[], *sorted({tuple(words[1:]) for words in self.all_commands(program)})]
        self.assertGreater(len(commands), 25)
        for command in commands:
            short, full = (self.output(*command, option) for option in ("-h", "--help"))
            self.assertLess(len(short), len(full), command)
            for text in (short, full):
                self.assertLessEqual(max(map(len, text.splitlines())), 100, command)
                for machinery in (":POSITIVE", "Excludes:", "Needs:", "SUBCOMMAND"):
                    self.assertNotIn(machinery, text, command)

    def test_of_one_letter_has_what_most_runs_need(self):
        text = self.output("evaluate", "-h")
        for option in ("--labeled", "--test", "--alpha", "--methods"):
            self.assertIn(option, text)
        for option in ("--clip-rank", "--reference-indices", "--manifest"):
            self.assertNotIn(option, text)
        self.assertIn("caos evaluate --labeled example", text)
        self.assertIn("'caos evaluate --help' shows all options", text)

    def test_and_version_go_to_standard_output(self):
        for arguments in (["--help"], ["evaluate", "--help"], ["--version"]):
            self.assertEqual(self.succeed(*arguments).err, "")
        self.assertEqual(self.output("-V"), self.output("--version"))
        self.assertRegex(self.output("--version"),
                         r"\Acaos \d+\.\d+\.\d+\b.*\n(without )?ONNX Runtime\b.*\n"
                         r"(without )?llama\.cpp\b.*\n(without )?MPI\b.*\n"
                         r"with(out)? the studio's page\b.*\n\Z")


class Streams(TaskTest):
    def setUp(self):
        super().setUp()
        self.task = random_task(1, n=10, num_labels=4, m=6, k=2)
        self.arguments = self.save_all(self.task)

    def content(self, file):
        return self.files()[file]

    def test_any_array_can_come_from_standard_input(self):
        data = ["--symmetric", *self.save_references([0, 4, 2, 8, 6])]
        expected = self.output("evaluate", *self.arguments, *data)
        for file in ("labeled.npy", "labels.npy", "test.npy", "test-labels.npy", "references.npy"):
            arguments = ["-" if word == file else word for word in [*self.arguments, *data]]
            found = self.output("evaluate", *arguments, stdin=self.content(file))
            self.assertEqual(found, expected, file)

    def test_a_model_or_its_inputs_can_come_from_standard_input(self):
        self.calibrate(self.task)
        expected = self.output("predict", "model.caos", "--test", "test.npy", "--alpha", "0.3")
        self.assertEqual(expected, self.output("predict", "-", "--test", "test.npy", "--alpha",
                                               "0.3", stdin=self.content("model.caos")))
        self.assertEqual(expected, self.output("predict", "model.caos", "--test", "-", "--alpha",
                                               "0.3", stdin=self.content("test.npy")))

    def test_labeled_scores_to_calibrate_can_come_from_standard_input(self):
        self.calibrate(self.task)
        self.succeed("calibrate", "--labeled", "-", "--labels", "labels.npy", "--k", 2, "--out",
                     "piped.caos", stdin=self.content("labeled.npy"))
        self.assertEqual(self.content("model.caos"), self.content("piped.caos"))

    def test_a_bad_array_from_standard_input_is_refused_by_that_name(self):
        self.refuse(1, ["inspect", "-"], "<stdin>", stdin=b"")
        arguments = ["-" if word == "test.npy" else word for word in self.arguments]
        self.refuse(1, ["evaluate", *arguments], "<stdin>", "truncated",
                    stdin=self.content("test.npy")[:-1])

    def test_sets_can_go_to_a_file(self):
        self.calibrate(self.task)
        predict = ["predict", "model.caos", "--test", "test.npy", "--alpha", "0.3"]
        for more in ([], ["--json"]):
            expected = self.output(*predict, *more)
            run = self.succeed(*predict, *more, "-o", "sets.jsonl")
            self.assertEqual(run.out, "")
            self.assertEqual((self.folder / "sets.jsonl").read_text(), expected)
        self.refuse(2, [*predict, "-o", "test.npy"], "test.npy")

    def test_of_every_kind_are_silent_with_quiet(self):
        labeled = self.save_labeled(self.task)
        for arguments in (["calibrate", *labeled, "--k", 2, "-o", "m.caos"], ["generate", "-o", "toy"],
                          ["landmarks", "synthesize", "-o", "faces", "--n", 2, "--new", 1, "-j", 1]):
            run = self.succeed(*arguments, "-q")
            self.assertEqual((run.out, run.err), ("", ""), arguments)
            self.assertNotEqual(self.succeed(*arguments).out, "", arguments)

    def test_a_full_standard_output_is_a_failure(self):
        self.calibrate(self.task)
        runs = [["advise", "--n", 40, "--alpha", "0.1"], ["inspect", "test.npy"],
                ["predict", "model.caos", "--test", "test.npy", "--alpha", "0.3", "--quiet"],
                ["evaluate", *self.arguments, "--quiet"], ["--help"], ["evaluate", "--help"],
                ["--version"]]
        for arguments in runs:
            with open("/dev/full", "wb") as full:
                run = self.run_caos(*arguments, stdout=full)
            self.assertEqual(run.code, 1, arguments)
            self.assertRegex(run.err, r"\Acaos: standard output cannot be written.*\n\Z")

    def test_nothing_but_data_goes_to_standard_output_and_no_bars_to_a_file(self):
        run = self.succeed("evaluate", *self.arguments, "--json", "--alpha", "0.01")
        self.assertTrue(run.out.startswith("{") and run.out.endswith("}\n"))
        self.assertNotIn("\r", run.err)
        for line in run.err.splitlines():
            self.assertRegex(line, r"\A(caos: warning|left out): ")


class FilesAreWrittenWholeOrNotAtAll(TaskTest):
    def setUp(self):
        super().setUp()
        task = random_task(2, n=10, num_labels=4, m=6, k=2)
        self.data = [*self.save_all(task), "--methods", "caos", "--alpha", "0.5"]
        self.labeled = [*self.save_labeled(task), "--k", 2]
        self.write("file", "not a folder")
        (self.folder / "folder").mkdir()

    def writers(self, target):
        return [["calibrate", *self.labeled, "--out", target],
                ["evaluate", *self.data, "--per-example", target],
                ["evaluate", *self.data, "--report", target]]

    def test_a_missing_folder_is_a_failure_with_a_remedy(self):
        for arguments in self.writers("missing/out"):
            self.refuse(1, arguments, "missing/out", "create")

    def test_a_folder_in_place_of_the_file_is_a_failure(self):
        for arguments in self.writers("folder"):
            self.refuse(1, arguments, "folder", "directory")

    def test_a_file_in_place_of_the_folder_is_a_failure(self):
        for arguments in self.writers("file/out"):
            self.refuse(1, arguments, "file/out", "not a folder")
        self.refuse(1, ["generate", "--out", "file/toy"], "file/toy")

    def test_a_folder_that_cannot_be_written_is_a_failure(self):
        for arguments in self.writers("/proc/out"):
            self.refuse(1, arguments, "/proc/out", "cannot be written")

    def test_a_full_disk_is_a_failure(self):
        for arguments in self.writers("/dev/full"):
            self.refuse(1, arguments, "/dev/full", "No space left")

    def test_no_temporary_file_stays_behind(self):
        before = set(os.listdir(self.folder))
        for arguments in self.writers("out"):
            self.succeed(*arguments)
        self.assertEqual(set(os.listdir(self.folder)), before | {"out"})

    def test_an_output_may_not_replace_an_input_or_another_output(self):
        self.refuse(2, ["calibrate", *self.labeled, "--out", "labeled.npy"], "labeled.npy",
                    "another name")
        self.refuse(2, ["calibrate", *self.labeled, "--out", "./labeled.npy"], "labeled.npy")
        self.refuse(2, ["evaluate", *self.data, "--per-example", "x", "--report", "./x"], "x")
        self.refuse(2, ["evaluate", *self.data, "--report", "test.npy"], "test.npy")

    def test_a_missing_folder_is_found_out_before_anything_is_written(self):
        self.refuse(1, ["evaluate", *self.data, "--per-example", "a.csv", "--report", "none/x"],
                    "none")

    def test_a_file_written_where_standard_output_goes_does_not_hide_it(self):
        run = self.succeed("evaluate", *self.data, "--per-example", "/dev/stdout")
        self.assertIn("example,label,method", run.out)
        self.assertIn("labeled examples", run.out)


if __name__ == "__main__":
    unittest.main()
