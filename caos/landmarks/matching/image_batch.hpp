#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "caos/landmarks/matching/coarse_pool.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scores.hpp"

namespace caos {

/// A few images whose patches are compared with the references together, in groups.
class ImageBatch {
 public:
  /// `image(i)` gives unit rows of the references' dimension; it is called once for each of the
  /// images first, ..., last - 1.
  ImageBatch(std::size_t first, std::size_t last, std::size_t dimension,
             const std::function<Matrix<float>(std::size_t)>& image);

  /// Says which of some queries are worth comparing: their numbers, ascending.
  using Candidates = std::function<std::vector<std::uint32_t>(const CoarseRows&)>;

  /// The same, but of all queries only candidates are kept and compared.
  ImageBatch(std::size_t first, std::size_t last, std::size_t dimension,
             const std::function<Matrix<float>(std::size_t)>& image, const Candidates& candidates);

  /// Part of a group: the patches of one image in it.
  struct Segment {
    std::size_t image = 0;   ///< counted from `first`
    std::uint32_t bits = 0;  ///< its queries in the group
  };

  [[nodiscard]] std::size_t num_images() const { return starts_.size() - 1; }
  /// All patches, compared or not.
  [[nodiscard]] std::size_t num_queries() const { return starts_.back(); }
  /// The number of the first patch of image i among all queries.
  [[nodiscard]] std::size_t start(std::size_t i) const { return starts_[i]; }

  /// The queries that are compared: all, or the candidates.
  [[nodiscard]] const CoarseRows& coarse() const { return coarse_; }
  [[nodiscard]] std::span<const float* const> rows() const { return rows_; }
  /// The numbers of the candidates among all queries.
  [[nodiscard]] std::span<const std::uint32_t> candidates() const { return candidates_; }
  /// How many groups they make.
  [[nodiscard]] std::size_t num_groups() const { return num_coarse_groups(rows_.size()); }

  /// Which patches are in a group, where all are compared.
  [[nodiscard]] std::vector<Segment> segments(std::size_t group) const;

 private:
  void keep_candidates(const CoarseRows& queries, std::span<const std::uint32_t> which);
  void drop_images(std::size_t number);

  std::vector<Matrix<float>> images_;  ///< those that are not dropped
  std::size_t num_dropped_ = 0;
  std::size_t num_filtered_ = 0;  ///< queries of which candidates are known
  Matrix<float> kept_;            ///< the candidates
  std::vector<std::uint32_t> candidates_;
  std::vector<std::size_t> starts_;  ///< and where the last image ends
  std::vector<const float*> rows_;
  CoarseRows coarse_;
};

/// How many images of so many patches to take at once: few, so that threads stay busy to the end,
/// but such that they fill their groups.
[[nodiscard]] std::size_t images_at_once(std::size_t num_patches);

/// The same where a filter leaves few patches of each: more, so that those fill groups.
[[nodiscard]] std::size_t filtered_images_at_once(std::size_t num_patches);

}  // namespace caos
