#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace caos::cli {

/// The region of one landmark in one image: closed polygons in pixels of the original, filled by
/// the even-odd rule.
class FrozenRegion {
 public:
  struct Corner {
    double x = 0;
    double y = 0;
  };
  using Ring = std::vector<Corner>;

  explicit FrozenRegion(std::vector<Ring> rings) : rings_(std::move(rings)) {}

  /// As patches do, a region contains its left and upper edges, and not the right and lower ones.
  [[nodiscard]] bool contains(double x, double y) const;

 private:
  std::vector<Ring> rings_;
};

/// An image as the regions have it.
struct FrozenImage {
  std::size_t width = 0;  ///< pixels, as the regions see the image
  std::size_t height = 0;
  std::vector<FrozenRegion> regions{};  ///< by landmark
};

/// What `landmarks predict --output FILE.json` wrote, as far as an audit looks at it.
struct RegionFile {
  std::string name;
  std::string sha256;
  bool apply_orientation = true;  ///< whether images were turned upright, as EXIF says
  std::vector<std::string> landmarks{};
  std::vector<std::string> names{};  ///< of the images, in the order of the file
  std::map<std::string, FrozenImage> images{};
};

/// A file that does not have a region for every landmark of every image, or an image twice, is an
/// Error bad_format.
[[nodiscard]] RegionFile read_regions(const std::string& path);

}  // namespace caos::cli
