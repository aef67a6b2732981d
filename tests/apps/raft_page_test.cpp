#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/pages/assets.hpp"
#include "tests/apps/page_text.hpp"
#include "tests/apps/raft_example.hpp"

namespace caos::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The page up to its scripts.
std::string visible(const RaftResults& results) { return before_scripts(raft_page(results)); }

TEST(RaftPage, SaysWhatWasRunAndHow) {
  const std::string page = visible(raft_example());
  for (const char* text :
       {"2 tasks. In each of 2 random splits (seeds 3 to 4), 10 texts", "k = 3",
        "builtin, no weights", "<code>builtin-1</code>", "the paper's (hash <code>12ab</code>)",
        "average: negative log-likelihood per token", "caos experiment raft --data raft",
        "if labeled and new examples are exchangeable"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(RaftPage, SaysWhatCameOut) {
  const std::string page = visible(raft_example());
  EXPECT_THAT(page, HasSubstr("contain the label in 92.6 % of cases, 1.3 standard errors above the "
                              "target of 90 %."));
  EXPECT_THAT(page, HasSubstr("smaller on average than those of SCOS in 1 of 2 tasks."));
  RaftResults below = raft_example();
  std::vector<TextExperimentResult>& bank = below.tasks[1].experiment.results;
  bank[0] = text_result(Method::caos, by_seed(0.875, 0.0078125), bank[1].mean_set_size);
  EXPECT_THAT(visible(below), HasSubstr("0.5 standard errors below the target of 90 %."));
  EXPECT_THAT(visible(below), HasSubstr("in 1 of 2 tasks and of the same size in 1."));
}

TEST(RaftPage, HasEveryFigureOfTheTables) {
  const std::string page = visible(raft_example());
  const Interval interval = raft_example().tasks[0].experiment.results[0].coverage_interval();
  const std::string in_brackets =
      fmt::format("0.906<small>{:.2f} to {:.2f}</small>", interval.low, interval.high);
  for (const std::string& text : std::vector<std::string>{
           "0.926<span class=\"sem\"> ± 0.020</span>", "+1.3", "one standard error over 2 splits",
           "22.38<span class=\"sem\"> ± 0.77</span>", in_brackets, "1.25<small>± 0.03</small>",
           ">0.938<small>", "1.75<small>± 0.06</small>", ">0.812<small>",
           "43.50<small>± 1.50</small>", "41.50<small>± 1.75</small>", "321 of 2450", "Title, Body",
           "321 of 4900 prompts did not fit"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
}

TEST(RaftPage, GroupsTasksByWhoReachesTheTarget) {
  const std::string page = visible(raft_example());
  const auto in_table = [&](const std::string& text) { return page.rfind(text + "</th>"); };
  EXPECT_LT(in_table("Both reach the target"), in_table("Only CAOS reaches the target"));
  EXPECT_THAT(page, Not(HasSubstr("Neither reaches the target")));
  EXPECT_EQ(count(page, "class=\"plot\""), has_vega() ? 2U : 0U);
}

TEST(RaftPage, MarksWhatIsBelowTheTargetWhatIsSmallestAndWhatHasNoGuarantee) {
  const std::string page = visible(raft_example());
  EXPECT_THAT(page, HasSubstr("<td class=\"number below\">0.875"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number none below\">0.812"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number best\">1.25"));
  EXPECT_THAT(page, HasSubstr("<td class=\"number best\">41.50"));
  EXPECT_THAT(page, HasSubstr("† SCOS Best: it chose late"));
}

TEST(RaftPage, ShowsADashWhereOneSplitHasNoStandardError) {
  const std::string page = visible(raft_example_of_one_split());
  EXPECT_EQ(count(page, "<td class=\"number\">&ndash;</td>"), 3U);
  EXPECT_THAT(page, HasSubstr("In one random split (seed 3), 10 texts"));
  EXPECT_THAT(page, HasSubstr("of cases, against the target of 90 %."));
}

TEST(RaftPage, ComparesNothingWithoutScos) {
  EXPECT_EQ(count(visible(raft_example()), "<section>"), 4U);
  RaftResults results = raft_example();
  results.options.methods = {Method::caos};
  EXPECT_EQ(count(visible(results), "<section>"), 3U);
  EXPECT_THAT(visible(results), Not(HasSubstr("than those of SCOS")));
  EXPECT_THAT(visible(results), HasSubstr("</footer>"));
}

TEST(RaftPage, LetsNoTextOfTheResultsBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--\"";
  RaftResults results = raft_example();
  results.command = evil;
  results.template_hash = evil;
  RaftTask& task = results.tasks[0];
  task.scoring.description = task.scoring.identity = task.scoring.prompt = evil;
  task.scoring.model = evil;
  task.experiment.task = evil;
  task.text_columns[0] = evil;
  task.experiment.results[2].guarantee.why_none = evil;
  const std::string page = raft_page(results);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  const std::string plain = raft_page(raft_example());
  EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
}

TEST(RaftPage, CopesWithTextThatIsNotUtf8) {
  RaftResults results = raft_example();
  results.tasks[0].experiment.task = "\xff";
  EXPECT_NO_THROW((void)raft_page(results));
}

TEST(RaftPage, AsksForNothingFromElsewhere) {
  const std::string page = visible(raft_example());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* part : {"http://", "https://", "src=\"", "url(", "@import", "<link"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  EXPECT_THAT(std::string(assets::raft_page_js), Not(HasSubstr("://")));
}

TEST(RaftPage, DrawsFiguresOrSaysWhyThereAreNone) {
  const std::string page = raft_page(raft_example());
  const bool figure = page.find("<div id=\"figure-0.1-both\">") != std::string::npos;
  EXPECT_EQ(figure, has_vega());
  EXPECT_EQ(page.find("built without Vega") == std::string::npos, has_vega());
}

}  // namespace
}  // namespace caos::cli
