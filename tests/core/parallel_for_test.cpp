#include "caos/core/parallel_for.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

TEST(ParallelFor, VisitsEachIndexOnce) {
  for (const std::size_t threads : {0U, 1U, 2U, 5U, 1'000'000U}) {
    for (const std::size_t count : {0U, 1U, 7U, 100U}) {
      for (const std::size_t grain : {0U, 1U, 3U, 1000U}) {
        std::vector<std::atomic<int>> visits(count);
        caos::parallel_for(count, grain, threads, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) ++visits[i];
        });
        for (const auto& times : visits) EXPECT_EQ(times, 1);
      }
    }
  }
}

TEST(ParallelFor, ThrowsTheEarliestErrorWhateverTheTiming) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    try {
      caos::parallel_for(40, 1, 4, [](std::size_t first, std::size_t) {
        // The earlier failure is the later one in time.
        if (first == 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (first >= 10) throw std::runtime_error(std::to_string(first));
      });
      FAIL() << "no error came through";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "10");
    }
  }
}

TEST(DefaultThreads, IsAtLeastOne) { EXPECT_GE(caos::default_threads(), 1U); }

}  // namespace
