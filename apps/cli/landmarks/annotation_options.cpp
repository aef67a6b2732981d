#include <fmt/format.h>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/program.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/formats/image_names.hpp"

namespace caos::cli {

std::vector<std::string> landmark_formats() {
  const std::vector<std::string_view> names = landmarks::format_names();
  return {names.begin(), names.end()};
}

void add_landmark_format_options(Command& command, AnnotationFileOptions& options) {
  command
      .add_option("--format", options.format,
                  "Format of the landmarks, if the file name does not show it")
      ->offers(landmark_formats())
      ->type_name("NAME");
  add_reading_options(command, options);
}

void add_reading_options(Command& command, AnnotationFileOptions& options) {
  command.add_option("--tps-y", options.tps_y, "Origin of y in TPS files: top or bottom")
      ->offers({"top", "bottom"})
      ->default_str("bottom, as tpsDig counts")
      ->type_name("WORD");
  command
      .add_option("--tps-curves", options.tps_curves,
                  "Curves in TPS files: skip, refuse, or read their points as landmarks")
      ->offers({"skip", "refuse", "landmarks"})
      ->capture_default_str()
      ->type_name("WORD");
  command
      .add_option("--csv-y", options.csv_y,
                  "Origin of y in CSV files with a row per image: top or bottom")
      ->offers({"top", "bottom"})
      ->capture_default_str()
      ->type_name("WORD");
  command
      .add_option("--image-extension", options.image_extension,
                  "Extension of images that the file names without one, such as .png")
      ->type_name("EXT");
  command
      .add_option("--instances", options.instances,
                  "Which instance to read of several in an image: largest, first, each (as an "
                  "image of its own), or one by its id; otherwise several are an error")
      ->offers({"error", "largest", "first", "each"})
      ->capture_default_str()
      ->type_name("WHICH");
  command.add_flag("--instance-subjects", options.instance_subjects,
                   "The name of the instance (individual, track) is the subject of the image");
  command
      .add_option("--missing-images", options.missing_images,
                  "Images that are missing from the folder: error or skip")
      ->offers({"error", "skip"})
      ->capture_default_str()
      ->type_name("WORD");
}

void add_annotation_options(Command& command, AnnotationFileOptions& options) {
  add_path(command, "--images", options.images, "Folder of the images")->type_name("DIR");
  add_path(command, "--landmarks", options.landmarks,
           "Their landmarks, a file or folder: CSV, TPS, COCO, DeepLabCut, SLEAP, ...");
  add_landmark_format_options(command, options);
  command
      .add_option("--outside", options.outside,
                  "Landmarks outside of their image: refuse, or count as missing")
      ->offers({"refuse", "missing"})
      ->capture_default_str()
      ->type_name("WORD");
  command
      .add_option("--duplicates", options.duplicates,
                  "Copies of an image under other names and subjects: error or keep-first")
      ->offers({"error", "keep-first"})
      ->capture_default_str()
      ->type_name("WORD");
  add_use_hidden(command, options);
}

void add_use_hidden(Command& command, AnnotationFileOptions& options) {
  command.add_flag("--use-hidden", options.use_hidden,
                   "Use landmarks that are marked as hidden; otherwise they are missing");
}

void add_names_option(Command& command, std::string& names) {
  command
      .add_option("--names", names,
                  "Write the names of landmarks beside them: on, off, or auto (up to 30 landmarks)")
      ->offers({"auto", "on", "off"})
      ->capture_default_str()
      ->type_name("WORD");
}

vision::Labels parse_names(const std::string& text) {
  using vision::Labels;
  return choose<Labels>("--names", text,
                        {{"auto", Labels::automatic}, {"on", Labels::on}, {"off", Labels::off}});
}

namespace {

landmarks::MissingImages missing_images(const AnnotationFileOptions& options) {
  using landmarks::MissingImages;
  return choose<MissingImages>("--missing-images", options.missing_images,
                               {{"error", MissingImages::refuse}, {"skip", MissingImages::skip}});
}

/// Sizes of the images in their folder. One that is not there is refused by its name, or has any
/// size if it will be left out.
landmarks::ImageSizes sizes_of_images(const AnnotationFileOptions& options,
                                      bool apply_orientation) {
  if (options.images.empty()) return {};
  const bool skip = missing_images(options) == landmarks::MissingImages::skip;
  return [sizes = image_sizes_in(options.images, apply_orientation), folder = options.images,
          file = options.landmarks, skip](const std::string& image) {
    const auto size = sizes(image);
    if (!size && !skip) landmarks::refuse_missing_image(file, image, folder);
    return size ? size : landmarks::ImageSize{1, 1};
  };
}

}  // namespace

landmarks::FileOptions file_options(const AnnotationFileOptions& options, bool apply_orientation) {
  landmarks::FileOptions result;
  if (!options.format.empty()) result.format = landmarks::parse_format(options.format);
  using landmarks::TpsCurves;
  using landmarks::TpsY;
  if (!options.tps_y.empty()) {
    result.tps.y =
        choose<TpsY>("--tps-y", options.tps_y, {{"top", TpsY::top}, {"bottom", TpsY::bottom}});
  }
  result.tps.curves = choose<TpsCurves>("--tps-curves", options.tps_curves,
                                        {{"refuse", TpsCurves::refuse},
                                         {"skip", TpsCurves::skip},
                                         {"landmarks", TpsCurves::landmarks}});
  result.wide_csv_y =
      choose<TpsY>("--csv-y", options.csv_y, {{"top", TpsY::top}, {"bottom", TpsY::bottom}});
  const std::string& extension = options.image_extension;
  require(
      extension.empty() || (extension.starts_with('.') && extension.find('/') == std::string::npos),
      ErrorKind::invalid_input, [&] {
        return fmt::format("--image-extension: '{}' is not an extension; expected one such as .png",
                           extension);
      });
  result.image_extension = extension;
  result.instances = landmarks::parse_instances(options.instances);
  result.instances.as_subjects = options.instance_subjects;
  result.sizes = sizes_of_images(options, apply_orientation);
  return result;
}

landmarks::LandmarkTable read_table(const CommonOptions& common,
                                    const AnnotationFileOptions& options,
                                    const landmarks::FileOptions& how) {
  landmarks::FileOptions telling = how;
  telling.note = [&](const std::string& text) { warn(common, text); };
  landmarks::LandmarkTable table = landmarks::read_landmarks(options.landmarks, telling);
  if (table.annotations.empty()) {
    warn(common, fmt::format("{}: contains no labeled images", options.landmarks));
  }
  if (options.images.empty()) return table;
  const landmarks::MatchedImages matched =
      landmarks::match_images(table, options.images, options.landmarks, missing_images(options));
  if (matched.num_renamed > 0) {
    warn(common, fmt::format("{}: {} found under another folder, letter case or extension than "
                             "the file says",
                             options.landmarks,
                             matched.num_renamed == 1
                                 ? "1 image was"
                                 : fmt::format("{} images were", matched.num_renamed)));
  }
  if (!matched.skipped.empty()) {
    warn(common, fmt::format("{}: {} images are not in {} and are left out; the first: '{}'",
                             options.landmarks, matched.skipped.size(), options.images,
                             matched.skipped[0]));
  }
  require(!table.annotations.empty() || matched.skipped.empty(), ErrorKind::not_found, [&] {
    return fmt::format("{}: none of its images is in {}", options.landmarks, options.images);
  });
  return table;
}

}  // namespace caos::cli
