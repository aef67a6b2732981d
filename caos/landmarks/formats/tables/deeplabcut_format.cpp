#include "caos/landmarks/formats/tables/deeplabcut_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/positions.hpp"
#include "caos/landmarks/formats/tables/csv_sheet.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::printable;
using Column = DeepLabCutSheet::Column;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* own_scorer = "caos";
/// What DeepLabCut calls the individual that has the body parts of no animal.
constexpr const char* of_no_animal = "single";

/// Where the numbers of one body part of one individual are in a row.
struct Part {
  std::string individual;
  std::string name;
  std::optional<std::size_t> x{};
  std::optional<std::size_t> y{};
  std::optional<std::size_t> likelihood{};
};

class Parts {
 public:
  Parts(const std::vector<Column>& columns, const std::string& name) : name_(name) {
    for (std::size_t i = 0; i < columns.size(); ++i) add(columns[i], i);
    for (const Part& part : parts) {
      if (!part.x || !part.y) {
        io::refuse(name_, fmt::format("body part '{}' has no column {}", printable(part.name),
                                      part.x ? "y" : "x"));
      }
    }
  }

  std::vector<Part> parts{};

 private:
  void add(const Column& column, std::size_t place) {
    if (column.bodypart.empty()) {
      io::refuse(name_,
                 fmt::format("column {} has no body part in the row 'bodyparts'", place + 1));
    }
    const auto key = std::pair(column.individual, column.bodypart);
    const auto [found, is_new] = index_.emplace(key, parts.size());
    if (is_new) parts.push_back({.individual = column.individual, .name = column.bodypart});
    Part& part = parts[found->second];
    auto& slot = column.coordinate == "x"            ? part.x
                 : column.coordinate == "y"          ? part.y
                 : column.coordinate == "likelihood" ? part.likelihood
                                                     : refuse_coordinate(column);
    if (slot) {
      io::refuse(name_, fmt::format("body part '{}' has the column '{}' twice",
                                    printable(part.name), column.coordinate));
    }
    slot = place;
  }

  [[noreturn]] std::optional<std::size_t>& refuse_coordinate(const Column& column) const {
    io::refuse(name_, fmt::format("the row 'coords' has '{}'; expected x, y or likelihood",
                                  printable(column.coordinate)));
  }

  const std::string& name_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

class Reader {
 public:
  Reader(const DeepLabCutSheet& sheet, const std::string& name)
      : sheet_(sheet), parts_(sheet.columns, name) {}

  LandmarkTable read(const InstanceOptions& options, const std::string& name) {
    for (std::size_t row = 0; row < sheet_.images.size(); ++row) read_row(row);
    return instances_.settle(builder_.take(), options, name);
  }

 private:
  void read_row(std::size_t row) {
    const std::string& image = sheet_.images[row];
    if (image.empty()) refuse(row, "the image has no name");
    const auto place = builder_.new_image(image);
    if (!place) refuse(row, fmt::format("image '{}' is listed twice", printable(image)));
    std::vector<Instance> animals;
    for (const Part& part : parts_.parts) {
      if (part.individual == of_no_animal) {
        (void)instances_.add_shared(*place, landmark(part, row));
        continue;
      }
      auto animal = std::ranges::find(animals, part.individual, &Instance::id);
      if (animal == animals.end()) {
        animal = animals.insert(animals.end(),
                                {.id = part.individual,
                                 .place = sheet_.places[row] + " a second individual is marked"});
      }
      animal->landmarks.push_back(landmark(part, row));
    }
    for (Instance& animal : animals) instances_.add(*place, std::move(animal));
  }

