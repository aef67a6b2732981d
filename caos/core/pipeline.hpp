#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace caos {

/// What items go through, one after another. Each function is called once per item.
struct Pipeline {
  using Work = std::function<void(std::size_t item)>;

  struct Step {
    Work work{};
    bool alone = false;  ///< never with two items at once
  };

  /// First, in order, ahead of the rest and on a thread of its own: it may wait for a disk.
  Work read{};
  /// Then these, many items at once and in any order.
  std::vector<Step> steps{};
  /// Last, in order, on the thread that called.
  Work take{};
  /// So many items at most have been read, or begun to be, and not yet taken. At least 1.
  std::size_t window = 1;
};

/// Takes the items 0, ..., count - 1 through a pipeline on up to `threads` threads (0 =
/// `default_threads()`), or fewer if the system has no more, and one that reads. No thread waits
/// while there is something that it may do; the earliest item goes first.
///
/// If work throws, the items before are still taken, none after is, and the exception of the
/// earliest item is thrown again here after all threads have stopped: the same input always gives
/// the same error, and `take` has always seen the same items.
void run_pipeline(std::size_t count, std::size_t threads, const Pipeline& pipeline);

}  // namespace caos
