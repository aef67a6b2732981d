#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caos::landmarks {

/// The formats of landmark files.
enum class Format {
  csv,
  tps,
  pts,
  coco,
  dlib,
  label_studio,
  slicer,
  wide_csv,
  deeplabcut,       ///< its CSV
  deeplabcut_hdf5,  ///< its .h5
  sleap,
  tem,
  asf,
  points,   ///< a list of points for each image
  regions,  ///< what `landmarks predict` writes; only read
};

/// As options spell it: `label-studio`.
[[nodiscard]] std::string_view name_of(Format format);

/// As people call it: `Label Studio`.
[[nodiscard]] std::string_view title_of(Format format);

/// How the names of its files end: `.mrk.json`.
[[nodiscard]] std::string_view suffix_of(Format format);

/// Whether each image has a file of its own.
[[nodiscard]] bool is_per_image(Format format);

/// Whether a folder of its files is read as one table: those with a file for each image, TPS and
/// tables in CSV.
[[nodiscard]] bool is_in_folders(Format format);

/// All names, as options spell them.
[[nodiscard]] std::vector<std::string_view> format_names();

/// The inverse of `name_of`; other texts are an Error invalid_input that lists the names.
[[nodiscard]] Format parse_format(std::string_view text);

/// All names with their usual suffixes, for errors: `csv (.csv), tps (.tps), ...`.
[[nodiscard]] std::string known_formats();

/// The format that a file's name tells; nothing for other names, and for `.json`, which several
/// share. For `.csv` and `.tsv` it is `csv`, for `.txt` it is `points`; the content may tell
/// another.
[[nodiscard]] std::optional<Format> format_by_name(const std::string& path);

}  // namespace caos::landmarks
