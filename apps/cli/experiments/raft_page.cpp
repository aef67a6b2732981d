#include "apps/cli/experiments/raft_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/experiments/raft_tables.hpp"
#include "apps/cli/reports/assets.hpp"
#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/html_table.hpp"
#include "apps/cli/reports/json_parts.hpp"
#include "apps/cli/reports/report_page.hpp"

namespace caos::cli {
namespace {

using report_page::plot;
using report_page::section;

std::string setting_text(const Json& results, const char* key) {
  const std::string text = plain_text(member(member(results, "setting"), key));
  return text.empty() ? "?" : escaped(text);
}

/// "each of 5 random splits (seeds 0 to 4)", or "one random split (seed 0)".
std::string splits_text(const Json& results) {
  const Json& setting = member(results, "setting");
  const double seeds = number(member(setting, "seeds")).value_or(0);
  const double seed = number(member(setting, "seed")).value_or(0);
  if (seeds == 1) return fmt::format("one random split (seed {})", seed);
  return fmt::format("each of {} random splits (seeds {} to {})", seeds, seed, seed + seeds - 1);
}

std::string tasks_text(const Json& results) {
  const std::size_t count = member(results, "tasks").size();
  return count == 1 ? "one task" : fmt::format("{} tasks", count);
}

std::string setting(const Json& results) {
  if (member(results, "setting").empty()) return {};
  return fmt::format(
      "<p class=\"lead\">{}. In {}, {} texts of a task are tested and the others are labeled. Each "
      "labeled text alone is a predictor: a language model is shown it with its label, then the "
      "text in question, and each label scores as badly as it is unlikely to come next. CAOS pools "
      "the k = {} best of these predictors for each label and calibrates with all labeled texts; "
      "SCOS trusts one predictor from one half of them and calibrates with the other half.</p>\n",
      tasks_text(results), splits_text(results), setting_text(results, "test"),
      setting_text(results, "k"));
}

std::string fact(const char* name, const std::string& html) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td></tr>\n", name, html);
}

std::string prompt_text(const Json& results) {
  const std::string name = setting_text(results, "template");
  return fmt::format("{} (hash <code>{}</code>)", name == "paper" ? "the paper's" : name,
                     setting_text(results, "template_hash"));
}

/// How the scores were made.
std::string facts(const Json& results) {
  if (member(results, "setting").empty()) return {};
  return "<table class=\"facts\"><tbody>\n" + fact("model", setting_text(results, "description")) +
         fact("identity", "<code>" + setting_text(results, "identity") + "</code>") +
         fact("prompt", prompt_text(results)) +
         fact("score of a label", setting_text(results, "normalization_meaning")) +
         "</tbody></table>\n";
}

/// The entry of a method over all tasks at the first alpha.
const Json& first_overall(const Json& results, const char* method) {
  static const Json null;
  const Json& rows = member(results, "overall");
  for (const Json& row : rows) {
    const bool at_first = member(row, "alpha") == member(rows.front(), "alpha");
    if (at_first && plain_text(member(row, "method")) == method) return row;
  }
  return null;
}

std::string distance_text(const Json& row) {
  const auto errors = number(member(row, "errors_from_target"));
  if (!errors) return "against";
  return fmt::format("{:.1f} standard errors {}", std::abs(*errors),
                     *errors < 0 ? "below" : "above");
}

std::string smaller_text(const Json& results) {
  const Json& groups = member(results, "groups");
  if (groups.empty()) return {};
  const auto smaller = number(member(groups.front(), "caos_smaller"));
  const auto equal = number(member(groups.front(), "caos_equal"));
  if (!smaller || !equal) return {};
  return fmt::format(" Its sets are smaller on average than those of SCOS in {} of {}{}.", *smaller,
                     tasks_text(results),
                     *equal > 0 ? fmt::format(" and of the same size in {}", *equal) : "");
}

/// What came out, in two sentences.
std::string finding(const Json& results) {
  const Json& caos = first_overall(results, "caos");
  const auto coverage = number(member(member(caos, "coverage"), "mean"));
  if (!coverage) return {};
  return fmt::format(
      "<p class=\"finding\">At alpha = {}, over all tasks and splits, the sets of CAOS hold the "
      "label in {:.1f} % of cases, {} the target of {:.4g} %.{}</p>\n",
      escaped(plain_text(member(caos, "alpha"))), 100 * *coverage, distance_text(caos),
      100 * target_of(caos), smaller_text(results));
}

std::string promise(const Json& results) {
  const std::string assumption = plain_text(member(results, "assumption"));
  return fmt::format(
      "<p class=\"lead\"><b>What is guaranteed.</b> A method whose guarantee is <i>marginal</i> "
      "holds the label of a new text with probability at least 1 &minus; alpha{}{}. The guarantee "
      "is an average over draws of labeled and new texts: in one split, and with few test texts, a "
      "method can lie below it. Methods in gray carry no guarantee.</p>\n"
      "<p class=\"lead\"><b>How sure the figures are.</b> ± is one standard error over {}. A "
      "split is a fresh random draw from the same table, and the guarantee holds for such draws "
      "from any table, so a mean below the target by more than about three of them would mean that "
      "something is wrong. About other texts of the same kind they say too little, as all splits share "
      "one table of a few dozen; for that there is the 95 % interval below each coverage, which "
      "counts a text that is tested in many splits once.</p>\n",
      assumption.empty() ? "" : ", if ", escaped(assumption), setting_text(results, "error_over"));
}

std::string header(const Json& results) {
  return "<h1>One-shot text classification with a guarantee</h1>\n" + setting(results) +
         finding(results) + facts(results) + promise(results) + report_page::about_plots();
}

std::string overall(const Json& results) {
  return section(
      "Over all tasks and splits",
      "Mean over tasks, each counting alike, and splits. The dashed line is the share to be covered; "
      "a guarantee allows any distance to its right, and to its left no more than chance explains.",
      raft_tables::overall(results));
}

/// The paper's figure at one alpha: a plot for each group of tasks.
std::string figure(const Json& group) {
  std::string text;
  for (const Json& part : member(group, "parts")) {
    const std::string reaches = plain_text(member(part, "reaches"));
    const std::string id =
        escaped(fmt::format("figure-{}-{}", plain_text(member(group, "alpha")), reaches));
    text +=
        plot(id,
             fmt::format("{} ({} of {})", escaped(raft_tables::group_label(reaches)),
                         member(part, "tasks").size(), escaped(plain_text(member(group, "tasks")))),
             "");
  }
  return text;
}

std::string tasks_at(const Json& results, const Json& group) {
  const std::string alpha = plain_text(member(group, "alpha"));
  return section(
      fmt::format("Task by task at alpha = {}", escaped(alpha)),
      fmt::format(
          "{}In the table, coverages below the target are orange, and the smallest mean set size "
          "with a guarantee is bold. SCOS is the average over its references: what a reference that "
          "is picked blindly does. SCOS Best picks the one with the smallest sets for the "
          "calibration texts, SCOS Oracle the smallest set that holds the truth, in hindsight.",
          report_page::has_vega()
              ? "The paper's figure: CAOS (diamond) above SCOS (circle), mean set size to the right "
                "(smaller is better), coverage as color. "
              : ""),
      figure(group) + raft_tables::tasks_at(results, alpha));
}

std::string by_task(const Json& results) {
  std::string text;
  for (const Json& group : member(results, "groups")) text += tasks_at(results, group);
  return text;
}

std::string texts(const Json& results) {
  return section("The tasks",
                 "Several text columns are joined in this order. A prompt that does not fit the "
                 "model's context is shortened in its texts, never in its instruction or labels; a "
                 "prompt is one labeled text with one text in question.",
                 raft_tables::texts(results));
}

std::string body(const Json& results) {
  struct Part {
    const char* key;
    std::string (*make)(const Json&);
  };
  std::string text = header(results);
  for (const Part& part : {Part{"overall", overall}, Part{"groups", by_task}, Part{"tasks", texts},
                           Part{"notes", report_page::notes}}) {
    if (!member(results, part.key).empty()) text += part.make(results);
  }
  return text + report_page::footer(results);
}

}  // namespace

std::string raft_report(const Json& results) {
  return report_page::text_of({.title = "caos: text tasks",
                               .body = body(results),
                               .results = results,
                               .script = assets::raft_report_js});
}

}  // namespace caos::cli
