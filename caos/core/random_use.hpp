#pragma once

#include <cstdint>

#include "caos/rng.hpp"

namespace caos {

/// What random numbers are for, where one seed that a user gives serves several uses. A seed with a
/// single use needs no mention here (docs/project/decisions/0042-one-seed-several-streams.md).
enum class RandomUse : std::uint64_t {
  identity_orders,     ///< orders in which `verify` asks again
  generated_examples,  ///< examples that `verify` makes itself
  review_order,        ///< random order of a project's review queue
};

/// The stream of item `index` for this use: unrelated to the streams of other uses of the seed, to
/// `Rng(seed)` and to `Rng::stream(seed, index)`.
[[nodiscard]] inline Rng stream_for(RandomUse use, std::uint64_t seed, std::uint64_t index = 0) {
  // Items are counted from 0, uses from the other end.
  return Rng::stream(Rng::stream(seed, ~static_cast<std::uint64_t>(use)).next(), index);
}

}  // namespace caos
