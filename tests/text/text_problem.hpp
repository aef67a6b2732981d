#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "caos/rng.hpp"
#include "caos/text/text_evaluation.hpp"
#include "tests/support/oracle.hpp"

namespace text_problem {

/// Few values, so that ties abound; none of the decimals is exact, and infinity is a legal score.
inline double draw_score(caos::Rng& rng, bool own) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array values = {0.0, -0.0, 0.1, 0.1, 0.2, 0.3, 0.7, -0.1, 1e-17, 3.0, infinity};
  return values[rng.below(own ? 7 : values.size())];
}

/// A table of labeled texts, as scores of all of them under each other. Scores of a text under
/// itself are NaN, so that a look at them shows.
struct Problem {
  std::size_t count;
  std::size_t num_labels;
  std::vector<caos::Label> labels{};
  std::vector<double> scores{};   ///< [N, K, N]
  std::vector<double> reverse{};  ///< [N, K, N]: of the last one's own label under (text, label)

  [[nodiscard]] double score(std::size_t i, caos::Label y, std::size_t j) const {
    return scores[(i * num_labels + y) * count + j];
  }
  [[nodiscard]] double reverse_score(std::size_t t, caos::Label y, std::size_t i) const {
    return reverse[(t * num_labels + y) * count + i];
  }

  [[nodiscard]] caos::ScoreTensor tensor() const {
    return {.rows = caos::MatrixView<const double>(scores.data(), count * num_labels, count),
            .num_labels = num_labels,
            .name = "table"};
  }

  [[nodiscard]] caos::Matrix<double> reverse_of(std::span<const caos::Candidate> candidates,
                                                const caos::Indices& labeled) const {
    caos::Matrix<double> result(candidates.size(), labeled.size());
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      for (std::size_t i = 0; i < labeled.size(); ++i) {
        result(c, i) = reverse_score(candidates[c].text, candidates[c].label, labeled[i]);
      }
    }
    return result;
  }

  // The same for the oracle.

  [[nodiscard]] oracle::Table own(const caos::Indices& texts) const {
    oracle::Table table;
    for (const std::size_t i : texts) table.push_back(pool(i, labels[i], texts));
    return table;
  }
  [[nodiscard]] oracle::Pool pool(std::size_t t, caos::Label y, const caos::Indices& texts) const {
    oracle::Pool result;
    for (const std::size_t j : texts) result.push_back(score(t, y, j));
    return result;
  }
  [[nodiscard]] oracle::Table pools(std::size_t t, const caos::Indices& texts) const {
    oracle::Table table;
    for (caos::Label y = 0; y < num_labels; ++y) table.push_back(pool(t, y, texts));
    return table;
  }
  [[nodiscard]] oracle::Table reverse_pools(std::size_t t, const caos::Indices& texts) const {
    oracle::Table table;
    for (caos::Label y = 0; y < num_labels; ++y) {
      oracle::Pool& row = table.emplace_back();
      for (const std::size_t i : texts) row.push_back(reverse_score(t, y, i));
    }
    return table;
  }
};

inline Problem make(std::uint64_t seed, std::size_t count = 18, std::size_t num_labels = 4) {
  caos::Rng rng(seed);
  Problem problem{.count = count, .num_labels = num_labels};
  for (std::size_t i = 0; i < count; ++i) problem.labels.push_back(rng.below(num_labels));
  for (std::size_t i = 0; i < count; ++i) {
    for (caos::Label y = 0; y < num_labels; ++y) {
      for (std::size_t j = 0; j < count; ++j) {
        const double drawn = draw_score(rng, y == problem.labels[i]);
        problem.scores.push_back(i == j ? std::numeric_limits<double>::quiet_NaN() : drawn);
        problem.reverse.push_back(draw_score(rng, true));
      }
    }
  }
  return problem;
}

/// alpha = percent / 100 of `options_for`, for the oracle.
inline constexpr std::size_t large = 30;
inline constexpr std::size_t small = 12;

inline caos::EvaluateOptions options_for(std::vector<caos::Method> methods, std::size_t k) {
  return {.methods = std::move(methods),
          .alphas = {caos::Miscoverage::parse("0.3"), caos::Miscoverage::parse("0.12")},
          .k = k,
          .grouping = caos::Grouping::none(0),
          .partition = {},
          .threads = 1};
}

/// A problem, a split of it and k, for one trial of a property. Sizes are below the limits.
struct Trial {
  Trial(Problem of, std::size_t test_limit, std::size_t k_limit) : problem(std::move(of)) {
    split = caos::draw_text_split(problem.count, *rc::gen::inRange<std::size_t>(1, test_limit),
                                  *rc::gen::arbitrary<std::uint32_t>());
    k = *rc::gen::inRange<std::size_t>(1, k_limit);
  }

  [[nodiscard]] caos::ReverseScorer reverse() const {
    return [this](std::span<const caos::Candidate> candidates, const caos::Indices& labeled) {
      return problem.reverse_of(candidates, labeled);
    };
  }

  Problem problem;
  caos::TextSplit split;
  std::size_t k = 1;
};

inline void expect_outcome(const caos::Outcome& outcome, const std::vector<std::size_t>& set,
                           caos::Label truth) {
  RC_ASSERT(outcome.size == static_cast<double>(set.size()));
  RC_ASSERT((outcome.covered == 1.0) == std::ranges::binary_search(set, truth));
  RC_ASSERT((outcome.empty == 1.0) == set.empty());
}

}  // namespace text_problem
