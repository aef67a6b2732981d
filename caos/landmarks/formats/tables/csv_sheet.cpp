#include "caos/landmarks/formats/tables/csv_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/refuse.hpp"
#include "caos/landmarks/formats/text_lines.hpp"

namespace caos::landmarks {
namespace {

using Row = std::vector<std::string>;

constexpr std::string_view separators = ",;\t";

std::string_view first_line(std::string_view text) {
  Lines lines(text);
  return lines.next().value_or(std::string_view());
}

bool is_empty(const Row& row) { return std::ranges::all_of(row, &std::string::empty); }

/// Fields that are empty at the end of a row.
std::size_t num_trailing(const Row& row) {
  const auto last =
      std::find_if(row.rbegin(), row.rend(), [](const auto& f) { return !f.empty(); });
  return static_cast<std::size_t>(last - row.rbegin());
}

/// As long as the longest content, header included.
void drop_empty_columns(io::CsvRows& sheet) {
  std::size_t width = 0;
  for (const Row& row : sheet.rows) width = std::max(width, row.size() - num_trailing(row));
  for (Row& row : sheet.rows) row.resize(std::min(row.size(), std::max<std::size_t>(width, 1)));
}

bool has_row_names(const io::CsvRows& sheet) {
  const std::size_t width = sheet.rows[0].size();
  return sheet.rows.size() > 1 &&
         std::all_of(sheet.rows.begin() + 1, sheet.rows.end(),
                     [&](const Row& row) { return row.size() == width + 1; });
}

/// Empty fields at the end do not make a row too long.
void cut(Row& row, std::size_t width) {
  if (row.size() > width && row.size() - num_trailing(row) <= width) row.resize(width);
}

}  // namespace

char separator_of(std::string_view text) {
  const std::string_view line = first_line(text);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && separators.find(c) != std::string_view::npos) return c;
  }
  return words_of(line).size() > 2 ? ' ' : ',';
}

io::CsvRows parse_sheet_rows(std::string_view text, const std::string& name) {
  const char separator = separator_of(text);
  io::CsvRows all = io::parse_csv_rows(text, name, separator);
  io::CsvRows sheet;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    Row& row = all.rows[i];
    if (separator == ' ') std::erase(row, "");
    if (is_empty(row)) continue;
    sheet.rows.push_back(std::move(row));
    sheet.lines.push_back(all.lines[i]);
  }
  drop_empty_columns(sheet);
  return sheet;
}

Sheet parse_sheet(std::string_view text, const std::string& name) {
  io::CsvRows sheet = parse_sheet_rows(text, name);
  if (sheet.rows.empty()) io::refuse(name, "is empty; expected a table in CSV");
  if (has_row_names(sheet)) sheet.rows[0].insert(sheet.rows[0].begin(), "");
  const std::size_t width = sheet.rows[0].size();
  Sheet table{{.name = name, .header = std::move(sheet.rows[0]), .rows = {}, .lines = {}},
              separator_of(text) != ','};
  for (std::size_t i = 1; i < sheet.rows.size(); ++i) {
    cut(sheet.rows[i], width);
    if (sheet.rows[i].size() != width) {
      refuse_line(name, sheet.lines[i],
                  fmt::format("the row has {} fields, the header {}", sheet.rows[i].size(), width));
    }
    table.rows.push_back(std::move(sheet.rows[i]));
    table.lines.push_back(sheet.lines[i]);
  }
  return table;
}

std::string ignored_note(const std::string& file, const std::vector<std::string>& columns) {
  return fmt::format("{}: columns that are not read: {}", file, fmt::join(columns, ", "));
}

std::vector<std::string> first_row(std::string_view text) {
  try {
    io::CsvRows sheet = parse_sheet_rows(first_line(text), "");
    return sheet.rows.empty() ? std::vector<std::string>() : std::move(sheet.rows[0]);
  } catch (const Error&) {
    return {};  // the reader says what is wrong
  }
}

}  // namespace caos::landmarks
