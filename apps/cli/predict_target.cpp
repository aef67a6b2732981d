#include "predict_target.hpp"

#include <fmt/format.h>

#include <set>

namespace caos::cli {

std::vector<std::string> remark_keys(const LandmarkModel& model, bool csv) {
  const bool says_for_all = !csv && !model.pool;
  if (model.target() == ImageTarget::any || says_for_all) return {};
  return {"guarantee", "guarantee_is_for"};
}

std::vector<predictions::Remark> remarks_of(const LandmarkModel& model,
                                            const PoolPredictors& predictors,
                                            const LandmarkPredictOptions& options,
                                            const std::string& image) {
  const NewImage known = model.new_image(image);
  const Guarantee guarantee = known.weakened(predictors.of(known).weakest_guarantee(options.alpha));
  return {{"guarantee", guarantee.text()},
          {"guarantee_is_for", guarantee_is_for(model.target(), options.simultaneous)}};
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
