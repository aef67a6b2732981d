#pragma once

#include <string>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The results of `caos experiment landmarks` as a page: tables, plots, test images.
/// Self-contained: it opens from a file without any request, and its own policy forbids them. Parts
/// that the results lack are left out. Tables and images need no script; plots are drawn by Vega,
/// and where the program was built without it the page says so.
[[nodiscard]] std::string landmark_report(const Json& results);

}  // namespace caos::cli
