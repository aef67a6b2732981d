#include "caos/landmarks/geometry/patch_similarities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/kernels/patch_votes.hpp"
#include "caos/kernels/transpose.hpp"

namespace caos {
namespace {

using kernels::coarse_group;
using kernels::coarse_panel;

/// Panels that stay in the first cache but one while all groups pass by.
constexpr std::size_t panels_at_a_time = 4;

CoarseRows coarse_rows(MatrixView<const float> patches, const vision::PatchGrid& grid) {
  require(grid.size() == patches.rows() && grid.size() > 0, ErrorKind::invalid_input, [&] {
    return fmt::format("an image has {} patches; a grid of {} x {} has {}", patches.rows(),
                       grid.columns, grid.rows, grid.size());
  });
  return CoarseRows(patches);
}

/// sqrt of the mean square less the square of the mean, from exact sums.
double deviation_of(const kernels::VoteSums& sums, std::size_t count) {
  __extension__ using Wide = __int128;
  const Wide spread = static_cast<Wide>(count) * sums.squares - Wide{sums.values} * sums.values;
  return std::sqrt(static_cast<double>(spread)) /
         (static_cast<double>(count) * kernels::coarse_one);
}

}  // namespace

AnchorPatches::AnchorPatches(MatrixView<const float> patches, const vision::PatchGrid& grid)
    : grid_(grid), coarse_(coarse_rows(patches, grid)) {}

TargetPatches::TargetPatches(MatrixView<const float> patches, const vision::PatchGrid& grid)
    : grid_(grid), dimension_(patches.cols()) {
  const CoarseRows rows = coarse_rows(patches, grid);
  const std::size_t packed = coarse_group * kernels::coarse_dim(dimension_);
  groups_.reserve(num_groups() * packed);
  std::array<const std::int16_t*, coarse_group> of_group{};
  for (std::size_t g = 0; g < num_groups(); ++g) {
    const std::size_t count = std::min(coarse_group, rows.size() - g * coarse_group);
    for (std::size_t q = 0; q < count; ++q) {
      of_group[q] = rows.row(g * coarse_group + q);
      largest_error_ = std::max(largest_error_, rows.error(g * coarse_group + q));
    }
    kernels::pack_group(of_group.data(), count, dimension_, groups_.data() + g * packed);
  }
}

std::size_t TargetPatches::num_groups() const {
  return kernels::padded_columns(grid_.size()) / coarse_group;
}

const std::int16_t* TargetPatches::group(std::size_t g) const {
  return groups_.data() + g * coarse_group * kernels::coarse_dim(dimension_);
}

void PatchSimilarities::compare(const AnchorPatches& anchors, const TargetPatches& target) {
  const CoarseReferences& rows = anchors.coarse();
  require(rows.dimension() == target.dimension(), ErrorKind::invalid_input,
          "the image's embeddings have another dimension than those of a reference");
  from_ = anchors.grid();
  to_ = target.grid();
  stride_ = rows.num_panels() * coarse_panel * coarse_group;
  values_.reserve(target.num_groups() * stride_);
  for (std::size_t p = 0; p < rows.num_panels(); p += panels_at_a_time) {
    const std::size_t panels = std::min(panels_at_a_time, rows.num_panels() - p);
    for (std::size_t g = 0; g < target.num_groups(); ++g) {
      kernels::coarse_dots(target.group(g), rows.panel(p), panels, target.dimension(),
                           values_.data() + g * stride_ + p * coarse_panel * coarse_group,
                           to_.size() - g * coarse_group);
    }
  }
  scan();
}

void PatchSimilarities::exchange() {
  const std::size_t stride = to_.size() * coarse_group;
  exchanged_.reserve(kernels::padded_columns(from_.size()) / coarse_group * stride);
  kernels::transpose({values_.data(), stride_}, from_.size(), to_.size(),
                     {exchanged_.data(), stride});
  std::swap(values_, exchanged_);
  std::swap(from_, to_);
  stride_ = stride;
  scan();
}

/// Maxima and deviation.
void PatchSimilarities::scan() {
  const std::size_t width = kernels::padded_columns(to_.size());
  row_maxima_.reserve(from_.rows * width);
  column_maxima_.reserve(width);
  const kernels::VoteSums sums =
      kernels::scan_columns(table(), row_maxima_.data(), column_maxima_.data());
  deviation_ = deviation_of(sums, from_.size() * to_.size());
}

kernels::VoteTable PatchSimilarities::table() {
  return {.values = values_.data(),
          .stride = stride_,
          .from_columns = from_.columns,
          .from_rows = from_.rows,
          .to_columns = to_.columns,
          .to_rows = to_.rows};
}

std::vector<PatchVote> PatchSimilarities::votes(bool parabola) {
  matches_.resize(from_.size());
  kernels::match_rows(table(), column_maxima_.data(), matches_.data());
  std::vector<PatchVote> votes;
  for (std::uint32_t p = 0; p < matches_.size(); ++p) {
    const auto& [match, similarity, rest] = matches_[p];
    if (similarity <= rest) continue;
    const int elsewhere = std::max(rest, best_of_column(match, p, similarity));
    if (similarity <= elsewhere) continue;
    votes.push_back({.patch = p,
                     .from = center_of(from_, p),
                     .to = parabola ? moved_center(p, match) : center_of(to_, match),
                     .weight = static_cast<double>(similarity - elsewhere)});
  }
  return votes;
}

void PatchSimilarities::copy_row(std::size_t patch, std::span<std::int16_t> out) const {
  for (std::size_t u = 0; u < out.size(); u += coarse_group) {
    const std::size_t count = std::min(coarse_group, out.size() - u);
    std::copy_n(values_.data() + u / coarse_group * stride_ + patch * coarse_group, count,
                out.data() + u);
  }
}

std::int16_t PatchSimilarities::at(std::size_t patch, std::size_t of_target) const {
  return values_
      .data()[of_target / coarse_group * stride_ + patch * coarse_group + of_target % coarse_group];
}

/// Outside the 3 x 3 around `patch`; anything from `enough` on will do, as the vote has no weight
/// then. Whole grid rows first, whose maxima are known.
std::int16_t PatchSimilarities::best_of_column(std::size_t column, std::size_t patch,
                                               std::int16_t enough) const {
  const std::size_t width = kernels::padded_columns(to_.size());
  const std::size_t row = patch / from_.columns;
  const std::size_t place = patch % from_.columns;
  const auto is_near = [](std::size_t a, std::size_t b) { return a <= b + 1 && b <= a + 1; };
  std::int16_t best = kernels::coarse_least;
  for (std::size_t r = 0; r < from_.rows && best < enough; ++r) {
    if (!is_near(r, row)) best = std::max(best, row_maxima_.data()[r * width + column]);
  }
  for (std::size_t r = row - (row > 0 ? 1 : 0); r < from_.rows && r <= row + 1 && best < enough;
       ++r) {
    for (std::size_t c = 0; c < from_.columns; ++c) {
      if (!is_near(c, place)) best = std::max(best, at(r * from_.columns + c, column));
    }
  }
  return best;
}

/// Of the parabola through the similarities at match - step, match and match + step; 0 without a
/// maximum.
double PatchSimilarities::vertex(std::size_t patch, std::size_t match, std::size_t step) const {
  const int before = at(patch, match - step);
  const int after = at(patch, match + step);
  const int bend = 2 * at(patch, match) - after - before;
  if (bend <= 0) return 0;
  return std::clamp(static_cast<double>(after - before) / (2.0 * bend), -0.5, 0.5);
}

vision::Point PatchSimilarities::moved_center(std::size_t patch, std::size_t match) const {
  vision::Point center = center_of(to_, match);
  const std::size_t row = match / to_.columns;
  const std::size_t column = match % to_.columns;
  if (column > 0 && column + 1 < to_.columns) center.x += vertex(patch, match, 1);
  if (row > 0 && row + 1 < to_.rows) center.y += vertex(patch, match, to_.columns);
  return center;
}

}  // namespace caos
