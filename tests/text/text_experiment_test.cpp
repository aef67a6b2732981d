#include "caos/text/text_experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "caos/numerics/beta.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/text/text_problem.hpp"

namespace caos {
namespace {

using test::expect_error;
using text_problem::Problem;

TextExperimentOptions options_for(std::vector<Method> methods, std::vector<std::uint64_t> seeds) {
  return {.methods = std::move(methods),
          .alphas = {Miscoverage::parse("0.3"), Miscoverage::parse("0.2")},
          .k = 2,
          .test_size = 5,
          .seeds = std::move(seeds),
          .threads = 1};
}

ReverseScorer reverse_of(const Problem& problem) {
  return [&problem](std::span<const Candidate> candidates, const Indices& labeled) {
    return problem.reverse_of(candidates, labeled);
  };
}

TEST(TextExperiment, HasTheFiguresOfEachSplit) {
  const Problem problem = text_problem::make(7);
  const auto options =
      options_for({Method::scos, Method::caos, Method::scos_best, Method::full_caos}, {3, 9, 4});
  const TextTaskExperiment experiment =
      run_text_experiment("task", problem.tensor(), problem.labels, options, reverse_of(problem));
  EXPECT_EQ(experiment.task, "task");
  EXPECT_EQ(experiment.num_labels, 4U);
  EXPECT_EQ(experiment.num_examples, 18U);
  ASSERT_EQ(experiment.results.size(), 8U);
  EXPECT_EQ(experiment.results[2].method, Method::caos);
  EXPECT_EQ(experiment.results[3].alpha, Miscoverage::parse("0.2"));
  const EvaluateOptions evaluate_options{.methods = options.methods,
                                         .alphas = options.alphas,
                                         .k = 2,
                                         .grouping = Grouping::none(0),
                                         .partition = {}};
  for (std::size_t s = 0; s < 3; ++s) {
    const TextSplit split = draw_text_split(18, 5, options.seeds[s]);
    const auto expected = evaluate_texts(problem.tensor(), problem.labels, split, evaluate_options,
                                         reverse_of(problem));
    for (std::size_t r = 0; r < expected.size(); ++r) {
      const TextExperimentResult& result = experiment.results[r];
      EXPECT_EQ(result.coverage[s], expected[r].evaluation.coverage);
      EXPECT_EQ(result.mean_set_size[s], expected[r].evaluation.mean_set_size);
      EXPECT_EQ(result.singleton_rate[s], expected[r].evaluation.singleton_rate);
      EXPECT_EQ(result.empty_rate[s], expected[r].evaluation.empty_rate);
      EXPECT_EQ(result.tested[s], split.test);
      ASSERT_EQ(result.covered[s].size(), 5U);
      for (std::size_t t = 0; t < 5; ++t) {
        EXPECT_EQ(result.covered[s][t], expected[r].outcomes[t].covered);
      }
    }
  }
}

TEST(TextExperiment, StatesEachGuaranteeAndWhetherAlphaIsFeasible) {
  const Problem problem = text_problem::make(7);
  auto options = options_for({Method::caos, Method::scos, Method::scos_oracle}, {0, 1});
  options.alphas = {Miscoverage::parse("0.1")};  // 13 labeled: enough for CAOS, not for a half
  const auto experiment = run_text_experiment("task", problem.tensor(), problem.labels, options);
  EXPECT_TRUE(experiment.results[0].feasible);
  EXPECT_FALSE(experiment.results[1].feasible);
  EXPECT_EQ(experiment.results[0].guarantee.text(), "marginal");
  EXPECT_EQ(experiment.results[2].guarantee.kind, Guarantee::Kind::none);
  options.rule = RankRule::clip;
  const auto clipped = run_text_experiment("task", problem.tensor(), problem.labels, options);
  EXPECT_EQ(clipped.results[0].guarantee.text(), "marginal");
  EXPECT_EQ(clipped.results[1].guarantee.kind, Guarantee::Kind::none);
}

TEST(TextExperiment, NeedsASeed) {
  const Problem problem = text_problem::make(7);
  expect_error(
      [&] {
        (void)run_text_experiment("task", problem.tensor(), problem.labels,
                                  options_for({Method::caos}, {}));
      },
      ErrorKind::invalid_input, {"seed"});
}

/// A result with such outcomes, by seed; the test texts of seed s begin at `first[s]`.
TextExperimentResult result_of(std::vector<std::vector<double>> covered,
                               const std::vector<std::size_t>& first, const char* alpha = "0.1",
                               Method method = Method::caos) {
  TextExperimentResult result{.method = method, .alpha = Miscoverage::parse(alpha)};
  for (std::size_t s = 0; s < covered.size(); ++s) {
    double sum = 0;
    Indices& tested = result.tested.emplace_back();
    for (std::size_t t = 0; t < covered[s].size(); ++t) {
      sum += covered[s][t];
      tested.push_back(first[s] + t);
    }
    result.coverage.push_back(sum / static_cast<double>(covered[s].size()));
    result.mean_set_size.push_back(2 * sum);
  }
  result.covered = std::move(covered);
  return result;
}

TEST(TextExperimentResult, HasMeansAndErrorsOverSeeds) {
  const auto result = result_of({{1, 1, 1, 1}, {1, 0, 1, 0}, {1, 1, 1, 0}}, {0, 4, 2});
  EXPECT_DOUBLE_EQ(result.mean_coverage(), 0.75);
  EXPECT_DOUBLE_EQ(result.coverage_error().value(), 0.25 / std::sqrt(3));
  EXPECT_DOUBLE_EQ(result.mean_size(), 6);
  EXPECT_DOUBLE_EQ(result.size_error().value(), 2 / std::sqrt(3));
  const auto single = result_of({{1, 0}}, {0});
  EXPECT_FALSE(single.coverage_error().has_value());
  EXPECT_FALSE(single.size_error().has_value());
}

double width(const Interval& interval) { return interval.high - interval.low; }

TEST(CoverageInterval, OfOneSplitIsThatOfClopperAndPearson) {
  for (std::size_t hits = 0; hits <= 10; ++hits) {
    std::vector<double> covered(10);
    std::fill_n(covered.begin(), hits, 1.0);
    const Interval interval = result_of({covered}, {0}).coverage_interval();
    const Interval exact = clopper_pearson(hits, 10);
    EXPECT_NEAR(interval.low, exact.low, 1e-9);
    EXPECT_NEAR(interval.high, exact.high, 1e-9);
  }
}

TEST(CoverageInterval, DoesNotShrinkWhenTheSameTextsAreTestedAgain) {
  const std::vector<double> covered = {1, 1, 0, 1, 1, 1, 1, 1, 1, 1};
  const Interval once = result_of({covered}, {0}).coverage_interval();
  const Interval often =
      result_of({covered, covered, covered, covered, covered}, {0, 0, 0, 0, 0}).coverage_interval();
  EXPECT_NEAR(often.low, once.low, 1e-9);
  EXPECT_NEAR(often.high, once.high, 1e-9);
  const Interval others =
      result_of({covered, covered, covered, covered, covered}, {0, 10, 20, 30, 40})
          .coverage_interval();
  EXPECT_LT(width(others), 0.6 * width(once));
}

TEST(CoverageInterval, IsWiderWhereTextsOfOneSplitShareTheirFate) {
  const std::vector<double> all(10, 1.0);
  const std::vector<double> none(10, 0.0);
  const std::vector<double> half = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  const std::vector<std::size_t> apart = {0, 10, 20, 30};
  EXPECT_GT(width(result_of({all, none, all, none}, apart).coverage_interval()),
            2 * width(result_of({half, half, half, half}, apart).coverage_interval()));
}

TEST(CoverageInterval, ClaimsNoCertaintyWhereEverythingOrNothingWasCovered) {
  const std::vector<double> all(10, 1.0);
  const Interval interval = result_of({all, all, all}, {0, 5, 10}).coverage_interval();
  EXPECT_NEAR(interval.low, clopper_pearson(20, 20).low, 1e-9);
  EXPECT_EQ(interval.high, 1);
  const std::vector<double> none(10, 0.0);
  const Interval low = result_of({none, none}, {0, 5}).coverage_interval();
  EXPECT_EQ(low.low, 0);
  EXPECT_NEAR(low.high, clopper_pearson(0, 15).high, 1e-9);
}

TEST(CoverageInterval, OfAveragesOverReferencesClaimsNoMoreThanItsTexts) {
  const std::vector<double> averages(10, 0.9);
  const Interval interval = result_of({averages, averages}, {0, 0}).coverage_interval();
  const Interval exact = clopper_pearson(9, 10);
  EXPECT_NEAR(interval.low, exact.low, 1e-9);
  EXPECT_NEAR(interval.high, exact.high, 1e-9);
}

/// Texts that are drawn independently, as scores without ties: some are hard under every reference,
/// some references suit a text better.
Problem draw_table(std::uint64_t seed, std::size_t count) {
  Rng rng(seed);
  Problem problem{.count = count, .num_labels = 2};
  std::vector<double> place(count);
  std::vector<double> hardness(count);
  for (std::size_t i = 0; i < count; ++i) {
    problem.labels.push_back(rng.below(2));
    place[i] = rng.uniform();
    hardness[i] = rng.uniform();
  }
  const auto score = [&](std::size_t i, Label y, std::size_t j, Label of_j) {
    return hardness[i] + std::abs(place[i] - place[j]) + (y == of_j ? 0 : 0.3);
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (Label y = 0; y < 2; ++y) {
      for (std::size_t j = 0; j < count; ++j) {
        problem.scores.push_back(score(i, y, j, problem.labels[j]));
        problem.reverse.push_back(score(j, problem.labels[j], i, y));
      }
    }
  }
  return problem;
}

TEST(CoverageInterval, ContainsTheTruthAsOftenAsItSays) {
  constexpr std::size_t tables = 400;
  double full = 0;
  double scos = 0;
  double widths = 0;
  for (std::size_t table = 0; table < tables; ++table) {
    const Problem problem = draw_table(table, 30);
    auto options = options_for({Method::full_caos, Method::scos}, {});
    options.alphas = {Miscoverage::parse("0.2")};
    options.test_size = 6;
    for (std::uint64_t s = 0; s < 5; ++s) options.seeds.push_back(1000 * table + s);
    const auto experiment = run_text_experiment("drawn", problem.tensor(), problem.labels, options,
                                                reverse_of(problem));
    const auto holds = [](const Interval& interval, double truth) {
      return interval.low <= truth && truth <= interval.high ? 1.0 : 0.0;
    };
    // Without ties the coverage is the rank over one more than the examples that calibrate.
    full += holds(experiment.results[0].coverage_interval(), 20.0 / 25);
    scos += holds(experiment.results[1].coverage_interval(), 11.0 / 13);
    widths += width(experiment.results[0].coverage_interval());
  }
  // Three standard deviations of 400 fair trials at 0.95.
  EXPECT_GT(full / tables, 0.95 - 3 * 0.0109);
  EXPECT_GT(scos / tables, 0.95 - 3 * 0.0109);
  // Not by saying nothing: six tests alone have an interval of 0.6 and more.
  EXPECT_LT(widths / tables, 0.45);
  RecordProperty("full", std::to_string(full / tables));
  RecordProperty("scos", std::to_string(scos / tables));
  RecordProperty("width", std::to_string(widths / tables));
}

TextTaskExperiment with_coverage(double of_caos, double of_scos) {
  TextTaskExperiment task{.task = "task"};
  for (const auto& [method, coverage] :
       {std::pair(Method::caos, of_caos), std::pair(Method::scos, of_scos)}) {
    TextExperimentResult result{.method = method, .alpha = Miscoverage::parse("0.1")};
    result.coverage = {coverage};
    task.results.push_back(result);
  }
  return task;
}

TEST(ReachesTarget, TellsWhoDoes) {
  const auto tenth = Miscoverage::parse("0.1");
  EXPECT_EQ(reaches_target(with_coverage(0.95, 0.92), tenth), ReachesTarget::both);
  EXPECT_EQ(reaches_target(with_coverage(0.90, 0.89), tenth), ReachesTarget::caos_only);
  EXPECT_EQ(reaches_target(with_coverage(0.89, 0.90), tenth), ReachesTarget::scos_only);
  EXPECT_EQ(reaches_target(with_coverage(0.8999, 0.85), tenth), ReachesTarget::neither);
}

TEST(ReachesTarget, IsNotDecidedByRounding) {
  auto task = with_coverage(0.9, 0.9);
  for (int hits = 0; hits <= 10; ++hits) {
    // Means of exactly 0.9 by way of many different summands.
    const double part = hits / 10.0;
    task.results[0].coverage = {0.9, part, 1.8 - part, 0.7, 1.0, 1.0, 0.9};
    task.results[1].coverage = {1 - 0.1, 2.7 / 3, std::nextafter(0.9, 0.0)};
    EXPECT_EQ(reaches_target(task, Miscoverage::parse("0.1")), ReachesTarget::both);
  }
}

TEST(ReachesTarget, NeedsBothMethodsAtThatAlpha) {
  auto task = with_coverage(0.9, 0.9);
  const auto expect_refusal = [&](const char* alpha) {
    expect_error([&] { (void)reaches_target(task, Miscoverage::parse(alpha)); },
                 ErrorKind::invalid_input, {"task", alpha});
  };
  expect_refusal("0.2");
  task.results.pop_back();
  expect_refusal("0.1");
}

TEST(FindResult, LooksForMethodAndAlpha) {
  const auto task = with_coverage(0.5, 0.75);
  EXPECT_EQ(find_result(task, Method::scos, Miscoverage::parse("0.1")), &task.results[1]);
  EXPECT_EQ(find_result(task, Method::scos, Miscoverage::parse("0.10")), &task.results[1]);
  EXPECT_EQ(find_result(task, Method::scos, Miscoverage::parse("0.2")), nullptr);
  EXPECT_EQ(find_result(task, Method::scos_best, Miscoverage::parse("0.1")), nullptr);
}

}  // namespace
}  // namespace caos
