#pragma once

#include <cstddef>
#include <span>

namespace caos::studio {

/// Whether "DICM" stands where DICOM files have it.
[[nodiscard]] inline bool has_dicom_signature(std::span<const std::byte> bytes) {
  constexpr std::size_t preamble = 128;
  constexpr char signature[] = {'D', 'I', 'C', 'M'};
  if (bytes.size() < preamble + sizeof signature) return false;
  for (std::size_t i = 0; i < sizeof signature; ++i) {
    if (static_cast<char>(bytes[preamble + i]) != signature[i]) return false;
  }
  return true;
}

}  // namespace caos::studio
