#include "bindings/python/objects/patch_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

#include "bindings/python/arguments/arrays.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "caos/landmarks/shape_deviation.hpp"

namespace caos::python {
namespace {

/// Below what any number of images could support, so that every patch is in the set.
Miscoverage tiny_alpha() { return Miscoverage::parse("1e-18"); }

/// The places of an image that hold nothing of it.
std::vector<Label> impossible_patches(const PatchImages& images, std::size_t i) {
  return images.embedded() ? padding_of(images.embedded()->frames[i]) : std::vector<Label>();
}

/// With pixels where they are known, so that points are refined.
std::vector<LandmarkPrediction> predict_image(const LandmarkPredictor& predictor,
                                              const PatchImages& images, std::size_t i,
                                              const vision::PatchGrid& grid) {
  const Matrix<float> rows = images.unit(i);
  const bool has_pixels = images.embedded() && !images.embedded()->gray.empty();
  return predictor.predict(rows.view(), impossible_patches(images, i), grid,
                           has_pixels ? images.embedded()->gray[i].get() : nullptr,
                           images.cells(i));
}

/// Without a pool there is nothing to know; with one, an image without an entry is outside.
NewImage known_of(const PatchCalibration::Request& request, std::size_t i) {
  return i < request.known.size() ? request.known[i] : NewImage{};
}

/// The grid of plain arrays: that of the labeled images, if they share one.
vision::PatchGrid grid_of_arrays(const LandmarkModel& model) {
  const std::vector<vision::PatchGrid>& grids = model.labeled.grids;
  const auto same = [&](const vision::PatchGrid& grid) { return grid == grids[0]; };
  return !grids.empty() && std::ranges::all_of(grids, same) ? grids[0] : vision::PatchGrid{};
}

/// Calls `use(i, predictor, predictions)` for every image, several at a time.
template <typename Use>
void predict_each(const LandmarkModel& model, const PoolPredictors& predictors,
                  const PatchImages& images, const PatchCalibration::Request& request, Use use) {
  const vision::PatchGrid of_arrays = grid_of_arrays(model);
  std::atomic<std::size_t> done = 0;
  parallel_for(images.size(), 1, request.threads, [&](std::size_t i, std::size_t) {
    const LandmarkPredictor& predictor = predictors.of(known_of(request, i));
    use(i, predictor, predict_image(predictor, images, i, images.grid_of(i, of_arrays)));
    const std::size_t count = ++done;
    if (request.tell) request.tell(count, images.size());
  });
}

/// What all images have: none where some have none.
Guarantee guarantee_of_all(const PoolPredictors& predictors,
                           const PatchCalibration::Request& request, const Miscoverage& alpha) {
  const auto without = std::ranges::count_if(
      request.known, [](const NewImage& image) { return !image.why_none.empty(); });
  if (without == 0) return predictors.any().weakest_guarantee(alpha);
  return {Guarantee::Kind::none,
          fmt::format("{} of {} images are not in the pool, or their subject has labeled images",
                      without, request.known.size())};
}

std::shared_ptr<const RegionsHead> head_of(const LandmarkModel& model,
                                           const PoolPredictors& predictors,
                                           const PatchCalibration::Request& request,
                                           const Miscoverage& alpha) {
  RegionsHead head{.landmarks = model.labeled.tasks, .alpha = alpha};
  head.method = request.method;
  head.k = model.k();
  head.guarantee = guarantee_of_all(predictors, request, alpha);
  head.target = model.target();
  head.assumption = predictors.any().assumption();
  head.guarantee_is_for = guarantee_is_for(model.target(), request.simultaneous);
  for (std::size_t t = 0; t < model.calibrations.size(); ++t) {
    const auto is_feasible = [&](const NewImage& image) {
      return predictors.of(image).is_feasible(t, alpha);
    };
    head.feasible.push_back(request.known.empty()
                                ? is_feasible(NewImage{})
                                : std::ranges::all_of(request.known, is_feasible));
  }
  return std::make_shared<const RegionsHead>(std::move(head));
}

}  // namespace

PatchCalibration::PatchCalibration(LandmarkModel model)
    : shared_(std::make_shared<Shared>(std::move(model))) {}

PoolPredictors PatchCalibration::predictors(LandmarkPredictOptions options) const {
  std::call_once(shared_->once,
                 [&] { shared_->matcher = LandmarkPredictor::shared_part(model(), 0); });
  return {model(), std::move(options), shared_->matcher};
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
    return predict(split, PoolPredictors(split, options), images, request);
  }
  return predict(model(), predictors(options), images, request);
}

