#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "bindings/python/objects/patch_images.hpp"
#include "bindings/python/objects/regions.hpp"
#include "caos/landmarks/pool_predictors.hpp"
#include "caos/landmarks/split_landmarks.hpp"

namespace caos::python {

/// What `caos.patches.PatchCalibration` is: a landmark model, ready to predict. Immutable; safe to
/// use from several threads.
class PatchCalibration {
 public:
  explicit PatchCalibration(LandmarkModel model);

  [[nodiscard]] const LandmarkModel& model() const { return shared_->model; }

  /// The regions of images at each alpha. Needs no GIL but for `tell`, which is called with how
  /// many images are done.
  struct Request {
    std::vector<Miscoverage> alphas{};
    Method method = Method::caos;
    bool simultaneous = false;
    RankRule rule = RankRule::every_label;
    split::Partition partition{};                      ///< for split_caos
    std::optional<TrainingConditional> conditional{};  ///< for split_caos
    std::size_t threads = 0;
    /// With a pool, what it says of each image; empty where none is known to it.
    std::vector<NewImage> known{};
    std::function<void(std::size_t done, std::size_t total)> tell{};
  };
  struct Answer {
    std::vector<Regions> regions{};       ///< by alpha
    std::vector<std::string> warnings{};  ///< for the user
  };
  [[nodiscard]] Answer predict(const PatchImages& images, const Request& request) const;

  /// p-values of plain CAOS of every patch, by image [landmarks, patches]; 0 where no landmark can
  /// be.
  [[nodiscard]] std::vector<Matrix<double>> predict_p(const PatchImages& images,
                                                      const Request& request) const;

 private:
  struct Shared {
    LandmarkModel model;
    std::once_flag once{};
    std::shared_ptr<const PatchMatcher> matcher{};  ///< made when first needed
  };

  void check(const PatchImages& images) const;
  [[nodiscard]] static Answer predict(const LandmarkModel& model, const PoolPredictors& predictors,
                                      const PatchImages& images, const Request& request);
  [[nodiscard]] PoolPredictors predictors(LandmarkPredictOptions options) const;

  std::shared_ptr<Shared> shared_;
};

/// [m, L, P], or a list of [L, P] where images differ in size.
[[nodiscard]] pybind11::object array_of_images(const std::vector<Matrix<double>>& values,
                                               std::size_t num_landmarks);

}  // namespace caos::python
