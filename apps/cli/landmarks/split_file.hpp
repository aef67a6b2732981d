#pragma once

#include <string>

#include "caos/landmarks/embedding/annotated_images.hpp"
#include "caos/landmarks/evaluation/landmark_splits.hpp"

namespace caos::cli {

/// Reads what each image is for from a CSV file with the columns image and role (reference,
/// calibration or test). Images that it does not name are not used; those in `images.failed_names`
/// are passed over.
/// A role or image that is unknown, an image twice, a side without images, and a subject with
/// labeled and test images are an Error bad_format.
[[nodiscard]] LandmarkSplit read_split(const std::string& path, const AnnotatedImages& images);

/// The same where labeled images are divided and none is tested: images with the role test are not
/// used.
[[nodiscard]] split::Partition read_division(const std::string& path,
                                             const AnnotatedImages& images);

}  // namespace caos::cli
