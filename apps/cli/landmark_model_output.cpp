#include "landmark_model_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/conformal/guarantee.hpp"
#include "caos/engine/table.hpp"

namespace caos::cli {
namespace {

Json landmark_json(const LandmarkModel& model, std::size_t t) {
  const Calibration& calibration = model.calibrations[t];
  return {{"landmark", model.labeled.tasks[t]},
          {"n", calibration.size()},
          {"num_references", calibration.num_references()},
          {"smallest_feasible_alpha", calibration.group(0).smallest_feasible_alpha()}};
}

/// The landmarks with the fewest images decide what is feasible for all.
std::string count_text(const LandmarkModel& model) {
  const auto sizes = [](const Calibration& calibration) { return calibration.size(); };
  const std::size_t least = std::ranges::min_element(model.calibrations, {}, sizes)->size();
  const std::size_t most = std::ranges::max_element(model.calibrations, {}, sizes)->size();
  double smallest = 0;
  for (const Calibration& calibration : model.calibrations) {
    smallest = std::max(smallest, calibration.group(0).smallest_feasible_alpha());
  }
  const std::string range =
      least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return fmt::format("{} images calibrate a landmark, which supports alpha {:.4g} or more", range,
                     smallest);
}

/// How subjects enter.
std::string subjects_text(const LandmarkModel& model) {
  if (model.pool) {
    return fmt::format(
        "Pool of {} images of {} subjects: each labeled image has the weight that a random image of "
        "the pool needs\n",
        model.pool->pool.size(), model.pool->pool.num_subjects());
  }
  if (!model.by_subject()) return "";
  const std::size_t count = num_subjects(model.labeled.subjects);
  // Files of version 1 have one calibrating image per subject.
  return model.calibrating.size() == count
             ? fmt::format("{} subjects: one image of each calibrates\n", count)
             : fmt::format(
                   "{} subjects: all their images calibrate, and each subject counts once\n",
                   count);
}

}  // namespace

Json to_json(const LandmarkModelOutput& output) {
  const LandmarkModel& model = output.model;
  Json json = {{"file", output.file},
               {"kind", "landmark model"},
               {"num_images", model.images.size()},
               {"num_calibrating", model.calibrating.size()},
               {"num_landmarks", model.calibrations.size()},
               {"left_out", model.left_out},
               {"k", model.k()},
               {"score", patch_score_text(model.score)},
               {"score_parameter", model.own_parameter ? "given" : "default"},
               {"backbone", model.embedding.backbone},
               {"backbone_identity", model.embedding.identity},
               {"working_size", model.embedding.working_size},
               {"location_prior", model.embedding.location.has_value()},
               {"by_subject", model.by_subject()},
               {"target", target_text(model.target())},
               {"pool_images", model.pool ? Json(model.pool->pool.size()) : Json(nullptr)},
               {"guarantee", "marginal"},
               {"guarantee_is_for", guarantee_is_for(model.target())},
               {"assumption", assumption_of(model.target())}};
  json["landmarks"] = Json::array();
  for (std::size_t t = 0; t < model.calibrations.size(); ++t) {
    json["landmarks"].push_back(landmark_json(model, t));
  }
  return json;
}

std::string to_text(const LandmarkModelOutput& output) {
  const LandmarkModel& model = output.model;
  std::string text = fmt::format(
      "{}: {} landmarks from {} images, k = {}, score {}{}, backbone {}\n{}\n", output.file,
      model.calibrations.size(), model.images.size(), model.k(), patch_score_text(model.score),
      model.own_parameter ? " (parameter given, not the default)" : "", model.embedding.backbone,
      count_text(model));
  text += subjects_text(model);
  return text + fmt::format("Guarantee: marginal, {}, if {}.\n", guarantee_is_for(model.target()),
                            assumption_of(model.target()));
}

}  // namespace caos::cli
