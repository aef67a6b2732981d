#include "caos/landmarks/formats/positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caos/io/lower_case.hpp"
#include "caos/io/printable.hpp"
#include "caos/landmarks/formats/landmark_table.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using io::lower_case;
using io::printable;

/// Parts between characters of `separators`, without spaces around them; none is empty but the
/// one between two separators.
std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.emplace_back(trim(text.substr(0, end)));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

/// Whether commas stand between numbers and not within them: "12, 34", but not "12,3 45,6".
bool separates(const std::vector<std::string_view>& words) {
  if (words.size() == 1) return true;
  return std::ranges::any_of(
      words, [](std::string_view word) { return word.starts_with(',') || word.ends_with(','); });
}

std::vector<std::string> split_spaces(std::string_view line) {
  std::vector<std::string> parts;
  for (const std::string_view word : words_of(line)) parts.emplace_back(word);
  return parts;
}

std::string with_point(std::string text) {
  const bool number = parse_decimal(text, true).has_value();
  if (number) std::ranges::replace(text, ',', '.');
  return text;
}

double coordinate(std::string_view text, bool decimal_commas, const Refuse& refuse) {
  const auto value = parse_decimal(text, decimal_commas);
  if (!value || !is_coordinate(*value)) {
    refuse(
        fmt::format("'{}' is not a position in pixels; expected a number, or NA twice if the "
                    "landmark is missing",
                    printable(text)));
  }
  return value.value_or(0);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text, bool commas) {
  const std::string_view number = trim(text);
  if (const auto value = parse_number(number)) return value;
  if (!commas || std::ranges::count(number, ',') != 1) return std::nullopt;
  if (number.find('.') != std::string_view::npos) return std::nullopt;
  std::string with_point(number);
  std::ranges::replace(with_point, ',', '.');
  return parse_number(with_point);
}

bool is_missing_word(std::string_view text) {
  static constexpr std::array<std::string_view, 7> words = {"",     "na",   "n/a", "nan",
                                                            "null", "none", "-"};
  return std::ranges::find(words, lower_case(trim(text))) != words.end();
}

bool is_left_out(double x, double y) { return (x == -1 && y == -1) || (x == 0 && y == 0); }

std::string zero_note(const std::string& file, std::size_t count) {
  return fmt::format("{}: {} landmarks at (0, 0) are read as missing", file, count);
}

std::vector<std::string> point_fields(std::string_view line) {
  std::vector<std::string> fields;
  if (line.find(';') != std::string_view::npos) {
    fields = split(line, ";");
  } else if (line.find('\t') != std::string_view::npos) {
    fields = split(line, "\t");
    std::erase(fields, "");
  } else if (line.find(',') != std::string_view::npos && separates(words_of(line))) {
    return split(line, ",");
  } else {
    fields = split_spaces(line);
  }
  for (std::string& field : fields) field = with_point(std::move(field));
  return fields;
}

std::optional<Position> parse_position(std::string_view x, std::string_view y, bool decimal_commas,
                                       const Refuse& refuse) {
  if (is_missing_word(x) && is_missing_word(y)) return std::nullopt;
  const Position position{coordinate(x, decimal_commas, refuse),
                          coordinate(y, decimal_commas, refuse)};
  return position;
}

std::optional<Position> parse_point_line(std::string_view line, std::string_view name,
                                         const Refuse& refuse) {
  const std::vector<std::string> fields = point_fields(line);
  if (fields.size() != 2) {
    refuse(fmt::format("expected x and y of point {}, found '{}'", name, printable(line)));
  }
  return parse_position(fields[0], fields[1], false, refuse);
}

}  // namespace caos::landmarks
