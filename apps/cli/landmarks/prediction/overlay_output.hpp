#pragma once

#include <string>
#include <vector>

#include "apps/cli/landmarks/prediction/image_renderer.hpp"
#include "apps/cli/options.hpp"

namespace caos::cli {

/// Where and how regions are drawn on images, as texts from the command line.
struct OverlayOptions {
  std::string folder;  ///< empty: nothing is drawn
  std::string names = "auto";

  [[nodiscard]] bool draws() const { return !folder.empty(); }
};

void add_overlay_options(Command& command, OverlayOptions& options);

/// Throws `invalid_input` for what can be found wrong beforehand: a drawing must not replace one of
/// `images`, a folder or a file.
void check(const OverlayOptions& options, const std::string& images);

/// The drawing of an image.
[[nodiscard]] std::string drawing_of(const OverlayOptions& options, const std::string& image);
/// The drawings of all images; none where nothing is drawn.
[[nodiscard]] std::vector<std::string> drawings_of(const OverlayOptions& options,
                                                   const std::vector<std::string>& images);
/// The picture with the images that conform least.
[[nodiscard]] std::string review_sheet_of(const OverlayOptions& options);

/// Writes the drawing of an image that has one.
void write_drawing(const OverlayOptions& options, const RenderedImage& image);

}  // namespace caos::cli
