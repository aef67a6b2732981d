#include "caos/landmarks/formats/landmark_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/guarded_read.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/asf_format.hpp"
#include "caos/landmarks/formats/hdf5/deeplabcut_hdf5.hpp"
#include "caos/landmarks/formats/hdf5/sleap_format.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/landmarks/formats/joined_notes.hpp"
#include "caos/landmarks/formats/json/coco_format.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "caos/landmarks/formats/json/label_studio_format.hpp"
#include "caos/landmarks/formats/json/regions_format.hpp"
#include "caos/landmarks/formats/losses.hpp"
#include "caos/landmarks/formats/pts_format.hpp"
#include "caos/landmarks/formats/tables/csv_columns.hpp"
#include "caos/landmarks/formats/tables/csv_format.hpp"
#include "caos/landmarks/formats/tables/csv_sheet.hpp"
#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"
#include "caos/landmarks/formats/tables/points_format.hpp"
#include "caos/landmarks/formats/tables/wide_csv_format.hpp"
#include "caos/landmarks/formats/tem_format.hpp"
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

void refuse_utf16(std::string_view text, const std::string& name) {
  const bool utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (utf16) io::refuse(name, "is UTF-16; save it as UTF-8");
}

[[noreturn]] void refuse_json(const std::string& name, const std::string& what) {
  io::refuse(name, fmt::format("{}; known formats are {}", what, known_formats()));
}

/// A list may be Label Studio's; others are called by their names.
Format list_format(const Json& list, const std::string& name) {
  const auto any = [&](auto&& is_such) { return std::ranges::any_of(list, is_such); };
  if (list.empty() || any([](const Json& item) { return item.contains("data"); })) {
    return Format::label_studio;
  }
  if (any([](const Json& item) { return item.contains("keypoints"); })) {
    refuse_json(name,
                "is a list of COCO results, which names neither images nor keypoints; give "
                "the COCO file with images, annotations and categories");
  }
  if (any([](const Json& item) { return item.contains("image"); })) {
    refuse_json(name, "looks like JSON-MIN; export from Label Studio as JSON, not as JSON-MIN");
  }
  refuse_json(name, "is a list in JSON, but not as Label Studio writes it (tasks with 'data')");
}

Format json_format(std::string_view text, const std::string& name) {
  const Json json = parse_json(text, name);
  if (json.is_array()) return list_format(json, name);
  if (json.contains("markups")) return Format::slicer;
  if (json.contains("annotations")) return Format::coco;
  if (json.contains("images") && json.contains("alpha")) return Format::regions;
  if (json.contains("data")) {
    refuse_json(name, "is one task of Label Studio; expected a list of tasks");
  }
  refuse_json(name, "is JSON, but not as COCO, Label Studio or 3D Slicer write it");
}

/// Whether the column that may name images does. `id` may as well number landmarks: then no two
/// rows have the same.
bool names_images(const CsvColumns& columns, std::string_view text, const std::string& name) {
  const auto place = columns.at(CsvColumn::image);
  const Sheet csv = parse_sheet(text, name);
  if (!place) return columns.labels_are_images(csv.rows);
  if (csv.rows.empty() || trim(csv.header[*place]) != "id") return true;
  std::set<std::string_view> seen;
  return std::ranges::any_of(csv.rows, [&](const std::vector<std::string>& row) {
    return has_image_extension(row[*place]) || !seen.insert(row[*place]).second;
  });
}

/// Tables and lists are told apart by their first line.
Format table_format(std::string_view text, const std::string& name) {
  const std::vector<std::string> row = first_row(text);
  if (!row.empty() && trim(row[0]) == "scorer") return Format::deeplabcut;
  if (is_wide_csv(text)) return Format::wide_csv;
  const CsvColumns columns(row);
  if (columns.at(CsvColumn::x) && columns.at(CsvColumn::y)) {
    return names_images(columns, text, name) ? Format::csv : Format::points;
  }
  return is_point_list(text) ? Format::points : Format::csv;
}

