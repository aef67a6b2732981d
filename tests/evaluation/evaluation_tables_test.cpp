#include "caos/evaluation/evaluation_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caos/evaluation/evaluation_warnings.hpp"
#include "tests/evaluation/toy.hpp"

namespace {

using caos::EvaluateOptions;
using caos::EvaluationReport;
using caos::Grouping;
using caos::Method;
using caos::RankRule;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using toy::Toy;

EvaluateOptions options_of(const Toy& task, std::vector<Method> methods, const char* alpha) {
  return {.methods = std::move(methods),
          .alphas = {caos::Miscoverage::parse(alpha)},
          .k = 2,
          .grouping = Grouping::none(task.n),
          .partition = caos::split::halve(task.n, 0)};
}

EvaluationReport report_of(const Toy& task, const EvaluateOptions& options) {
  caos::TestInputs inputs{.test = task.test()};
  inputs.symmetric = true;
  caos::ScoreBundle bundle{.own = caos::OwnScores::of_labeled(task.labeled(), task.labels),
                           .inputs = std::move(inputs),
                           .test_labels = task.test_labels};
  return {.n = task.n,
          .num_labels = task.num_labels,
          .num_test = task.num_test,
          .k = options.k,
          .results = caos::evaluate(bundle, options)};
}

TEST(EvaluationReport, HasARowForEachResult) {
  const Toy task = toy::make(1);
  const auto report = report_of(task, options_of(task, {Method::caos, Method::scos}, "0.2"));
  const caos::Table table = caos::summary_table(report);
  ASSERT_EQ(table.rows().size(), 3U);
  EXPECT_EQ(table.rows()[1][0], "caos");
  EXPECT_EQ(table.rows()[2][0], "scos");
  EXPECT_EQ(table.rows()[2][3], caos::coverage_text(report.results[1].evaluation));
  EXPECT_EQ(caos::title(report), "21 labeled examples, 6 labels, 30 test examples, k = 2");
}

TEST(EvaluationReport, CallsGroupsByTheNamesOfLabels) {
  const Toy task = toy::make(2);
  EvaluateOptions options = options_of(task, {Method::caos}, "0.2");
  options.grouping = Grouping::by_label(task.labels, task.num_labels);
  EvaluationReport report = report_of(task, options);
  EXPECT_THAT(caos::text_of(report), HasSubstr("caos, alpha 0.2, by group:\n  group  n"));
  EXPECT_EQ(caos::group_table(report.results[0], {}).rows()[1][0], "  0");
  report.label_names = {"ant", "bee", "cow", "dog", "eel", "fox"};
  EXPECT_EQ(caos::group_table(report.results[0], report.label_names).rows()[1][0], "  ant");
  EXPECT_THAT(caos::text_of(report), HasSubstr("  fox"));
}

TEST(EvaluationReport, ExplainsEachMissingGuaranteeOnceAndNamesTheAssumption) {
  const Toy task = toy::make(3);
  EvaluateOptions options = options_of(task, {Method::caos, Method::split_caos_ref}, "0.2");
  options.alphas.push_back(caos::Miscoverage::parse("0.3"));
  const auto lines = caos::guarantee_lines(report_of(task, options));
  EXPECT_THAT(lines, ElementsAre(HasSubstr("split-caos-ref: none ("), HasSubstr(caos::assumption),
                                 Not(HasSubstr("standard errors"))));
}

TEST(EvaluationWarnings, JoinMethodsOfWhichTheSameIsToBeSaid) {
  const Toy task = toy::make(4);
  const EvaluateOptions options =
      options_of(task, {Method::caos, Method::full_caos, Method::split_caos}, "0.04");
  const auto results = report_of(task, options).results;
  EXPECT_THAT(
      caos::infeasibility_warnings(results, options.partition, RankRule::every_label),
      ElementsAre("alpha 0.04: 24 calibration examples are needed and there are 21, which support "
                  "alpha 0.04545 or more; so every set is every label (caos, full-caos)",
                  "alpha 0.04: 24 calibration examples are needed and there are 11, which support "
                  "alpha 0.08333 or more; so every set is every label (split-caos)"));
  EXPECT_THAT(caos::infeasibility_warnings(results, options.partition, RankRule::clip)[0],
              HasSubstr("so the rank is clipped and nothing is guaranteed"));
}

TEST(EvaluationWarnings, AreSilentWhereThereIsNothingToSay) {
  const Toy task = toy::make(5);
  const EvaluateOptions options = options_of(task, {Method::caos}, "0.2");
  EXPECT_THAT(caos::infeasibility_warnings(report_of(task, options).results, options.partition,
                                           RankRule::every_label),
              IsEmpty());
  EXPECT_EQ(caos::unknown_group_warning({}), std::nullopt);
  EXPECT_EQ(caos::unknown_group_warning({-3, 8}),
            "no labeled example is in group -3, 8; test examples of it get every label");
}

}  // namespace
