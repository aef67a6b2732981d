"""Too little memory: the program says so and leaves nothing; the studio refuses and lives on."""

import functools
import resource
import subprocess
import time
import unittest

from fault_support import (PROGRAM, ROUNDS, Disturbed, FacesTest, TaskTest, TextTest, csv_text,
                           synthetic_texts, pixels, random_task, studio, tried)

MB = 1 << 20
STEP = 1.35 if ROUNDS == 1 else 1.06


@functools.cache
def why_no_limits():
    """Sanitizers take more addresses than any limit leaves them."""
    done = subprocess.run([PROGRAM, "--help"], capture_output=True, check=False,
                          preexec_fn=limit(4096 * MB))
    return "NOT TESTED: this program does not start within 4 GB" if done.returncode else ""


def limit(bytes_):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))


class LittleMemory(Disturbed):
    """For tests of the program: more and more memory, until it succeeds."""

    def setUp(self):
        super().setUp()
        if why_no_limits():
            self.skipTest(why_no_limits())

    def least_to_start(self):
        """The loader of the system, too, needs some, and what it says is not ours."""
        size = 16 * MB
        while self.run_within((), "--help", preexec_fn=limit(size)).code != 0:
            size = int(size * 1.1)
        return size

    def starve(self, fault, *arguments):
        before = self.files()
        self.succeed(*arguments)
        expected = self.files()
        for name in set(expected) - set(before):
            (self.folder / name).unlink()
        size, refused = self.least_to_start(), 0
        while True:
            run = self.run_within((), *arguments, preexec_fn=limit(size))
            found = self.files()
            new = {name for name in found if name not in before}
            whole = all(found[name] == expected[name] for name in new)
            tried(f"little memory: {fault}", refused=run.code != 0, half=not whole)
            self.assertTrue(whole, f"{size // MB} MB: {new}")
            if run.code == 0:
                break
            refused += 1
            with self.subTest(megabytes=size // MB):
                self.check_failure(run)
                self.assertRegex(run.err.splitlines()[-1],
                                 "out of memory|more memory than is available")
            size = int(size * STEP)
        self.assertGreater(refused, 0, "it never had too little")
        self.assertEqual(self.files(), expected)


class Arrays(LittleMemory, TaskTest):
    def test_too_small_for_calibrations(self):
        task = random_task(3, n=600, num_labels=5, m=3, k=3)
        self.starve("calibrate", "calibrate", *self.save_labeled(task), "--k", 3, "--out",
                    "model.caos")

    def test_too_small_for_pages(self):
        task = random_task(3, n=40, num_labels=30, m=400, k=3)
        self.starve("evaluate", "evaluate", *self.save_all(task), "--report", "page.html")


class Faces(LittleMemory, FacesTest):
    n = 12
    num_new = 4

    def test_too_small_for_landmarks(self):
        # Faces alone take less than the program itself.
        for name in ("faces/labeled/face_0000.jpg", "faces/new/face_0012.jpg"):
            (self.folder / name).write_bytes(pixels.png(pixels.noise(1000, 1000)))
        self.starve("landmarks calibrate", "landmarks", "calibrate", "--images", "faces/labeled",
                    "--landmarks", "faces/labeled.csv", "--no-cache", "--out", "model.caos")
        self.starve("landmarks predict", "landmarks", "predict", "model.caos", "faces/new",
                    "--no-cache", "--out", "regions.json")


class Texts(LittleMemory, TextTest):
    def test_too_small_for_texts(self):
        rows = [(*row, "x" * 600_000) for row in synthetic_texts(24, seed=4)]  # a column of no use
        self.write("train.csv", csv_text(["text", "label", "notes"], rows))
        self.starve("text calibrate", "text", "calibrate", "--train", "train.csv", "--out",
                    "model.caos")


class Studio(studio.StudioTest):
    def setUp(self):
        if why_no_limits():
            self.skipTest(why_no_limits())
        super().setUp()

    def test_refuses_and_lives_on(self):
        project = self.new_project(landmarks=["nose"])
        image = self.add_image(project)
        nose, = self.landmark_ids(project)
        path = f"/v1/projects/{project}/images"
        large = pixels.png(pixels.noise(3000, 3000))
        pid = self.server.process.pid
        base = 0
        for spare in [1, 8, 24][:2 + ROUNDS]:
            self.give(pid, spare)
            for number in range(4):
                answer = self.try_to("POST", path, large, name=f"{spare}-{number}.png")
                tried("little memory: studio", refused=answer != 201)
                self.assertIn(answer, (None, 500, 503))
            resource.prlimit(pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
            self.assertIsNone(self.server.process.poll(), self.server.talk)
            self.client = self.new_client()
            change = studio.new_change(base, studio.visible(nose, 1, base))
            base = self.client.ask("POST", f"{path}/{image}/annotations", change)["revision"]
        self.client.ask("POST", path, large, 201, name="large.png")
        self.assertEqual(self.server.stop(), 0)

    def give(self, pid, megabytes):
        """So much more than it has."""
        with open(f"/proc/{pid}/statm", encoding="ascii") as stream:
            pages = int(stream.read().split()[0])
        size = pages * resource.getpagesize() + megabytes * MB
        resource.prlimit(pid, resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))

    def try_to(self, method, path, body, **query):
        """The status; none where the connection was closed instead."""
        client = self.new_client(check=False)
        try:
            return client.request(method, path, body, **query).status
        except OSError:
            time.sleep(0.1)
            return None


if __name__ == "__main__":
    unittest.main()
