#pragma once

#include <string>
#include <utility>
#include <vector>

namespace caos {

/// Text in columns for people: the first column flush left, the others flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// The header, and what was added.
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  /// The table, each line ended, the header underlined.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace caos
