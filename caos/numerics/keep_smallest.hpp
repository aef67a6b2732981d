#pragma once

#include <cstddef>
#include <span>

namespace caos {

/// Puts a value among the smallest so far, which are ascending, in place of the largest of them.
/// One that is not smaller than that changes nothing. Requires one at least.
template <typename T>
void keep_smallest(std::span<T> smallest, T value) {
  if (value >= smallest.back()) return;
  std::size_t place = smallest.size() - 1;
  for (; place > 0 && smallest[place - 1] > value; --place) smallest[place] = smallest[place - 1];
  smallest[place] = value;
}

}  // namespace caos
