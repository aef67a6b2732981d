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
/// More than what is rounded in double, of numbers that are not large.
constexpr double rounding = 1e-9;
constexpr auto nowhere = static_cast<std::uint32_t>(-1);

}  // namespace

bool competes_coarsely(const PatchScore& score) {
  if (score.kind == PatchScore::Kind::softmax) return score.parameter <= hottest;
  return score.kind == PatchScore::Kind::margin;
}

Score coarse_unit(const PatchScore& score) {
  if (score.kind == PatchScore::Kind::margin) return 2 * (1 + score.parameter);
  return score.kind == PatchScore::Kind::softmax ? 2 / score.parameter : 1;
}

std::int32_t competing_rounding(const PatchScore& score, std::size_t num_patches) {
  constexpr std::int32_t of_halves = 2;
  if (score.kind == PatchScore::Kind::margin) return of_halves;
  const double relative = static_cast<double>(num_patches + 64) * 0x1p-22;
  return of_halves + static_cast<std::int32_t>(std::ceil(score.parameter * coarse_one * relative));
}

void margin_of_pairs(std::span<const float* const> patches, std::span<const float* const> rows,
                     std::size_t dimension, std::span<const double> maxima, double weight,
                     Score* out) {
  const std::size_t count = rows.size();
  // An image of two patches: the most similar one, and the one that is asked for.
  std::vector<double> pairs(maxima.begin(), maxima.end());
  pairs.resize(2 * count);
  kernels::dot_pairs(patches.data(), rows.data(), count, dimension, pairs.data() + count);
  kernels::margin_scores(pairs.data(), 2, count, count, weight);
  std::copy(pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end(), out);
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
  errors_.assign(coarse_group,
                 plain_error_ + competing_rounding(references_.score(), image.rows()));
  values_.reserve(num_groups() * stride_);
  column_tops_.resize(references_.num_groups() * coarse_group);
  column_most_.resize(column_tops_.size());
  column_sums_.resize(column_tops_.size());
  levels_.assign(references_.size(), {unknown, unknown});
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
  std::copy_n(tops_.data(), coarse_group, column_tops_.data() + g * coarse_group);
  std::copy_n(most_.data(), coarse_group, column_most_.data() + g * coarse_group);
  if (has_bounds()) {
    std::copy_n(sums_.data(), coarse_group, column_sums_.data() + g * coarse_group);
  }
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
  std::vector<const float*> rows;
  std::vector<double> maxima;
  for (const std::uint32_t column : columns) {
    rows.push_back(references_.rows().row(column).data());
    maxima.push_back(maxima_[column]);
  }
  margin_of_pairs(patches, rows, references_.dimension(), maxima, references_.score().parameter,
                  out);
}

/// Only patches that can be the most similar are compared: v lacks half of what the similarity does
/// to the largest one.
void CompetingSimilarities::find_maxima(std::span<const std::uint32_t> columns) {
  std::vector<const float*> patches;
  std::vector<const float*> rows;
  std::vector<std::uint32_t> of;
  for (const std::uint32_t column : columns) {
    if (!std::isnan(maxima_[column])) continue;
    maxima_[column] = -std::numeric_limits<double>::infinity();
    const std::int32_t least = column_tops_[column] - plain_error_;
    for (std::size_t g = 0; g < num_groups(); ++g) {
      const std::int16_t* const values = group(g) + column * coarse_group;
      const std::size_t count = std::min(coarse_group, image_.rows() - g * coarse_group);
      for (std::size_t q = 0; q < count; ++q) {
        if (values[q] < least) continue;
        patches.push_back(image_.row(g * coarse_group + q).data());
        rows.push_back(references_.rows().row(column).data());
        of.push_back(column);
      }
    }
  }
  std::vector<double> similarities(of.size());
  kernels::dot_pairs(patches.data(), rows.data(), of.size(), references_.dimension(),
                     similarities.data());
  for (std::size_t i = 0; i < of.size(); ++i) {
    maxima_[of[i]] = std::max(maxima_[of[i]], similarities[i]);
  }
}

// Scores are (level - similarity) / T, level = T log(sum over patches of exp(similarity / T)).

void CompetingSimilarities::bounds(const float* patch, std::span<const std::uint32_t> columns,
                                   Bounds* out) {
  const std::vector<const float*> own(columns.size(), patch);
  std::vector<const float*> rows;
  for (const std::uint32_t column : columns) rows.push_back(references_.rows().row(column).data());
  std::vector<double> similarities(columns.size());
  kernels::dot_pairs(own.data(), rows.data(), rows.size(), references_.dimension(),
                     similarities.data());
  const double temperature = references_.score().parameter;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Bounds& level = levels_[columns[i]];
    if (std::isnan(level.low)) level = find_level(columns[i]);
    out[i] = {.low = (level.low - similarities[i]) / temperature - rounding,
              .high = (level.high - similarities[i]) / temperature + rounding};
  }
}

/// Terms of at least e^-3 times the largest are computed. The others add up to what the coarse sum
/// of all has beside those, up to the error of similarities.
CompetingSimilarities::Bounds CompetingSimilarities::find_level(std::uint32_t column) {
  const double temperature = references_.score().parameter;
  const double scale = 1 / (temperature * coarse_one);
  const std::int32_t top = column_tops_[column];
  const std::int32_t least = top - static_cast<std::int32_t>(1.5 * temperature * coarse_one);
  std::vector<const float*> patches;
  double coarse = 0;  // of these terms, at least
  for (std::size_t g = 0; g < num_groups(); ++g) {
    const std::int16_t* const values = group(g) + column * coarse_group;
    const std::size_t count = std::min(coarse_group, image_.rows() - g * coarse_group);
    for (std::size_t q = 0; q < count; ++q) {
      if (values[q] < least) continue;
      patches.push_back(image_.row(g * coarse_group + q).data());
      // Halving took away a unit at most.
      coarse += std::exp((2 * (values[q] - top) - 1) * scale);
    }
  }
  const std::vector<const float*> rows(patches.size(), references_.rows().row(column).data());
  std::vector<double> similarities(patches.size());
  kernels::dot_pairs(patches.data(), rows.data(), rows.size(), references_.dimension(),
                     similarities.data());
  const double most = static_cast<double>(column_most_[column]) / coarse_one;
  double sum = 0;
  for (const double similarity : similarities) sum += std::exp((similarity - most) / temperature);
  const double of_all = column_sums_[column];
  const double added = static_cast<double>(image_.rows() + 64) * 0x1p-22 + rounding;
  const double error = std::exp(plain_error_ * scale);
  const double rest_high = std::max(0.0, of_all * (1 + added) - coarse) * error;
  const double rest_low =
      std::max(0.0, of_all * (1 - added) - coarse * std::exp(scale) * (1 + rounding)) / error;
  return {.low = most + temperature * std::log(sum + rest_low) - rounding,
          .high = most + temperature * std::log(sum + rest_high) + rounding};
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
