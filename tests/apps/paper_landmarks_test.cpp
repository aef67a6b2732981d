#include "apps/cli/experiments/paper_landmarks.hpp"

#include <gtest/gtest.h>

namespace caos::cli {
namespace {

TEST(PaperLandmarks, HasTheFiguresOfTableOne) {
  const auto caos = paper_landmark_figure("caos", "0.05");
  ASSERT_TRUE(caos);
  EXPECT_EQ(caos->coverage, 0.955);
  EXPECT_EQ(caos->coverage_sem, 0.001);
  EXPECT_EQ(caos->mean_set_size, 16.14);
  EXPECT_EQ(caos->mean_set_size_sem, 0.58);
  EXPECT_EQ(paper_landmark_figure("scos-oracle", "0.2")->mean_set_size, 4.29);
}

TEST(PaperLandmarks, HasTheDataReuseAblationWithoutStandardErrors) {
  const auto split = paper_landmark_figure("split-caos-ref", "0.05");
  ASSERT_TRUE(split);
  EXPECT_EQ(split->mean_set_size, 17.47);
  EXPECT_EQ(split->mean_set_size_sem, std::nullopt);
  EXPECT_FALSE(paper_landmark_figure("split-caos-ref", "0.1"));
}

TEST(PaperLandmarks, FindsAnAlphaHoweverItIsWritten) {
  for (const char* alpha : {"0.1", ".1", "0.10", "00.100"}) {
    ASSERT_TRUE(paper_landmark_figure("scos", alpha)) << alpha;
    EXPECT_EQ(paper_landmark_figure("scos", alpha)->mean_set_size, 21.04);
  }
}

TEST(PaperLandmarks, HasNothingForWhatThePaperDoesNotReport) {
  EXPECT_FALSE(paper_landmark_figure("full-caos", "0.05"));
  EXPECT_FALSE(paper_landmark_figure("caos", "0.15"));
  EXPECT_FALSE(paper_landmark_figure("caos", ""));
  EXPECT_FALSE(paper_landmark_figure("caos", "0"));
}

}  // namespace
}  // namespace caos::cli
