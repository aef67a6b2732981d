#include "patch_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/patch_source.hpp"
#include "caos/engine/predict_stream.hpp"

namespace caos::python {
namespace {

/// Below what any number of images could support, so that every patch is in the set.
Miscoverage tiny_alpha() { return Miscoverage::parse("1e-18"); }

/// The places of an image that hold nothing of it.
std::vector<Label> impossible_patches(const PatchImages& images, std::size_t i) {
  return images.embedded() ? padding_of(images.embedded()->frames[i]) : std::vector<Label>();
}

/// Calls `use(i, predictions)` for every image, several at a time.
template <typename Use>
void predict_each(const LandmarkPredictor& predictor, const PatchImages& images,
                  const PatchCalibration::Request& request, Use use) {
  std::atomic<std::size_t> done = 0;
  parallel_for(images.size(), 1, request.threads, [&](std::size_t i, std::size_t) {
    const Matrix<float> rows = images.unit(i);
    use(i, predictor.predict(rows.view(), impossible_patches(images, i)));
    const std::size_t count = ++done;
    if (request.tell) request.tell(count, images.size());
  });
}

std::shared_ptr<const RegionsHead> head_of(const LandmarkModel& model,
                                           const LandmarkPredictor& predictor,
                                           const PatchCalibration::Request& request,
                                           const Miscoverage& alpha) {
  RegionsHead head{.landmarks = model.labeled.tasks, .alpha = alpha};
  head.method = request.method;
  head.k = model.k();
  head.guarantee = predictor.weakest_guarantee(alpha);
  head.guarantee_is_for = guarantee_is_for(model.by_subject(), request.simultaneous);
  for (std::size_t t = 0; t < predictor.num_landmarks(); ++t) {
    head.feasible.push_back(predictor.is_feasible(t, alpha));
  }
  return std::make_shared<const RegionsHead>(std::move(head));
}

}  // namespace

PatchCalibration::PatchCalibration(LandmarkModel model)
    : shared_(std::make_shared<Shared>(std::move(model))) {}

LandmarkPredictor PatchCalibration::predictor(LandmarkPredictOptions options) const {
  std::call_once(shared_->once,
                 [&] { shared_->references = LandmarkPredictor::shared_part(model(), 0); });
  return {model(), std::move(options), shared_->references};
}

void PatchCalibration::check(const PatchImages& images) const {
  const EmbeddingRecord& record = model().embedding;
  if (images.embedded() && !is_embedding_file(record.backbone)) {
    require_same_embedding(record, "the calibration", images.embedded()->record, images.name());
  }
  const std::size_t dimension = model().references.patches.cols();
  require(images.size() == 0 || images.dimension() == dimension, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: has {} numbers for each patch; the calibration has {} ({})",
                       images.name(), images.dimension(), dimension, record.identity);
  });
}

PatchCalibration::Answer PatchCalibration::predict(const PatchImages& images,
                                                   const Request& request) const {
  check(images);
  const LandmarkPredictOptions options{.alpha = *std::ranges::min_element(request.alphas),
                                       .method = request.method,
                                       .simultaneous = request.simultaneous,
                                       .rule = request.rule,
                                       .conditional = request.conditional};
  if (request.method == Method::split_caos) {
    const LandmarkModel split = split_landmarks(model(), request.partition, request.threads);
    return predict(split, LandmarkPredictor(split, options), images, request);
  }
  return predict(model(), predictor(options), images, request);
}

PatchCalibration::Answer PatchCalibration::predict(const LandmarkModel& model,
                                                   const LandmarkPredictor& predictor,
                                                   const PatchImages& images,
                                                   const Request& request) {
  Answer answer;
  for (const Miscoverage& alpha : request.alphas) {
    answer.regions.push_back({head_of(model, predictor, request, alpha), {}});
    answer.regions.back().images.resize(images.size());
    if (auto warning = predictor.feasibility_warning(alpha)) answer.warnings.push_back(*warning);
  }
  const auto keep = [&](std::size_t i, const std::vector<LandmarkPrediction>& predictions) {
    for (Regions& regions : answer.regions) {
      auto image = std::make_shared<RegionsOfImage>();
      image->num_patches = images.num_patches(i);
      if (images.embedded()) image->grid = Grid{images.embedded()->frames[i]};
      for (std::size_t t = 0; t < predictions.size(); ++t) {
        image->landmarks.push_back(predictor.narrowed(t, predictions[t], regions.head->alpha));
      }
      regions.images[i] = std::move(image);
    }
  };
  predict_each(predictor, images, request, keep);
  return answer;
}

std::vector<Matrix<double>> PatchCalibration::predict_p(const PatchImages& images,
                                                        const Request& request) const {
  check(images);
  const LandmarkPredictor predictor = this->predictor({.alpha = tiny_alpha()});
  std::vector<Matrix<double>> p_values(images.size());
  predict_each(predictor, images, request, [&](std::size_t i, const auto& predictions) {
    p_values[i] = Matrix<double>(predictions.size(), images.num_patches(i));
    for (std::size_t t = 0; t < predictions.size(); ++t) {
      for (std::size_t s = 0; s < predictions[t].set.size(); ++s) {
        p_values[i](t, predictions[t].set[s]) = predictions[t].p_values[s];
      }
    }
  });
  return p_values;
}

}  // namespace caos::python
