#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "caos/core/matrix.hpp"
#include "caos/engine/coarse_pool.hpp"
#include "caos/scorers/coarse_similarities.hpp"

namespace caos {

/// A few images whose patches are compared with the references together, in groups.
class ImageBatch {
 public:
  /// `image(i)` gives unit rows of the references' dimension; it is called once for each of the
  /// images first, ..., last - 1.
  ImageBatch(std::size_t first, std::size_t last, std::size_t dimension,
             const std::function<Matrix<float>(std::size_t)>& image);

  /// Part of a group: the patches of one image in it.
  struct Segment {
    std::size_t image = 0;   ///< counted from `first`
    std::uint32_t bits = 0;  ///< its queries in the group
  };

  [[nodiscard]] std::size_t num_images() const { return images_.size(); }
  [[nodiscard]] std::size_t num_queries() const { return rows_.size(); }
  [[nodiscard]] std::size_t num_groups() const;
  [[nodiscard]] MatrixView<const float> image(std::size_t i) const { return images_[i].view(); }
  /// The number of the first patch of image i among all queries.
  [[nodiscard]] std::size_t start(std::size_t i) const { return starts_[i]; }
  [[nodiscard]] std::vector<Segment> segments(std::size_t group) const;

  [[nodiscard]] const CoarseRows& coarse() const { return coarse_; }
  [[nodiscard]] std::span<const float* const> rows() const { return rows_; }

  /// What is called with every group of queries and its number.
  using Visit = std::function<void(std::size_t, const CoarseGroup&)>;

  void compare(const CoarseReferences& references, const Visit& visit) const;
  /// Some queries only, which make groups of their own, numbered from 0 on.
  void compare(const CoarseReferences& references, std::span<const std::uint32_t> which,
               const Visit& visit) const;

 private:
  std::vector<Matrix<float>> images_;
  std::vector<std::size_t> starts_;  ///< and where the last image ends
  std::vector<const float*> rows_;
  CoarseRows coarse_;
};

/// How many groups so many queries make.
[[nodiscard]] std::size_t num_coarse_groups(std::size_t num_queries);

/// How many images of so many patches to take at once: few, so that threads stay busy to the end,
/// but such that they fill their groups.
[[nodiscard]] std::size_t images_at_once(std::size_t num_patches);

/// The same where a filter leaves few patches of each: more, so that those fill groups.
[[nodiscard]] std::size_t filtered_images_at_once(std::size_t num_patches);

}  // namespace caos
