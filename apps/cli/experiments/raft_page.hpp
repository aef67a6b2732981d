#pragma once

#include <string>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The results of `caos experiment raft` as a page: the paper's figure for each alpha, and tables.
/// Self-contained: it opens from a file without any request, and its own policy forbids them. Parts
/// that the results lack are left out. Tables need no script; figures are drawn by Vega, and where
/// the program was built without it the page says so.
[[nodiscard]] std::string raft_report(const Json& results);

}  // namespace caos::cli
