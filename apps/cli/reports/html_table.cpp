#include "apps/cli/reports/html_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli {

std::string method_label(std::string_view method) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> labels = {{
      {"caos", "CAOS"},
      {"full-caos", "Full CAOS"},
      {"scos", "SCOS"},
      {"scos-best", "SCOS Best"},
      {"scos-oracle", "SCOS Oracle"},
      {"split-caos", "Split CAOS"},
      {"split-caos-cal", "Split CAOS (cal)"},
      {"split-caos-ref", "Split CAOS (ref)"},
  }};
  const auto found =
      std::ranges::find_if(labels, [&](const auto& label) { return label.first == method; });
  return std::string(found == labels.end() ? method : found->second);
}

std::string share_text(double share) { return fmt::format("{:.3f}", share); }

std::string size_text(double size) {
  return std::abs(size) < 99.995 ? fmt::format("{:.2f}", size) : fmt::format("{:.1f}", size);
}

std::string number_text(const Json& value, NumberFormat format) {
  const auto found = number(value);
  return found ? format(*found) : "&ndash;";
}

bool has_guarantee(const Json& entry) { return plain_text(member(entry, "guarantee")) != "none"; }

double target_of(const Json& entry) {
  const Json& alpha = member(entry, "alpha");
  return 1 - (alpha.is_string() ? std::strtod(alpha.get_ref<const std::string&>().c_str(), nullptr)
                                : number(alpha).value_or(0));
}

std::string reasons_for_none(const Json& entries) {
  std::vector<std::string> lines;
  for (const Json& entry : entries) {
    const std::string why = plain_text(member(entry, "why_none"));
    if (has_guarantee(entry) || why.empty()) continue;
    std::string line =
        fmt::format("† {}: {}", method_label(plain_text(member(entry, "method"))), why);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("<p class=\"foot\">{}</p>\n", escaped(line));
  return text;
}

std::string plot_cell(const std::string& content) {
  return fmt::format("<td class=\"drawn\">{}</td>", content);
}

std::string number_cell(const std::string& content, const char* more_classes) {
  return fmt::format("<td class=\"number{}\">{}</td>", more_classes, content);
}

std::string table_head(std::initializer_list<const char*> left, const std::string& right) {
  std::string text = "<tr>";
  for (const char* name : left) text += fmt::format("<th scope=\"col\">{}</th>", name);
  return text + right + "</tr>\n";
}

std::string number_heads(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", name);
  }
  return text;
}

std::string html_table(const std::string& head, const std::string& body) {
  return fmt::format(
      "<div class=\"scroll\"><table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
      head, body);
}

}  // namespace caos::cli
