"""Sizes at which a program that kept all scores would need gigabytes, or hours."""

import json
import os
import subprocess
import unittest

import numpy as np

from support import PATIENCE, PROGRAM, ProgramTest

MEGABYTE = 1 << 20


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


class Scale(ProgramTest):
    def save_images(self, rng, places, labeled, test, noise):
        """Patches that scatter around places."""
        patches, dimension = places.shape
        for name, images in (("embeddings", labeled), ("test", test)):
            shape = (images, patches, dimension)
            self.save(name, unit(places + noise * rng.standard_normal(shape, dtype=np.float32)))

    def evaluate(self, *more):
        """The result, and the most memory that the program held."""
        command = [PROGRAM, "landmarks", "evaluate", "--embeddings", "embeddings.npy", "--labels",
                   "labels.npy", "--test-embeddings", "test.npy", "--test-labels", "test-labels.npy",
                   "--json", "--quiet", *more]
        with open(self.folder / "result.json", "wb") as out:
            child = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=out)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0)
        return json.loads((self.folder / "result.json").read_text()), usage.ru_maxrss * 1024

    def check_memory(self, memory, megabytes):
        if PATIENCE > 1:
            self.skipTest("NOT TESTED: how much memory it takes, as a sanitizer takes most of it")
        self.assertLess(memory, megabytes * MEGABYTE)

    def test_fifty_thousand_labeled_images_calibrate_in_little_memory(self):
        rng = np.random.default_rng(1)
        labeled, test = 50_000, 400
        self.save_images(rng, np.array([[3.0, 1, 0, 1, -1, 0, 2, 1]], np.float32), labeled, test, 1)
        self.save("labels", np.zeros((labeled, 1), np.int64))
        self.save("test-labels", np.zeros((test, 1), np.int64))
        result, memory = self.evaluate("--methods", "caos,full-caos", "--alpha", "0.1")
        for method in result["results"]:
            self.assertEqual(method["landmarks"][0]["n"], labeled)
            # 400 draws that are covered with probability 0.9: six standard deviations.
            self.assertAlmostEqual(method["coverage"]["mean"], 0.9, delta=0.09)
        self.check_memory(memory, 400)  # all scores would be 20 GB

    def test_images_are_compared_with_a_million_references_in_little_memory(self):
        rng = np.random.default_rng(2)
        labeled, test, patches = 5_000, 3, 200
        places = rng.standard_normal((patches, 6), dtype=np.float32)
        self.save_images(rng, places, labeled, test, np.float32(0.1))
        every = np.arange(patches)
        self.save("labels", np.tile(every, (labeled, 1)))
        self.save("test-labels", np.tile(every, (test, 1)))
        _, memory = self.evaluate("--methods", "caos", "--threads", "1")
        self.check_memory(memory, 600)  # all scores of one image would be 1.6 GB


if __name__ == "__main__":
    unittest.main()
