#include "caos/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "caos/error.hpp"
#include "caos/full.hpp"
#include "tests/evaluation/toy.hpp"
#include "tests/support/expect_error.hpp"

namespace {

using caos::EvaluateOptions;
using caos::Grouping;
using caos::Label;
using caos::Method;
using caos::MethodResult;
using caos::Miscoverage;
using caos::ScoreBundle;
using toy::Toy;

ScoreBundle bundle_of(const Toy& task) {
  return {.own = caos::OwnScores::of_labeled(task.labeled(), task.labels),
          .inputs = {.test = task.test(), .reverse = task.reverse()},
          .test_labels = task.test_labels,
          .labeled = task.labeled()};
}

EvaluateOptions options_for(const Toy& task, std::vector<Method> methods = {}) {
  if (methods.empty()) methods.assign(caos::all_methods().begin(), caos::all_methods().end());
  return {.methods = std::move(methods),
          .alphas = {Miscoverage::parse("0.3"), Miscoverage::parse("0.1")},
          .k = 2,
          .grouping = Grouping::none(task.n),
          .partition = caos::split::halve(task.n, 8)};
}

const MethodResult& find(const std::vector<MethodResult>& results, Method method,
                         const char* alpha) {
  return *std::ranges::find_if(results, [&](const MethodResult& r) {
    return r.method == method && r.alpha == Miscoverage::parse(alpha);
  });
}

TEST(Evaluate, AnswersInTheOrderOfTheQuestions) {
  const Toy task = toy::make(1);
  const auto options =
      options_for(task, {Method::split_caos, Method::scos_oracle, Method::caos, Method::scos});
  const auto results = caos::evaluate(bundle_of(task), options);
  std::vector<std::pair<Method, std::string>> order;
  for (const MethodResult& r : results) order.emplace_back(r.method, r.alpha.text());
  EXPECT_EQ(order, (std::vector<std::pair<Method, std::string>>{{Method::split_caos, "0.3"},
                                                                {Method::split_caos, "0.1"},
                                                                {Method::scos_oracle, "0.3"},
                                                                {Method::scos_oracle, "0.1"},
                                                                {Method::caos, "0.3"},
                                                                {Method::caos, "0.1"},
                                                                {Method::scos, "0.3"},
                                                                {Method::scos, "0.1"}}));
}

TEST(Evaluate, MeasuresTheSetsThatPredictionGives) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Toy task = toy::make(seed);
    const ScoreBundle bundle = bundle_of(task);
    const auto results =
        caos::evaluate(bundle, options_for(task, {Method::caos, Method::full_caos}));
    const caos::Calibration calibration = caos::calibrate(bundle.own, {.k = 2});
    const auto alpha = Miscoverage::parse("0.1");
    for (std::size_t t = 0; t < task.num_test; ++t) {
      const caos::TestInput input{.pools = task.test().input(t),
                                  .reverse = task.reverse().input(t)};
      const auto expect = [&](Method method, const caos::PredictionSet& set) {
        const caos::Outcome& outcome = find(results, method, "0.1").outcomes[t];
        EXPECT_EQ(outcome.size, static_cast<double>(set.size()));
        EXPECT_EQ(outcome.covered == 1.0, std::ranges::binary_search(set, task.test_labels[t]));
      };
      expect(Method::caos, calibration.predict_set(input, alpha));
      expect(Method::full_caos, caos::full::predict_set(calibration, input, alpha));
    }
  }
}

TEST(Evaluate, DoesNotDependOnThreads) {
  const Toy task = toy::make(3);
  EvaluateOptions options = options_for(task);
  options.threads = 1;
  const auto one = caos::evaluate(bundle_of(task), options);
  options.threads = 4;
  const auto four = caos::evaluate(bundle_of(task), options);
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t r = 0; r < one.size(); ++r) {
    EXPECT_EQ(one[r].evaluation.coverage, four[r].evaluation.coverage);
    EXPECT_EQ(one[r].evaluation.mean_set_size, four[r].evaluation.mean_set_size);
  }
}

TEST(Evaluate, ScosIsTheAverageOverReferencesAndOracleItsBest) {
  const Toy task = toy::make(4);
  const ScoreBundle bundle = bundle_of(task);
  const EvaluateOptions options = options_for(task, {Method::scos, Method::scos_oracle});
  const auto results = caos::evaluate(bundle, options);
  const auto thresholds =
      caos::split::scos_thresholds(bundle.own, options.partition, Miscoverage::parse("0.3"));
  for (std::size_t t = 0; t < task.num_test; ++t) {
    const auto tally = caos::split::tally_scos(task.test().input(t), task.test_labels[t],
                                               options.partition.references, thresholds);
    double total = 0;
    for (const auto size : tally.sizes) total += size;
    EXPECT_DOUBLE_EQ(find(results, Method::scos, "0.3").outcomes[t].size,
                     total / static_cast<double>(tally.sizes.size()));
    EXPECT_EQ(find(results, Method::scos_oracle, "0.3").outcomes[t].size,
              tally.sizes[caos::split::oracle_reference(tally)]);
  }
}

TEST(Evaluate, GivesAveragesOverReferencesAStandardErrorAndOthersAnExactInterval) {
  const Toy task = toy::make(4);
  for (const MethodResult& r : caos::evaluate(bundle_of(task), options_for(task))) {
    EXPECT_EQ(r.evaluation.interval_kind, r.method == Method::scos
                                              ? caos::IntervalKind::standard_error
                                              : caos::IntervalKind::clopper_pearson)
        << caos::method_name(r.method);
  }
}

