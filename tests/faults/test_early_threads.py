"""Libraries that start threads before main: a signal that such a thread takes stops the studio, too."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from fault_support import LIBC, PATIENCE, PROGRAM, studio

SOURCE = Path(__file__).with_name("early_thread.cpp")


class EarlyThreads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("c++"):
            raise unittest.SkipTest("NOT TESTED: C++ compiler c++ not found")
        cls.place = tempfile.TemporaryDirectory()
        cls.library = str(Path(cls.place.name) / "libearly_thread.so")
        subprocess.run(["c++", "-O1", "-shared", "-fPIC", "-pthread", "-o", cls.library, SOURCE],
                       check=True)
        if subprocess.run([PROGRAM, "--version"], env=os.environ | {"LD_PRELOAD": cls.library},
                          capture_output=True, check=False).returncode != 0:
            raise unittest.SkipTest("NOT TESTED: this program takes no library before its own "
                                    "(a sanitizer's runtime)")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def start(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        server = studio.Server(folder, wrapper=["env", f"LD_PRELOAD={self.library}"])
        self.addCleanup(server.kill)
        return server

    def test_the_library_starts_a_thread(self):
        with subprocess.Popen(["sleep", "60"], env=os.environ | {"LD_PRELOAD": self.library}) as one:
            tasks = Path(f"/proc/{one.pid}/task")
            end = time.monotonic() + 10 * PATIENCE
            while len(list(tasks.iterdir())) < 2 and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(len(list(tasks.iterdir())), 2)
            one.kill()

    def end_of(self, server):
        return server.process.wait(timeout=60 * PATIENCE)

    def test_both_signals_stop_the_studio(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                server = self.start()
                server.process.send_signal(number)
                self.assertEqual(self.end_of(server), 0)

    def test_a_signal_to_that_very_thread_stops_the_studio(self):
        server = self.start()
        pid = server.process.pid
        tasks = sorted(int(task.name) for task in Path(f"/proc/{pid}/task").iterdir())
        self.assertEqual(tasks[0], pid)
        self.assertEqual(LIBC.tgkill(pid, tasks[1], signal.SIGINT), 0)
        self.assertEqual(self.end_of(server), 0)

    def test_several_signals_stop_it_once(self):
        server = self.start()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            server.process.send_signal(number)
        self.assertEqual(self.end_of(server), 0)


if __name__ == "__main__":
    unittest.main()
