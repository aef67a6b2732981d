#pragma once

#include <string>
#include <vector>

namespace caos::cli {

/// Text in columns for people: the first column flush left, the others flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// The table, each line ended, the header underlined.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace caos::cli
