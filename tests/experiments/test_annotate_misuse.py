"""What annotate says when it is used wrongly or lacks something. Starts no browser."""

import json
import os
import shutil

import annotator_support as support


def setUpModule():
    support.require_node()


class Misuse(support.AnnotateTest):
    def test_unknown_arguments_are_refused(self):
        self.expect_failure(2, "say which folder", "--out", "a.csv")
        self.expect_failure(2, "say with --out", self.folder)
        self.expect_failure(2, "'b' is an unexpected argument", "a", "b", "--out", "c.csv")
        self.expect_failure(2, "--bogus", self.folder, "--bogus")
        self.expect_failure(2, "name of the file is empty", self.folder, "--out", "")

    def test_a_folder_that_is_none_is_refused(self):
        missing = self.folder / "missing"
        self.expect_failure(1, f"{missing}: no such folder", missing, "--out", "a.csv")
        file = self.folder / "file"
        file.touch()
        self.expect_failure(1, "expected a folder", file, "--out", "a.csv")

    def test_a_folder_without_images_is_refused(self):
        (self.folder / "notes.txt").touch()
        self.expect_failure(1, "holds no images", self.folder, "--out", self.folder / "a.csv")

    def test_outputs_that_cannot_be_written_are_refused_before_work(self):
        (self.folder / "face.jpg").touch()
        here = self.folder
        self.expect_failure(1, "create it first", here, "--out", here / "missing" / "a.csv")
        self.expect_failure(1, "is a directory", here, "--out", here)
        self.expect_failure(2, "would replace an image", here, "--out", here / "face.jpg")
        self.expect_failure(2, "the same file", here, "--out", here / "a", "--skipped", here / "a")
        self.assertEqual(os.listdir(here), ["face.jpg"])

    def test_help_says_what_there_is(self):
        result = support.run_annotate("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for word in ("--out", "--skipped", "--keep-outside", "Example:"):
            self.assertIn(word, result.stdout)


class Requirements(support.AnnotateTest):
    def setUp(self):
        super().setUp()
        (self.folder / "face.jpg").touch()
        self.words = (self.folder, "--out", self.folder / "a.csv")

    def program_path(self, **programs):
        """A PATH with node, what the launcher needs, and programs that are scripts."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in ("node", "sh", "dirname", "readlink"):
            (folder / name).symlink_to(shutil.which(name))
        for name, script in programs.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        return str(folder)

    def copy_without_packages(self):
        copy = self.folder / "copy"
        shutil.copytree(support.ANNOTATE, copy, ignore=shutil.ignore_patterns("node_modules"))
        return copy / "annotate"

    def test_a_missing_browser_is_named_with_its_remedy(self):
        self.expect_failure(1, "apt install chromium", *self.words, PATH=self.program_path(),
                            CHROMIUM="")
        self.expect_failure(1, "not a program", *self.words, CHROMIUM="/missing")

    def test_packages_are_fetched_on_first_use_without_running_their_scripts(self):
        path = self.program_path(chromium="", npm=f"echo $* > '{self.folder}/npm'; exit 1")
        self.expect_failure(1, "first use: fetching", *self.words, PATH=path, CHROMIUM="",
                            program=self.copy_without_packages())
        self.assertEqual((self.folder / "npm").read_text(), "ci --ignore-scripts\n")

    def test_a_missing_npm_is_named_with_its_remedy(self):
        self.expect_failure(1, "apt install npm", *self.words, CHROMIUM="",
                            PATH=self.program_path(chromium=""),
                            program=self.copy_without_packages())


class Lock(support.AnnotateTest):
    def test_names_no_registry_and_pins_every_package(self):
        text = (support.ANNOTATE / "package-lock.json").read_text(encoding="utf-8")
        self.assertNotIn("://", text)
        packages = json.loads(text)["packages"]
        del packages[""]
        self.assertTrue(packages)
        for package in packages.values():
            self.assertIn("integrity", package)


if __name__ == "__main__":
    support.run_tests()
