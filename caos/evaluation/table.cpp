#include "caos/evaluation/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace caos {
namespace {

std::string line_of(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) {
  std::string line = fmt::format("{:<{}}", row[0], widths[0]);
  for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format("  {:>{}}", row[c], widths[c]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_[0].size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::size_t total = 2 * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;
  std::string text = line_of(rows_[0], widths) + std::string(total, '-') + "\n";
  for (std::size_t r = 1; r < rows_.size(); ++r) text += line_of(rows_[r], widths);
  return text;
}

}  // namespace caos
