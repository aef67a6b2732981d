"""A score store whose writers are killed, or work at the same time, ends up as if nothing had been."""

import collections
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import kills  # noqa: E402

WRITER = os.environ.get("CAOS_SCORE_STORE_WRITER", "")
if not WRITER:
    raise RuntimeError("set CAOS_SCORE_STORE_WRITER to the program score_store_writer")

REFERENCES, TEXTS = 30, 110
CHUNK = 32  # texts that are committed together


def command_for(folder):
    return [WRITER, str(folder), str(REFERENCES), str(TEXTS)]


class ScoreStoreKills(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="caos-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check_chunks_are_whole(self, left):
        references = collections.Counter(reference for _, reference, _, _ in left)
        for count in references.values():
            self.assertTrue(count % CHUNK == 0 or count == TEXTS, f"{count} texts of a reference")

    def test_survives_200_kills(self):
        killer = kills.Killer(command_for, self.folder, 2026, self.check_chunks_are_whole)
        self.assertEqual(len(kills.pairs(killer.expected)), REFERENCES * TEXTS)
        killer.run(160, seconds=240)
        killer.run(40, seconds=120, at_once=2)
        print(f"200 kills, {killer.journals} times within a commit, {killer.rounds} stores; "
              f"one undisturbed: {killer.duration:.1f} s")

    def test_two_processes_fill_one_store(self):
        expected = kills.finish(command_for(self.folder / "one"))
        processes = [kills.start(command_for(self.folder / "two")) for _ in range(2)]
        for process in processes:
            output, errors = process.communicate(timeout=300)
            self.assertEqual((process.returncode, errors), (0, b""))
            self.assertEqual(output, expected)
        self.assertEqual(kills.contents(self.folder / "two"), kills.contents(self.folder / "one"))


if __name__ == "__main__":
    unittest.main()
