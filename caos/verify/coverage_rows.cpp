#include "caos/verify/coverage_rows.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace caos {
namespace {

/// The labels that some test example has, each with equal weight.
std::optional<Trial> trial_by_label(const MethodResult& result) {
  Trial trial;
  for (const GroupResult& group : result.groups) {
    if (group.num_test == 0) continue;
    trial.coverage += group.evaluation->coverage;
    trial.tasks.push_back({.n = group.n, .rank = group.rank, .tested = group.num_test});
  }
  if (trial.tasks.empty()) return std::nullopt;
  trial.coverage /= static_cast<double>(trial.tasks.size());
  return trial;
}

}  // namespace

void CoverageRows::add(const std::string& name, const MethodResult& result, const TrialLaw& law) {
  Row& to = row(name, result);
  if (result.groups.empty()) {
    to.trials.push_back({.coverage = result.evaluation.coverage, .tasks = {law}});
  } else if (auto trial = trial_by_label(result)) {
    to.trials.push_back(std::move(*trial));
  }
}

std::vector<CoverageCheck> CoverageRows::checks() const {
  std::vector<CoverageCheck> checks;
  for (const Row& row : rows_) {
    checks.push_back(check_coverage(row.name, row.alpha, row.guarantee, row.trials));
  }
  return checks;
}

CoverageRows::Row& CoverageRows::row(const std::string& name, const MethodResult& result) {
  const auto found = std::ranges::find_if(
      rows_, [&](const Row& each) { return each.name == name && each.alpha == result.alpha; });
  if (found != rows_.end()) return *found;
  rows_.push_back({.name = name, .alpha = result.alpha, .guarantee = result.guarantee});
  return rows_.back();
}

}  // namespace caos
