#pragma once

#include <vector>

#include "caos/classification.hpp"
#include "caos/rng.hpp"

/// Classes of points around centers of their own.
namespace vector_problem {

inline caos::Matrix<double> points(std::span<const caos::Label> labels, std::size_t dimension,
                                   std::uint64_t seed) {
  caos::Rng rng(seed);
  caos::Matrix<double> result(labels.size(), dimension);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t d = 0; d < dimension; ++d) {
      const double center = d == labels[i] ? 2 : 0.5;
      result(i, d) = center + rng.uniform() + rng.uniform();
    }
  }
  return result;
}

inline std::vector<caos::Label> labels(std::size_t n, std::size_t num_labels) {
  std::vector<caos::Label> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = i % num_labels;
  return result;
}

inline caos::LabeledVectors labeled(std::size_t n, std::size_t num_labels = 3) {
  const auto of_examples = labels(n, num_labels);
  return {.vectors = points(of_examples, 5, 1), .labels = of_examples, .num_labels = num_labels};
}

}  // namespace vector_problem
