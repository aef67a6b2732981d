#include "caos/landmarks/formats/csv_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

enum Column {
  image,
  landmark,
  x,
  y,
  visible,
  subject,
  scale,
  width,
  height,
  source,
  conformity,
  num_columns
};

constexpr std::array<std::string_view, num_columns> column_names = {
    "image", "landmark", "x",      "y",      "visible",   "subject",
    "scale", "width",    "height", "source", "conformity"};
constexpr std::size_t num_required = 4;

/// Where each column is in the file.
class Columns {
 public:
  explicit Columns(const io::CsvTable& csv) {
    for (std::size_t i = 0; i < csv.header.size(); ++i) place(csv, i);
    for (std::size_t c = 0; c < num_required; ++c) {
      if (!places_[c]) {
        io::refuse(csv.name,
                   fmt::format("has no column '{}'; expected image, landmark, x, y and perhaps "
                               "visible, subject, scale, width, height, source, conformity",
                               column_names[c]));
      }
    }
  }

  /// Empty where there is no such column.
  [[nodiscard]] std::string_view field(const std::vector<std::string>& row, Column column) const {
    return places_[column] ? std::string_view(row[*places_[column]]) : std::string_view();
  }

 private:
  void place(const io::CsvTable& csv, std::size_t i) {
    const auto* const found = std::ranges::find(column_names, trim(csv.header[i]));
    if (found == column_names.end()) {
      // Ignoring it would ignore a misspelt 'visible' as well.
      io::refuse(csv.name, fmt::format("has a column '{}', which means nothing; known are {}",
                                       printable(csv.header[i]), fmt::join(column_names, ", ")));
    }
    auto& place = places_[static_cast<std::size_t>(found - column_names.begin())];
    if (place) io::refuse(csv.name, fmt::format("has the column '{}' twice", *found));
    place = i;
  }

  std::array<std::optional<std::size_t>, num_columns> places_{};
};

class Reader {
 public:
  explicit Reader(const io::CsvTable& csv) : csv_(csv), columns_(csv) {}

  LandmarkTable read() {
    for (row_ = 0; row_ < csv_.rows.size(); ++row_) read_row();
    return builder_.take();
  }

 private:
  void read_row() {
    if (field(image).empty()) refuse("the image has no name");
    const std::size_t index = builder_.image(std::string(field(image)));
    describe(builder_[index]);
    if (field(landmark).empty() && !has_position()) return;
    if (field(landmark).empty()) refuse("the landmark has no name");
    if (!builder_.add(index, read_landmark())) {
      refuse(fmt::format("landmark '{}' of image '{}' is given twice", printable(field(landmark)),
                         printable(field(image))));
    }
  }

  Landmark read_landmark() const {
    Landmark result{.name = std::string(field(landmark))};
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
    return !trim(field(x)).empty() || !trim(field(y)).empty();
  }

  [[nodiscard]] double coordinate(Column column) const {
    const auto value = parse_number(trim(field(column)));
    if (!value || !is_coordinate(*value)) {
      refuse(
          fmt::format("{} is '{}', which is no position in pixels; leave x and y empty if the "
                      "landmark is missing",
                      column_names[column], printable(field(column))));
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
    const bool known = text.empty() || text == "annotated" || text == "proposed";
    if (!known) {
      refuse(fmt::format("source is '{}'; expected annotated or proposed", printable(text)));
    }
    return text == "proposed";
  }

  [[nodiscard]] std::optional<double> read_conformity(bool proposed) const {
    const std::string_view text = trim(field(conformity));
    if (text.empty()) return std::nullopt;
    const auto value = parse_number(text);
    if (!value || !(*value >= 0 && *value <= 1) || !proposed) {
      refuse(fmt::format("conformity is '{}'; expected a number from 0 to 1 of a proposed landmark",
                         printable(text)));
    }
    return value;
  }

  void describe(Annotation& annotation) const {
    if (!field(subject).empty()) agree(annotation.subject, std::string(field(subject)), subject);
    if (!trim(field(scale)).empty()) agree(annotation.scale, read_scale(), scale);
    if (!trim(field(width)).empty()) agree(annotation.width, read_size(width), width);
    if (!trim(field(height)).empty()) agree(annotation.height, read_size(height), height);
  }

  [[nodiscard]] double read_scale() const {
    const auto value = parse_number(trim(field(scale)));
    if (!value || *value <= 0) {
      refuse(fmt::format("scale is '{}'; expected millimeters per pixel", printable(field(scale))));
    }
    return *value;
  }

  [[nodiscard]] std::size_t read_size(Column column) const {
    const auto value = parse_count(trim(field(column)));
    if (!value || *value == 0) {
      refuse(fmt::format("{} is '{}'; expected a count of pixels", column_names[column],
                         printable(field(column))));
    }
    return *value;
  }

  template <typename T>
  void agree(std::optional<T>& known, T said, Column column) const {
    if (known && *known != said) {
      refuse(fmt::format("{} of image '{}' is another one than before", column_names[column],
                         printable(field(image))));
    }
    known = std::move(said);
  }

  [[nodiscard]] std::string_view field(Column column) const {
    return columns_.field(csv_.rows[row_], column);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(csv_.name, csv_.lines[row_], what);
  }

  const io::CsvTable& csv_;
  Columns columns_;
  TableBuilder builder_;
  std::size_t row_ = 0;
};

template <typename Condition>
bool any_landmark(const LandmarkTable& table, Condition&& condition) {
  return std::ranges::any_of(table.annotations, [&](const Annotation& annotation) {
    return std::ranges::any_of(annotation.landmarks, condition);
  });
}

std::vector<Column> needed_columns(const LandmarkTable& table) {
  std::vector<Column> columns = {image, landmark, x, y};
  const auto add_if = [&](Column column, auto&& condition) {
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

using Fields = std::array<std::string, num_columns>;

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

std::string row_of(const Fields& fields, const std::vector<Column>& columns) {
  std::vector<std::string> row;
  for (const Column column : columns) row.push_back(fields[column]);
  return io::csv_row(row);
}

}  // namespace

LandmarkTable parse_csv(std::string_view text, const std::string& name) {
  const io::CsvTable csv = io::parse_csv(text, name);
  return Reader(csv).read();
}

std::string write_csv(const LandmarkTable& table) {
  check_table(table);
  const std::vector<Column> columns = needed_columns(table);
  Fields header;
  std::ranges::copy(column_names, header.begin());
  std::string text = row_of(header, columns);
  for (const Annotation& annotation : table.annotations) {
    Fields fields = fields_of(annotation);
    if (annotation.landmarks.empty()) text += row_of(fields, columns);
    for (const Landmark& mark : annotation.landmarks) {
      set_landmark(fields, mark);
      text += row_of(fields, columns);
    }
  }
  return text;
}

}  // namespace caos::landmarks
