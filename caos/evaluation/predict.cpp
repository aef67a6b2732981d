#include "caos/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "caos/error.hpp"
#include "caos/evaluation/evaluation_warnings.hpp"
#include "caos/full.hpp"
#include "caos/numerics/check_scores.hpp"
#include "caos/rng.hpp"

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
  return all_of(calibration.exceedances(input));
}

/// Ranks that were asked for before: a confidence takes a search for each.
class Ranks {
 public:
  explicit Ranks(const PredictOptions& options) : options_(options) {}

  std::size_t operator()(std::size_t n, const Miscoverage& alpha) {
    if (!options_.conditional) return deciding_rank(n, alpha, options_.rule);
    const auto [found, is_new] = known_.try_emplace(std::pair(n, alpha));
    if (is_new) found->second = deciding_rank(n, alpha, options_);
    return found->second;
  }

 private:
  const PredictOptions& options_;
  std::map<std::pair<std::size_t, Miscoverage>, std::size_t> known_;
};

/// `options` are checked. Split CAOS brings a calibration and pools of its own.
Prediction predict_from(const Calibration& calibration, const TestInput& input, std::size_t index,
                        const PredictOptions& options) {
  const Candidates candidates = candidates_of(calibration, input, options);
  Prediction result;
  result.sets.resize(options.alphas.size());
  result.p_values.resize(candidates.size());
  Ranks ranks(options);
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
      const bool is_in = smoothed ? p > alpha.value() : conforms(e, n, ranks(n, alpha));
      if (is_in) result.sets[a].push_back(y);
    }
  }
  return result;
}

}  // namespace

void check_predicts(Method method) {
  require(method == Method::caos || method == Method::full_caos, ErrorKind::invalid_input, [&] {
    return fmt::format("{} does not predict from a calibration; choose caos or full-caos",
                       method_name(method));
  });
}

void check_predicts(const PredictOptions& options) {
  const Method method = options.method;
  const bool splits = method == Method::split_caos;
  require(method == Method::caos || method == Method::full_caos || splits, ErrorKind::invalid_input,
          [&] {
            return fmt::format(
                "{} does not predict from a calibration; choose caos, full-caos or split-caos",
                method_name(method));
          });
  require(splits || !options.conditional, ErrorKind::invalid_input, [&] {
    return fmt::format("a confidence goes with split-caos; {} has no law for one calibration",
                       method_name(method));
  });
  require(
      !options.conditional || (!options.smoothing_seed && options.rule == RankRule::every_label),
      ErrorKind::invalid_input,
      "a confidence has no form with smoothing or a clipped rank; leave one of them out");
}

Prediction predict(const Calibration& calibration, const TestInput& input, std::size_t index,
                   const PredictOptions& options) {
  check_pools(input.pools, index, "scores");
  check_pools(input.reverse, index, "reverse scores");
  check_predicts(options);
  require(options.method != Method::split_caos, ErrorKind::invalid_input,
          "split-caos predicts from a calibration of its own, with references beside it");
  return predict_from(calibration, input, index, options);
}

Prediction predict(const split::SplitCaos& split, const TestInput& input, std::size_t index,
                   const PredictOptions& options) {
  require(!options.conditional || split.calibration.grouping().kind() == Grouping::Kind::none,
          ErrorKind::invalid_input, "a confidence has no form with groups; leave one of them out");
  check_pools(input.pools, index, "scores");
  check_predicts(options);
  require(options.method == Method::split_caos, ErrorKind::invalid_input,
          "the examples are split, which only split-caos knows");
  const Matrix<Score> pools = split.pools_of(input.pools);
  return predict_from(split.calibration, {.pools = pools.view(), .group = input.group}, index,
                      options);
}

std::size_t deciding_rank(std::size_t n, const Miscoverage& alpha, const PredictOptions& options) {
  return options.conditional ? conditional_rank(n, alpha, *options.conditional)
                             : deciding_rank(n, alpha, options.rule);
}

bool is_feasible(const Calibration& calibration, const PredictOptions& options,
                 const Miscoverage& alpha) {
  if (!options.conditional) return calibration.is_feasible(alpha);
  return deciding_rank(calibration.size(), alpha, options) <= calibration.size();
}

Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options,
                       const Miscoverage& alpha) {
  if (options.conditional) return conditional_guarantee(*options.conditional);
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
  if (is_feasible(calibration, options, alpha)) return std::nullopt;
  if (options.conditional) return warning_text(alpha, *options.conditional, calibration.size());
  return warning_text({.alpha = alpha,
                       .count = calibration.size(),
                       .grouped = calibration.grouping().kind() != Grouping::Kind::none,
                       .rule = options.rule,
                       .smoothed = options.smoothing_seed.has_value()});
}

std::optional<std::string> unknown_group_warning(const std::set<GroupId>& unknown,
                                                 const PredictOptions& options) {
  if (unknown.empty()) return std::nullopt;
  return fmt::format("no labeled example is in group {}; {}", fmt::join(unknown, ", "),
                     options.smoothing_seed ? "its labels are excluded at random only"
                                            : "its labels are always included");
}

}  // namespace caos
