#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "caos/landmarks/refinement/similarity.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A labeled shape, mapped onto points by `robust_fit`.
struct MappedShape {
  Shape points{};
  double distance = 0;  ///< the mean over landmarks, each at most a given cap
};

/// Where labeled shapes let one expect a landmark.
struct ExpectedPoint {
  vision::Point point{};
  double variance = 0;  ///< of its distance from the landmark, in square pixels
};

/// The shapes of labeled images, in pixels of the working image, as a prior for the landmarks of a
/// new image. It decides proposals only, which have no guarantee. Immutable; safe to share between
/// threads.
class ShapePrior {
 public:
  /// A similarity transform maps any two points onto any two.
  static constexpr std::size_t fewest_landmarks = 4;

  explicit ShapePrior(std::vector<Shape> shapes);

  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }

  /// The shapes of some labeled images, mapped onto the points, nearest first and at most `count`
  /// of them; of equal ones the earlier first. Those that share fewer than `fewest_landmarks` with
  /// the points do not count.
  [[nodiscard]] std::vector<MappedShape> nearest(const Shape& points, const Indices& images,
                                                 double cap, std::size_t count) const;

  /// For each landmark that has a point: the mean m of the mapped shapes x_1..x_J plus the
  /// combination a_1 (x_1 - m) + ... that fits the points best: a minimizes sum_t w_t |error_t|^2 +
  /// J s^2 |a|^2, with s = 1.5 pixels. Weights are 1, then 1 / (1 + (r / 2m)^2) with the errors r
  /// of the round before and their median m, in four rounds. A landmark that a shape lacks is where
  /// it is on average. The variance is that of the landmark among labeled shapes, each expected
  /// from others and its other landmarks, plus the square of the median error. Nothing for
  /// landmarks without a point, or whose variance is not known.
  [[nodiscard]] std::vector<std::optional<ExpectedPoint>> expected(const Shape& points,
                                                                   const Indices& images,
                                                                   double cap) const;

 private:
  void measure_variances();

  std::vector<Shape> shapes_;
  std::vector<std::optional<double>> variances_{};  ///< by landmark
};

}  // namespace caos
