// What coverage one sees over thousands of fresh trials, against the exact laws. Seeded: the limits
// are so wide (chances below one in a hundred thousand) that only a wrong method crosses them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "caos/calibration.hpp"
#include "caos/full.hpp"
#include "caos/joint.hpp"
#include "caos/numerics/beta.hpp"
#include "caos/rng.hpp"
#include "caos/split.hpp"
#include "tests/support/problem.hpp"

namespace {

using caos::Calibration;
using caos::Grouping;
using caos::Label;
using caos::Miscoverage;

/// An example with its own label's descriptor. Only the true label matters to coverage.
struct Example {
  std::array<double, 3> descriptor;
  Label label;
};

Example draw_example(caos::Rng& rng) {
  const Label label = rng.below(2);
  Example example{{}, label};
  for (double& value : example.descriptor) {
    value = rng.uniform() + (label == 0 ? 0.0 : 0.3 * rng.uniform());
  }
  return example;
}

std::vector<Example> draw_examples(caos::Rng& rng, std::size_t count) {
  std::vector<Example> examples;
  for (std::size_t i = 0; i < count; ++i) examples.push_back(draw_example(rng));
  return examples;
}

/// Of the target's own label under the reference. Not symmetric: a reference with a large first
/// value is a poor one.
double score(const Example& target, const Example& reference) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    sum += std::abs(target.descriptor[d] - reference.descriptor[d]);
  }
  return sum * (1 + reference.descriptor[0]);
}

caos::OwnScores own_scores(const std::vector<Example>& examples) {
  oracle::Table own(examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    for (const Example& reference : examples) own[i].push_back(score(examples[i], reference));
  }
  return problem::own_scores(own);
}

/// The pool of the truth of a test example, and the reverse scores.
struct Truth {
  caos::Matrix<double> pool;
  caos::Matrix<double> reverse;

  Truth(const Example& test, const std::vector<Example>& labeled)
      : pool(1, labeled.size()), reverse(1, labeled.size()) {
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      pool(0, i) = score(test, labeled[i]);
      reverse(0, i) = score(labeled[i], test);
    }
  }

  [[nodiscard]] caos::TestInput input() const {
    return {.pools = problem::rows_of(pool), .reverse = problem::rows_of(reverse)};
  }
};

constexpr std::size_t trials = 6000;
constexpr std::size_t n = 12;
constexpr std::size_t k = 2;

/// Standard deviations by which `hits` of `count` lie above the mean of a binomial law.
double deviation(std::size_t hits, std::size_t count, double probability) {
  const auto m = static_cast<double>(count);
  return (static_cast<double>(hits) - m * probability) /
         std::sqrt(m * probability * (1 - probability));
}

constexpr double limit = 4.5;

/// Counts trials in which `covers(labeled, test)` holds for fresh examples.
template <typename Covers>
std::size_t count_trials(std::uint64_t seed, Covers covers) {
  std::size_t hits = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    caos::Rng rng = caos::Rng::stream(seed, trial);
    const auto labeled = draw_examples(rng, n);
    hits += covers(labeled, draw_example(rng)) ? 1U : 0U;
  }
  return hits;
}

double rank_share(const Miscoverage& alpha) {
  return static_cast<double>(caos::conformal_rank(n, alpha)) / static_cast<double>(n + 1);
}

TEST(CoverageLaw, FullCaosCoversWithProbabilityRankOverNPlusOneExactly) {
  for (const char* text : {"0.1", "0.2", "0.5"}) {
    const auto alpha = Miscoverage::parse(text);
    const std::size_t hits = count_trials(11, [&](const auto& labeled, const Example& test) {
      const Calibration calibration = caos::calibrate(own_scores(labeled), {.k = k, .threads = 1});
      return !caos::full::predict_set(calibration, Truth(test, labeled).input(), alpha).empty();
    });
    EXPECT_LT(std::abs(deviation(hits, trials, rank_share(alpha))), limit) << "alpha " << text;
  }
}

TEST(CoverageLaw, CaosCoversAtLeastThatOften) {
  for (const char* text : {"0.1", "0.2", "0.5"}) {
    const auto alpha = Miscoverage::parse(text);
    const std::size_t hits = count_trials(12, [&](const auto& labeled, const Example& test) {
      const Calibration calibration = caos::calibrate(own_scores(labeled), {.k = k, .threads = 1});
      return !calibration.predict_set(Truth(test, labeled).input(), alpha).empty();
    });
    EXPECT_GT(deviation(hits, trials, rank_share(alpha)), -limit) << "alpha " << text;
  }
}

