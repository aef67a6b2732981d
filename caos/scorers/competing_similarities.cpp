#include "caos/scorers/competing_similarities.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "caos/core/parallel_for.hpp"
#include "caos/kernels/compete.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/kernels/patch_scores.hpp"
#include "caos/kernels/transpose.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

using kernels::coarse_group;
using kernels::coarse_one;

/// Up to this temperature l < 1.9 for any image of less than 10^8 patches.
constexpr double hottest = 0.1;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr auto nowhere = static_cast<std::uint32_t>(-1);

/// What halving, and adding exponentials in float, can add to the error of v, in units.
std::int32_t rounding_error(const PatchScore& score, std::size_t num_patches) {
  constexpr std::int32_t of_halves = 2;
  if (score.kind == PatchScore::Kind::margin) return of_halves;
  const double relative = static_cast<double>(num_patches + 64) * 0x1p-22;
  return of_halves + static_cast<std::int32_t>(std::ceil(score.parameter * coarse_one * relative));
}

}  // namespace

bool competes_coarsely(const PatchScore& score) {
  if (score.kind == PatchScore::Kind::softmax) return score.parameter <= hottest;
  return score.kind == PatchScore::Kind::margin;
}

Score coarse_unit(const PatchScore& score) {
  if (score.kind == PatchScore::Kind::margin) return 2 * (1 + score.parameter);
  return score.kind == PatchScore::Kind::softmax ? 2 / score.parameter : 1;
}

CompetingReferences::CompetingReferences(MatrixView<const float> rows, const PatchScore& score,
                                         std::size_t threads)
    : rows_(rows), score_(score) {
  assert(competes_coarsely(score));
  const CoarseRows coarse(rows, threads);
  for (std::size_t r = 0; r < size(); ++r) {
    largest_error_ = std::max(largest_error_, coarse.error(r));
  }
  const std::size_t packed = coarse_group * kernels::coarse_dim(dimension());
  groups_.reserve(num_groups() * packed);
  parallel_for(num_groups(), 8, threads, [&](std::size_t first, std::size_t last) {
    std::array<const std::int16_t*, coarse_group> of_group{};
    for (std::size_t g = first; g < last; ++g) {
      const std::size_t count = std::min(coarse_group, size() - g * coarse_group);
      for (std::size_t r = 0; r < count; ++r) of_group[r] = coarse.row(g * coarse_group + r);
      kernels::pack_group(of_group.data(), count, dimension(), groups_.data() + g * packed);
    }
  });
}

std::size_t CompetingReferences::num_groups() const {
  return (size() + coarse_group - 1) / coarse_group;
}

const std::int16_t* CompetingReferences::group(std::size_t g) const {
  return groups_.data() + g * coarse_group * kernels::coarse_dim(dimension());
}

CompetingSimilarities::CompetingSimilarities(const CompetingReferences& references)
    : references_(references),
      stride_(references.num_groups() * coarse_group * coarse_group),
      most_(coarse_group),
      tops_(coarse_group),
      sums_(coarse_group) {}

std::size_t CompetingSimilarities::num_groups() const {
  return (image_.rows() + coarse_group - 1) / coarse_group;
}

