"""Manual, reference pages and completions are those of the program, and work where they are read."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from support import PATIENCE, PROGRAM, ProgramTest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "reference" / "commands"
SCRIPT = ROOT / "tools" / "reference.py"


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"NOT TESTED: there is no {program}")


class ReferenceTest(ProgramTest):
    def pages(self):
        """Writes the pages of the repository into a folder, and returns it."""
        self.run_shell(sys.executable, str(SCRIPT), "--caos", str(PROGRAM), "--output", "pages")
        return self.folder / "pages"

    def manual(self):
        self.succeed("man", "--output", "man")
        return self.folder / "man"

    def completion(self, shell, name):
        """Writes a script for a shell into a folder, and returns its path."""
        folder = self.folder / shell
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(self.output("completions", shell))
        return folder / name

    def run_shell(self, *command, **options):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60 * PATIENCE,
                              check=False, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def commands(self):
        """Of --help: `evaluate`, `landmarks predict`..."""
        for command in self.commands_below():
            below = [f"{command} {name}" for name in self.commands_below(command)]
            yield from below or [command]

    def commands_below(self, *command):
        text = self.run_caos(*command, "--help").out
        part = re.search(r"^Commands:\n((?:  .*\n|\n)+)", text, flags=re.MULTILINE)
        return re.findall(r"^  ([a-z]+) ", part[1], flags=re.MULTILINE) if part else []


class Pages(ReferenceTest):
    def test_of_the_repository_are_those_of_the_program(self):
        printed = self.pages()
        remedy = "docs/reference/commands is out of date: run `make reference`"
        names = sorted(path.name for path in printed.iterdir())
        self.assertEqual(sorted(path.name for path in PAGES.iterdir()), names, remedy)
        for name in names:
            self.assertEqual((PAGES / name).read_text(), (printed / name).read_text(), remedy)

    def test_have_every_command_and_option_of_help(self):
        pages = self.pages()
        manual = self.manual()
        commands = list(self.commands())
        self.assertGreater(len(commands), 15)
        self.assertEqual(len(list(pages.iterdir())), len(commands) + 1)
        for command in commands:
            name = command.replace(" ", "-")
            help_text = self.run_caos(*command.split(), "--help").out
            options = set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", help_text, flags=re.MULTILINE))
            self.assertGreater(len(options), 0, command)
            page = (pages / f"{name}.md").read_text()
            self.assertEqual({o for o in options if f"`{o}" not in page}, set(), command)
            roff = (manual / f"caos-{name}.1").read_text().replace("\\-", "-")
            self.assertEqual({o for o in options if f"\\fB{o}\\fR" not in roff}, set(), command)

    def test_are_made_from_one_json_object(self):
        dump = json.loads(self.output("man", "--json"))
        self.assertIn(f"caos {dump['version']} ", self.output("--version"))
        names = [command["name"] for command in dump["program"]["commands"]]
        self.assertEqual(names, list(self.commands_below()))

    def test_of_an_unknown_command_or_shell_are_misuse(self):
        self.refuse(2, ["man", "landmarks", "predct"], "predct")
        self.refuse(2, ["completions", "tcsh"], "tcsh", "bash", "zsh", "fish")


class Manual(ReferenceTest):
    @needs("mandoc")
    def test_has_no_mistakes(self):
        for page in sorted(self.manual().iterdir()):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                                  capture_output=True, text=True, check=False)
            complaints = [line for line in done.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(complaints, [])

    def test_of_a_command_is_printed(self):
        pages = self.manual()
        self.assertEqual(self.output("man"), (pages / "caos.1").read_text())
        self.assertEqual(self.output("man", "landmarks", "predict"),
                         (pages / "caos-landmarks-predict.1").read_text())

    @needs("man")
    def test_shows_environment_exit_codes_and_files(self):
        page = self.manual() / "caos.1"
        text = self.run_shell("man", "--warnings=w", "--local-file", str(page),
                              env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
        for word in ("CAOS_KERNELS", "XDG_CACHE_HOME", "EXIT STATUS", "~/.cache/caos",
                     "caos-landmarks-predict(1)"):
            self.assertIn(word, text)


class BashTest(ReferenceTest):
    def complete(self, line):
        """What bash would offer at the end of the line, whose words are as bash splits them."""
        words = re.findall(r"[=:]|[^\s=:]+", line) + ([""] if line.endswith(" ") else [])
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _caos; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        (self.folder / "regions").mkdir(exist_ok=True)
        (self.folder / "model.caos").touch()
        text = self.run_shell("bash", "-c", script, str(self.completion("bash", "caos")), *words)
        return sorted(text.split())


class Bash(BashTest):
    @needs("bash")
    def test_completes_commands(self):
        self.assertEqual(self.complete("caos landm"), ["landmarks"])
        self.assertEqual(self.complete("caos landmarks pre"), ["predict"])
        self.assertEqual(self.complete("caos man --q"), ["--quiet"])

    @needs("bash")
    def test_completes_arguments_of_a_few_words(self):
        self.assertEqual(self.complete("caos completions z"), ["zsh"])
        self.assertEqual(self.complete("caos completions "), ["bash", "fish", "zsh"])

    @needs("bash")
    def test_completes_options(self):
        self.assertEqual(self.complete("caos landmarks predict --simul"), ["--simultaneous"])
        self.assertIn("--alpha", self.complete("caos evaluate --"))
        self.assertNotIn("--simultaneous", self.complete("caos evaluate --"))

    @needs("bash")
    def test_completes_values(self):
        self.assertEqual(self.complete("caos predict --method "),
                         ["caos", "full-caos", "split-caos"])
        self.assertEqual(self.complete("caos predict --method=f"), ["full-caos"])
        self.assertEqual(self.complete("caos evaluate --methods scos,full"), ["scos,full-caos"])
        self.assertEqual(self.complete("caos text score --normalization p"), ["per-byte", "pmi"])
        self.assertEqual(self.complete("caos evaluate --alpha 0."), [])

    @needs("bash")
    def test_completes_files_and_folders(self):
        self.assertEqual(self.complete("caos landmarks predict mod"), ["model.caos"])
        self.assertEqual(self.complete("caos landmarks predict --overlay r"), ["regions"])
        self.assertEqual(self.complete("caos landmarks calibrate -o mod"), ["model.caos"])
        self.assertEqual(self.complete("caos landmarks predict --overlay m"), [])
        self.assertEqual(self.complete("caos landmarks embed --backbone onnx:mo"), ["model.caos"])


class Fish(ReferenceTest):
    def complete(self, line):
        script = f'source {self.completion("fish", "caos.fish")}; complete -C "{line}"'
        text = self.run_shell("fish", "--no-config", "-c", script, env={
            **os.environ, "HOME": str(self.folder)})
        return sorted(row.split("\t")[0] for row in text.splitlines())

    @needs("fish")
    def test_completes_commands_options_and_values(self):
        self.assertEqual(self.complete("caos landm"), ["landmarks"])
        self.assertEqual(self.complete("caos landmarks pre"), ["predict"])
        self.assertEqual(self.complete("caos landmarks predict --simul"), ["--simultaneous"])
        self.assertEqual(self.complete("caos predict --method "),
                         ["caos", "full-caos", "split-caos"])
        self.assertIn("scos,full-caos", self.complete("caos evaluate --methods scos,full"))

    @needs("fish")
    def test_completes_files_and_folders(self):
        (self.folder / "regions").mkdir()
        (self.folder / "model.caos").touch()
        self.assertEqual(self.complete("caos landmarks predict mod"), ["model.caos"])
        self.assertEqual(self.complete("caos landmarks predict --overlay re"), ["regions/"])


class Zsh(ReferenceTest):
    """zsh completes only at a terminal: it gets one, and what it puts there is read."""

    def setUp(self):
        super().setUp()
        folder = self.completion("zsh", "_caos").parent
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(self.folder)
            os.environ.update(HOME=str(self.folder), TERM="dumb", PS1="ready> ", COLUMNS="200")
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.addCleanup(self.end)
        self.type(f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; echo re''ady-$?\n")
        self.read_until("ready-0")

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_until(self, wanted):
        """What appears, up to the wanted text."""
        text, limit = "", time.monotonic() + 30
        while wanted not in text:
            left = limit - time.monotonic()
            self.assertGreater(left, 0, f"{wanted!r} did not appear: {text!r}")
            if select.select([self.terminal], [], [], left)[0]:
                text += os.read(self.terminal, 4096).decode(errors="replace")
        return text

    def completes(self, typed, wanted):
        """The line, with a tabulator at its end, becomes `wanted`, which echo then shows."""
        self.type(f"caos() {{ echo \"<$*>\" }}\n{typed}\t\n")
        self.read_until(f"<{wanted}>")

    @needs("zsh")
    def test_completes_commands_options_values_and_files(self):
        (self.folder / "model.caos").touch()
        self.completes("caos landm", "landmarks")
        self.completes("caos landmarks pre", "landmarks predict")
        self.completes("caos landmarks predict --simul", "landmarks predict --simultaneous")
        self.completes("caos predict --method f", "predict --method full-caos")
        self.completes("caos landmarks predict mod", "landmarks predict model.caos")


if not shutil.which("zsh"):
    Zsh = unittest.skip("NOT TESTED: there is no zsh")(Zsh)


if __name__ == "__main__":
    unittest.main()
