#include "caos/landmarks/formats/tables/points_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/tables/csv_columns.hpp"
#include "caos/landmarks/formats/tables/csv_format.hpp"
#include "caos/landmarks/formats/tables/csv_sheet.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;
using Fields = std::vector<std::string>;

bool is_value(const std::string& field) {
  return parse_number(field).has_value() || is_missing_word(field);
}

/// Two numbers, perhaps after a name.
bool is_point(const Fields& fields) {
  const bool fits = fields.size() == 2 || fields.size() == 3;
  return fits && is_value(fields[fields.size() - 2]) && is_value(fields.back());
}

/// Names of columns, without one for the image.
bool is_header(std::string_view text) {
  const CsvColumns columns(first_row(text), true);
  return columns.at(CsvColumn::x) && columns.at(CsvColumn::y);
}

struct Line {
  Fields fields;
  std::size_t number = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : name_(name) {
    Lines lines(text);
    while (const auto line = lines.next()) {
      if (!line->starts_with('#')) lines_.push_back({point_fields(*line), lines.number()});
    }
  }

  Annotation read(const std::string& image) {
    if (lines_.empty()) io::refuse(name_, "is empty; expected points of an image");
    take_count();
    const std::size_t end = end_of_points();
    width_ = lines_.empty() ? 2 : lines_[0].fields.size();
    const std::size_t place = builder_.image(image);
    for (std::size_t i = 0; i < end; ++i) add(place, i);
    if (count_ && *count_ != end) {
      refuse_line(name_, 1, fmt::format("{} points are announced, {} follow", *count_, end));
    }
    num_left_ = lines_.size() - end;
    return std::move(builder_[place]);
  }

  [[nodiscard]] std::size_t num_at_zero() const { return num_at_zero_; }
  /// Lines after the points.
  [[nodiscard]] std::size_t num_left() const { return num_left_; }

 private:
  void take_count() {
    if (lines_.empty() || lines_[0].fields.size() != 1) return;
    count_ = parse_count(lines_[0].fields[0]);
    if (!count_) refuse(lines_[0], "expected x and y of a point, or the number of points");
    lines_.erase(lines_.begin());
  }

  [[nodiscard]] std::size_t end_of_points() const {
    const auto single =
        std::ranges::find_if(lines_, [](const Line& line) { return line.fields.size() == 1; });
    const auto again =
        std::find_if(single, lines_.end(), [](const Line& line) { return line.fields.size() > 1; });
    if (again != lines_.end()) refuse(*single, "expected x and y of a point");
    return static_cast<std::size_t>(single - lines_.begin());
  }

  void add(std::size_t place, std::size_t i) {
    const Line& line = lines_[i];
    if (!is_point(line.fields) || line.fields.size() != width_) {
      refuse(line, width_ == 2 ? "expected x and y of a point"
                               : "expected the name, x and y of a landmark");
    }
    Landmark landmark = landmark_of(line, i);
    const std::string name = landmark.name;
    if (name.empty()) refuse(line, "the landmark has no name");
    if (!builder_.add(place, std::move(landmark))) {
      refuse(line, fmt::format("landmark '{}' is given twice", printable(name)));
    }
  }

  Landmark landmark_of(const Line& line, std::size_t i) {
    Landmark result{.name = width_ == 2 ? fmt::format("{}", i + 1) : line.fields[0],
                    .visibility = Visibility::missing};
    if (width_ == 3 && parse_number(result.name)) check_number(line, i);
    const auto position = parse_position(line.fields[width_ - 2], line.fields[width_ - 1], false,
                                         [&](const std::string& what) { refuse(line, what); });
    if (!position) return result;
    if (*position == Position{}) ++num_at_zero_;
    if (is_left_out(position->x, position->y)) return result;
    return {.name = result.name, .x = position->x, .y = position->y};
  }

  /// Three numbers are a landmark's own number and its position if they count; they may be anything
  /// else otherwise.
  void check_number(const Line& line, std::size_t i) const {
    const auto first = parse_count(lines_[0].fields[0]);
    const auto number = parse_count(line.fields[0]);
    if (first && *first <= 1 && number == *first + i) return;
    refuse(line,
           "has three numbers, of which the first does not count the landmarks from 0 or 1; "
           "expected x and y, or a name, x and y");
  }

  [[noreturn]] void refuse(const Line& line, const std::string& what) const {
    refuse_line(
        name_, line.number,
        fmt::format("{} ('{}')", what, printable(fmt::format("{}", fmt::join(line.fields, " ")))));
  }

  const std::string& name_;
  std::vector<Line> lines_{};
  std::size_t width_ = 2;
  std::optional<std::size_t> count_{};
  std::size_t num_at_zero_ = 0;
  std::size_t num_left_ = 0;
  TableBuilder builder_;
};

}  // namespace

bool is_point_list(std::string_view text) {
  Lines lines(text);
  const auto line = lines.next();
  return line && (is_point(point_fields(*line)) || is_header(text));
}

LandmarkTable parse_points(std::string_view text, const std::string& name, const std::string& image,
                           const std::function<void(const std::string&)>& note) {
  if (is_header(text)) return parse_csv(text, name, note, image);
  Reader reader(text, name);
  LandmarkTable table{{reader.read(image)}};
  if (note && reader.num_at_zero() > 0) note(zero_note(name, reader.num_at_zero()));
  if (note && reader.num_left() > 0) {
    note(fmt::format("{}: {} lines after the points are not read", name, reader.num_left()));
  }
  return table;
}

std::string write_points(const LandmarkTable& table) { return write_csv_of_image(table); }

}  // namespace caos::landmarks
