#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// Images in a random order, in which the first `num_subjects` are of different subjects.
struct RandomOrder {
  std::vector<Id> images{};
  std::size_t num_subjects = 0;
};

/// First one random image of each subject, subjects in a random order, then the others in a random
/// order. An image without a subject is its own, so that without subjects every order of the images
/// is equally likely. The same on every machine.
[[nodiscard]] RandomOrder random_order(std::span<const ImageRecord> images, std::uint64_t seed);

/// How many images of the order may be taken until a subject would come again. Images may have been
/// removed from it since.
[[nodiscard]] std::size_t largest_sample(std::span<const ImageRecord> images);

}  // namespace caos::studio
