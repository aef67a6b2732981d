"""Running other programs, and what they take."""

import json
import os
import subprocess
import time
from dataclasses import dataclass


class Failed(Exception):
    """A program failed, or its results are not what they must be."""


@dataclass
class Usage:
    cpu: float   # seconds of all threads, user and system
    wall: float  # seconds

    def best(self, other):
        return Usage(min(self.cpu, other.cpu), min(self.wall, other.wall)) if other else self


def environment(threads):
    """For libraries that have threads of their own. Waiting threads should sleep, not spin."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return os.environ | {name: str(threads) for name in names} | {"OMP_WAIT_POLICY": "passive"}


def start(command, threads):
    return subprocess.Popen([str(word) for word in command], env=environment(threads),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def finish(child, command):
    """Its output and its use of resources, once it has ended."""
    output = child.stdout.read()
    child.stdout.close()
    _, status, resources = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Failed(f"exit code {child.returncode}: {' '.join(map(str, command))}")
    return output, resources


def whole_usage(command, threads):
    """What the program takes from its start to its end, files read included."""
    begin = time.perf_counter()
    _, resources = finish(start(command, threads), command)
    return Usage(resources.ru_utime + resources.ru_stime, time.perf_counter() - begin)


def json_lines(command, threads):
    """What the program prints, one object a line, by its name."""
    output, _ = finish(start(command, threads), command)
    return {line.get("name"): line for line in map(json.loads, output.splitlines())}


def own_usage(command, threads):
    """What the program says of itself: without reading its inputs, for all of the work."""
    (line,) = json_lines(command, threads).values()
    return Usage(line["cpu_seconds"] * line["scale"], line["wall_seconds"] * line["scale"])


def resident_bytes(pid, without):
    """Memory of a process that is resident now, but for the files `without` mapped into it."""
    total, counts = 0, True
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as lines:
        for line in lines:
            word = line.split(None, 1)[0]
            if not word.endswith(":"):  # the head of a mapping: address, rights, ..., path
                fields = line.split(None, 5)
                counts = len(fields) < 6 or fields[5].strip() not in without
            elif word == "Rss:" and counts:
                total += int(line.split()[1]) * 1024
    return total


def peak_memory(command, threads, without):
    """The most that the program holds besides the files `without`, seen every few milliseconds."""
    without = {str(path.resolve()) for path in without}
    child = start(command, threads)
    peak = 0
    # As long as it is not waited for, a program that ended has an empty table of mappings.
    while held := held_by(child.pid, without):
        peak = max(peak, held)
        time.sleep(0.004)
    finish(child, command)
    return peak


def held_by(pid, without):
    try:
        return resident_bytes(pid, without)
    except OSError:
        return 0
