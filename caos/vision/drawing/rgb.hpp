#pragma once

#include <array>
#include <cstdint>

namespace caos::vision {

/// Red, green and blue.
using Rgb = std::array<std::uint8_t, 3>;

}  // namespace caos::vision
