#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"

/// The paper's definitions in plain loops, for checking the fast code: sort, add, count. Shared
/// with the tests' oracle, but with nothing that predicts.
namespace caos::plain {

using Pool = std::vector<Score>;
using Pools = std::vector<Pool>;

/// Sum of the k smallest (eqn. minsum).
[[nodiscard]] Score minsum(Pool pool, std::size_t k);

/// The pool without one of its places (eqn. diff).
[[nodiscard]] Pool without(Pool pool, std::size_t place);

/// The scores at some places.
[[nodiscard]] Pool at(const Pool& pool, const Indices& places);

/// #{i : scores[i] >= score}
[[nodiscard]] std::size_t count_at_least(const Pool& scores, Score score);

/// (1 + at_least) / (n + 1) > alpha, in whole numbers.
[[nodiscard]] bool exceeds(std::size_t at_least, std::size_t n, const Miscoverage& alpha);

/// (1 + at_least) / (n + 1)
[[nodiscard]] double p_value(std::size_t at_least, std::size_t n);

/// The count behind a p-value among n examples.
[[nodiscard]] std::size_t count_behind(double p_value, std::size_t n);

/// The labels whose p-value exceeds alpha; `at_least[y]` is the count of label y.
[[nodiscard]] PredictionSet set_of(const std::vector<std::size_t>& at_least, std::size_t n,
                                   const Miscoverage& alpha);

/// How often each example counts, and a new one, where subjects have several examples: as 1/n_s to
/// 1, in whole numbers. A new one that counts c times stands for c - 1 more that always conform.
struct Units {
  std::vector<std::size_t> examples{};
  std::size_t new_example = 1;

  /// Those of some of the examples.
  [[nodiscard]] Units of(const Indices& some) const;
  /// The n of p-values.
  [[nodiscard]] std::size_t n() const;
  /// #{i : scores[i] >= score}, for p-values among so many.
  [[nodiscard]] std::size_t at_least(const Pool& scores, Score score) const;
};

/// Requires numbers of images per subject whose least common multiple is moderate.
[[nodiscard]] Units units_of(const std::vector<std::size_t>& subjects, std::size_t count);

[[nodiscard]] bool holds(const PredictionSet& set, Label y);

/// S_i of every pool: `left_out[i]` holds the scores of example i under all others (eqn. caos_loo).
[[nodiscard]] Pool caos_scores(const Pools& left_out, std::size_t k);

/// S~_i once a reference has joined that gives example i the score inserted[i]
/// (eqn. caos_full_scores).
[[nodiscard]] Pool full_scores(const Pools& left_out, const Pool& inserted, std::size_t k);

/// CAOS and Full CAOS of one task, an array of scores or a landmark.
class Definition {
 public:
  /// `left_out[i]` holds the scores of example i under all others.
  Definition(Pools left_out, Units units, std::size_t k);

  [[nodiscard]] const Pool& scores() const { return scores_; }
  /// The n of p-values.
  [[nodiscard]] std::size_t n() const { return units_.n(); }
  [[nodiscard]] Score score(const Pool& pool) const { return minsum(pool, k_); }
  /// How many examples have at least the score of a label.
  [[nodiscard]] std::size_t count(Score score) const { return units_.at_least(scores_, score); }
  /// The same once (x, y) has joined, which gives example i the score inserted[i].
  [[nodiscard]] std::size_t full_count(Score score, const Pool& inserted) const;

 private:
  Pools left_out_;
  Units units_;
  std::size_t k_;
  Pool scores_;
};

}  // namespace caos::plain
