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
#include "caos/landmarks/formats/check_table.hpp"
#include "caos/landmarks/formats/landmark_file.hpp"

namespace caos::cli {
namespace {

using landmarks::Format;

/// As texts from the command line; empty where not given.
struct Options {
  CommonOptions common;
  std::string in;
  std::string out;
  std::string from;
  std::string to;
  std::string tps_y;
  std::string tps_curves = "refuse";
  std::string images;
  std::string image_size;
  std::string image_extension;
  std::string outside = "refuse";
  std::string slicer_scale;
  std::string slicer_axes = "lps";
  bool dlib_fractions = false;
};

/// The meaning of a word; others are misuse.
template <typename T>
T choose(const char* option, const std::string& word,
         std::initializer_list<std::pair<const char*, T>> meanings) {
  std::string known;
  for (const auto& [name, meaning] : meanings) {
    if (word == name) return meaning;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(ErrorKind::invalid_input, fmt::format("{}: '{}' is none of {}", option, word, known));
}

std::optional<Format> parse_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return landmarks::parse_format(name);
}

std::optional<landmarks::TpsY> parse_tps_y(const std::string& word) {
  using landmarks::TpsY;
  if (word.empty()) return std::nullopt;
  return choose<TpsY>("--tps-y", word, {{"top", TpsY::top}, {"bottom", TpsY::bottom}});
}

landmarks::TpsCurves parse_tps_curves(const std::string& word) {
  using landmarks::TpsCurves;
  return choose<TpsCurves>("--tps-curves", word,
                           {{"refuse", TpsCurves::refuse},
                            {"skip", TpsCurves::skip},
                            {"landmarks", TpsCurves::landmarks}});
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

std::optional<double> parse_scale(const std::string& text) {
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
    return fmt::format("--image-size: '{}' is no size; expected WIDTHxHEIGHT, as 640x480", text);
  });
  return landmarks::ImageSize{*width, *height};
}

/// Where the sizes of images come from besides the landmark file itself.
landmarks::ImageSizes sizes_from(const Options& options) {
  if (!options.images.empty()) return image_sizes_in(options.images, true);
  const auto size = parse_image_size(options.image_size);
  if (!size) return {};
  return [size](const std::string&) { return size; };
}

std::string parse_extension(const std::string& text) {
  const bool good = text.empty() || (text.starts_with('.') && text.find('/') == std::string::npos);
  require(good, ErrorKind::invalid_input, [&] {
    return fmt::format("--image-extension: '{}' is no extension; expected one such as .png", text);
  });
  return text;
}

landmarks::FileOptions file_options(const Options& options) {
  landmarks::FileOptions result;
  result.tps.y = parse_tps_y(options.tps_y);
  result.tps.curves = parse_tps_curves(options.tps_curves);
  result.dlib.fractions = options.dlib_fractions;
  result.slicer_scale = parse_scale(options.slicer_scale);
  result.slicer_axes = parse_axes(options.slicer_axes);
  result.image_extension = parse_extension(options.image_extension);
  result.sizes = sizes_from(options);
  return result;
}

bool is_tps(std::optional<Format> format, const std::string& path) {
  return (format ? format : landmarks::format_by_name(path)) == Format::tps;
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
void check_output_folder(const Options& options, Format format) {
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

void check(const Options& options, const landmarks::FileOptions& reading,
           const landmarks::FileOptions& writing) {
  const Format format = landmarks::output_format(options.out, writing);
  const bool tps = is_tps(reading.format, options.in) || format == Format::tps;
  require(!tps || reading.tps.y, ErrorKind::invalid_input,
          "a TPS file does not tell where y begins; give --tps-y bottom (tpsDig) or --tps-y top");
  require(options.in != "-" || reading.format, ErrorKind::invalid_input,
          "standard input has no name that tells its format; give --from");
  if (landmarks::is_output_folder(options.out, format)) {
    check_output_folder(options, format);
  } else {
    check_outputs({options.out}, {options.in});
  }
}

/// What was converted.
struct Output {
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

void count(Output& output, const landmarks::LandmarkTable& table) {
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

Json to_json(const Output& output) {
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

std::string to_text(const Output& output) {
  return fmt::format("{}: {} images, {} landmarks: {} visible, {} hidden, {} missing ({})\n",
                     output.file, output.num_images, output.landmarks.size(), output.visible,
                     output.hidden, output.missing, landmarks::title_of(output.format));
}

void report(const Options& options, const Output& output) {
  // Where the landmarks themselves go to standard output, nothing else may.
  if (options.out != "/dev/stdout") print_result(options.common, output);
  if (output.outside > 0) {
    warn(options.common,
         fmt::format("{} landmarks outside of their images are now missing", output.outside));
  }
  for (const std::string& loss : output.losses) warn(options.common, loss);
}

void run(const Options& options) {
  landmarks::FileOptions reading = file_options(options);
  landmarks::FileOptions writing = reading;
  reading.format = parse_format(options.from);
  writing.format = parse_format(options.to);
  const landmarks::Outside outside = parse_outside(options.outside);
  check(options, reading, writing);
  const bool to_folder =
      landmarks::is_output_folder(options.out, landmarks::output_format(options.out, writing));
  Manifest manifest(options.common, {.inputs = {options.in},
                                     .outputs = {to_folder ? "" : options.out},
                                     .folder = to_folder ? options.out : ""});

  landmarks::LandmarkTable table = landmarks::read_landmarks(options.in, reading);
  Output output{.file = options.out, .format = landmarks::output_format(options.out, writing)};
  output.outside = landmarks::check_inside(table, reading.sizes, options.in, outside);
  count(output, table);
  output.losses = landmarks::write_landmarks(options.out, table, writing);
  report(options, output);
  if (to_folder) {
    for (const auto& file : landmarks::landmark_texts(table, output.format, writing)) {
      manifest.add_outputs({(std::filesystem::path(options.out) / file.name).string()});
    }
  }
  if (!options.images.empty()) {
    for (const landmarks::Annotation& annotation : table.annotations) {
      manifest.add_inputs({image_in(options.images, annotation.image).value_or("")});
    }
  }
  manifest.write();
}

Option* add_word(Command& command, const std::string& name, std::string& value,
                 const std::string& type, const std::string& description) {
  return command.add_option(name, value, description)->type_name(type);
}

void add_format_options(Command& command, Options& options) {
  const std::string formats = "csv, tps, pts, coco, dlib, label-studio or slicer";
  add_word(command, "--from", options.from, "FORMAT",
           "Format of IN, if its name does not tell: " + formats)
      ->offers(landmark_formats());
  add_word(command, "--to", options.to, "FORMAT", "Format of OUT, if its name does not tell")
      ->offers(landmark_formats());
  add_word(command, "--tps-y", options.tps_y, "EDGE",
           "Where TPS counts y from: 'bottom', as tpsDig does, or 'top'")
      ->offers({"bottom", "top"});
  add_word(command, "--tps-curves", options.tps_curves, "HOW",
           "What to do with curves in TPS: 'refuse', 'skip', or read them as 'landmarks'")
      ->offers({"refuse", "skip", "landmarks"})
      ->default_str(options.tps_curves);
  command.add_flag("--dlib-fractions", options.dlib_fractions,
                   "Write fractions of pixels to dlib's XML, which dlib itself does not read");
  add_word(command, "--slicer-scale", options.slicer_scale, "MM",
           "Millimeters per pixel in 3D Slicer's files; without, a pixel is a millimeter");
  add_word(command, "--slicer-axes", options.slicer_axes, "AXES",
           "Write 3D Slicer's files in 'lps' or 'ras'")
      ->offers({"lps", "ras"})
      ->default_str(options.slicer_axes);
}

void add_image_options(Command& command, Options& options) {
  Option* images =
      add_path(command, "--images", options.images,
               "Folder of the images, whose sizes y from the bottom and percentages need")
          ->type_name("DIR");
  add_word(command, "--image-size", options.image_size, "WxH",
           "Size of every image, instead of the images themselves")
      ->excludes(images);
  add_word(
      command, "--image-extension", options.image_extension, "EXT",
      "Extension of images, such as .png, for PTS and 3D Slicer, whose files do not name them");
  add_word(command, "--outside", options.outside, "HOW",
           "What to do with landmarks outside of their images: 'refuse', or make them "
           "'missing'")
      ->offers({"refuse", "missing"})
      ->default_str(options.outside);
}

}  // namespace

void add_landmarks_convert(Command& landmarks) {
  Command& command = landmarks.add_subcommand("convert", "Convert landmark files between formats");
  const auto options = std::make_shared<Options>();
  add_path(command, "IN", options->in, "Landmark file, or a folder of PTS or 3D Slicer files")
      ->required()
      ->type_name("");
  add_path(command, "OUT", options->out, "File to write, or a folder for PTS or 3D Slicer")
      ->required()
      ->type_name("");
  add_format_options(command, *options);
  add_image_options(command, *options);
  add_result_options(command, options->common);
  command.footer(
      "What the format cannot hold is said on stderr.\n\n"
      "Example:\n"
      "  printf 'image,landmark,x,y\\nface.png,nose,12.5,8\\n' > points.csv\n"
      "  caos landmarks convert points.csv points.xml");
  command.callback([options] { run(*options); });
}

}  // namespace caos::cli
