#include "caos/landmarks/image_scores.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/matching/fitting_place.hpp"
#include "caos/landmarks/matching/patch_pools.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

/// References that are scored at once: enough to share the image's rows, few enough to share out.
constexpr std::size_t block_size = 64;

std::vector<ImageNeighbor> with_keys(std::span<const Neighbor> neighbors,
                                     std::span<const ImageKey> images) {
  std::vector<ImageNeighbor> result;
  for (const Neighbor& one : neighbors) result.push_back({images[one.position], one.score});
  return result;
}

}  // namespace

ImageScores::ImageScores(SharedPatches patches, std::vector<Label> impossible,
                         std::vector<ImageKey> left_out, const vision::PatchGrid& grid,
                         const std::optional<CellSource>& cells)
    : patches_(std::move(patches)),
      grid_(grid),
      impossible_(std::move(impossible)),
      left_out_(std::move(left_out)) {
  if (!cells) return;
  cells_ = std::make_unique<const CellSource>(*cells);
  vectors_ = std::make_unique<CellVectors>(*cells_, patches_->view(), grid_);
}

ImageScores::Reference ImageScores::reference(const GrowingLandmarks& labeled, ImageKey image,
                                              std::size_t landmark) {
  const KeyedImage& found = labeled.image(image);
  Reference result{.image = found.grid_patches(), .patch = found.labels[landmark]};
  if (labeled.options().score.reads_positions()) result.offset = found.offset(landmark);
  return result;
}

std::vector<ImageScores::Reference> ImageScores::missing(const GrowingLandmarks& labeled) const {
  std::set<Reference> found;
  for (std::size_t t = 0; t < labeled.num_landmarks(); ++t) {
    for (const ImageKey image : labeled.members(t)) {
      Reference wanted = reference(labeled, image, t);
      if (!columns_.contains(wanted)) found.insert(std::move(wanted));
    }
  }
  return {found.begin(), found.end()};
}

void ImageScores::forget_unused(const GrowingLandmarks& labeled) {
  std::set<Reference> used;
  for (std::size_t t = 0; t < labeled.num_landmarks(); ++t) {
    for (const ImageKey image : labeled.members(t)) used.insert(reference(labeled, image, t));
  }
  std::erase_if(columns_, [&](const auto& column) { return !used.contains(column.first); });
}

void ImageScores::update(const GrowingLandmarks& labeled, std::size_t threads) {
  if (score_ != labeled.options().score) columns_.clear();
  score_ = labeled.options().score;
  const std::vector<Reference> wanted = missing(labeled);
  if (wanted.empty()) return;
  forget_unused(labeled);
  std::vector<std::vector<Score>> columns(wanted.size());
  const bool by_geometry = labeled.options().score.reads_positions();
  if (by_geometry) prepare_estimates(wanted, threads);
  parallel_for(wanted.size(), block_size, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; by_geometry && r < last; ++r) {
      columns[r] = column_of(wanted[r]);
    }
    if (by_geometry) return;
    Matrix<float> rows(0, patches_->cols());
    for (std::size_t r = first; r < last; ++r) {
      rows.push_row(wanted[r].image.patches->row(static_cast<std::size_t>(wanted[r].patch)));
    }
    const PatchScorer scorer(std::move(rows), labeled.options().score);
    const Matrix<Score> scores = scorer.scores(patches_->view());
    for (std::size_t r = first; r < last; ++r) {
      for (Label y = 0; y < scores.rows(); ++y) columns[r].push_back(scores(y, r - first));
    }
  });
  for (std::size_t r = 0; r < wanted.size(); ++r) columns_[wanted[r]] = std::move(columns[r]);
  num_scored_ += wanted.size();
}

/// Of images that are no longer labeled, none is kept.
void ImageScores::prepare_estimates(std::span<const Reference> wanted, std::size_t threads) {
  std::set<SharedPatches> present;
  for (const auto& [reference, column] : columns_) present.insert(reference.image.patches);
  std::erase_if(estimates_, [&](const auto& one) { return !present.contains(one.first); });
  std::vector<std::pair<GridPatches, GeometryEstimate*>> missing;
  for (const Reference& reference : wanted) {
    const auto [found, is_new] = estimates_.try_emplace(reference.image.patches);
    if (is_new) missing.emplace_back(reference.image, &found->second);
  }
  if (missing.empty()) return;
  const TargetPatches target(patches_->view(), grid_patches().grid);
  parallel_for(missing.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    PatchSimilarities scratch;
    for (std::size_t i = first; i < last; ++i) {
      const auto& [image, estimate] = missing[i];
      *estimate =
          estimate_geometry(AnchorPatches(image.patches->view(), image.grid), target, scratch);
    }
  });
}

std::vector<Score> ImageScores::column_of(const Reference& reference) const {
  if (cells_) return {};
  const auto patch = static_cast<Label>(reference.patch);
  const vision::PatchGrid& from = reference.image.grid;
  return geometry_scores(estimates_.at(reference.image.patches), from,
                         {.vector = reference.image.patches->row(patch),
                          .position = position_of(patch, reference.offset, from.columns)},
                         grid_patches());
}

CellPool ImageScores::cell_pool(const GrowingLandmarks& labeled, std::size_t landmark,
                                std::span<const ImageKey> images) const {
  std::vector<PlacedReference> references;
  for (const ImageKey key : images) {
    const GridPatches from = labeled.image(key).grid_patches();
    const ReferenceLandmark reference = labeled.reference(key, landmark);
    const GeometryEstimate& estimate = estimates_.at(from.patches);
    references.push_back({.place = estimate.project(LocalAnchors(from.grid, reference.position)),
                          .deviation = estimate.deviation(),
                          .vector = reference.vector.data()});
  }
  return {std::move(references), *vectors_, grid_, side_in_patches(grid_, cells_->patches),
          patches_->cols()};
}

