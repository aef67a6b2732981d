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
#include "caos/landmarks/formats/joined_notes.hpp"

namespace caos::landmarks {
namespace {

namespace fs = std::filesystem;

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

/// Of a project of DeepLabCut, the files with labels. It also holds those labels as training sets,
/// and tables of what its networks found in videos.
void keep_collected(std::vector<std::string>& files) {
  const auto is_collected = [](const std::string& file) {
    const fs::path path(file);
    return path.filename().string().starts_with("CollectedData") &&
           std::ranges::find(path, fs::path("training-datasets")) == path.end();
  };
  if (!std::ranges::any_of(files, is_collected)) return;
  std::erase_if(files, [&](const std::string& file) { return !is_collected(file); });
}

/// The landmark files in a folder, or where it has none, those in folders below it.
std::vector<std::string> landmark_files(const std::string& folder, const FileOptions& options) {
  const auto is_other = [&](const std::string& file) {
    const auto named = format_by_name(file);
    return !named || !is_in_folders(*named) || (options.format && !fits(file, *options.format));
  };
  std::vector<std::string> files = io::files_in(folder);
  std::erase_if(files, is_other);
  if (!files.empty()) return files;
  files = io::files_below(folder);
  std::erase_if(files, is_other);
  keep_collected(files);
  return files;
}

/// The name of an image that a file in a folder below gives: relative to that folder, unless it
/// has folders itself.
std::string named_from(const std::string& file, const std::string& image) {
  const std::string parent = fs::path(file).parent_path().generic_string();
  const bool bare = image.find_first_of("/\\") == std::string::npos;
  return bare && !parent.empty() && !image.empty() ? parent + "/" + image : image;
}

/// `file` is relative to `folder`.
LandmarkTable read_below(const std::string& folder, const std::string& file, FileOptions options) {
  if (const ImageSizes sizes = options.sizes) {
    options.sizes = [&file, sizes](const std::string& image) {
      return sizes(named_from(file, image));
    };
  }
  const auto content = io::MappedFile::read((fs::path(folder) / file).string());
  LandmarkTable table = parse_landmarks(content.text(), content.name(), options);
  for (Annotation& annotation : table.annotations) {
    annotation.image = named_from(file, annotation.image);
  }
  return table;
}

LandmarkTable read_folder(const std::string& folder, const FileOptions& options) {
  require(!options.format || is_in_folders(*options.format), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is a folder; landmarks in {} are one file", folder,
                       title_of(*options.format));
  });
  std::vector<std::string> files = landmark_files(folder, options);
  const Format format = options.format ? *options.format : folder_format(folder, files);
  const bool told = options.format || !is_plain(format);
  std::erase_if(files, [&](const std::string& name) {
    return told ? !fits(name, format) : format_by_name(name) != format;
  });
  require(!files.empty(), ErrorKind::not_found,
          [&] { return fmt::format("{}: contains no {} files", folder, suffix_of(format)); });
  const FileOptions known = told ? with_format(options, format) : options;
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back((fs::path(folder) / file).string());
  JoinedNotes notes(folder, options.note);
  LandmarkTable table = join_images(paths, [&](std::size_t i) {
    FileOptions telling = known;
    telling.note = notes.of(paths[i]);
    return read_below(folder, files[i], telling);
  });
  notes.tell();
  return table;
}

void write_text(const std::string& path, const std::string& text) {
  io::write_whole(path, [&](io::Sink& sink) { sink.write(text); });
}

void write_folder(const std::string& folder, const LandmarkTable& table, Format format,
                  const FileOptions& options) {
  const std::vector<NamedText> texts = landmark_texts(table, format, options);
  if (!io::is_folder(folder)) io::make_folder(folder);
  for (const NamedText& file : texts) {
    write_text((fs::path(folder) / file.name).string(), file.text);
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
