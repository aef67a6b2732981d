#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caos/landmarks/formats/image_names.hpp"

namespace caos::cli {

/// Millimeters per pixel of an image, where the caller gives them.
class Scales {
 public:
  /// `all` is the scale of every image, `file` a landmark file that has a scale for each; empty
  /// where not given. Throws `invalid_input` unless `all` is a positive number.
  Scales(const std::string& all, const std::string& file);

  /// The file may call the image by another path, letter case or extension.
  [[nodiscard]] std::optional<double> of(const std::string& image) const;

 private:
  std::optional<double> all_;
  std::vector<std::string> images_{};  ///< as the file calls them
  std::vector<double> scales_{};
  std::optional<landmarks::ImageIndex> index_{};
};

}  // namespace caos::cli
