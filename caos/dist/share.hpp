#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "caos/dist/bytes.hpp"
#include "caos/dist/communicator.hpp"

namespace caos::dist {

/// When the first process collects results.
enum class Order {
  as_given,     ///< in the order of the pieces
  as_finished,  ///< at once
};

/// Work that can be cut into pieces. A piece goes to the next free process, and its result back to
/// the first process.
struct SharedWork {
  /// On the first process: the next piece, or nothing when there are no more.
  std::function<std::optional<Bytes>()> next{};
  /// On every process, on `lanes` threads at once: a piece becomes its result.
  std::function<Bytes(std::span<const std::byte>)> compute{};
  /// On the first process: the result of piece 0, 1, 2, ...
  std::function<void(std::size_t piece, Bytes result)> collect{};
  std::size_t lanes = 1;
  Order order = Order::as_given;
  /// Results that wait on the first process for those of earlier pieces: so many bytes and one
  /// result more. Processes that are further ahead keep theirs and wait.
  std::size_t most_waiting = std::size_t{256} << 20U;
};

/// Does the work on all processes; each calls it. The first process works too.
/// If a piece fails, no more are begun; when those that were begun have ended, the first process
/// throws the error of the earliest, as one process would, and the others `Stopped` when they are
/// told. With `as_finished`, results that come in meanwhile are still collected.
void share(Communicator& processes, const SharedWork& work);

/// How many of `count` items to put into a piece: enough to keep the threads of a process busy, few
/// enough that processes end together.
[[nodiscard]] std::size_t items_per_piece(std::size_t count, std::size_t processes,
                                          std::size_t threads);

}  // namespace caos::dist
