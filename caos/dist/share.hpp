#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "caos/dist/bytes.hpp"
#include "caos/dist/communicator.hpp"

namespace caos::dist {

/// When the first rank collects results.
enum class Order {
  as_given,     ///< in the order of the pieces
  as_finished,  ///< at once
};

/// Work that can be cut into pieces. A piece travels to whichever rank is free next, and its result
/// back to the first rank.
struct SharedWork {
  /// On the first rank: the next piece, or nothing when there are no more.
  std::function<std::optional<Bytes>()> next{};
  /// On every rank, on `lanes` threads at once: a piece becomes its result.
  std::function<Bytes(std::span<const std::byte>)> compute{};
  /// On the first rank: the result of piece 0, 1, 2, ...
  std::function<void(std::size_t piece, Bytes result)> collect{};
  std::size_t lanes = 1;
  Order order = Order::as_given;
  /// Results that wait on the first rank for those of earlier pieces: so many bytes and one result
  /// more. Ranks that are further ahead keep theirs and wait.
  std::size_t most_waiting = std::size_t{256} << 20U;
};

/// Does the work on all ranks; each calls it. The first rank works too.
/// If a piece fails, no more are begun; when those that were begun have ended, the first rank
/// throws the error of the earliest, as one process would, and the others `Stopped` when they are
/// told. With `as_finished`, results that come in meanwhile are still collected.
void share(Communicator& ranks, const SharedWork& work);

/// How many of `count` items to put into a piece: enough to keep the threads of a rank busy, few
/// enough that ranks end together.
[[nodiscard]] std::size_t items_per_piece(std::size_t count, std::size_t ranks,
                                          std::size_t threads);

}  // namespace caos::dist
