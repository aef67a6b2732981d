#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/landmarks/patches/labeled_patches.hpp"

namespace caos {

/// Drawn faces with their landmarks, embedded by the built-in descriptor; no file is written.
/// The same seed draws the same faces.
[[nodiscard]] LabeledPatches drawn_patches(std::size_t count, std::uint64_t seed,
                                           std::size_t threads = 0);

}  // namespace caos
