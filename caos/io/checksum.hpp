#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace caos::io {

/// XXH3-64 of the parts one after another, as 16 lower-case hexadecimal digits.
/// Finds damage, not forgery.
[[nodiscard]] std::string checksum(const std::vector<std::span<const std::byte>>& parts);

/// XXH3-128 of the parts one after another, as 32 lower-case hexadecimal digits: so long that
/// different contents do not meet by accident.
[[nodiscard]] std::string checksum128(const std::vector<std::span<const std::byte>>& parts);

}  // namespace caos::io
