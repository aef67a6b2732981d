#include "apps/cli/experiments/landmark_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/html_table.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli::landmark_tables {
namespace {

constexpr double plot_width = 120;

std::string spread(const Json& sem, NumberFormat format, const char* html) {
  const auto found = number(sem);
  return found ? fmt::format(fmt::runtime(html), format(*found)) : std::string();
}

/// The mean with its standard error, over splits or, of one split, over test images.
std::string measured(const Json& quantity, NumberFormat format) {
  if (!number(member(quantity, "mean"))) return "&ndash;";
  return number_text(member(quantity, "mean"), format) +
         spread(member(quantity, "sem"), format, "<span class=\"sem\"> ± {}</span>");
}

std::string printed(const Json& paper, const char* key, const char* sem, NumberFormat format) {
  return number_text(member(paper, key), format) +
         spread(member(paper, sem), format, "<span class=\"sem\"> ± {}</span>");
}

double mean_of(const Json& entry, const char* key, double otherwise) {
  return number(member(member(entry, key), "mean")).value_or(otherwise);
}

bool is_at(const Json& entry, const std::string& alpha) {
  return plain_text(member(entry, "alpha")) == alpha;
}

/// The axes of the plots in rows: sizes as in the whole table, coverages as far as alpha asks.
struct Scale {
  double axis_begin = 1;
  double largest_size = 0;
};

Scale scale_at(const Json& entries, const std::string& alpha) {
  Scale scale;
  for (const Json& entry : entries) {
    scale.largest_size = std::max(scale.largest_size, mean_of(entry, "mean_set_size", 0));
    if (!is_at(entry, alpha)) continue;
    scale.axis_begin =
        std::min({scale.axis_begin, mean_of(entry, "coverage", 1), target_of(entry)});
  }
  scale.axis_begin = coverage_axis_begin(scale.axis_begin);
  return scale;
}

std::string coverage_cell(const Json& entry, const Scale& scale, bool guaranteed) {
  const Json& coverage = member(entry, "coverage");
  const auto mean = number(member(coverage, "mean"));
  if (!mean) return plot_cell("");
  const double sem = number(member(coverage, "sem")).value_or(0);
  return plot_cell(coverage_plot({.share = *mean,
                                  .low = *mean - sem,
                                  .high = *mean + sem,
                                  .target = target_of(entry),
                                  .axis_begin = scale.axis_begin,
                                  .color = guaranteed ? promised_color : unpromised_color,
                                  .width = plot_width}));
}

std::string size_cell(const Json& entry, const Scale& scale, bool guaranteed) {
  const auto mean = number(member(member(entry, "mean_set_size"), "mean"));
  if (!mean) return plot_cell("");
  return plot_cell(size_plot(*mean, scale.largest_size,
                             guaranteed ? promised_color : unpromised_color, plot_width));
}

/// Coverage and size, each in figures and drawn.
std::string result_cells(const Json& entry, const Scale& scale, bool guaranteed, bool best) {
  return number_cell(measured(member(entry, "coverage"), share_text)) +
         coverage_cell(entry, scale, guaranteed) +
         number_cell(measured(member(entry, "mean_set_size"), size_text), best ? " best" : "") +
         size_cell(entry, scale, guaranteed);
}

constexpr const char* result_heads =
    "<th scope=\"col\" class=\"number\">coverage</th><td class=\"drawn\"></td>"
    "<th scope=\"col\" class=\"number\">mean set size</th><td class=\"drawn\"></td>";

bool any_paper(const Json& entries) {
  return std::ranges::any_of(entries,
                             [](const Json& entry) { return member(entry, "paper").is_object(); });
}

std::string paper_cells(const Json& entry) {
  const Json& paper = member(entry, "paper");
  return number_cell(printed(paper, "coverage", "coverage_sem", share_text), " paper") +
         number_cell(printed(paper, "mean_set_size", "mean_set_size_sem", size_text), " paper");
}

std::string method_row(const Json& entry, const Scale& scale, bool best, bool with_paper) {
  const bool guaranteed = has_guarantee(entry);
  const std::string guarantee = escaped(plain_text(member(entry, "guarantee")));
  return fmt::format(
      "<tr{}><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>\n", guaranteed ? "" : " class=\"none\"",
      escaped(method_label(plain_text(member(entry, "method")))),
      guaranteed ? guarantee : "none&nbsp;†", result_cells(entry, scale, guaranteed, best),
      with_paper ? paper_cells(entry) : "");
}

/// The smallest mean set size among the methods that promise something, if there is a choice.
std::optional<double> smallest_size(const Json& entries, const std::string& alpha) {
  std::vector<double> sizes;
  for (const Json& entry : entries) {
    const auto size = number(member(member(entry, "mean_set_size"), "mean"));
    if (size && is_at(entry, alpha) && has_guarantee(entry)) sizes.push_back(*size);
  }
  if (sizes.size() < 2) return std::nullopt;
  return std::ranges::min(sizes);
}

/// Begins the rows of an alpha: what is to be covered, and the axes of the plots below.
std::string alpha_row(const Json& entries, const std::string& alpha, int more_columns) {
  const auto entry = std::ranges::find_if(entries, [&](const Json& e) { return is_at(e, alpha); });
  const Scale scale = scale_at(entries, alpha);
  std::string text = fmt::format(
      "<tr class=\"alpha\"><th scope=\"rowgroup\" colspan=\"3\">alpha = {} <span>to be covered: "
      "{:.4g}</span></th><td class=\"drawn\">{:.2f} to 1</td><td></td><td class=\"drawn\">0 to {}</td>",
      escaped(alpha), target_of(*entry), scale.axis_begin, size_text(scale.largest_size));
  for (int column = 0; column < more_columns; ++column) text += "<td></td>";
  return text + "</tr>\n";
}

std::string method_rows(const Json& entries, const std::string& alpha, bool with_paper) {
  const std::optional<double> smallest = smallest_size(entries, alpha);
  const Scale scale = scale_at(entries, alpha);
  std::string text = alpha_row(entries, alpha, with_paper ? 2 : 0);
  for (const Json& entry : entries) {
    if (!is_at(entry, alpha)) continue;
    const bool best = has_guarantee(entry) && mean_of(entry, "mean_set_size", -1) == smallest;
    text += method_row(entry, scale, best, with_paper);
  }
  return text;
}

/// The first entry that has this text under `key` and that under `other`.
const Json& find_entry(const Json& entries, const char* key, const std::string& text,
                       const char* other, const std::string& other_text) {
  static const Json null;
  const auto found = std::ranges::find_if(entries, [&](const Json& entry) {
    return plain_text(member(entry, key)) == text && plain_text(member(entry, other)) == other_text;
  });
  return found == entries.end() ? null : *found;
}

std::vector<std::string> labeled(const char* prefix, std::vector<std::string> names) {
  for (std::string& name : names) name = prefix + escaped(name);
  return names;
}

/// A row per k and a column per text under `key`.
template <typename Cell>
std::string k_table(const Json& entries, const char* key, const char* prefix, Cell&& cell_of) {
  const std::vector<std::string> columns = distinct(entries, key);
  std::string body;
  for (const std::string& k : distinct(entries, "k")) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(k));
    for (const std::string& column : columns) {
      body += number_cell(cell_of(find_entry(entries, "k", k, key, column)));
    }
    body += "</tr>\n";
  }
  return html_table(table_head({"k"}, number_heads(labeled(prefix, columns))), body);
}

