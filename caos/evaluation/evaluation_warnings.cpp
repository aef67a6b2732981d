#include "caos/evaluation/evaluation_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "caos/miscoverage.hpp"

namespace caos {
namespace {

std::string infeasible_text(const MethodResult& result, const split::Partition& partition,
                            RankRule rule) {
  const bool clip_rank = rule == RankRule::clip;
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
                             result.method == Method::split_caos_ref ||
                             is_full_conformal_of_vectors(result.method);
  const std::size_t n =
      partition.calibration.size() + (all_calibrate ? partition.references.size() : 0);
  if (result.conditional) return warning_text(result.alpha, *result.conditional, n);
  return fmt::format(
      "alpha {}: {} calibration examples are needed and there are {}, which support alpha {:.4g} or "
      "more; so {}",
      result.alpha.text(), needed, n, smallest_feasible_alpha(n),
      clip_rank ? "the rank is clipped and nothing is guaranteed" : "every set is every label");
}

}  // namespace

std::string warning_text(const TooFewExamples& too_few) {
  const std::string have = too_few.grouped
                               ? fmt::format("{} and there are fewer", too_few.where)
                               : fmt::format("and there are {}, which support alpha {:.4g} or more",
                                             too_few.count, smallest_feasible_alpha(too_few.count));
  std::string consequence = "every set is every label";
  if (too_few.grouped) {
    consequence = fmt::format("labels without enough {} are always included", too_few.examples);
  }
  if (too_few.smoothed) consequence = "labels are excluded at random only";
  if (too_few.rule == RankRule::clip) consequence = "the rank is clipped and nothing is guaranteed";
  return fmt::format("alpha {}: {} labeled {} are needed {}; so {}", too_few.alpha.text(),
                     examples_needed(too_few.alpha), too_few.examples, have, consequence);
}

std::string warning_text(const Miscoverage& alpha, const TrainingConditional& conditional,
                         std::size_t count) {
  return fmt::format(
      "alpha {} with confidence {}: {} calibration examples are needed and there are {}; so every "
      "set is every label",
      alpha.text(), conditional.confidence.text(), examples_needed(alpha, conditional), count);
}

std::vector<std::string> infeasibility_warnings(const std::vector<MethodResult>& results,
                                                const split::Partition& partition, RankRule rule) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> found;
  for (const MethodResult& result : results) {
    if (result.feasible) continue;
    const std::string text = infeasible_text(result, partition, rule);
    auto same = std::ranges::find(found, text, [](const auto& w) { return w.first; });
    if (same == found.end()) same = found.insert(same, {text, {}});
    same->second.push_back(method_name(result.method));
  }
  std::vector<std::string> warnings;
  for (const auto& [text, methods] : found) {
    warnings.push_back(fmt::format("{} ({})", text, fmt::join(methods, ", ")));
  }
  return warnings;
}

std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown) {
  if (unknown.empty()) return std::nullopt;
  return fmt::format("no labeled example is in group {}; test examples of it get every label",
                     fmt::join(unknown, ", "));
}

}  // namespace caos
