#include "caos/landmarks/evaluation/landmark_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/landmarks/patch_problem.hpp"

namespace {

using caos::LandmarkReport;
using caos::Method;
using caos::Miscoverage;
using caos::RankRule;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

LandmarkReport example(bool with_all = false) {
  const patches::Problem problem = patches::make(4, {.labeled = 9, .test = 5, .missing = 0});
  caos::LandmarkEvaluateOptions options{.methods = {Method::caos, Method::scos_best},
                                        .alphas = {Miscoverage::parse("0.2")}};
  options.k = 2;
  options.partition = caos::split::halve(9, 1);
  options.simultaneous = with_all;
  if (with_all) options.ablation_ks = {1};
  LandmarkReport report{.num_labeled = 9, .num_test = 5, .landmarks = problem.labeled.tasks};
  report.k = 2;
  report.evaluation = evaluate_landmarks(problem.labeled, problem.test(), options);
  return report;
}

TEST(LandmarkReport, HasATableForWhatWasAskedFor) {
  EXPECT_THAT(
      text_of(example()),
      AllOf(HasSubstr("9 labeled images, 5 test images, 3 landmarks, k = 2, score cosine"),
            HasSubstr("\ncaos         0.2   marginal"), HasSubstr("\nscos-best    0.2       none"),
            HasSubstr("\nscos-best: none ("), HasSubstr("for a landmark that is present"),
            HasSubstr(caos::assumption), Not(HasSubstr("with k")), Not(HasSubstr("at once"))));
  EXPECT_THAT(text_of(example(true)),
              AllOf(HasSubstr("caos with k"), HasSubstr("all landmarks at once, alpha")));
}

TEST(LandmarkReport, SaysWhatToTryWhereRegionsAreLarge) {
  LandmarkReport report = example();  // of images with few patches
  const auto& result = report.evaluation.methods[0];
  ASSERT_GT(result.mean_region_share.value(), 0.05);
  const auto text = large_regions_text(report.evaluation);
  ASSERT_TRUE(text.has_value());
  EXPECT_THAT(*text, HasSubstr("caos at alpha 0.2: regions cover "));
  report.evaluation.methods[0].landmarks[0].feasible = false;
  EXPECT_FALSE(large_regions_text(report.evaluation).has_value());  // the other has no guarantee
  report.evaluation.methods[1].guarantee.kind = caos::Guarantee::Kind::marginal;
  EXPECT_THAT(*large_regions_text(report.evaluation), HasSubstr("scos-best at alpha 0.2"));
  report.evaluation.methods[0].landmarks[0].feasible = true;
  report.evaluation.methods[0].mean_region_share = 0.01;  // use this one then
  EXPECT_FALSE(large_regions_text(report.evaluation).has_value());
  for (auto& method : report.evaluation.methods) method.mean_region_share = 0.05;
  EXPECT_FALSE(large_regions_text(report.evaluation).has_value());
  for (auto& method : report.evaluation.methods) method.mean_region_share.reset();
  EXPECT_FALSE(large_regions_text(report.evaluation).has_value());
}

TEST(LandmarkReport, StatesSizeAndPrecisionOfImages) {
  LandmarkReport report = example();
  EXPECT_THAT(text_of(report), Not(HasSubstr("float16")));
  report.embedding = caos::EmbeddingRecord{};
  EXPECT_THAT(text_of(report), HasSubstr("score cosine, patches, longest side 512, float16\n"));
}

TEST(LandmarkReport, SaysWhatIsUnusual) {
  LandmarkReport report = example();
  report.evaluation.target = caos::ImageTarget::subject;
  report.own_parameter = true;
  EXPECT_THAT(text_of(report),
              AllOf(HasSubstr("for a landmark that is present, in a random image of a new subject"),
                    HasSubstr("(parameter given")));
}

TEST(LandmarkReport, NamesTheTargetAndTheAverage) {
  LandmarkReport report = example();
  EXPECT_THAT(text_of(report), Not(HasSubstr("The target is")));
  report.evaluation.target = caos::ImageTarget::subject;
  report.evaluation.over_subjects = true;
  EXPECT_THAT(text_of(report),
              HasSubstr("The target is a random image of a new subject; coverage and sizes are "
                        "averages over test subjects.\n"));
  report.evaluation.target = caos::ImageTarget::image;
  report.evaluation.over_subjects = false;
  EXPECT_THAT(text_of(report),
              HasSubstr("The target is a random image of the pool, of a subject without labeled "
                        "images; coverage and sizes are averages over test images.\n"));
}

TEST(LandmarkReport, WarnsOfLandmarksAndOfAlphas) {
  LandmarkReport report = example();
  EXPECT_THAT(warnings_of(report, RankRule::every_label), ElementsAre());
  report.left_out = {"nose"};
  report.evaluation.methods[0].landmarks[1].feasible = false;
  EXPECT_THAT(warnings_of(report, RankRule::every_label),
              ElementsAre("left out, as fewer than 3 images of different subjects have them: nose",
                          "caos at alpha 0.2: 4 calibration images are needed; 1 of 3 landmarks "
                          "have fewer, so their sets are every patch"));
  EXPECT_THAT(warnings_of(report, RankRule::clip)[1], HasSubstr("nothing is guaranteed"));
}

TEST(PackedSets, HaveOneBitForEachPatch) {
  caos::LandmarkEvaluation evaluation;
  evaluation.sets = {{{{0, 3, 8}, {}}, {{7}, {9}}}};
  EXPECT_EQ(caos::packed_size(10), 2U);
  EXPECT_EQ(caos::packed_size(16), 2U);
  EXPECT_THAT(caos::packed_sets(evaluation, 10), ElementsAre(9, 1, 0, 0, 128, 0, 0, 2));
}

}  // namespace
