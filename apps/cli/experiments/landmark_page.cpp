#include "apps/cli/experiments/landmark_page.hpp"

#include <fmt/format.h>

#include <utility>

#include "apps/cli/experiments/landmark_images.hpp"
#include "apps/cli/experiments/landmark_tables.hpp"
#include "apps/cli/reports/assets.hpp"
#include "apps/cli/reports/html.hpp"
#include "apps/cli/reports/html_table.hpp"
#include "apps/cli/reports/json_parts.hpp"
#include "apps/cli/reports/report_page.hpp"

namespace caos::cli {
namespace {

using report_page::about_plots;
using report_page::has_vega;
using report_page::plot;
using report_page::section;

/// Figures that a plot shows too: folded away, unless there are no plots.
std::string folded(const char* summary, const std::string& content) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", has_vega() ? "" : " open",
                     summary, content);
}

std::string setting_text(const Json& results, const char* key) {
  const std::string text = plain_text(member(member(results, "setting"), key));
  return text.empty() ? "?" : escaped(text);
}

/// What errors are over, such as `20 splits`.
std::string error_over(const Json& results) { return setting_text(results, "error_over"); }

std::string first_alpha(const Json& results) {
  const Json& alphas = member(member(results, "setting"), "alphas");
  return alphas.empty() ? "the first alpha" : "alpha = " + escaped(plain_text(alphas[0]));
}

/// How an image is cut, as far as the results say.
std::string patches_text(const Json& results) {
  const Json& setting = member(results, "setting");
  const Json& grid = member(setting, "grid");
  std::string text = plain_text(member(setting, "patches")) + " patches";
  if (text.starts_with(' ')) text = "patches";
  if (grid.is_array() && grid.size() == 2) {
    const auto patches = number(grid[0]).value_or(0) * number(grid[1]).value_or(0);
    text = fmt::format("{} × {} = {} patches", plain_text(grid[0]), plain_text(grid[1]), patches);
  }
  const std::string size = plain_text(member(setting, "patch_size"));
  return escaped(size.empty() ? text : fmt::format("{} of {} pixels", text, size));
}

std::string setting(const Json& results) {
  if (member(results, "setting").empty()) return {};
  const auto value = [&](const char* key) { return setting_text(results, key); };
  const bool one_split = value("splits") == "1";
  return fmt::format(
      "<p class=\"lead\">{} images, {} landmarks each. {} {} of them are labeled and {} are "
      "tested. An image is cut into {}; a prediction set is a set of patches that "
      "should hold the landmark. Each labeled image alone is a predictor, which compares patches "
      "(backbone {}, score {}); CAOS pools the k = {} best of them for each patch.</p>\n",
      value("images"), value("landmarks"),
      one_split
          ? "They are split once:"
          : fmt::format("In each of {} random splits (seed {}),", value("splits"), value("seed")),
      value("labeled"), value("test"), patches_text(results), value("backbone"), value("score"),
      value("k"));
}

/// The entry of a method at the first alpha that the table has.
const Json& first_entry(const Json& entries, const char* method) {
  static const Json null;
  for (const Json& entry : entries) {
    const bool at_first = member(entry, "alpha") == member(entries.front(), "alpha");
    if (at_first && plain_text(member(entry, "method")) == method) return entry;
  }
  return null;
}

/// What came out, in one sentence.
std::string finding(const Json& results) {
  const Json& entries = member(results, "methods");
  const Json& caos = first_entry(entries, "caos");
  const Json& scos = first_entry(entries, "scos");
  const auto coverage = number(member(member(caos, "coverage"), "mean"));
  const auto size = number(member(member(caos, "mean_set_size"), "mean"));
  const auto scos_size = number(member(member(scos, "mean_set_size"), "mean"));
  if (!coverage || !size || !scos_size) return {};
  return fmt::format(
      "<p class=\"finding\">At alpha = {}, the sets of CAOS hold the landmark in {:.1f} % of cases "
      "and have {} patches on average. Those of SCOS, which trusts a single labeled image, have "
      "{}.</p>\n",
      escaped(plain_text(member(caos, "alpha"))), 100 * *coverage, size_text(*size),
      size_text(*scos_size));
}

std::string promise(const Json& results) {
  const std::string assumption = plain_text(member(results, "assumption"));
  const std::string target = plain_text(member(results, "guarantee_is_for"));
  return fmt::format(
      "<p class=\"lead\"><b>What is guaranteed.</b> A method whose guarantee is <i>marginal</i> "
      "holds each landmark with probability at least 1 &minus; alpha{}{}{}{}. The guarantee is an "
      "average over draws of the labeled and the new images: in one split a method can lie below "
      "it. Methods in gray carry no guarantee.</p>\n",
      target.empty() ? "" : ", ", escaped(target), assumption.empty() ? "" : ", if ",
      escaped(assumption));
}

std::string header(const Json& results) {
  return "<h1>One-shot landmarks with a guarantee</h1>\n" + setting(results) + finding(results) +
         promise(results) + about_plots();
}

