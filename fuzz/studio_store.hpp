#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "apps/studio/store/store.hpp"

namespace caos::fuzz {

/// A store in the scratch folder, without projects: tests that create one remove it.
[[nodiscard]] studio::Store& empty_store();

/// The image of every backup in the corpus: 8 x 6 pixels.
[[nodiscard]] std::vector<std::byte> small_png();

}  // namespace caos::fuzz
