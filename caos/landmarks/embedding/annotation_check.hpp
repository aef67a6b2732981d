#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "caos/landmarks/embedding/annotated_images.hpp"

namespace caos {

/// How well annotations suit their images, from a sample of them. It is there to warn of
/// coordinates that were read wrongly, and changes no result.
struct AnnotationCheck {
  std::size_t num_images = 0;  ///< whose pixels were looked at
  /// Of these, where most landmarks lie in places with less than half of the image's mean
  /// structure.
  std::size_t num_blank = 0;
  /// How often more structure is under the landmarks with y mirrored than under those as read: the
  /// median over images of the ratio of medians over landmarks.
  double mirrored_structure = 1;
  /// How often smaller the leave-one-out scores (cosine, three nearest) of the patches under
  /// mirrored landmarks are than under those as read: the median over landmarks of the ratio of
  /// medians over images.
  double mirrored_conformity = 1;

  /// Whether mirroring y would suit the images far better: one of the two ratios says so clearly
  /// (2 and 1.4), and the other does not contradict. Fewer than four images say nothing.
  [[nodiscard]] bool looks_mirrored() const;
  /// Whether most images have nothing under their landmarks.
  [[nodiscard]] bool looks_blank() const;
};

/// Looks at up to 12 images and 60 landmarks, spread evenly. Images without pixels, as where
/// embeddings come from arrays, are passed over.
[[nodiscard]] AnnotationCheck check_annotations(const AnnotatedImages& images);

/// What to warn of, as one sentence that names `file`; nothing where all looks well.
[[nodiscard]] std::optional<std::string> warning_of(const AnnotationCheck& check,
                                                    const std::string& file);

}  // namespace caos
