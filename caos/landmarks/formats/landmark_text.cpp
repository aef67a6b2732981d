#include "caos/landmarks/formats/landmark_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/coco_format.hpp"
#include "caos/landmarks/formats/csv_format.hpp"
#include "caos/landmarks/formats/json_view.hpp"
#include "caos/landmarks/formats/label_studio_format.hpp"
#include "caos/landmarks/formats/losses.hpp"
#include "caos/landmarks/formats/pts_format.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

/// "faces/a.mrk.json" is about the image "a" with the extension that the options say.
std::string image_of(const std::string& path, Format format, const FileOptions& options) {
  const std::string file = std::filesystem::path(path).filename().string();
  const bool usual = format_by_name(file) == format;
  const std::string stem = usual ? file.substr(0, file.size() - suffix_of(format).size())
                                 : std::filesystem::path(file).stem().string();
  return stem + options.image_extension;
}

Format json_format(std::string_view text, const std::string& name) {
  if (trim(text).starts_with('[')) return Format::label_studio;
  const Json json = parse_json(text, name);
  if (json.is_object() && json.contains("markups")) return Format::slicer;
  if (json.is_object() && json.contains("annotations")) return Format::coco;
  io::refuse(name,
             "is JSON, but not as COCO, Label Studio or 3D Slicer write it (JSON, not JSON-MIN)");
}

LandmarkTable parse(std::string_view text, const std::string& name, Format format,
                    const FileOptions& options) {
  switch (format) {
    case Format::csv:
      return parse_csv(text, name);
    case Format::tps:
      return parse_tps(text, name, options.tps, options.sizes);
    case Format::pts:
      return parse_pts(text, name, image_of(name, format, options));
    case Format::coco:
      return parse_coco(text, name);
    case Format::dlib:
      return parse_dlib(text, name);
    case Format::label_studio:
      return parse_label_studio(text, name);
    case Format::slicer:
      return parse_slicer(text, name, image_of(name, format, options), options.slicer_scale);
  }
  __builtin_unreachable();
}

/// The sizes that are known elsewhere, where the table lacks them.
LandmarkTable with_sizes(LandmarkTable table, const ImageSizes& sizes) {
  for (Annotation& annotation : table.annotations) {
    const bool complete = annotation.width && annotation.height;
    const auto size = sizes && !complete ? sizes(annotation.image) : std::nullopt;
    if (!size) continue;
    annotation.width = annotation.width.value_or(size->width);
    annotation.height = annotation.height.value_or(size->height);
  }
  return table;
}

/// What other programs will miss, though this library does not.
std::vector<std::string> cautions(const LandmarkTable& table, Format format,
                                  const FileOptions& options) {
  const LandmarkTable sized = with_sizes(table, options.sizes);
  const auto unsized = std::ranges::count_if(
      sized.annotations, [](const Annotation& a) { return !a.width || !a.height; });
  if (format != Format::coco || unsized == 0) return {};
  return {fmt::format("programs that read COCO expect sizes of images; those of {} are unknown",
                      unsized)};
}

std::string file_name_of(const std::string& image, Format format) {
  const std::string stem = std::filesystem::path(image).stem().string();
  require(!stem.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': that name cannot become the name of a file",
                       io::printable(image));
  });
  return stem + std::string(suffix_of(format));
}

/// The one format of several files.
Format common_format(std::span<const NamedText> files, const FileOptions& options) {
  const Format format = format_of(files[0].text, files[0].name, options);
  for (const NamedText& file : files) {
    require(format_of(file.text, file.name, options) == format, ErrorKind::invalid_input, [&] {
      return fmt::format("{}: is not of the format of {}; read files of one format at a time",
                         io::printable(file.name), io::printable(files[0].name));
    });
  }
  require(is_per_image(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: landmarks in {} are one file; there are {}",
                       io::printable(files[1].name), title_of(format), files.size());
  });
  return format;
}

}  // namespace

Format format_of(std::string_view text, const std::string& name, const FileOptions& options) {
  if (options.format) return *options.format;
  if (const auto format = format_by_name(name)) return *format;
  require(name.ends_with(".json"), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: its name does not tell the format of its landmarks; say which it is",
                       name);
  });
  return json_format(text, name);
}

LandmarkTable parse_landmarks(std::string_view text, const std::string& name,
                              const FileOptions& options) {
  return parse(text, name, format_of(text, name, options), options);
}

LandmarkTable parse_landmarks(std::span<const NamedText> files, const FileOptions& options) {
  require(!files.empty(), ErrorKind::invalid_input,
          [] { return std::string("there is no file of landmarks to read"); });
  if (files.size() == 1) return parse_landmarks(files[0].text, files[0].name, options);
  const Format format = common_format(files, options);
  return join_images(files.size(), [&](std::size_t i) {
    return parse(files[i].text, files[i].name, format, options);
  });
}

LandmarkTable join_images(std::size_t num_files,
                          const std::function<LandmarkTable(std::size_t)>& parse) {
  LandmarkTable table;
  for (std::size_t i = 0; i < num_files; ++i) {
    LandmarkTable one = parse(i);
    table.annotations.push_back(std::move(one.annotations.front()));
  }
  check_table(table);
  return table;
}

std::string landmark_text(const LandmarkTable& table, Format format, const FileOptions& options) {
  switch (format) {
    case Format::csv:
      return write_csv(table);
    case Format::tps:
      return write_tps(table, options.tps, options.sizes);
    case Format::pts:
      return write_pts(table);
    case Format::coco:
      return write_coco(with_sizes(table, options.sizes));
    case Format::dlib:
      return write_dlib(with_sizes(table, options.sizes), options.dlib);
    case Format::label_studio:
      return write_label_studio(with_sizes(table, options.sizes));
    case Format::slicer:
      return write_slicer(table, options.slicer_axes);
  }
  __builtin_unreachable();
}

std::vector<NamedText> landmark_texts(const LandmarkTable& table, Format format,
                                      const FileOptions& options) {
  check_table(table);
  // PTS knows landmarks by place: all files must list them alike.
  const LandmarkTable listed = format == Format::pts ? with_all_landmarks(table) : table;
  std::vector<NamedText> texts;
  std::set<std::string> names;
  for (const Annotation& annotation : listed.annotations) {
    std::string name = file_name_of(annotation.image, format);
    require(names.insert(name).second, ErrorKind::invalid_input, [&] {
      return fmt::format("image '{}': another image would be written to {} too",
                         io::printable(annotation.image), io::printable(name));
    });
    texts.push_back({std::move(name), landmark_text({{annotation}}, format, options)});
  }
  return texts;
}

std::vector<std::string> landmark_losses(const LandmarkTable& table, Format format,
                                         const FileOptions& options) {
  std::vector<std::string> found = losses(table, format, options.dlib);
  for (std::string& caution : cautions(table, format, options)) found.push_back(std::move(caution));
  return found;
}

}  // namespace caos::landmarks
