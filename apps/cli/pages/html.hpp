#pragma once

#include <string>
#include <string_view>

namespace caos::cli {

/// Text as it has to stand in a page, between tags or in a quoted attribute.
[[nodiscard]] std::string escaped(std::string_view text);

inline constexpr double row_plot_width = 220;

/// A share with what surrounds it, for a plot in the row of a table.
struct SharePlot {
  double share = 0;
  double low = 0;   ///< where the line around the dot begins
  double high = 0;  ///< and ends
  double target = 0;
  double axis_begin = 0;  ///< the axis ends at 1
  const char* color = "";
  double width = row_plot_width;
};

/// A dot for the coverage, a line around it, a dashed line for the target.
[[nodiscard]] std::string coverage_plot(const SharePlot& plot);

/// Where the axis of coverages begins, given the lowest thing to be drawn: a twentieth below it.
[[nodiscard]] double coverage_axis_begin(double lowest);

/// A bar for a mean set size, as long as the plot for `largest`.
[[nodiscard]] std::string size_plot(double mean_set_size, double largest, const char* color,
                                    double width = row_plot_width);

}  // namespace caos::cli
