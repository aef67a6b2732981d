#include "caos/scores.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace caos {

void ScoreRows::copy_row(std::size_t r, std::span<Score> out) const {
  visit([&](auto view) { std::ranges::copy(view.row(r), out.begin()); });
}

void ScoreRows::gather_row(std::size_t r, const Indices& references, std::span<Score> out) const {
  visit([&](auto view) {
    const auto row = view.row(r);
    std::ranges::transform(references, out.begin(), [&](std::size_t j) { return row[j]; });
  });
}

PredictionSet labels_at_most(std::span<const Score> scores, std::span<const Score> thresholds) {
  // Every label is written and most are overwritten: a branch would be mispredicted at random.
  PredictionSet set(scores.size() + 1);
  std::size_t size = 0;
  for (Label y = 0; y < scores.size(); ++y) {
    set[size] = y;
    size += scores[y] <= thresholds[y] ? 1U : 0U;
  }
  set.resize(size);
  return set;
}

void check_same_shape(const ScoreTensor& tensor, const ScoreTensor& like) {
  const bool same = tensor.num_inputs() == like.num_inputs() &&
                    tensor.num_labels == like.num_labels &&
                    tensor.num_references() == like.num_references();
  require(same, ErrorKind::invalid_input, [&] {
    return fmt::format("{}: is {} x {} x {}; expected {} x {} x {} as in {}", tensor.name,
                       tensor.num_inputs(), tensor.num_labels, tensor.num_references(),
                       like.num_inputs(), like.num_labels, like.num_references(), like.name);
  });
}

}  // namespace caos
