"""What the tests of faults share: a ledger, small disks, users without privileges, a studio.

Each test is short; CAOS_FAULT_ROUNDS=10 repeats what depends on chance so many times. Each trial is
noted in the ledger."""

import ctypes
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
for folder in ("studio/api", "support", "cli"):
    sys.path.insert(0, str(TESTS / folder))

import completions_server  # noqa: E402, F401
import kills  # noqa: E402, F401
import pixels  # noqa: E402, F401
import studio_support as studio  # noqa: E402, F401
from ledger import tried  # noqa: E402, F401
from landmark_support import FacesTest  # noqa: E402, F401
from processes_support import COMMAND as MPI_COMMAND  # noqa: E402, F401
from processes_support import ENVIRONMENT as MPI_ENVIRONMENT  # noqa: E402, F401
from support import PATIENCE, PROGRAM, Run, TaskTest, random_task  # noqa: E402, F401
from text_support import TextTest, csv_text, synthetic_texts  # noqa: E402, F401


ROUNDS = int(os.environ.get("CAOS_FAULT_ROUNDS", "1"))


# Folders that fill up, or that cannot be written.

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_RDONLY, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
LIBC = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def mount(source, target, kind, flags, data=None):
    call(LIBC.mount, source.encode(), str(target).encode(), kind and kind.encode(), flags,
         data and data.encode())


@functools.cache
def why_no_mounts():
    """Gives this process private mounts that end with it; returns why it cannot."""
    try:
        if os.geteuid() == 0:
            call(LIBC.unshare, CLONE_NEWNS)
        else:
            user, group = os.geteuid(), os.getegid()
            call(LIBC.unshare, CLONE_NEWUSER | CLONE_NEWNS)
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")
        mount("none", "/", None, MS_REC | MS_PRIVATE)
        with tempfile.TemporaryDirectory() as folder:
            mount("none", folder, "tmpfs", 0, "size=64k")
            call(LIBC.umount2, folder.encode(), 0)
    except OSError as error:
        return f"NOT TESTED: nothing can be mounted here: {error}"
    return ""


class SmallDisk:
    """A folder on a disk of its own, of so many kilobytes."""

    def __init__(self, test, kilobytes):
        if why_no_mounts():
            test.skipTest(why_no_mounts())
        self.path = Path(tempfile.mkdtemp(prefix="caos-disk-"))
        mount("none", self.path, "tmpfs", 0, f"size={kilobytes}k")
        test.addCleanup(self.remove)
        self.filler = self.path / ".filler"

    def remove(self):
        LIBC.umount2(str(self.path).encode(), 2)
        shutil.rmtree(self.path, ignore_errors=True)

    def fill_but(self, kilobytes):
        """Leaves so much."""
        self.empty()
        free = os.statvfs(self.path)
        size = free.f_bavail * free.f_frsize - 1024 * kilobytes
        if size > 0:
            with open(self.filler, "wb") as stream:
                os.posix_fallocate(stream.fileno(), 0, size)

    def empty(self):
        self.filler.unlink(missing_ok=True)

    def files(self):
        return {str(path.relative_to(self.path)): path.read_bytes()
                for path in sorted(self.path.rglob("*")) if path.is_file() and path != self.filler}


def make_read_only(test, folder):
    """For everybody, root too, until the test ends."""
    if why_no_mounts():
        test.skipTest(why_no_mounts())
    mount(str(folder), folder, None, MS_BIND)
    mount(str(folder), folder, None, MS_BIND | MS_REMOUNT | MS_RDONLY)
    test.addCleanup(LIBC.umount2, str(folder).encode(), 2)


def unprivileged(test):
    """What to put before a command for which permissions count."""
    if os.geteuid() != 0:
        return []
    drop = "-dac_override,-dac_read_search"
    wrapper = ["setpriv", f"--bounding-set={drop}", f"--inh-caps={drop}"]
    if shutil.which("setpriv") is None or subprocess.run([*wrapper, "true"],
                                                         check=False).returncode:
        test.skipTest("NOT TESTED: root has all permissions here, and setpriv cannot take them")
    return wrapper


# Programs that are disturbed.

def maps(pid, name):
    """Whether the process has mapped a file whose path ends like this."""
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as stream:
            return any(line.rstrip("\n").endswith(name) for line in stream)
    except OSError:
        return False


def stop_when(process, condition, seconds=30):
    """Halts the process as soon as the condition holds; false if it ended before."""
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        if condition():
            process.send_signal(signal.SIGSTOP)
            return True
        time.sleep(0.0005)
    return False


def start(test, *arguments, wrapper=(), **more):
    process = subprocess.Popen([*wrapper, PROGRAM, *map(str, arguments)], cwd=test.folder,
                               env=test.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    test.addCleanup(end, process)
    return process


def end(process):
    if process.poll() is None:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


def finish(process, timeout=60):
    out, err = process.communicate(timeout=timeout * PATIENCE)
    return Run(process.returncode, out.decode(), err.decode())


class Disturbed:
    """For tests of the program: it may fail, but in its own words and without leaving anything."""

    def run_within(self, wrapper, *arguments, timeout=120, **more):
        done = subprocess.run([*wrapper, PROGRAM, *map(str, arguments)], cwd=self.folder,
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=timeout * PATIENCE, check=False, **more)
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode())

    def check_failure(self, run, *said, code=1):
        self.assertEqual(run.code, code, run)
        last = run.err.splitlines()[-1:] or [""]
        self.assertRegex(last[0], r"\Acaos: ", run)
        for text in said:
            self.assertIn(text, last[0])
