#include "apps/cli/pages/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace caos::cli {
namespace {

std::string_view entity(const char& c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {&c, 1};
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char& c : text) result += entity(c);
  return result;
}

std::string coverage_plot(const SharePlot& plot) {
  const auto x = [&](double share) {
    const double along = std::max(0.0, share - plot.axis_begin) / (1 - plot.axis_begin);
    return 4 + (plot.width - 8) * std::min(1.0, along);
  };
  return fmt::format(
      R"(<svg width="{0}" height="18" role="img" aria-label="coverage {5:.3f}">)"
      R"(<line x1="{1:.1f}" x2="{1:.1f}" y1="0" y2="18" stroke="#c2410c" stroke-dasharray="3 2"/>)"
      R"(<line x1="{2:.1f}" x2="{3:.1f}" y1="9" y2="9" stroke="{6}" stroke-width="2"/>)"
      R"(<circle cx="{4:.1f}" cy="9" r="4" fill="{6}"/></svg>)",
      plot.width, x(plot.target), x(plot.low), x(plot.high), x(plot.share), plot.share, plot.color);
}

double coverage_axis_begin(double lowest) {
  return std::max(0.0, std::floor(lowest * 20 - 1) / 20);
}

std::string size_plot(double mean_set_size, double largest, const char* color, double width) {
  return fmt::format(R"(<svg width="{}" height="18" role="img" aria-label="mean set size {:.3f}">)"
                     R"(<rect y="3" width="{:.1f}" height="12" rx="2" fill="{}"/></svg>)",
                     width, mean_set_size, largest > 0 ? width * mean_set_size / largest : 0,
                     color);
}

}  // namespace caos::cli
