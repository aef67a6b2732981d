"""Which machine this is."""

import os
import pathlib
import platform


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown CPU"


def machine_name():
    return f"{cpu_name()}, {os.cpu_count()} cores"
