#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caos/io/arrays/element_type.hpp"
#include "caos/io/safetensors.hpp"

// The JSON at the front of a safetensors file; not for users of the library.
namespace caos::io {

constexpr std::size_t max_safetensors_header = std::size_t{16} << 20;

/// How the checksum stands in the header, up to its digits.
constexpr std::string_view checksum_key = "\"checksum\":\"";
constexpr std::size_t checksum_digits = 16;

/// What the format calls the type: `F64`. Empty for types that are not written here.
[[nodiscard]] std::string_view dtype_of(ElementType type);

struct SafetensorsHeader {
  Metadata metadata;               ///< with the checksum
  std::vector<TensorRef> tensors;  ///< in the order of their data
};

/// The header, padded so that data after it (and after its 8 bytes of length) are aligned to 64
/// bytes, with zeros as the checksum. `tensors` are in the order of their data; `path` is for
/// errors.
[[nodiscard]] std::string format_safetensors_header(const Metadata& metadata,
                                                    std::span<const TensorRef> tensors,
                                                    const std::string& path);

/// Reads a header and finds each array in `data`, which they must fill without holes and overlaps.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view json,
                                                         std::span<const std::byte> data,
                                                         const std::string& name);

}  // namespace caos::io
