#!/usr/bin/env python3
"""Manual pages, reference pages and shell completions from `caos reference`, which prints all commands and options.

    tools/reference.py markdown --caos build/release/caos --out docs/reference/commands
    tools/reference.py bash >caos.bash          of the caos that is installed

Kinds: man, markdown, bash, zsh, fish. With --out the files go into that folder; otherwise their text is printed.
"""

import argparse
import json
import pathlib
import subprocess
import sys

from completions import bash, fish, zsh

EXIT_CODES = {
    "0": "Done. A warning on standard error does not change this.",
    "1": "Failed: a file is missing, damaged or cannot be written, a model runtime failed, verify found a contradiction, or "
         "inspect an output that is not what was written. Nothing half-written is left.",
    "2": "Misused: an option or a value that cannot be right. Nothing was written.",
}
ENVIRONMENT = {
    "CAOS_KERNELS":
        "The instruction set to compute with, such as SCALAR; by default the best that the processor has. Results are the same "
        "bytes with each; caos --version says which one is used.",
    "XDG_CACHE_HOME":
        "The folder in which a folder caos keeps embeddings that were computed before; by default .cache in the home folder.",
    "HOME": "The home folder, where XDG_CACHE_HOME is not set.",
}
FILES = {
    "~/.cache/caos":
        "Embeddings of images, so that a second run is fast. May be deleted at any time; --no-cache keeps none, and --cache DIR "
        "keeps them elsewhere.",
}


class Option:
    """One option or positional argument of a command, as --help shows it."""

    def __init__(self, entry):
        self.names = entry["names"]
        self.name = self.names[-1]  # the longest
        self.value = entry["value"]
        self.default = entry["default"]
        self.description = entry["description"]
        self.group = entry["group"]  # its heading in --help; empty under the common one
        self.takes = entry["takes"]  # nothing, text, file or folder
        self.required = entry["required"]
        self.positional = entry["positional"]
        self.list = entry["list"]  # several values in one word, separated by commas
        self.excludes = entry["excludes"]
        # Words worth offering. The lower-case words of a value name such as `labels|FILE` are literal.
        self.choices = entry["offers"] or [word for word in self.value.split("|")
                                           if word and all("a" <= c <= "z" for c in word)]

    @property
    def usage(self):
        """`--out FILE`"""
        return self.name if self.positional or not self.value else f"{self.name} {self.value}"


class Command:
    """A command, or the program itself, with the commands below it."""

    def __init__(self, entry, parents=""):
        self.word = entry["name"]
        self.name = parents + self.word  # as it is typed: `caos landmarks predict`
        self.description = entry["description"]
        self.split_footer(entry["footer"])
        # As in --help, where options with a heading of their own come last.
        self.options = sorted(map(Option, entry["options"]), key=lambda option: option.group != "")
        self.commands = [Command(below, self.name + " ") for below in entry["commands"]]

    def split_footer(self, footer):
        """Notes, and below them an example: commands that work when pasted."""
        self.notes, self.example_head, self.example = footer, "", ""
        start = 0 if footer.startswith("Example") else footer.find("\nExample")
        if start >= 0:
            self.notes = footer[:start].rstrip("\n")
            self.example_head, _, example = footer[start:].lstrip("\n").partition("\n")
            self.example = "\n".join(line.removeprefix("  ") for line in example.split("\n"))

    def joined(self, by):
        return self.name.replace(" ", by)

    def everything(self):
        """This command and all below it, each before those below it."""
        return [self, *(one for below in self.commands for one in below.everything())]

    def leaves(self):
        """The commands that do something: those without commands below them."""
        return [command for command in self.everything() if not command.commands]


# Manual pages.

