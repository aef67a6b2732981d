#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// One, in the units of vote weights: weights are whole multiples of 2^-40.
inline constexpr std::int64_t vote_unit = std::int64_t{1} << 40;

/// out[i] = e^((min(similarities[i], 1) - 1) / temperature) in units of 2^-40, rounded to the
/// nearest whole number, ties to even. The bits are the same on every machine.
/// Requires a positive temperature and finite similarities.
void vote_weights(const double* similarities, std::size_t count, double temperature,
                  std::int64_t* out);

}  // namespace caos::kernels
