#include "caos/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <span>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/csv.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/json_reader.hpp"

namespace caos::text {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::vector<std::string> text_columns(const Columns& columns) {
  return columns.text.empty() ? std::vector<std::string>{default_text_column} : columns.text;
}

/// The values of one row, in the order of the columns that were asked for.
struct Row {
  std::size_t line = 0;
  std::vector<std::string> texts{};
  std::string label{};
  std::string id{};
};

std::string joined_text(const std::vector<std::string>& columns,
                        const std::vector<std::string>& values) {
  assert(columns.size() == values.size() && !values.empty());
  if (values.size() == 1) return values[0];
  std::string result;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    result += fmt::format("{}{}: {}", c > 0 ? "\n" : "", columns[c], values[c]);
  }
  return result;
}

void add(TextTable& table, const Columns& columns, Row row) {
  if (!columns.label.empty()) {
    if (row.label.empty()) {
      refuse_line(table.name, row.line,
                  fmt::format("the label in {} is empty; give the row a label or take it out",
                              in_quotes(columns.label)));
    }
    table.labels.push_back(std::move(row.label));
  }
  table.ids.push_back(columns.id.empty() ? fmt::format("{}", table.size() + 1) : row.id);
  table.texts.push_back(joined_text(text_columns(columns), row.texts));
  table.lines.push_back(row.line);
}

std::size_t column_position(const io::CsvTable& csv, const std::string& column) {
  const auto found = std::ranges::find(csv.header, column);
  require(found != csv.header.end(), ErrorKind::bad_format, [&] {
    return fmt::format("{}: has no column {}; it has {}", csv.name, in_quotes(column),
                       in_quotes(csv.header));
  });
  require(std::find(found + 1, csv.header.end(), column) == csv.header.end(), ErrorKind::bad_format,
          [&] { return fmt::format("{}: has two columns {}", csv.name, in_quotes(column)); });
  return static_cast<std::size_t>(found - csv.header.begin());
}

TextTable table_from_csv(std::string_view text, const std::string& name, const Columns& columns) {
  const io::CsvTable csv = io::parse_csv(text, name);
  std::vector<std::size_t> texts;
  for (const std::string& column : text_columns(columns)) {
    texts.push_back(column_position(csv, column));
  }
  const std::size_t label = columns.label.empty() ? 0 : column_position(csv, columns.label);
  const std::size_t id = columns.id.empty() ? 0 : column_position(csv, columns.id);

  TextTable table{.name = name};
  for (std::size_t r = 0; r < csv.rows.size(); ++r) {
    Row row{.line = csv.lines[r], .label = csv.rows[r][label], .id = csv.rows[r][id]};
    for (const std::size_t position : texts) row.texts.push_back(csv.rows[r][position]);
    add(table, columns, std::move(row));
  }
  return table;
}

std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

/// A value of one line of JSON.
std::string value_of(const OrderedJson& object, const std::string& column, const std::string& name,
                     std::size_t line) {
  const auto found = object.find(column);
  if (found == object.end()) {
    refuse_line(name, line,
                fmt::format("has no {}; it has {}", in_quotes(column), in_quotes(keys_of(object))));
  }
  auto value = scalar_text(*found);
  if (!value) {
    refuse_line(
        name, line,
        fmt::format("{} is neither a text nor a number; write it in quotes", in_quotes(column)));
  }
  return *std::move(value);
}

Row row_from_json(std::string_view text, const std::string& name, std::size_t line,
                  const Columns& columns) {
  const OrderedJson object = parse_json(text, name, line);
  if (!object.is_object()) {
    refuse_line(name, line, "not an object; JSON Lines has one {\"column\": value, ...} a line");
  }
  const auto value = [&](const std::string& column) {
    return column.empty() ? std::string() : value_of(object, column, name, line);
  };
  Row row{.line = line, .label = value(columns.label), .id = value(columns.id)};
  for (const std::string& column : text_columns(columns)) row.texts.push_back(value(column));
  return row;
}

TextTable table_from_json_lines(std::string_view text, const std::string& name,
                                const Columns& columns) {
  TextTable table{.name = name};
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.find_first_not_of(blanks) == std::string_view::npos) continue;
    add(table, columns, row_from_json(one, name, line, columns));
  }
  return table;
}

/// Looks at it line by line only to name the first bad one.
void require_utf8(std::string_view text, const std::string& name) {
  if (is_utf8(text)) return;
  std::size_t line = 1;
  while (is_utf8(text.substr(0, text.find('\n')))) {
    text.remove_prefix(text.find('\n') + 1);
    ++line;
  }
  refuse_line(name, line, "not UTF-8; save the table as UTF-8");
}

enum class Format { csv, json_lines };

Format format_of(const std::string& path, std::string_view text) {
  if (path.ends_with(".csv")) return Format::csv;
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) return Format::json_lines;
  const std::size_t first = text.find_first_not_of(blanks);
  const char start = first == std::string_view::npos ? ' ' : text[first];
  // A list is not a table, but a reader of JSON says so better than one of CSV.
  return start == '{' || start == '[' ? Format::json_lines : Format::csv;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace

TextTable read_text_table(const std::string& path, const Columns& columns) {
  const io::MappedFile file = io::MappedFile::read(path);
  const std::string_view text = without_mark(file.text());
  require_utf8(text, file.name());
  return format_of(path, text) == Format::csv ? table_from_csv(text, file.name(), columns)
                                              : table_from_json_lines(text, file.name(), columns);
}

std::vector<Label> labels_of(const TextTable& table, const LabelSpace& labels) {
  std::vector<Label> result;
  result.reserve(table.labels.size());
  for (std::size_t r = 0; r < table.labels.size(); ++r) {
    const auto label = labels.find(table.labels[r]);
    if (!label) {
      refuse_line(table.name, table.lines[r],
                  fmt::format("{} is not one of the labels {}; correct the table or add the label",
                              in_quotes(table.labels[r]), in_quotes(labels.names())));
    }
    result.push_back(*label);
  }
  return result;
}

std::vector<LabeledText> labeled_texts(const TextTable& table, const LabelSpace& labels) {
  const std::vector<Label> of_rows = labels_of(table, labels);
  assert(of_rows.size() == table.size());
  std::vector<LabeledText> result;
  result.reserve(table.size());
  for (std::size_t r = 0; r < table.size(); ++r) {
    result.push_back({.text = table.texts[r], .label = of_rows[r]});
  }
  return result;
}

LabelSpace labels_in(const TextTable& table) { return labels_among(table.labels, table.name); }

LabelSpace labels_among(std::span<const std::string> labels, const std::string& source) {
  const std::set<std::string> names(labels.begin(), labels.end());
  return LabelSpace({names.begin(), names.end()}, source);
}

}  // namespace caos::text
