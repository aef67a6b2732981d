#include "apps/cli/pages/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, EscapesWhatWouldEndTextOrAnAttribute) {
  EXPECT_EQ(escaped("<a href=\"x\">&</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  EXPECT_EQ(escaped("é, 12 × 14"), "é, 12 × 14");
}

TEST(Html, ACoverageAxisBeginsBelowTheLowestAndNotBelowZero) {
  EXPECT_DOUBLE_EQ(coverage_axis_begin(0.95), 0.9);
  EXPECT_DOUBLE_EQ(coverage_axis_begin(0.93), 0.85);
  EXPECT_DOUBLE_EQ(coverage_axis_begin(0.03), 0);
}

TEST(Html, AnIntervalBeyondTheAxisEndsWhereTheAxisEnds) {
  const std::string plot = coverage_plot({.share = 0.99,
                                          .low = 0.1,
                                          .high = 1.2,
                                          .target = 0.95,
                                          .axis_begin = 0.9,
                                          .color = "#000",
                                          .width = 108});
  EXPECT_THAT(plot, HasSubstr(R"(x1="4.0" x2="104.0")"));
  EXPECT_THAT(plot, HasSubstr(R"(cx="94.0")"));
}

TEST(Html, TheLargestBarIsAsWideAsThePlot) {
  EXPECT_THAT(size_plot(8, 8, "#000", 120), HasSubstr(R"(width="120.0")"));
  EXPECT_THAT(size_plot(2, 8, "#000", 120), HasSubstr(R"(width="30.0")"));
  EXPECT_THAT(size_plot(0, 0, "#000", 120), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace caos::cli
