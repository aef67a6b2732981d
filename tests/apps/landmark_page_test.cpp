#include "apps/cli/experiments/landmark_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/reports/assets.hpp"
#include "tests/apps/page_text.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A small run with every part.
Json whole() {
  return Json::parse(R"({
    "version": "0.1.0", "command": "caos experiment landmarks faces",
    "setting": {"images": 12, "labeled": 6, "test": 6, "landmarks": 2, "splits": 3,
                "error_over": "3 splits", "k": 3,
                "alphas": ["0.2"], "patch_size": 16, "grid": [12, 14], "backbone": "builtin",
                "score": "cosine", "seed": 0},
    "assumption": "examples are exchangeable",
    "methods": [
      {"method": "caos", "alpha": "0.2", "guarantee": "marginal",
       "coverage": {"mean": 0.8125, "sem": 0.02, "sem_landmarks": 0.01, "sem_splits": 0.02},
       "mean_set_size": {"mean": 5.25, "sem": 0.5, "sem_landmarks": 0.25, "sem_splits": 0.5},
       "paper": {"coverage": 0.81, "coverage_sem": 0.003, "mean_set_size": 5.29,
                 "mean_set_size_sem": 0.15}},
      {"method": "scos", "alpha": "0.2", "guarantee": "marginal",
       "coverage": {"mean": 0.84}, "mean_set_size": {"mean": 130.25}, "paper": null},
      {"method": "scos-best", "alpha": "0.2", "guarantee": "none", "why_none": "it chose late",
       "coverage": {"mean": 0.79}, "mean_set_size": {"mean": 4.0}}],
    "data_reuse": [{"method": "split-caos-cal", "alpha": "0.2", "guarantee": "marginal",
                    "coverage": {"mean": 0.85}, "mean_set_size": {"mean": 7.0}}],
    "k_ablation": [{"k": 1, "alpha": "0.2", "coverage": {"mean": 0.8},
                    "mean_set_size": {"mean": 6.125}}],
    "landmarks": [{"name": "chin", "stratum": "easy", "sizes": {"caos": 2, "scos": null},
                   "coverage": {"caos": 1}, "by_k": [2, null], "n": 6, "smallest_alpha": 0.143}],
    "k_strata": [{"stratum": "easy", "k": 1, "mean_set_size": {"mean": 3.5}}],
    "simultaneous": [{"alpha": "0.2", "coverage": {"mean": 0.83}, "mean_set_size": {"mean": 44.5},
                      "per_landmark_coverage_together": 0.41}],
    "beyond": [{"score": "margin:10", "alpha": "0.2", "coverage": {"mean": 0.81},
                "mean_set_size": {"mean": 3.25}, "ratio_to_cosine": 0.63,
                "fixed_in_advance": false}],
    "images": [{"name": "x.jpg", "width": 178, "height": 218, "jpeg": "QUJD",
                "points": [{"landmark": "chin", "x": 90, "y": 200, "scos": 12.5, "caos": 2},
                           {"landmark": "nose", "x": 90, "y": 100, "scos": null}]}],
    "notes": ["as it is"]})");
}

/// The page up to its scripts.
std::string visible(const Json& results) { return before_scripts(landmark_report(results)); }

TEST(LandmarkReport, SaysWhatWasRunAndWhatCameOut) {
  const std::string page = visible(whole());
  EXPECT_THAT(page, HasSubstr("12 images, 2 landmarks each"));
  EXPECT_THAT(page, HasSubstr("12 × 14 = 168 patches of 16 pixels"));
  EXPECT_THAT(page, HasSubstr("In each of 3 random splits (seed 0)"));
  EXPECT_THAT(page, HasSubstr("if examples are exchangeable"));
  EXPECT_THAT(page, HasSubstr("in 81.2 % of cases and have 5.25 patches"));
  EXPECT_THAT(page, HasSubstr("caos experiment landmarks faces"));
}

