"""What was acknowledged is on the disk, whatever happens to the program."""

import http.client
import random
import re
import shutil
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

from studio_support import PATIENCE, Client, StudioTest, new_change, visible

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
from ledger import tried  # noqa: E402

ROUNDS = 25
WRITERS = 4


class Acknowledgements(StudioTest):
    """As the system sees it."""

    def start(self, *options, **more):
        if shutil.which("strace") is None:
            self.skipTest("SKIPPED: no strace here, so that nothing shows when changes are synced")
        allowed = subprocess.run(["strace", "-f", "true"], capture_output=True, check=False)
        if allowed.returncode != 0:
            self.skipTest("SKIPPED: strace may not trace here: " + allowed.stderr.decode()[:200])
        self.log = self.folder / "calls"
        # Leaks cannot be looked for under a debugger.
        tracing = ["env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-f", "-y", "-s", "400",
                   "-o", self.log, "-e", "trace=fsync,fdatasync,sendto,recvfrom"]
        return super().start(*options, wrapper=tracing, **more)

    def stop_traced(self):
        child = subprocess.run(["pgrep", "-P", str(self.server.process.pid)], capture_output=True,
                               text=True, check=True).stdout.split()[0]
        subprocess.run(["kill", "-TERM", child], check=True)
        self.assertEqual(self.server.process.wait(timeout=30 * PATIENCE), 0)

    def test_follow_the_sync_of_what_they_acknowledge(self):
        project = self.new_project(landmarks=["nose"])
        image = self.add_image(project)
        nose, = self.landmark_ids(project)
        changes, base = [], 0
        for i in range(5):
            change = new_change(base, visible(nose, i, i))
            base = self.client.ask("POST", self.annotations(project, image), change)["revision"]
            changes.append(change["change"])
        self.stop_traced()
        lines = self.log.read_text().splitlines()
        for change in changes:
            asked = next(i for i, line in enumerate(lines)
                         if "recvfrom(" in line and change in line)
            thread = lines[asked].split()[0]
            answered = next(i for i, line in enumerate(lines) if i > asked and "sendto(" in line
                            and line.split()[0] == thread and "HTTP/1.1 200" in line)
            synced = [line for line in lines[asked:answered]
                      if re.search(r"f(data)?sync\(\d+<[^>]*studio\.sqlite(-wal)?>", line)]
            self.assertTrue(synced, f"{change} was acknowledged before it was synced")


class Writer:
    """Places one landmark again and again, each time at another place; what got no answer is
    sent again, as the page does."""

    def __init__(self, path, landmark):
        self.path, self.landmark = path, landmark
        self.base = 0
        self.sent = []  # ids of all changes, in order
        self.acknowledged = 0
        self.waiting = None

    def next_change(self):
        if self.waiting is None:
            number = len(self.sent)
            self.waiting = new_change(self.base, visible(self.landmark, number % 60, number // 60))
            self.sent.append(self.waiting["change"])
        return self.waiting

    def run(self, port):
        """Until the server is gone."""
        client = Client(port, check=False)
        try:
            while True:
                answer = client.request("POST", self.path, self.next_change())
                assert answer.status == 200, answer.body
                self.base = answer.json()["revision"]
                self.acknowledged += 1
                self.waiting = None
        except (OSError, http.client.HTTPException):
            client.close()


class Crashes(StudioTest):
    def test_lose_nothing_that_was_acknowledged_and_repeat_nothing(self):
        project = self.new_project(landmarks=["nose"])
        images = [self.add_image(project, f"{i}.png", seed=i) for i in range(WRITERS)]
        nose, = self.landmark_ids(project)
        writers = [Writer(self.annotations(project, image), nose) for image in images]
        chance = random.Random(7)
        for _ in range(ROUNDS):
            threads = [threading.Thread(target=writer.run, args=(self.server.port,))
                       for writer in writers]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.02, 0.35))
            self.server.kill()
            for thread in threads:
                thread.join(30)
            self.server = self.start()
            self.client = self.new_client()
            for writer, image in zip(writers, images):
                self.check(project, image, writer)
        total = sum(writer.acknowledged for writer in writers)
        self.assertGreater(total, 100, "too few changes to show anything")
        self.assertEqual(self.server.stop(), 0)

    def check(self, project, image, writer):
        """Every acknowledged change is there once, in order, and at most the one that waits."""
        history = self.client.get(f"/v1/projects/{project}/images/{image}/history")["history"]
        found = [one["change"] for one in reversed(history)]
        tried("kill -9: studio points", lost=max(0, writer.acknowledged - len(found)))
        self.assertEqual(found, writer.sent[:len(found)])
        self.assertIn(len(found) - writer.acknowledged, (0, 1))
        if len(found) > writer.acknowledged:
            self.assertIsNotNone(writer.waiting)


if __name__ == "__main__":
    unittest.main()
