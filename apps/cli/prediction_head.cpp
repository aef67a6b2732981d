#include "prediction_head.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Json prediction_head(const std::string& file, const LandmarkModel& model,
                     const LandmarkPredictor& predictor, const LandmarkPredictOptions& options) {
  Json landmarks = Json::array();
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    landmarks.push_back({{"landmark", model.labeled.tasks[t]},
                         {"n", predictor.num_calibrating(t)},
                         {"feasible", predictor.is_feasible(t)},
                         {"guarantee", predictor.guarantee(t).text()}});
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
               {"location_prior", model.embedding.location.has_value()},
               {"left_out", model.left_out},
               {"guarantee_is_for", guarantee_is_for(model.target(), options.simultaneous)},
               {"target", target_text(model.target())},
               {"assumption", assumption_of(model.target())},
               {"landmarks", std::move(landmarks)}};
  if (model.is_split) head["split_references"] = reference_images(model);
  return head;
}

std::string guarantee_text(const LandmarkModel& model, const LandmarkPredictor& predictor,
                           const LandmarkPredictOptions& options) {
  const Guarantee weakest = predictor.weakest_guarantee(options.alpha);
  if (weakest.kind == Guarantee::Kind::none) return weakest.text();
  return fmt::format("{}, {}, if {}", weakest.text(),
                     guarantee_is_for(model.target(), options.simultaneous),
                     assumption_of(model.target()));
}

}  // namespace caos::cli
