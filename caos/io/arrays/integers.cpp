#include "caos/io/arrays/integers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/arrays/npy.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/printable.hpp"

namespace caos::io {
namespace {

template <std::integral T>
std::optional<std::int64_t> whole(T value) {
  if (!std::in_range<std::int64_t>(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> whole(double value) {
  // NaN fails every comparison; 2^63 itself is one too many.
  const bool in_range = value >= -0x1p63 && value < 0x1p63;
  if (!in_range || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

template <typename T>
std::vector<std::int64_t> read_elements(std::span<const T> values, const NpyArray& array) {
  std::vector<std::int64_t> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = whole(values[i]);
    require(value.has_value(), ErrorKind::bad_format, [&] {
      return fmt::format("{}: element {} is {}; expected whole numbers below 2^63", array.name(),
                         array.position(i), values[i]);
    });
    result[i] = *value;
  }
  return result;
}

template <typename T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::int64_t> parse_whole(std::string_view cell) {
  if (const auto value = parse<std::int64_t>(cell)) return value;
  const auto value = parse<double>(cell);
  return value ? whole(*value) : std::nullopt;
}

std::int64_t read_cell(const std::string& cell, std::size_t line, const CsvTable& table) {
  const auto value = parse_whole(trim(cell));
  require(value.has_value(), ErrorKind::bad_format, [&] {
    return fmt::format("{}:{}: '{}' is not a whole number", table.name, line, printable(cell));
  });
  return *value;
}

/// A cell that is a number but not a whole one, or is missing, is a mistake and not a header.
bool is_header(std::string_view cell) { return !cell.empty() && !parse<double>(cell); }

std::vector<std::int64_t> read_csv_column(const std::string& path) {
  const CsvTable table = read_csv(path);
  require(table.header.size() == 1, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} columns; expected one of whole numbers", path,
                       table.header.size());
  });
  std::vector<std::int64_t> result;
  if (!is_header(trim(table.header[0]))) result.push_back(read_cell(table.header[0], 1, table));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    result.push_back(read_cell(table.rows[r][0], table.lines[r], table));
  }
  return result;
}

}  // namespace

std::vector<std::int64_t> integers_of(const NpyArray& array) {
  array.require_dimensions(1, "one whole number each");
  std::vector<std::int64_t> values =
      array.visit([&](auto elements) { return read_elements(elements, array); });
  array.require_unchanged();
  return values;
}

std::vector<std::int64_t> read_integers(const std::string& path) {
  return path.ends_with(".csv") ? read_csv_column(path) : integers_of(NpyArray::open(path));
}

Matrix<std::int64_t> read_integer_table(const std::string& path, const char* meaning) {
  const NpyArray array = NpyArray::open(path);
  array.require_dimensions(2, meaning);
  const auto values = array.visit([&](auto elements) { return read_elements(elements, array); });
  array.require_unchanged();
  Matrix<std::int64_t> table(array.shape()[0], array.shape()[1]);
  if (!values.empty()) std::ranges::copy(values, &table(0, 0));
  return table;
}

}  // namespace caos::io
