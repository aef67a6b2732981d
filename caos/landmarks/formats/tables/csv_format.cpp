#include "caos/landmarks/formats/tables/csv_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/tables/csv_columns.hpp"
#include "caos/landmarks/formats/tables/csv_sheet.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

using enum CsvColumn;

std::string_view name_of(CsvColumn column) {
  return csv_column_names[static_cast<std::size_t>(column)];
}

/// Where the columns are that must be there.
CsvColumns columns_of(const Sheet& csv, bool one_image) {
  CsvColumns columns(csv.header, one_image);
  if (!one_image && columns.labels_are_images(csv.rows)) columns.take_labels_for_images();
  if (columns.twice())
    io::refuse(csv.name, fmt::format("has the column '{}' twice", *columns.twice()));
  for (const CsvColumn column : {image, x, y}) {
    if (columns.at(column) || (column == image && one_image)) continue;
    io::refuse(csv.name,
               fmt::format("has no column '{}'; expected image, landmark, x, y and perhaps "
                           "visible, subject, scale, width, height, source, conformity",
                           name_of(column)));
  }
  return columns;
}

class Reader {
 public:
  /// `one` is the image of a file that has no column for it.
  Reader(const Sheet& csv, const std::string& one)
      : csv_(csv), one_(one), columns_(columns_of(csv, !one.empty())) {}

  LandmarkTable read() {
    if (!one_.empty()) static_cast<void>(builder_.image(one_));
    for (row_ = 0; row_ < csv_.rows.size(); ++row_) read_row();
    return builder_.take();
  }

  /// Names of columns that are not read.
  [[nodiscard]] std::vector<std::string> ignored() const {
    std::vector<std::string> names;
    for (const std::size_t i : columns_.others()) {
      if (!trim(csv_.header[i]).empty()) names.push_back(printable(csv_.header[i]));
    }
    return names;
  }

 private:
  void read_row() {
    if (field(image).empty()) refuse("the image has no name");
    const std::size_t index = builder_.image(std::string(field(image)));
    describe(builder_[index]);
    const bool numbered = !columns_.at(landmark);
    if (!numbered && field(landmark).empty() && !has_position()) return;
    if (!numbered && field(landmark).empty()) refuse("the landmark has no name");
    const std::string name = numbered ? fmt::format("{}", builder_[index].landmarks.size() + 1)
                                      : std::string(field(landmark));
    if (!builder_.add(index, read_landmark(name))) {
      refuse(fmt::format("landmark '{}' of image '{}' is given twice", printable(field(landmark)),
                         printable(field(image))));
    }
  }

  Landmark read_landmark(const std::string& name) const {
    Landmark result{.name = name};
    const Visibility marked = read_visibility();
    result.visibility = has_position() ? marked : Visibility::missing;
    if (!has_position()) return result;
    result.proposed = read_proposed();
    result.conformity = read_conformity(result.proposed);
    result.x = coordinate(x);
    result.y = coordinate(y);
    return result;
  }

  [[nodiscard]] bool has_position() const {
    return !is_missing_word(field(x)) || !is_missing_word(field(y));
  }

  [[nodiscard]] double coordinate(CsvColumn column) const {
    const auto value = parse_decimal(field(column), csv_.decimal_commas);
    if (!value || !is_coordinate(*value)) {
      refuse(
          fmt::format("{} is '{}', which is not a position in pixels; leave x and y empty if the "
                      "landmark is missing",
                      name_of(column), printable(field(column))));
    }
    return *value;
  }

  [[nodiscard]] Visibility read_visibility() const {
    const std::string_view text = trim(field(visible));
    if (text == "0" || text == "false" || text == "hidden") return Visibility::hidden;
    const bool seen = text.empty() || text == "1" || text == "true" || text == "visible";
    if (!seen) refuse(fmt::format("visible is '{}'; expected 1 or 0", printable(text)));
    return Visibility::visible;
  }

  [[nodiscard]] bool read_proposed() const {
    const std::string_view text = trim(field(source));
    // What the studio writes of points that a person placed or took over.
    constexpr std::array<std::string_view, 9> known = {"",         "annotated", "proposed",
                                                       "labeled",  "accepted",  "corrected",
                                                       "imported", "restored",  "auto-accepted"};
    if (std::ranges::find(known, text) == known.end()) {
      refuse(fmt::format("source is '{}'; expected annotated or proposed", printable(text)));
    }
    return text == "proposed";
  }

  [[nodiscard]] std::optional<double> read_conformity(bool proposed) const {
    const std::string_view text = trim(field(conformity));
    if (text.empty()) return std::nullopt;
    const auto value = parse_decimal(text, csv_.decimal_commas);
    if (!value || !(*value >= 0 && *value <= 1) || !proposed) {
      refuse(fmt::format("conformity is '{}'; expected a number from 0 to 1 of a proposed landmark",
                         printable(text)));
    }
    return value;
  }

  void describe(Annotation& annotation) const {
    if (!field(subject).empty()) agree(annotation.subject, std::string(field(subject)), subject);
    if (!is_missing_word(field(scale))) agree(annotation.scale, read_scale(), scale);
    if (!is_missing_word(field(width))) agree(annotation.width, read_size(width), width);
    if (!is_missing_word(field(height))) agree(annotation.height, read_size(height), height);
  }

  [[nodiscard]] double read_scale() const {
    const auto value = parse_decimal(field(scale), csv_.decimal_commas);
    if (!value || *value <= 0) {
      refuse(fmt::format("scale is '{}'; expected millimeters per pixel", printable(field(scale))));
    }
    return *value;
  }

