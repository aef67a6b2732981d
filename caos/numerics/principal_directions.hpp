#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "caos/scores.hpp"

namespace caos {

/// About the `count` directions in which rows are longest: orthonormal rows [count, dimension]
/// onto which the sum of squared lengths of the projected rows is nearly as great as it can be, the
/// first few of them likewise.
///
/// Orthogonal iteration from rows drawn at random; a few steps come near enough for every use that
/// does not rely on the directions being exactly principal. Orthonormal up to the rounding of
/// floats. The same directions on every machine. Requires rows of `dimension` finite values and
/// count <= dimension.
[[nodiscard]] Matrix<float> principal_directions(std::span<const float* const> rows,
                                                 std::size_t dimension, std::size_t count,
                                                 std::uint64_t seed);

}  // namespace caos
