"""The parts of bench/peers that need no other software: inputs, measuring, judging."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from bench_support import BENCH, script

from comparison import children, contest, inputs, report

INPUTS = BENCH / "comparison" / "inputs.py"


class ScratchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="caos-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, name, *what):
        command = [sys.executable, "-B", INPUTS, self.folder / name, *map(str, what)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return {path.name: np.load(path) for path in Path(done.stdout.strip()).iterdir()}


class Inputs(ScratchTest):
    def test_are_the_same_each_time(self):
        for what in (["w1", 3, 20], ["w2", "structured", 24, 5, 200],
                     ["w2", "isotropic", 24, 5, 200]):
            first, second = self.make("a", *what), self.make("b", *what)
            self.assertEqual(first.keys(), second.keys())
            for name in first:
                self.assertEqual(first[name].tobytes(), second[name].tobytes(), name)

    def test_of_w1_are_unit_rows_and_labels_by_image(self):
        arrays = self.make("w1", "w1", 3, 20)
        for prefix in ("", "test-"):
            vectors, labels = arrays[f"{prefix}embeddings.npy"], arrays[f"{prefix}labels.npy"]
            self.assertEqual((vectors.shape, vectors.dtype), ((3, 168, 768), np.float32))
            np.testing.assert_allclose(np.linalg.norm(vectors, axis=2), 1, atol=1e-6)
            self.assertEqual((labels.shape, labels.dtype), ((3, 20), np.int64))
            self.assertTrue(labels.flags.c_contiguous)
            self.assertTrue(((labels >= 0) & (labels < 168)).all())
        self.assertNotEqual(arrays["embeddings.npy"].tobytes(),
                            arrays["test-embeddings.npy"].tobytes())

    def test_of_w2_are_whole_images(self):
        arrays = self.make("w2", "w2", "isotropic", 24, 5, 169)
        self.assertEqual(arrays["references.npy"].shape, (5, 1, 24))
        self.assertEqual(arrays["queries.npy"].shape, (2, 168, 24))
        np.testing.assert_allclose(np.linalg.norm(arrays["queries.npy"], axis=2), 1, atol=1e-6)

    def test_share_patches_among_landmarks_as_faces_do(self):
        rng = np.random.default_rng(1)
        points = inputs.face_points()
        self.assertEqual(points.shape, (478, 2))
        labels = inputs.patch_labels(inputs.Poses(100, rng), points, rng)
        distinct = np.mean([len(set(row)) for row in labels])
        self.assertTrue(60 <= distinct <= 66, distinct)

    def test_patches_at_the_same_place_of_two_faces_are_alike(self):
        arrays = self.make("w1", "w1", 12, 20)
        labeled, test = arrays["embeddings.npy"], arrays["test-embeddings.npy"]
        nose = 7 * 12 + 6
        same = (labeled[:, nose] @ test[:, nose].T).mean()
        other = (labeled[:, nose] @ test[:, 3 * 12 + 3].T).mean()
        self.assertGreater(same, other + 0.1)


class Children(ScratchTest):
    def run_python(self, text):
        return [sys.executable, "-B", "-c", text]

    def test_a_failing_one_is_an_error_that_names_it(self):
        with self.assertRaisesRegex(children.Failed, "exit code 3: .*SystemExit"):
            children.whole_usage(self.run_python("raise SystemExit(3)"), 1)

    def test_processor_time_is_that_of_the_child(self):
        busy = self.run_python("import time\nwhile time.process_time() < 0.3: pass")
        idle = self.run_python("import time\ntime.sleep(0.3)")
        self.assertGreaterEqual(children.whole_usage(busy, 1).cpu, 0.3)
        asleep = children.whole_usage(idle, 1)
        self.assertLess(asleep.cpu, asleep.wall - 0.1)

    def test_part_of_the_work_counts_by_proportion(self):
        line = '{"name": "x", "cpu_seconds": 2.0, "wall_seconds": 3.0, "scale": 10.0}'
        usage = children.own_usage(self.run_python(f"print('{line}')"), 1)
        self.assertEqual((usage.cpu, usage.wall), (20, 30))

    def test_memory_leaves_out_the_mapped_input(self):
        file = self.folder / "input"
        file.write_bytes(b"x" * 60_000_000)
        command = self.run_python(
            "import mmap, time\n"
            f"file = open({str(file)!r}, 'rb')\n"
            "mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)\n"
            "seen = sum(mapped[i] for i in range(0, len(mapped), 4096))\n"
            "held = b'y' * 30_000_000\n"
            "time.sleep(0.3)")
        without = children.peak_memory(command, 1, [file])
        everything = children.peak_memory(command, 1, [])
        self.assertTrue(30e6 < without < 60e6, without)
        self.assertGreater(everything, without + 55e6)

    def test_libraries_are_told_the_number_of_threads(self):
        text = ("import os, json\n"
                "print(json.dumps({'name': os.environ['OPENBLAS_NUM_THREADS'],"
                "'omp': os.environ['OMP_NUM_THREADS']}))")
        self.assertEqual(children.json_lines(self.run_python(text), 2),
                         {"2": {"name": "2", "omp": "2"}})


class Agreement(ScratchTest):
    def save(self, name, sets):
        path = self.folder / f"{name}.npy"
        np.save(path, np.packbits(sets, axis=-1, bitorder="little"))
        return path

    def test_counts_differing_memberships_on_the_peers_landmarks(self):
        ours = np.random.default_rng(2).integers(0, 2, (3, 4, 10, 8)).astype(np.uint8)
        theirs = ours[:, :, [0, 3, 6]].copy()  # landmarks 0 * 10 // 3, 1 * 10 // 3, 2 * 10 // 3
        product, peer = self.save("ours", ours), self.save("theirs", theirs)
        self.assertEqual(contest.share_different(peer, product), 0)
        theirs[0, 0, 0, 0] ^= 1
        self.assertEqual(contest.share_different(self.save("theirs", theirs), product),
                         1 / theirs.size)

    def test_more_than_rounding_is_an_error(self):
        contest.require_agreement("peer", 1e-6)
        with self.assertRaisesRegex(children.Failed, "peer: 1.0e-02"):
            contest.require_agreement("peer", 0.01)


class Report(unittest.TestCase):
    def times(self, **cpu):
        times = contest.Times()
        for name, seconds in cpu.items():
            times.add(name, 1, children.Usage(seconds, seconds))
            times.add(name, 2, children.Usage(seconds, seconds / 2))
            times.different[name] = 0.0
        return times

    def test_keeps_the_best_of_all_rounds(self):
        times = self.times(product=2.0)
        times.add("product", 1, children.Usage(1.5, 3.0))
        self.assertEqual(times.usage["product", 1], children.Usage(1.5, 2.0))

    def test_says_which_requirements_hold(self):
        times = self.times(product=1.0, faiss=13.0, numpy=17.0, torch=19.0, openblas=1.7, full=1.2,
                           library=1.0, everything=2.9)
        holds = [row.holds() for row in report.w1_rows(times)]
        self.assertEqual(holds, [True, False, True, True, False, True])
        self.assertIn("| 17.00 x | 17.00 x | ≥ 18 x | **no** |", report.table(report.w1_rows(times)))

    def test_isotropic_data_need_less(self):
        times = self.times(product=1.0, faiss=1.4)
        self.assertTrue(report.w2_row(contest.W2("isotropic", 384, 1000), times).holds())
        self.assertFalse(report.w2_row(contest.W2("structured", 384, 1000), times).holds())


class Check(unittest.TestCase):
    COMMITTED = {"date": "2026-01-31", "ratios": {"openblas": 2.0, "faiss": 16.0}}

    def test_fails_from_fifteen_percent_more_time_on(self):
        verdict = script().verdict
        self.assertFalse(verdict(self.COMMITTED, {"openblas": 2.0 / 1.14, "faiss": 16.0 / 1.14})[1])
        self.assertTrue(verdict(self.COMMITTED, {"openblas": 2.0 / 1.16, "faiss": 16.0})[1])
        self.assertFalse(verdict(self.COMMITTED, {"openblas": 4.0, "faiss": 20.0})[1])

    def test_says_both_figures(self):
        text, _ = script().verdict(self.COMMITTED, {"openblas": 1.0, "faiss": 16.0})
        self.assertIn("openblas: committed 2.00 x (2026-01-31), now 1.00 x: +100 % time", text)
        self.assertIn("became slower by more than 15 %", text)

    def test_the_committed_ratios_are_there(self):
        peers = script()
        committed = peers.json.loads(peers.COMMITTED.read_text(encoding="utf-8"))
        self.assertFalse(peers.verdict(committed, committed["ratios"])[1])

    def test_the_table_goes_between_the_marks_of_the_readme(self):
        peers = script()
        readme = peers.README.read_text(encoding="utf-8")
        once = peers.with_table(readme, "| a table |\n")
        self.assertIn("| a table |", once)
        self.assertEqual(peers.with_table(once, "| a table |\n"), once)
        self.assertEqual(once.split(peers.MARKS[0])[0], readme.split(peers.MARKS[0])[0])
        self.assertEqual(once.split(peers.MARKS[1])[1], readme.split(peers.MARKS[1])[1])


if __name__ == "__main__":
    unittest.main()
