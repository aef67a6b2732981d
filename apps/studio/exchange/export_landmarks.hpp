#pragma once

#include <string>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::studio {

/// Which images are exported.
enum class ExportedImages {
  labeled,   ///< all that have points
  sample,    ///< those of them that were labeled blind
  reviewed,  ///< those outside of the sample that are complete
};

/// `labeled`, `sample` or `reviewed`; other texts are an Error invalid_input.
[[nodiscard]] ExportedImages parse_exported_images(const std::string& text);

/// A file to be handed over.
struct Download {
  std::string name{};  ///< what to call it
  std::string type{};  ///< for Content-Type
  std::string bytes{};
  std::vector<std::string> losses{};  ///< what the format cannot hold, one sentence each
};

/// First readings as a table, in the order of images and scheme. Landmarks without a state are not
/// mentioned.
[[nodiscard]] landmarks::LandmarkTable table_of(Store& store, Id project, ExportedImages images);

/// First readings as a landmark file; for formats that have a file for each image, a zip archive
/// of them, with the losses in LOSSES.txt.
[[nodiscard]] Download export_landmarks(Store& store, Id project, ExportedImages images,
                                        landmarks::Format format,
                                        landmarks::FileOptions options = {});

}  // namespace caos::studio
