#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "caos/rng.hpp"
#include "caos/scores.hpp"

namespace caos {

/// 0, 1, ..., count - 1.
[[nodiscard]] inline std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// An order in which nothing is where it was, if there are two things: one random cycle.
[[nodiscard]] inline std::vector<std::size_t> random_order(std::size_t count, Rng& rng) {
  std::vector<std::size_t> cycle = in_order(count);
  rng.shuffle(std::span(cycle));
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[cycle[i]] = cycle[(i + 1) % count];
  return order;
}

/// Where each thing has gone: order[places[i]] == i.
[[nodiscard]] inline std::vector<std::size_t> places_of(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

/// The values in this order.
template <typename T>
[[nodiscard]] std::vector<T> reordered(const std::vector<T>& values,
                                       const std::vector<std::size_t>& order) {
  std::vector<T> result;
  for (const std::size_t i : order) result.push_back(values[i]);
  return result;
}

/// The places of some things, ascending.
[[nodiscard]] inline Indices moved(const Indices& some, const std::vector<std::size_t>& places) {
  Indices result = reordered(places, some);
  std::ranges::sort(result);
  return result;
}

}  // namespace caos
