#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/landmarks/prediction/landmark_prediction_file.hpp"

namespace caos::cli {

/// The images that conform least, on one picture: least conforming first, row by row.
class ReviewSheet {
 public:
  static constexpr std::size_t most_tiles = 60;

  /// Takes an image with its small overlay, a JPEG file; one without is passed over. Images come
  /// in the order in which ties are to be shown.
  void add(const ImageSummary& image, std::vector<std::byte> tile);

  /// Writes the picture, if there is an image; returns whether it did.
  bool write(const std::string& path) const;

 private:
  struct Entry {
    std::string image;
    ImageConformity conformity;
    std::vector<std::byte> tile;
  };

  std::vector<Entry> entries_{};  // least conforming first
};

}  // namespace caos::cli
