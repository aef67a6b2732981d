#include "apps/cli/landmarks/prediction/overlay_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "caos/error.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::cli {

void add_overlay_options(Command& command, OverlayOptions& options) {
  add_path(command, "--overlay", options.folder,
           "Draw the regions on the images, into this folder, and contact_sheet.jpg with the least "
           "conforming images first")
      ->type_name("DIR");
  add_names_option(command, options.names);
}

void check(const OverlayOptions& options, const std::string& images) {
  namespace fs = std::filesystem;
  static_cast<void>(parse_names(options.names));
  if (!options.draws()) return;
  std::error_code ignored;
  const fs::path folder = fs::is_directory(images, ignored)
                              ? fs::path(images)
                              : fs::absolute(images, ignored).parent_path();
  require(!fs::equivalent(folder, options.folder, ignored), ErrorKind::invalid_input, [&] {
    return fmt::format("--overlay {}: is the folder of the images; give another", options.folder);
  });
}

std::string drawing_of(const OverlayOptions& options, const std::string& image) {
  // Called so that it replaces no image, wherever the folder lies.
  return (std::filesystem::path(options.folder) / (image + ".overlay.jpg")).string();
}

std::vector<std::string> drawings_of(const OverlayOptions& options,
                                     const std::vector<std::string>& images) {
  std::vector<std::string> drawings;
  if (!options.draws()) return drawings;
  for (const std::string& image : images) drawings.push_back(drawing_of(options, image));
  return drawings;
}

std::string review_sheet_of(const OverlayOptions& options) {
  return (std::filesystem::path(options.folder) / "contact_sheet.jpg").string();
}

void write_drawing(const OverlayOptions& options, const RenderedImage& image) {
  if (image.drawing.empty()) return;
  io::write_whole(drawing_of(options, image.summary.image),
                  [&](io::Sink& sink) { sink.write(image.drawing); });
}

}  // namespace caos::cli
