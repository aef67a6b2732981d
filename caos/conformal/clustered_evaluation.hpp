#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "caos/evaluation.hpp"

namespace caos {

/// How a test example counts in an average over examples that come in clusters, such as the images
/// of one subject.
struct ClusterShare {
  double weight = 1;  ///< positive
  std::size_t cluster = 0;
};

/// As `summarize`, with weighted averages. The standard error is over clusters: examples of one
/// cluster depend on each other. Nothing where there is one cluster.
///
/// With weights w and e_c the sum of w (y - mean) over cluster c of J, the standard error is
/// sqrt(J / (J - 1) sum_c e_c^2) / sum of w.
/// Requires an outcome, and one share for each.
[[nodiscard]] Evaluation summarize_clusters(std::span<const Outcome> outcomes,
                                            std::span<const ClusterShare> shares);

/// The weighted mean of `values` with its standard error over clusters.
[[nodiscard]] MeanWithError cluster_mean(std::span<const double> values,
                                         std::span<const ClusterShare> shares);

/// Shares in an average over subjects: each of a subject's m examples weighs 1/m. With
/// `each_example`, every example weighs 1.
[[nodiscard]] std::vector<ClusterShare> shares_of(std::span<const std::size_t> subjects,
                                                  bool each_example);

}  // namespace caos
