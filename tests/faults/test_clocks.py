"""Clocks that jump: neither the order of changes nor the length of a wait depends on them."""

import glob
import os
import socket
import subprocess
import sys
import time
import unittest

from fault_support import (PROGRAM, Disturbed, TextTest, completions_server, finish, start, studio,
                           tried)

FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), "")
JUMPS = ("-10y", "+30y", "-3650d", "+0", "+1h", "-1h")


class Jumping:
    """For tests of the program: a clock that jumps as the test says."""

    def setUp(self):
        if not FAKETIME:
            self.skipTest("NOT TESTED: libfaketime not found; run tools/setup --tests")
        if subprocess.run([PROGRAM, "--version"], env=os.environ | {"LD_PRELOAD": FAKETIME},
                          capture_output=True, check=False).returncode != 0:
            self.skipTest("NOT TESTED: this program takes no other clock (a sanitizer's runtime)")
        super().setUp()

    def jumping(self, folder):
        self.clock = folder / "clock"
        self.jump("+0")
        return {"LD_PRELOAD": FAKETIME, "FAKETIME_TIMESTAMP_FILE": str(self.clock),
                "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def jump(self, how_far):
        new = self.clock.with_suffix(".new")
        new.write_text(how_far + "\n", encoding="ascii")
        new.rename(self.clock)


class Studio(Jumping, studio.StudioTest):
    options = ("--timeout", "2")

    def start(self, *options, **more):
        wrapper = ["env", *(f"{name}={value}" for name, value in self.jumping(self.folder).items())]
        return super().start(*options, wrapper=wrapper, **more)

    def test_keeps_the_order_of_changes(self):
        project = self.new_project(landmarks=["nose"])
        image = self.add_image(project)
        nose, = self.landmark_ids(project)
        path, base, sent = self.annotations(project, image), 0, []
        for number, how_far in enumerate(JUMPS):
            self.jump(how_far)
            change = studio.new_change(base, studio.visible(nose, number, number))
            base = self.client.ask("POST", path, change)["revision"]
            sent.append(change["change"])
        for restart in range(2):
            history = self.client.get(path.replace("annotations", "history"))["history"]
            found = [one["change"] for one in reversed(history)]
            tried("clock jumps: studio", times=len(JUMPS), lost=len(set(sent) - set(found)))
            self.assertEqual(found, sent)
            times = [one["at"] for one in reversed(history)]
            self.assertNotEqual(times, sorted(times), "the clock did not jump")
            point, = self.client.get(path)["points"]
            self.assertEqual((point["x"], point["y"]), (len(JUMPS) - 1,) * 2)
            if restart == 0:
                self.assertEqual(self.server.stop(), 0)
                self.server = self.start(*self.options)
                self.client = self.new_client()

    def test_neither_cuts_clients_off_early_nor_keeps_them(self):
        for how_far in ("+30y", "-10y"):
            with socket.create_connection(("127.0.0.1", self.server.port),
                                          timeout=20) as connection:
                connection.sendall(b"GET /v1/health HTTP/1.1\r\nHo")
                time.sleep(0.2)
                self.jump(how_far)
                time.sleep(0.4)
                connection.sendall(b"st: localhost\r\n\r\n")
                self.assertIn(b" 200 ", connection.recv(65536))
            with socket.create_connection(("127.0.0.1", self.server.port),
                                          timeout=20) as connection:
                connection.sendall(b"GET /v1/health HTTP/1.1\r\nHo")
                began = time.monotonic()
                self.jump("+0")
                while connection.recv(65536):
                    pass
                tried("clock jumps: timeouts", times=2)
                self.assertLess(time.monotonic() - began, 10)


class Programs(Jumping, Disturbed, TextTest):
    def test_wait_for_servers_by_another_clock(self):
        self.environment = self.environment | self.jumping(self.folder)
        self.write("key.txt", completions_server.KEY + "\n")
        with completions_server.running_server() as server:
            process = start(self, "text", "score", "--train", "train.csv", "--model",
                            f"server:http://{server.host}", "--key-file", "key.txt", "--timeout", 60,
                            "--retries", 0, "--out", "store", "--json")
            while process.poll() is None:
                for how_far in JUMPS:
                    self.jump(how_far)
                    time.sleep(0.05)
            run = finish(process)
        tried("clock jumps: server and store")
        self.assertEqual(run.code, 0, run.err)

    def test_show_progress_by_another_clock(self):
        """On a terminal, where it is shown."""
        pid, terminal = os.forkpty()
        if pid == 0:
            os.chdir(self.folder)
            os.environ.update(self.environment, **self.jumping(self.folder))
            os.execvp(sys.executable, [sys.executable, "-c", PROGRESS, os.environ["CAOS_PROGRAM"]])
        self.clock = self.folder / "clock"
        text = b""
        try:
            while True:
                if self.clock.exists():
                    self.jump(JUMPS[len(text) % len(JUMPS)])
                text += os.read(terminal, 65536)
        except OSError:
            pass  # its end
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        tried("clock jumps: progress")
        self.assertEqual(os.waitstatus_to_exitcode(status), 0, text)
        self.assertIn(b"scoring", text)
        self.assertNotRegex(text, rb"-\d+ s left|\d{6,} h")


PROGRESS = """
import subprocess, sys
sys.exit(subprocess.run([sys.argv[1], "text", "score", "--train", "train.csv", "--out", "store"])
         .returncode)
"""


if __name__ == "__main__":
    unittest.main()
