#pragma once

#include <array>
#include <limits>
#include <span>
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

}  // namespace text_problem
