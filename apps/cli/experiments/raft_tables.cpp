#include "apps/cli/experiments/raft_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/html_table.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli::raft_tables {
namespace {

constexpr double plot_width = 140;

std::string with_error(const Json& quantity, NumberFormat format) {
  const auto error = number(member(quantity, "sem"));
  const std::string mean = number_text(member(quantity, "mean"), format);
  return error ? fmt::format("{}<span class=\"sem\"> ± {}</span>", mean, format(*error)) : mean;
}

bool is_at(const Json& row, const std::string& alpha) {
  return plain_text(member(row, "alpha")) == alpha;
}

std::optional<double> mean_of(const Json& row, const char* key) {
  return number(member(member(row, key), "mean"));
}

/// The row of a method on a task at an alpha.
const Json& find_row(const Json& rows, const std::string& task, const std::string& method,
                     const std::string& alpha) {
  static const Json null;
  const auto found = std::ranges::find_if(rows, [&](const Json& row) {
    return is_at(row, alpha) && plain_text(member(row, "task")) == task &&
           plain_text(member(row, "method")) == method;
  });
  return found == rows.end() ? null : *found;
}

// Over all tasks.

double axis_begin(const Json& rows) {
  double lowest = 1;
  for (const Json& row : rows) {
    lowest = std::min({lowest, mean_of(row, "coverage").value_or(1), target_of(row)});
  }
  return coverage_axis_begin(lowest);
}

std::string coverage_drawn(const Json& row, double begin) {
  const auto mean = mean_of(row, "coverage");
  if (!mean) return plot_cell("");
  const double error = number(member(member(row, "coverage"), "sem")).value_or(0);
  return plot_cell(coverage_plot({.share = *mean,
                                  .low = *mean - error,
                                  .high = *mean + error,
                                  .target = target_of(row),
                                  .axis_begin = begin,
                                  .color = has_guarantee(row) ? promised_color : unpromised_color,
                                  .width = plot_width}));
}

std::string errors_text(const Json& row) {
  const auto errors = number(member(row, "errors_from_target"));
  return errors ? fmt::format("{:+.1f}", *errors) : "&ndash;";
}

std::string overall_row(const Json& row, double begin) {
  const bool promised = has_guarantee(row);
  return fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>{}{}{}{}</tr>\n",
                     promised ? "" : " class=\"none\"",
                     escaped(method_label(plain_text(member(row, "method")))),
                     promised ? escaped(plain_text(member(row, "guarantee"))) : "none&nbsp;†",
                     number_cell(with_error(member(row, "coverage"), share_text)),
                     coverage_drawn(row, begin), number_cell(errors_text(row)),
                     number_cell(with_error(member(row, "mean_set_size"), size_text)));
}

std::string overall_rows(const Json& rows, const std::string& alpha) {
  const auto first = std::ranges::find_if(rows, [&](const Json& row) { return is_at(row, alpha); });
  const double begin = axis_begin(rows);
  std::string text = fmt::format(
      "<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"3\">alpha = {} <span>to be covered: "
      "{:.4g}</span></th><td class=\"drawn\">{:.2f} to 1</td><td></td><td></td></tr>\n",
      escaped(alpha), target_of(*first), begin);
  for (const Json& row : rows) {
    if (is_at(row, alpha)) text += overall_row(row, begin);
  }
  return text;
}

// Task by task.

/// The coverage with its interval below it, in small.
std::string coverage_text(const Json& coverage) {
  const auto low = number(member(coverage, "low"));
  const auto high = number(member(coverage, "high"));
  const std::string mean = number_text(member(coverage, "mean"), share_text);
  return low && high ? fmt::format("{}<small>{:.2f} to {:.2f}</small>", mean, *low, *high) : mean;
}

/// The mean set size with its standard error below it.
std::string size_cell_text(const Json& size) {
  const auto error = number(member(size, "sem"));
  const std::string mean = number_text(member(size, "mean"), size_text);
  return error ? fmt::format("{}<small>± {}</small>", mean, size_text(*error)) : mean;
}

/// The smallest mean set size on a task among methods that promise something, if there is a choice.
std::optional<double> smallest_size(const std::vector<const Json*>& row_of_method) {
  std::vector<double> sizes;
  for (const Json* row : row_of_method) {
    const auto size = mean_of(*row, "mean_set_size");
    if (size && has_guarantee(*row)) sizes.push_back(*size);
  }
  if (sizes.size() < 2) return std::nullopt;
  return std::ranges::min(sizes);
}

