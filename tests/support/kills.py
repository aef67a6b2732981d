"""Killing a program that fills a score store, again and again, and looking at what it leaves."""

import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path


def contents(folder):
    """Every table of every score store in the folder, with its rows in order. Works on a copy, so
    that what a killed program left is for the program itself to put in order."""
    with tempfile.TemporaryDirectory(prefix="caos-copy-") as copy:
        found = {}
        if Path(folder).is_dir():
            shutil.copytree(folder, copy, dirs_exist_ok=True)
        for path in sorted(Path(copy).glob("*.sqlite")):
            connection = sqlite3.connect(path)
            tables = [name for (name,) in
                      connection.execute("SELECT name FROM sqlite_master ORDER BY name")]
            found[path.name] = {
                table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall())
                for table in tables}
            connection.close()
        return found


def pairs(found):
    """All pairs in the stores, with their likelihoods."""
    return {(name, *row) for name, tables in found.items() for row in tables.get("cells", [])}


def start(command):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(command, timeout=300):
    """Runs the command undisturbed and returns what it prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def kill_after(process, seconds):
    """Whether the process was still at work when it was killed; it must not fail by itself."""
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    if process.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(f"exit {process.returncode}: {errors.decode()}")
    return process.returncode == -signal.SIGKILL


class Killer:
    """Kills programs at random instants while they fill score stores.

    `command_for(folder)` is the command that fills a store in the folder; the same command with the
    same folder goes on where it was stopped. Folders are made below `base`. `check_left(pairs)` may
    look at what a kill leaves."""

    def __init__(self, command_for, base, seed, check_left=lambda left: None):
        self.command_for = command_for
        self.check_left = check_left
        self.base = Path(base)
        self.random = random.Random(seed)
        self.rounds = 0
        self.journals = 0  # kills in the middle of a commit
        began = time.monotonic()
        self.output = finish(command_for(self.base / "undisturbed"))
        self.duration = time.monotonic() - began
        self.expected = contents(self.base / "undisturbed")
        if not pairs(self.expected):
            raise AssertionError("the command fills no store")

    def run(self, kills, seconds, at_once=1):
        """Kills as many times, and starts on a new store whenever one is complete. Everything that
        is left must be part of what an undisturbed run gives, and nothing may get lost again.
        Raises if it takes more than so many seconds."""
        deadline = time.monotonic() + seconds
        longest = min(max(self.duration / 10, 0.02), 0.2)
        while kills > 0:
            self.rounds += 1
            folder = self.base / f"round-{self.rounds}-{at_once}"
            kills = self.fill(folder, kills, longest, at_once, deadline)
            self.check_complete(folder)

    def fill(self, folder, kills, longest, at_once, deadline):
        """Until the store is complete or there are no kills left; returns how many are left."""
        before = set()
        while kills > 0:
            if time.monotonic() > deadline:
                raise AssertionError(f"out of time with {kills} kills to go")
            killed = self.kill_some(folder, longest, at_once)
            kills -= killed
            self.journals += bool(list(folder.glob("*-journal")))
            left = pairs(contents(folder))
            if not before <= left <= pairs(self.expected):
                raise AssertionError(f"{len(before - left)} pairs were lost, "
                                     f"{len(left - pairs(self.expected))} are wrong")
            self.check_left(left)
            before = left
            if killed < at_once:
                break
        return kills

    def kill_some(self, folder, longest, at_once):
        processes = [start(self.command_for(folder)) for _ in range(at_once)]
        return sum(kill_after(process, self.random.uniform(0, longest)) for process in processes)

    def check_complete(self, folder):
        """Goes on undisturbed to the end: everything is as if nothing had happened."""
        if finish(self.command_for(folder)) != self.output:
            raise AssertionError("other output than that of an undisturbed run")
        if contents(folder) != self.expected:
            raise AssertionError("another store than that of an undisturbed run")
