#include "caos/landmarks/points/point_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/rng.hpp"

namespace {

using caos::ImageUnits;
using caos::LandmarkTolerance;
using caos::Matrix;
using caos::missing_label;
using caos::PointOutcomes;
using caos::PointSource;
using caos::PointSummary;
using caos::PointUnit;
using caos::PointUnits;
using caos::Rng;
using caos::SourceErrors;
using caos::vision::Point;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Errors [images, landmarks] of the proposal; those of the mean position are twice as large.
PointOutcomes outcomes(const Matrix<double>& errors, const std::vector<ImageUnits>& units) {
  PointOutcomes split{.units = units};
  split.sources = {{.source = PointSource::proposal, .errors = errors},
                   {.source = PointSource::mean_position, .errors = errors}};
  Matrix<double>& doubled = split.sources[1].errors;
  for (std::size_t x = 0; x < doubled.rows(); ++x) {
    for (double& error : doubled.row(x)) error *= 2;
  }
  return split;
}

Matrix<double> matrix(const std::vector<std::vector<double>>& rows) {
  Matrix<double> result(0, rows.at(0).size());
  for (const auto& row : rows) result.push_row(row);
  return result;
}

PointUnits pixels_only() { return {.tolerances = {{.tolerance = LandmarkTolerance::pixels(2)}}}; }

std::vector<ImageUnits> plain_units(std::size_t count) {
  return {count, ImageUnits{.radii = {2.0}}};
}

TEST(PointDistances, AreEuclideanWhereTheLandmarkIsPresent) {
  Matrix<Point> predicted(1, 2, Point{.x = 1, .y = 2});
  Matrix<Point> truth(1, 2, Point{.x = 4, .y = 6});
  Matrix<std::int64_t> labels(1, 2, 0);
  labels(0, 1) = missing_label;
  const Matrix<double> errors = point_distances(predicted, truth, labels);
  EXPECT_EQ(errors(0, 0), 5);
  EXPECT_TRUE(std::isnan(errors(0, 1)));
}

TEST(PointSummary, IsOverAllPointsAndByLandmark) {
  const PointSummary summary = summarize_points(
      {outcomes(matrix({{1, 4}, {2, nan}, {3, 10}}), plain_units(3))}, {"a", "b"}, pixels_only());
  ASSERT_EQ(summary.sources.size(), 2);
  const SourceErrors& proposal = summary.sources[0];
  EXPECT_EQ(proposal.all.distances[0]->num_points, 5);
  EXPECT_EQ(proposal.all.distances[0]->median.value, 3);
  EXPECT_EQ(proposal.all.distances[0]->mean.value, 4);
  EXPECT_EQ(proposal.all.distances[0]->q90.value, 10);
  EXPECT_DOUBLE_EQ(proposal.all.within[0]->share.value, 0.4);
  EXPECT_EQ(proposal.landmarks[0].distances[0]->median.value, 2);
  EXPECT_EQ(proposal.landmarks[1].distances[0]->mean.value, 7);
  EXPECT_EQ(proposal.landmarks[1].within[0]->share.value, 0);
  EXPECT_EQ(summary.sources[1].all.distances[0]->mean.value, 8);
  EXPECT_EQ(summary.num_images, 3);
  EXPECT_EQ(proposal.percentiles.size(), 100);
  EXPECT_EQ(proposal.percentiles[49], 3);
  EXPECT_EQ(proposal.percentiles[99], 10);
}

/// With every landmark in every image, that of the images' means.
TEST(PointSummary, HasAStandardErrorOverImages) {
  const PointSummary summary = summarize_points(
      {outcomes(matrix({{1, 3}, {4, 4}, {6, 6}}), plain_units(3))}, {"a", "b"}, pixels_only());
  EXPECT_NEAR(summary.sources[0].all.distances[0]->mean.standard_error.value(), std::sqrt(4.0 / 3),
              1e-12);  // of 2, 4, 6
  EXPECT_EQ(summary.num_clusters, 3);
  EXPECT_FALSE(summary.by_subject);
}

TEST(PointSummary, OfOneImageHasNoStandardError) {
  const PointSummary summary =
      summarize_points({outcomes(matrix({{1, 3}}), plain_units(1))}, {"a", "b"}, pixels_only());
  EXPECT_FALSE(summary.sources[0].all.distances[0]->mean.standard_error);
}

TEST(PointSummary, CountsSubjectsAlike) {
  PointOutcomes split = outcomes(matrix({{1}, {1}, {1}, {9}}), plain_units(4));
  split.subjects = {0, 0, 0, 1};
  split.over_subjects = true;
  PointSummary summary = summarize_points({split}, {"a"}, pixels_only());
  EXPECT_DOUBLE_EQ(summary.sources[0].all.distances[0]->mean.value, 5);
  EXPECT_DOUBLE_EQ(summary.sources[0].all.distances[0]->median.value, 1);
  EXPECT_DOUBLE_EQ(summary.sources[0].all.within[0]->share.value, 0.5);
  EXPECT_TRUE(summary.over_subjects && summary.by_subject);
  EXPECT_EQ(summary.num_clusters, 2);
  split.over_subjects = false;
  summary = summarize_points({split}, {"a"}, pixels_only());
  EXPECT_DOUBLE_EQ(summary.sources[0].all.distances[0]->mean.value, 3);
  EXPECT_FALSE(summary.over_subjects);
  EXPECT_TRUE(summary.by_subject);
}

TEST(PointSummary, PoolsSplitsAndKeepsTheirSpread) {
  const PointSummary summary =
      summarize_points({outcomes(matrix({{1}, {2}, {3}}), plain_units(3)),
                        outcomes(matrix({{5}, {6}, {10}}), plain_units(3))},
                       {"a"}, pixels_only());
  const auto& errors = *summary.sources[0].all.distances[0];
  EXPECT_EQ(errors.median.value, 3);
  EXPECT_EQ(errors.median.by_split, (std::vector<double>{2, 6}));
  EXPECT_EQ(errors.mean.value, 4.5);
  EXPECT_EQ(errors.mean.smallest(), 2);
  EXPECT_EQ(errors.mean.largest(), 7);
  EXPECT_FALSE(errors.mean.standard_error);
  EXPECT_EQ(errors.q90.value, 10);
  EXPECT_EQ(summary.sources[0].all.within[0]->share.by_split, (std::vector<double>{2.0 / 3, 0}));
  EXPECT_EQ(summary.num_splits, 2);
}

TEST(PointSummary, LeavesImagesWithoutAUnitOutAndCountsThem) {
  std::vector<ImageUnits> units(3, ImageUnits{.radii = {2.0}});
  units[0].millimeters = 0.5;
  units[0].reference = 40;
  units[1].reference = 20;
  units[1].radii = {std::nullopt};
  PointUnits in = pixels_only();
  in.reference = caos::ReferenceDistance{.from = "a", .to = "b"};
  const PointSummary summary =
      summarize_points({outcomes(matrix({{4}, {2}, {1}}), units)}, {"a"}, in);
  EXPECT_EQ(summary.units, (std::vector<PointUnit>{PointUnit::pixels, PointUnit::millimeters,
                                                   PointUnit::percent}));
  EXPECT_EQ(summary.without_unit, (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_EQ(summary.without_tolerance, (std::vector<std::size_t>{1}));
  const auto& distances = summary.sources[0].all.distances;
  EXPECT_EQ(distances[1]->num_points, 1);
  EXPECT_EQ(distances[1]->mean.value, 2);
  EXPECT_EQ(distances[2]->num_points, 2);
  EXPECT_EQ(distances[2]->mean.value, 10);
  EXPECT_EQ(summary.sources[0].all.within[0]->share.value, 0.5);
  EXPECT_EQ(summary.reference, "a-b");
}

TEST(PointSummary, LeavesOutImagesAndLandmarksWithoutPoints) {
  const PointSummary summary = summarize_points(
      {outcomes(matrix({{nan, nan}, {1, nan}}), plain_units(2))}, {"a", "b"}, pixels_only());
  EXPECT_EQ(summary.num_images, 1);
  EXPECT_TRUE(summary.sources[0].landmarks[0].distances[0]);
  EXPECT_FALSE(summary.sources[0].landmarks[1].distances[0]);
  EXPECT_FALSE(summary.sources[0].landmarks[1].within[0]);
  const PointSummary none =
      summarize_points({outcomes(matrix({{nan}}), plain_units(1))}, {"a"}, pixels_only());
  EXPECT_TRUE(none.sources.empty());
}

/// Weighted means over subjects, by hand.
TEST(PointSummary, AgreesWithTheDefinitionOnRandomErrors) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    Matrix<double> errors(7, 3);
    PointOutcomes split = outcomes(errors, plain_units(7));
    std::map<std::size_t, double> count;
    for (std::size_t x = 0; x < 7; ++x) {
      split.subjects.push_back(rng.below(4));
      ++count[split.subjects.back()];
      for (double& error : split.sources[0].errors.row(x)) {
        error = rng.below(4) == 0 ? nan : static_cast<double>(rng.below(6));
      }
    }
    split.over_subjects = true;
    double sum = 0;
    double within = 0;
    double total = 0;
    for (std::size_t x = 0; x < 7; ++x) {
      for (const double error : split.sources[0].errors.row(x)) {
        if (std::isnan(error)) continue;
        const double weight = 1 / count[split.subjects[x]];
        sum += weight * error;
        within += error <= 2 ? weight : 0;
        total += weight;
      }
    }
    const PointSummary summary = summarize_points({split}, {"a", "b", "c"}, pixels_only());
    EXPECT_NEAR(summary.sources[0].all.distances[0]->mean.value, sum / total, 1e-12);
    EXPECT_NEAR(summary.sources[0].all.within[0]->share.value, within / total, 1e-12);
  }
}

}  // namespace
