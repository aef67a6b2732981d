#pragma once

#include <cstddef>
#include <optional>

#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Upper bounds of the similarities of queries with references, at a fraction of their cost: rows
/// are projected on a few directions, and of what is left of each only the length is kept.
///
/// A projected row has one value for each direction and at last the length of the rest, rounded up.
/// The coarse similarity of two projected rows (`CoarseSimilarities`) plus its error is at least
/// the similarity of the two rows that they stand for. The closer rows are to the span of the
/// directions, the nearer it comes. Immutable; safe to share between threads.
class ReferenceFilter {
 public:
  /// `references` are coarse unit rows, `directions` unit rows of the same dimension, at least one
  /// of them. Nothing where the bounds would not hold: directions that are far from orthogonal,
  /// rows of more than 50,000 values, more than 1,000 directions.
  [[nodiscard]] static std::optional<ReferenceFilter> make(const CoarseRows& references,
                                                           MatrixView<const float> directions);

  /// How many values a projected row has.
  [[nodiscard]] std::size_t dimension() const { return num_directions_ + 1; }

  /// The projected references, in their order.
  [[nodiscard]] const CoarseReferences& references() const { return references_; }

  /// The projected rows of unit rows of the references' dimension, in their order.
  [[nodiscard]] CoarseRows project(const CoarseRows& rows) const;
  /// The same into `out`, with `dots` for scratch space.
  void project(const CoarseRows& rows, CoarseSimilarities& dots, CoarseRows& out) const;

 private:
  ReferenceFilter(const CoarseRows& references, const CoarseRows& directions, double skew);

  void project_group(const CoarseSimilarities& dots, std::size_t g, const CoarseRows& rows,
                     std::size_t first, CoarseRows& out) const;

  std::size_t num_directions_;
  CoarseReferences directions_;
  double skew_;  ///< at least the norm of W W' - I for the coarse directions W
  CoarseReferences references_;
};

}  // namespace caos
