#include "caos/scorers/coarse_similarities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"

namespace caos {
namespace {

using kernels::coarse_group;
using kernels::coarse_panel;

/// Rows that a thread takes at a time.
constexpr std::size_t rows_at_once = 256;

/// Panels that stay in the first cache but one while all groups pass by.
constexpr std::size_t panels_at_a_time = 4;

/// Bytes of similarities that a batch may take, where there are several groups in it.
constexpr std::size_t batch_bytes = std::size_t{3} << 20;

std::size_t rounded_up(std::size_t count, std::size_t unit) { return (count + unit - 1) / unit; }

/// Errors are those of rows of length 1.
void require_unit(std::span<const float> row, std::size_t r) {
  double squared = 0;
  kernels::dot_rows(row.data(), 1, row.data(), 1, row.size(), &squared, 1);
  require(std::abs(squared - 1) <= 2e-6, ErrorKind::invalid_input, [&] {
    return fmt::format("row {} of the embeddings has length {}; divide by it first", r,
                       std::sqrt(squared));
  });
}

}  // namespace

/// |x.r - x'.r'| <= |x - x'| |r| + |x'| |r - r'| for coarse rows x', r'; in units.
std::int32_t coarse_error(double query_error, double reference_error) {
  const double error = query_error * longest_row + (longest_row + query_error) * reference_error;
  return static_cast<std::int32_t>(
      std::ceil(error * kernels::coarse_one + kernels::coarse_rounding));
}

void CoarseRows::append(MatrixView<const float> rows, std::size_t threads) {
  const std::size_t width = kernels::coarse_dim(dimension_);
  const std::size_t start = size();
  values_.resize((start + rows.rows()) * width);
  errors_.resize(start + rows.rows());
  parallel_for(rows.rows(), rows_at_once, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      require_unit(rows.row(r), r);
      errors_[start + r] =
          kernels::quantize(rows.row(r).data(), dimension_, values_.data() + (start + r) * width);
    }
  });
}

void CoarseRows::append(const CoarseRows& other, std::span<const std::uint32_t> which) {
  for (const std::uint32_t r : which) {
    values_.insert(values_.end(), other.row(r), other.row(r + 1));
    errors_.push_back(other.error(r));
  }
}

void CoarseRows::append(std::span<const std::int16_t> values, double error) {
  assert(values.size() == kernels::coarse_dim(dimension_));
  values_.insert(values_.end(), values.begin(), values.end());
  errors_.push_back(error);
}

void CoarseRows::clear() {
  values_.clear();
  errors_.clear();
}

void CoarseRows::truncate(std::size_t size) {
  assert(size <= errors_.size());
  values_.resize(size * kernels::coarse_dim(dimension_));
  errors_.resize(size);
}

CoarseReferences::CoarseReferences(const CoarseRows& rows, std::size_t threads)
    : size_(rows.size()), dimension_(rows.dimension()) {
  pack(rows, threads, [](std::size_t r) { return r; });
}

CoarseReferences::CoarseReferences(const CoarseRows& rows, std::span<const std::uint32_t> which)
    : size_(which.size()), dimension_(rows.dimension()) {
  pack(rows, 1, [&](std::size_t r) { return std::size_t{which[r]}; });
}

std::size_t CoarseReferences::num_panels() const { return rounded_up(size_, coarse_panel); }

const std::int16_t* CoarseReferences::panel(std::size_t p) const {
  return panels_.data() + p * coarse_panel * kernels::coarse_dim(dimension_);
}

template <typename RowOf>
void CoarseReferences::pack(const CoarseRows& rows, std::size_t threads, RowOf row_of) {
  const std::size_t panel_size = coarse_panel * kernels::coarse_dim(dimension_);
  panels_.reserve(num_panels() * panel_size);
  for (std::size_t r = 0; r < size_; ++r) {
    largest_error_ = std::max(largest_error_, rows.error(row_of(r)));
  }
  constexpr std::size_t grain = rows_at_once / coarse_panel;
  parallel_for(num_panels(), grain, threads, [&](std::size_t first, std::size_t last) {
    std::array<const std::int16_t*, coarse_panel> of_panel{};
    for (std::size_t p = first; p < last; ++p) {
      const std::size_t count = std::min(coarse_panel, size_ - p * coarse_panel);
      for (std::size_t r = 0; r < count; ++r) of_panel[r] = rows.row(row_of(p * coarse_panel + r));
      kernels::pack_panel(of_panel.data(), count, dimension_, panels_.data() + p * panel_size);
    }
  });
}

std::size_t CoarseSimilarities::batch_size(const CoarseReferences& references) {
  constexpr std::size_t most_groups = 3;
  const std::size_t bytes = references.num_panels() * coarse_panel * coarse_group * 2;
  const std::size_t groups = bytes == 0 ? most_groups : batch_bytes / bytes;
  return std::clamp<std::size_t>(groups, 1, most_groups) * coarse_group;
}

void CoarseSimilarities::compare(const CoarseRows& queries, std::size_t first, std::size_t count,
                                 const CoarseReferences& references) {
  num_queries_ = count;
  num_groups_ = rounded_up(count, coarse_group);
  stride_ = references.num_panels() * coarse_panel * coarse_group;
  similarities_.reserve(num_groups_ * stride_);
  pack(queries, first, references);
  const std::size_t dim = references.dimension();
  const std::size_t packed_group = coarse_group * kernels::coarse_dim(dim);
  for (std::size_t p = 0; p < references.num_panels(); p += panels_at_a_time) {
    const std::size_t panels = std::min(panels_at_a_time, references.num_panels() - p);
    for (std::size_t g = 0; g < num_groups_; ++g) {
      kernels::coarse_dots(packed_.data() + g * packed_group, references.panel(p), panels, dim,
                           group(g) + p * coarse_panel * coarse_group,
                           num_queries_ - g * coarse_group);
    }
  }
}

void CoarseSimilarities::pack(const CoarseRows& queries, std::size_t first,
                              const CoarseReferences& references) {
  const std::size_t packed_group = coarse_group * kernels::coarse_dim(queries.dimension());
  packed_.reserve(num_groups_ * packed_group);
  errors_.assign(num_groups_ * coarse_group, 0);
  std::array<const std::int16_t*, coarse_group> rows{};
  for (std::size_t g = 0; g < num_groups_; ++g) {
    const std::size_t count = std::min(coarse_group, num_queries_ - g * coarse_group);
    for (std::size_t q = 0; q < count; ++q) {
      const std::size_t query = first + g * coarse_group + q;
      rows[q] = queries.row(query);
      errors_[g * coarse_group + q] =
          coarse_error(queries.error(query), references.largest_error());
    }
    kernels::pack_group(rows.data(), count, queries.dimension(), packed_.data() + g * packed_group);
  }
}

std::uint32_t CoarseSimilarities::present(std::size_t g) const {
  const std::size_t count = std::min(coarse_group, num_queries_ - g * coarse_group);
  return count == coarse_group ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

}  // namespace caos
