#include "caos/landmarks/points/point_error_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using caos::ImageUnits;
using caos::LandmarkTolerance;
using caos::Matrix;
using caos::PointOutcomes;
using caos::PointSource;
using caos::PointSummary;
using caos::PointUnits;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

PointUnits units() {
  return {.reference = caos::ReferenceDistance{.from = "a", .to = "b"},
          .tolerances = {{.tolerance = LandmarkTolerance::pixels(2)}}};
}

/// Errors of two images and `landmarks` landmarks: 1, 2, 3, ...
PointOutcomes outcomes(std::size_t landmarks, double factor = 1) {
  Matrix<double> errors(2, landmarks);
  for (std::size_t t = 0; t < landmarks; ++t) {
    errors(0, t) = factor * static_cast<double>(t + 1);
    errors(1, t) = factor * static_cast<double>(t + 2);
  }
  PointOutcomes split{.units = {{.reference = 50.0, .radii = {2.0}}, {.radii = {2.0}}}};
  split.sources = {{.source = PointSource::proposal, .errors = errors},
                   {.source = PointSource::nearest_image, .errors = errors},
                   {.source = PointSource::mean_position, .errors = errors}};
  return split;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t t = 0; t < count; ++t) result.push_back("mark" + std::to_string(t));
  return result;
}

TEST(PointErrorText, HasTablesAndNoGuarantee) {
  const std::string text = caos::text_of(caos::summarize_points({outcomes(2)}, names(2), units()));
  EXPECT_THAT(text, AllOf(HasSubstr("proposal, px "), HasSubstr("nearest image, px "),
                          HasSubstr("mean position, % of a-b "), HasSubstr("2.00 ± 0.5"),
                          HasSubstr("share within"), HasSubstr("0.750"), HasSubstr("\nmark1 "),
                          HasSubstr("A proposed point carries no guarantee"),
                          HasSubstr("± is the standard error over 2 test images."),
                          HasSubstr("32 x 32 thumbnail")));
  EXPECT_THAT(text, HasSubstr("1 of 2 test images lack a landmark of a-b and are left out of the "
                              "figures in % of a-b."));
}

TEST(PointErrorText, SaysThatSplitsArePooled) {
  const std::string text =
      caos::text_of(caos::summarize_points({outcomes(2), outcomes(2, 10)}, names(2), units()));
  EXPECT_THAT(text, AllOf(HasSubstr("(2.00 to 20.0)"), HasSubstr("Points of 2 splits are pooled"),
                          HasSubstr("2 of 4 test images (all splits) lack"), Not(HasSubstr("±"))));
}

TEST(PointErrorText, ShowsTheWorstOfManyLandmarks) {
  const std::string text =
      caos::text_of(caos::summarize_points({outcomes(30)}, names(30), units()));
  EXPECT_THAT(text, AllOf(HasSubstr("the worst 12 of 30 landmarks"), HasSubstr("\nmark29 "),
                          HasSubstr("\nmark18 "), Not(HasSubstr("\nmark17 "))));
}

TEST(PointErrorText, NamesSubjectsAndMissingBaselines) {
  PointOutcomes split = outcomes(1);
  split.subjects = {5, 5};
  split.over_subjects = true;
  split.sources.erase(split.sources.begin() + 1);
  EXPECT_THAT(caos::text_of(caos::summarize_points({split}, names(1), {})),
              AllOf(HasSubstr("weighs 1/m"), Not(HasSubstr("thumbnail")),
                    Not(HasSubstr("share within")), Not(HasSubstr("\nmark0"))));
}

TEST(PointErrorText, IsEmptyWithoutPoints) {
  PointOutcomes split = outcomes(1);
  for (auto& source : split.sources) {
    source.errors = Matrix<double>(2, 1, std::numeric_limits<double>::quiet_NaN());
  }
  EXPECT_EQ(caos::text_of(caos::summarize_points({split}, names(1), units())), "");
}

TEST(PointErrorText, HasThreeDigits) {
  EXPECT_EQ(caos::point_error_text(0.012345), "0.0123");
  EXPECT_EQ(caos::point_error_text(3), "3.00");
  EXPECT_EQ(caos::point_error_text(99.94), "99.9");
  EXPECT_EQ(caos::point_error_text(99.96), "100");
  EXPECT_EQ(caos::point_error_text(1234.5), "1234");
  EXPECT_EQ(caos::point_error_text(0), "0.00");
}

}  // namespace
