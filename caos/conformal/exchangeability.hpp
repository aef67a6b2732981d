#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// The own scores of one task among examples that are counted in the order in which they join.
struct OnlineTask {
  Indices examples{};   ///< those that have the task
  Matrix<Score> own{};  ///< [examples, examples], by position in `examples`; no NaN, and the
                        ///< diagonal is without meaning
};

/// What an example was worth when it joined.
struct OnlinePValue {
  std::size_t example = 0;
  double p = 1;  ///< greater than 0
};

/// The smoothed Full CAOS p-value of each example among those that joined before it and itself:
/// independent and uniform where the examples are exchangeable, whatever their law.
///
/// When m examples are there, each has the largest over its tasks of the sum of its k smallest
/// scores under the others (of all of them while there are fewer than k); the newest is compared
/// with all, and ties are broken by a number that depends on `seed` and the example alone. Examples
/// without any task have no p-value and are not peers of others.
[[nodiscard]] std::vector<OnlinePValue> online_p_values(const std::vector<OnlineTask>& tasks,
                                                        std::size_t num_examples, std::size_t k,
                                                        std::uint64_t seed);

/// A test of exchangeability that may be looked at after every example: the wealth of a player who
/// bets against it, starting with 1. Were the p-values independent and uniform, it would ever reach
/// 1 / c with probability at most c (Ville's inequality).
/// The bets are powers e p^(e - 1), e = 0.1 to 0.9, each with a ninth of the wealth: they pay where
/// p-values are small, that is, where examples are stranger than those before them.
class ExchangeabilityMartingale {
 public:
  /// Requires 0 < p <= 1.
  void add(double p);

  /// Logarithm of the wealth, to base 10.
  [[nodiscard]] double log10_wealth() const;
  /// The largest so far; 0 before the first.
  [[nodiscard]] double log10_largest() const { return log10_largest_; }

 private:
  std::array<double, 9> log_wealth_{};  ///< of each bet, natural
  double log10_largest_ = 0;
};

}  // namespace caos
