#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace caos {

/// A seeded stream of random numbers with the same values on every machine (the distributions of
/// the standard library differ between vendors). SplitMix64; not for cryptography.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  /// An independent stream for item `index` under the same seed, so that items may be visited in
  /// any order and by any number of threads.
  [[nodiscard]] static Rng stream(std::uint64_t seed, std::uint64_t index);

  [[nodiscard]] std::uint64_t next();

  /// Uniform on [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform();

  /// Uniform on {0, ..., bound - 1} without bias. Requires bound >= 1.
  [[nodiscard]] std::size_t below(std::size_t bound);

  template <typename T>
  void shuffle(std::span<T> values) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[below(left)]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace caos
