#include "caos/evaluation/split_families.hpp"

#include <algorithm>
#include <utility>

#include "caos/error.hpp"

namespace caos {
namespace {

bool is_wanted(const EvaluateOptions& options, Method method) {
  return std::ranges::find(options.methods, method) != options.methods.end();
}

/// Confidence is for Split CAOS alone: the scores of other methods are not independent draws.
std::optional<TrainingConditional> conditional_of(const EvaluateOptions& options, Method method) {
  if (method != Method::split_caos) return std::nullopt;
  require(!options.conditional || (options.rule == RankRule::every_label &&
                                   options.grouping.kind() == Grouping::Kind::none),
          ErrorKind::invalid_input,
          "a confidence has no form with groups or a clipped rank; leave one of them out");
  return options.conditional;
}

/// The result with the rank that the confidence takes.
void make_conditional(MethodResult& result, const SortedScores& scores,
                      const TrainingConditional& what) {
  result.conditional = what;
  result.rank = conditional_rank(scores.size(), result.alpha, what);
  result.threshold = score_at_rank(scores, *result.rank);
  result.feasible = *result.rank <= scores.size();
  result.guarantee = conditional_guarantee(what);
}

Outcome average(const split::ScosTally& tally) {
  Outcome sum;
  for (std::size_t r = 0; r < tally.sizes.size(); ++r) {
    const Outcome one = Outcome::of_set(tally.covers[r] != 0, tally.sizes[r]);
    sum.covered += one.covered;
    sum.size += one.size;
    sum.singleton += one.singleton;
    sum.empty += one.empty;
  }
  const auto count = static_cast<double>(tally.sizes.size());
  return {sum.covered / count, sum.size / count, sum.singleton / count, sum.empty / count};
}

}  // namespace

SplitCaosFamily::SplitCaosFamily(const LabeledScores& labeled, const EvaluateOptions& options,
                                 Method method)
    : options_(options),
      split_(split::calibrate_split(labeled.own, options.grouping, options.partition, method,
                                    options.k)) {
  for (const Miscoverage& alpha : options.alphas) {
    MethodResult& result =
        results_.emplace_back(describe(method, split_.calibration, alpha, options.rule));
    const std::optional<TrainingConditional> what = conditional_of(options, method);
    if (what) make_conditional(result, split_.calibration.group(0), *what);
  }
}

std::vector<Score> SplitCaosFamily::thresholds(const TestInput& input, std::size_t num_labels,
                                               std::size_t a) const {
  if (results_[a].conditional) return std::vector<Score>(num_labels, *results_[a].threshold);
  return split_.calibration.label_thresholds(num_labels, input.group, options_.alphas[a],
                                             options_.rule);
}

void SplitCaosFamily::measure(const TestInput& input, Label truth,
                              std::span<Outcome> outcomes) const {
  const std::vector<Score> scores = split_.label_scores(input.pools);
  for (std::size_t a = 0; a < outcomes.size(); ++a) {
    outcomes[a] = outcome_of(scores, thresholds(input, scores.size(), a), truth);
  }
}

ScosFamily::ScosFamily(std::vector<std::vector<Score>> thresholds, std::vector<std::size_t> best,
                       const EvaluateOptions& options)
    : options_(options), thresholds_(std::move(thresholds)), best_(std::move(best)) {
  require(options.grouping.kind() == Grouping::Kind::none, ErrorKind::invalid_input,
          "scos, scos-best and scos-oracle have no form with groups; leave them out");
  for (const Method method : {Method::scos, Method::scos_best, Method::scos_oracle}) {
    if (is_wanted(options, method)) methods_.push_back(method);
  }
  require(!is_wanted(options, Method::scos_best) || best_.size() == options.alphas.size(),
          ErrorKind::invalid_input,
          "scos-best needs the scores of every label of the labeled examples");
  for (const Method method : methods_) add_results(method);
}

void ScosFamily::measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const {
  std::vector<split::ScosTally> tallies;
  for (const auto& thresholds : thresholds_) {
    tallies.push_back(
        split::tally_scos(input.pools, truth, options_.partition.references, thresholds));
  }
  measure(tallies, outcomes);
}

void ScosFamily::measure(std::span<const split::ScosTally> tallies,
                         std::span<Outcome> outcomes) const {
  for (std::size_t a = 0; a < tallies.size(); ++a) {
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      outcomes[m * tallies.size() + a] = outcome(methods_[m], tallies[a], a);
    }
  }
}

void ScosFamily::add_results(Method method) {
  const std::size_t n = options_.partition.calibration.size();
  for (std::size_t a = 0; a < thresholds_.size(); ++a) {
    MethodResult result{.method = method, .alpha = options_.alphas[a]};
    result.rank = conformal_rank(n, result.alpha);
    result.feasible = is_feasible(n, result.alpha);
    result.guarantee = guarantee_of(method, Grouping::Kind::none,
                                    options_.rule == RankRule::clip && !result.feasible);
    if (method == Method::scos_best) result.threshold = thresholds_[a][best_[a]];
    results_.push_back(std::move(result));
  }
}

Outcome ScosFamily::outcome(Method method, const split::ScosTally& tally, std::size_t a) const {
  if (method == Method::scos) return average(tally);
  const std::size_t r = method == Method::scos_best ? best_[a] : split::oracle_reference(tally);
  return Outcome::of_set(tally.covers[r] != 0, tally.sizes[r]);
}

std::vector<std::vector<Score>> scos_thresholds(const OwnScores& own,
                                                const EvaluateOptions& options) {
  std::vector<std::vector<Score>> thresholds;
  for (const Miscoverage& alpha : options.alphas) {
    thresholds.push_back(split::scos_thresholds(own, options.partition, alpha, options.rule));
  }
  return thresholds;
}

std::vector<std::vector<Score>> scos_thresholds(const Matrix<Score>& scores,
                                                const EvaluateOptions& options) {
  std::vector<std::vector<Score>> thresholds(options.alphas.size());
  for (std::size_t r = 0; r < scores.rows(); ++r) {
    const SortedScores sorted({scores.row(r).begin(), scores.row(r).end()});
    for (std::size_t a = 0; a < thresholds.size(); ++a) {
      thresholds[a].push_back(sorted.threshold(options.alphas[a], options.rule));
    }
  }
  return thresholds;
}

}  // namespace caos
