#pragma once

#include <cstddef>
#include <functional>

namespace caos {

/// Number of threads to use where the caller does not say: one per core.
[[nodiscard]] std::size_t default_threads();

/// What a number of threads means where 0 stands for `default_threads()`.
[[nodiscard]] inline std::size_t num_threads(std::size_t threads) {
  return threads == 0 ? default_threads() : threads;
}

/// Calls `body(first, last)` on consecutive ranges of {0, ..., count - 1}, each index exactly once,
/// on up to `threads` threads (0 = `default_threads()`), or fewer if the system has no more.
/// Ranges hold at most `grain` indices; which thread runs which is unspecified, so results must not
/// depend on it. An exception in the earliest failing range is thrown again here, after all threads
/// have stopped; the same input therefore always gives the same error.
void parallel_for(std::size_t count, std::size_t grain, std::size_t threads,
                  const std::function<void(std::size_t first, std::size_t last)>& body);

}  // namespace caos