std::string method_cells(const Json& row, const std::optional<double>& smallest) {
  if (row.is_null()) return number_cell("&ndash;") + number_cell("&ndash;");
  const bool promised = has_guarantee(row);
  const auto coverage = mean_of(row, "coverage");
  const bool below = coverage && *coverage < target_of(row) - 1e-9;  // as the groups have it
  const bool best = promised && smallest && mean_of(row, "mean_set_size") == smallest;
  const std::string grey = promised ? "" : " none";
  return number_cell(coverage_text(member(row, "coverage")),
                     (grey + (below ? " below" : "")).c_str()) +
         number_cell(size_cell_text(member(row, "mean_set_size")),
                     (grey + (best ? " best" : "")).c_str());
}

std::string task_row(const Json& results, const std::string& task, const std::string& alpha) {
  const Json& rows = member(results, "results");
  std::vector<const Json*> row_of_method;
  for (const std::string& method : distinct(rows, "method")) {
    row_of_method.push_back(&find_row(rows, task, method, alpha));
  }
  const auto smallest = smallest_size(row_of_method);
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th>", escaped(task));
  for (const Json* row : row_of_method) text += method_cells(*row, smallest);
  return text + "</tr>\n";
}

std::string group_rows(const Json& results, const Json& part, const std::string& alpha,
                       std::size_t columns) {
  std::string text =
      fmt::format("<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                  columns, escaped(group_label(plain_text(member(part, "reaches")))));
  for (const Json& task : member(part, "tasks")) {
    text += task_row(results, plain_text(task), alpha);
  }
  return text;
}

/// Two rows: methods, and what of each.
std::string task_heads(const std::vector<std::string>& methods) {
  std::string names = "<tr><td></td>";
  std::string figures = "<tr><th scope=\"col\">task</th>";
  for (const std::string& method : methods) {
    names += fmt::format("<th scope=\"colgroup\" colspan=\"2\" class=\"number\">{}</th>",
                         escaped(method_label(method)));
    figures += number_heads({"coverage", "mean size"});
  }
  return names + "</tr>\n" + figures + "</tr>\n";
}

// What went in.

std::string columns_text(const Json& columns) {
  std::string text;
  for (const Json& column : columns) text += (text.empty() ? "" : ", ") + plain_text(column);
  return text;
}

std::string shortened_text(const Json& task) {
  const auto pairs = number(member(task, "pairs"));
  const auto shortened = number(member(task, "shortened"));
  if (!pairs || !shortened) return "&ndash;";
  return *shortened == 0 ? "none" : fmt::format("{} of {}", *shortened, *pairs);
}

}  // namespace

std::string group_label(const std::string& reaches) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> labels = {{
      {"both", "Both reach the target"},
      {"caos-only", "Only CAOS reaches the target"},
      {"scos-only", "Only SCOS reaches the target"},
      {"neither", "Neither reaches the target"},
  }};
  const auto found =
      std::ranges::find_if(labels, [&](const auto& label) { return label.first == reaches; });
  return found == labels.end() ? reaches : std::string(found->second);
}

std::string overall(const Json& results) {
  const Json& rows = member(results, "overall");
  std::string body;
  for (const std::string& alpha : distinct(rows, "alpha")) body += overall_rows(rows, alpha);
  return html_table(
             table_head(
                 {"method", "guarantee"},
                 "<th scope=\"col\" class=\"number\">coverage</th><td class=\"drawn\"></td>" +
                     number_heads(
                         {"from the target<small>in standard errors</small>", "mean set size"})),
             body) +
         reasons_for_none(rows);
}

std::string tasks_at(const Json& results, const std::string& alpha) {
  const std::vector<std::string> methods = distinct(member(results, "results"), "method");
  std::string body;
  for (const Json& group : member(results, "groups")) {
    if (!is_at(group, alpha)) continue;
    for (const Json& part : member(group, "parts")) {
      body += group_rows(results, part, alpha, 1 + 2 * methods.size());
    }
  }
  return html_table(task_heads(methods), body);
}

std::string texts(const Json& results) {
  std::string body;
  for (const Json& task : member(results, "tasks")) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}<td class=\"words\">{}</td></tr>\n",
                        escaped(plain_text(member(task, "task"))),
                        number_cell(escaped(plain_text(member(task, "texts")))),
                        number_cell(escaped(plain_text(member(task, "labels")))),
                        number_cell(shortened_text(task)),
                        escaped(columns_text(member(task, "text_columns"))));
  }
  return html_table(table_head({"task"}, number_heads({"texts", "labels", "prompts shortened"}) +
                                             "<th scope=\"col\">text columns</th>"),
                    body);
}

}  // namespace caos::cli::raft_tables
