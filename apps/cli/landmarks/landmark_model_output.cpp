#include "apps/cli/landmarks/landmark_model_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/evaluation/table.hpp"
#include "caos/guarantee.hpp"

namespace caos::cli {
namespace {

/// The smallest feasible alpha depends on how many images the new subject has in the pool.
struct AlphaRange {
  double least = 0;
  double most = 0;
};

/// By landmark.
std::vector<AlphaRange> feasible_alphas(const LandmarkModel& model) {
  const std::vector<std::size_t> sizes =
      model.pool ? model.pool->new_sizes() : std::vector<std::size_t>{1};
  std::vector<AlphaRange> ranges(model.calibrations.size(), {.least = 1, .most = 0});
  for (const std::size_t size : sizes) {
    const std::vector<Calibration> own = model.calibrations_for(size);
    for (std::size_t t = 0; t < own.size(); ++t) {
      const double alpha = own[t].group(0).smallest_feasible_alpha();
      ranges[t] = {std::min(ranges[t].least, alpha), std::max(ranges[t].most, alpha)};
    }
  }
  return ranges;
}

Json landmark_json(const LandmarkModel& model, std::size_t t, const AlphaRange& alphas) {
  const Calibration& calibration = model.calibrations[t];
  Json json = {{"landmark", model.labeled.tasks[t]},
               {"n", calibration.size()},
               {"num_references", calibration.num_references()},
               {"smallest_feasible_alpha", alphas.most}};
  if (model.pool) json["smallest_feasible_alpha_range"] = {alphas.least, alphas.most};
  return json;
}

/// What the new subject's images in the pool have to do with it.
std::string sizes_text(const LandmarkModel& model) {
  if (!model.pool) return "";
  const std::vector<std::size_t> sizes = model.pool->new_sizes();
  if (sizes.size() == 1) {
    return fmt::format(", for a new subject with {} image{} in the pool", sizes[0],
                       sizes[0] == 1 ? "" : "s");
  }
  return fmt::format(", depending on how many images the new subject has in the pool ({} to {})",
                     sizes.front(), sizes.back());
}

/// The landmarks with the fewest images decide what is feasible for all.
std::string count_text(const LandmarkModel& model) {
  const auto sizes = [](const Calibration& calibration) { return calibration.size(); };
  const std::size_t least = std::ranges::min_element(model.calibrations, {}, sizes)->size();
  const std::size_t most = std::ranges::max_element(model.calibrations, {}, sizes)->size();
  AlphaRange all;
  for (const AlphaRange& alphas : feasible_alphas(model)) {
    all = {std::max(all.least, alphas.least), std::max(all.most, alphas.most)};
  }
  const std::string alpha = all.least == all.most
                                ? fmt::format("{:.4g}", all.most)
                                : fmt::format("{:.4g} to {:.4g}", all.least, all.most);
  const std::string range =
      least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return fmt::format("{} images calibrate a landmark, which supports alpha {} or more{}", range,
                     alpha, sizes_text(model));
}

/// How subjects enter.
std::string subjects_text(const LandmarkModel& model) {
  if (model.pool) {
    return fmt::format(
        "Pool of {} images of {} subjects: each labeled image has the weight that a random image of "
        "the pool needs\n",
        model.pool->pool.size(), model.pool->pool.num_subjects());
  }
  if (model.target() == ImageTarget::any) return "";
  if (!model.by_subject())
    return fmt::format("{} subjects, one image of each\n", model.images.size());
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
               {"precision", precision_name(model.embedding.precision)},
               {"rotation", vision::rotation_name(model.embedding.rotation)},
               {"cell", model.embedding.cell ? Json(*model.embedding.cell) : Json(nullptr)},
               {"location_prior", model.embedding.location.has_value()},
               {"by_subject", model.by_subject()},
               {"target", target_text(model.target())},
               {"pool_images", model.pool ? Json(model.pool->pool.size()) : Json(nullptr)},
               {"guarantee", "marginal"},
               {"guarantee_is_for", guarantee_is_for(model.target())},
               {"assumption", assumption_of(model.target())}};
  json["landmarks"] = Json::array();
  const std::vector<AlphaRange> alphas = feasible_alphas(model);
  for (std::size_t t = 0; t < model.calibrations.size(); ++t) {
    json["landmarks"].push_back(landmark_json(model, t, alphas[t]));
  }
  return json;
}

std::string to_text(const LandmarkModelOutput& output) {
  const LandmarkModel& model = output.model;
  std::string text = fmt::format(
      "{}: {} landmarks from {} images, k = {}, score {}{}, {}, backbone {}, {}\n{}\n", output.file,
      model.calibrations.size(), model.images.size(), model.k(), patch_score_text(model.score),
      model.own_parameter ? " (parameter given, not the default)" : "",
      labels_text(model.embedding), model.embedding.backbone, size_and_precision(model.embedding),
      count_text(model));
  text += subjects_text(model);
  return text + fmt::format("Guarantee: marginal, {}, if {}.\n", guarantee_is_for(model.target()),
                            assumption_of(model.target()));
}

}  // namespace caos::cli
