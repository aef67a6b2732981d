#pragma once

#include <optional>
#include <span>
#include <vector>

#include "caos/backbone.hpp"

namespace caos {

/// Where the landmarks of an image lie; nothing for a landmark that is absent.
using Shape = std::vector<std::optional<vision::Point>>;

/// sqrt(dx^2 + dy^2): unlike hypot, the same bits on every machine.
[[nodiscard]] double distance(vision::Point a, vision::Point b);

/// Requires values. Of an even number, the mean of the middle two.
[[nodiscard]] double median(std::vector<double> values);

/// A shift, a turn and one scale.
struct Similarity {
  double cosine = 1;  ///< times the scale, as is the sine
  double sine = 0;
  vision::Point from{};  ///< is mapped to `to`
  vision::Point to{};

  [[nodiscard]] vision::Point operator()(vision::Point point) const;
};

/// The landmarks that two shapes share.
struct MatchedPoints {
  std::vector<vision::Point> from{};
  std::vector<vision::Point> to{};
};

[[nodiscard]] MatchedPoints matched(const Shape& from, const Shape& to);

/// The weighted least-squares similarity transform. Requires points, and weights that add up to
/// more than 0.
[[nodiscard]] Similarity least_squares(const MatchedPoints& points,
                                       std::span<const double> weights);

struct RobustFit {
  Similarity map{};
  std::vector<double> distances{};  ///< of `to` from mapped `from`
};

/// Five rounds of least squares, first with weights 1, then with weights 1 / (1 + (r / m)^2), where
/// r is a point's distance after the round before and m the median of these. Requires points.
[[nodiscard]] RobustFit robust_fit(const MatchedPoints& points);

}  // namespace caos
