#include "caos/landmarks/matching/label_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "caos/landmarks/geometry/geometry_estimate.hpp"

namespace caos {

LabelBounds::LabelBounds(const vision::PatchGrid& labels, double side,
                         std::span<const kernels::PlacedTerms> references, std::size_t k, int error)
    : num_labels_(labels.size()) {
  if (references.empty()) return;
  const auto [lowest, highest] =
      std::ranges::minmax_element(references, {}, &kernels::PlacedTerms::y);
  const auto row_of = [&](double y) {
    return static_cast<std::size_t>(std::clamp(y / side, 0.0, static_cast<double>(labels.rows)));
  };
  // One more on each side does no harm, so that roundings need no care.
  const std::size_t first = row_of(std::floor(lowest->y - near_distance - side));
  const std::size_t last = row_of(std::ceil(highest->y + near_distance + side));
  begin_ = first * labels.columns;
  end_ = last * labels.columns;
  if (begin_ >= end_) return;
  const bool known = references[0].similarities != nullptr;
  stride_ = end_ - begin_ + kernels::near_padding;
  low_.assign(k * stride_, far_term * (1 - kernels::near_slack));
  if (known) high_.assign(k * stride_, std::numeric_limits<double>::infinity());
  kernels::keep_near({labels.columns, first, last, side},
                     {.factor = distance_term(1), .reach = near_distance, .error = error},
                     references, {low_.data(), stride_, k}, {high_.data(), stride_, k});
}

double LabelBounds::least_far(std::size_t k) {
  return far_term * static_cast<double>(k) * (1 - 2 * kernels::near_slack);
}

std::pair<Label, Label> LabelBounds::within(std::span<const PoolRule::Limit> limits) const {
  const bool far = std::ranges::any_of(
      limits, [](const PoolRule::Limit& limit) { return least_far(limit.k) <= limit.threshold; });
  return far ? std::pair<Label, Label>{0, num_labels_} : std::pair{begin_, end_};
}

}  // namespace caos
