#include "caos/prediction_set.hpp"

namespace caos {

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

}  // namespace caos
