#pragma once

#include <map>
#include <optional>
#include <string>

namespace caos::cli {

/// Millimeters per pixel of an image, where the caller gives them.
class Scales {
 public:
  /// `all` is the scale of every image, `file` a landmark file that has a scale for each; empty
  /// where not given. Throws `invalid_input` unless `all` is a positive number.
  Scales(const std::string& all, const std::string& file);

  [[nodiscard]] std::optional<double> of(const std::string& image) const;

 private:
  std::optional<double> all_;
  std::map<std::string, double> by_image_;
};

}  // namespace caos::cli
