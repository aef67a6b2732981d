#include "caos/landmarks/formats/wide_csv_format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/table_builder.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

constexpr std::array<std::string_view, 8> image_columns = {
    "image", "id", "file", "filename", "file_name", "specimen", "name", ""};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_axis(char c) { return c == 'x' || c == 'y' || c == 'X' || c == 'Y'; }
bool is_separator(char c) { return c == '.' || c == '_' || c == ' ' || c == '-'; }

/// A column that holds one coordinate of a landmark.
struct Coordinate {
  std::string landmark;
  bool is_y = false;
};

bool is_y(char axis) { return axis == 'y' || axis == 'Y'; }

/// `nose_x`, `1.X`.
std::optional<Coordinate> with_last_axis(std::string_view text) {
  if (text.size() < 3 || !is_axis(text.back()) || !is_separator(text[text.size() - 2])) {
    return std::nullopt;
  }
  std::string_view landmark = text.substr(0, text.size() - 2);
  // R's read.csv makes X1.X of 1.X.
  const bool mangled =
      text[text.size() - 2] == '.' && landmark.starts_with('X') && is_digits(landmark.substr(1));
  if (mangled) landmark.remove_prefix(1);
  return Coordinate{std::string(landmark), is_y(text.back())};
}

/// `X1`, `x_1`.
std::optional<Coordinate> with_first_axis(std::string_view text) {
  if (text.size() < 2 || !is_axis(text[0])) return std::nullopt;
  const std::string_view landmark = text.substr(is_separator(text[1]) ? 2 : 1);
  if (!is_digits(landmark)) return std::nullopt;
  return Coordinate{std::string(landmark), is_y(text[0])};
}

std::optional<Coordinate> coordinate_of(std::string_view header) {
  const auto last = with_last_axis(header);
  return last ? last : with_first_axis(header);
}

struct Pair {
  std::string landmark;
  std::optional<std::size_t> x{};
  std::optional<std::size_t> y{};
};

class Reader {
 public:
  Reader(const io::CsvTable& csv, TpsY y, const ImageSizes& sizes)
      : csv_(csv), from_bottom_(y == TpsY::bottom), sizes_(sizes) {
    for (std::size_t i = 0; i < csv.header.size(); ++i) place(i);
    if (!image_ && !others_.empty()) {
      image_ = others_.front();
      others_.erase(others_.begin());
    }
    if (!image_) {
      io::refuse(csv_.name, "has no column for the image; expected id,X1,Y1,X2,Y2,...");
    }
    check_pairs();
  }

  LandmarkTable read() {
    for (row_ = 0; row_ < csv_.rows.size(); ++row_) read_row();
    return builder_.take();
  }

  [[nodiscard]] std::vector<std::string> ignored() const {
    std::vector<std::string> names;
    for (const std::size_t i : others_) names.push_back(printable(csv_.header[i]));
    return names;
  }

 private:
  void place(std::size_t i) {
    const std::string_view header = trim(csv_.header[i]);
    if (const auto coordinate = coordinate_of(csv_.header[i])) return place(*coordinate, i);
    const std::string word = lower_case(header);
    if (!image_ && std::ranges::find(image_columns, word) != image_columns.end()) {
      image_ = i;
    } else if (word == "subject" || word == "scale" || word == "width" || word == "height") {
      facts_[word] = i;
    } else {
      others_.push_back(i);
    }
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
    if (!trim(fact("scale")).empty()) annotation.scale = positive("scale");
    if (!trim(fact("width")).empty()) annotation.width = count("width");
    if (!trim(fact("height")).empty()) annotation.height = count("height");
  }

  [[nodiscard]] std::string_view fact(const char* key) const {
    const auto found = facts_.find(key);
    return found == facts_.end() ? std::string_view() : csv_.rows[row_][found->second];
  }

  [[nodiscard]] double positive(const char* key) const {
    const auto value = parse_number(trim(fact(key)));
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

  [[nodiscard]] Landmark landmark(const Pair& pair) const {
    Landmark result{.name = pair.landmark, .visibility = Visibility::missing};
    const std::string_view x = trim(csv_.rows[row_][*pair.x]);
    const std::string_view y = trim(csv_.rows[row_][*pair.y]);
    const auto absent = [](std::string_view text) {
      return text.empty() || text == "NA" || text == "NaN" || text == "nan";
    };
    if (absent(x) && absent(y)) return result;
    result.x = position(x, pair);
    result.y = position(y, pair);
    result.visibility = Visibility::visible;
    return result;
  }

  [[nodiscard]] double position(std::string_view text, const Pair& pair) const {
    const auto value = parse_number(text);
    if (!value || !is_coordinate(*value)) {
      refuse(
          fmt::format("landmark '{}' is at '{}', which is not a position in pixels; leave both "
                      "columns empty if it is missing",
                      printable(pair.landmark), printable(text)));
    }
    return *value;
  }

  void turn_over(Annotation& annotation) const {
    auto height = annotation.height;
    if (!height && sizes_) {
      if (const auto size = sizes_(annotation.image)) height = size->height;
    }
    if (!height) {
      refuse(fmt::format("y from the bottom needs the height of image '{}'; give the images",
                         printable(annotation.image)));
    }
    for (Landmark& landmark : annotation.landmarks) {
      if (landmark.visibility == Visibility::missing) continue;
      landmark.y = static_cast<double>(*height) - landmark.y;
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(csv_.name, csv_.lines[row_], what);
  }

  const io::CsvTable& csv_;
  bool from_bottom_;
  const ImageSizes& sizes_;
  std::optional<std::size_t> image_{};
  std::vector<std::size_t> others_{};
  std::map<std::string, std::size_t, std::less<>> facts_{};
  std::vector<Pair> pairs_{};
  std::map<std::string, std::size_t> index_{};
  TableBuilder builder_;
  std::size_t row_ = 0;
};

struct Writer {
  explicit Writer(const LandmarkTable& table) : table(with_all_landmarks(table)) {
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

bool is_wide_csv(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  try {
    const io::CsvRows csv = io::parse_csv_rows(line, "");
    if (csv.rows.empty()) return false;
    return std::ranges::count_if(csv.rows[0], [](const std::string& field) {
             return coordinate_of(field).has_value();
           }) >= 2;
  } catch (const Error&) {
    return false;  // the reader says what is wrong
  }
}

LandmarkTable parse_wide_csv(std::string_view text, const std::string& name, TpsY y,
                             const ImageSizes& sizes,
                             const std::function<void(const std::string&)>& note) {
  const io::CsvTable csv = io::parse_csv(text, name);
  Reader reader(csv, y, sizes);
  const std::vector<std::string> ignored = reader.ignored();
  if (note && !ignored.empty()) {
    note(fmt::format("{}: columns that are not read: {}", name, fmt::join(ignored, ", ")));
  }
  return reader.read();
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