/// A .txt file may hold anything.
Format text_format(std::string_view text, const std::string& name) {
  Lines lines(text);
  const std::string first(lines.next().value_or(""));
  if (first.starts_with("LM=") || first.starts_with("lm=")) return Format::tps;
  if (first.starts_with("version:")) return Format::pts;
  const Format format = table_format(text, name);
  return format == Format::csv && !CsvColumns(first_row(text)).at(CsvColumn::x) ? Format::points
                                                                                : format;
}

/// Adds the extension to names of images that have none.
std::string with_extension(const std::string& image, const FileOptions& options) {
  const bool each = options.instances.rule == InstanceRule::each;
  const std::size_t end = each ? std::min(image.rfind('#'), image.size()) : image.size();
  const std::string file = image.substr(0, end);
  const bool whole = has_image_extension(file) || file.ends_with(options.image_extension);
  return whole ? image : file + options.image_extension + image.substr(end);
}

LandmarkTable with_extensions(LandmarkTable table, const FileOptions& options) {
  for (Annotation& annotation : table.annotations) {
    annotation.image = with_extension(annotation.image, options);
  }
  return table;
}

ImageSizes sizes_with_extensions(const FileOptions& options) {
  if (!options.sizes || options.image_extension.empty()) return options.sizes;
  return [&options](const std::string& image) {
    return options.sizes(with_extension(image, options));
  };
}

/// Reads a table in a process of its own. It comes back as CSV, which holds all of it, followed by
/// the notes.
template <typename Parse>
LandmarkTable guarded(const std::string& name, const FileOptions& options, const Parse& parse) {
  const std::vector<std::string> texts = io::read_guarded(
      [&] {
        std::vector<std::string> result(1);
        const std::function<void(const std::string&)> note = [&](const std::string& text) {
          result.push_back(text);
        };
        result[0] = write_csv(parse(note));
        return result;
      },
      name);
  for (std::size_t i = 1; options.note && i < texts.size(); ++i) options.note(texts[i]);
  return parse_csv(texts.at(0), name);
}

LandmarkTable parse_as(std::string_view text, const std::string& name, Format format,
                       const FileOptions& options) {
  const ImageSizes sizes = sizes_with_extensions(options);
  switch (format) {
    case Format::csv:
      return parse_csv(text, name, options.note);
    case Format::tps:
      return parse_tps(text, name, options.tps, sizes, options.instances, options.note);
    case Format::pts:
      return parse_pts(text, name, image_of(name, format, options));
    case Format::coco:
      return parse_coco(text, name, options.instances, options.note);
    case Format::dlib:
      return parse_dlib(text, name, options.instances);
    case Format::label_studio:
      return parse_label_studio(text, name, options.instances);
    case Format::slicer:
      return parse_slicer(text, name, image_of(name, format, options), options.slicer_scale);
    case Format::wide_csv:
      return parse_wide_csv(text, name, options.wide_csv_y, sizes, options.note);
    case Format::deeplabcut:
      return parse_deeplabcut(text, name, options.instances);
    case Format::deeplabcut_hdf5:
      return guarded(name, options, [&](const auto&) {
        return parse_deeplabcut_hdf5(text, name, options.instances);
      });
    case Format::sleap:
      return guarded(name, options, [&](const auto& note) {
        return parse_sleap(text, name, options.instances, note);
      });
    case Format::tem:
      return parse_tem(text, name, image_of(name, format, options));
    case Format::asf:
      return parse_asf(text, name, image_of(name, format, options), sizes);
    case Format::points:
      return parse_points(text, name, image_of(name, format, options), options.note);
    case Format::regions:
      return parse_regions(text, name);
  }
  __builtin_unreachable();
}

