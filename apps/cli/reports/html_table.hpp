#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The name that the paper has for a method (`SCOS Best`), or the given one.
[[nodiscard]] std::string method_label(std::string_view method);

/// A share with three digits, a set size with two (or one from 100 on).
[[nodiscard]] std::string share_text(double share);
[[nodiscard]] std::string size_text(double size);

/// How a number is written.
using NumberFormat = std::string (*)(double);

/// A dash for what is no number.
[[nodiscard]] std::string number_text(const Json& value, NumberFormat format);

/// Colors of plots in rows: methods with a guarantee, and those without.
inline constexpr const char* guaranteed_color = "#2563a8";
inline constexpr const char* unguaranteed_color = "#b3bac5";

/// Whether the entry of a method has a guarantee.
[[nodiscard]] bool has_guarantee(const Json& entry);

/// One line for each reason why a method has no guarantee.
[[nodiscard]] std::string reasons_for_none(const Json& entries);

/// 1 - alpha of an entry, whose alpha is text.
[[nodiscard]] double target_of(const Json& entry);

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
