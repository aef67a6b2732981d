#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "caos/landmarks/formats/landmark_text.hpp"

namespace caos::studio {

/// Which images are exported.
enum class ExportedImages {
  labeled,   ///< all that have points
  sample,    ///< those of them that were labeled blind
  reviewed,  ///< those outside of the sample that are complete
  all,       ///< also those without points
};

/// `labeled`, `sample`, `reviewed` or `all`; other texts are an Error invalid_input.
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

/// Where an exported point came from: `labeled`, `accepted`, `corrected`, `imported`,
/// `auto-accepted` or `proposed`.
[[nodiscard]] std::string origin_of(Source source);

struct PointsOptions {
  ExportedImages images = ExportedImages::labeled;
  /// Gives proposals of landmarks without a point, in images that are not labeled blind; nothing
  /// for landmarks and images without one. Empty: proposals are left out.
  std::function<std::vector<landmarks::Landmark>(const ImageRecord&)> proposals{};
};

/// First readings as a landmark file; for formats that have a file for each image, a zip archive
/// of them, with the losses in LOSSES.txt. CSV says where each point came from and who placed it.
[[nodiscard]] Download export_landmarks(Store& store, Id project, const PointsOptions& points,
                                        landmarks::Format format,
                                        landmarks::FileOptions options = {});
[[nodiscard]] inline Download export_landmarks(Store& store, Id project, ExportedImages images,
                                               landmarks::Format format,
                                               landmarks::FileOptions options = {}) {
  return export_landmarks(store, project, PointsOptions{.images = images}, format,
                          std::move(options));
}

/// The measures of a project in the images that have their landmarks, as CSV: one row for each
/// image and measure.
[[nodiscard]] Download export_measures(Store& store, Id project, ExportedImages images);

}  // namespace caos::studio
