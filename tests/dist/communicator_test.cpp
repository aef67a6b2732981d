#include "caos/dist/communicator.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "caos/dist/mpi_communicator.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/thread_processes.hpp"

namespace {

using caos::Error;
using caos::ErrorKind;
using caos::dist::Bytes;
using caos::dist::Communicator;
using caos::test::expect_error;

constexpr std::size_t sizes[] = {1, 2, 3, 5};

Bytes bytes_of(std::size_t count, std::size_t seed) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + seed);
  return bytes;
}

TEST(Broadcast, BringsTheBytesOfTheFirstProcessToAll) {
  for (const std::size_t size : sizes) {
    std::atomic<std::size_t> right = 0;
    thread_processes::run_well(size, [&](Communicator& processes) {
      std::size_t made = 0;
      const Bytes bytes = from_first(processes, [&] {
        ++made;
        return bytes_of(1000, 1);
      });
      if (bytes == bytes_of(1000, 1) && made == (processes.is_first() ? 1U : 0U)) ++right;
    });
    EXPECT_EQ(right, size);
  }
}

TEST(Gather, BringsTheBytesOfAllToTheFirstByProcess) {
  for (const std::size_t size : sizes) {
    thread_processes::run_well(size, [&](Communicator& processes) {
      const std::size_t process = processes.index();
      const std::vector<Bytes> all =
          processes.gather(bytes_of(process, process));  // nothing of the first
      EXPECT_EQ(all.size(), processes.is_first() ? size : 0);
      for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], bytes_of(r, r));
    });
  }
}

TEST(Messages, TravelInPiecesOfBoundedLength) {
  constexpr std::size_t head = 16;  // goes in front, in a piece of its own
  for (const std::size_t piece : {1U, 7U, 64U, 1000U, 1001U}) {
    const auto done = thread_processes::run(
        3,
        [&](Communicator& processes) {
          const Bytes bytes = from_first(processes, [] { return bytes_of(1000, 4); });
          EXPECT_EQ(bytes, bytes_of(1000, 4));
          const auto all = processes.gather(bytes_of(500, processes.index()));
          for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], bytes_of(500, r));
        },
        piece);
    for (const auto& thrown : done.thrown) EXPECT_FALSE(thrown);
    EXPECT_EQ(done.largest_piece, std::max<std::size_t>(head, std::min<std::size_t>(piece, 1000)));
  }
}

TEST(Messages, CannotTravelInPiecesOfNothing) {
  expect_error(
      [] {
        thread_processes::Post post;
        thread_processes::ThreadCommunicator(post, 0, 2, 0);
      },
      ErrorKind::invalid_input, {"at least one byte"});
}

TEST(AFailureOfTheFirstProcess, StopsTheOthersQuietly) {
  for (const std::size_t size : sizes) {
    std::atomic<std::size_t> went_on = 0;
    const auto done = thread_processes::run(size, [&](Communicator& processes) {
      static_cast<void>(from_first(processes, []() -> Bytes {
        throw Error(ErrorKind::not_found, "model.caos: is not there");
      }));
      ++went_on;
    });
    expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::not_found,
                 {"model.caos: is not there"});
    for (std::size_t process = 1; process < size; ++process) EXPECT_FALSE(done.thrown[process]);
    EXPECT_EQ(went_on, 0U);
  }
}

TEST(AFailureAfterTheLastStep, StopsTheOthersToo) {
  const auto done = thread_processes::run(3, [&](Communicator& processes) {
    if (processes.is_first()) throw Error(ErrorKind::backend, "the disk is full");
  });
  EXPECT_TRUE(done.thrown[0]);
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
}

TEST(StepsTogether, GoOnIfNoProcessFails) {
  std::atomic<std::size_t> count = 0;
  thread_processes::run_well(5, [&](Communicator& processes) {
    together(processes, [&] { ++count; });
    EXPECT_EQ(count, 5U);
  });
}

TEST(StepsTogether, FailWithTheErrorOfTheLowestProcessAndItsPlace) {
  std::atomic<std::size_t> went_on = 0;
  const auto done = thread_processes::run(5, [&](Communicator& processes) {
    together(processes, [&] {
      if (processes.index() == 4) throw Error(ErrorKind::backend, "no memory");
      if (processes.index() == 2) throw Error(ErrorKind::not_found, "dino.onnx: is not there");
    });
    ++went_on;
  });
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::not_found,
               {"process 2: dino.onnx: is not there"});
  for (std::size_t process = 1; process < 5; ++process) EXPECT_FALSE(done.thrown[process]);
  EXPECT_EQ(went_on, 0U);
}

TEST(StepsTogether, DoNotNameTheFirstProcess) {
  const auto done = thread_processes::run(3, [&](Communicator& processes) {
    together(processes, [] { throw std::runtime_error("everywhere"); });
  });
  expect_error(
      [&] {
        try {
          std::rethrow_exception(done.thrown[0]);
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "everywhere");
          throw;
        }
      },
      ErrorKind::backend, {"everywhere"});
}

TEST(AnUnexpectedFailureOfAnotherProcess, IsLeftToItsCaller) {
  const auto done = thread_processes::run(2, [&](Communicator& processes) {
    if (!processes.is_first()) throw std::runtime_error("unexpected");
  });
  EXPECT_TRUE(done.thrown[1]);
}

TEST(Mpi, IsNamedOrItsAbsenceIs) {
  const std::string text = caos::dist::mpi_description();
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace
