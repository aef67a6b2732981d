#include "caos/core/scores.hpp"

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

}  // namespace caos