def roff(text):
    """Text of a paragraph. Hyphens are those of the keyboard, so that options can be searched for and pasted; a line must not
    begin like a command of roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("\n.", "\n\\&.")
    return "\\&" + text if text.startswith(".") else text


def bold(text):
    return f"\\fB{roff(text)}\\fR"


def man_head(name, version):
    # Without a date: the same program gives the same page on every day.
    return f'.TH {roff(name.upper())} 1 "" "caos {version}" "User Commands"\n'


def man_item(tag, text):
    """A tag and what it means, indented."""
    return f".TP\n{tag}\n{text}\n"


def man_tag(option):
    style = (lambda name: f"\\fI{roff(name)}\\fR") if option.positional else bold
    value = f" \\fI{roff(option.value)}\\fR" if option.value and not option.positional else ""
    return ", ".join(map(style, option.names)) + value


def man_options(command):
    text, group = "", ""
    for option in command.options:
        if option.group != group:
            text += f".SS {roff(option.group)}\n"
        group = option.group
        required = "\nRequired." if option.required and not option.positional else ""
        default = f"\nDefault: {roff(option.default)}." if option.default else ""
        text += man_item(man_tag(option), f"{roff(option.description)}.{required}{default}")
    return text


def man_notes(command):
    return f".SH NOTES\n{roff(command.notes)}\n" if command.notes else ""


def man_example(command):
    if not command.example:
        return ""
    head = "" if command.example_head == "Example:" else f"{roff(command.example_head)}\n.PP\n"
    return f".SH EXAMPLE\n{head}.EX\n{roff(command.example)}\n.EE\n"


def man_facts(name, facts):
    return f".SH {name}\n" + "".join(man_item(bold(key), roff(meaning)) for key, meaning in facts.items())


def man_page(command, version):
    name = command.joined("-")
    synopsis = " ".join([bold(command.name), *(man_tag(option) for option in command.options if option.required)])
    return (f"{man_head(name, version)}.SH NAME\n{roff(name)} \\- {roff(command.description)}\n"
            f".SH SYNOPSIS\n{synopsis} [OPTIONS]\n.SH OPTIONS\n{man_options(command)}{man_notes(command)}"
            f"{man_example(command)}.SH SEE ALSO\n.BR caos (1)\n")


def man_main_page(program, version):
    """The first line of the program's description names it; the rest says what it does."""
    line, _, description = program.description.partition("\n")
    names = [roff(command.joined("-")) for command in program.leaves()]
    commands = "".join(man_item(f"\\fB{name}\\fR(1)", roff(command.description) + ".")
                       for name, command in zip(names, program.leaves()))
    see_also = ",\n".join(f".BR {name} (1)" for name in names)
    return (f"{man_head('caos', version)}.SH NAME\ncaos \\- {roff(line.partition(': ')[2][:-1])}\n"
            f".SH SYNOPSIS\n{bold('caos')} COMMAND [OPTIONS]\n.br\n{bold('caos')} COMMAND \\-\\-help\n"
            f".SH DESCRIPTION\n{roff(description)}\n.SH COMMANDS\n{commands}.SH OPTIONS\n{man_options(program)}"
            f"{man_notes(program)}{man_facts('EXIT STATUS', EXIT_CODES)}{man_facts('ENVIRONMENT', ENVIRONMENT)}"
            f"{man_facts('FILES', FILES)}{man_example(program)}.SH SEE ALSO\n{see_also}\n")


def man(program):
    version = program.version
    return {"caos.1": man_main_page(program, version)} | {
        f"{command.joined('-')}.1": man_page(command, version) for command in program.leaves()}


# Reference pages.

ORIGIN = "<!-- Generated by `make reference`. -->\n\n"


def plain(text):
    """Text in a cell of a table, or in a paragraph."""
    return "".join(f"\\{c}" if c in "|<*_[" else c for c in text)


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def page_name(command):
    return command.joined("-").removeprefix("caos-") + ".md"


def option_row(option):
    meaning = plain(option.description) + (". **Required**" if option.required else "")
    if option.excludes:
        meaning += ". Not together with " + ", ".join(f"`{name}`" for name in option.excludes)
    return f"| {code(option.usage)} | {code(option.default) if option.default else ''} | {meaning} |\n"


def option_tables(command):
    text = "## Options\n\n"
    for group in dict.fromkeys(option.group for option in command.options):
        rows = "".join(option_row(option) for option in command.options if option.group == group)
        text += f"### {group}\n\n" if group else ""
        text += f"| option | default | meaning |\n| --- | --- | --- |\n{rows}\n"
    return text


def page_example(command):
    if not command.example:
        return ""
    head = "" if command.example_head == "Example:" else plain(command.example_head) + "\n\n"
    return f"## Example\n\n{head}```\n{command.example}\n```\n"


def page(command):
    usage = " ".join([command.name, *(option.usage for option in command.options if option.required)])
    notes = plain(command.notes) + "\n\n" if command.notes else ""
    return (f"# {command.name}\n\n{ORIGIN}{plain(command.description)}.\n\n```\n{usage} [OPTIONS]\n```\n\n"
            f"{option_tables(command)}{notes}{page_example(command)}")


def facts_table(title, what, facts):
    rows = "".join(f"| {code(name)} | {plain(meaning)} |\n" for name, meaning in facts.items())
    return f"## {title}\n\n| {what} | meaning |\n| --- | --- |\n{rows}\n"


def index_page(program):
    rows = "".join(f"| [{command.name}]({page_name(command)}) | {plain(command.description)} |\n"
                   for command in program.leaves())
    return (f"# The program `caos`\n\n{ORIGIN}{plain(program.description.partition(chr(10))[2])}\n\n"
            f"| command | what it does |\n| --- | --- |\n{rows}\n{plain(program.notes)}\n\n"
            f"{facts_table('Exit codes', 'code', EXIT_CODES)}{facts_table('Environment', 'variable', ENVIRONMENT)}"
            f"{facts_table('Files', 'place', FILES)}{page_example(program)}")


def markdown(program):
    return {"README.md": index_page(program)} | {page_name(command): page(command) for command in program.leaves()}


KINDS = {"man": man, "markdown": markdown, "bash": bash, "zsh": zsh, "fish": fish}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--caos", default="caos", help="the program; by default that of the PATH")
    parser.add_argument("--out", type=pathlib.Path, help="write the files into this folder")
    options = parser.parse_args()
    dump = json.loads(subprocess.run([options.caos, "reference"], stdout=subprocess.PIPE, check=True).stdout)
    program = Command(dump["program"])
    program.version = dump["version"]
    files = KINDS[options.kind](program)
    if options.out is None:
        sys.stdout.write("".join(files.values()))
        return
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (options.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
