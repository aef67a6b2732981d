#include "caos/scorers/exact_nearest.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "caos/kernels/coarse.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/kernels/patch_scores.hpp"
#include "caos/scorers/competing_similarities.hpp"

namespace caos {

std::vector<const float*> row_pointers(MatrixView<const float> rows) {
  std::vector<const float*> pointers(rows.rows());
  for (std::size_t r = 0; r < rows.rows(); ++r) pointers[r] = rows.row(r).data();
  return pointers;
}

/// The references that can be among the nearest.
void ExactNearest::select(const Query& query) {
  const std::int32_t least = kernels::least_of_nearest(query.kth, query.error);
  columns_.clear();
  neighbors_.clear();
  for (std::uint32_t p = 0; p < query.columns.size(); ++p) {
    const std::uint32_t column = query.columns[p];
    if (query.similarities[column * kernels::coarse_group] < least) continue;
    columns_.push_back(column);
    neighbors_.push_back({0, p});
  }
}

std::span<const Neighbor> ExactNearest::nearest(const Query& query, std::size_t k) {
  select(query);
  assert(neighbors_.size() >= k);
  queries_.assign(columns_.size(), query.row);
  compute(queries_, columns_);
  for (std::size_t i = 0; i < scores_.size(); ++i) neighbors_[i].score = scores_[i];
  const auto middle = neighbors_.begin() + static_cast<std::ptrdiff_t>(k);
  std::partial_sort(neighbors_.begin(), middle, neighbors_.end());
  return std::span(neighbors_).first(k);
}

std::optional<ExactNearest::Sums> ExactNearest::bounds(const Query& query) {
  if (image_ == nullptr || !image_->has_bounds()) return std::nullopt;
  select(query);
  std::vector<CompetingSimilarities::Bounds> bounds(columns_.size());
  image_->bounds(query.row, columns_, bounds.data());
  low_.clear();
  high_.clear();
  for (const auto& [low, high] : bounds) {
    low_.push_back(low);
    high_.push_back(high);
  }
  for (std::vector<double>* values : {&low_, &high_}) {
    std::ranges::sort(*values);
    std::partial_sum(values->begin(), values->end(), values->begin());
  }
  return Sums{low_, high_};
}

void ExactNearest::scores(const float* row, std::span<const std::uint32_t> columns, Score* out) {
  queries_.assign(columns.size(), row);
  std::ranges::copy(scores(queries_, columns), out);
}

std::span<const Score> ExactNearest::scores(std::span<const float* const> rows,
                                            std::span<const std::uint32_t> columns) {
  compute(rows, columns);
  return scores_;
}

void ExactNearest::compute(std::span<const float* const> rows,
                           std::span<const std::uint32_t> columns) {
  scores_.resize(columns.size());
  if (image_ != nullptr) return image_->scores(rows, columns, scores_.data());
  rows_.clear();
  for (const std::uint32_t column : columns) rows_.push_back(references_[column]);
  kernels::dot_pairs(rows.data(), rows_.data(), rows_.size(), dimension_, scores_.data());
  kernels::cosine_scores(scores_.data(), 1, scores_.size(), scores_.size());
}

Score sum_of_nearest(std::span<const Neighbor> nearest, std::size_t k) {
  Score sum = 0;
  for (const Neighbor& neighbor : nearest.first(k)) sum += neighbor.score;
  return sum;
}

}  // namespace caos
