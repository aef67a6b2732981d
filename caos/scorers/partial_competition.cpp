#include "caos/scorers/partial_competition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "caos/core/parallel_for.hpp"
#include "caos/kernels/compete.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/scorers/competing_similarities.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

using kernels::coarse_group;
using kernels::coarse_one;
using kernels::coarse_panel;

constexpr double not_computed = std::numeric_limits<double>::quiet_NaN();

}  // namespace

SortedReferences::SortedReferences(MatrixView<const float> rows,
                                   std::span<const std::uint32_t> order, const PatchScore& score,
                                   std::size_t threads)
    : rows_(rows),
      score_(score),
      order_(order.begin(), order.end()),
      places_(rows.rows()),
      coarse_(rows, threads) {
  for (std::uint32_t p = 0; p < order_.size(); ++p) {
    places_[order_[p]] = p;
    largest_error_ = std::max(largest_error_, coarse_.error(order_[p]));
  }
  const std::size_t packed = coarse_group * kernels::coarse_dim(dimension());
  groups_.reserve(num_groups() * packed);
  parallel_for(num_groups(), 8, threads, [&](std::size_t first, std::size_t last) {
    std::array<const std::int16_t*, coarse_group> of_group{};
    for (std::size_t g = first; g < last; ++g) {
      const std::size_t count = std::min(coarse_group, size() - g * coarse_group);
      for (std::size_t r = 0; r < count; ++r) {
        of_group[r] = coarse_row(static_cast<std::uint32_t>(g * coarse_group + r));
      }
      kernels::pack_group(of_group.data(), count, dimension(), groups_.data() + g * packed);
    }
  });
}

std::size_t SortedReferences::num_groups() const {
  return (size() + coarse_group - 1) / coarse_group;
}

const std::int16_t* SortedReferences::group(std::size_t g) const {
  return groups_.data() + g * coarse_group * kernels::coarse_dim(dimension());
}

PartialCompetition::PartialCompetition(const SortedReferences& references)
    : references_(references),
      packed_(coarse_group * kernels::coarse_dim(references.dimension())),
      most_(coarse_group),
      sums_(coarse_group),
      block_levels_(coarse_group) {}

void PartialCompetition::begin(MatrixView<const float> image) {
  image_ = image;
  panels_.emplace(CoarseRows(image));
  num_panels_ = panels_->num_panels();
  error_ = coarse_error(panels_->largest_error(), references_.largest_error());
  slack_ = static_cast<float>(2 * error_ + competing_rounding(references_.score(), image.rows()));
  wanted_.assign(references_.num_groups() * num_panels_, 0);
  starts_.resize(wanted_.size());
  levels_.assign(references_.num_groups() * coarse_group, 0);
  slots_.assign(references_.size(), none);
  num_slots_ = 0;
  maxima_.assign(references_.size(), not_computed);
}

void PartialCompetition::compare() {
  std::uint32_t rows = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    starts_[i] = rows;
    if (wanted_[i] != 0) rows += coarse_panel;
  }
  values_.reserve(std::size_t{rows} * coarse_group);
  const std::size_t beyond = num_panels_ * coarse_panel - image_.rows();
  for (std::size_t g = 0; g < references_.num_groups(); ++g) {
    const std::size_t first = g * num_panels_;
    const std::size_t count = std::min(coarse_group, references_.size() - g * coarse_group);
    std::size_t filled = 0;
    for (std::size_t p = 0; p < num_panels_; ++p) {
      if (wanted_[first + p] == 0) continue;
      kernels::coarse_dots(references_.group(g), panels_->panel(p), 1, references_.dimension(),
                           values_.data() + starts_[first + p] * coarse_group, count);
      filled += p + 1 == num_panels_ ? coarse_panel - beyond : coarse_panel;
    }
    if (filled == 0) continue;
    find_levels(values_.data() + starts_[first] * coarse_group, filled);
    std::copy_n(block_levels_.data(), coarse_group, levels_.data() + g * coarse_group);
  }
}

void PartialCompetition::find_levels(const std::int16_t* block, std::size_t rows) {
  const PatchScore& score = references_.score();
  kernels::column_maxima(block, rows, most_.data());
  if (score.kind == PatchScore::Kind::margin) {
    for (std::size_t r = 0; r < coarse_group; ++r) {
      const double most = most_.data()[r];
      block_levels_.data()[r] =
          static_cast<float>(most + (coarse_one - most) / (1 + score.parameter));
    }
    return;
  }
  const double temperature = score.parameter * coarse_one;
  kernels::column_exp_sums(block, rows, most_.data(), static_cast<float>(1 / temperature),
                           sums_.data());
  for (std::size_t r = 0; r < coarse_group; ++r) {
    block_levels_.data()[r] =
        static_cast<float>(most_.data()[r] + temperature * std::log(double{sums_.data()[r]}));
  }
}

