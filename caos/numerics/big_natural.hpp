#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace caos {

/// A natural number of any size, as far as exact probabilities need one.
class BigNatural {
 public:
  explicit BigNatural(std::uint64_t value = 0);

  /// n choose k. Requires k <= n.
  [[nodiscard]] static BigNatural choose(std::uint64_t n, std::uint64_t k);

  BigNatural& operator+=(const BigNatural& other);
  BigNatural& operator*=(std::uint64_t factor);
  /// Requires a divisor that leaves no remainder.
  BigNatural& operator/=(std::uint64_t divisor);

  friend bool operator==(const BigNatural&, const BigNatural&) = default;
  friend std::strong_ordering operator<=>(const BigNatural& a, const BigNatural& b);

 private:
  void drop_leading_zeros();

  std::vector<std::uint64_t> limbs_;  ///< the least significant first; the last is not zero
};

}  // namespace caos
