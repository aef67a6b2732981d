// What choosing the size of a sample by its results costs, and what planned looks keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "apps/studio/store/sampling/looks.hpp"
#include "caos/miscoverage.hpp"
#include "caos/rng.hpp"

namespace caos::studio {
namespace {

constexpr int num_projects = 20'000;
constexpr std::size_t most_images = 100;

/// The scores of a sample in its random order, uniform on (0, 1): then a new image is covered with
/// probability equal to the threshold.
using Scores = std::vector<double>;

double threshold(const Scores& scores, std::size_t n, const Miscoverage& alpha) {
  const std::size_t rank = conformal_rank(n, alpha);
  if (rank > n) return 1;
  Scores first(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n));
  std::ranges::nth_element(first, first.begin() + static_cast<std::ptrdiff_t>(rank - 1));
  return first[rank - 1];
}

/// Coverage on average over projects, where `stop` gives the threshold that a user ends with.
double coverage(const std::function<double(const Scores&)>& stop) {
  double sum = 0;
  for (std::uint64_t project = 0; project < num_projects; ++project) {
    Rng rng = Rng::stream(19, project);
    Scores scores(most_images);
    for (double& score : scores) score = rng.uniform();
    sum += stop(scores);
  }
  return sum / num_projects;
}

const Miscoverage tenth = Miscoverage::parse("0.1");

TEST(Stopping, AtAFixedSizeCoversAsGuaranteed) {
  const double fixed = coverage([](const Scores& scores) { return threshold(scores, 39, tenth); });
  EXPECT_NEAR(fixed, 0.9, 0.002);  // exactly 36/40
}

TEST(Stopping, AtThePrefixWithTheSmallestThresholdCoversTooLittle) {
  const double chosen = coverage([](const Scores& scores) {
    double smallest = 1;
    for (std::size_t n = 19; n <= 39; ++n) {
      smallest = std::min(smallest, threshold(scores, n, tenth));
    }
    return smallest;
  });
  EXPECT_LT(chosen, 0.885);
}

TEST(Stopping, WhenTheThresholdLooksSmallCoversTooLittle) {
  const double extended = coverage([](const Scores& scores) {
    for (std::size_t n = 19; n < most_images; n += 10) {
      const double found = threshold(scores, n, tenth);
      if (found < 0.9) return found;
    }
    return threshold(scores, most_images - 1, tenth);
  });
  EXPECT_LT(extended, 0.885);
}

/// The smallest threshold among those of the looks: no way to choose where to stop covers less.
double worst_stop(const std::vector<Look>& looks) {
  return coverage([&](const Scores& scores) {
    double smallest = 1;
    for (const Look& look : looks) {
      smallest = std::min(smallest, threshold(scores, look.size, Miscoverage::parse(look.alpha)));
    }
    return smallest;
  });
}

TEST(Stopping, AtAnyPlannedLookCoversAsGuaranteed) {
  EXPECT_GE(worst_stop(equal_looks({20, 40}, "0.1")), 0.9);
  EXPECT_GE(worst_stop(equal_looks({30, 60, 90}, "0.1")), 0.9);
  EXPECT_GE(worst_stop({{30, "0.04"}, {60, "0.06"}}), 0.9);
  EXPECT_GE(worst_stop(equal_looks({10, 11}, "0.2")), 0.8);
}

}  // namespace
}  // namespace caos::studio
