#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caos/conformal/split.hpp"
#include "caos/engine/labeled_patches.hpp"

namespace caos::cli {

/// Which images are labelled and which are test.
struct ImageSplit {
  Indices labeled{};
  Indices test{};
  split::Partition partition{};  ///< of the labelled ones, as positions among them
};

/// From a CSV file image,role with role reference, calibration or test. Images that it does not
/// name are left out. Throws `bad_format` with the line.
[[nodiscard]] ImageSplit read_split(const std::string& path, const std::vector<std::string>& names);

/// Half of the images, or of the subjects, is test; half of the others are references.
[[nodiscard]] ImageSplit split_at_random(const LabeledPatches& images, std::uint64_t seed);

}  // namespace caos::cli
