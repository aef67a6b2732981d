#include "evaluation_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "caos/numerics/conformal_rank.hpp"
#include "program.hpp"

namespace caos::cli {
namespace {

std::string infeasible_text(const MethodResult& result, const split::Partition& partition,
                            bool clip_rank) {
  const std::size_t needed = examples_needed(result.alpha);
  if (!result.groups.empty()) {
    const auto small = std::ranges::count(result.groups, false, &GroupResult::feasible);
    return fmt::format(
        "alpha {}: {} calibration examples are needed in each group; {} of {} groups have fewer, {}",
        result.alpha.text(), needed, small, result.groups.size(),
        clip_rank ? "where the rank is clipped and nothing is guaranteed"
                  : "where labels are always included");
  }
  const bool all_calibrate = result.method == Method::caos || result.method == Method::full_caos ||
                             result.method == Method::split_caos_ref;
  const std::size_t n =
      partition.calibration.size() + (all_calibrate ? partition.references.size() : 0);
  return fmt::format(
      "alpha {}: {} calibration examples are needed and there are {}, which support alpha {:.4g} or "
      "more; so {}",
      result.alpha.text(), needed, n, smallest_feasible_alpha(n),
      clip_rank ? "the rank is clipped and nothing is guaranteed" : "every set is every label");
}

}  // namespace

void warn_if_infeasible(const CommonOptions& options, const std::vector<MethodResult>& results,
                        const split::Partition& partition, bool clip_rank) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> warnings;
  for (const MethodResult& result : results) {
    if (result.feasible) continue;
    const std::string text = infeasible_text(result, partition, clip_rank);
    auto same = std::ranges::find(warnings, text, [](const auto& w) { return w.first; });
    if (same == warnings.end()) same = warnings.insert(same, {text, {}});
    same->second.push_back(method_name(result.method));
  }
  for (const auto& [text, methods] : warnings) {
    warn(options, fmt::format("{} ({})", text, fmt::join(methods, ", ")));
  }
}

}  // namespace caos::cli
