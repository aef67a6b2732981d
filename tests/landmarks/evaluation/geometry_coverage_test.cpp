#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos {
namespace {

constexpr std::size_t num_labeled = 7;
constexpr std::size_t num_tasks = 2;
constexpr std::size_t dimension = 5;
constexpr vision::PatchGrid grid{.patch_size = 16, .columns = 5, .rows = 4};

/// Where landmarks may be: in the patches, or in cells of this side.
vision::PatchGrid labels_of(std::size_t side) { return cells_over(grid, side); }

/// What all images of one trial share. Landmarks lie together, far from what the patches suggest:
/// whole trials have a transform that leads astray, so that scores of different examples depend on
/// each other as strongly as exchangeable ones can.
struct Trial {
  Trial(Rng& rng, const vision::PatchGrid& labels) : values(grid.size(), dimension) {
    for (std::size_t p = 0; p < grid.size(); ++p) {
      for (float& value : values.row(p)) value = static_cast<float>(rng.below(7)) - 3.0F;
    }
    for (Label& one : favorite) one = rng.below(labels.size());
    noise = rng.below(3);
  }

  Matrix<float> values;
  Label favorite[num_tasks]{};
  std::uint64_t noise = 0;  ///< 0: all images are nearly alike
};

/// An image of the trial: shifted at random, and its landmarks mostly at the trial's favorite
/// places, whatever the shift; one in four anywhere, and then the second follows the first.
struct Example {
  Example(const Trial& trial, const vision::PatchGrid& where, Rng& rng)
      : patches(grid.size(), dimension) {
    const std::size_t right = rng.below(3);
    const std::size_t down = rng.below(2);
    Matrix<float> rows(grid.size(), dimension);
    for (std::size_t p = 0; p < grid.size(); ++p) {
      const std::size_t column = (p % grid.columns + right) % grid.columns;
      const std::size_t row = (p / grid.columns + down) % grid.rows;
      for (std::size_t d = 0; d < dimension; ++d) {
        const float other = static_cast<float>(rng.below(1 + 4 * trial.noise));
        rows(p, d) = trial.values(row * grid.columns + column, d) + other + 0.01F;
      }
    }
    patches = unit_rows(rows.view(), "drawn");
    const bool strays = rng.below(4) == 0;
    for (std::size_t t = 0; t < num_tasks; ++t) {
      labels[t] = static_cast<std::int64_t>(strays ? rng.below(where.size()) : trial.favorite[t]);
      if (strays && t > 0) labels[t] = labels[0];
      offsets[t] = {rng.uniform(), rng.uniform()};
    }
  }

  Matrix<float> patches;
  std::int64_t labels[num_tasks]{};
  Offset offsets[num_tasks]{};
};

/// `side`: of labels. `ties`: whether scores may be equal.
LandmarkEvaluation evaluate(Rng& rng, std::size_t side, const LandmarkEvaluateOptions& options,
                            bool& ties) {
  const vision::PatchGrid where = labels_of(side);
  const bool has_cells = side < grid.patch_size;
  const Trial trial(rng, where);
  ties = trial.noise == 0;
  LabeledPatches labeled;
  labeled.labels = Matrix<std::int64_t>(0, num_tasks);
  labeled.offsets = Matrix<Offset>(0, num_tasks);
  labeled.tasks = numbered_names(num_tasks);
  for (std::size_t i = 0; i < num_labeled; ++i) {
    Example example(trial, where, rng);
    labeled.images.push_back(std::move(example.patches));
    labeled.labels.push_row(example.labels);
    labeled.offsets.push_row(example.offsets);
    labeled.grids.push_back(where);
    if (has_cells) labeled.cells.sources.push_back({.patches = grid});
  }
  if (has_cells) read_cells(labeled, 1);
  const Example last(trial, where, rng);
  TestPatches test{.image = [&](std::size_t) { return last.patches; },
                   .labels = Matrix<std::int64_t>(0, num_tasks),
                   .grids = {where}};
  if (has_cells) test.cells = [](std::size_t) { return CellSource{.patches = grid}; };
  test.labels.push_row(last.labels);
  return evaluate_landmarks(labeled, test, options);
}

class GeometryCoverage : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sides, GeometryCoverage, testing::Values(16, 8));

/// Each landmark's coverage over trials, and all landmarks at once, is at least 1 - alpha within
/// three standard errors. CAOS and Split CAOS have the theorem for any exchangeable examples. Where
/// patches differ, scores of Split CAOS do not tie, and its coverage is exactly that of the rank.
TEST_P(GeometryCoverage, HoldsForAdversarialExchangeableExamples) {
  constexpr std::size_t trials = 6000;
  constexpr double alpha = 0.25;
  LandmarkEvaluateOptions options;
  options.methods = {Method::caos, Method::split_caos};
  options.alphas = {Miscoverage::parse("0.25")};
  options.k = 2;
  options.score = {PatchScore::Kind::geometry, 0};
  options.simultaneous = true;
  options.threads = 1;
  std::vector<double> covered(2 * num_tasks + 1);
  std::vector<double> of_split(num_tasks);  // without ties
  double untied = 0;
  double size = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    Rng rng = Rng::stream(20261118, trial);
    options.partition = split::halve(num_labeled, trial);
    bool ties = false;
    const LandmarkEvaluation evaluation = evaluate(rng, GetParam(), options, ties);
    untied += ties ? 0 : 1;
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t t = 0; t < num_tasks; ++t) {
        const double is_covered = evaluation.methods[m].landmarks[t].evaluation->coverage;
        covered[m * num_tasks + t] += is_covered;
        if (m == 1 && !ties) of_split[t] += is_covered;
      }
    }
    covered.back() += evaluation.simultaneous[0].evaluation.coverage;
    size += evaluation.methods[0].landmarks[0].evaluation->mean_set_size;
  }
  const double error = std::sqrt(alpha * (1 - alpha) / trials);
  const std::size_t calibrating = options.partition.calibration.size();
  const double exact = std::ceil((1 - alpha) * static_cast<double>(calibrating + 1)) /
                       static_cast<double>(calibrating + 1);
  for (const double count : of_split) {
    EXPECT_NEAR(count / untied, exact, 3 * std::sqrt(exact * (1 - exact) / untied));
  }
  EXPECT_GE(untied, 3500);
  for (const double count : covered) EXPECT_GE(count / trials, 1 - alpha - 3 * error);
  // Not by sets that contain everything.
  EXPECT_LT(size / trials, 0.75 * static_cast<double>(labels_of(GetParam()).size()));
}

}  // namespace
}  // namespace caos
