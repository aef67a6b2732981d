#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/kernels/coarse.hpp"

namespace caos::kernels {

/// bits[r], for each of the references that `coarse_dots` compared with a group: one bit for each
/// query whose similarity with reference r is at least `least[q]`. `similarities` and `least` are
/// aligned to 64 bytes.
void select_at_least(const std::int16_t* similarities, std::size_t num_references,
                     const std::int16_t* least, std::uint32_t* bits);

}  // namespace caos::kernels
