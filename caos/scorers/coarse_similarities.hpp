#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/coarse.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Rows whose squared length is 1 within 1e-6 pass as unit rows; none is longer than this.
inline constexpr double longest_row = 1 + 1e-6;

/// At least how far a coarse similarity is from that of the rows, in units of 1 / coarse_one, given
/// how far the two coarse rows are from them.
[[nodiscard]] std::int32_t coarse_error(double query_error, double reference_error);

/// Unit rows in sixteen bits, and how far each is from the row that it stands for.
class CoarseRows {
 public:
  explicit CoarseRows(std::size_t dimension) : dimension_(dimension) {}
  explicit CoarseRows(MatrixView<const float> rows, std::size_t threads = 1)
      : CoarseRows(rows.cols()) {
    append(rows, threads);
  }

  /// Throws `invalid_input` for a row that is not of length 1, as `unit_rows` makes them.
  void append(MatrixView<const float> rows, std::size_t threads = 1);
  /// Some rows of `other`, which has the same dimension.
  void append(const CoarseRows& other, std::span<const std::uint32_t> which);
  /// A row of `coarse_dim(dimension())` values as it is, with the error that it is said to have.
  void append(std::span<const std::int16_t> values, double error);
  void clear();
  /// Keeps the first `size` rows.
  void truncate(std::size_t size);

  [[nodiscard]] std::size_t size() const { return errors_.size(); }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] const std::int16_t* row(std::size_t r) const {
    return values_.data() + r * kernels::coarse_dim(dimension_);
  }
  [[nodiscard]] double error(std::size_t r) const { return errors_[r]; }

 private:
  std::size_t dimension_;
  std::vector<std::int16_t> values_;
  std::vector<double> errors_;
};

/// Coarse rows laid out as references for many queries. Immutable; safe to share between threads.
class CoarseReferences {
 public:
  explicit CoarseReferences(const CoarseRows& rows, std::size_t threads = 1);
  /// Some rows only, in the order given.
  CoarseReferences(const CoarseRows& rows, std::span<const std::uint32_t> which);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] double largest_error() const { return largest_error_; }
  [[nodiscard]] std::size_t num_panels() const;
  [[nodiscard]] const std::int16_t* panel(std::size_t p) const;

 private:
  /// `row_of(r)` is the number of the row that becomes reference r.
  template <typename RowOf>
  void pack(const CoarseRows& rows, std::size_t threads, RowOf row_of);

  std::size_t size_;
  std::size_t dimension_;
  double largest_error_ = 0;
  AlignedBuffer<std::int16_t> panels_;
};

/// The similarities of some queries with every reference, each known within an error. One thread's
/// scratch space, used again and again.
class CoarseSimilarities {
 public:
  /// How many queries to compare at a time: more share the reading of the references, fewer leave
  /// room in the cache; with very many references memory must stay bounded.
  [[nodiscard]] static std::size_t batch_size(const CoarseReferences& references);

  /// Compares `count` queries from `first` on.
  void compare(const CoarseRows& queries, std::size_t first, std::size_t count,
               const CoarseReferences& references);

  [[nodiscard]] std::size_t num_groups() const { return num_groups_; }
  /// One bit for each query that the group has.
  [[nodiscard]] std::uint32_t present(std::size_t g) const;

  /// Similarities of a group in units of 1 / coarse_one: entry (r, q) at
  /// [r * coarse_group + q].
  [[nodiscard]] const std::int16_t* group(std::size_t g) const {
    return similarities_.data() + g * stride_;
  }
  [[nodiscard]] std::int16_t* group(std::size_t g) { return similarities_.data() + g * stride_; }

  /// At least the error of each query's similarities in the same units.
  [[nodiscard]] const std::int32_t* errors(std::size_t g) const {
    return errors_.data() + g * kernels::coarse_group;
  }

 private:
  void pack(const CoarseRows& queries, std::size_t first, const CoarseReferences& references);

  std::size_t num_queries_ = 0;
  std::size_t num_groups_ = 0;
  std::size_t stride_ = 0;  ///< values of a group
  AlignedBuffer<std::int16_t> packed_;
  AlignedBuffer<std::int16_t> similarities_;
  std::vector<std::int32_t> errors_;
};

}  // namespace caos
