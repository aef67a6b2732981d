#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caos::io {

/// Reads a number of bytes such as "500MB", "2GB", "1.5 GB" or "4096": KB, MB, GB and TB are powers
/// of 1000, KiB, MiB, GiB and TiB of 1024, in any case. `name` is what errors call the text.
/// Throws `invalid_input` for other texts and for more than 2^62 bytes.
[[nodiscard]] std::uint64_t parse_byte_size(std::string_view text, const std::string& name);

}  // namespace caos::io
