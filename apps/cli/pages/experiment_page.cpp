#include "apps/cli/pages/experiment_page.hpp"

#include <fmt/format.h>

#include "apps/cli/pages/assets.hpp"
#include "apps/cli/pages/html.hpp"
#include "caos/version.hpp"

namespace caos::cli::experiment_page {
namespace {

/// No "<" is left in it, so nothing in it can end the script or open a comment.
std::string script_data(const predictions::Json& results) {
  std::string text;
  for (const char c : predictions::json_text(results)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string scripts(const Page& page) {
  if (!has_vega()) return {};
  std::string text = fmt::format("<!--\n{}-->\n", assets::vega_license);
  for (const std::string_view script :
       {assets::vega_js, assets::vega_lite_js, assets::vega_embed_js}) {
    text += fmt::format("<script>{}</script>\n", script);
  }
  text += fmt::format("<script type=\"application/json\" id=\"results\">{}</script>\n",
                      script_data(page.results));
  return text + fmt::format("<script>\n{}</script>\n<script>\n{}</script>\n",
                            assets::experiment_page_js, page.script);
}

std::string content_of(std::string_view name, const Page& page) {
  if (name == "title") return escaped(page.title);
  if (name == "style") return std::string(assets::experiment_page_css);
  return name == "body" ? page.body : scripts(page);
}

}  // namespace

bool has_vega() {
  return !assets::vega_js.empty() && !assets::vega_lite_js.empty() &&
         !assets::vega_embed_js.empty();
}

std::string plot(std::string_view id, std::string_view title, std::string_view caption) {
  if (!has_vega()) return {};
  return fmt::format(
      "<figure class=\"plot\"><h3>{}</h3><div id=\"{}\"></div><figcaption>{}</figcaption>"
      "</figure>\n",
      title, id, caption);
}

std::string section(std::string_view title, std::string_view lead, const std::string& content) {
  return fmt::format("<section>\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n{}</section>\n", title,
                     lead, content);
}

std::string about_plots() {
  return has_vega()
             ? "<noscript><p class=\"missing\">This page draws its plots with a script, and scripts "
               "are disabled.</p></noscript>\n"
             : "<p class=\"missing\">This page has tables but no plots: the program was built "
               "without Vega. <code>tools/setup</code> fetches it; build again after that.</p>\n";
}

std::string notes(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("<li>{}</li>\n", escaped(line));
  return fmt::format("<section>\n<h2>Notes</h2>\n<ul class=\"notes\">\n{}</ul>\n</section>\n",
                     text);
}

std::string footer(const std::string& command) {
  return fmt::format("<footer>caos {}{}{}</footer>\n", escaped(version()),
                     command.empty() ? "" : fmt::format(": <code>{}</code>", escaped(command)),
                     has_vega() ? "<br>Plots: Vega, Vega-Lite and Vega-Embed, University of "
                                  "Washington Interactive Data Lab (BSD license, in the source of "
                                  "this page)."
                                : "");
}

std::string text_of(const Page& page) {
  // Each {{name}} of the template, in one pass: what is filled in is not searched again.
  std::string_view rest = assets::experiment_page_html;
  std::string text;
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    text += rest.substr(0, open);
    text += content_of(rest.substr(open + 2, close - open - 2), page);
    rest.remove_prefix(close + 2);
  }
  return text.append(rest);
}

}  // namespace caos::cli::experiment_page
