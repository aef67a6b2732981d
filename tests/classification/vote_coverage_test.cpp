#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "caos/classification.hpp"
#include "caos/classification/kernel_votes.hpp"
#include "caos/classification/ratio_scores.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/vector_distance.hpp"

namespace caos::classification {
namespace {

constexpr std::size_t n = 24;
constexpr std::size_t num_labels = 3;
constexpr std::size_t trials = 20'000;

/// Fresh examples: labels at random, points on a circle around the label's own direction.
struct Sample {
  Matrix<float> vectors{n + 1, 2};
  std::vector<Label> labels{};

  explicit Sample(Rng& rng) {
    for (std::size_t i = 0; i <= n; ++i) {
      labels.push_back(rng.below(num_labels));
      const double angle = 2.1 * static_cast<double>(labels[i]) + 3 * rng.uniform();
      vectors(i, 0) = static_cast<float>(std::cos(angle));
      vectors(i, 1) = static_cast<float>(std::sin(angle));
    }
  }

  /// The Euclidean distances, or the cosines, of all pairs.
  [[nodiscard]] Matrix<double> distances_of_all() const {
    Matrix<double> points(n + 1, 2);
    for (std::size_t i = 0; i <= n; ++i) {
      for (std::size_t d = 0; d < 2; ++d) points(i, d) = double{vectors(i, d)};
    }
    return distances(points.view(), points.view(), 1);
  }
  [[nodiscard]] std::vector<double> cosines_of_last() const {
    std::vector<double> result;
    for (std::size_t i = 0; i < n; ++i) {
      result.push_back(double{vectors(i, 0)} * double{vectors(n, 0)} +
                       double{vectors(i, 1)} * double{vectors(n, 1)});
    }
    return result;
  }
};

CandidateScores kernel_scores(const Sample& sample) {
  const std::span<const Label> labels = std::span(sample.labels).first(n);
  const KernelVotes votes(sample.vectors.view().rows_from(0, n), labels, num_labels,
                          {.threads = 1});
  return votes.candidates(sample.cosines_of_last());
}

CandidateScores ratio_scores(const Sample& sample) {
  const Matrix<double> all = sample.distances_of_all();
  Matrix<double> pairs(n, n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(all.row(i).begin(), n, pairs.row(i).begin());
  const RatioScores scores(pairs.view(), std::span(sample.labels).first(n), num_labels);
  return scores.candidates(all.row(n).first(n));
}

/// In how many trials the true label is in the set at each alpha.
template <typename ScoresOf>
void expect_exact_coverage(ScoresOf scores_of) {
  const std::vector<Miscoverage> alphas = {Miscoverage::parse("0.04"), Miscoverage::parse("0.1"),
                                           Miscoverage::parse("0.25"), Miscoverage::parse("0.5")};
  std::vector<std::size_t> covered(alphas.size());
  for (std::size_t t = 0; t < trials; ++t) {
    Rng rng = Rng::stream(7, t);
    const Sample sample(rng);
    const CandidateCounts counts =
        count(scores_of(sample), std::span(sample.labels).first(n), Grouping::none(n));
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const PredictionSet set = counts.predict_set(alphas[a]);
      covered[a] += std::ranges::count(set, sample.labels[n]) > 0 ? 1U : 0U;
    }
  }
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    const double exact = static_cast<double>(conformal_rank(n, alphas[a])) / (n + 1);
    const double found = static_cast<double>(covered[a]) / trials;
    const double error = std::sqrt(exact * (1 - exact) / trials);
    EXPECT_NEAR(found, exact, 4 * error) << alphas[a].text();
  }
}

// Scores have no ties here, so that coverage is exactly rank / (n + 1).

TEST(VoteCoverage, KernelVotesCoverByTheirRank) { expect_exact_coverage(kernel_scores); }

TEST(VoteCoverage, RatiosCoverByTheirRank) { expect_exact_coverage(ratio_scores); }

/// The same with few distinct points, so that scores tie, and smoothed p-values: their coverage is
/// exactly 1 - alpha.
struct TiedSample {
  LabeledVectors labeled{.vectors = Matrix<double>(n, 2), .num_labels = num_labels};
  Matrix<double> input{1, 2};
  Label truth = 0;

