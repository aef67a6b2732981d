#include "apps/cli/experiments/landmark_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"
#include "caos/vision/drawing/marking.hpp"

namespace caos::cli {
namespace {

using Images = std::vector<LandmarkImage>;

/// A method and where its set sizes are.
struct ShownMethod {
  Method method;
  std::optional<double> LandmarkImage::Point::*size;
};

bool has_sizes(const Images& images, const ShownMethod& shown) {
  return std::ranges::any_of(images, [&](const LandmarkImage& image) {
    return std::ranges::any_of(image.points,
                               [&](const auto& point) { return (point.*shown.size).has_value(); });
  });
}

/// SCOS and CAOS, as far as there are sets of theirs.
std::vector<ShownMethod> methods_in(const Images& images) {
  std::vector<ShownMethod> methods;
  for (const ShownMethod& shown : {ShownMethod{Method::scos, &LandmarkImage::Point::scos},
                                   ShownMethod{Method::caos, &LandmarkImage::Point::caos}}) {
    if (has_sizes(images, shown)) methods.push_back(shown);
  }
  return methods;
}

/// Set sizes below these share a color; the first is the paper's green. Colors grow darker after
/// it, so that the order survives without hue. (Colors are in the style sheet, as `.size0`, ...)
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

std::string photo(const LandmarkImage& image, std::size_t index, bool first) {
  if (!first) return fmt::format(R"(<use href="#photo-{}"/>)", index);
  return fmt::format(
      R"(<image id="photo-{}" width="{}" height="{}" href="data:image/jpeg;base64,{}"/>)", index,
      image.width, image.height, escaped(image.jpeg));
}

std::string dot(const LandmarkImage::Point& point, const ShownMethod& shown, double radius) {
  const std::optional<double>& size = point.*shown.size;
  if (!size) return {};
  return fmt::format(
      R"(<circle class="size{}" cx="{:.1f}" cy="{:.1f}" r="{:.2f}"><title>landmark {}: {} patches</title></circle>)",
      bin_of(*size), point.x, point.y, radius, escaped(point.landmark), size_text(*size));
}

/// Small enough for neighbors to be told apart, and large enough to be seen and pointed at.
double radius_of(const LandmarkImage& image) {
  std::vector<vision::Point> places;
  for (const LandmarkImage::Point& point : image.points) places.push_back({point.x, point.y});
  const auto width = static_cast<double>(image.width);
  return std::clamp(0.4 * vision::typical_distance(places), width / 180, width / 60);
}

std::string picture(const LandmarkImage& image, std::size_t index, const ShownMethod& shown,
                    bool first) {
  const double radius = radius_of(image);
  std::string text = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}: set sizes on {}\">{}\n<g "
      "stroke-width=\"{:.2f}\">",
      image.width, image.height, method_label(shown.method), escaped(image.name),
      photo(image, index, first), radius / 4);
  for (const LandmarkImage::Point& point : image.points) text += dot(point, shown, radius);
  return text + "</g></svg>\n";
}

/// The first row has the photographs, the last one their names.
std::string picture_row(const Images& images, const ShownMethod& shown, bool first, bool last) {
  std::string text =
      fmt::format("<h3>{}</h3>\n<div class=\"pictures\">\n", method_label(shown.method));
  for (std::size_t i = 0; i < images.size(); ++i) {
    text += fmt::format("<figure>{}", picture(images[i], i, shown, first));
    if (last) text += fmt::format("<figcaption>{}</figcaption>", escaped(images[i].name));
    text += "</figure>\n";
  }
  return text + "</div>\n";
}

/// The share of a method's landmarks in each bin, over all images.
std::array<double, num_bins> shares_of(const Images& images, const ShownMethod& shown) {
  std::array<double, num_bins> counts{};
  double total = 0;
  for (const LandmarkImage& image : images) {
    for (const LandmarkImage::Point& point : image.points) {
      const std::optional<double>& size = point.*shown.size;
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

std::string legend(const Images& images, const std::vector<ShownMethod>& methods) {
  std::string text = "<table class=\"legend\">\n<tr><th>patches in the set</th>";
  std::vector<std::array<double, num_bins>> shares;
  for (const ShownMethod& shown : methods) {
    text += fmt::format("<th class=\"number\">{}</th>", method_label(shown.method));
    shares.push_back(shares_of(images, shown));
  }
  text += "</tr>\n";
  for (std::size_t bin = 0; bin < num_bins; ++bin) text += legend_row(bin, shares);
  return text + "</table>\n";
}

}  // namespace

std::string landmark_image_grid(const Images& images) {
  const std::vector<ShownMethod> methods = methods_in(images);
  std::string text = "<div class=\"faces\"><div>\n";
  for (std::size_t m = 0; m < methods.size(); ++m) {
    text += picture_row(images, methods[m], m == 0, m + 1 == methods.size());
  }
  return text + "</div>\n" + legend(images, methods) + "</div>\n";
}

}  // namespace caos::cli
