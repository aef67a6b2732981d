#include "caos/landmarks/formats/landmark_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"

namespace caos::landmarks {
namespace {

FileOptions with_format(FileOptions options, Format format) {
  options.format = format;
  return options;
}

LandmarkTable read_file(const std::string& path, const FileOptions& options) {
  const io::MappedFile file = io::MappedFile::read(path);
  const Format format = format_of(file.text(), file.name(), options);
  require(path != "-" || !is_per_image(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{} cannot come from standard input: the name of the file is the image's",
                       title_of(format));
  });
  return parse_landmarks(file.text(), file.name(), with_format(options, format));
}

/// Tables and lists of points, whose content tells more.
bool is_plain(Format format) { return format == Format::csv || format == Format::points; }

/// The one format that a folder has files of, among those that are read from folders. Tables and
/// lists count only where nothing else is there: they may be notes.
Format folder_format(const std::string& folder, const std::vector<std::string>& files) {
  std::set<Format> found;
  for (const std::string& file : files) {
    const auto format = format_by_name(file);
    if (format && is_in_folders(*format)) found.insert(*format);
  }
  require(!found.empty(), ErrorKind::not_found, [&] {
    return fmt::format("{}: contains no .pts, .mrk.json, .tps, .tem, .asf, .txt or .csv files",
                       folder);
  });
  if (!std::ranges::all_of(found, is_plain)) std::erase_if(found, is_plain);
  require(found.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: contains both {} and {} files; choose with --format", folder,
                       suffix_of(*found.begin()), suffix_of(*found.rbegin()));
  });
  return *found.begin();
}

/// Whether a file is one of those of a format, by its name.
bool fits(const std::string& file, Format format) {
  const auto named = format_by_name(file);
  if (format == Format::points) return named && is_plain(*named);
  return named && suffix_of(*named) == suffix_of(format);
}

LandmarkTable read_folder(const std::string& folder, const FileOptions& options) {
  std::vector<std::string> files = io::files_in(folder);
  const Format format = options.format ? *options.format : folder_format(folder, files);
  require(is_in_folders(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is a folder; landmarks in {} are one file", folder, title_of(format));
  });
  const bool told = options.format || !is_plain(format);
  std::erase_if(files, [&](const std::string& name) {
    return told ? !fits(name, format) : format_by_name(name) != format;
  });
  require(!files.empty(), ErrorKind::not_found,
          [&] { return fmt::format("{}: contains no {} files", folder, suffix_of(format)); });
  const FileOptions known = told ? with_format(options, format) : options;
  return join_images(files.size(), [&](std::size_t i) {
    const auto file = io::MappedFile::read((std::filesystem::path(folder) / files[i]).string());
    return parse_landmarks(file.text(), file.name(), known);
  });
}

void write_text(const std::string& path, const std::string& text) {
  io::write_whole(path, [&](io::Sink& sink) { sink.write(text); });
}

void write_folder(const std::string& folder, const LandmarkTable& table, Format format,
                  const FileOptions& options) {
  const std::vector<NamedText> texts = landmark_texts(table, format, options);
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
    return fmt::format("{}: the file name does not show the format to write; known formats are {}",
                       path, known_formats());
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
    write_text(path, landmark_text(table, format, options));
  }
  return landmark_losses(table, format, options);
}

}  // namespace caos::landmarks
