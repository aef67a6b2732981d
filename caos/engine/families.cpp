#include "caos/engine/families.hpp"

#include <algorithm>

#include "caos/conformal/calibration.hpp"
#include "caos/core/error.hpp"
#include "caos/engine/caos_sets.hpp"

namespace caos {
namespace {

bool wants(const EvaluateOptions& options, Method method) {
  return std::ranges::find(options.methods, method) != options.methods.end();
}

/// Full CAOS has a threshold for each candidate, none of its own.
bool has_threshold(Method method) { return method != Method::full_caos; }

GroupResult describe_group(Method method, const Calibration& calibration, std::size_t g,
                           const Miscoverage& alpha, RankRule rule) {
  const std::size_t n = calibration.group(g).size();
  GroupResult group;
  group.id = calibration.grouping().id(g);
  group.n = n;
  group.rank = conformal_rank(n, alpha);
  if (has_threshold(method)) group.threshold = calibration.threshold(alpha, g, rule);
  group.feasible = is_feasible(n, alpha);
  return group;
}

/// CAOS and Full CAOS: the label scores are the same.
class CaosFamily : public MethodFamily {
 public:
  CaosFamily(const LabeledScores& labeled, const EvaluateOptions& options)
      : sets_(
            calibrate(labeled.own, options.grouping, {.k = options.k, .threads = options.threads}),
            options.alphas, options.rule),
        with_caos_(wants(options, Method::caos)),
        with_full_(wants(options, Method::full_caos)) {
    require(!with_full_ || labeled.has_reverse, ErrorKind::invalid_input,
            "full-caos needs reverse scores, or scores that are symmetric");
    for (const Method method : {Method::caos, Method::full_caos}) {
      if (!wants(options, method)) continue;
      for (const Miscoverage& alpha : options.alphas) {
        results_.push_back(describe(method, sets_.calibration(), alpha, options.rule));
      }
    }
  }

  void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const override {
    const std::vector<Score> scores = sets_.calibration().label_scores(input.pools);
    const std::size_t num_alphas = sets_.num_alphas();
    if (with_caos_) {
      count(sets_.caos(scores, input.group), truth, outcomes.first(num_alphas));
    }
    if (with_full_) count(sets_.full(scores, input), truth, outcomes.last(num_alphas));
  }

 private:
  static void count(const std::vector<PredictionSet>& sets, Label truth,
                    std::span<Outcome> outcomes) {
    for (std::size_t a = 0; a < sets.size(); ++a) outcomes[a] = outcome_of(sets[a], truth);
  }

  CaosSets sets_;
  bool with_caos_;
  bool with_full_;
};

/// One Split CAOS variant.
class SplitCaosFamily : public MethodFamily {
 public:
  SplitCaosFamily(const LabeledScores& labeled, const EvaluateOptions& options, Method method)
      : options_(options),
        split_(split::calibrate_split(labeled.own, options.grouping, options.partition, method,
                                      options.k)) {
    for (const Miscoverage& alpha : options.alphas) {
      results_.push_back(describe(method, split_.calibration, alpha, options.rule));
    }
  }

  void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const override {
    const std::vector<Score> scores = split_.label_scores(input.pools);
    for (std::size_t a = 0; a < outcomes.size(); ++a) {
      const auto limits = split_.calibration.label_thresholds(scores.size(), input.group,
                                                              options_.alphas[a], options_.rule);
      outcomes[a] = outcome_of(scores, limits, truth);
    }
  }

 private:
  const EvaluateOptions& options_;
  split::SplitCaos split_;
};

/// SCOS on average, Best and Oracle: the sets under each reference are the same.
class ScosFamily : public MethodFamily {
 public:
  ScosFamily(const LabeledScores& labeled, const EvaluateOptions& options)
      : options_(options), best_(labeled.best) {
    require(options.grouping.kind() == Grouping::Kind::none, ErrorKind::invalid_input,
            "scos, scos-best and scos-oracle have no form with groups; leave them out");
    for (const Miscoverage& alpha : options.alphas) {
      thresholds_.push_back(
          split::scos_thresholds(labeled.own, options.partition, alpha, options.rule));
    }
    for (const Method method : {Method::scos, Method::scos_best, Method::scos_oracle}) {
      if (wants(options, method)) methods_.push_back(method);
    }
    require(!wants(options, Method::scos_best) || best_.size() == options.alphas.size(),
            ErrorKind::invalid_input,
            "scos-best needs the scores of every label of the labelled examples");
    for (const Method method : methods_) add_results(method);
  }

  void measure(const TestInput& input, Label truth, std::span<Outcome> outcomes) const override {
    const std::size_t num_alphas = thresholds_.size();
    for (std::size_t a = 0; a < num_alphas; ++a) {
      const split::ScosTally tally =
          split::tally_scos(input.pools, truth, options_.partition.references, thresholds_[a]);
      for (std::size_t m = 0; m < methods_.size(); ++m) {
        outcomes[m * num_alphas + a] = outcome(methods_[m], tally, a);
      }
    }
  }

 private:
  void add_results(Method method) {
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

  [[nodiscard]] Outcome outcome(Method method, const split::ScosTally& tally, std::size_t a) const {
    if (method == Method::scos) return average(tally);
    const std::size_t r = method == Method::scos_best ? best_[a] : split::oracle_reference(tally);
    return Outcome::of_set(tally.covers[r] != 0, tally.sizes[r]);
  }

  static Outcome average(const split::ScosTally& tally) {
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

  const EvaluateOptions& options_;
  std::vector<std::vector<Score>> thresholds_;  ///< by alpha, then reference
  std::vector<Method> methods_;
  std::vector<std::size_t> best_;  ///< by alpha
};

}  // namespace

MethodResult describe(Method method, const Calibration& calibration, const Miscoverage& alpha,
                      RankRule rule) {
  const Grouping& grouping = calibration.grouping();
  MethodResult result{.method = method, .alpha = alpha};
  result.feasible = calibration.is_feasible(alpha);
  result.guarantee = guarantee_of(method, grouping.kind(), calibration.clips_rank(alpha, rule));
  if (grouping.kind() == Grouping::Kind::none) {
    result.rank = conformal_rank(calibration.size(), alpha);
    if (has_threshold(method)) result.threshold = calibration.threshold(alpha, 0, rule);
  } else {
    for (std::size_t g = 0; g < grouping.num_groups(); ++g) {
      result.groups.push_back(describe_group(method, calibration, g, alpha, rule));
    }
  }
  return result;
}

std::vector<std::unique_ptr<MethodFamily>> make_families(const LabeledScores& labeled,
                                                         const EvaluateOptions& options) {
  std::vector<std::unique_ptr<MethodFamily>> families;
  if (wants(options, Method::caos) || wants(options, Method::full_caos)) {
    families.push_back(std::make_unique<CaosFamily>(labeled, options));
  }
  if (std::ranges::any_of(options.methods, is_scos)) {
    families.push_back(std::make_unique<ScosFamily>(labeled, options));
  }
  for (const Method method : {Method::split_caos, Method::split_caos_cal, Method::split_caos_ref}) {
    if (wants(options, method)) {
      families.push_back(std::make_unique<SplitCaosFamily>(labeled, options, method));
    }
  }
  return families;
}

}  // namespace caos