LandmarkTable parse(std::string_view text, const std::string& name, Format format,
                    const FileOptions& options) {
  refuse_utf16(text, name);
  return with_extensions(parse_as(text, name, format, options), options);
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
      return fmt::format("{}: not of the format of {}; read files of one format at a time",
                         io::printable(file.name), io::printable(files[0].name));
    });
  }
  require(is_in_folders(format), ErrorKind::invalid_input, [&] {
    return fmt::format("{}: landmarks in {} are one file; there are {}",
                       io::printable(files[1].name), title_of(format), files.size());
  });
  return format;
}

}  // namespace

Format format_of(std::string_view text, const std::string& name, const FileOptions& options) {
  if (options.format) return *options.format;
  const auto format = format_by_name(name);
  if (format == Format::csv) return table_format(text, name);
  if (format == Format::points) return text_format(text, name);
  if (format) return *format;
  require(name.ends_with(".json"), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{}: the file name does not show the format; give it with --format, or --from to convert; "
        "known formats are {}",
        name, known_formats());
  });
  return json_format(text, name);
}

LandmarkTable parse_landmarks(std::string_view text, const std::string& name,
                              const FileOptions& options) {
  return parse(text, name, format_of(text, name, options), options);
}

LandmarkTable parse_landmarks(std::span<const NamedText> files, const FileOptions& options) {
  require(!files.empty(), ErrorKind::invalid_input,
          [] { return std::string("no landmark file given"); });
  if (files.size() == 1) return parse_landmarks(files[0].text, files[0].name, options);
  const Format format = common_format(files, options);
  std::vector<std::string> names;
  for (const NamedText& file : files) names.push_back(file.name);
  JoinedNotes notes(fmt::format("{} files", files.size()), options.note);
  LandmarkTable table = join_images(names, [&](std::size_t i) {
    FileOptions telling = options;
    telling.note = notes.of(files[i].name);
    return parse(files[i].text, files[i].name, format, telling);
  });
  notes.tell();
  return table;
}

LandmarkTable join_images(std::span<const std::string> files,
                          const std::function<LandmarkTable(std::size_t)>& parse) {
  LandmarkTable table;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < files.size(); ++i) {
    LandmarkTable one = parse(i);
    for (const Annotation& annotation : one.annotations) {
      const auto [place, is_new] = places.emplace(annotation.image, i);
      require(is_new || place->second == i, ErrorKind::invalid_input, [&] {
        return fmt::format("image '{}': is annotated twice, in {} and in {}; give one of them",
                           io::printable_path(annotation.image), files[place->second], files[i]);
      });
    }
    std::ranges::move(one.annotations, std::back_inserter(table.annotations));
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
    case Format::wide_csv:
      return write_wide_csv(table);
    case Format::deeplabcut:
      return write_deeplabcut(table);
    case Format::deeplabcut_hdf5:
      return write_deeplabcut_hdf5(table);
    case Format::sleap:
      return write_sleap(table);
    case Format::tem:
      return write_tem(table);
    case Format::asf:
      return write_asf(with_sizes(table, options.sizes));
    case Format::points:
      return write_points(table);
    case Format::regions:
      throw Error(ErrorKind::invalid_input,
                  "regions are written by 'caos landmarks predict'; choose another format");
  }
  __builtin_unreachable();
}

std::vector<NamedText> landmark_texts(const LandmarkTable& table, Format format,
                                      const FileOptions& options) {
  check_table(table);
  // These know landmarks by place: all files must list them alike.
  const bool by_place = format == Format::pts || format == Format::tem || format == Format::asf;
  const LandmarkTable listed = by_place ? with_all_landmarks(table) : table;
  std::vector<NamedText> texts;
  std::set<std::string> names;
  for (const Annotation& annotation : listed.annotations) {
    std::string name = file_name_of(annotation.image, format);
    require(names.insert(name).second, ErrorKind::invalid_input, [&] {
      return fmt::format("image '{}': another image would be written to {} too",
                         io::printable_path(annotation.image), io::printable(name));
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
