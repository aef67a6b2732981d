#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "caos/scorers/coarse_similarities.hpp"

namespace caos {

/// The coarse similarities of one group of queries with every reference.
struct CoarseGroup {
  const std::int16_t* similarities = nullptr;
  const std::int32_t* errors = nullptr;
  std::uint32_t present = 0;             ///< one bit for each query that there is
  std::span<const float* const> rows{};  ///< the queries themselves
};

/// How many groups so many queries make.
[[nodiscard]] constexpr std::size_t num_coarse_groups(std::size_t num_queries) {
  return (num_queries + kernels::coarse_group - 1) / kernels::coarse_group;
}

/// Compares queries with references a few groups at a time, and calls `visit(number, group)` for
/// each group. `rows` are the queries themselves, or empty if they are not needed;
/// `similarities` is scratch space.
void compare_in_groups(const CoarseRows& queries, std::span<const float* const> rows,
                       const CoarseReferences& references, CoarseSimilarities& similarities,
                       const std::function<void(std::size_t, const CoarseGroup&)>& visit);

}  // namespace caos
