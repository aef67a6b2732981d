#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/python/objects/embedded_images.hpp"
#include "caos/guarantee.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/method.hpp"
#include "caos/miscoverage.hpp"

namespace caos::python {

/// What holds for all regions of one prediction at one alpha.
struct RegionsHead {
  std::vector<std::string> landmarks{};
  Miscoverage alpha;
  Method method = Method::caos;
  std::size_t k = 0;
  Guarantee guarantee{};  ///< of the weakest landmark
  std::string guarantee_is_for{};
  ImageTarget target = ImageTarget::any;
  std::string assumption{};
  std::vector<bool> feasible{};  ///< by landmark

  [[nodiscard]] std::size_t size() const { return landmarks.size(); }
};

struct RegionsOfImage {
  std::size_t num_patches = 0;
  std::optional<Grid> grid{};  ///< where it is known
  std::vector<LandmarkPrediction> landmarks{};
  std::optional<Guarantee> guarantee{};     ///< where it has one of its own
  std::optional<double> shape_deviation{};  ///< of its proposals (`LabeledShapes`)
  std::vector<bool> feasible{};             ///< by landmark, with a pool; empty: as the head says
};

/// What `caos.patches.ImageRegions` is: where the landmarks of one image may be.
struct ImageRegions {
  std::shared_ptr<const RegionsHead> head{};
  std::shared_ptr<const RegionsOfImage> image{};

  [[nodiscard]] const Guarantee& guarantee() const {
    return image->guarantee ? *image->guarantee : head->guarantee;
  }
  [[nodiscard]] const std::vector<bool>& feasible() const {  ///< by landmark
    return image->feasible.empty() ? head->feasible : image->feasible;
  }
  [[nodiscard]] pybind11::array_t<bool> mask() const;  ///< [L, P]
  [[nodiscard]] pybind11::list sets() const;
  [[nodiscard]] pybind11::list p_values() const;
  [[nodiscard]] pybind11::array_t<std::int64_t> sizes() const;
  [[nodiscard]] pybind11::array_t<std::int64_t> proposals() const;
  [[nodiscard]] pybind11::array_t<double> offsets() const;  ///< [L, 2]
  [[nodiscard]] pybind11::array_t<double> proposal_p_values() const;
  [[nodiscard]] pybind11::array_t<double> scores_over_threshold() const;
  [[nodiscard]] pybind11::array_t<std::int64_t> review_order() const;           ///< of landmarks
  [[nodiscard]] pybind11::array_t<std::int64_t> supporting_references() const;  ///< [L, k]
  /// Where landmarks are proposed to be, in pixels of the image, [L, 2]. Needs a grid.
  [[nodiscard]] pybind11::array_t<double> points() const;
  /// Those of some landmarks, by their names or numbers.
  [[nodiscard]] ImageRegions select(const pybind11::iterable& landmarks) const;
  /// The set of a landmark by its name or number.
  [[nodiscard]] pybind11::array_t<std::int64_t> set_of(const pybind11::object& landmark) const;
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] pybind11::array_t<bool> array_of_truths(const std::vector<bool>& truths);

/// What `caos.patches.Regions` is: where the landmarks of some images may be, at one alpha.
struct Regions {
  std::shared_ptr<const RegionsHead> head{};
  std::vector<std::shared_ptr<const RegionsOfImage>> images{};

  [[nodiscard]] std::size_t size() const { return images.size(); }
  /// Of all images: none where some have none.
  [[nodiscard]] const Guarantee& guarantee() const { return head->guarantee; }
  /// By landmark, in all images.
  [[nodiscard]] const std::vector<bool>& feasible() const { return head->feasible; }
  /// `i` counts from the end where it is negative.
  [[nodiscard]] ImageRegions at(pybind11::ssize_t i) const;
  [[nodiscard]] pybind11::array_t<bool> mask() const;                  ///< [m, L, P]
  [[nodiscard]] pybind11::array_t<std::int64_t> sizes() const;         ///< [m, L]
  [[nodiscard]] pybind11::array_t<std::int64_t> proposals() const;     ///< [m, L]
  [[nodiscard]] pybind11::array_t<double> points() const;              ///< [m, L, 2]
  [[nodiscard]] pybind11::array_t<std::int64_t> review_order() const;  ///< of images
  /// By area where it is known, else by number of patches; 0 without images.
  [[nodiscard]] double mean_region_share() const;
  /// What to try where regions are large and all feasible; nothing where they are not.
  [[nodiscard]] std::optional<std::string> large_regions() const;
  [[nodiscard]] pybind11::array_t<double> covers(const pybind11::object& labels) const;  ///< [m, L]
  [[nodiscard]] std::string text() const;
};

/// As plain Python objects, for pickle and copy; and back, to the same bits.
[[nodiscard]] pybind11::tuple state_of(const ImageRegions& regions);
[[nodiscard]] ImageRegions image_regions_from(const pybind11::tuple& state);
[[nodiscard]] pybind11::tuple state_of(const Regions& regions);
[[nodiscard]] Regions regions_from(const pybind11::tuple& state);

}  // namespace caos::python
