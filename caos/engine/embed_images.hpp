#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/core/matrix.hpp"
#include "caos/vision/backbone.hpp"
#include "caos/vision/decode.hpp"
#include "caos/vision/location_prior.hpp"
#include "caos/vision/working_size.hpp"

namespace caos {

struct EmbedOptions {
  vision::DecodeOptions decode{};
  vision::WorkingSize working_size{};
  std::optional<vision::LocationPrior> location{};  ///< for aligned images
  std::string cache{};                              ///< folder; empty: nothing is kept
  std::size_t threads = 0;
  std::function<void(std::size_t done, std::size_t total)> progress{};
};

/// One image file, embedded.
struct EmbeddedImage {
  std::size_t index = 0;  ///< among the files given
  vision::Frame frame{};
  Matrix<float> patches{};  ///< unit rows, one per patch of the frame's grid
};

/// An image file that could not be used, and why.
struct FailedImage {
  std::size_t index = 0;
  std::string reason{};
};

/// Embeds image files and hands them to `visit` in order, some at a time, so that memory does not
/// depend on how many there are. A file that is missing, damaged or does not fit the backbone is
/// left out; those are returned. Failures of the backbone itself are thrown.
[[nodiscard]] std::vector<FailedImage> embed_images(
    const vision::Backbone& backbone, std::span<const std::string> files,
    const EmbedOptions& options, const std::function<void(std::span<EmbeddedImage>)>& visit);

/// The image files in a folder, sorted by name, without those in folders below; or the file itself.
[[nodiscard]] std::vector<std::string> image_files(const std::string& path);

}  // namespace caos
