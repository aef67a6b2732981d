#include "apps/cli/reports/json_csv.hpp"

#include "apps/cli/reports/json_parts.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

const Json& value_at(const Json& row, const std::vector<std::string>& path) {
  static const Json null;
  const Json* value = &row;
  for (const std::string& key : path) {
    if (!value->is_array()) {
      value = &member(*value, key.c_str());
      continue;
    }
    const std::size_t index = std::stoul(key);
    value = index < value->size() ? &(*value)[index] : &null;
  }
  return *value;
}

}  // namespace

Columns plain(const std::vector<std::string>& keys) {
  Columns columns;
  for (const std::string& key : keys) columns.push_back({key, {key}});
  return columns;
}

Columns operator+(Columns left, const Columns& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::string csv_text(const Json& rows, const Columns& columns) {
  std::vector<std::string> fields;
  for (const Column& column : columns) fields.push_back(column.name);
  std::string text = io::csv_row(fields);
  for (const Json& row : rows) {
    fields.clear();
    for (const Column& column : columns) fields.push_back(plain_text(value_at(row, column.path)));
    text += io::csv_row(fields);
  }
  return text;
}

}  // namespace caos::cli