void PartialCompetition::complete(std::span<const std::uint32_t> places) {
  std::array<const std::int16_t*, coarse_group> of_group{};
  for (std::size_t first = 0; first < places.size(); first += coarse_group) {
    const std::size_t count = std::min(coarse_group, places.size() - first);
    for (std::size_t r = 0; r < count; ++r) {
      of_group[r] = references_.coarse_row(places[first + r]);
    }
    kernels::pack_group(of_group.data(), count, references_.dimension(), packed_.data());
    if (blocks_.size() == num_slots_) blocks_.emplace_back();
    AlignedBuffer<std::int16_t>& block = blocks_[num_slots_];
    block.reserve(num_panels_ * coarse_panel * coarse_group);
    kernels::coarse_dots(packed_.data(), panels_->panel(0), num_panels_, references_.dimension(),
                         block.data(), count);
    find_levels(block.data(), image_.rows());
    for (std::size_t r = 0; r < count; ++r) {
      levels_[places[first + r]] = block_levels_.data()[r];
      slots_[places[first + r]] = static_cast<std::uint32_t>(num_slots_ * coarse_group + r);
    }
    ++num_slots_;
  }
}

// Scores as they are defined.

void PartialCompetition::scores(std::span<const std::uint32_t> patches,
                                std::span<const std::uint32_t> places, Score* out) {
  if (references_.score().kind == PatchScore::Kind::margin) {
    margin_scores(patches, places, out);
  } else {
    softmax_scores(patches, places, out);
  }
}

void PartialCompetition::margin_scores(std::span<const std::uint32_t> patches,
                                       std::span<const std::uint32_t> places, Score* out) {
  find_maxima(places);
  std::vector<const float*> own;
  std::vector<const float*> rows;
  std::vector<double> maxima;
  for (std::size_t i = 0; i < places.size(); ++i) {
    own.push_back(image_.row(patches[i]).data());
    rows.push_back(references_.row(places[i]).data());
    maxima.push_back(maxima_[places[i]]);
  }
  margin_of_pairs(own, rows, references_.dimension(), maxima, references_.score().parameter, out);
}

/// Only patches that can be the most similar are compared.
void PartialCompetition::find_maxima(std::span<const std::uint32_t> places) {
  std::vector<const float*> patches;
  std::vector<const float*> rows;
  std::vector<std::uint32_t> of;
  for (const std::uint32_t place : places) {
    if (!std::isnan(maxima_[place])) continue;
    maxima_[place] = -std::numeric_limits<double>::infinity();
    const std::int16_t* const column =
        blocks_[slots_[place] / coarse_group].data() + slots_[place] % coarse_group;
    std::int16_t most = column[0];
    for (std::size_t y = 1; y < image_.rows(); ++y) most = std::max(most, column[y * coarse_group]);
    const std::int32_t least = kernels::least_of_nearest(most, error_);
    for (std::size_t y = 0; y < image_.rows(); ++y) {
      if (column[y * coarse_group] < least) continue;
      patches.push_back(image_.row(y).data());
      rows.push_back(references_.row(place).data());
      of.push_back(place);
    }
  }
  std::vector<double> similarities(of.size());
  kernels::dot_pairs(patches.data(), rows.data(), of.size(), references_.dimension(),
                     similarities.data());
  for (std::size_t i = 0; i < of.size(); ++i) {
    maxima_[of[i]] = std::max(maxima_[of[i]], similarities[i]);
  }
}

/// All patches have to be compared, as all are in the sum; each reference once.
void PartialCompetition::softmax_scores(std::span<const std::uint32_t> patches,
                                        std::span<const std::uint32_t> places, Score* out) {
  std::vector<std::uint32_t> distinct(places.begin(), places.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Matrix<float> rows(distinct.size(), references_.dimension());
  for (std::size_t r = 0; r < distinct.size(); ++r) {
    std::ranges::copy(references_.row(distinct[r]), rows.row(r).begin());
  }
  const Matrix<Score> all = PatchScorer(std::move(rows), references_.score()).scores(image_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto found = std::ranges::lower_bound(distinct, places[i]);
    out[i] = all(patches[i], static_cast<std::size_t>(found - distinct.begin()));
  }
}

}  // namespace caos
