#include "caos/landmarks/matching/patch_pools.hpp"

#include <algorithm>
#include <limits>

#include "caos/scorers/patch_scorer.hpp"

namespace caos {

void gather_pools(MatrixView<const Score> scores, std::span<const std::uint32_t> columns,
                  Matrix<Score>& pools) {
  if (pools.rows() != scores.rows() || pools.cols() != columns.size()) {
    pools = Matrix<Score>(scores.rows(), columns.size());
  }
  for (Label y = 0; y < scores.rows(); ++y) {
    const std::span<const Score> from = scores.row(y);
    const std::span<Score> to = pools.row(y);
    for (std::size_t j = 0; j < to.size(); ++j) to[j] = from[columns[j]];
  }
}

std::vector<Neighbor> nearest_in(std::span<const Score> pool, std::size_t k) {
  std::vector<Neighbor> all;
  for (std::uint32_t j = 0; j < pool.size(); ++j) all.push_back({pool[j], j});
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end());
  all.resize(k);
  return all;
}

Proposal propose(MatrixView<const Score> pools, std::span<const Score> label_scores,
                 std::size_t k) {
  const auto best = std::ranges::min_element(label_scores);
  const auto patch = static_cast<Label>(best - label_scores.begin());
  return {.patch = patch, .score = *best, .supporting_references = nearest_in(pools.row(patch), k)};
}

std::vector<Label> distinct_labels(const LabeledPatches& labeled, std::size_t i) {
  std::vector<Label> labels;
  for (const std::int64_t label : labeled.labels.row(i)) {
    if (label != missing_label) labels.push_back(static_cast<Label>(label));
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

ReversePatchScores::ReversePatchScores(const LabeledPatches& labeled, MatrixView<const float> image,
                                       std::span<const Label> candidates, const PatchScore& score)
    : labeled_(labeled),
      num_patches_(image.rows()),
      candidates_(candidates.begin(), candidates.end()) {
  Matrix<float> references(0, image.cols());
  for (const Label y : candidates) references.push_row(image.row(y));
  const PatchScorer scorer(std::move(references), score);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    labels_.push_back(distinct_labels(labeled, i));
    scores_.push_back(scorer.scores(labeled.images[i].view(), labels_.back()));
  }
}

Matrix<Score> ReversePatchScores::of_task(std::size_t task, const PatchTask& images,
                                          const Indices& calibrating) const {
  Matrix<Score> reverse(num_patches_, calibrating.size(), std::numeric_limits<Score>::infinity());
  for (std::size_t c = 0; c < calibrating.size(); ++c) {
    const std::size_t i = images.images[calibrating[c]];
    const auto label = static_cast<Label>(labeled_.labels(i, task));
    const auto row = std::ranges::lower_bound(labels_[i], label) - labels_[i].begin();
    for (std::size_t a = 0; a < candidates_.size(); ++a) {
      reverse(candidates_[a], c) = scores_[i](static_cast<std::size_t>(row), a);
    }
  }
  return reverse;
}

}  // namespace caos