  [[nodiscard]] Landmark landmark(const Part& part, std::size_t row) const {
    const std::vector<double>& numbers = sheet_.rows[row];
    Landmark result{.name = part.name, .visibility = Visibility::missing};
    const double x = numbers[*part.x];
    const double y = numbers[*part.y];
    if ((std::isnan(x) && std::isnan(y)) || is_left_out(x, y)) return result;
    if (!is_coordinate(x) || !is_coordinate(y)) {
      refuse(row, fmt::format("body part '{}' is at ({}, {}); expected two numbers of pixels, or "
                              "nothing in both columns",
                              printable(part.name), x, y));
    }
    result.x = x;
    result.y = y;
    result.visibility = Visibility::visible;
    if (part.likelihood && sheet_.scorer == own_scorer) {
      set_conformity(result, numbers[*part.likelihood], row);
    }
    return result;
  }

  void set_conformity(Landmark& landmark, double value, std::size_t row) const {
    if (std::isnan(value)) return;
    if (!(value >= 0 && value <= 1)) {
      refuse(row, fmt::format("the likelihood of '{}' is {}; expected a number from 0 to 1",
                              printable(landmark.name), value));
    }
    landmark.proposed = true;
    landmark.conformity = value;
  }

  [[noreturn]] void refuse(std::size_t row, const std::string& what) const {
    throw Error(ErrorKind::bad_format, sheet_.places[row] + " " + what);
  }

  const DeepLabCutSheet& sheet_;
  Parts parts_;
  TableBuilder builder_;
  Instances instances_;
};

/// The sheet of a CSV file.
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& name)
      : csv_(parse_sheet_rows(text, name)),
        decimal_commas_(separator_of(text) != ','),
        name_(name) {}

  DeepLabCutSheet read() {
    const auto scorers = header("scorer");
    index_size_ = count_index();
    const bool several = row_ < csv_.rows.size() && is_header(row_, "individuals");
    const auto individuals = several ? header("individuals") : std::vector<std::string>();
    const auto bodyparts = header("bodyparts");
    const auto coordinates = header("coords");
    if (scorers.size() > index_size_) sheet_.scorer = scorers[index_size_];
    for (std::size_t i = index_size_; i < bodyparts.size(); ++i) {
      sheet_.columns.push_back({.individual = i < individuals.size() ? individuals[i] : "",
                                .bodypart = bodyparts[i],
                                .coordinate = i < coordinates.size() ? coordinates[i] : ""});
    }
    skip_index_names();
    for (; row_ < csv_.rows.size(); ++row_) read_row();
    return std::move(sheet_);
  }

 private:
  [[nodiscard]] bool is_header(std::size_t row, std::string_view key) const {
    return trim(csv_.rows[row][0]) == key;
  }

  std::vector<std::string> header(const char* key) {
    if (row_ >= csv_.rows.size() || !is_header(row_, key)) {
      const std::size_t line = row_ < csv_.lines.size() ? csv_.lines[row_] : row_ + 1;
      refuse_line(name_, line,
                  fmt::format("expected the header row '{}' of DeepLabCut (scorer, perhaps "
                              "individuals, bodyparts, coords)",
                              key));
    }
    return csv_.rows[row_++];
  }

  /// The image is in the first column, and in those after it that have no scorer.
  [[nodiscard]] std::size_t count_index() const {
    const auto& fields = csv_.rows[0];
    std::size_t count = 1;
    while (count < fields.size() && trim(fields[count]).empty()) ++count;
    return count;
  }

  /// pandas may write a row with the names of the index alone.
  void skip_index_names() {
    if (row_ >= csv_.rows.size() || !csv_.rows[row_][0].empty()) return;
    const bool blank =
        std::ranges::all_of(csv_.rows[row_], [](const std::string& f) { return trim(f).empty(); });
    if (blank) ++row_;
  }

  void read_row() {
    const auto& fields = csv_.rows[row_];
    if (fields.size() > index_size_ + sheet_.columns.size()) {
      refuse_line(name_, csv_.lines[row_],
                  fmt::format("the row has {} fields, the header {}", fields.size(),
                              index_size_ + sheet_.columns.size()));
    }
    std::string image;
    for (std::size_t i = 0; i < std::min(index_size_, fields.size()); ++i) {
      image += (i > 0 ? "/" : "") + fields[i];
    }
    std::vector<double> numbers(sheet_.columns.size(), nothing);
    for (std::size_t i = index_size_; i < fields.size(); ++i) {
      numbers[i - index_size_] = number(fields[i]);
    }
    sheet_.images.push_back(std::move(image));
    sheet_.rows.push_back(std::move(numbers));
    sheet_.places.push_back(fmt::format("{}:{}:", name_, csv_.lines[row_]));
  }

  [[nodiscard]] double number(const std::string& field) const {
    if (is_missing_word(field)) return nothing;
    const auto value = parse_decimal(field, decimal_commas_);
    if (!value) {
      refuse_line(name_, csv_.lines[row_],
                  fmt::format("'{}' is not a number of pixels; leave x and y empty if the body "
                              "part is missing",
                              printable(field)));
    }
    return *value;
  }

  io::CsvRows csv_;
  bool decimal_commas_;
  const std::string& name_;
  std::size_t row_ = 0;
  std::size_t index_size_ = 1;
  DeepLabCutSheet sheet_;
};

