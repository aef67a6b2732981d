#include "apps/cli/experiments/csv_text.hpp"

#include "apps/predictions/json_text.hpp"
#include "caos/io/csv.hpp"

namespace caos::cli {
namespace {

std::string row_of(const CsvLine& line, std::string CsvLine::value_type::*part) {
  std::vector<std::string> fields;
  for (const auto& field : line) fields.push_back(field.*part);
  return io::csv_row(fields);
}

}  // namespace

std::string csv_number(const std::optional<double>& number) {
  return number ? predictions::Json(*number).dump() : std::string();
}

std::string csv_text(const std::vector<CsvLine>& lines) {
  std::string text = lines.empty() ? "" : row_of(lines.front(), &CsvLine::value_type::first);
  for (const CsvLine& line : lines) text += row_of(line, &CsvLine::value_type::second);
  return text;
}

}  // namespace caos::cli
