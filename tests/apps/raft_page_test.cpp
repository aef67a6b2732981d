#include "apps/cli/experiments/raft_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/reports/assets.hpp"
#include "tests/apps/page_text.hpp"
#include "tests/apps/raft_results.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The page up to its scripts.
std::string visible(const Json& results) { return before_scripts(raft_report(results)); }

TEST(RaftReport, SaysWhatWasRunAndHow) {
  const std::string page = visible(raft_results());
  for (const char* text :
       {"2 tasks. In each of 5 random splits (seeds 3 to 7), 10 texts", "k = 3",
        "builtin, no weights", "<code>builtin-1</code>", "the paper's (hash <code>12ab</code>)",
        "average: log-likelihood per token", "caos experiment raft --data raft",
        "if examples are exchangeable"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(RaftReport, SaysWhatCameOut) {
  const std::string page = visible(raft_results());
  EXPECT_THAT(page, HasSubstr("hold the label in 91.2 % of cases, 1.2 standard errors above the "
                              "target of 90 %."));
  EXPECT_THAT(page, HasSubstr("smaller on average than those of SCOS in 1 of 2 tasks."));
  Json below = raft_results();
  below["overall"][0]["errors_from_target"] = -0.4;
  below["groups"][0]["caos_equal"] = 1;
  EXPECT_THAT(visible(below), HasSubstr("0.4 standard errors below the target of 90 %."));
  EXPECT_THAT(visible(below), HasSubstr("in 1 of 2 tasks and of the same size in 1."));
}

TEST(RaftReport, HasEveryFigureOfTheTables) {
  const std::string page = visible(raft_results());
  for (const char* text :
       {"0.912<span class=\"sem\"> ± 0.010</span>", "+1.2", "one standard error over 5 splits",
        "8.88<span class=\"sem\"> ± 0.25</span>", "0.905<small>0.81 to 0.97</small>",
        "1.25<small>± 0.03</small>", ">0.931</td>", "1.75<small>± 0.04</small>", ">0.823</td>",
        "43.50<small>± 1.50</small>", "41.50<small>± 1.75</small>", "321 of 2450", "Title, Body",
        "as it is"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(RaftReport, GroupsTasksByWhoReachesTheTarget) {
  const std::string page = visible(raft_results());
  const auto in_table = [&](const std::string& text) { return page.rfind(text + "</th>"); };
  EXPECT_LT(in_table("Both reach the target"), in_table("Only CAOS reaches the target"));
  EXPECT_THAT(page, Not(HasSubstr("Neither reaches the target")));
  EXPECT_EQ(count(page, "class=\"plot\""), has_vega() ? 2U : 0U);
}

TEST(RaftReport, MarksWhatIsBelowTheTargetWhatIsSmallestAndWhatPromisesNothing) {
  const std::string page = visible(raft_results());
  EXPECT_THAT(page, HasSubstr("<td class=\"number below\">0.881"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number none below\">0.823"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number best\">1.25"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number best\">41.50"));
  EXPECT_THAT(page, HasSubstr("† SCOS Best: it chose late"));
}

TEST(RaftReport, ShowsADashWhereATaskLacksAMethod) {
  EXPECT_EQ(count(visible(raft_results()), "<td class=\"number\">&ndash;</td>"), 3U);
}

TEST(RaftReport, LeavesOutPartsThatAreAbsent) {
  EXPECT_EQ(count(visible(raft_results()), "<section>"), 4U);
  EXPECT_THAT(visible(Json::object()), HasSubstr("</footer>"));
}

TEST(RaftReport, LetsNoTextOfTheResultsBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--\"";
  Json results = raft_results();
  results["command"] = evil;
  for (const char* key :
       {"description", "identity", "template", "template_hash", "normalization_meaning", "test"}) {
    results["setting"][key] = evil;
  }
  results["tasks"][0]["task"] = evil;
  results["tasks"][0]["text_columns"][0] = evil;
  results["groups"][0]["parts"][0]["tasks"][0] = evil;
  results["groups"][0]["parts"][0]["reaches"] = evil;
  results["groups"][0]["alpha"] = evil;
  results["results"][0]["task"] = evil;
  results["results"][0]["method"] = evil;
  results["overall"][0]["method"] = evil;
  results["overall"][1]["why_none"] = evil;
  results["notes"][0] = evil;
  const std::string page = raft_report(results);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string plain = raft_report(raft_results());
  EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
}

TEST(RaftReport, CopesWithTextThatIsNotUtf8) {
  Json results = raft_results();
  results["tasks"][0]["task"] = "\xff";
  EXPECT_NO_THROW((void)raft_report(results));
}

TEST(RaftReport, AsksForNothingFromElsewhere) {
  const std::string page = visible(raft_results());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* part : {"http://", "https://", "src=\"", "url(", "@import", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  EXPECT_THAT(std::string(assets::raft_report_js), Not(HasSubstr("://")));
}

TEST(RaftReport, DrawsFiguresOrSaysWhyThereAreNone) {
  const std::string page = raft_report(raft_results());
  const bool figure = page.find("<div id=\"figure-0.1-both\">") != std::string::npos;
  EXPECT_EQ(figure, has_vega());
  EXPECT_EQ(page.find("Vega was not there") == std::string::npos, has_vega());
}

}  // namespace
}  // namespace caos::cli
