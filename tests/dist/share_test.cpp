#include "caos/dist/share.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "tests/support/expect_error.hpp"
#include "tests/support/thread_processes.hpp"

namespace {

using caos::Error;
using caos::ErrorKind;
using caos::dist::Bytes;
using caos::dist::Communicator;
using caos::dist::Order;
using caos::dist::Packer;
using caos::dist::SharedWork;
using caos::dist::Unpacker;
using caos::test::expect_error;

constexpr std::size_t sizes[] = {1, 2, 3, 5};

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

Bytes packed(std::size_t value) { return Packer().put(value).take(); }
std::size_t number(std::span<const std::byte> bytes) { return Unpacker(bytes).get<std::size_t>(); }

/// Squares of 0, 1, ..., as collected on the first process, and who computed how many.
struct Squares {
  std::vector<std::size_t> pieces{};
  std::vector<std::size_t> results{};
  std::vector<std::size_t> computed{};  ///< by process
  thread_processes::Run run{};
};

using Hook = std::function<void(std::size_t process, std::size_t item)>;

Squares squares(std::size_t size, std::size_t count, const SharedWork& how = {},
                const Hook& before = {}, const std::function<void(std::size_t)>& on_collect = {}) {
  Squares found;
  std::mutex mutex;
  found.computed.resize(size);
  found.run = thread_processes::run(size, [&](Communicator& processes) {
    SharedWork work = how;
    std::size_t next = 0;
    work.next = [&]() -> std::optional<Bytes> {
      EXPECT_TRUE(processes.is_first());
      if (next == count) return std::nullopt;
      return packed(next++);
    };
    work.compute = [&](std::span<const std::byte> item) {
      const std::size_t value = number(item);
      if (before) before(processes.index(), value);
      const std::lock_guard lock(mutex);
      ++found.computed[processes.index()];
      return packed(value * value);
    };
    work.collect = [&](std::size_t piece, const Bytes& result) {
      EXPECT_TRUE(processes.is_first());
      if (on_collect) on_collect(piece);
      found.pieces.push_back(piece);
      found.results.push_back(number(result));
    };
    share(processes, work);
  });
  return found;
}

std::vector<std::size_t> expected(std::size_t count) {
  std::vector<std::size_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = i * i;
  return values;
}

void expect_no_error(const Squares& found) {
  for (const auto& thrown : found.run.thrown) {
    if (!thrown) continue;
    EXPECT_NO_THROW(std::rethrow_exception(thrown));
  }
}

TEST(SharedWork, GivesTheSameResultsInOrderOnAnyNumberOfProcesses) {
  for (const std::size_t size : sizes) {
    for (const std::size_t count : {0U, 1U, 2U, 4U, 100U}) {  // fewer pieces than processes, too
      const Squares found = squares(size, count);
      expect_no_error(found);
      EXPECT_EQ(found.results, expected(count)) << size << " processes, " << count << " pieces";
      EXPECT_EQ(std::accumulate(found.computed.begin(), found.computed.end(), std::size_t{0}),
                count);
    }
  }
}

TEST(SharedWork, IsSharedByAllProcessesTheFirstIncluded) {
  const Squares found = squares(4, 40, {}, [](std::size_t, std::size_t) { nap(5); });
  for (const std::size_t count : found.computed) EXPECT_GE(count, 4U);
}

TEST(SharedWork, LeavesMoreToProcessesThatAreFaster) {
  const Squares found =
      squares(3, 60, {}, [](std::size_t process, std::size_t) { nap(process == 2 ? 50 : 2); });
  EXPECT_EQ(found.results, expected(60));
  EXPECT_LT(3 * found.computed[2], found.computed[1]);
}

TEST(SharedWork, RunsOnSeveralThreadsOfAProcess) {
  for (const std::size_t size : sizes) {
    std::atomic<int> at_work = 0;
    std::atomic<int> most = 0;
    const Squares found = squares(size, 60, {.lanes = 3}, [&](std::size_t process, std::size_t) {
      if (process != 0) return nap(2);
      const int now = ++at_work;
      most = std::max(most.load(), now);
      nap(2);
      --at_work;
    });
    expect_no_error(found);
    EXPECT_EQ(found.results, expected(60));
    EXPECT_EQ(most, 3);
  }
}

TEST(SharedWork, CanBeCollectedAsItIsFinished) {
  const Squares found = squares(3, 30, {.lanes = 2, .order = Order::as_finished},
                                [](std::size_t, std::size_t item) { nap(item == 0 ? 60 : 1); });
  expect_no_error(found);
  EXPECT_NE(found.pieces[0], 0U);
  for (std::size_t i = 0; i < 30; ++i)
    EXPECT_EQ(found.results[i], found.pieces[i] * found.pieces[i]);
  EXPECT_EQ(std::set(found.pieces.begin(), found.pieces.end()).size(), 30U);
}

/// The first piece is slow, and no result may wait for it: the processes wait instead.
TEST(SharedWork, KeepsNoMoreResultsWaitingThanAsked) {
  for (const std::size_t lanes : {1U, 3U}) {
    for (const std::size_t size : sizes) {
      std::atomic<std::size_t> begun = 0;
      std::atomic<std::size_t> begun_before_first = 0;
      const Squares found =
          squares(size, 200, {.lanes = lanes, .most_waiting = 3 * sizeof(std::size_t)},
                  [&](std::size_t, std::size_t item) {
                    ++begun;
                    if (item == 0) {
                      nap(100);
                      begun_before_first = begun.load();
                    }
                  });
      expect_no_error(found);
      EXPECT_EQ(found.results, expected(200));
      // Four wait on the first process, and each process has as many as it has lanes twice over.
      EXPECT_LE(begun_before_first, 4 + 2 * lanes * size + lanes);
    }
  }
}

TEST(SharedWork, ThatFailsEndsWithTheEarliestErrorOnEveryProcess) {
  for (const std::size_t size : sizes) {
    std::atomic<std::size_t> begun = 0;
    const Squares found = squares(size, 1000, {}, [&](std::size_t, std::size_t item) {
      ++begun;
      if (item == 7) nap(30);  // a later one fails first
      if (item >= 7 && item % 2 == 1) {
        throw Error(ErrorKind::bad_format, "image " + std::to_string(item) + " is damaged");
      }
    });
    expect_error([&] { std::rethrow_exception(found.run.thrown[0]); }, ErrorKind::bad_format,
                 {"image 7 is damaged"});
    for (std::size_t process = 1; process < size; ++process)
      EXPECT_FALSE(found.run.thrown[process]);
    EXPECT_LT(begun, 100U);
    EXPECT_LE(found.pieces.size(), 7U);
  }
}

TEST(SharedWork, StopsWhenItsResultsCannotBeCollected) {
  for (const std::size_t size : sizes) {
    const Squares found = squares(size, 1000, {}, {}, [](std::size_t piece) {
      if (piece == 5) throw Error(ErrorKind::backend, "the disk is full");
    });
    expect_error([&] { std::rethrow_exception(found.run.thrown[0]); }, ErrorKind::backend,
                 {"the disk is full"});
    for (std::size_t process = 1; process < size; ++process)
      EXPECT_FALSE(found.run.thrown[process]);
    EXPECT_EQ(found.results, expected(5));
  }
}

TEST(SharedWork, StopsWhenThereIsNoNextPieceToBeHad) {
  for (const std::size_t size : sizes) {
    const auto done = thread_processes::run(size, [&](Communicator& processes) {
      std::size_t next = 0;
      share(processes,
            {.next = [&]() -> std::optional<Bytes> {
               if (next == 3) throw Error(ErrorKind::not_found, "the store is gone");
               return packed(next++);
             },
             .compute = [](std::span<const std::byte> item) { return packed(number(item)); },
             .collect = [](std::size_t, const Bytes&) {}});
    });
    expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::not_found,
                 {"the store is gone"});
    for (std::size_t process = 1; process < size; ++process) EXPECT_FALSE(done.thrown[process]);
  }
}

