"""What the program pays each time it starts: the libraries that it loads before it does anything."""

import os
import re
import shutil
import subprocess
import unittest


class Startup(unittest.TestCase):
    def test_no_library_brings_a_hundred_others(self):
        """OpenCV's codecs bring GDAL on Debian, and GDAL cost 70 ms at every start."""
        if not shutil.which("ldd"):
            self.skipTest("NOT TESTED: there is no ldd")
        listing = subprocess.run(["ldd", os.environ["CAOS_PROGRAM"]], check=True,
                                 capture_output=True, text=True).stdout
        names = re.findall(r"^\s*(\S+)", listing, flags=re.MULTILINE)
        self.assertTrue([name for name in names if "opencv_core" in name], listing)
        heavy = [name for name in names if re.search(r"gdal|imgcodecs|onnxruntime", name)]
        self.assertEqual(heavy, [])


if __name__ == "__main__":
    unittest.main()
