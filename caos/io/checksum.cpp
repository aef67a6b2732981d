#include "caos/io/checksum.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace caos::io {

std::string checksum(const std::vector<std::span<const std::byte>>& parts) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const auto part : parts) XXH3_64bits_update(&state, part.data(), part.size());
  return fmt::format("{:016x}", XXH3_64bits_digest(&state));
}

std::string checksum128(const std::vector<std::span<const std::byte>>& parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const auto part : parts) XXH3_128bits_update(&state, part.data(), part.size());
  const XXH128_hash_t digest = XXH3_128bits_digest(&state);
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

}  // namespace caos::io
