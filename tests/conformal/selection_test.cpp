#include "caos/selection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "caos/error.hpp"
#include "caos/rng.hpp"

namespace {

using caos::Guarantee;
using caos::Miscoverage;
using caos::Rng;
using caos::selection::History;
using caos::selection::Outcome;
using caos::selection::Selection;

// The definition, slowly.

std::size_t count_of(const std::vector<Outcome>& calibration, double confidence) {
  std::size_t count = 1;
  for (const Outcome& outcome : calibration) {
    if (outcome.wrong && outcome.confidence >= confidence) ++count;
  }
  return count;
}

/// The accepted candidates at q = thousandths / 1000: those whose p-value is at most q r / m for
/// the largest r that at least r p-values allow.
std::vector<bool> accepted_of(const std::vector<Outcome>& calibration,
                              const std::vector<double>& confidences, std::size_t thousandths) {
  const std::size_t m = confidences.size();
  const std::size_t scale = calibration.size() + 1;
  const auto passes = [&](double confidence, std::size_t r) {
    return count_of(calibration, confidence) * m * 1000 <= thousandths * r * scale;
  };
  for (std::size_t r = m; r > 0; --r) {
    std::vector<bool> accepted;
    std::size_t count = 0;
    for (const double confidence : confidences) {
      accepted.push_back(passes(confidence, r));
      count += accepted.back() ? 1U : 0U;
    }
    if (count >= r) return accepted;
  }
  return std::vector<bool>(m, false);
}

Miscoverage thousandths_of(std::size_t thousandths) {
  return Miscoverage::from_double(static_cast<double>(thousandths) / 1000);
}

/// Few values, so that many are equal; infinities too.
double tied_confidence() {
  const double infinity = std::numeric_limits<double>::infinity();
  return *rc::gen::element(-infinity, -1.0, -0.5, 0.0, 0.5, infinity);
}

std::vector<Outcome> tied_calibration() {
  std::vector<Outcome> calibration(*rc::gen::inRange<std::size_t>(0, 40));
  for (Outcome& outcome : calibration) {
    outcome = {.confidence = tied_confidence(), .wrong = *rc::gen::inRange(0, 4) == 0};
  }
  return calibration;
}

RC_GTEST_PROP(Selection, IsThatOfTheDefinitionWithTies, ()) {
  const std::vector<Outcome> calibration = tied_calibration();
  std::vector<double> confidences(*rc::gen::inRange<std::size_t>(0, 30));
  for (double& confidence : confidences) confidence = tied_confidence();
  const auto thousandths = *rc::gen::inRange<std::size_t>(1, 1000);
  const Selection selection =
      caos::selection::select(calibration, confidences, thousandths_of(thousandths));
  RC_ASSERT(selection.accepted == accepted_of(calibration, confidences, thousandths));
  std::size_t num_accepted = 0;
  for (std::size_t j = 0; j < confidences.size(); ++j) {
    RC_ASSERT(selection.counts[j] == count_of(calibration, confidences[j]));
    num_accepted += selection.accepted[j] ? 1U : 0U;
  }
  RC_ASSERT(selection.num_accepted == num_accepted);
}

RC_GTEST_PROP(Selection, AcceptsMoreAsQGrowsAndWhereMoreIsRight, ()) {
  std::vector<Outcome> calibration = tied_calibration();
  std::vector<double> confidences(*rc::gen::inRange<std::size_t>(1, 30));
  for (double& confidence : confidences) confidence = tied_confidence();
  const auto thousandths = *rc::gen::inRange<std::size_t>(1, 999);
  const auto num_accepted = [&](std::size_t q) {
    return caos::selection::select(calibration, confidences, thousandths_of(q)).num_accepted;
  };
  const std::size_t before = num_accepted(thousandths);
  RC_ASSERT(before <= num_accepted(thousandths + 1));
  for (Outcome& outcome : calibration) outcome.wrong = outcome.wrong && *rc::gen::inRange(0, 2) > 0;
  RC_ASSERT(before <= num_accepted(thousandths));
}

// Nine calibration examples, of which those with confidence 0.2 and 0.6 are wrong: p-values are
// tenths. At q = 0.2 with four candidates, r of them need a p-value of at most r / 20.
TEST(Selection, AcceptsByHand) {
  std::vector<Outcome> calibration;
  for (int i = 1; i <= 9; ++i) {
    calibration.push_back({.confidence = i / 10.0, .wrong = i == 2 || i == 6});
  }
  const std::vector<double> confidences = {0.7, 0.6, 0.9, 0.1};
  const auto accept = [&](const char* q) {
    return caos::selection::select(calibration, confidences, Miscoverage::parse(q));
  };
  const Selection selection = accept("0.2");
  EXPECT_EQ(selection.counts, (std::vector<std::size_t>{1, 2, 1, 3}));  // a tie counts
  EXPECT_DOUBLE_EQ(selection.p_value(3), 0.3);
  EXPECT_EQ(selection.accepted, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(accept("0.3").num_accepted, 4U);
  EXPECT_EQ(accept("0.19").num_accepted, 0U);
}

// 0.15 / 3 is 1 / 20, but not in doubles.
TEST(Selection, ComparesExactly) {
  const std::vector<Outcome> calibration(19, {.confidence = 0, .wrong = true});
  const std::vector<double> confidences = {1, 0, 0};
  EXPECT_GT(1 / 20.0, 0.15 / 3);
  EXPECT_EQ(
      caos::selection::select(calibration, confidences, Miscoverage::parse("0.15")).num_accepted,
      1U);
}

TEST(Selection, HasNothingToDoWithoutCandidates) {
  const std::vector<Outcome> calibration(5);
  EXPECT_EQ(caos::selection::select(calibration, {}, Miscoverage::parse("0.5")).num_accepted, 0U);
}

TEST(Selection, RefusesConfidencesThatAreNotNumbers) {
  const double nan = std::nan("");
  const std::vector<double> one = {1};
  const std::vector<double> bad = {nan};
  EXPECT_THROW(
      (void)caos::selection::p_value_counts(std::vector<Outcome>{{.confidence = nan}}, one),
      caos::Error);
  EXPECT_THROW((void)caos::selection::p_value_counts({}, bad), caos::Error);
}

TEST(FewestAccepted, IsTheSmallestNumberThatPasses) {
  for (const char* text : {"0.05", "0.1", "0.2", "0.333333333333333333", "0.000000000000000001"}) {
    const Miscoverage q = Miscoverage::parse(text);
    for (std::size_t n = 0; n < 40; ++n) {
      for (std::size_t m = 1; m < 30; ++m) {
        const std::size_t fewest = caos::selection::fewest_accepted(n, m, q);
        for (const std::size_t r : {fewest - 1, fewest}) {
          if (r < 1 || r > m) continue;
          // r p-values of 1 / (n + 1), the others 1.
          std::vector<std::size_t> counts(m, n + 1);
          std::fill_n(counts.begin(), r, std::size_t{1});
          EXPECT_EQ(caos::selection::num_rejections(counts, n, q) >= r, r == fewest);
        }
      }
    }
  }
}

TEST(SelectionGuarantee, IsVoidOnceAnythingChanged) {
  EXPECT_EQ(caos::selection::guarantee_of({}).text(), "FDR");
  EXPECT_EQ(caos::selection::guarantee_of({.tolerance_changed = true}).text(),
            "none (the tolerance was changed after results were seen)");
  std::set<std::string> reasons;
  for (const History& history :
       {History{.tolerance_changed = true}, History{.q_changed = true},
        History{.candidate_reviewed = true}, History{.candidates_changed = true},
        History{.examples_changed = true}, History{.proposals_changed = true}}) {
    const Guarantee guarantee = caos::selection::guarantee_of(history);
    EXPECT_EQ(guarantee.kind, Guarantee::Kind::none);
    reasons.insert(guarantee.text());
  }
  EXPECT_EQ(reasons.size(), 6U);
}

// Simulations. The law of one trial is exact, so that what is realized tells whether p-values have
// their + 1 and count ties.

/// A share over trials, and its standard error.
struct Realized {
  double mean = 0;
  double standard_error = 0;
};

template <typename Trial>
Realized realize(std::size_t trials, Trial trial) {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < trials; ++i) {
    Rng rng = Rng::stream(1, i);
    const double value = trial(rng);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(trials);
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

/// The share of wrong ones among the accepted of m candidates; none accepted is 0.
/// Right examples are more confident; `levels` > 0 rounds confidences to so many values.
double false_share(Rng& rng, std::size_t n, std::size_t m, double share_wrong, int levels,
                   const Miscoverage& q, std::size_t* num_accepted = nullptr) {
  const auto draw = [&] {
    const bool wrong = rng.uniform() < share_wrong;
    double confidence = rng.uniform() + (wrong ? 0 : 0.5);
    if (levels > 0) confidence = std::floor(confidence * levels);
    return Outcome{.confidence = confidence, .wrong = wrong};
  };
  std::vector<Outcome> calibration(n);
  for (Outcome& outcome : calibration) outcome = draw();
  std::vector<double> confidences;
  std::vector<bool> wrong;
  for (std::size_t j = 0; j < m; ++j) {
    const Outcome candidate = draw();
    confidences.push_back(candidate.confidence);
    wrong.push_back(candidate.wrong);
  }
  const Selection selection = caos::selection::select(calibration, confidences, q);
  std::size_t bad = 0;
  for (std::size_t j = 0; j < m; ++j) bad += selection.accepted[j] && wrong[j] ? 1U : 0U;
  if (num_accepted != nullptr) *num_accepted += selection.num_accepted;
  return selection.num_accepted == 0
             ? 0
             : static_cast<double>(bad) / static_cast<double>(selection.num_accepted);
}

// One candidate, everything wrong, no ties: accepted if at most one of nine is more confident, with
// probability 2 / 10. Without the + 1 it would be 3 / 10.
TEST(SelectionSimulation, WrongCandidateIsAcceptedWithProbabilityQ) {
  const Miscoverage q = Miscoverage::parse("0.2");
  const Realized realized =
      realize(20000, [&](Rng& rng) { return false_share(rng, 9, 1, 1, 0, q); });
  EXPECT_NEAR(realized.mean, 0.2, 4 * realized.standard_error);
}

// With two levels of confidence nearly all are tied: a strict comparison would accept half of all.
TEST(SelectionSimulation, TiesDoNotRaiseTheShareOfWrongOnes) {
  const Miscoverage q = Miscoverage::parse("0.2");
  const Realized realized =
      realize(5000, [&](Rng& rng) { return false_share(rng, 19, 10, 1, 2, q); });
  EXPECT_LE(realized.mean, 0.2 + 3 * realized.standard_error);
}

TEST(SelectionSimulation, ShareOfWrongOnesIsControlledAndMuchIsAccepted) {
  for (const char* text : {"0.05", "0.1", "0.2"}) {
    for (const int levels : {0, 7}) {
      const Miscoverage q = Miscoverage::parse(text);
      std::size_t num_accepted = 0;
      const Realized realized = realize(
          2000, [&](Rng& rng) { return false_share(rng, 50, 40, 0.3, levels, q, &num_accepted); });
      EXPECT_LE(realized.mean, q.value() + 3 * realized.standard_error) << text;
      EXPECT_GT(num_accepted, 0U) << text;
    }
  }
}

}  // namespace
