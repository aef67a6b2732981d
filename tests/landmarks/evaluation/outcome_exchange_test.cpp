#include "caos/landmarks/evaluation/outcome_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "caos/error.hpp"
#include "tests/landmarks/patch_problem.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/problem.hpp"
#include "tests/support/thread_processes.hpp"

namespace {

using caos::ErrorKind;
using caos::LandmarkEvaluateOptions;
using caos::LandmarkEvaluation;
using caos::LandmarkMethodResult;
using caos::Method;
using caos::Outcome;
using caos::TestPatches;
using caos::dist::Communicator;
using caos::test::expect_error;

LandmarkEvaluateOptions everything() {
  return {.methods = {caos::all_methods().begin(), caos::all_methods().end()},
          .alphas = {problem::alpha(10), problem::alpha(30)},
          .k = 2,
          .ablation_ks = {1, 5},
          .simultaneous = true,
          .score = {caos::PatchScore::Kind::margin, 1.0},
          .partition = caos::split::halve(30, 1),
          .keep_sets = Method::full_caos,
          .threads = 2};
}

patches::Problem problem_of(std::size_t num_test) {
  return patches::make(7, {.labeled = 30, .test = num_test, .tasks = 9});
}

auto figures(const Outcome& o) { return std::tuple(o.covered, o.size, o.singleton, o.empty); }

void expect_same(const LandmarkMethodResult& a, const LandmarkMethodResult& b) {
  EXPECT_EQ(a.method, b.method);
  ASSERT_EQ(a.outcomes.size(), b.outcomes.size());
  for (std::size_t t = 0; t < a.outcomes.size(); ++t) {
    EXPECT_TRUE(std::ranges::equal(a.outcomes[t], b.outcomes[t], {}, figures, figures));
    ASSERT_EQ(a.landmarks[t].evaluation.has_value(), b.landmarks[t].evaluation.has_value());
    if (!a.landmarks[t].evaluation) continue;
    EXPECT_EQ(a.landmarks[t].evaluation->coverage, b.landmarks[t].evaluation->coverage);
  }
}

void expect_same(const LandmarkEvaluation& a, const LandmarkEvaluation& b) {
  ASSERT_EQ(a.methods.size(), b.methods.size());
  ASSERT_EQ(a.ablation.size(), b.ablation.size());
  ASSERT_EQ(a.simultaneous.size(), b.simultaneous.size());
  for (std::size_t m = 0; m < a.methods.size(); ++m) expect_same(a.methods[m], b.methods[m]);
  for (std::size_t m = 0; m < a.ablation.size(); ++m) expect_same(a.ablation[m], b.ablation[m]);
  EXPECT_EQ(a.sets, b.sets);
  for (std::size_t s = 0; s < a.simultaneous.size(); ++s) {
    EXPECT_EQ(a.simultaneous[s].evaluation.coverage, b.simultaneous[s].evaluation.coverage);
    EXPECT_EQ(a.simultaneous[s].evaluation.mean_set_size,
              b.simultaneous[s].evaluation.mean_set_size);
    EXPECT_EQ(a.simultaneous[s].covered_separately, b.simultaneous[s].covered_separately);
  }
}

TEST(SharedEvaluation, IsThatOfOneProcessOnAnyNumberOfProcesses) {
  for (const std::size_t num_test : {2U, 25U}) {  // fewer than processes, too
    const patches::Problem problem = problem_of(num_test);
    const LandmarkEvaluation alone =
        evaluate_landmarks(problem.labeled, problem.test(), everything());
    for (const std::size_t size : {1U, 2U, 3U, 5U}) {
      thread_processes::run_well(size, [&](Communicator& processes) {
        LandmarkEvaluateOptions options = everything();
        options.processes = &processes;
        const auto found = evaluate_landmarks(problem.labeled, problem.test(), options);
        if (processes.is_first()) return expect_same(found, alone);
        EXPECT_TRUE(found.methods.empty());
      });
    }
  }
}

TEST(SharedEvaluation, ReadsEachImageOnOneProcessOnly) {
  const patches::Problem problem = problem_of(25);
  std::mutex mutex;
  std::multiset<std::size_t> read;
  thread_processes::run_well(3, [&](Communicator& processes) {
    LandmarkEvaluateOptions options = everything();
    options.processes = &processes;
    TestPatches test = problem.test();
    test.image = [&](std::size_t x) {
      const std::lock_guard lock(mutex);
      read.insert(x);
      return problem.images[x];
    };
    static_cast<void>(evaluate_landmarks(problem.labeled, test, options));
  });
  EXPECT_EQ(read.size(), 25U);
  EXPECT_EQ(std::set(read.begin(), read.end()).size(), 25U);
}

TEST(SharedEvaluation, CarriesImagesToProcessesThatHaveNone) {
  const patches::Problem problem = problem_of(25);
  const LandmarkEvaluation alone =
      evaluate_landmarks(problem.labeled, problem.test(), everything());
  thread_processes::run_well(3, [&](Communicator& processes) {
    LandmarkEvaluateOptions options = everything();
    options.processes = &processes;
    TestPatches test = problem.test();
    test.travel = true;
    if (!processes.is_first()) test.image = {};
    const auto found = evaluate_landmarks(problem.labeled, test, options);
    if (processes.is_first()) expect_same(found, alone);
  });
}

TEST(SharedEvaluation, TellsProgressOnTheFirstProcessUpToTheEnd) {
  const patches::Problem problem = problem_of(25);
  std::atomic<std::size_t> last = 0;
  thread_processes::run_well(3, [&](Communicator& processes) {
    LandmarkEvaluateOptions options = everything();
    options.processes = &processes;
    if (processes.is_first()) {
      options.progress = [&](std::size_t done, std::size_t total) {
        EXPECT_EQ(total, 25U);
        EXPECT_GT(done, last);
        last = done;
      };
    }
    static_cast<void>(evaluate_landmarks(problem.labeled, problem.test(), options));
  });
  EXPECT_EQ(last, 25U);
}

TEST(SharedEvaluation, EndsWithTheErrorOfAnImageOnWhicheverProcess) {
  const patches::Problem problem = problem_of(25);
  const auto done = thread_processes::run(4, [&](Communicator& processes) {
    LandmarkEvaluateOptions options = everything();
    options.processes = &processes;
    TestPatches test = problem.test();
    test.image = [&](std::size_t x) {
      if (x == 17 || x == 20) {
        throw caos::Error(ErrorKind::bad_format, "image " + std::to_string(x) + " is zero");
      }
      return problem.images[x];
    };
    static_cast<void>(evaluate_landmarks(problem.labeled, test, options));
  });
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::bad_format,
               {"image 17 is zero"});
  for (std::size_t process = 1; process < 4; ++process) EXPECT_FALSE(done.thrown[process]);
}

TEST(SharedEvaluation, RefusesOnceWhatEveryProcessWouldRefuse) {
  const patches::Problem problem = problem_of(5);
  const auto done = thread_processes::run(3, [&](Communicator& processes) {
    LandmarkEvaluateOptions options = everything();
    options.processes = &processes;
    options.k = 30;
    static_cast<void>(evaluate_landmarks(problem.labeled, problem.test(), options));
  });
  expect_error([&] { std::rethrow_exception(done.thrown[0]); }, ErrorKind::invalid_input,
               {"k = 30 needs"});
  EXPECT_FALSE(done.thrown[1] || done.thrown[2]);
}

}  // namespace
