#include "apps/cli/landmarks/prediction/prediction_target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace caos::cli {

std::vector<std::string> remark_keys(const LandmarkModel& model, bool csv) {
  if (!csv && !model.pool) return {};
  std::vector<std::string> keys = {"guarantee", "guarantee_is_for", "assumption"};
  if (model.pool) keys.emplace_back("infeasible");
  return keys;
}

std::vector<predictions::Remark> remarks_of(const LandmarkModel& model,
                                            const PoolPredictors& predictors,
                                            const LandmarkPredictOptions& options,
                                            const std::string& image) {
  const NewImage known = model.new_image(image);
  const LandmarkPredictor& predictor = predictors.of(known);
  const Guarantee guarantee = known.weakened(predictor.weakest_guarantee(options.alpha));
  std::vector<predictions::Remark> remarks = {
      {"guarantee", guarantee.text()},
      {"guarantee_is_for", guarantee_is_for(model.target(), options.simultaneous)},
      {"assumption", predictor.assumption()}};
  if (!model.pool) return remarks;
  std::vector<std::string> infeasible;
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    if (!predictor.is_feasible(t, options.alpha)) infeasible.push_back(model.labeled.tasks[t]);
  }
  std::string joined = fmt::format("{}", fmt::join(infeasible, ";"));
  remarks.push_back({"infeasible", std::move(joined), std::move(infeasible)});
  return remarks;
}

std::vector<std::string> target_warnings(const LandmarkModel& model,
                                         const PoolPredictors& predictors, const Miscoverage& alpha,
                                         std::span<const std::string> images) {
  std::set<std::string> texts;
  if (!model.pool) {
    if (auto text = predictors.any().feasibility_warning(alpha)) texts.insert(*text);
    return {texts.begin(), texts.end()};
  }
  std::size_t without = 0;
  for (const std::string& image : images) {
    const NewImage known = model.new_image(image);
    if (!known.why_none.empty()) ++without;
    if (auto text = predictors.of(known).feasibility_warning(alpha)) texts.insert(*text);
  }
  std::vector<std::string> warnings(texts.begin(), texts.end());
  if (without > 0) {
    warnings.push_back(
        fmt::format("{} of {} images have no guarantee: they are not in the pool, or their subject "
                    "has labeled images; the file says which",
                    without, images.size()));
  }
  return warnings;
}

}  // namespace caos::cli
