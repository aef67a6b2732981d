#include "caos/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "caos/error.hpp"

namespace caos::selection {
namespace {

__extension__ using Wide = unsigned __int128;

/// Up to here q's 18 digits times two counts fit 128 bits.
constexpr std::size_t most_examples = std::size_t{1} << 33;

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

void check_counts(std::size_t n, std::size_t m) {
  require(n < most_examples && m < most_examples, ErrorKind::invalid_input, [&] {
    return fmt::format("{} calibration examples and {} candidates are too many; at most {} each", n,
                       m, most_examples - 1);
  });
}

void check_confidence(double confidence, const char* whose, std::size_t index) {
  require(!std::isnan(confidence), ErrorKind::invalid_input, [&] {
    return fmt::format("the confidence of {} {} is NaN; expected a number", whose, index);
  });
}

/// The confidences of wrong calibration examples, descending.
std::vector<double> wrong_confidences(std::span<const Outcome> calibration) {
  std::vector<double> wrong;
  for (std::size_t i = 0; i < calibration.size(); ++i) {
    check_confidence(calibration[i].confidence, "calibration example", i);
    if (calibration[i].wrong) wrong.push_back(calibration[i].confidence);
  }
  std::ranges::sort(wrong, std::greater<>());
  return wrong;
}

/// The largest whole number that is at most q times `count`.
Wide floor_of(const Miscoverage& q, Wide count) {
  return static_cast<Wide>(q.numerator()) * count / power_of_ten(q.places());
}

}  // namespace

std::vector<std::size_t> p_value_counts(std::span<const Outcome> calibration,
                                        std::span<const double> confidences) {
  const std::vector<double> wrong = wrong_confidences(calibration);
  std::vector<std::size_t> counts;
  counts.reserve(confidences.size());
  for (std::size_t j = 0; j < confidences.size(); ++j) {
    check_confidence(confidences[j], "candidate", j);
    // Ties count: those at least as confident end where smaller confidences begin.
    const auto end = std::ranges::upper_bound(wrong, confidences[j], std::greater<>());
    counts.push_back(1 + static_cast<std::size_t>(end - wrong.begin()));
  }
  return counts;
}

std::size_t num_rejections(std::span<const std::size_t> counts, std::size_t n,
                           const Miscoverage& q) {
  const std::size_t m = counts.size();
  check_counts(n, m);
  std::vector<std::size_t> sorted(counts.begin(), counts.end());
  std::ranges::sort(sorted);
  for (std::size_t r = m; r > 0; --r) {
    // count / (n + 1) <= q r / m; the left side of count m <= q r (n + 1) is whole.
    if (static_cast<Wide>(sorted[r - 1]) * m <= floor_of(q, static_cast<Wide>(r) * (n + 1))) {
      return r;
    }
  }
  return 0;
}

Selection select(std::span<const Outcome> calibration, std::span<const double> confidences,
                 const Miscoverage& q) {
  Selection result;
  result.num_calibration = calibration.size();
  result.counts = p_value_counts(calibration, confidences);
  result.num_accepted = num_rejections(result.counts, calibration.size(), q);
  result.accepted.assign(confidences.size(), false);
  if (result.num_accepted == 0) return result;
  std::vector<std::size_t> sorted = result.counts;
  std::ranges::sort(sorted);
  // The next p-value is larger, or r + 1 of them would do.
  const std::size_t largest = sorted[result.num_accepted - 1];
  for (std::size_t j = 0; j < confidences.size(); ++j) {
    result.accepted[j] = result.counts[j] <= largest;
  }
  return result;
}

std::size_t fewest_accepted(std::size_t n, std::size_t m, const Miscoverage& q) {
  check_counts(n, m);
  // m <= q r (n + 1) and r >= 1: r is the ceiling of m 10^places / (numerator (n + 1)). Found by
  // halving, as the first product may not fit.
  std::size_t low = 1;
  std::size_t high = m + 1;
  while (low < high) {
    const std::size_t r = low + (high - low) / 2;
    const bool enough = m <= floor_of(q, static_cast<Wide>(r) * (n + 1));
    (enough ? high : low) = enough ? r : r + 1;
  }
  return low;
}

Guarantee guarantee_of(const History& history) {
  const std::pair<bool, const char*> reasons[] = {
      {history.tolerance_changed, "the tolerance was changed after results were seen"},
      {history.q_changed, "q was changed after results were seen"},
      {history.candidate_reviewed, "a candidate was reviewed before the decision"},
      {history.candidates_changed, "the candidates were changed after results were seen"},
      {history.examples_changed, "the labeled examples were changed after results were seen"},
      {history.proposals_changed,
       "references or settings of the predictions were changed after results were seen"},
  };
  for (const auto& [happened, why] : reasons) {
    if (happened) return {.kind = Guarantee::Kind::none, .why_none = why};
  }
  return {.kind = Guarantee::Kind::fdr, .why_none = {}};
}

}  // namespace caos::selection
