"""What the program pays each time it starts: the libraries that it loads before it does anything."""

import os
import re
import shutil
import subprocess
import unittest

# GDAL cost 70 ms at every start. OpenBLAS starts threads before main, which take signals, and
# never ends under a small limit of addresses; OpenCV, and LAPACK under it, bring it.
HEAVY = r"gdal|opencv|lapack|blas|onnxruntime"


class Startup(unittest.TestCase):
    def libraries_of(self, file):
        if not shutil.which("ldd"):
            self.skipTest("NOT TESTED: there is no ldd")
        listing = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
        return re.findall(r"^\s*(\S+)", listing, flags=re.MULTILINE)

    def test_no_library_brings_threads_or_a_hundred_others(self):
        names = self.libraries_of(os.environ["CAOS_PROGRAM"])
        self.assertTrue([name for name in names if "libcairo" in name], names)
        self.assertEqual([name for name in names if re.search(HEAVY, name)], [])
        # HDF5 brings thirty, for remote files; DCMTK, which reads DICOM, its own nine.
        self.assertLess(len(names), 100)

    def test_the_program_runs_in_one_thread_until_it_needs_more(self):
        if not shutil.which("strace"):
            self.skipTest("NOT TESTED: there is no strace; run tools/setup --tests")
        done = subprocess.run(["strace", "-f", "-e", "trace=clone,clone3", "-e", "signal=none", "-qq",
                               os.environ["CAOS_PROGRAM"], "--version"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest("NOT TESTED: strace may not trace here")
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