std::uint32_t CompetingSimilarities::present(std::size_t g) const {
  const std::size_t count = std::min(coarse_group, image_.rows() - g * coarse_group);
  return count == coarse_group ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

void CompetingSimilarities::compare(MatrixView<const float> image, const CoarseRows& coarse) {
  image_ = image;
  const CoarseReferences panels(coarse);
  plain_error_ = coarse_error(panels.largest_error(), references_.largest_error());
  errors_.assign(coarse_group, plain_error_ + rounding_error(references_.score(), image.rows()));
  values_.reserve(num_groups() * stride_);
  block_.reserve(panels.num_panels() * kernels::coarse_panel * coarse_group);
  for (std::size_t g = 0; g < references_.num_groups(); ++g) fill_group(panels, g);
  maxima_.assign(references_.size(), unknown);
  places_.assign(references_.size(), nowhere);
  columns_.clear();
}

void CompetingSimilarities::fill_group(const CoarseReferences& image, std::size_t g) {
  const std::size_t count = std::min(coarse_group, references_.size() - g * coarse_group);
  kernels::coarse_dots(references_.group(g), image.panel(0), image.num_panels(),
                       references_.dimension(), block_.data(), count);
  kernels::column_maxima(block_.data(), image.size(), most_.data());
  if (references_.score().kind == PatchScore::Kind::softmax) {
    const auto scale = static_cast<float>(1 / (references_.score().parameter * coarse_one));
    kernels::column_exp_sums(block_.data(), image.size(), most_.data(), scale, sums_.data());
  }
  find_tops();
  kernels::rank_below(block_.data(), image.size(), most_.data(), tops_.data());
  kernels::transpose({block_.data(), 0}, image.size(), coarse_group,
                     {values_.data() + g * coarse_group * coarse_group, stride_});
}

/// 1 - l / 2 of every column.
void CompetingSimilarities::find_tops() {
  const PatchScore& score = references_.score();
  const bool is_margin = score.kind == PatchScore::Kind::margin;
  for (std::size_t r = 0; r < coarse_group; ++r) {
    const double l = is_margin ? (coarse_one - most_.data()[r]) / (1 + score.parameter)
                               : score.parameter * coarse_one * std::log(sums_.data()[r]);
    tops_.data()[r] = static_cast<std::int16_t>(std::lround(coarse_one - l / 2));
  }
}

// Scores as they are defined.

void CompetingSimilarities::scores(std::span<const float* const> patches,
                                   std::span<const std::uint32_t> columns, Score* out) {
  if (references_.score().kind == PatchScore::Kind::margin) {
    margin_scores(patches, columns, out);
  } else {
    softmax_scores(patches, columns, out);
  }
}

void CompetingSimilarities::margin_scores(std::span<const float* const> patches,
                                          std::span<const std::uint32_t> columns, Score* out) {
  find_maxima(columns);
  const std::size_t count = columns.size();
  std::vector<const float*> rows;
  for (const std::uint32_t column : columns) rows.push_back(references_.rows().row(column).data());
  // An image of two patches: the most similar one, and the one that is asked for.
  std::vector<double> pairs(2 * count);
  for (std::size_t i = 0; i < count; ++i) pairs[i] = maxima_[columns[i]];
  kernels::dot_pairs(patches.data(), rows.data(), count, references_.dimension(), &pairs[count]);
  kernels::margin_scores(pairs.data(), 2, count, count, references_.score().parameter);
  std::copy(pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end(), out);
}

/// Only patches that can be the most similar are compared.
void CompetingSimilarities::find_maxima(std::span<const std::uint32_t> columns) {
  std::vector<const float*> patches;
  std::vector<const float*> rows;
  std::vector<std::uint32_t> of;
  for (const std::uint32_t column : columns) {
    if (!std::isnan(maxima_[column])) continue;
    maxima_[column] = -std::numeric_limits<double>::infinity();
    const auto value = [&](std::size_t y) {
      return group(y / coarse_group)[column * coarse_group + y % coarse_group];
    };
    std::int32_t most = value(0);
    for (std::size_t y = 1; y < image_.rows(); ++y) most = std::max<std::int32_t>(most, value(y));
    const std::int32_t least = kernels::least_of_nearest(most, plain_error_);
    for (std::size_t y = 0; y < image_.rows(); ++y) {
      if (value(y) < least) continue;
      patches.push_back(image_.row(y).data());
      rows.push_back(references_.rows().row(column).data());
      of.push_back(column);
    }
  }
  std::vector<double> similarities(of.size());
  kernels::dot_pairs(patches.data(), rows.data(), of.size(), references_.dimension(),
                     similarities.data());
  for (std::size_t i = 0; i < of.size(); ++i) {
    maxima_[of[i]] = std::max(maxima_[of[i]], similarities[i]);
  }
}

void CompetingSimilarities::softmax_scores(std::span<const float* const> patches,
                                           std::span<const std::uint32_t> columns, Score* out) {
  find_columns(columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto patch = static_cast<std::size_t>(patches[i] - image_.data()) / image_.cols();
    out[i] = columns_[places_[columns[i]] * image_.rows() + patch];
  }
}

/// All patches of a column have to be compared, as all are in its sum.
void CompetingSimilarities::find_columns(std::span<const std::uint32_t> columns) {
  Matrix<float> rows(0, references_.dimension());
  for (const std::uint32_t column : columns) {
    if (places_[column] != nowhere) continue;
    places_[column] = static_cast<std::uint32_t>(columns_.size() / image_.rows() + rows.rows());
    rows.push_row(references_.rows().row(column));
  }
  if (rows.rows() == 0) return;
  const Matrix<Score> scores = PatchScorer(std::move(rows), references_.score()).scores(image_);
  for (std::size_t r = 0; r < scores.cols(); ++r) {
    for (std::size_t y = 0; y < scores.rows(); ++y) columns_.push_back(scores(y, r));
  }
}

}  // namespace caos
