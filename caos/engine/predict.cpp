#include "caos/engine/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "caos/conformal/full.hpp"
#include "caos/core/error.hpp"
#include "caos/core/rng.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

using Candidates = std::vector<std::optional<Exceedances>>;

Candidates all_of(const std::vector<Exceedances>& labels) { return {labels.begin(), labels.end()}; }

/// What each label is judged by. Full CAOS looks only at the largest plain CAOS set; smoothed
/// p-values are never above the plain ones, so that set holds every label that they admit, too.
Candidates candidates_of(const Calibration& calibration, const TestInput& input,
                         const PredictOptions& options) {
  if (options.method == Method::full_caos) {
    if (options.alphas.empty()) return all_of(full::exceedances(calibration, input));
    return full::exceedances_of_candidates(calibration, input,
                                           *std::ranges::min_element(options.alphas), options.rule);
  }
  check_predicts(options.method);
  return all_of(calibration.exceedances(input));
}

}  // namespace

void check_predicts(Method method) {
  require(method == Method::caos || method == Method::full_caos, ErrorKind::invalid_input, [&] {
    return fmt::format("{} does not predict from a calibration; choose caos or full-caos",
                       method_name(method));
  });
}

Prediction predict(const Calibration& calibration, const TestInput& input, std::size_t index,
                   const PredictOptions& options) {
  check_pools(input.pools, index, "scores");
  check_pools(input.reverse, index, "reverse scores");
  const Candidates candidates = candidates_of(calibration, input, options);
  Prediction result;
  result.sets.resize(options.alphas.size());
  result.p_values.resize(candidates.size());
  Rng rng = Rng::stream(options.smoothing_seed.value_or(0), index);
  for (Label y = 0; y < candidates.size(); ++y) {
    const double u = rng.uniform();  // drawn for every label, so that each has its own draw
    if (!candidates[y]) continue;
    const Exceedances& e = *candidates[y];
    const std::size_t n = calibration.peers(y, input.group).size();
    const bool smoothed = options.smoothing_seed.has_value();
    const double p = smoothed ? smoothed_p_value(e, n, u) : p_value(e, n);
    result.p_values[y] = p;
    for (std::size_t a = 0; a < options.alphas.size(); ++a) {
      const Miscoverage& alpha = options.alphas[a];
      const bool is_in =
          smoothed ? p > alpha.value() : conforms(e, n, deciding_rank(n, alpha, options.rule));
      if (is_in) result.sets[a].push_back(y);
    }
  }
  return result;
}

Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options,
                       const Miscoverage& alpha) {
  return guarantee_of(options.method, calibration.grouping().kind(),
                      calibration.clips_rank(alpha, options.rule));
}

double smallest_feasible_alpha(const Calibration& calibration) {
  double smallest = 0;
  for (std::size_t g = 0; g < calibration.grouping().num_groups(); ++g) {
    smallest = std::max(smallest, smallest_feasible_alpha(calibration.group(g).size()));
  }
  return smallest;
}

std::optional<std::string> feasibility_warning(const Calibration& calibration,
                                               const PredictOptions& options,
                                               const Miscoverage& alpha) {
  if (calibration.is_feasible(alpha)) return std::nullopt;
  const bool grouped = calibration.grouping().kind() != Grouping::Kind::none;
  const std::string have =
      grouped ? "in each group and there are fewer"
              : fmt::format("and there are {}, which support alpha {:.4g} or more",
                            calibration.size(), smallest_feasible_alpha(calibration.size()));
  const char* consequence = "every set is every label";
  if (grouped) consequence = "labels without enough examples are always included";
  if (options.smoothing_seed) consequence = "only chance keeps a label out";
  if (options.rule == RankRule::clip) {
    consequence = "the rank is clipped and nothing is guaranteed";
  }
  return fmt::format("alpha {}: {} labelled examples are needed {}; so {}", alpha.text(),
                     examples_needed(alpha), have, consequence);
}

std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown,
                                                 const PredictOptions& options) {
  if (unknown.empty()) return std::nullopt;
  return fmt::format("no labelled example is in group {}; {}", fmt::join(unknown, ", "),
                     options.smoothing_seed ? "only chance keeps its labels out"
                                            : "its labels are always included");
}

}  // namespace caos