/// What separate sets do for all landmarks at once, as the entry of a method that promises nothing.
Json separate_entry(const Json& entry, const Json& method_entries) {
  const std::string alpha = plain_text(member(entry, "alpha"));
  const Json& caos = find_entry(method_entries, "method", "caos", "alpha", alpha);
  return {{"method", "separate sets (CAOS)"},
          {"alpha", alpha},
          {"guarantee", "none"},
          {"why_none", "each holds its own landmark with probability 1 - alpha, not all at once"},
          {"coverage", {{"mean", member(entry, "per_landmark_coverage_together")}}},
          {"mean_set_size", member(caos, "mean_set_size")}};
}

Json simultaneous_entry(const Json& entry) {
  return {{"method", "simultaneous sets"},
          {"alpha", member(entry, "alpha")},
          {"guarantee", "simultaneous"},
          {"coverage", member(entry, "coverage")},
          {"mean_set_size", member(entry, "mean_set_size")}};
}

/// Only a score that was fixed before the data were seen keeps the promise.
bool fixed_in_advance(const Json& entry) {
  const Json& fixed = member(entry, "fixed_in_advance");
  return !fixed.is_boolean() || fixed.get<bool>();
}

/// Whether a parameter that somebody gave was fixed in advance only they can know.
std::string fixed_text(const Json& entry) {
  return member(entry, "fixed_in_advance").is_boolean() ? "yes" : "if given so";
}

