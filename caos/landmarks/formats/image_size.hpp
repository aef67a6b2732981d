#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace caos::landmarks {

/// Width and height of an upright image in pixels.
struct ImageSize {
  std::size_t width = 0;
  std::size_t height = 0;

  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

/// Tells the size of an image by its file name, where it is known. May be empty: none is known.
using ImageSizes = std::function<std::optional<ImageSize>(const std::string& image)>;

}  // namespace caos::landmarks
