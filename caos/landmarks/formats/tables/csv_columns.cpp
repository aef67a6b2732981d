#include "caos/landmarks/formats/tables/csv_columns.hpp"

#include <algorithm>
#include <utility>

#include "caos/io/lower_case.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

/// What other tools and people call a column, the likeliest first.
constexpr std::array<std::string_view, 16> image_names = {
    "image",    "image_name", "imagename", "image_file", "image_path", "image_id",
    "filename", "file_name",  "file",      "path",       "img",        "photo",
    "picture",  "specimen",   "id",        "sample"};
constexpr std::array<std::string_view, 15> landmark_names = {
    "landmark",      "landmark_name", "landmark_id", "lm",        "keypoint",
    "keypoint_name", "point",         "bodypart",    "body_part", "part",
    "point_name",    "label",         "name",        "number",    "id"};
constexpr std::array<std::string_view, 6> x_names = {"x",       "x_px",       "x_coordinate",
                                                     "x_coord", "x_position", "x_pos"};
constexpr std::array<std::string_view, 6> y_names = {"y",       "y_px",       "y_coordinate",
                                                     "y_coord", "y_position", "y_pos"};

/// Lower case, with underscores between words.
std::string plain(std::string_view header) {
  std::string text = io::lower_case(trim(header));
  std::ranges::replace_if(
      text, [](char c) { return c == ' ' || c == '.' || c == '-'; }, '_');
  return text;
}

std::span<const std::string_view> names_of(CsvColumn column) {
  switch (column) {
    case CsvColumn::image:
      return image_names;
    case CsvColumn::landmark:
      return landmark_names;
    case CsvColumn::x:
      return x_names;
    case CsvColumn::y:
      return y_names;
    default:
      return std::span(csv_column_names).subspan(static_cast<std::size_t>(column), 1);
  }
}

std::optional<std::size_t> find(std::span<const std::string> plain_header,
                                std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(plain_header, name);
    if (found != plain_header.end()) {
      return static_cast<std::size_t>(found - plain_header.begin());
    }
  }
  return std::nullopt;
}

std::vector<std::string> plain_header(std::span<const std::string> header) {
  std::vector<std::string> names;
  for (const std::string& name : header) names.push_back(plain(name));
  return names;
}

}  // namespace

CsvColumns::CsvColumns(std::span<const std::string> header, bool one_image) {
  const std::vector<std::string> names = plain_header(header);
  std::vector<bool> used(header.size(), false);
  for (std::size_t c = one_image ? 1 : 0; c < num_csv_columns; ++c) {
    const auto place = find(names, names_of(static_cast<CsvColumn>(c)));
    if (place && !used[*place]) places_[c] = place;
    if (place) used[*place] = true;
    if (std::ranges::count(names, csv_column_names[c]) > 1) twice_ = csv_column_names[c];
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!used[i]) others_.push_back(i);
  }
}

bool CsvColumns::labels_are_images(std::span<const std::vector<std::string>> rows) const {
  const auto label = at(CsvColumn::landmark);
  if (at(CsvColumn::image) || !label || rows.empty()) return false;
  return std::ranges::all_of(
      rows, [&](const std::vector<std::string>& row) { return has_image_extension(row[*label]); });
}

void CsvColumns::take_labels_for_images() {
  constexpr auto image = static_cast<std::size_t>(CsvColumn::image);
  constexpr auto landmark = static_cast<std::size_t>(CsvColumn::landmark);
  places_[image] = std::exchange(places_[landmark], std::nullopt);
}

std::optional<std::size_t> find_image_column(std::span<const std::string> header) {
  return find(plain_header(header), image_names);
}

}  // namespace caos::landmarks
