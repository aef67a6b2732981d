#include "apps/cli/experiments/raft_results.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace caos::cli {
namespace {

/// Sizes are averages of whole numbers: what is closer than this is equal.
constexpr double rounding = 1e-9;

std::optional<double> errors_from_target(const MeanWithError& coverage, const Miscoverage& alpha) {
  if (coverage.standard_error.value_or(0) == 0) return std::nullopt;
  return (coverage.mean - (1 - alpha.value())) / *coverage.standard_error;
}

RaftOverall over_tasks(const RaftResults& results, Method method, const Miscoverage& alpha) {
  const auto num_tasks = static_cast<double>(results.tasks.size());
  std::vector<double> coverage(results.options.seeds.size());
  std::vector<double> size(coverage.size());
  for (const RaftTask& task : results.tasks) {
    const TextExperimentResult& result = *find_result(task.experiment, method, alpha);
    for (std::size_t s = 0; s < coverage.size(); ++s) {
      coverage[s] += result.coverage[s] / num_tasks;
      size[s] += result.mean_set_size[s] / num_tasks;
    }
  }
  const MeanWithError mean = mean_with_error(coverage);
  return {.method = method,
          .alpha = alpha,
          .guarantee = find_result(results.tasks.at(0).experiment, method, alpha)->guarantee,
          .coverage = mean,
          .errors_from_target = errors_from_target(mean, alpha),
          .mean_set_size = mean_with_error(size)};
}

std::vector<RaftPart> parts_at(const RaftResults& results, const Miscoverage& alpha) {
  std::vector<RaftPart> parts;
  for (const ReachesTarget reaches : {ReachesTarget::both, ReachesTarget::caos_only,
                                      ReachesTarget::scos_only, ReachesTarget::neither}) {
    RaftPart part{.reaches = reaches};
    for (const RaftTask& task : results.tasks) {
      if (reaches_target(task.experiment, alpha) == reaches) part.tasks.push_back(&task);
    }
    if (!part.tasks.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

RaftGroup group_at(const RaftResults& results, const Miscoverage& alpha) {
  RaftGroup group{.alpha = alpha, .parts = parts_at(results, alpha)};
  for (const RaftTask& task : results.tasks) {
    const double caos = find_result(task.experiment, Method::caos, alpha)->mean_size();
    const double scos = find_result(task.experiment, Method::scos, alpha)->mean_size();
    group.caos_smaller += caos < scos - rounding ? 1U : 0U;
    group.caos_equal += caos >= scos - rounding && caos <= scos + rounding ? 1U : 0U;
  }
  return group;
}

}  // namespace

std::vector<RaftOverall> overall_of(const RaftResults& results) {
  std::vector<RaftOverall> rows;
  for (const Miscoverage& alpha : results.options.alphas) {
    for (const Method method : results.options.methods) {
      rows.push_back(over_tasks(results, method, alpha));
    }
  }
  return rows;
}

std::vector<RaftGroup> groups_of(const RaftResults& results) {
  const std::vector<Method>& methods = results.options.methods;
  for (const Method method : {Method::caos, Method::scos}) {
    if (std::ranges::find(methods, method) == methods.end()) return {};
  }
  std::vector<RaftGroup> groups;
  for (const Miscoverage& alpha : results.options.alphas) {
    groups.push_back(group_at(results, alpha));
  }
  return groups;
}

std::string error_over(const RaftResults& results) {
  const std::size_t seeds = results.options.seeds.size();
  return fmt::format("{} split{}", seeds, seeds == 1 ? "" : "s");
}

const char* normalization_meaning(const ScoringReport& scoring) {
  if (scoring.embeddings) {
    return "minus the logarithm of the label's share of the votes: of all labeled texts and the "
           "label's name with full-kernel, of one labeled text and the name with the others";
  }
  switch (parse_normalization(scoring.normalization)) {
    case Normalization::average:
      return "average: negative log-likelihood per token, the paper's";
    case Normalization::sum:
      return "sum: negative log-likelihood";
    case Normalization::per_byte:
      return "per-byte: negative log-likelihood per byte of the label";
    case Normalization::pmi:
      return "pmi: negative log of how much the text raises the label's likelihood";
    case Normalization::softmax:
      return "softmax: negative log of the softmax, over the labels, of minus the average";
  }
  return "";
}

}  // namespace caos::cli