TEST(CoverageLaw, SmoothedFullCaosCoversWithProbabilityOneMinusAlphaExactly) {
  const auto alpha = Miscoverage::parse("0.1");
  caos::Rng draws(77);
  const std::size_t hits = count_trials(13, [&](const auto& labeled, const Example& test) {
    const Calibration calibration = caos::calibrate(own_scores(labeled), {.k = k, .threads = 1});
    const Truth truth(test, labeled);
    const double s = calibration.label_scores(truth.input().pools)[0];
    const auto e = caos::full::exceedances(calibration, truth.input(), 0, s);
    return caos::smoothed_p_value(e, n, draws.uniform()) > alpha.value();
  });
  EXPECT_LT(std::abs(deviation(hits, trials, 0.9)), limit);
}

TEST(CoverageLaw, SplitCaosCalCoversAtLeastAsOftenAsItsHalfAllows) {
  const auto alpha = Miscoverage::parse("0.2");
  const caos::split::Partition partition = caos::split::halve(n, 5);
  const std::size_t hits = count_trials(14, [&](const auto& labeled, const Example& test) {
    const auto split = caos::split::calibrate_split(own_scores(labeled), Grouping::none(n),
                                                    partition, caos::Method::split_caos_cal, k);
    const double s = split.label_scores(Truth(test, labeled).input().pools)[0];
    return s <= split.calibration.threshold(alpha);
  });
  const double half = static_cast<double>(partition.calibration.size());
  const double share =
      static_cast<double>(caos::conformal_rank(partition.calibration.size(), alpha)) / (half + 1);
  EXPECT_GT(deviation(hits, trials, share), -limit);
}

// The guarantee holds among the examples of each label, not only on average.
TEST(CoverageLaw, LabelConditionalCaosCoversWithinEachLabel) {
  const auto alpha = Miscoverage::parse("0.3");
  std::array<std::size_t, 2> hits{};
  std::array<std::size_t, 2> tests{};
  count_trials(15, [&](const auto& labeled, const Example& test) {
    std::vector<Label> labels;
    for (const Example& example : labeled) labels.push_back(example.label);
    const Calibration calibration =
        caos::calibrate(own_scores(labeled), Grouping::by_label(labels, 2), {.k = k, .threads = 1});
    const double s = calibration.label_scores(Truth(test, labeled).input().pools)[0];
    ++tests[test.label];
    if (s <= calibration.peers(test.label, 0).threshold(alpha)) ++hits[test.label];
    return true;
  });
  for (const std::size_t label : {0U, 1U}) {
    EXPECT_GT(deviation(hits[label], tests[label], 0.7), -limit) << "label " << label;
  }
}

// Two tasks with correlated scores: the second weighs the first task's descriptors otherwise.
TEST(CoverageLaw, JointSetsCoverAllTasksAtOnce) {
  const auto alpha = Miscoverage::parse("0.2");
  const std::size_t hits = count_trials(16, [&](const auto& labeled, const Example& test) {
    auto turned = labeled;
    for (Example& example : turned) std::swap(example.descriptor[0], example.descriptor[2]);
    Example turned_test = test;
    std::swap(turned_test.descriptor[0], turned_test.descriptor[2]);
    const Calibration first = caos::calibrate(own_scores(labeled), {.k = k, .threads = 1});
    const Calibration second = caos::calibrate(own_scores(turned), {.k = k, .threads = 1});
    caos::Matrix<double> scores(0, n);
    scores.push_row(first.scores());
    scores.push_row(second.scores());
    const caos::JointCalibration joint(scores);
    const auto s1 = first.label_scores(Truth(test, labeled).input().pools);
    const auto s2 = second.label_scores(Truth(turned_test, turned).input().pools);
    return !joint.predict_set(0, s1, alpha).empty() && !joint.predict_set(1, s2, alpha).empty();
  });
  EXPECT_GT(deviation(hits, trials, rank_share(alpha)), -limit);
}

// Absence may depend on how hard a task is: an example whose second descriptor is large lacks the
// second task. The sets of the tasks that are present cover all the same.
TEST(CoverageLaw, JointSetsCoverPresentTasksWhateverMadeOthersAbsent) {
  const auto alpha = Miscoverage::parse("0.2");
  const auto lacks_second = [](const Example& example) { return example.descriptor[1] > 0.6; };
  const std::size_t hits = count_trials(19, [&](const auto& labeled, const Example& test) {
    std::vector<Example> with_second;
    for (const Example& example : labeled) {
      if (!lacks_second(example)) with_second.push_back(example);
    }
    if (with_second.size() <= k) return true;  // about once in a hundred trials
    const Calibration first = caos::calibrate(own_scores(labeled), {.k = k, .threads = 1});
    const Calibration second = caos::calibrate(own_scores(with_second), {.k = k, .threads = 1});
    caos::Matrix<double> scores(2, n);
    std::size_t next = 0;
    for (std::size_t i = 0; i < n; ++i) {
      scores(0, i) = first.scores()[i];
      scores(1, i) = lacks_second(labeled[i]) ? std::numeric_limits<double>::quiet_NaN()
                                              : second.scores()[next++];
    }
    const caos::JointCalibration joint(scores);
    const auto s1 = first.label_scores(Truth(test, labeled).input().pools);
    const auto s2 = second.label_scores(Truth(test, with_second).input().pools);
    return !joint.predict_set(0, s1, alpha).empty() &&
           (lacks_second(test) || !joint.predict_set(1, s2, alpha).empty());
  });
  EXPECT_GT(deviation(hits, trials, rank_share(alpha)), -limit);
}