bool has_proposals(const LandmarkTable& table) {
  return std::ranges::any_of(table.annotations, [](const Annotation& annotation) {
    return std::ranges::any_of(annotation.landmarks, &Landmark::proposed);
  });
}

/// "labeled-data", "video", "img001.png".
std::vector<std::string> parts_of(const std::string& image) {
  std::vector<std::string> parts(1);
  for (const char c : image) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

LandmarkTable table_of(const DeepLabCutSheet& sheet, const std::string& name,
                       const InstanceOptions& options) {
  return Reader(sheet, name).read(options, name);
}

DeepLabCutSheet sheet_of(const LandmarkTable& table) {
  check_table(table);
  const bool proposals = has_proposals(table);
  DeepLabCutSheet sheet{.scorer = own_scorer};
  for (const std::string& name : table.landmark_names()) {
    for (const char* coordinate : {"x", "y", "likelihood"}) {
      if (coordinate[0] == 'l' && !proposals) continue;
      sheet.columns.push_back({.bodypart = name, .coordinate = coordinate});
    }
  }
  for (const Annotation& annotation : with_all_landmarks(table).annotations) {
    std::vector<double> row;
    for (const Landmark& landmark : annotation.landmarks) {
      const bool marked = landmark.visibility != Visibility::missing;
      row.push_back(marked ? landmark.x : nothing);
      row.push_back(marked ? landmark.y : nothing);
      if (proposals) row.push_back(landmark.conformity.value_or(nothing));
    }
    sheet.images.push_back(annotation.image);
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

LandmarkTable parse_deeplabcut(std::string_view text, const std::string& name,
                               const InstanceOptions& options) {
  return table_of(CsvReader(text, name).read(), name, options);
}

std::string write_deeplabcut(const LandmarkTable& table) {
  const DeepLabCutSheet sheet = sheet_of(table);
  const bool three =
      !sheet.images.empty() && std::ranges::all_of(sheet.images, [](const std::string& image) {
        return parts_of(image).size() == 3;
      });
  const std::vector<std::string> index(three ? 2 : 0);
  std::vector<std::string> scorers = {"scorer"}, bodyparts = {"bodyparts"}, coords = {"coords"};
  for (auto* row : {&scorers, &bodyparts, &coords}) {
    row->insert(row->end(), index.begin(), index.end());
  }
  for (const Column& column : sheet.columns) {
    scorers.push_back(sheet.scorer);
    bodyparts.push_back(column.bodypart);
    coords.push_back(column.coordinate);
  }
  std::string text = io::csv_row(scorers) + io::csv_row(bodyparts) + io::csv_row(coords);
  for (std::size_t i = 0; i < sheet.images.size(); ++i) {
    std::vector<std::string> fields =
        three ? parts_of(sheet.images[i]) : std::vector<std::string>{sheet.images[i]};
    for (const double number : sheet.rows[i]) {
      fields.push_back(std::isnan(number) ? "" : number_text(number));
    }
    text += io::csv_row(fields);
  }
  return text;
}

}  // namespace caos::landmarks
