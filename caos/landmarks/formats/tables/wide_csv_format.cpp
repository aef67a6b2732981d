#include "caos/landmarks/formats/tables/wide_csv_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "caos/io/csv.hpp"
#include "caos/io/lower_case.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/tables/csv_columns.hpp"
#include "caos/landmarks/formats/tables/csv_sheet.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::lower_case;
using io::printable;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_axis(char c) { return c == 'x' || c == 'y' || c == 'X' || c == 'Y'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_separator(char c) { return std::string_view("._ -:/([").find(c) != std::string_view::npos; }

/// A column that holds one coordinate of a landmark.
struct Coordinate {
  std::string landmark;
  bool is_y = false;
};

bool is_y(char axis) { return axis == 'y' || axis == 'Y'; }

/// `nose_x`, `1.X`, `nose (x)`, `lm1x`.
std::optional<Coordinate> with_last_axis(std::string_view text) {
  if (text.ends_with(')') || text.ends_with(']')) text.remove_suffix(1);
  if (text.size() < 2 || !is_axis(text.back())) return std::nullopt;
  const char before = text[text.size() - 2];
  if (!is_separator(before) && !is_digit(before)) return std::nullopt;
  const bool y = is_y(text.back());
  std::string_view landmark = text.substr(0, text.size() - (is_separator(before) ? 2 : 1));
  if (before == '(' || before == '[') landmark = trim(landmark);
  // R's read.csv makes X1.X of 1.X.
  if (before == '.' && landmark.starts_with('X') && is_digits(landmark.substr(1))) {
    landmark.remove_prefix(1);
  }
  if (landmark.empty()) return std::nullopt;
  return Coordinate{std::string(landmark), y};
}

/// `X1`, `x_1`, `x_nose`.
std::optional<Coordinate> with_first_axis(std::string_view text) {
  if (text.size() < 2 || !is_axis(text[0])) return std::nullopt;
  const bool separated = is_separator(text[1]);
  const std::string_view landmark = text.substr(separated ? 2 : 1);
  if (landmark.empty() || (!separated && !is_digits(landmark))) return std::nullopt;
  return Coordinate{std::string(landmark), is_y(text[0])};
}

std::optional<Coordinate> coordinate_of(std::string_view header) {
  const auto last = with_last_axis(header);
  return last ? last : with_first_axis(header);
}

/// Numbers, or words for those that are not there.
bool are_numbers(std::span<const std::string> fields, bool decimal_commas) {
  const auto is_number = [&](const std::string& field) {
    return parse_decimal(field, decimal_commas).has_value();
  };
  return std::ranges::any_of(fields, is_number) &&
         std::ranges::all_of(fields, [&](const std::string& field) {
           return is_number(field) || is_missing_word(field);
         });
}

/// Whether a first row holds no names of columns but an image and its coordinates. Of three fields
/// the first may as well be a landmark, unless it is called as image files are.
bool is_headless(std::span<const std::string> row, bool decimal_commas) {
  const std::size_t least = row.empty() || !has_image_extension(row[0]) ? 5 : 3;
  return row.size() >= least && row.size() % 2 == 1 && !row[0].empty() &&
         are_numbers(row.subspan(1), decimal_commas);
}

/// The table with `id,X1,Y1,...` before rows that have no names of columns.
Sheet with_header(Sheet csv) {
  if (!is_headless(csv.header, csv.decimal_commas)) return csv;
  std::vector<std::string> header = {"id"};
  for (std::size_t i = 1; i <= csv.header.size() / 2; ++i) {
    for (const char axis : {'X', 'Y'}) header.push_back(fmt::format("{}{}", axis, i));
  }
  csv.rows.insert(csv.rows.begin(), std::exchange(csv.header, std::move(header)));
  csv.lines.insert(csv.lines.begin(), 1);
  return csv;
}

struct Pair {
  std::string landmark;
  std::optional<std::size_t> x{};
  std::optional<std::size_t> y{};
};

class Reader {
 public:
  Reader(const Sheet& csv, TpsY y, const ImageSizes& sizes)
      : csv_(csv), from_bottom_(y == TpsY::bottom), sizes_(sizes) {
    for (std::size_t i = 0; i < csv.header.size(); ++i) place(i);
    choose_image();
    if (!image_) {
      io::refuse(csv_.name, "has no column for the image; expected id,X1,Y1,X2,Y2,...");
    }
    check_pairs();
  }

  LandmarkTable read() {
    for (row_ = 0; row_ < csv_.rows.size(); ++row_) read_row();
    return builder_.take();
  }

  [[nodiscard]] std::size_t num_at_zero() const { return num_at_zero_; }

  [[nodiscard]] std::vector<std::string> ignored() const {
    std::vector<std::string> names;
    for (const std::size_t i : others_) names.push_back(printable(csv_.header[i]));
    return names;
  }

 private:
  void place(std::size_t i) {
    // A name may have blanks around it; a header that is a coordinate only without them is trimmed.
    const std::string trimmed(trim(csv_.header[i]));
    const std::string& header = coordinate_of(csv_.header[i]) ? csv_.header[i] : trimmed;
    const auto coordinate = coordinate_of(header);
    if (coordinate && !is_alone(header)) return place(*coordinate, i);
    const std::string word = lower_case(trimmed);
    if (word == "subject" || word == "scale" || word == "width" || word == "height") {
      facts_[word] = i;
    } else {
      others_.push_back(i);
    }
  }

  /// `x_scale` is the coordinate of a landmark only if there is a `y_scale`.
  [[nodiscard]] bool is_alone(std::string header) const {
    if (with_last_axis(header) || is_digits(with_first_axis(header)->landmark)) return false;
    header[0] = static_cast<char>(header[0] ^ 'x' ^ 'y');
    return std::ranges::find(csv_.header, header) == csv_.header.end();
  }

  /// The column that is called as such, or the first of those that are left.
  void choose_image() {
    std::vector<std::string> names;
    for (const std::size_t i : others_) names.push_back(csv_.header[i]);
    if (others_.empty()) return;
    const std::size_t place = find_image_column(names).value_or(0);
    image_ = others_[place];
    others_.erase(others_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void place(const Coordinate& coordinate, std::size_t i) {
    const auto [found, is_new] = index_.emplace(coordinate.landmark, pairs_.size());
    if (is_new) pairs_.push_back({.landmark = coordinate.landmark});
    auto& slot = coordinate.is_y ? pairs_[found->second].y : pairs_[found->second].x;
    if (slot) {
      io::refuse(csv_.name, fmt::format("the column '{}' is the {} of landmark '{}' a second time",
                                        printable(csv_.header[i]), coordinate.is_y ? "y" : "x",
                                        printable(coordinate.landmark)));
    }
    slot = i;
  }

  void check_pairs() const {
    for (const Pair& pair : pairs_) {
      if (!pair.x || !pair.y) {
        io::refuse(csv_.name, fmt::format("landmark '{}' has no column for {}",
                                          printable(pair.landmark), pair.x ? "y" : "x"));
      }
    }
  }

  void read_row() {
    const std::string& image = csv_.rows[row_][*image_];
    if (image.empty()) refuse("the image has no name");
    const auto place = builder_.new_image(image);
    if (!place) refuse(fmt::format("image '{}' is listed twice", printable(image)));
    Annotation& annotation = builder_[*place];
    describe(annotation);
    for (const Pair& pair : pairs_) annotation.landmarks.push_back(landmark(pair));
    if (from_bottom_) turn_over(annotation);
  }

  void describe(Annotation& annotation) const {
    if (!fact("subject").empty()) annotation.subject = std::string(fact("subject"));
    if (!is_missing_word(fact("scale"))) annotation.scale = positive("scale");
    if (!is_missing_word(fact("width"))) annotation.width = count("width");
    if (!is_missing_word(fact("height"))) annotation.height = count("height");
  }

  [[nodiscard]] std::string_view fact(const char* key) const {
    const auto found = facts_.find(key);
    return found == facts_.end() ? std::string_view() : csv_.rows[row_][found->second];
  }

  [[nodiscard]] double positive(const char* key) const {
    const auto value = parse_decimal(fact(key), csv_.decimal_commas);
    if (!value || *value <= 0) {
      refuse(fmt::format("{} is '{}'; expected a positive number", key, printable(fact(key))));
    }
    return *value;
  }

  [[nodiscard]] std::size_t count(const char* key) const {
    const auto value = parse_count(trim(fact(key)));
    if (!value || *value == 0) {
      refuse(fmt::format("{} is '{}'; expected a count of pixels", key, printable(fact(key))));
    }
    return *value;
  }

  [[nodiscard]] Landmark landmark(const Pair& pair) {
    Landmark result{.name = pair.landmark, .visibility = Visibility::missing};
    const std::vector<std::string>& row = csv_.rows[row_];
    const auto position =
        parse_position(row[*pair.x], row[*pair.y], csv_.decimal_commas, [&](const auto& what) {
          refuse(fmt::format("landmark '{}': {}", printable(pair.landmark), what));
        });
    if (!position) return result;
    if (*position == Position{}) ++num_at_zero_;
    if (is_left_out(position->x, position->y)) return result;
    result.x = position->x;
    result.y = position->y;
    result.visibility = Visibility::visible;
    return result;
  }

  void turn_over(Annotation& annotation) const {
    auto height = annotation.height;
    if (!height && sizes_) {
      if (const auto size = sizes_(annotation.image)) height = size->height;
    }
    if (!height) {
      refuse(fmt::format("y from the bottom needs the height of image '{}'; give the images",
                         io::printable_path(annotation.image)));
    }
    for (Landmark& landmark : annotation.landmarks) {
      if (landmark.visibility == Visibility::missing) continue;
      landmark.y = static_cast<double>(*height) - landmark.y;
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(csv_.name, csv_.lines[row_], what);
  }

  const Sheet& csv_;
  bool from_bottom_;
  const ImageSizes& sizes_;
  std::optional<std::size_t> image_{};
  std::vector<std::size_t> others_{};
  std::map<std::string, std::size_t, std::less<>> facts_{};
  std::vector<Pair> pairs_{};
  std::map<std::string, std::size_t> index_{};
  TableBuilder builder_;
  std::size_t row_ = 0;
  std::size_t num_at_zero_ = 0;
};

struct Writer {
  explicit Writer(const LandmarkTable& whole) : table(with_all_landmarks(whole)) {
    const auto any = [&](auto&& has) { return std::ranges::any_of(table.annotations, has); };
    subject = any([](const Annotation& a) { return a.subject.has_value(); });
    scale = any([](const Annotation& a) { return a.scale.has_value(); });
    width = any([](const Annotation& a) { return a.width.has_value(); });
    height = any([](const Annotation& a) { return a.height.has_value(); });
  }

  [[nodiscard]] std::vector<std::string> header() const {
    std::vector<std::string> fields = {"id"};
    for (const std::string& name : table.landmark_names()) {
      for (const char axis : {'x', 'y'}) fields.push_back(column_of(name, axis));
    }
    if (subject) fields.emplace_back("subject");
    if (scale) fields.emplace_back("scale");
    if (width) fields.emplace_back("width");
    if (height) fields.emplace_back("height");
    return fields;
  }

  static std::string column_of(const std::string& name, char axis) {
    if (is_digits(name)) return fmt::format("{}{}", axis == 'x' ? 'X' : 'Y', name);
    return fmt::format("{}_{}", name, axis);
  }

  [[nodiscard]] std::vector<std::string> row(const Annotation& annotation) const {
    std::vector<std::string> fields = {annotation.image};
    for (const Landmark& landmark : annotation.landmarks) {
      const bool marked = landmark.visibility != Visibility::missing;
      fields.push_back(marked ? number_text(landmark.x) : "");
      fields.push_back(marked ? number_text(landmark.y) : "");
    }
    if (subject) fields.push_back(annotation.subject.value_or(""));
    if (scale) fields.push_back(annotation.scale ? number_text(*annotation.scale) : "");
    if (width) fields.push_back(annotation.width ? fmt::format("{}", *annotation.width) : "");
    if (height) fields.push_back(annotation.height ? fmt::format("{}", *annotation.height) : "");
    return fields;
  }

  LandmarkTable table;
  bool subject = false;
  bool scale = false;
  bool width = false;
  bool height = false;
};

}  // namespace

namespace {

/// `image,point_id,x_px,y_px` is a row per landmark, though `x_px` could belong to a landmark `px`.
bool has_all_columns(const std::vector<std::string>& header) {
  using enum CsvColumn;
  const CsvColumns columns(header);
  return columns.at(image) && columns.at(landmark) && columns.at(x) && columns.at(y);
}

}  // namespace

bool is_wide_csv(std::string_view text) {
  const std::vector<std::string> row = first_row(text);
  const auto num_coordinates = std::ranges::count_if(
      row, [](const std::string& field) { return coordinate_of(field).has_value(); });
  if (num_coordinates == 2 && has_all_columns(row)) return false;
  return num_coordinates >= 2 || is_headless(row, separator_of(text) != ',');
}

LandmarkTable parse_wide_csv(std::string_view text, const std::string& name, TpsY y,
                             const ImageSizes& sizes,
                             const std::function<void(const std::string&)>& note) {
  const Sheet csv = with_header(parse_sheet(text, name));
  Reader reader(csv, y, sizes);
  const std::vector<std::string> ignored = reader.ignored();
  if (note && !ignored.empty()) note(ignored_note(name, ignored));
  LandmarkTable table = reader.read();
  if (note && reader.num_at_zero() > 0) note(zero_note(name, reader.num_at_zero()));
  return table;
}

std::string write_wide_csv(const LandmarkTable& table) {
  check_table(table);
  const Writer writer(table);
  std::string text = io::csv_row(writer.header());
  for (const Annotation& annotation : writer.table.annotations) {
    text += io::csv_row(writer.row(annotation));
  }
  return text;
}

}  // namespace caos::landmarks