TEST(LandmarkReport, HasTheFiguresOfEachTable) {
  const std::string page = visible(whole());
  for (const char* text :
       {"0.812<span class=\"sem\"> ± 0.020</span></td>", "standard error over 3 splits",
        "5.25<span class=\"sem\"> ± 0.50</span></td>", "130.2", "5.29<span class=\"sem\"> ± 0.15",
        "Split CAOS (cal)", "6.12", "chin", "3.50", "44.50", "0.410", "margin:10", "0.63",
        "as it is"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(LandmarkReport, MarksMethodsWithoutGuaranteeAndSaysWhy) {
  const std::string page = visible(whole());
  EXPECT_THAT(page, HasSubstr("<tr class=\"none\"><th scope=\"row\">SCOS Best</th>"));
  EXPECT_THAT(page, HasSubstr("† SCOS Best: it chose late"));
  EXPECT_THAT(page, HasSubstr("† Chosen with these data in sight"));
}

TEST(LandmarkReport, SetsTheSmallestSizeWithAGuaranteeInBold) {
  EXPECT_THAT(visible(whole()), HasSubstr("<td class=\"number best\">5.25"));
  EXPECT_EQ(count(visible(whole()), "<td class=\"number best\">"), 1U);
  Json tie = whole();
  tie["methods"][1]["mean_set_size"]["mean"] = 5.25;
  EXPECT_EQ(count(visible(tie), "<td class=\"number best\">"), 2U);
}

TEST(LandmarkReport, ShowsThePaperOnlyWhereThereAreItsFigures) {
  EXPECT_EQ(count(visible(whole()), "<em>the paper:</em>"), 1U);
  Json without = whole();
  without["methods"][0]["paper"] = nullptr;
  EXPECT_THAT(visible(without), Not(HasSubstr("<em>the paper:</em>")));
}

TEST(LandmarkReport, LeavesOutPartsThatAreAbsentOrEmpty) {
  EXPECT_EQ(count(visible(whole()), "<section>"), 8U);
  Json results = whole();
  for (const char* part : {"methods", "data_reuse", "k_ablation", "landmarks", "simultaneous"}) {
    results.erase(part);
  }
  results["beyond"] = Json::array();
  results["images"] = nullptr;
  EXPECT_EQ(count(visible(results), "<section>"), 1U);
  EXPECT_THAT(visible(Json::object()), HasSubstr("</footer>"));
}

TEST(LandmarkReport, DrawsEachLandmarkUnderBothMethodsButTheJpegOnce) {
  const std::string page = visible(whole());
  EXPECT_EQ(count(page, "data:image/jpeg;base64,QUJD"), 1U);
  EXPECT_THAT(page, HasSubstr("<use href=\"#photo-0\"/>"));
  EXPECT_THAT(page, HasSubstr("<circle class=\"size1\" cx=\"90.0\" cy=\"200.0\""));
  EXPECT_THAT(page, HasSubstr("<circle class=\"size0\" cx=\"90.0\" cy=\"200.0\""));
  EXPECT_EQ(count(page, "<title>landmark"), 2U) << "a set size that is null is not drawn";
}

TEST(LandmarkReport, ShowsNoRowOfImagesForAMethodWithoutSets) {
  Json results = whole();
  results["images"][0]["points"][0].erase("scos");
  const std::string page = visible(results);
  EXPECT_THAT(page, Not(HasSubstr("SCOS: set sizes on x.jpg")));
  EXPECT_THAT(page, HasSubstr("CAOS: set sizes on x.jpg"));
  EXPECT_EQ(count(page, "data:image/jpeg;base64,QUJD"), 1U);
}

TEST(LandmarkReport, SaysOfPatchesWhatIsKnown) {
  Json results = whole();
  results["setting"]["grid"] = nullptr;
  EXPECT_THAT(visible(results), HasSubstr("is cut into patches of 16 pixels;"));
  results["setting"]["patch_size"] = nullptr;
  EXPECT_THAT(visible(results), HasSubstr("is cut into patches;"));
  results["setting"]["patches"] = 40;
  EXPECT_THAT(visible(results), HasSubstr("is cut into 40 patches;"));
}

TEST(LandmarkReport, DoesNotClaimThatAGivenParameterWasFixedInAdvance) {
  Json results = whole();
  results["beyond"][0]["fixed_in_advance"] = nullptr;
  EXPECT_THAT(visible(results), HasSubstr("<td>if given so</td>"));
}

TEST(LandmarkReport, LetsNoTextOfTheResultsBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--\"";
  Json results = whole();
  results["command"] = evil;
  results["setting"]["backbone"] = evil;
  results["methods"][0]["method"] = evil;
  results["landmarks"][0]["name"] = evil;
  results["landmarks"][0]["sizes"][evil] = 1;
  results["images"][0]["name"] = evil;
  results["images"][0]["jpeg"] = evil;
  results["beyond"][0]["score"] = evil;
  results["notes"][0] = evil;
  const std::string page = landmark_report(results);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string plain = landmark_report(whole());
  EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
}

TEST(LandmarkReport, CopesWithTextThatIsNotUtf8) {
  Json results = whole();
  results["images"][0]["name"] = "\xff.jpg";
  results["notes"][0] = "\xff";
  EXPECT_NO_THROW((void)landmark_report(results));
}

TEST(LandmarkReport, AsksForNothingFromElsewhere) {
  const std::string page = visible(whole());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* part : {"http://", "https://", "src=\"", "url(", "@import", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  EXPECT_THAT(std::string(assets::landmark_report_js), Not(HasSubstr("://")));
}

TEST(LandmarkReport, DrawsPlotsOrSaysWhyThereAreNone) {
  const std::string page = landmark_report(whole());
  const bool plots = page.find("<div id=\"scatter\">") != std::string::npos;
  EXPECT_EQ(plots, has_vega());
  EXPECT_EQ(page.find("Vega was not there") == std::string::npos, has_vega());
  EXPECT_EQ(page.find("Redistribution and use") != std::string::npos, has_vega());
}

TEST(LandmarkReport, VegaCannotEndItsScriptEarly) {
  for (const std::string_view script :
       {assets::vega_js, assets::vega_lite_js, assets::vega_embed_js, assets::landmark_report_js}) {
    EXPECT_EQ(script.find("</script"), std::string_view::npos);
    EXPECT_EQ(script.find("<!--"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace caos::cli