std::string beyond_row(const Json& entry, const Scale& scale) {
  const bool fixed = fixed_in_advance(entry);
  return fmt::format("<tr{}><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>\n",
                     fixed ? "" : " class=\"none\"", escaped(plain_text(member(entry, "score"))),
                     fixed ? fixed_text(entry) : "no&nbsp;†",
                     result_cells(entry, scale, fixed, false),
                     number_cell(number_text(member(entry, "ratio_to_cosine"), size_text)));
}

std::string landmark_row(const Json& entry, const std::vector<std::string>& methods) {
  std::string text = fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>",
                                 escaped(plain_text(member(entry, "name"))),
                                 escaped(plain_text(member(entry, "stratum"))));
  for (const std::string& method : methods) {
    text += number_cell(number_text(member(member(entry, "sizes"), method.c_str()), size_text));
  }
  return text + number_cell(number_text(member(member(entry, "coverage"), "caos"), share_text)) +
         number_cell(escaped(plain_text(member(entry, "n")))) +
         number_cell(number_text(member(entry, "smallest_alpha"), share_text)) + "</tr>\n";
}

}  // namespace

std::string methods(const Json& entries) {
  const bool with_paper = any_paper(entries);
  const std::string paper_heads =
      "<th scope=\"col\" class=\"number paper\"><em>the paper:</em> coverage</th>"
      "<th scope=\"col\" class=\"number paper\">mean set size</th>";
  std::string body;
  for (const std::string& alpha : distinct(entries, "alpha")) {
    body += method_rows(entries, alpha, with_paper);
  }
  return html_table(
             table_head({"method", "guarantee"}, result_heads + (with_paper ? paper_heads : "")),
             body) +
         reasons_for_none(entries);
}

std::string k_ablation(const Json& entries) {
  return k_table(entries, "alpha", "alpha = ", [](const Json& entry) {
    return measured(member(entry, "mean_set_size"), size_text) +
           spread(member(member(entry, "coverage"), "mean"), share_text,
                  "<small>covers {}</small>");
  });
}

std::string k_strata(const Json& entries) {
  return k_table(entries, "stratum", "", [](const Json& entry) {
    return measured(member(entry, "mean_set_size"), size_text);
  });
}

std::string simultaneous(const Json& entries, const Json& method_entries) {
  Json rows = Json::array();
  for (const Json& entry : entries) {
    rows.push_back(simultaneous_entry(entry));
    if (number(member(entry, "per_landmark_coverage_together"))) {
      rows.push_back(separate_entry(entry, method_entries));
    }
  }
  return methods(rows);
}

std::string beyond(const Json& entries) {
  std::string body;
  for (const std::string& alpha : distinct(entries, "alpha")) {
    body += alpha_row(entries, alpha, 1);
    for (const Json& entry : entries) {
      if (is_at(entry, alpha)) body += beyond_row(entry, scale_at(entries, alpha));
    }
  }
  const char* chosen_late =
      "<p class=\"foot\">† Chosen with these data in sight: the figures are a hint for the next "
      "data, not a result, and carry no guarantee.</p>\n";
  const bool all_fixed = std::ranges::all_of(entries, fixed_in_advance);
  return html_table(table_head({"score", "fixed in advance"},
                               result_heads + number_heads({"size / cosine's"})),
                    body) +
         (all_fixed ? "" : chosen_late);
}

std::string landmarks(const Json& entries) {
  const std::vector<std::string> names = distinct_keys(entries, "sizes");
  std::vector<std::string> heads;
  heads.reserve(names.size() + 3);
  for (const std::string& name : names) heads.push_back(escaped(method_label(name)));
  heads.insert(heads.end(), {"CAOS covers", "n", "smallest alpha"});
  std::string body;
  for (const Json& entry : entries) body += landmark_row(entry, names);
  return fmt::format("<details><summary>All {} landmarks as a table</summary>\n{}</details>\n",
                     entries.size(),
                     html_table(table_head({"landmark", "stratum"}, number_heads(heads)), body));
}

}  // namespace caos::cli::landmark_tables
