#include "apps/cli/experiments/landmark_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/html_table.hpp"
#include "apps/cli/reports/json_parts.hpp"

namespace caos::cli {
namespace {

bool has_sizes(const Json& images, const char* method) {
  return std::ranges::any_of(images, [&](const Json& image) {
    return std::ranges::any_of(member(image, "points"), [&](const Json& point) {
      return number(member(point, method)).has_value();
    });
  });
}

/// SCOS and CAOS, as far as there are sets of theirs.
std::vector<const char*> methods_in(const Json& images) {
  std::vector<const char*> methods;
  for (const char* method : {"scos", "caos"}) {
    if (has_sizes(images, method)) methods.push_back(method);
  }
  return methods;
}

/// Set sizes below these share a colour; the first is the paper's green. Colours grow darker after
/// it, so that the order survives without hue. (Colours are in the style sheet, as `.size0`, ...)
constexpr std::array<double, 4> bounds = {10, 20, 40, 80};
constexpr std::size_t num_bins = bounds.size() + 1;

std::size_t bin_of(double size) {
  return static_cast<std::size_t>(
      std::distance(bounds.begin(), std::ranges::upper_bound(bounds, size)));
}

std::string bin_label(std::size_t bin) {
  if (bin == 0) return fmt::format("below {}", bounds[0]);
  if (bin == bounds.size()) return fmt::format("{} or more", bounds.back());
  return fmt::format("{} to below {}", bounds[bin - 1], bounds[bin]);
}

std::string photo(const Json& image, std::size_t index, bool first) {
  if (!first) return fmt::format(R"(<use href="#photo-{}"/>)", index);
  return fmt::format(
      R"(<image id="photo-{}" width="{}" height="{}" href="data:image/jpeg;base64,{}"/>)", index,
      number(member(image, "width")).value_or(1), number(member(image, "height")).value_or(1),
      escaped(plain_text(member(image, "jpeg"))));
}

std::string dot(const Json& point, const char* method, double radius) {
  const auto size = number(member(point, method));
  const auto x = number(member(point, "x"));
  const auto y = number(member(point, "y"));
  if (!size || !x || !y) return {};
  return fmt::format(
      R"(<circle class="size{}" cx="{:.1f}" cy="{:.1f}" r="{:.2f}"><title>landmark {}: {} patches</title></circle>)",
      bin_of(*size), *x, *y, radius, escaped(plain_text(member(point, "landmark"))),
      size_text(*size));
}

std::string picture(const Json& image, std::size_t index, const char* method, bool first) {
  const double width = number(member(image, "width")).value_or(1);
  const double height = number(member(image, "height")).value_or(1);
  const Json& points = member(image, "points");
  // Few landmarks bear larger dots; hundreds would hide the face.
  const double radius = width / (points.size() > 100 ? 95 : 60);
  std::string text = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}: set sizes on {}\">{}\n<g "
      "stroke-width=\"{:.2f}\">",
      width, height, method_label(method), escaped(plain_text(member(image, "name"))),
      photo(image, index, first), radius / 4);
  for (const Json& point : points) text += dot(point, method, radius);
  return text + "</g></svg>\n";
}

/// The first row has the photographs, the last one their names.
std::string picture_row(const Json& images, const char* method, bool first, bool last) {
  std::string text = fmt::format("<h3>{}</h3>\n<div class=\"pictures\">\n", method_label(method));
  std::size_t index = 0;
  for (const Json& image : images) {
    text += fmt::format("<figure>{}", picture(image, index++, method, first));
    if (last) {
      text +=
          fmt::format("<figcaption>{}</figcaption>", escaped(plain_text(member(image, "name"))));
    }
    text += "</figure>\n";
  }
  return text + "</div>\n";
}

/// The share of a method's landmarks in each bin, over all images.
std::array<double, num_bins> shares_of(const Json& images, const char* method) {
  std::array<double, num_bins> counts{};
  double total = 0;
  for (const Json& image : images) {
    for (const Json& point : member(image, "points")) {
      const auto size = number(member(point, method));
      if (!size) continue;
      ++counts[bin_of(*size)];
      ++total;
    }
  }
  for (double& count : counts) count = total > 0 ? count / total : 0;
  return counts;
}

std::string legend_row(std::size_t bin, const std::vector<std::array<double, num_bins>>& shares) {
  std::string text = fmt::format(
      "<tr><td><svg width=\"14\" height=\"14\"><circle class=\"size{}\" cx=\"7\" cy=\"7\" "
      "r=\"5.5\"/></svg> {}</td>",
      bin, bin_label(bin));
  for (const auto& of_method : shares) {
    text += fmt::format("<td class=\"number\">{:.0f} %</td>", 100 * of_method[bin]);
  }
  return text + "</tr>\n";
}

std::string legend(const Json& images, const std::vector<const char*>& methods) {
  std::string text = "<table class=\"legend\">\n<tr><th>patches in the set</th>";
  std::vector<std::array<double, num_bins>> shares;
  for (const char* method : methods) {
    text += fmt::format("<th class=\"number\">{}</th>", method_label(method));
    shares.push_back(shares_of(images, method));
  }
  text += "</tr>\n";
  for (std::size_t bin = 0; bin < num_bins; ++bin) text += legend_row(bin, shares);
  return text + "</table>\n";
}

}  // namespace

std::string landmark_image_grid(const Json& images) {
  const std::vector<const char*> methods = methods_in(images);
  std::string text = "<div class=\"faces\"><div>\n";
  for (const char* method : methods) {
    text += picture_row(images, method, method == methods.front(), method == methods.back());
  }
  return text + "</div>\n" + legend(images, methods) + "</div>\n";
}

}  // namespace caos::cli