// A score that ignores its reference: CAOS and Full CAOS are the same method then, and a fresh
// score exceeds the largest of four with probability 1/5. Clipping the rank returns that largest.
TEST(CoverageLaw, CaosWithAClippedRankCoversFourTimesInFive) {
  constexpr std::size_t few = 4;
  const auto alpha = Miscoverage::parse("0.1");
  std::size_t clipped = 0;
  std::size_t by_default = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    caos::Rng rng = caos::Rng::stream(20, trial);
    caos::Matrix<double> own(few, few);
    for (std::size_t i = 0; i < few; ++i) std::ranges::fill(own.row(i), rng.uniform());
    const Calibration calibration =
        caos::calibrate(caos::OwnScores(problem::rows_of(own)), {.k = 3, .threads = 1});
    const caos::Matrix<double> pool(1, few, rng.uniform());
    const caos::TestInput input{.pools = problem::rows_of(pool)};
    clipped += calibration.predict_set(input, alpha, caos::RankRule::clip).size();
    by_default += calibration.predict_set(input, alpha).size();
  }
  EXPECT_LT(std::abs(deviation(clipped, trials, 0.8)), limit);
  EXPECT_LT(deviation(clipped, trials, 0.9), -limit);
  EXPECT_EQ(by_default, trials);
}

/// How many of `num_test` test examples are covered, over fresh trials: a histogram.
template <typename CountCovered>
std::vector<std::size_t> histogram(std::uint64_t seed, std::size_t num_test, CountCovered count) {
  std::vector<std::size_t> bins(num_test + 1);
  for (std::size_t trial = 0; trial < trials; ++trial) {
    caos::Rng rng = caos::Rng::stream(seed, trial);
    const auto labeled = draw_examples(rng, n);
    ++bins[count(labeled, draw_examples(rng, num_test))];
  }
  return bins;
}

/// Pearson's statistic against the Beta-binomial law; bins expected fewer than 5 times are pooled.
double chi_square(const std::vector<std::size_t>& bins, double a, double b) {
  const std::size_t num_test = bins.size() - 1;
  double statistic = 0;
  double pooled_expected = 0;
  double pooled_seen = 0;
  for (std::size_t count = 0; count <= num_test; ++count) {
    pooled_expected += static_cast<double>(trials) * caos::beta_binomial_pmf(count, num_test, a, b);
    pooled_seen += static_cast<double>(bins[count]);
    if (pooled_expected < 5 && count < num_test) continue;
    const double difference = pooled_seen - pooled_expected;
    statistic += difference * difference / pooled_expected;
    pooled_expected = 0;
    pooled_seen = 0;
  }
  return statistic;
}

constexpr std::size_t num_test = 10;
constexpr double chi_square_limit = 48;  // 10 degrees of freedom: exceeded once in 10^6

TEST(CoverageLaw, ScosFollowsTheBetaBinomialLaw) {
  const auto alpha = Miscoverage::parse("0.25");
  const auto partition = caos::split::halve(n, 3);
  const auto bins = histogram(17, num_test, [&](const auto& labeled, const auto& tests) {
    const auto thresholds = caos::split::scos_thresholds(own_scores(labeled), partition, alpha);
    std::size_t covered = 0;
    for (const Example& test : tests) {
      const auto tally = caos::split::tally_scos(Truth(test, labeled).input().pools, 0,
                                                 partition.references, thresholds);
      covered += tally.covers[0];
    }
    return covered;
  });
  const std::size_t half = partition.calibration.size();
  const auto rank = static_cast<double>(caos::conformal_rank(half, alpha));
  EXPECT_LT(chi_square(bins, rank, static_cast<double>(half + 1) - rank), chi_square_limit);
}

TEST(CoverageLaw, SplitCaosFollowsTheBetaBinomialLaw) {
  const auto alpha = Miscoverage::parse("0.25");
  const auto partition = caos::split::halve(n, 3);
  const auto bins = histogram(18, num_test, [&](const auto& labeled, const auto& tests) {
    const auto split = caos::split::calibrate_split(own_scores(labeled), Grouping::none(n),
                                                    partition, caos::Method::split_caos, k);
    const double q = split.calibration.threshold(alpha);
    std::size_t covered = 0;
    for (const Example& test : tests) {
      covered += split.label_scores(Truth(test, labeled).input().pools)[0] <= q ? 1U : 0U;
    }
    return covered;
  });
  const std::size_t half = partition.calibration.size();
  const auto rank = static_cast<double>(caos::conformal_rank(half, alpha));
  EXPECT_LT(chi_square(bins, rank, static_cast<double>(half + 1) - rank), chi_square_limit);
}

}  // namespace
