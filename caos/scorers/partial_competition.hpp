#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/scorers/coarse_similarities.hpp"
#include "caos/scorers/patch_score.hpp"

// Margin and softmax of a few patches of an image. Both are (unit / 2) (u - c), where c is the
// similarity of the patch and u, the level of the reference's column, only rises with every patch
// that competes:
//
//   margin   u = m + (1 - m) / (1 + w)       = (1 + w m) / (1 + w)
//   softmax  u = m + T log(sum of exp((c' - m) / T)) = T log(sum of exp(c' / T)).
//
// So the level that some patches of the image give is a lower bound, and all of them are compared
// only for references that it leaves in reach.

namespace caos {

/// References in an order in which neighbors compete for the same patches. Immutable; safe to share
/// between threads.
class SortedReferences {
 public:
  /// `rows` are the references themselves, which outlive this; `order` are their numbers, sorted.
  SortedReferences(MatrixView<const float> rows, std::span<const std::uint32_t> order,
                   const PatchScore& score, std::size_t threads);

  [[nodiscard]] const PatchScore& score() const { return score_; }
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t dimension() const { return rows_.cols(); }
  [[nodiscard]] double largest_error() const { return largest_error_; }
  [[nodiscard]] std::size_t num_groups() const;
  [[nodiscard]] const std::int16_t* group(std::size_t g) const;
  /// Where a reference is in the order.
  [[nodiscard]] std::uint32_t place(std::uint32_t reference) const { return places_[reference]; }
  [[nodiscard]] std::span<const float> row(std::uint32_t place) const {
    return rows_.row(order_[place]);
  }
  [[nodiscard]] const std::int16_t* coarse_row(std::uint32_t place) const {
    return coarse_.row(order_[place]);
  }

 private:
  MatrixView<const float> rows_;
  PatchScore score_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> places_;
  CoarseRows coarse_;
  double largest_error_ = 0;
  AlignedBuffer<std::int16_t> groups_;
};

/// One image's patches against references: first some, then all of them for some references. One
/// thread's scratch space, used again and again. References are named by place.
class PartialCompetition {
 public:
  explicit PartialCompetition(const SortedReferences& references);

  /// A new image, unit rows, which outlives the next calls. Nothing is compared yet.
  void begin(MatrixView<const float> image);
  /// The patch will be compared with the reference, and so will be some others.
  void want(std::size_t patch, std::uint32_t place) {
    wanted_[place / kernels::coarse_group * num_panels_ + patch / kernels::coarse_panel] = 1;
  }
  /// Compares what is wanted.
  void compare();
  /// Compares all patches with more references.
  void complete(std::span<const std::uint32_t> places);
  [[nodiscard]] bool is_complete(std::uint32_t place) const { return slots_[place] != none; }

  /// c, of a patch that was wanted, in units of 1 / coarse_one.
  [[nodiscard]] std::int16_t similarity(std::size_t patch, std::uint32_t place) const {
    using kernels::coarse_group;
    using kernels::coarse_panel;
    const std::size_t g = place / coarse_group;
    const std::size_t row = starts_[g * num_panels_ + patch / coarse_panel] + patch % coarse_panel;
    return values_.data()[row * coarse_group + place % coarse_group];
  }
  /// u in the same units. u - c is within `slack` of the true value for a reference that is
  /// complete, and at most that much above it for others.
  [[nodiscard]] float level(std::uint32_t place) const { return levels_[place]; }
  [[nodiscard]] float slack() const { return slack_; }

  /// The scores as they are defined of patches under references that are complete, pair by pair.
  void scores(std::span<const std::uint32_t> patches, std::span<const std::uint32_t> places,
              Score* out);

 private:
  static constexpr auto none = static_cast<std::uint32_t>(-1);

  void find_levels(const std::int16_t* block, std::size_t rows);
  void margin_scores(std::span<const std::uint32_t> patches, std::span<const std::uint32_t> places,
                     Score* out);
  void find_maxima(std::span<const std::uint32_t> places);
  void softmax_scores(std::span<const std::uint32_t> patches, std::span<const std::uint32_t> places,
                      Score* out);

  const SortedReferences& references_;
  MatrixView<const float> image_{};
  std::optional<CoarseReferences> panels_{};
  std::size_t num_panels_ = 0;
  std::int32_t error_ = 0;  ///< of similarities, in units
  float slack_ = 0;
  std::vector<std::uint8_t> wanted_{};   ///< by group, then panel
  std::vector<std::uint32_t> starts_{};  ///< as many: the row of `values_` where it begins
  AlignedBuffer<std::int16_t> values_;   ///< blocks, as of kernels/compete.hpp
  std::vector<float> levels_{};          ///< by place
  std::vector<std::uint32_t> slots_{};   ///< by place: the column of its block among complete ones
  std::size_t num_slots_ = 0;
  std::vector<AlignedBuffer<std::int16_t>> blocks_{};  ///< all patches, of 32 slots each
  AlignedBuffer<std::int16_t> packed_;
  AlignedBuffer<std::int16_t> most_;
  AlignedBuffer<float> sums_;
  AlignedBuffer<float> block_levels_;
  std::vector<double> maxima_{};  ///< of margin, by place; not a number where not known
};

}  // namespace caos
