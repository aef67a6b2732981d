#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/core/types.hpp"

namespace caos {

/// A positive fraction.
struct Fraction {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

/// Whole weights of calibration examples and of the new example, for weighted p-values:
/// p = (new_example + weight of {i : S_i >= s}) / (new_example + weight of all examples).
struct ExampleWeights {
  std::vector<std::uint64_t> examples{};  ///< empty: every example weighs 1
  std::uint64_t new_example = 1;

  [[nodiscard]] bool is_plain() const { return examples.empty(); }
  [[nodiscard]] std::uint64_t of(std::size_t i) const { return is_plain() ? 1 : examples[i]; }
  /// The weights of some of the examples; the new example keeps its own.
  [[nodiscard]] ExampleWeights at(const Indices& some) const;

  friend bool operator==(const ExampleWeights&, const ExampleWeights&) = default;
};

/// The largest sum of whole weights: a double still tells two p-values apart.
inline constexpr std::uint64_t most_weight = std::uint64_t{1} << 50U;

/// The smallest whole numbers in the ratio of these weights. Where their sum, the new example's
/// included, would exceed `most`, weights are multiples of the smallest power of two that fits:
/// those of examples are rounded down, the new example's is rounded up and raised by one unit per
/// example. Rounding so never lowers a p-value, so sets only grow. Plain where all are equal.
/// Requires numerators and denominators in 1 ... 2^62, and weights whose sum is at most `most`.
[[nodiscard]] ExampleWeights whole_weights(const Fraction& new_example,
                                           std::span<const Fraction> examples,
                                           std::uint64_t most = most_weight);

}  // namespace caos
