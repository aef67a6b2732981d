#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "caos/method.hpp"

namespace caos::cli {

/// The paper's name of a method: `SCOS Best`.
[[nodiscard]] std::string method_label(Method method);

/// A share with three digits, a set size with two (or one from 100 on).
[[nodiscard]] std::string share_text(double share);
[[nodiscard]] std::string size_text(double size);

/// How a number is written.
using NumberFormat = std::string (*)(double);

/// A dash for what is absent.
[[nodiscard]] std::string number_text(const std::optional<double>& number, NumberFormat format);

/// The number with its standard error, if there is one, as HTML.
[[nodiscard]] std::string with_error(double mean, const std::optional<double>& error,
                                     NumberFormat format);

[[nodiscard]] bool has_guarantee(const Guarantee& guarantee);

/// The color of plots in rows: gray without a guarantee.
[[nodiscard]] const char* color_of(const Guarantee& guarantee);

/// The guarantee as a cell's HTML, with a mark for `none`.
[[nodiscard]] std::string guarantee_text(const Guarantee& guarantee);

/// One line for each method without a guarantee and the reason.
[[nodiscard]] std::string reasons_for_none(
    const std::vector<std::pair<std::string, Guarantee>>& methods);

/// What the rows have at `of`, each value once, in the order of appearance.
template <typename Row, typename Projection>
[[nodiscard]] auto distinct(const std::vector<Row>& rows, Projection of) {
  std::vector<std::decay_t<std::invoke_result_t<Projection, const Row&>>> values;
  for (const Row& row : rows) {
    const auto& value = std::invoke(of, row);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

// Cells and tables. All texts are HTML.

/// A plot in a row, which narrow screens leave out.
[[nodiscard]] std::string plot_cell(const std::string& content);
[[nodiscard]] std::string number_cell(const std::string& content, const char* more_classes = "");

/// The row of headings: those of texts, then `right`.
[[nodiscard]] std::string table_head(std::initializer_list<const char*> left,
                                     const std::string& right);
[[nodiscard]] std::string number_heads(const std::vector<std::string>& names);
[[nodiscard]] std::string html_table(const std::string& head, const std::string& body);

}  // namespace caos::cli
