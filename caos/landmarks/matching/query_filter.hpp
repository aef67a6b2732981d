#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "caos/landmarks/matching/coarse_pool.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scorers/reference_filter.hpp"

namespace caos {

/// Tells most queries that are in no set of any pool, without comparing them in full: upper bounds
/// of their similarities miss every limit. The others are compared as if there were no filter, so
/// that it changes nothing but the time. Safe to share between threads.
class QueryFilter {
 public:
  /// The pools outlive this.
  QueryFilter(ReferenceFilter filter, std::vector<const CoarsePool*> pools)
      : filter_(std::move(filter)), pools_(std::move(pools)) {}

  /// One thread's, used again and again.
  struct Scratch {
    Scratch(const QueryFilter& filter, CoarseScratch& of_pools)
        : pools(of_pools), projected(filter.dimension()) {}

    CoarseScratch& pools;
    CoarseRows projected;
    CoarseSimilarities dots{};
    CoarseSimilarities bounds{};
  };

  /// The numbers of the queries that may be in a set, ascending.
  [[nodiscard]] std::vector<std::uint32_t> candidates(const CoarseRows& queries,
                                                      Scratch& scratch) const;

  /// How many values of each query and reference are compared.
  [[nodiscard]] std::size_t dimension() const { return filter_.dimension(); }

 private:
  ReferenceFilter filter_;
  std::vector<const CoarsePool*> pools_;
};

/// What a filter is chosen by.
struct FilterProblem {
  const CoarseRows& references;               ///< the distinct ones of all pools
  std::span<const float* const> rows;         ///< the same
  std::vector<const CoarsePool*> pools;       ///< outlive the filter
  std::size_t num_queries = 0;                ///< in all
  const CoarseRows& sample;                   ///< some of the queries
  std::span<const float* const> sample_rows;  ///< the same
};

/// How many queries should be in the sample; none where there is so little to do that no filter
/// could pay.
[[nodiscard]] std::size_t filter_sample_size(std::size_t num_queries, std::size_t num_references);

/// The filter that does the sample with the least work, the finding of it included; none if that
/// is hardly less than without. Depends on nothing but the problem.
[[nodiscard]] std::optional<QueryFilter> choose_filter(const FilterProblem& problem);

/// The filter by so many directions, or as many as there are.
[[nodiscard]] std::optional<QueryFilter> make_filter(const FilterProblem& problem,
                                                     std::size_t num_directions);

}  // namespace caos