  [[nodiscard]] std::size_t read_size(CsvColumn column) const {
    const auto value = parse_count(trim(field(column)));
    if (!value || *value == 0) {
      refuse(fmt::format("{} is '{}'; expected a count of pixels", name_of(column),
                         printable(field(column))));
    }
    return *value;
  }

  template <typename T>
  void agree(std::optional<T>& known, T said, CsvColumn column) const {
    if (known && *known != said) {
      refuse(fmt::format("{} of image '{}' is another one than before", name_of(column),
                         printable(field(image))));
    }
    known = std::move(said);
  }

  /// Empty where the file has no such column.
  [[nodiscard]] std::string_view field(CsvColumn column) const {
    if (column == image && !one_.empty()) return one_;
    const auto place = columns_.at(column);
    return place ? std::string_view(csv_.rows[row_][*place]) : std::string_view();
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(csv_.name, csv_.lines[row_], what);
  }

  const Sheet& csv_;
  const std::string& one_;
  CsvColumns columns_;
  TableBuilder builder_;
  std::size_t row_ = 0;
};

template <typename Condition>
bool any_landmark(const LandmarkTable& table, Condition&& condition) {
  return std::ranges::any_of(table.annotations, [&](const Annotation& annotation) {
    return std::ranges::any_of(annotation.landmarks, condition);
  });
}

std::vector<CsvColumn> needed_columns(const LandmarkTable& table) {
  std::vector<CsvColumn> columns = {image, landmark, x, y};
  const auto add_if = [&](CsvColumn column, auto&& condition) {
    if (std::ranges::any_of(table.annotations, condition)) columns.push_back(column);
  };
  const auto is_hidden = [](const Landmark& l) { return l.visibility == Visibility::hidden; };
  if (any_landmark(table, is_hidden)) columns.push_back(visible);
  add_if(subject, [](const Annotation& a) { return a.subject.has_value(); });
  add_if(scale, [](const Annotation& a) { return a.scale.has_value(); });
  add_if(width, [](const Annotation& a) { return a.width.has_value(); });
  add_if(height, [](const Annotation& a) { return a.height.has_value(); });
  if (any_landmark(table, [](const Landmark& l) { return l.proposed; })) columns.push_back(source);
  if (any_landmark(table, [](const Landmark& l) { return l.conformity.has_value(); })) {
    columns.push_back(conformity);
  }
  return columns;
}

/// The texts of a row, by column.
struct Fields {
  std::string& operator[](CsvColumn column) { return texts[static_cast<std::size_t>(column)]; }
  const std::string& operator[](CsvColumn column) const {
    return texts[static_cast<std::size_t>(column)];
  }

  std::array<std::string, num_csv_columns> texts{};
};

Fields fields_of(const Annotation& annotation) {
  Fields fields;
  fields[image] = annotation.image;
  fields[subject] = annotation.subject.value_or("");
  if (annotation.scale) fields[scale] = number_text(*annotation.scale);
  if (annotation.width) fields[width] = fmt::format("{}", *annotation.width);
  if (annotation.height) fields[height] = fmt::format("{}", *annotation.height);
  return fields;
}

void set_landmark(Fields& fields, const Landmark& mark) {
  const bool marked = mark.visibility != Visibility::missing;
  fields[landmark] = mark.name;
  fields[x] = marked ? number_text(mark.x) : std::string();
  fields[y] = marked ? number_text(mark.y) : std::string();
  const char code = mark.visibility == Visibility::visible ? '1' : '0';
  fields[visible] = std::string(marked ? 1 : 0, code);
  fields[source] = !marked ? "" : mark.proposed ? "proposed" : "annotated";
  fields[conformity] = mark.conformity ? number_text(*mark.conformity) : "";
}

std::string row_of(const Fields& fields, const std::vector<CsvColumn>& columns) {
  std::vector<std::string> row;
  for (const CsvColumn column : columns) row.push_back(fields[column]);
  return io::csv_row(row);
}

std::string text_of(const LandmarkTable& table, const std::vector<CsvColumn>& columns) {
  Fields header;
  std::ranges::copy(csv_column_names, header.texts.begin());
  std::string text = row_of(header, columns);
  for (const Annotation& annotation : table.annotations) {
    Fields fields = fields_of(annotation);
    if (annotation.landmarks.empty() && columns[0] == image) text += row_of(fields, columns);
    for (const Landmark& mark : annotation.landmarks) {
      set_landmark(fields, mark);
      text += row_of(fields, columns);
    }
  }
  return text;
}

}  // namespace

LandmarkTable parse_csv(std::string_view text, const std::string& name,
                        const std::function<void(const std::string&)>& note,
                        const std::string& image) {
  const Sheet csv = parse_sheet(text, name);
  Reader reader(csv, image);
  if (note && !reader.ignored().empty()) note(ignored_note(name, reader.ignored()));
  return reader.read();
}

std::string write_csv(const LandmarkTable& table) {
  check_table(table);
  return text_of(table, needed_columns(table));
}

std::string write_csv_of_image(const LandmarkTable& table) {
  check_table(table);
  require(table.annotations.size() == 1, ErrorKind::invalid_input,
          "a list of points holds the landmarks of one image");
  std::vector<CsvColumn> columns = needed_columns(table);
  std::erase(columns, image);
  return text_of(table, columns);
}

}  // namespace caos::landmarks
