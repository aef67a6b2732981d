#include "caos/calibration_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"
#include "tests/support/temp_dir.hpp"

namespace {

TEST(CalibrationFile, ComesBackAsItWasSaved) {
  const caos::OwnScores own =
      problem::own_scores({{0, 1, 2, 3}, {3, 0, 4, 1}, {5, 6, 0, 2}, {1, 1, 1, 0}});
  const caos::Calibration calibration = caos::calibrate(own, {.k = 2});
  const caos::test::TempDir folder;
  caos::save_calibration(folder / "a.caos", {calibration, own, 7});
  const caos::SavedCalibration loaded = caos::load_calibration(folder / "a.caos");
  EXPECT_EQ(loaded.num_labels, 7U);
  EXPECT_TRUE(std::ranges::equal(loaded.calibration.scores(), calibration.scores()));
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(loaded.own.row(i), own.row(i)));
  }
}

TEST(CalibrationFile, IsRefusedWhereItIsAnotherFile) {
  const caos::test::TempDir folder;
  caos::test::expect_error(
      [&] { static_cast<void>(caos::load_calibration(folder.write("a.caos", "no calibration"))); },
      caos::ErrorKind::bad_format, {"a.caos"});
}

}  // namespace