TEST(Evaluate, SaysWhatIsGuaranteed) {
  const Toy task = toy::make(5);
  EvaluateOptions options = options_for(task);
  for (const MethodResult& r : caos::evaluate(bundle_of(task), options)) {
    EXPECT_EQ(r.guarantee.text(), caos::guarantee_of(r.method).text());
  }
  options.methods = {Method::caos};
  options.grouping = Grouping::by_label(task.labels, task.num_labels);
  const auto grouped = caos::evaluate(bundle_of(task), options);
  EXPECT_EQ(grouped[0].guarantee.text(), "group-conditional");
  EXPECT_FALSE(grouped[0].rank.has_value());
  EXPECT_EQ(grouped[0].groups.size(), task.num_labels);
}

TEST(Evaluate, AnInfeasibleAlphaGivesEveryLabelUnlessTheRankIsClipped) {
  const Toy task = toy::make(6);
  EvaluateOptions options = options_for(task);
  options.alphas = {Miscoverage::parse("0.01")};
  for (const MethodResult& r : caos::evaluate(bundle_of(task), options)) {
    EXPECT_FALSE(r.feasible);
    EXPECT_EQ(r.evaluation.coverage, 1);
    EXPECT_EQ(r.evaluation.mean_set_size, static_cast<double>(task.num_labels));
  }
  options.rule = caos::RankRule::clip;
  for (const MethodResult& r : caos::evaluate(bundle_of(task), options)) {
    EXPECT_EQ(r.guarantee.kind, caos::Guarantee::Kind::none);
    EXPECT_LT(r.evaluation.mean_set_size, static_cast<double>(task.num_labels));
  }
}

TEST(Evaluate, GroupsTogetherAreTheWhole) {
  const Toy task = toy::make(7);
  ScoreBundle bundle = bundle_of(task);
  EvaluateOptions options = options_for(task, {Method::caos});
  std::vector<caos::GroupId> groups;
  for (std::size_t i = 0; i < task.n; ++i) groups.push_back(static_cast<caos::GroupId>(i % 2));
  for (std::size_t t = 0; t < task.num_test; ++t) {
    bundle.inputs.groups.push_back(static_cast<caos::GroupId>(t % 2));
  }
  options.grouping = Grouping::by_input(groups);
  const auto result = caos::evaluate(bundle, options)[0];
  ASSERT_EQ(result.groups.size(), 2U);
  EXPECT_EQ(result.groups[0].n + result.groups[1].n, task.n);
  const double mean =
      (result.groups[0].evaluation->mean_set_size + result.groups[1].evaluation->mean_set_size) / 2;
  EXPECT_DOUBLE_EQ(result.evaluation.mean_set_size, mean);
}

TEST(Evaluate, RefusesWhatDoesNotFitTogether) {
  const Toy task = toy::make(9);
  const auto refuses = [&](auto spoil) {
    ScoreBundle bundle = bundle_of(task);
    EvaluateOptions options = options_for(task);
    spoil(bundle, options);
    EXPECT_THROW(static_cast<void>(caos::evaluate(bundle, options)), caos::Error);
  };
  refuses([](ScoreBundle& b, EvaluateOptions&) { b.test_labels.pop_back(); });
  refuses([](ScoreBundle& b, EvaluateOptions&) { b.test_labels[3] = 6; });
  refuses([](ScoreBundle& b, EvaluateOptions&) { b.inputs.reverse.reset(); });
  refuses([](ScoreBundle& b, EvaluateOptions&) { b.labeled.reset(); });
  refuses([&](ScoreBundle& b, EvaluateOptions&) { b.inputs.reverse = task.labeled(); });
  refuses([](ScoreBundle& b, EvaluateOptions&) { b.labeled->num_labels = 7; });
  refuses([](ScoreBundle&, EvaluateOptions& o) { o.partition = {}; });
  refuses([](ScoreBundle&, EvaluateOptions& o) { o.partition.references.back() = 21; });
  refuses([](ScoreBundle&, EvaluateOptions& o) { o.partition.references.pop_back(); });
  refuses([](ScoreBundle&, EvaluateOptions& o) {
    o.methods = {Method::split_caos};
    o.grouping = Grouping::none(3);
  });
  refuses([](ScoreBundle&, EvaluateOptions& o) { o.k = 21; });
  refuses([](ScoreBundle&, EvaluateOptions& o) { o.methods.clear(); });
  refuses([&](ScoreBundle&, EvaluateOptions& o) {
    o.grouping = Grouping::by_label(task.labels, task.num_labels);  // no form for SCOS
  });
}

TEST(Evaluate, RefusesANaNInAnyTestExample) {
  Toy task = toy::make(10);
  task.test_scores[7 * 6 * 21 + 2 * 21 + 5] = NAN;
  caos::test::expect_error(
      [&] {
        static_cast<void>(caos::evaluate(bundle_of(task), options_for(task, {Method::caos})));
      },
      caos::ErrorKind::bad_format, {"scores: entry (7, 2, 5) is nan"});
}

TEST(Evaluate, ReportsProgressUpToTheEnd) {
  const Toy task = toy::make(11);
  EvaluateOptions options = options_for(task, {Method::caos});
  std::size_t last = 0;
  options.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_GT(done, last);
    EXPECT_EQ(total, task.num_test);
    last = done;
  };
  static_cast<void>(caos::evaluate(bundle_of(task), options));
  EXPECT_EQ(last, task.num_test);
}

}  // namespace
