#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/pages/assets.hpp"
#include "tests/apps/landmark_example.hpp"
#include "tests/apps/page_text.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The page up to its scripts.
std::string visible(const LandmarkResults& results) {
  return before_scripts(landmark_page(results));
}

TEST(LandmarkPage, SaysWhatWasRunAndWhatCameOut) {
  const std::string page = visible(landmark_example());
  EXPECT_THAT(page, HasSubstr("12 images, 2 landmarks each"));
  EXPECT_THAT(page, HasSubstr("12 × 14 = 168 patches of 16 pixels"));
  EXPECT_THAT(page, HasSubstr("In each of 2 random splits (seed 0)"));
  EXPECT_THAT(page, HasSubstr("if labeled and new examples are exchangeable"));
  EXPECT_THAT(page, HasSubstr("in 81.2 % of cases and have 5.25 patches"));
  EXPECT_THAT(page, HasSubstr("caos experiment landmarks faces"));
}

TEST(LandmarkPage, HasTheFiguresOfEachTable) {
  const std::string page = visible(landmark_example());
  for (const char* text :
       {"0.812<span class=\"sem\"> ± 0.016</span></td>", "standard error over 2 splits",
        "5.25<span class=\"sem\"> ± 0.50</span></td>", "130.2", "5.29<span class=\"sem\"> ± 0.15",
        "Split CAOS (cal)", "6.12", "chin", "3.50", "44.50", "0.410", "margin:10", "0.62",
        "Splits are drawn with seeds 0 to 1"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(LandmarkPage, MarksMethodsWithoutGuaranteeAndSaysWhy) {
  const std::string page = visible(landmark_example());
  EXPECT_THAT(page, HasSubstr("<tr class=\"none\"><th scope=\"row\">SCOS Best</th>"));
  EXPECT_THAT(page, HasSubstr("† SCOS Best: it chose late"));
  EXPECT_THAT(page, HasSubstr("† separate sets (CAOS): each contains its own landmark"));
}

TEST(LandmarkPage, SetsTheSmallestSizeWithAGuaranteeInBold) {
  EXPECT_THAT(visible(landmark_example()), HasSubstr("<td class=\"number best\">5.25"));
  const std::size_t tables = 2;  // of methods with a guarantee: the main one and data reuse
  EXPECT_EQ(count(visible(landmark_example()), "<td class=\"number best\">"), tables);
  LandmarkResults tie = landmark_example();
  tie.experiment.methods[1].mean_set_size = figures(5.25);
  EXPECT_EQ(count(visible(tie), "<td class=\"number best\">"), 2 * tables);
}

TEST(LandmarkPage, ShowsThePaperOnlyWhereThereAreItsFigures) {
  EXPECT_EQ(count(visible(landmark_example()), "<em>the paper:</em>"), 2U);
  LandmarkResults without = landmark_example();
  const Miscoverage alpha = Miscoverage::parse("0.15");
  without.options.alphas = {alpha};
  for (ExperimentResult& result : without.experiment.methods) result.alpha = alpha;
  without.experiment.other_scores.clear();
  EXPECT_THAT(visible(without), Not(HasSubstr("<em>the paper:</em>")));
}

TEST(LandmarkPage, LeavesOutPartsThatAreAbsent) {
  EXPECT_EQ(count(visible(landmark_example()), "<section>"), 8U);
  LandmarkResults results = landmark_example();
  results.experiment.by_subject = true;
  results.experiment.ablation.clear();
  results.experiment.simultaneous.clear();
  results.examples.clear();
  EXPECT_EQ(count(visible(results), "<section>"), 4U);
  EXPECT_THAT(visible(results), HasSubstr("</footer>"));
}

TEST(LandmarkPage, DrawsEachLandmarkUnderBothMethodsButTheJpegOnce) {
  const std::string page = visible(landmark_example());
  EXPECT_EQ(count(page, "data:image/jpeg;base64,QUJD"), 1U);
  EXPECT_THAT(page, HasSubstr("<use href=\"#photo-0\"/>"));
  EXPECT_THAT(page, HasSubstr("<circle class=\"size1\" cx=\"90.0\" cy=\"200.0\""));
  EXPECT_THAT(page, HasSubstr("<circle class=\"size0\" cx=\"90.0\" cy=\"200.0\""));
  EXPECT_EQ(count(page, "<title>landmark"), 2U) << "a set size that is null is not drawn";
}

TEST(LandmarkPage, ShowsNoRowOfImagesForAMethodWithoutSets) {
  LandmarkResults results = landmark_example();
  results.examples[0].points[0].scos.reset();
  const std::string page = visible(results);
  EXPECT_THAT(page, Not(HasSubstr("SCOS: set sizes on x.jpg")));
  EXPECT_THAT(page, HasSubstr("CAOS: set sizes on x.jpg"));
  EXPECT_EQ(count(page, "data:image/jpeg;base64,QUJD"), 1U);
}

TEST(LandmarkPage, SaysOfPatchesWhatIsKnown) {
  LandmarkResults results = landmark_example();
  EXPECT_THAT(visible(results), HasSubstr("is cut into 12 × 14 = 168 patches of 16 pixels;"));
  results.images.frames[1].grid.columns = 13;
  EXPECT_THAT(visible(results), HasSubstr("is cut into patches of 16 pixels;"));
  results.images.frames.clear();
  results.images.patches.images = {Matrix<float>(40, 2)};
  EXPECT_THAT(visible(results), HasSubstr("is cut into 40 patches;"));
}

TEST(LandmarkPage, DoesNotClaimThatAGivenParameterWasFixedInAdvance) {
  LandmarkResults results = landmark_example();
  EXPECT_THAT(visible(results), Not(HasSubstr("<td>if given so</td>")));
  results.own_parameter = true;
  EXPECT_THAT(visible(results), HasSubstr("<td>if given so</td>"));
}

TEST(LandmarkPage, LetsNoTextOfTheResultsBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--\"";
  LandmarkResults results = landmark_example();
  results.command = evil;
  results.backbone = evil;
  results.images.patches.tasks[0] = evil;
  results.images.failed_names = {evil};
  results.examples[0].name = evil;
  results.examples[0].jpeg = evil;
  results.examples[0].points[0].landmark = evil;
  without_guarantee(results.experiment.methods[2], evil);
  const std::string page = landmark_page(results);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string plain = landmark_page(landmark_example());
  EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
}

TEST(LandmarkPage, CopesWithTextThatIsNotUtf8) {
  LandmarkResults results = landmark_example();
  results.examples[0].name = "\xff.jpg";
  results.images.failed_names = {"\xff"};
  EXPECT_NO_THROW((void)landmark_page(results));
}

TEST(LandmarkPage, AsksForNothingFromElsewhere) {
  const std::string page = visible(landmark_example());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* part : {"http://", "https://", "src=\"", "url(", "@import", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  EXPECT_THAT(std::string(assets::landmark_page_js), Not(HasSubstr("://")));
}

TEST(LandmarkPage, DrawsPlotsOrSaysWhyThereAreNone) {
  const std::string page = landmark_page(landmark_example());
  const bool plots = page.find("<div id=\"scatter\">") != std::string::npos;
  EXPECT_EQ(plots, has_vega());
  EXPECT_EQ(page.find("built without Vega") == std::string::npos, has_vega());
  EXPECT_EQ(page.find("Redistribution and use") != std::string::npos, has_vega());
}

TEST(LandmarkPage, VegaCannotEndItsScriptEarly) {
  for (const std::string_view script :
       {assets::vega_js, assets::vega_lite_js, assets::vega_embed_js, assets::landmark_page_js}) {
    EXPECT_EQ(script.find("</script"), std::string_view::npos);
    EXPECT_EQ(script.find("<!--"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace caos::cli
