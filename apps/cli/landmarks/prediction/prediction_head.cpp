#include "apps/cli/landmarks/prediction/prediction_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace caos::cli {
namespace {

/// Of a model that is split: the labeled images that do not calibrate.
std::vector<std::string> reference_images(const LandmarkModel& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    if (!std::ranges::binary_search(model.calibrating, i)) names.push_back(model.images[i]);
  }
  return names;
}

std::string with_assumption(const Guarantee& guarantee, const LandmarkModel& model,
                            const LandmarkPredictor& predictor,
                            const LandmarkPredictOptions& options) {
  if (guarantee.kind == Guarantee::Kind::none) return guarantee.text();
  return fmt::format("{}, {}, if {}", guarantee.text(),
                     guarantee_is_for(model.target(), options.simultaneous),
                     predictor.assumption());
}

}  // namespace

Json prediction_head(const std::string& file, const LandmarkModel& model,
                     const PoolPredictors& predictors, const LandmarkPredictOptions& options) {
  const LandmarkPredictor& predictor = predictors.any();
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    landmarks.push_back({{"landmark", model.labeled.tasks[t]},
                         {"n", predictor.num_calibrating(t)},
                         {"feasible", predictors.is_feasible(t, options.alpha)},
                         {"guarantee", predictors.guarantee(t, options.alpha).text()}});
  }
  Json head = {{"model", file},
               {"alpha", options.alpha.value()},
               {"method", method_name(options.method)},
               {"simultaneous", options.simultaneous},
               {"k", model.k()},
               {"score", patch_score_text(model.score)},
               {"score_parameter", model.own_parameter ? "given" : "default"},
               {"backbone", model.embedding.backbone},
               {"backbone_identity", model.embedding.identity},
               {"working_size", model.embedding.working_size},
               {"precision", precision_name(model.embedding.precision)},
               {"rotation", vision::rotation_name(model.embedding.rotation)},
               {"cell", model.embedding.cell ? Json(*model.embedding.cell) : Json(nullptr)},
               {"orientation", model.embedding.apply_orientation ? "applied" : "ignored"},
               {"location_prior", model.embedding.location.has_value()},
               {"left_out", model.left_out},
               {"guarantee_is_for", guarantee_is_for(model.target(), options.simultaneous)},
               {"target", target_text(model.target())},
               {"assumption", predictor.assumption()},
               {"landmarks", std::move(landmarks)}};
  if (model.is_split) head["split_references"] = reference_images(model);
  return head;
}

std::string guarantee_text(const LandmarkModel& model, const PoolPredictors& predictors,
                           const LandmarkPredictOptions& options,
                           std::span<const std::string> images) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& image : images) {
    const NewImage known = model.new_image(image);
    const Guarantee own = known.weakened(predictors.of(known).weakest_guarantee(options.alpha));
    ++counts[with_assumption(own, model, predictors.any(), options)];
  }
  if (counts.size() == 1) return counts.begin()->first;
  std::vector<std::string> parts;
  for (const auto& [text, count] : counts) {
    parts.push_back(fmt::format("for {} of {} images {}", count, images.size(), text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace caos::cli
