#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caos::cli {

/// A line of a CSV file: name and value of each column.
using CsvLine = std::vector<std::pair<std::string, std::string>>;

/// A number with every digit that it needs, as in JSON; empty for what is absent.
[[nodiscard]] std::string csv_number(const std::optional<double>& number);

/// The names of the first line, then the values of each. All lines have the same columns.
[[nodiscard]] std::string csv_text(const std::vector<CsvLine>& lines);

}  // namespace caos::cli
