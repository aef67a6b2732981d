#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/experiments/raft_results.hpp"
#include "apps/cli/experiments/raft_tables.hpp"
#include "apps/cli/pages/assets.hpp"
#include "apps/cli/pages/experiment_page.hpp"
#include "apps/cli/pages/html.hpp"

namespace caos::cli {
namespace {

using experiment_page::plot;
using experiment_page::section;

/// "each of 5 random splits (seeds 0 to 4)", or "one random split (seed 0)".
std::string splits_text(const std::vector<std::uint64_t>& seeds) {
  if (seeds.size() == 1) return fmt::format("one random split (seed {})", seeds[0]);
  return fmt::format("each of {} random splits (seeds {} to {})", seeds.size(), seeds.front(),
                     seeds.back());
}

bool has_encoder(const RaftResults& results) {
  return results.tasks.at(0).scoring.embeddings.has_value();
}

std::string tasks_text(const RaftResults& results) {
  const std::size_t count = results.tasks.size();
  return count == 1 ? "one task" : fmt::format("{} tasks", count);
}

/// What makes a labeled text a predictor.
const char* predictor_text(const RaftResults& results) {
  return has_encoder(results)
             ? "an encoder gives texts and the names of labels vectors, and the labeled text votes "
               "for its label, with a weight that grows with its similarity to the text in "
               "question. full-kernel lets all labeled texts vote together, and calibrates with the "
               "same texts. CAOS"
             : "a language model is shown it with its label, then the text in question, and each "
               "label scores as badly as it is unlikely to come next. CAOS";
}

std::string setting_text(const RaftResults& results) {
  return fmt::format(
      "<p class=\"lead\">{}. In {}, {} texts of a task are tested and the others are labeled. Each "
      "labeled text alone is a predictor: {} pools "
      "the k = {} best of these predictors for each label and calibrates with all labeled texts; "
      "SCOS trusts one predictor from one half of them and calibrates with the other half.</p>\n",
      tasks_text(results), splits_text(results.options.seeds), results.options.test_size,
      predictor_text(results), results.options.k);
}

/// A text of the setting, as HTML.
std::string known(const std::string& text) { return text.empty() ? "?" : escaped(text); }

std::string fact(const char* name, const std::string& html) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td></tr>\n", name, html);
}

/// How the scores were made.
std::string facts(const RaftResults& results) {
  const ScoringReport& scoring = results.tasks.at(0).scoring;
  const std::string prompt = scoring.prompt == "paper" ? "the paper's" : known(scoring.prompt);
  const std::string asked = has_encoder(results)
                                ? ""
                                : fact("prompt", fmt::format("{} (hash <code>{}</code>)", prompt,
                                                             known(results.template_hash)));
  return "<table class=\"facts\"><tbody>\n" + fact("model", known(scoring.description)) +
         fact("identity", fmt::format("<code>{}</code>", known(scoring.identity))) + asked +
         fact("score of a label", normalization_meaning(scoring)) + "</tbody></table>\n";
}

std::string distance_text(const std::optional<double>& errors) {
  if (!errors) return "against";
  return fmt::format("{:.1f} standard errors {}", std::abs(*errors),
                     *errors < 0 ? "below" : "above");
}

std::string smaller_text(const RaftResults& results) {
  const std::vector<RaftGroup> groups = groups_of(results);
  if (groups.empty()) return {};
  const std::size_t equal = groups[0].caos_equal;
  return fmt::format(" Its sets are smaller on average than those of SCOS in {} of {}{}.",
                     groups[0].caos_smaller, tasks_text(results),
                     equal > 0 ? fmt::format(" and of the same size in {}", equal) : "");
}

/// The same with full-kernel.
std::string finding_of_votes(const RaftResults& results) {
  const RaftOverall votes = overall_of(results).at(0);
  return fmt::format(
      "<p class=\"finding\">At alpha = {}, over all tasks and splits, the sets of full-kernel "
      "contain the label in {:.1f} % of cases, {} the target of {:.4g} %, and have {:.2f} labels on "
      "average.</p>\n",
      votes.alpha.text(), 100 * votes.coverage.mean, distance_text(votes.errors_from_target),
      100 * (1 - votes.alpha.value()), votes.mean_set_size.mean);
}

/// What came out at the first alpha, in two sentences.
std::string finding(const RaftResults& results) {
  if (results.options.methods.at(0) == Method::full_kernel) return finding_of_votes(results);
  const std::vector<RaftOverall> overall = overall_of(results);
  const auto caos = std::ranges::find(overall, Method::caos, &RaftOverall::method);
  if (caos == overall.end()) return {};
  return fmt::format(
      "<p class=\"finding\">At alpha = {}, over all tasks and splits, the sets of CAOS contain the "
      "label in {:.1f} % of cases, {} the target of {:.4g} %.{}</p>\n",
      caos->alpha.text(), 100 * caos->coverage.mean, distance_text(caos->errors_from_target),
      100 * (1 - caos->alpha.value()), smaller_text(results));
}

std::string what_is_guaranteed(const RaftResults& results) {
  return fmt::format(
      "<p class=\"lead\"><b>What is guaranteed.</b> A method whose guarantee is <i>marginal</i> "
      "contains the label of a new text with probability at least 1 &minus; alpha, if {}. The "
      "guarantee is an average over draws of labeled and new texts: in one split, and with few test "
      "texts, a method can lie below it. Methods in gray carry no guarantee.</p>\n"
      "<p class=\"lead\"><b>Uncertainty.</b> ± is one standard error over {}. A split is a fresh "
      "random draw from the same table, and the guarantee holds for such draws from any table, so a "
      "mean below the target by more than about three of them would mean that something is wrong. "
      "They understate the uncertainty about other texts of the same kind, as all splits share one "
      "table of a few dozen; the 95 % interval below each coverage accounts for that by counting a "
      "text that is tested in many splits once.</p>\n",
      escaped(assumption), error_over(results));
}

std::string header(const RaftResults& results) {
  return "<h1>One-shot text classification with a guarantee</h1>\n" + setting_text(results) +
         finding(results) + facts(results) + what_is_guaranteed(results) +
         experiment_page::about_plots();
}

std::string overall(const RaftResults& results) {
  return section(
      "Over all tasks and splits",
      "Mean over tasks, each counting alike, and splits. The dashed line is the share to be covered; "
      "a guarantee allows any distance to its right, and to its left no more than chance explains.",
      raft_tables::overall(overall_of(results)));
}

/// The paper's figure at one alpha: a plot for each group of tasks.
std::string figure(const RaftGroup& group, std::size_t num_tasks) {
  std::string text;
  for (const RaftPart& part : group.parts) {
    text +=
        plot(fmt::format("figure-{}-{}", group.alpha.text(), raft_tables::group_name(part.reaches)),
             fmt::format("{} ({} of {})", raft_tables::group_label(part.reaches), part.tasks.size(),
                         num_tasks),
             "");
  }
  return text;
}

std::string tasks_at(const RaftResults& results, const RaftGroup& group) {
  return section(
      fmt::format("Task by task at alpha = {}", group.alpha.text()),
      fmt::format(
          "{}In the table, coverages below the target are orange, and the smallest mean set size "
          "with a guarantee is bold. SCOS is the average over its references: what to expect of a "
          "reference picked at random. SCOS Best picks the one with the smallest sets for the "
          "calibration texts, SCOS Oracle the smallest set that contains the truth, in hindsight.",
          experiment_page::has_vega()
              ? "The paper's figure: CAOS (diamond) above SCOS (circle), mean set size to the right "
                "(smaller is better), coverage as color. "
              : ""),
      figure(group, results.tasks.size()) + raft_tables::tasks_at(group, results.options.methods));
}

std::string by_task(const RaftResults& results) {
  std::string text;
  for (const RaftGroup& group : groups_of(results)) text += tasks_at(results, group);
  return text;
}

std::string texts(const RaftResults& results) {
  return section("The tasks",
                 has_encoder(results)
                     ? "Several text columns are joined in this order. Of a text that is too long "
                       "for the encoder the end is left out."
                     : "Several text columns are joined in this order. A prompt that does not fit "
                       "the model's context is shortened in its texts, never in its instruction or "
                       "labels; a prompt is one labeled text with one text in question.",
                 raft_tables::texts(results.tasks));
}

std::string body(const RaftResults& results) {
  return header(results) + overall(results) + by_task(results) + texts(results) +
         experiment_page::notes(raft_notes(results)) + experiment_page::footer(results.command);
}

}  // namespace

std::string raft_page(const RaftResults& results) {
  return experiment_page::text_of({.title = "caos: text tasks",
                                   .body = body(results),
                                   .results = to_json(results),
                                   .script = assets::raft_page_js});
}

}  // namespace caos::cli
