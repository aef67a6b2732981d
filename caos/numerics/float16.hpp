#pragma once

#include <cstdint>

namespace caos {

/// The bits of an IEEE 754 binary16 number, rounded to nearest, ties to even. Magnitudes of 65520
/// and more become infinity, and not-a-number stays so.
[[nodiscard]] std::uint16_t to_float16(float value);

/// The number with these bits, exactly.
[[nodiscard]] float from_float16(std::uint16_t bits);

}  // namespace caos