  explicit TiedSample(Rng& rng) {
    for (std::size_t i = 0; i <= n; ++i) {
      const Label label = rng.below(num_labels);
      const auto row = i < n ? labeled.vectors.row(i) : input.row(0);
      row[0] = 1 + static_cast<double>(label == 1 ? rng.below(3) : rng.below(2));
      row[1] = 1 + static_cast<double>(label == 2 ? rng.below(3) : rng.below(2));
      if (i < n) labeled.labels.push_back(label);
      if (i == n) truth = label;
    }
  }
};

void expect_exact_smoothed_coverage(Method method, bool by_label) {
  const std::vector<Miscoverage> alphas = {Miscoverage::parse("0.02"), Miscoverage::parse("0.1"),
                                           Miscoverage::parse("0.3")};
  std::vector<std::size_t> smoothed(alphas.size());
  std::vector<std::size_t> plain(alphas.size());
  for (std::size_t t = 0; t < trials; ++t) {
    Rng rng = Rng::stream(11, t);
    const TiedSample sample(rng);
    const VectorClassifier classifier(
        sample.labeled,
        by_label ? Grouping::by_label(sample.labeled.labels, num_labels) : Grouping::none(n),
        {.method = method, .threads = 1});
    const auto with = classifier.predict(sample.input.view(),
                                         {.alphas = alphas, .smoothing_seed = 3, .first_input = t});
    const auto without = classifier.predict(sample.input.view(), {.alphas = alphas});
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      smoothed[a] += std::ranges::count(with[0].sets[a], sample.truth) > 0 ? 1U : 0U;
      plain[a] += std::ranges::count(without[0].sets[a], sample.truth) > 0 ? 1U : 0U;
    }
  }
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    const double exact = 1 - alphas[a].value();
    const double error = std::sqrt(exact * (1 - exact) / trials);
    EXPECT_NEAR(static_cast<double>(smoothed[a]) / trials, exact, 4 * error) << alphas[a].text();
    EXPECT_GE(plain[a], smoothed[a]);
  }
  EXPECT_GT(plain[2], smoothed[2] + trials / 100);  // there are ties
}

TEST(VoteCoverage, SmoothedPValuesOfKernelVotesCoverExactlyWithTies) {
  expect_exact_smoothed_coverage(Method::full_kernel, false);
}

TEST(VoteCoverage, SmoothedPValuesOfRatiosCoverExactlyWithTies) {
  expect_exact_smoothed_coverage(Method::full_ratio, false);
}

TEST(VoteCoverage, SmoothedPValuesCoverExactlyByLabel) {
  expect_exact_smoothed_coverage(Method::full_ratio, true);
}

/// Two groups of inputs, of which one is rare and harder; each has its own guarantee.
TEST(VoteCoverage, SmoothedPValuesCoverExactlyWithinEachGroup) {
  const Miscoverage alpha = Miscoverage::parse("0.2");
  std::size_t covered[2] = {};
  std::size_t seen[2] = {};
  for (std::size_t t = 0; t < trials; ++t) {
    Rng rng = Rng::stream(13, t);
    TiedSample sample(rng);
    std::vector<GroupId> groups;
    for (std::size_t i = 0; i <= n; ++i) groups.push_back(rng.below(4) == 0 ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (groups[i] == 1) sample.labeled.vectors(i, 0) = 1 + static_cast<double>(rng.below(3));
    }
    if (groups[n] == 1) sample.input(0, 0) = 1 + static_cast<double>(rng.below(3));
    const GroupId own = groups.back();
    groups.pop_back();
    const VectorClassifier classifier(sample.labeled, Grouping::by_input(groups),
                                      {.method = Method::full_ratio, .threads = 1});
    const auto found = classifier.predict(
        sample.input.view(),
        {.alphas = {alpha}, .smoothing_seed = 5, .first_input = t, .groups = {own}});
    const std::size_t rare = own == 1 ? 1 : 0;
    covered[rare] += std::ranges::count(found[0].sets[0], sample.truth) > 0 ? 1U : 0U;
    ++seen[rare];
  }
  for (std::size_t group = 0; group < 2; ++group) {
    const auto count = static_cast<double>(seen[group]);
    const double exact = 1 - alpha.value();
    EXPECT_NEAR(static_cast<double>(covered[group]) / count, exact,
                4 * std::sqrt(exact * (1 - exact) / count))
        << group;
  }
}

}  // namespace
}  // namespace caos::classification
