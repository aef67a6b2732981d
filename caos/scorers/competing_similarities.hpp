#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scorers/patch_score.hpp"

// Margin and softmax are both
//
//   s = unit * (1 - v),  v = 1 - ((m - c) + l) / 2,
//
// where c is the similarity of a patch and a reference, m the largest similarity of the image's
// patches with it, and l depends on the column alone:
//
//   margin   unit = 2 (1 + w), l = (1 - m) / (1 + w)
//   softmax  unit = 2 / T,     l = T log(sum over patches of exp((c - m) / T)).
//
// Thus v takes the place of the similarity and s / unit that of the cosine score, and what decides
// about cosine sets by coarse similarities decides about these by coarse v. It fits their range, as
// 0 <= (m - c) + l <= 2 + l. As m + l moves by at most as much as any c does, the error of v is at
// most that of c, and some rounding.

namespace caos {

/// Whether coarse v decide about this score: softmax must not be so hot that they leave the range.
[[nodiscard]] bool competes_coarsely(const PatchScore& score);

/// What 1 - v, or 1 - similarity, is multiplied by to become the score.
[[nodiscard]] Score coarse_unit(const PatchScore& score);

/// What halving, and adding exponentials in float, can add to the error of v, in units of
/// 1 / coarse_one.
[[nodiscard]] std::int32_t competing_rounding(const PatchScore& score, std::size_t num_patches);

/// The margin of each patch under the row beside it, as it is defined, given the largest similarity
/// that any patch of the image has with that row; `out` takes as many.
void margin_of_pairs(std::span<const float* const> patches, std::span<const float* const> rows,
                     std::size_t dimension, std::span<const double> maxima, double weight,
                     Score* out);

/// References laid out for the patches of one image to compete for. Immutable; safe to share
/// between threads.
class CompetingReferences {
 public:
  /// `rows` are the references themselves, which outlive this.
  CompetingReferences(MatrixView<const float> rows, const PatchScore& score, std::size_t threads);

  [[nodiscard]] const PatchScore& score() const { return score_; }
  [[nodiscard]] MatrixView<const float> rows() const { return rows_; }
  [[nodiscard]] std::size_t size() const { return rows_.rows(); }
  [[nodiscard]] std::size_t dimension() const { return rows_.cols(); }
  [[nodiscard]] double largest_error() const { return largest_error_; }
  [[nodiscard]] std::size_t num_groups() const;
  [[nodiscard]] const std::int16_t* group(std::size_t g) const;

 private:
  MatrixView<const float> rows_;
  PatchScore score_;
  double largest_error_ = 0;
  AlignedBuffer<std::int16_t> groups_;
};

/// The coarse v of all patches of one image under every reference, and the scores of some as they
/// are defined. One thread's scratch space, used again and again.
class CompetingSimilarities {
 public:
  explicit CompetingSimilarities(const CompetingReferences& references);

  /// `coarse` are the rows of `image`, which lie one after the other and outlive the next calls.
  void compare(MatrixView<const float> image, const CoarseRows& coarse);

  [[nodiscard]] std::size_t num_groups() const;
  /// As of `CoarseSimilarities`.
  [[nodiscard]] const std::int16_t* group(std::size_t g) const {
    return values_.data() + g * stride_;
  }
  [[nodiscard]] const std::int32_t* errors() const { return errors_.data(); }
  [[nodiscard]] std::uint32_t present(std::size_t g) const;

  /// out[i] = the score of the patch that is `patches[i]`, a row of the image, under the reference
  /// at `columns[i]`.
  void scores(std::span<const float* const> patches, std::span<const std::uint32_t> columns,
              Score* out);

  /// Whether `bounds` can say more than v at less than the cost of scores.
  [[nodiscard]] bool has_bounds() const {
    return references_.score().kind == PatchScore::Kind::softmax;
  }
  struct Bounds {
    double low = 0;
    double high = 0;
  };
  /// Bounds of the scores of one patch under the references at `columns`: of the sum over patches
  /// only the few large terms are computed. Requires `has_bounds`; `out` takes as many.
  void bounds(const float* patch, std::span<const std::uint32_t> columns, Bounds* out);

 private:
  void fill_group(const CoarseReferences& image, std::size_t g);
  void find_tops();

  void find_maxima(std::span<const std::uint32_t> columns);
  void find_columns(std::span<const std::uint32_t> columns);
  [[nodiscard]] Bounds find_level(std::uint32_t column);
  void margin_scores(std::span<const float* const> patches, std::span<const std::uint32_t> columns,
                     Score* out);
  void softmax_scores(std::span<const float* const> patches, std::span<const std::uint32_t> columns,
                      Score* out);

  const CompetingReferences& references_;
  MatrixView<const float> image_{};
  std::size_t stride_ = 0;             ///< values of a group
  std::int32_t plain_error_ = 0;       ///< of similarities
  AlignedBuffer<std::int16_t> block_;  ///< as of kernels/compete.hpp
  AlignedBuffer<std::int16_t> most_;   ///< m, tops and sums of a group of references
  AlignedBuffer<std::int16_t> tops_;
  AlignedBuffer<float> sums_;
  AlignedBuffer<std::int16_t> values_;
  std::vector<std::int16_t> column_tops_;  ///< by column: the largest v, the largest similarity,
  std::vector<std::int16_t> column_most_;  ///< and of softmax the sum of exponentials
  std::vector<float> column_sums_;
  std::vector<Bounds> levels_;        ///< of softmax, by column; not a number where not known
  std::vector<std::int32_t> errors_;  ///< the same for all queries of a group

  std::vector<double> maxima_;         ///< of margin, by column; not a number where not known
  std::vector<std::uint32_t> places_;  ///< of softmax, by column: its scores in `columns_`, or none
  std::vector<Score> columns_;         ///< the scores of all patches, column after column
};

}  // namespace caos
