#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/progress_bar.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/contact_sheet.hpp"
#include "caos/vision/drawing/marks.hpp"

namespace caos::cli {
namespace {

constexpr std::size_t most_tiles = 100;

struct LandmarksShowCommandOptions {
  CommonOptions common;
  AnnotationFileOptions annotations;
  std::string out;
  std::string names = "auto";
  bool ignore_orientation = false;
};

struct LandmarksShowOutput {
  std::string folder;
  std::string sheet;
  std::size_t num_images = 0;
  std::size_t num_marked = 0;
  std::size_t num_outside = 0;
  std::vector<std::string> pictures{};
};

Json to_json(const LandmarksShowOutput& output) {
  return {{"folder", output.folder},           {"contact_sheet", output.sheet},
          {"num_images", output.num_images},   {"num_landmarks", output.num_marked},
          {"num_outside", output.num_outside}, {"pictures", output.pictures}};
}

std::string to_text(const LandmarksShowOutput& output) {
  return fmt::format("{}: {} images with {} landmarks as read; {} lie outside of their image\n",
                     output.sheet, output.num_images, output.num_marked, output.num_outside);
}

std::vector<vision::Mark> marks_of(const landmarks::Annotation& annotation) {
  std::vector<vision::Mark> marks;
  for (const landmarks::Landmark& landmark : annotation.landmarks) {
    if (landmark.visibility == landmarks::Visibility::missing) continue;
    marks.push_back({.place = {landmark.x, landmark.y},
                     .name = landmark.name,
                     .hidden = landmark.visibility == landmarks::Visibility::hidden});
  }
  return marks;
}

/// "a/b.png" is drawn to "a_b.png.landmarks.jpg": it replaces no image, wherever the folder lies.
std::string picture_of(const LandmarksShowCommandOptions& options, std::string image) {
  for (char& c : image) {
    if (c == '/' || c == '\\' || c == '#') c = '_';
  }
  return (std::filesystem::path(options.out) / (image + ".landmarks.jpg")).string();
}

void write(const std::string& path, const vision::Image& picture) {
  const auto jpeg = vision::encode_jpeg(picture);
  io::write_whole(path, [&](io::Sink& sink) { sink.write(jpeg); });
}

class Show {
 public:
  explicit Show(const LandmarksShowCommandOptions& options) : options_(options) {
    output_.folder = options.out;
    output_.sheet = (std::filesystem::path(options.out) / "contact_sheet.jpg").string();
  }

  LandmarksShowOutput run(const landmarks::LandmarkTable& table) {
    ProgressBar bar(options_.common, "drawing");
    for (const landmarks::Annotation& annotation : table.annotations) {
      draw(annotation);
      bar.show(++output_.num_images, table.annotations.size());
    }
    bar.clear();
    write(output_.sheet, vision::contact_sheet(tiles_));
    if (output_.num_images > most_tiles) {
      warn(options_.common, fmt::format("the contact sheet shows the first {} of {} images",
                                        most_tiles, output_.num_images));
    }
    return std::move(output_);
  }

 private:
  void draw(const landmarks::Annotation& annotation) {
    const auto path = image_in(options_.annotations.images, annotation.image);
    require(path.has_value(), ErrorKind::not_found,
            [&] { return fmt::format("image '{}' is gone", annotation.image); });
    const io::MappedFile file = io::MappedFile::read(*path);
    vision::DecodeOptions how;
    how.apply_orientation = !options_.ignore_orientation;
    const vision::Image image = vision::decode_image(file.bytes(), *path, how);
    const std::vector<vision::Mark> marks = marks_of(annotation);
    count(marks, image);
    const std::string picture = picture_of(options_, annotation.image);
    write(picture, vision::draw_marks(image, marks, parse_names(options_.names)));
    output_.pictures.push_back(picture);
    if (tiles_.size() < most_tiles) {
      tiles_.push_back({vision::draw_small_marks(image, marks), annotation.image});
    }
  }

  void count(const std::vector<vision::Mark>& marks, const vision::Image& image) {
    output_.num_marked += marks.size();
    for (const vision::Mark& mark : marks) {
      const bool inside = mark.place.x >= 0 && mark.place.y >= 0 &&
                          mark.place.x < static_cast<double>(image.width) &&
                          mark.place.y < static_cast<double>(image.height);
      output_.num_outside += inside ? 0 : 1;
    }
  }

  const LandmarksShowCommandOptions& options_;
  LandmarksShowOutput output_;
  std::vector<vision::Tile> tiles_;
};

void check(const LandmarksShowCommandOptions& options) {
  static_cast<void>(parse_names(options.names));
  std::error_code ignored;
  require(!std::filesystem::equivalent(options.annotations.images, options.out, ignored),
          ErrorKind::invalid_input, [&] {
            return fmt::format("--output {}: is the folder of the images; give another",
                               options.out);
          });
}

void run(const LandmarksShowCommandOptions& options) {
  check(options);
  Manifest manifest(options.common,
                    {.inputs = {options.annotations.landmarks}, .folder = options.out});
  manifest.set_uses_pixels();
  const landmarks::FileOptions how = file_options(options.annotations, !options.ignore_orientation);
  const landmarks::LandmarkTable table = read_table(options.common, options.annotations, how);
  require(!table.annotations.empty(), ErrorKind::bad_format,
          [&] { return fmt::format("{}: has no images to show", options.annotations.landmarks); });
  io::make_folder(options.out);
  const LandmarksShowOutput output = Show(options).run(table);
  print_result(options.common, output);
  manifest.add_outputs(output.pictures);
  manifest.add_outputs({output.sheet});
  manifest.write();
}

}  // namespace

void add_landmarks_show(Command& landmarks) {
  Command& command =
      landmarks.add_subcommand("show", "Draw annotations as read, for a visual check");
  const auto options = std::make_shared<LandmarksShowCommandOptions>();
  add_path(command, "--images", options->annotations.images, "Folder of the images")
      ->required()
      ->type_name("DIR");
  add_path(command, "--landmarks", options->annotations.landmarks,
           "Their landmarks, a file or folder: CSV, TPS, COCO, DeepLabCut, SLEAP, ...")
      ->required();
  add_landmark_format_options(command, options->annotations);
  add_output(command, options->out, "Folder for the pictures and contact_sheet.jpg")
      ->required()
      ->type_name("DIR");
  add_names_option(command, options->names);
  command.add_flag("--ignore-orientation", options->ignore_orientation,
                   "Take JPEG files as stored, not as EXIF turns them");
  add_result_options(command, options->common);
  command.footer(
      "Example (after 'caos landmarks synthesize -o faces'):\n"
      "  caos landmarks show --images faces/labeled --landmarks faces/labeled.csv -o shown");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
