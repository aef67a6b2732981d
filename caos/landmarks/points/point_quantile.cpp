#include "caos/landmarks/points/point_quantile.hpp"

#include <algorithm>
#include <numeric>

#include "caos/error.hpp"
#include "caos/sorted_scores.hpp"

namespace caos {
namespace {

ExampleWeights weights_of(std::span<const WeightedError> errors) {
  std::vector<Fraction> fractions;
  for (const WeightedError& error : errors) {
    fractions.push_back({.numerator = 1, .denominator = error.shared_by});
  }
  return whole_weights({}, fractions);
}

}  // namespace

ErrorQuantiles::ErrorQuantiles(std::span<const WeightedError> errors) {
  require(!errors.empty(), ErrorKind::invalid_input, "a quantile needs at least one error");
  const ExampleWeights weights = weights_of(errors);
  Indices order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return errors[i].error; });
  std::uint64_t total = 0;
  for (const std::size_t i : order) {
    errors_.push_back(errors[i].error);
    weights_.push_back(total += weights.of(i));
  }
}

double ErrorQuantiles::at(std::size_t percent) const {
  require(1 <= percent && percent <= 100, ErrorKind::invalid_input,
          "a quantile is at 1 to 100 percent");
  const auto found = std::ranges::partition_point(
      weights_, [&](std::uint64_t weight) { return weight * 100 < weights_.back() * percent; });
  return errors_[static_cast<std::size_t>(found - weights_.begin())];
}

}  // namespace caos
