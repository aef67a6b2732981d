#include "caos/landmarks/landmark_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/landmarks/coco_format.hpp"
#include "caos/landmarks/csv_format.hpp"
#include "caos/landmarks/json_view.hpp"
#include "caos/landmarks/label_studio_format.hpp"
#include "caos/landmarks/losses.hpp"
#include "caos/landmarks/pts_format.hpp"
#include "caos/landmarks/text_lines.hpp"

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

Format json_format(const io::MappedFile& file) {
  if (trim(file.text()).starts_with('[')) return Format::label_studio;
  const Json json = parse_json(file.text(), file.name());
  if (json.is_object() && json.contains("markups")) return Format::slicer;
  if (json.is_object() && json.contains("annotations")) return Format::coco;
  io::refuse(file.name(),
             "is JSON, but not as COCO, Label Studio or 3D Slicer write it (JSON, not JSON-MIN)");
}

Format input_format(const io::MappedFile& file, const std::string& path,
                    const FileOptions& options) {
  if (options.format) return *options.format;
  if (const auto format = format_by_name(path)) return *format;
  require(path.ends_with(".json"), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: its name does not tell the format of its landmarks; say which it is",
                       file.name());
  });
  return json_format(file);
}

LandmarkTable parse(const io::MappedFile& file, const std::string& path, Format format,
                    const FileOptions& options) {
  switch (format) {
    case Format::csv:
      return parse_csv(file.text(), file.name());
    case Format::tps:
      return parse_tps(file.text(), file.name(), options.tps, options.sizes);
    case Format::pts:
      return parse_pts(file.text(), file.name(), image_of(path, format, options));
    case Format::coco:
      return parse_coco(file.text(), file.name());
    case Format::dlib:
      return parse_dlib(file.text(), file.name());
    case Format::label_studio:
      return parse_label_studio(file.text(), file.name());
    case Format::slicer:
      return parse_slicer(file.text(), file.name(), image_of(path, format, options),
                          options.slicer_scale);
  }
  __builtin_unreachable();
}

LandmarkTable read_file(const std::string& path, const FileOptions& options) {
  const io::MappedFile file = io::MappedFile::open(path);
  const Format format = input_format(file, path, options);
  require(path != "-" || !is_per_image(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{} cannot come from standard input: the name of the file is the image's",
                       title_of(format));
  });
  return parse(file, path, format, options);
}

/// The one format with a file for each image that a folder has files of.
Format folder_format(const std::string& folder, const std::vector<std::string>& files) {
  std::set<Format> found;
  for (const std::string& file : files) {
    const auto format = format_by_name(file);
    if (format && is_per_image(*format)) found.insert(*format);
  }
  require(!found.empty(), ErrorKind::not_found,
          [&] { return fmt::format("{}: has no .pts or .mrk.json files in it", folder); });
  require(found.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has both .pts and .mrk.json files; say which to read", folder);
  });
  return *found.begin();
}

LandmarkTable read_folder(const std::string& folder, const FileOptions& options) {
  const std::vector<std::string> files = io::files_in(folder);
  const Format format = options.format ? *options.format : folder_format(folder, files);
  require(is_per_image(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is a folder; landmarks in {} are one file", folder, title_of(format));
  });
  LandmarkTable table;
  for (const std::string& name : files) {
    if (format_by_name(name) != format) continue;
    const std::string path = (std::filesystem::path(folder) / name).string();
    LandmarkTable one = parse(io::MappedFile::open(path), path, format, options);
    table.annotations.push_back(std::move(one.annotations.front()));
  }
  require(!table.annotations.empty(), ErrorKind::not_found,
          [&] { return fmt::format("{}: has no {} files in it", folder, suffix_of(format)); });
  check_table(table);
  return table;
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

std::string text_of(const LandmarkTable& table, Format format, const FileOptions& options) {
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

void write_text(const std::string& path, const std::string& text) {
  io::write_whole(path, [&](io::Sink& sink) { sink.write(text); });
}

std::string file_name_of(const std::string& image, Format format) {
  const std::string stem = std::filesystem::path(image).stem().string();
  require(!stem.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("image '{}': that name cannot become the name of a file",
                       io::printable(image));
  });
  return stem + std::string(suffix_of(format));
}

struct NamedText {
  std::string name;
  std::string text;
};

std::vector<NamedText> texts_per_image(const LandmarkTable& table, Format format,
                                       const FileOptions& options) {
  std::vector<NamedText> texts;
  std::set<std::string> names;
  for (const Annotation& annotation : table.annotations) {
    std::string name = file_name_of(annotation.image, format);
    require(names.insert(name).second, ErrorKind::invalid_input, [&] {
      return fmt::format("image '{}': another image would be written to {} too",
                         io::printable(annotation.image), io::printable(name));
    });
    texts.push_back({std::move(name), text_of({{annotation}}, format, options)});
  }
  return texts;
}

void write_folder(const std::string& folder, const LandmarkTable& table, Format format,
                  const FileOptions& options) {
  check_table(table);
  // PTS knows landmarks by place: all files must list them alike.
  const LandmarkTable listed = format == Format::pts ? with_all_landmarks(table) : table;
  const std::vector<NamedText> texts = texts_per_image(listed, format, options);
  if (!io::is_folder(folder)) io::make_folder(folder);
  for (const NamedText& file : texts) {
    write_text((std::filesystem::path(folder) / file.name).string(), file.text);
  }
}

}  // namespace

LandmarkTable read_landmarks(const std::string& path, const FileOptions& options) {
  return io::is_folder(path) ? read_folder(path, options) : read_file(path, options);
}

Format output_format(const std::string& path, const FileOptions& options) {
  const auto format = options.format ? options.format : format_by_name(path);
  require(format.has_value(), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: the name does not tell the format to write; say which", path);
  });
  return *format;
}

bool is_output_folder(const std::string& path, Format format) {
  return is_per_image(format) && format_by_name(path) != format && !path.starts_with("/dev/");
}

std::vector<std::string> write_landmarks(const std::string& path, const LandmarkTable& table,
                                         const FileOptions& options) {
  const Format format = output_format(path, options);
  if (is_output_folder(path, format)) {
    write_folder(path, table, format, options);
  } else {
    write_text(path, text_of(table, format, options));
  }
  std::vector<std::string> found = losses(table, format, options.dlib);
  for (std::string& caution : cautions(table, format, options)) found.push_back(std::move(caution));
  return found;
}

}  // namespace caos::landmarks
