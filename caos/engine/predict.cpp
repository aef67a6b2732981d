#include "caos/engine/predict.hpp"

#include "caos/conformal/full.hpp"
#include "caos/core/error.hpp"
#include "caos/core/rng.hpp"
#include "caos/numerics/check_scores.hpp"

namespace caos {
namespace {

using Candidates = std::vector<std::optional<Exceedances>>;

/// What each label is judged by. Full CAOS looks only at the plain CAOS set; smoothed p-values are
/// never above the plain ones, so that set holds every label that they admit, too.
Candidates candidates_of(const Calibration& calibration, const TestInput& input,
                         const PredictOptions& options) {
  if (options.method == Method::full_caos) {
    return full::exceedances_of_candidates(calibration, input, options.alpha, options.rule);
  }
  require(options.method == Method::caos, ErrorKind::invalid_input,
          "only caos and full-caos predict from a calibration");
  const std::vector<Exceedances> all = calibration.exceedances(input);
  return {all.begin(), all.end()};
}

bool conforms_at(const Exceedances& e, std::size_t n, const PredictOptions& options) {
  return conforms(e, n, deciding_rank(n, options.alpha, options.rule));
}

}  // namespace

Prediction predict(const Calibration& calibration, const TestInput& input, std::size_t index,
                   const PredictOptions& options) {
  check_pools(input.pools, index, "scores");
  check_pools(input.reverse, index, "reverse scores");
  const Candidates candidates = candidates_of(calibration, input, options);
  Prediction result;
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
    if (smoothed ? p > options.alpha.value() : conforms_at(e, n, options)) result.set.push_back(y);
  }
  return result;
}

Guarantee guarantee_of(const Calibration& calibration, const PredictOptions& options) {
  return guarantee_of(options.method, calibration.grouping().kind(),
                      calibration.clips_rank(options.alpha, options.rule));
}

}  // namespace caos