std::string main_table(const Json& results) {
  return section(
      "Coverage and size of the sets",
      "Mean over landmarks ± its standard error over " + error_over(results) +
          ", which also shows as the line around the dot. Landmarks of one image are dependent, so "
          "that an error over landmarks would be too small. The dashed line is the share "
          "to be covered. A good method lies on it or to its right, with small sets; the "
          "smallest of those with a guarantee is bold. Figures of the paper, where they "
          "stand beside ours, are for <em>other data</em>: DINOv3 on CelebA, 100 labeled "
          "images.",
      landmark_tables::methods(member(results, "methods")));
}

std::string scatter(const Json& results) {
  const Json& landmarks = member(results, "landmarks");
  const std::string lead =
      "The Oracle picks, knowing the truth, the labeled image with the smallest set that holds it: "
      "nobody can use it, but it shows how hard a landmark is. At " +
      first_alpha(results) + ".";
  return section(
      "Landmark by landmark", lead,
      plot("scatter", "Mean set size of each landmark against the Oracle's",
           "One mark per landmark and method. On the diagonal, as small as the Oracle's. "
           "Click in the legend to single out a method.") +
          landmark_tables::landmarks(landmarks));
}

std::string images(const Json& results) {
  const std::string lead =
      "Each dot is a landmark at its true place; its color says how many patches the set has, at " +
      first_alpha(results) + ". Green is good: below ten, as in the paper.";
  return section("On test images", lead, landmark_image_grid(member(results, "images")));
}

std::string k_part(const Json& results, const char* part, std::string (*table)(const Json&),
                   const char* summary) {
  const Json& entries = member(results, part);
  return entries.empty() ? std::string() : folded(summary, table(entries));
}

std::string k_plots(const Json& results) {
  std::string text = "<div class=\"plots\">\n";
  if (!member(results, "k_ablation").empty()) {
    text += plot("k_mean", "Mean over landmarks",
                 "Band: ± one standard error over " + error_over(results) + ".");
  }
  if (!member(results, "landmarks").empty()) {
    text += plot("k_landmarks", "Each landmark", "Thin: one landmark. Bold: their mean.");
  }
  if (!member(results, "k_strata").empty()) {
    text +=
        plot("k_strata", "By difficulty",
             "Thirds of the landmarks by the Oracle's set size. Band: ± one standard error over " +
                 error_over(results) + ".");
  }
  return text + "</div>\n";
}

std::string k_section(const Json& results) {
  return section(
      "How much k matters",
      "CAOS adds the k smallest scores of a patch. A k that was fixed before the data "
      "were seen keeps the guarantee, whatever it is; the best k of this section would "
      "not.",
      k_plots(results) +
          k_part(results, "k_ablation", landmark_tables::k_ablation, "Set size by k and alpha") +
          k_part(results, "k_strata", landmark_tables::k_strata, "Set size by k and difficulty"));
}

std::string data_reuse(const Json& results) {
  return section("What using every image twice is worth",
                 "CAOS lets each labeled image serve as a predictor and for calibration. The "
                 "variants between SCOS and CAOS give up one or both: Split CAOS has one half for "
                 "each; (cal) calibrates with a half and predicts with all; (ref) calibrates with "
                 "all and predicts with a half.",
                 landmark_tables::methods(member(results, "data_reuse")));
}

std::string simultaneous(const Json& results) {
  return section(
      "All landmarks of an image at once",
      "The sets above hold each landmark with probability 1 &minus; alpha, one at a "
      "time. Simultaneous sets hold all landmarks of an image together that often, and "
      "are larger for it. In gray: in how many images all the separate sets hold at "
      "once, which nothing guarantees.",
      landmark_tables::simultaneous(member(results, "simultaneous"), member(results, "methods")));
}

std::string beyond(const Json& results) {
  return section("Beyond the paper: other scores",
                 "The guarantee holds for any score that was fixed before the data were seen; a "
                 "better one gives smaller sets. The paper's is 1 &minus; cosine.",
                 plot("beyond", "Mean set size in units of the cosine's",
                      "Left of the line: smaller sets than the paper's score gives.") +
                     landmark_tables::beyond(member(results, "beyond")));
}

std::string body(const Json& results) {
  struct Part {
    const char* key;
    std::string (*make)(const Json&);
  };
  std::string text = header(results);
  for (const Part& part : {Part{"methods", main_table}, Part{"landmarks", scatter},
                           Part{"images", images}, Part{"k_ablation", k_section},
                           Part{"data_reuse", data_reuse}, Part{"simultaneous", simultaneous},
                           Part{"beyond", beyond}, Part{"notes", report_page::notes}}) {
    if (!member(results, part.key).empty()) text += part.make(results);
  }
  return text + report_page::footer(results);
}

}  // namespace

std::string landmark_report(const Json& results) {
  Json data = results;
  if (data.is_object()) data.erase("images");  // they stand in the page already
  return report_page::text_of({.title = "caos: landmarks",
                               .body = body(results),
                               .results = std::move(data),
                               .script = assets::landmark_report_js});
}

}  // namespace caos::cli
