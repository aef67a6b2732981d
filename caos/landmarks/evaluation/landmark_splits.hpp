#pragma once

#include <cstddef>
#include <cstdint>

#include "caos/conformal/subject_weights.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/split.hpp"

namespace caos {

/// What each image of a landmark experiment is for; all ascending, no image twice.
struct LandmarkSplit {
  Indices references{};   ///< labeled; predict, where a split method has them apart
  Indices calibration{};  ///< labeled; calibrate, where a split method has them apart
  Indices test{};

  /// References and calibration images together, ascending.
  [[nodiscard]] Indices labeled() const;
  /// The two sides as positions in `labeled()`.
  [[nodiscard]] split::Partition partition() const;
};

/// How many images are labeled and how many are tested; of subjects, where they have several.
struct SplitSizes {
  std::size_t labeled = 0;
  std::size_t test = 0;
};

/// The paper's 100 and 100 where there are as many, else half and half.
[[nodiscard]] SplitSizes default_split_sizes(std::size_t count);

/// Images, or subjects where some have several.
[[nodiscard]] std::size_t num_subjects(const LabeledPatches& images);

/// A seeded random split; half of the labeled are references, the smaller half if their number is
/// odd. Where subjects have several images, subjects are drawn: all images of a labeled subject
/// are labeled, and one image of each test subject, drawn at random, is tested; for the target
/// `image`, all of them are.
/// Requires 2 <= labeled, 1 <= test, and no more than there are together.
[[nodiscard]] LandmarkSplit draw_landmark_split(const LabeledPatches& images,
                                                const SplitSizes& sizes, std::uint64_t seed,
                                                ImageTarget target = ImageTarget::subject);

}  // namespace caos
