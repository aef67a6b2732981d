#pragma once

#include <string>
#include <vector>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// A column of a CSV file: its name, and the keys that lead to its value in a row.
struct Column {
  std::string name{};
  std::vector<std::string> path{};
};

using Columns = std::vector<Column>;

/// Columns that are called as the keys that they show.
[[nodiscard]] Columns plain(const std::vector<std::string>& keys);

[[nodiscard]] Columns operator+(Columns left, const Columns& right);

/// Rows as CSV with a header, numbers with every digit. What is null or absent is an empty field.
[[nodiscard]] std::string csv_text(const Json& rows, const Columns& columns);

}  // namespace caos::cli