TEST(SharedWork, KeepsWhatWasFinishedBesideAFailure) {
  const Squares found =
      squares(4, 50, {.order = Order::as_finished}, [](std::size_t, std::size_t item) {
        nap(item == 3 ? 1 : 20);
        if (item == 3) throw Error(ErrorKind::backend, "refused");
      });
  expect_error([&] { std::rethrow_exception(found.run.thrown[0]); }, ErrorKind::backend,
               {"refused"});
  const std::set<std::size_t> kept(found.pieces.begin(), found.pieces.end());
  for (const std::size_t piece : {0U, 1U, 2U}) EXPECT_TRUE(kept.contains(piece)) << piece;
  EXPECT_FALSE(kept.contains(3));
  EXPECT_LT(kept.size(), 40U);
}

TEST(SharedWork, CanFollowOtherWork) {
  std::vector<std::size_t> first;
  std::vector<std::size_t> second;
  thread_processes::run_well(3, [&](Communicator& processes) {
    for (std::vector<std::size_t>* results : {&first, &second}) {
      std::size_t next = 0;
      share(processes,
            {.next = [&]() -> std::optional<Bytes> {
               return next == 9 ? std::nullopt : std::optional(packed(next++));
             },
             .compute = [](std::span<const std::byte> item) { return packed(number(item)); },
             .collect = [&](std::size_t,
                            const Bytes& result) { results->push_back(number(result)); }});
    }
  });
  EXPECT_EQ(first.size(), 9U);
  EXPECT_EQ(first, second);
}

TEST(Pieces, HoldEnoughForThreadsAndLeaveEnoughForProcesses) {
  EXPECT_EQ(caos::dist::items_per_piece(0, 4, 2), 1U);
  EXPECT_EQ(caos::dist::items_per_piece(10, 4, 2), 1U);
  EXPECT_EQ(caos::dist::items_per_piece(640, 4, 2), 20U);
  EXPECT_EQ(caos::dist::items_per_piece(10'000'000, 4, 2), 32U);
  EXPECT_EQ(caos::dist::items_per_piece(10'000'000, 100, 64), 256U);
}

}  // namespace