std::optional<vision::Point> ImageScores::estimate(const GrowingLandmarks& labeled,
                                                   std::size_t landmark,
                                                   std::span<const ImageKey> images) const {
  if (!labeled.options().score.reads_positions()) return std::nullopt;
  std::vector<FittingPlace> places;
  for (const ImageKey key : images) {
    const GridPatches from = labeled.image(key).grid_patches();
    const GeometryEstimate& estimate = estimates_.at(from.patches);
    const vision::Point position = labeled.image(key).position(landmark);
    places.push_back({.support = estimate.support(),
                      .place = estimate.project(LocalAnchors(from.grid, position))});
  }
  return median_of_fitting(std::move(places));
}

/// Where all cells exceed the calibration scores, the best is found by bounds.
PatchCounts ImageScores::count_cells(const CellPool& pool, const SortedScores& peers,
                                     std::span<const ImageKey> images, std::size_t k) const {
  constexpr Score unbounded = std::numeric_limits<Score>::infinity();
  const auto beyond = static_cast<std::int64_t>(peers.exceedances(unbounded).at_least());
  PatchCounts counts{.n = peers.units(),
                     .at_least = std::vector<std::int64_t>(grid_.size(), beyond),
                     .proposal_score = unbounded};
  for (const Label y : impossible_) counts.at_least[y] = -1;
  const Score largest = peers.values().empty() ? -unbounded : peers.values().back();
  const LabelBounds bounds = pool.bounds(k);
  std::vector<Neighbor> best;
  std::vector<std::pair<double, Label>> others;
  const auto score = [&](Label y) {
    std::vector<Neighbor> nearest = pool.nearest(y, k);
    Score sum = 0;
    for (const Neighbor& one : nearest) sum += one.score;
    if (best.empty() || std::pair(sum, y) < std::pair(counts.proposal_score, counts.proposal)) {
      counts.proposal = y;
      counts.proposal_score = sum;
      best = std::move(nearest);
    }
    return sum;
  };
  for (Label y = 0; y < grid_.size(); ++y) {
    if (counts.at_least[y] < 0) continue;
    const double bound = bounds.least(y, k);
    if (bound > largest) {
      others.emplace_back(bound, y);
    } else {
      counts.at_least[y] = static_cast<std::int64_t>(peers.exceedances(score(y)).at_least());
    }
  }
  if (!(counts.proposal_score <= largest)) {
    std::ranges::sort(others);
    for (const auto& [bound, y] : others) {
      if (bound > counts.proposal_score) break;
      static_cast<void>(score(y));
    }
  }
  if (best.empty()) best = pool.nearest(0, k);
  counts.supporting_references = with_keys(best, images);
  return counts;
}

std::vector<ImageKey> ImageScores::references(const GrowingLandmarks& labeled,
                                              std::size_t landmark) const {
  std::vector<ImageKey> images;
  for (const ImageKey image : labeled.members(landmark)) {
    if (std::ranges::find(left_out_, image) == left_out_.end()) images.push_back(image);
  }
  return images;
}

Matrix<Score> ImageScores::pools(const GrowingLandmarks& labeled, std::size_t landmark,
                                 std::span<const ImageKey> images) const {
  Matrix<Score> pools(patches_->rows(), images.size());
  for (std::size_t j = 0; j < images.size(); ++j) {
    const auto& column = columns_.at(reference(labeled, images[j], landmark));
    for (Label y = 0; y < column.size(); ++y) pools(y, j) = column[y];
  }
  return pools;
}

std::optional<PatchCounts> ImageScores::counts(const GrowingLandmarks& labeled,
                                               std::size_t landmark,
                                               const SortedScores* others) const {
  const std::size_t k = labeled.options().k;
  const auto& calibration = labeled.calibration(landmark);
  const std::vector<ImageKey> images = references(labeled, landmark);
  if (!calibration || images.size() < k) return std::nullopt;
  const SortedScores& peers = others != nullptr ? *others : calibration->group(0);
  if (cells_) {
    PatchCounts counts = count_cells(cell_pool(labeled, landmark, images), peers, images, k);
    counts.estimate = estimate(labeled, landmark, images);
    return counts;
  }
  const Matrix<Score> pools = this->pools(labeled, landmark, images);
  std::vector<Score> scores(pools.rows());
  minsum_rows(pools.view(), k, scores);

  PatchCounts counts{.n = peers.units()};
  for (const Score score : scores) {
    counts.at_least.push_back(static_cast<std::int64_t>(peers.exceedances(score).at_least()));
  }
  for (const Label y : impossible_) {
    counts.at_least[y] = -1;
    scores[y] = std::numeric_limits<Score>::infinity();
  }
  const Proposal proposal = propose(pools.view(), scores, k);
  counts.proposal = proposal.patch;
  counts.proposal_score = proposal.score;
  counts.supporting_references = with_keys(proposal.supporting_references, images);
  counts.estimate = estimate(labeled, landmark, images);
  return counts;
}

std::vector<ImageNeighbor> ImageScores::neighbors(const GrowingLandmarks& labeled,
                                                  std::size_t landmark, Label patch) const {
  const std::vector<ImageKey> images = references(labeled, landmark);
  if (cells_) {
    const CellPool pool = cell_pool(labeled, landmark, images);
    return with_keys(pool.nearest(patch, labeled.options().k), images);
  }
  const Matrix<Score> pools = this->pools(labeled, landmark, images);
  return with_keys(nearest_in(pools.row(patch), labeled.options().k), images);
}

}  // namespace caos
