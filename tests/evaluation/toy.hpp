#pragma once

#include <vector>

#include "caos/rng.hpp"
#include "caos/scores.hpp"

namespace toy {

/// A task made of few values, so that ties abound. Owns what the tensors look at.
struct Toy {
  std::size_t n;
  std::size_t num_labels;
  std::size_t num_test;
  std::vector<double> labeled_scores;
  std::vector<double> test_scores;
  std::vector<double> reverse_scores;
  std::vector<caos::Label> labels;
  std::vector<caos::Label> test_labels;

  [[nodiscard]] caos::ScoreTensor tensor(const std::vector<double>& scores,
                                         std::size_t inputs) const {
    return {.rows = caos::MatrixView<const double>(scores.data(), inputs * num_labels, n),
            .num_labels = num_labels};
  }
  [[nodiscard]] caos::ScoreTensor labeled() const { return tensor(labeled_scores, n); }
  [[nodiscard]] caos::ScoreTensor test() const { return tensor(test_scores, num_test); }
  [[nodiscard]] caos::ScoreTensor reverse() const { return tensor(reverse_scores, num_test); }
};

inline Toy make(std::uint64_t seed, std::size_t n = 21, std::size_t num_labels = 6,
                std::size_t num_test = 30) {
  caos::Rng rng(seed);
  Toy toy{n, num_labels, num_test, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) toy.labels.push_back(rng.below(num_labels));
  for (std::size_t t = 0; t < num_test; ++t) toy.test_labels.push_back(rng.below(num_labels));
  // True labels get smaller scores, or every method would return nearly every label.
  const auto fill = [&](std::vector<double>& scores, const std::vector<caos::Label>& truths) {
    for (const caos::Label truth : truths) {
      for (std::size_t y = 0; y < num_labels; ++y) {
        for (std::size_t j = 0; j < n; ++j) {
          scores.push_back(0.1 * static_cast<double>(rng.below(y == truth ? 5 : 12)));
        }
      }
    }
  };
  fill(toy.labeled_scores, toy.labels);
  fill(toy.test_scores, toy.test_labels);
  fill(toy.reverse_scores, toy.test_labels);
  return toy;
}

}  // namespace toy