PatchCalibration::Answer PatchCalibration::predict(const LandmarkModel& model,
                                                   const PoolPredictors& predictors,
                                                   const PatchImages& images,
                                                   const Request& request) {
  Answer answer;
  for (const Miscoverage& alpha : request.alphas) {
    answer.regions.push_back({head_of(model, predictors, request, alpha), {}});
    answer.regions.back().images.resize(images.size());
    std::set<std::string> warnings;
    for (std::size_t i = 0; i < std::max<std::size_t>(request.known.size(), 1); ++i) {
      auto warning = predictors.of(known_of(request, i)).feasibility_warning(alpha);
      if (warning) warnings.insert(std::move(*warning));
    }
    answer.warnings.insert(answer.warnings.end(), warnings.begin(), warnings.end());
  }
  const LabeledShapes shapes(model);
  const auto keep = [&](std::size_t i, const LandmarkPredictor& predictor,
                        const std::vector<LandmarkPrediction>& predictions) {
    for (Regions& regions : answer.regions) {
      auto image = std::make_shared<RegionsOfImage>();
      image->num_patches = images.num_labels(i);
      if (model.pool) {
        const Miscoverage& alpha = regions.head->alpha;
        image->guarantee = known_of(request, i).weakened(predictor.weakest_guarantee(alpha));
        for (std::size_t t = 0; t < predictions.size(); ++t) {
          image->feasible.push_back(predictor.is_feasible(t, alpha));
        }
      }
      if (images.embedded()) {
        const vision::Frame& frame = images.embedded()->frames[i];
        image->grid = Grid{frame};
        image->shape_deviation = shapes.deviation(shapes.shape_of(predictions, frame.grid.columns));
      }
      for (std::size_t t = 0; t < predictions.size(); ++t) {
        image->landmarks.push_back(predictor.narrowed(t, predictions[t], regions.head->alpha));
      }
      regions.images[i] = std::move(image);
    }
  };
  predict_each(model, predictors, images, request, keep);
  for (const Regions& regions : answer.regions) {
    const auto large = regions.large_regions();
    if (large && images.embedded()) answer.warnings.push_back(*large);
  }
  return answer;
}

std::vector<Matrix<double>> PatchCalibration::predict_p(const PatchImages& images,
                                                        const Request& request) const {
  check(images);
  const PoolPredictors predictors = this->predictors({.alpha = tiny_alpha()});
  std::vector<Matrix<double>> p_values(images.size());
  predict_each(model(), predictors, images, request,
               [&](std::size_t i, const auto&, const auto& predictions) {
                 p_values[i] = Matrix<double>(predictions.size(), images.num_labels(i));
                 for (std::size_t t = 0; t < predictions.size(); ++t) {
                   for (std::size_t s = 0; s < predictions[t].set.size(); ++s) {
                     p_values[i](t, predictions[t].set[s]) = predictions[t].p_values[s];
                   }
                 }
               });
  return p_values;
}

pybind11::object array_of_images(const std::vector<Matrix<double>>& values,
                                 std::size_t num_landmarks) {
  const std::size_t cols = values.empty() ? 0 : values[0].cols();
  if (std::ranges::any_of(values, [&](const auto& one) { return one.cols() != cols; })) {
    pybind11::list list;
    for (const Matrix<double>& one : values) list.append(array_of(one.view()));
    return list;
  }
  pybind11::array_t<double> array({values.size(), num_landmarks, cols});
  double* out = array.mutable_data();
  for (const Matrix<double>& one : values) {
    out = std::copy_n(one.view().data(), num_landmarks * cols, out);
  }
  return array;
}

}  // namespace caos::python
