#include "apps/cli/pages/html_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/pages/html.hpp"

namespace caos::cli {

std::string method_label(Method method) {
  switch (method) {
    case Method::caos:
      return "CAOS";
    case Method::full_caos:
      return "Full CAOS";
    case Method::scos:
      return "SCOS";
    case Method::scos_best:
      return "SCOS Best";
    case Method::scos_oracle:
      return "SCOS Oracle";
    case Method::split_caos:
      return "Split CAOS";
    case Method::split_caos_cal:
      return "Split CAOS (cal)";
    case Method::split_caos_ref:
      return "Split CAOS (ref)";
    case Method::full_kernel:
      return "Full kernel";
    case Method::full_ratio:
      return "Full ratio";
  }
  return std::string(method_name(method));
}

std::string share_text(double share) { return fmt::format("{:.3f}", share); }

std::string size_text(double size) {
  return std::abs(size) < 99.995 ? fmt::format("{:.2f}", size) : fmt::format("{:.1f}", size);
}

std::string number_text(const std::optional<double>& number, NumberFormat format) {
  return number ? format(*number) : "&ndash;";
}

std::string with_error(double mean, const std::optional<double>& error, NumberFormat format) {
  if (!error) return format(mean);
  return fmt::format("{}<span class=\"sem\"> ± {}</span>", format(mean), format(*error));
}

bool has_guarantee(const Guarantee& guarantee) { return guarantee.kind != Guarantee::Kind::none; }

const char* color_of(const Guarantee& guarantee) {
  return has_guarantee(guarantee) ? "#2563a8" : "#b3bac5";
}

std::string guarantee_text(const Guarantee& guarantee) {
  return has_guarantee(guarantee) ? escaped(guarantee.text()) : "none&nbsp;†";
}

std::string reasons_for_none(const std::vector<std::pair<std::string, Guarantee>>& methods) {
  std::vector<std::string> lines;
  for (const auto& [name, guarantee] : methods) {
    if (has_guarantee(guarantee) || guarantee.why_none.empty()) continue;
    lines.push_back(fmt::format("† {}: {}", name, guarantee.why_none));
  }
  std::string text;
  for (const std::string& line : distinct(lines, std::identity())) {
    text += fmt::format("<p class=\"foot\">{}</p>\n", escaped(line));
  }
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
