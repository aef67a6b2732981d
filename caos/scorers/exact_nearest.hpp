#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "caos/scores.hpp"

namespace caos {

/// A score and which of a pool's references gives it.
struct Neighbor {
  Score score = 0;
  std::uint32_t position = 0;

  friend auto operator<=>(const Neighbor&, const Neighbor&) = default;
};

/// The rows of a matrix, where each begins.
[[nodiscard]] std::vector<const float*> row_pointers(MatrixView<const float> rows);

class CompetingSimilarities;

/// Scores as they are defined, of the few queries that coarse similarities do not decide: cosine,
/// or those of an image's competing patches. One thread's scratch space.
class ExactNearest {
 public:
  /// `references` are unit rows of `dimension` values; they outlive this.
  ExactNearest(std::span<const float* const> references, std::size_t dimension)
      : references_(references), dimension_(dimension) {}

  /// From now on scores are those of an image, and queries its patches; nothing: cosine again.
  void compete(CompetingSimilarities* image) { image_ = image; }

  /// The coarse similarities of one query with the references at `columns`, of which the k-th
  /// largest and the error are known.
  struct Query {
    const float* row = nullptr;
    const std::int16_t* similarities =
        nullptr;  ///< of the query's group, from the query's place on
    std::span<const std::uint32_t> columns{};
    std::int32_t kth = 0;
    std::int32_t error = 0;
  };

  /// The k smallest scores, ascending; of equal ones the earlier positions. Only references that
  /// can be among them are computed. Valid until the next call.
  [[nodiscard]] std::span<const Neighbor> nearest(const Query& query, std::size_t k);

  /// Bounds of the sums of the 1, 2, ... smallest scores, where the image has bounds that cost less
  /// than scores. Valid until the next call.
  struct Sums {
    std::span<const double> low{};
    std::span<const double> high{};
  };
  [[nodiscard]] std::optional<Sums> bounds(const Query& query);

  /// The scores of a row under references; `out` takes as many.
  void scores(const float* row, std::span<const std::uint32_t> columns, Score* out);

  /// The score of each row under the reference beside it. Valid until the next call.
  [[nodiscard]] std::span<const Score> scores(std::span<const float* const> rows,
                                              std::span<const std::uint32_t> columns);

 private:
  void select(const Query& query);
  void compute(std::span<const float* const> rows, std::span<const std::uint32_t> columns);

  std::span<const float* const> references_;
  std::size_t dimension_;
  CompetingSimilarities* image_ = nullptr;
  std::vector<const float*> rows_;
  std::vector<const float*> queries_;
  std::vector<std::uint32_t> columns_;
  std::vector<Score> scores_;
  std::vector<Neighbor> neighbors_;
  std::vector<double> low_;
  std::vector<double> high_;
};

/// The sum of the first k scores, in that order.
[[nodiscard]] Score sum_of_nearest(std::span<const Neighbor> nearest, std::size_t k);

}  // namespace caos
