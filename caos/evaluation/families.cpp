#include "caos/evaluation/families.hpp"

#include <algorithm>

#include "caos/calibration.hpp"
#include "caos/error.hpp"
#include "caos/evaluation/caos_sets.hpp"
#include "caos/evaluation/split_families.hpp"

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

}  // namespace

MethodResult describe(Method method, const Calibration& calibration, const Miscoverage& alpha,
                      RankRule rule) {
  const Grouping& grouping = calibration.grouping();
  MethodResult result{.method = method, .alpha = alpha};
  result.feasible = calibration.is_feasible(alpha);
  result.guarantee = guarantee_of(method, grouping.kind(), calibration.clips_rank(alpha, rule));
  if (grouping.kind() == Grouping::Kind::none) {
    // With weights there is a threshold, but no rank among the examples.
    if (calibration.weights().is_plain()) result.rank = conformal_rank(calibration.size(), alpha);
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
    families.push_back(
        std::make_unique<ScosFamily>(scos_thresholds(labeled.own, options), labeled.best, options));
  }
  for (const Method method : {Method::split_caos, Method::split_caos_cal, Method::split_caos_ref}) {
    if (wants(options, method)) {
      families.push_back(std::make_unique<SplitCaosFamily>(labeled, options, method));
    }
  }
  return families;
}

}  // namespace caos
