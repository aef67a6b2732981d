"""Same inputs, options and seed: the same bytes with every instruction set, any number of threads,
and as on CPUs on which the C library chooses other code."""

import json
import re
import unittest

from support import ProgramTest
from text_support import LABELS, csv_text, synthetic_texts

# What the C library, Pixman (under Cairo) and libjpeg-turbo then do without: they choose code by the
# CPU as well.
PLAIN_CPU = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-FMA,-FMA_Usable,-FMA4,-FMA4_Usable,"
                      "-AVX512F,-AVX512F_Usable,-AVX512VL,-SSE4_1,-SSE4_2",
    "PIXMAN_DISABLE": "mmx sse2 ssse3",
    "JSIMD_FORCENONE": "1",
}

EXAMPLE = ["--labeled", "example/labeled.npy", "--labels", "example/labels.npy"]
FACES = ["--images", "faces", "--landmarks", "faces/all.csv", "--split", "faces/split.csv"]
TRAIN = ["--train", "train.csv"]
ALL = ["--methods", "caos,full-caos,scos,scos-best,scos-oracle,split-caos,split-caos-cal"]

# Command and options; what is printed is kept as a file, too. Commands without threads come first.
WITHOUT_THREADS = [
    ["generate", "--out", "example", "--n", "24", "--num-test", "20", "--num-labels", "9"],
    ["advise", *EXAMPLE, "--alpha", "0.1", "--repeats", "3", "--json"],
]
COMMANDS = [
    ["calibrate", *EXAMPLE, "--out", "model.caos", "--json"],
    ["predict", "model.caos", "--test", "example/test.npy", "--alpha", "0.1", "--symmetric",
     "--method", "full-caos", "--manifest", "predict.json"],
    ["predict", "model.caos", "--test", "example/test.npy", "--alpha", "0.2", "--smoothed",
     "--seed", "5", "--json"],
    ["evaluate", *EXAMPLE, "--test", "example/test.npy", "--test-labels",
     "example/test-labels.npy", "--symmetric", "--per-example", "rows.csv", "--report",
     "page.html", "--json"],
    ["landmarks", "draw", "--out", "faces", "--n", "10", "--new", "5"],
    ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks", "faces/labeled.csv",
     "--k", "2", "--out", "cosine.caos", "--working-size", "96x112", "--score", "cosine"],
    ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks", "faces/labeled.csv",
     "--k", "2", "--out", "geometry.caos"],
    ["landmarks", "predict", "geometry.caos", "faces/new", "--alpha", "0.2", "--out",
     "geometry.json"],
    ["landmarks", "calibrate", "--images", "faces/labeled", "--landmarks", "faces/labeled.csv",
     "--k", "2", "--out", "softmax.caos", "--score", "softmax", "--location-sigma", "20"],
    ["landmarks", "predict", "cosine.caos", "faces/new", "--alpha", "0.2", "--out", "cosine.json",
     "--method", "full-caos", "--overlay", "drawn"],
    ["landmarks", "predict", "softmax.caos", "faces/new", "--alpha", "0.2", "--out",
     "softmax.csv"],
    ["landmarks", "evaluate", *FACES, "--k", "2", "--score", "cosine", *ALL, "--simultaneous",
     "--sets", "sets.npy", "--json"],
    ["landmarks", "evaluate", *FACES, "--k", "2", "--score", "margin", "--json"],
    ["landmarks", "embed", "faces/new", "--out", "embeddings.npy"],
    ["experiment", "landmarks", *FACES, "--k", "2", "--landmark-step", "13", "--out", "report"],
    ["text", "calibrate", *TRAIN, "--out", "texts.caos"],
    ["text", "predict", "texts.caos", "new.csv", "--out", "texts.csv", "--method", "full-caos"],
    ["text", "evaluate", *TRAIN, "--normalization", "softmax", "--json"],
]


class SameBytes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("train.csv", csv_text(["text", "label"], synthetic_texts(24, seed=1)))
        self.write("new.csv", csv_text(["text"], [[t] for t, _ in synthetic_texts(6, seed=2)]))
        self.write("task.json", json.dumps({"labels": LABELS}))

    def instruction_sets(self):
        self.environment["CAOS_KERNELS"] = "NONE"
        said = self.refuse(2, ["generate", "--out", "x"], "CAOS_KERNELS=NONE", "SCALAR")
        del self.environment["CAOS_KERNELS"]
        return said.split("has ")[1].strip().split(", ")

    def results(self, threads, **environment):
        """Every file that the commands write, and what they print, from nothing."""
        self.environment |= environment
        self.environment["XDG_CACHE_HOME"] = str(self.new_folder())  # all is computed
        for number, command in enumerate(WITHOUT_THREADS + COMMANDS):
            more = ["--threads", threads] if number >= len(WITHOUT_THREADS) else []
            if "--manifest" not in command:
                more += ["--manifest", f"{number}.manifest.json"]
            run = self.succeed(*command, "--quiet", *more)
            out = re.sub(r"(?m)^pixman: Disabled .*\n", "", run.out)  # what PIXMAN_DISABLE prints
            self.write(f"printed-{number}.txt", out)
        for name in environment:
            del self.environment[name]
        return self.files()

    def without_machine(self, files):
        """The files with what manifests say of kernels and threads taken out."""
        said = re.compile(rb'"(kernels|--threads)": "[^"]*"')
        return {name: said.sub(b"", content) if name.endswith(".json") else content
                for name, content in files.items()}

    def kernels_in(self, files):
        return {json.loads(content)["kernels"] for name, content in files.items()
                if name.endswith("manifest.json")}

    def test_with_every_instruction_set_and_any_number_of_threads(self):
        names = self.instruction_sets()
        first = self.results(1)
        self.assertEqual(self.kernels_in(first), {names[0]})
        manifests = [name for name in first if name.endswith("manifest.json")]
        self.assertGreater(len(manifests), 12)
        expected = self.without_machine(first)
        for threads, name in enumerate(names, 1):
            found = self.results(threads, CAOS_KERNELS=name)
            self.assertEqual(self.kernels_in(found), {name})
            found = self.without_machine(found)
            self.assertEqual(found.keys(), expected.keys())
            changed = [file for file in expected if found[file] != expected[file]]
            self.assertEqual(changed, [], name)
        found = self.without_machine(self.results(2, **PLAIN_CPU))
        self.assertEqual([file for file in expected if found[file] != expected[file]], [])


if __name__ == "__main__":
    unittest.main()
