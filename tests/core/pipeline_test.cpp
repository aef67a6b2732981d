#include "caos/core/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace caos {
namespace {

void nothing(std::size_t) {}

std::vector<std::size_t> up_to(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// Notes down who was there, from any thread.
class Notes {
 public:
  Pipeline::Work adds() {
    return [this](std::size_t item) { add(item); };
  }
  void add(std::size_t item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(item);
  }
  [[nodiscard]] std::vector<std::size_t> sorted() const {
    std::vector<std::size_t> result = items_;
    std::ranges::sort(result);
    return result;
  }
  [[nodiscard]] const std::vector<std::size_t>& items() const { return items_; }

 private:
  std::mutex mutex_;
  std::vector<std::size_t> items_;
};

std::string error_of(std::size_t count, std::size_t threads, const Pipeline& pipeline) {
  try {
    run_pipeline(count, threads, pipeline);
    return "none";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(RunPipeline, TakesEveryItemThroughEveryStageInOrder) {
  for (const std::size_t threads : {0U, 1U, 2U, 7U, 1'000'000U}) {
    for (const std::size_t count : {0U, 1U, 2U, 100U}) {
      for (const std::size_t window : {1U, 2U, 9U, 1000U}) {
        // How far each item has come.
        std::vector<int> stages(count);
        const auto expect = [&](int stage) {
          return [&stages, stage](std::size_t i) { EXPECT_EQ(stages[i]++, stage); };
        };
        std::vector<std::size_t> read;
        std::vector<std::size_t> taken;
        run_pipeline(count, threads,
                     {.read =
                          [&](std::size_t i) {
                            read.push_back(i);
                            expect(0)(i);
                          },
                      .steps = {{expect(1)}, {expect(2), true}, {expect(3)}},
                      .take =
                          [&](std::size_t i) {
                            taken.push_back(i);
                            expect(4)(i);
                          },
                      .window = window});
        EXPECT_EQ(read, up_to(count));
        EXPECT_EQ(taken, up_to(count));
        EXPECT_EQ(stages, std::vector<int>(count, 5));
      }
    }
  }
}

TEST(RunPipeline, WorksWithoutSteps) {
  Notes taken;
  run_pipeline(5, 3, {.read = nothing, .steps = {}, .take = taken.adds(), .window = 2});
  EXPECT_EQ(taken.items(), up_to(5));
}

TEST(RunPipeline, TakesOnTheThreadThatCalled) {
  const auto self = std::this_thread::get_id();
  run_pipeline(50, 4,
               {.read = nothing,
                .steps = {{nothing}},
                .take = [&](std::size_t) { EXPECT_EQ(std::this_thread::get_id(), self); },
                .window = 8});
}

TEST(RunPipeline, KeepsNoMoreItemsThanTheWindowHolds) {
  for (const std::size_t window : {1U, 3U, 10U}) {
    std::atomic<std::size_t> alive = 0;
    std::atomic<std::size_t> most = 0;
    run_pipeline(300, 6,
                 {.read =
                      [&](std::size_t) {
                        const std::size_t now = ++alive;
                        most = std::max(most.load(), now);
                      },
                  .steps = {{nothing}, {nothing, true}},
                  .take = [&](std::size_t) { --alive; },
                  .window = window});
    EXPECT_EQ(alive, 0U);
    EXPECT_LE(most, window);
  }
}

TEST(RunPipeline, CallsALonelyStepForOneItemAtATime) {
  std::atomic<int> inside = 0;
  Notes notes;
  const auto lonely = [&](std::size_t i) {
    EXPECT_EQ(++inside, 1);
    std::this_thread::yield();
    notes.add(i);
    --inside;
  };
  run_pipeline(
      200, 5,
      {.read = nothing, .steps = {{nothing}, {lonely, true}}, .take = nothing, .window = 20});
  EXPECT_EQ(notes.sorted(), up_to(200));
}

TEST(RunPipeline, ReadsAheadWhileAnItemIsWorkedOn) {
  // The only worker leaves the first item once all that the window has room for was read.
  std::latch all_read(4);
  run_pipeline(6, 1,
               {.read =
                    [&](std::size_t i) {
                      if (i < 4) all_read.count_down();
                    },
                .steps = {{[&](std::size_t) { all_read.wait(); }}},
                .take = nothing,
                .window = 4});
}

TEST(RunPipeline, WorksOnWhileAFileIsWaitedFor) {
  // Reading the third item ends only when the first two have been taken.
  std::latch taken(2);
  run_pipeline(3, 1,
               {.read =
                    [&](std::size_t i) {
                      if (i == 2) taken.wait();
                    },
                .steps = {{nothing}},
                .take =
                    [&](std::size_t i) {
                      if (i < 2) taken.count_down();
                    },
                .window = 3});
}

TEST(RunPipeline, PassesASlowItemWithOthers) {
  // The first item ends only when the three after it have gone through the same step.
  std::latch others(3);
  Notes taken;
  run_pipeline(8, 2,
               {.read = nothing,
                .steps = {{[&](std::size_t i) {
                  if (i == 0) others.wait();
                  if (i >= 1 && i <= 3) others.count_down();
                }}},
                .take = taken.adds(),
                .window = 4});
  EXPECT_EQ(taken.items(), up_to(8));
}

TEST(RunPipeline, PreparesAndFinishesOthersWhileOneIsInALonelyStep) {
  // In the lonely step the third item waits until the second has been finished and the fourth
  // prepared.
  std::latch finished(1);
  std::latch prepared(1);
  run_pipeline(4, 2,
               {.read = nothing,
                .steps = {{[&](std::size_t i) {
                            if (i == 3) prepared.count_down();
                          }},
                          {[&](std::size_t i) {
                             if (i != 2) return;
                             finished.wait();
                             prepared.wait();
                           },
                           true},
                          {[&](std::size_t i) {
                            if (i == 1) finished.count_down();
                          }}},
                .take = nothing,
                .window = 4});
}

TEST(RunPipeline, ThrowsTheErrorOfTheEarliestItemAndHasTakenThoseBefore) {
  for (int stage = 0; stage < 5; ++stage) {
    for (const std::size_t threads : {1U, 2U, 6U}) {
      for (int repeat = 0; repeat < 10; ++repeat) {
        const auto fail_at = [&](int here) {
          return [here, stage](std::size_t i) {
            // The earlier failure is the later one in time.
            if (i == 10 && here == 1) std::this_thread::sleep_for(std::chrono::microseconds(200));
            const bool fails = i == 10 ? here == stage : i > 10 && here == (stage + 3) % 5;
            if (fails) throw std::runtime_error(std::to_string(i));
          };
        };
        Notes taken;
        const Pipeline pipeline{.read = fail_at(0),
                                .steps = {{fail_at(1)}, {fail_at(2), true}, {fail_at(3)}},
                                .take =
                                    [&](std::size_t i) {
                                      fail_at(4)(i);
                                      taken.add(i);
                                    },
                                .window = 7};
        EXPECT_EQ(error_of(40, threads, pipeline), "10");
        EXPECT_EQ(taken.items(), up_to(10));
      }
    }
  }
}

TEST(RunPipeline, StartsNothingAfterAnError) {
  Notes read;
  EXPECT_EQ(error_of(1000, 2,
                     {.read = read.adds(),
                      .steps = {{[](std::size_t i) {
                        if (i == 3) throw std::runtime_error("3");
                      }}},
                      .take = nothing,
                      .window = 5}),
            "3");
  EXPECT_LE(read.items().size(), 8U);
}

}  // namespace
}  // namespace caos
