#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "apps/cli/landmarks/landmark_inputs.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/formats/check_table.hpp"
#include "caos/landmarks/formats/hdf5/sleap_format.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"

namespace caos::cli {
namespace {

using landmarks::Format;

/// As texts from the command line; empty where not given.
struct LandmarksConvertCommandOptions {
  CommonOptions common;
  std::string in;
  std::string out;
  std::string from;
  std::string to;
  AnnotationFileOptions reading;
  std::string image_size;
  std::string extract;
  std::string slicer_scale;
  std::string slicer_axes = "lps";
  bool dlib_fractions = false;
};

std::optional<Format> parse_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return landmarks::parse_format(name);
}

landmarks::Outside parse_outside(const std::string& word) {
  using landmarks::Outside;
  return choose<Outside>("--outside", word,
                         {{"refuse", Outside::refuse}, {"missing", Outside::to_missing}});
}

landmarks::PatientAxes parse_axes(const std::string& word) {
  using landmarks::PatientAxes;
  return choose<PatientAxes>("--slicer-axes", word,
                             {{"lps", PatientAxes::lps}, {"ras", PatientAxes::ras}});
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> scale_option(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto scale = parse_number<double>(text);
  require(scale && *scale > 0 && std::isfinite(*scale), ErrorKind::invalid_input, [&] {
    return fmt::format("--slicer-scale: '{}' is not a positive number of millimeters", text);
  });
  return scale;
}

std::optional<landmarks::ImageSize> parse_image_size(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto width = parse_number<std::size_t>(std::string_view(text).substr(0, cross));
  const auto height =
      parse_number<std::size_t>(std::string_view(text).substr(std::min(cross + 1, text.size())));
  const bool good = width && height && *width > 0 && *height > 0;
  require(good, ErrorKind::invalid_input, [&] {
    return fmt::format("--image-size: '{}' is not a size; expected WIDTHxHEIGHT, as 640x480", text);
  });
  return landmarks::ImageSize{*width, *height};
}

landmarks::FileOptions file_options(const LandmarksConvertCommandOptions& options) {
  landmarks::FileOptions result = file_options(options.reading, true);
  result.dlib.fractions = options.dlib_fractions;
  result.slicer_scale = scale_option(options.slicer_scale);
  result.slicer_axes = parse_axes(options.slicer_axes);
  if (const auto size = parse_image_size(options.image_size)) {
    result.sizes = [size](const std::string&) { return size; };
  }
  return result;
}

/// Writes the images that a SLEAP file holds into a folder.
std::vector<std::string> extract_images(const LandmarksConvertCommandOptions& options) {
  std::vector<std::string> written;
  if (options.extract.empty()) return written;
  const io::MappedFile file = io::MappedFile::read(options.in);
  io::make_folder(options.extract);
  for (const auto& image : landmarks::embedded_images(file.text(), file.name())) {
    written.push_back((std::filesystem::path(options.extract) / image.name).string());
    io::write_whole(written.back(), [&](io::Sink& sink) { sink.write(image.bytes); });
  }
  require(!written.empty(), ErrorKind::bad_format,
          [&] { return fmt::format("{}: contains no images to extract", options.in); });
  return written;
}

std::filesystem::path real_path(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::absolute(path, failure);
  if (failure) return path;  // the folder we are in is gone
  std::filesystem::path result = std::filesystem::weakly_canonical(whole, failure);
  if (failure) return path;
  // "faces/" is "faces".
  return result.has_filename() ? result : result.parent_path();
}

/// A folder of files must be neither the input nor the folder that the input lies in, if that could
/// be one of the files.
void check_output_folder(const LandmarksConvertCommandOptions& options, Format format) {
  const auto in = real_path(options.in);
  const auto out = real_path(options.out);
  const bool replaces = landmarks::format_by_name(options.in) == format && in.parent_path() == out;
  require(in != out && !replaces, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: this run already reads that folder; give another name", options.out);
  });
  std::error_code ignored;
  require(std::filesystem::is_directory(out.parent_path(), ignored), ErrorKind::not_found, [&] {
    return fmt::format("{}: the folder {} does not exist; create it first", options.out,
                       out.parent_path().string());
  });
}

void check(const LandmarksConvertCommandOptions& options, const landmarks::FileOptions& reading,
           const landmarks::FileOptions& writing) {
  const Format format = landmarks::output_format(options.out, writing);
  require(options.in != "-" || reading.format, ErrorKind::invalid_input,
          "standard input has no file name to show its format; give --from");
  if (landmarks::is_output_folder(options.out, format)) {
    check_output_folder(options, format);
  } else {
    check_outputs({options.out}, {options.in});
  }
}

/// What was converted.
struct LandmarksConvertOutput {
  std::string file;
  Format format = Format::csv;
  std::size_t num_images = 0;
  std::vector<std::string> landmarks{};
  std::size_t visible = 0;
  std::size_t hidden = 0;
  std::size_t missing = 0;
  std::size_t outside = 0;
  std::vector<std::string> losses{};
};

void count(LandmarksConvertOutput& output, const landmarks::LandmarkTable& table) {
  using landmarks::Visibility;
  output.num_images = table.annotations.size();
  output.landmarks = table.landmark_names();
  for (const landmarks::Annotation& annotation : table.annotations) {
    for (const landmarks::Landmark& landmark : annotation.landmarks) {
      output.visible += landmark.visibility == Visibility::visible ? 1 : 0;
      output.hidden += landmark.visibility == Visibility::hidden ? 1 : 0;
      output.missing += landmark.visibility == Visibility::missing ? 1 : 0;
    }
  }
}

Json to_json(const LandmarksConvertOutput& output) {
  return {{"file", output.file},
          {"format", landmarks::name_of(output.format)},
          {"num_images", output.num_images},
          {"landmarks", output.landmarks},
          {"visible", output.visible},
          {"hidden", output.hidden},
          {"missing", output.missing},
          {"outside", output.outside},
          {"losses", output.losses}};
}

std::string to_text(const LandmarksConvertOutput& output) {
  return fmt::format("{}: {} images, {} landmarks: {} visible, {} hidden, {} missing ({})\n",
                     output.file, output.num_images, output.landmarks.size(), output.visible,
                     output.hidden, output.missing, landmarks::title_of(output.format));
}

void report(const LandmarksConvertCommandOptions& options, const LandmarksConvertOutput& output) {
  // Where the landmarks themselves go to standard output, nothing else may.
  if (options.out != "/dev/stdout") print_result(options.common, output);
  if (output.outside > 0) {
    warn(options.common,
         fmt::format("{} landmarks outside of their images are now missing", output.outside));
  }
  for (const std::string& loss : output.losses) warn(options.common, loss);
}

void run(LandmarksConvertCommandOptions options) {
  options.reading.landmarks = options.in;
  landmarks::FileOptions reading = file_options(options);
  landmarks::FileOptions writing = reading;
  reading.format = parse_format(options.from);
  writing.format = parse_format(options.to);
  const landmarks::Outside outside = parse_outside(options.reading.outside);
  check(options, reading, writing);
  const bool to_folder =
      landmarks::is_output_folder(options.out, landmarks::output_format(options.out, writing));
  Manifest manifest(options.common, {.inputs = {options.in},
                                     .outputs = {to_folder ? "" : options.out},
                                     .folder = to_folder ? options.out : ""});

  const std::vector<std::string> extracted = extract_images(options);
  landmarks::LandmarkTable table = read_table(options.common, options.reading, reading);
  LandmarksConvertOutput output{.file = options.out,
                                .format = landmarks::output_format(options.out, writing)};
  output.outside = landmarks::check_inside(table, reading.sizes, options.in, outside);
  count(output, table);
  output.losses = landmarks::write_landmarks(options.out, table, writing);
  report(options, output);
  if (to_folder) {
    for (const auto& file : landmarks::landmark_texts(table, output.format, writing)) {
      manifest.add_outputs({(std::filesystem::path(options.out) / file.name).string()});
    }
  }
  manifest.add_outputs(extracted);
  if (!options.reading.images.empty()) {
    for (const landmarks::Annotation& annotation : table.annotations) {
      manifest.add_inputs({image_in(options.reading.images, annotation.image).value_or("")});
    }
  }
  manifest.write();
}

Option* add_word(Command& command, const std::string& name, std::string& value,
                 const std::string& type, const std::string& description) {
  return command.add_option(name, value, description)->type_name(type);
}

void add_format_options(Command& command, LandmarksConvertCommandOptions& options) {
  add_word(command, "--from", options.from, "FORMAT", "Format of IN, if its name does not show it")
      ->offers(landmark_formats());
  add_word(command, "--to", options.to, "FORMAT", "Format of OUT, if its name does not show it")
      ->offers(landmark_formats());
  add_reading_options(command, options.reading);
  command.add_flag("--dlib-fractions", options.dlib_fractions,
                   "Write fractions of pixels to dlib's XML, which dlib itself does not read");
  add_word(command, "--slicer-scale", options.slicer_scale, "MM",
           "Millimeters per pixel in 3D Slicer's files; without, a pixel is a millimeter");
  add_word(command, "--slicer-axes", options.slicer_axes, "AXES",
           "Write 3D Slicer's files in 'lps' or 'ras'")
      ->offers({"lps", "ras"})
      ->default_str(options.slicer_axes);
}

void add_image_options(Command& command, LandmarksConvertCommandOptions& options) {
  Option* images =
      add_path(command, "--images", options.reading.images,
               "Folder of the images, whose sizes y from the bottom and percentages need")
          ->type_name("DIR");
  add_word(command, "--image-size", options.image_size, "WxH",
           "Size of every image, instead of the images themselves")
      ->excludes(images);
  add_path(command, "--extract-images", options.extract,
           "Write the images that a SLEAP file holds to this folder")
      ->type_name("DIR");
  add_word(command, "--outside", options.reading.outside, "HOW",
           "What to do with landmarks outside of their images: 'refuse', or make them "
           "'missing'")
      ->offers({"refuse", "missing"})
      ->default_str(options.reading.outside);
}

}  // namespace

void add_landmarks_convert(Command& landmarks) {
  Command& command = landmarks.add_subcommand("convert", "Convert landmark files between formats");
  const auto options = std::make_shared<LandmarksConvertCommandOptions>();
  add_path(command, "IN", options->in,
           "Landmark file, or a folder of TPS, PTS, TEM, ASF or 3D Slicer files; or regions.json "
           "that 'predict' wrote")
      ->required()
      ->type_name("");
  add_path(command, "OUT", options->out,
           "File to write, or a folder for PTS, TEM, ASF or 3D Slicer")
      ->required()
      ->type_name("");
  add_format_options(command, *options);
  add_image_options(command, *options);
  add_result_options(command, options->common);
  command.footer(
      "Losses of the format are reported on standard error.\n"
      "\n"
      "Example:\n"
      "  printf 'image,landmark,x,y\\n"
      "face.png,nose,12.5,8\\n"
      "' > points.csv\n"
      "  caos landmarks convert points.csv points.xml");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
