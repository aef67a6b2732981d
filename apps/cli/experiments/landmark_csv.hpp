#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The numbers of the page on landmarks as CSV files: file name and text of each part that the
/// results have, with every digit. What is null is an empty field.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> landmark_csvs(const Json& results);

}  // namespace caos::cli
