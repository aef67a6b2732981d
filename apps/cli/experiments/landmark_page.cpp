#include <fmt/format.h>

#include "apps/cli/experiments/landmark_images.hpp"
#include "apps/cli/experiments/landmark_results.hpp"
#include "apps/cli/experiments/landmark_tables.hpp"
#include "apps/cli/pages/assets.hpp"
#include "apps/cli/pages/experiment_page.hpp"
#include "apps/cli/pages/html.hpp"
#include "apps/cli/pages/html_table.hpp"
#include "apps/cli/points/point_error_html.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/points/point_error_text.hpp"

namespace caos::cli {
namespace {

using experiment_page::about_plots;
using experiment_page::has_vega;
using experiment_page::plot;
using experiment_page::section;

/// Figures that a plot shows too: folded away, unless there are no plots.
std::string folded(const char* summary, const std::string& content) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", has_vega() ? "" : " open",
                     summary, content);
}

std::string first_alpha(const LandmarkResults& results) {
  return "alpha = " + results.options.alphas.at(0).text();
}

/// How an image is cut.
std::string patches_text(const AnnotatedImages& images) {
  if (images.frames.empty()) return fmt::format("{} patches", images.patches.images.at(0).rows());
  const auto grid = grid_of(images);
  return fmt::format(
      "{}patches of {} pixels",
      grid ? fmt::format("{} × {} = {} ", grid->columns, grid->rows, grid->size()) : "",
      images.frames.front().grid.patch_size);
}

std::string splits_text(const LandmarkResults& results) {
  if (results.splits.size() == 1) return "They are split once:";
  return fmt::format("In each of {} random splits (seed {}),", results.splits.size(), results.seed);
}

std::string setting_text(const LandmarkResults& results) {
  const LandmarkSplit& first = results.splits.front();
  return fmt::format(
      "<p class=\"lead\">{} images, {} landmarks each. {} {} of them are labeled and {} are tested. "
      "An image is cut into {}; a prediction set is a set of patches that should contain the "
      "landmark. Each labeled image alone is a predictor, which compares patches (backbone {}, "
      "score {}); CAOS pools the k = {} best of them for each patch.</p>\n",
      num_images(results), results.experiment.landmarks.size(), splits_text(results),
      first.labeled().size(), first.test.size(), patches_text(results.images),
      escaped(results.backbone), escaped(patch_score_text(results.options.score)),
      results.options.k);
}

/// What came out, in one sentence.
std::string finding(const LandmarkResults& results) {
  const Miscoverage& alpha = results.options.alphas.at(0);
  const auto* caos = find_result(results.experiment.methods, Method::caos, alpha);
  const auto* scos = find_result(results.experiment.methods, Method::scos, alpha);
  if (caos == nullptr || scos == nullptr) return {};
  return fmt::format(
      "<p class=\"finding\">At alpha = {}, the sets of CAOS contain the landmark in {:.1f} % of "
      "cases and have {} patches on average. Those of SCOS, which trusts a single labeled image, "
      "have {}.</p>\n",
      alpha.text(), 100 * caos->coverage.mean(), size_text(caos->mean_set_size.mean()),
      size_text(scos->mean_set_size.mean()));
}

std::string what_is_guaranteed(ImageTarget target) {
  return fmt::format(
      "<p class=\"lead\"><b>What is guaranteed.</b> A method whose guarantee is <i>marginal</i> "
      "contains each landmark with probability at least 1 &minus; alpha, {}, if {}. The guarantee "
      "is an average over draws of the labeled and the new images: in one split a method can lie "
      "below it. Methods in gray carry no guarantee.</p>\n",
      escaped(guarantee_is_for(target)), escaped(assumption_of(target)));
}

std::string header(const LandmarkResults& results) {
  return "<h1>One-shot landmarks with a guarantee</h1>\n" + setting_text(results) +
         finding(results) + what_is_guaranteed(results.target()) + about_plots();
}

std::string main_table_html(const LandmarkResults& results) {
  return section(
      "Coverage and size of the sets",
      "Mean over landmarks ± its standard error over " + results.experiment.error_over() +
          ", which also shows as the line around the dot. Landmarks of one image are dependent, so "
          "that an error over landmarks would be too small. The dashed line is the share "
          "to be covered. A good method lies on it or to its right, with small sets; the "
          "smallest of those with a guarantee is bold. Figures of the paper, where they "
          "stand beside ours, are for <em>other data</em>: DINOv3 on CelebA, 100 labeled "
          "images.",
      landmark_tables::methods(main_results(results)));
}

std::string scatter(const LandmarkResults& results) {
  const std::string lead =
      "The Oracle picks, knowing the truth, the labeled image with the smallest set that holds it: "
      "it cannot be used in practice, but shows how hard a landmark is. At " +
      first_alpha(results) + ".";
  return section(
      "Landmark by landmark", lead,
      plot("scatter", "Mean set size of each landmark against the Oracle's",
           "One mark per landmark and method. On the diagonal, as small as the Oracle's. "
           "Click in the legend to single out a method.") +
          landmark_tables::landmarks(results));
}

std::string images(const LandmarkResults& results) {
  const std::string lead =
      "Each dot is a landmark at its true place; its color says how many patches the set has, at " +
      first_alpha(results) + ". Green is good: below ten, as in the paper.";
  return section("On test images", lead, landmark_image_grid(results.examples));
}

std::string points(const PointSummary& summary) {
  std::string lead =
      "How far the proposed point is from the true one, beside points that need no matching.";
  for (const std::string& note : point_notes(summary)) lead += " " + escaped(note);
  return section("Error of the proposed point", lead,
                 point_error_table(summary) +
                     plot("point_errors", "Share of points within a distance",
                          "Higher is better. All landmarks and test images together; the "
                          "horizontal axis is logarithmic beyond 1 px.") +
                     point_landmark_table(summary));
}

std::string k_section(const LandmarkResults& results) {
  const std::vector<StratumResult> strata = stratum_results(results);
  const std::string band =
      fmt::format("Band: ± one standard error over {}.", results.experiment.error_over());
  const std::string plots =
      plot("k_mean", "Mean over landmarks", band) +
      plot("k_landmarks", "Each landmark", "Thin: one landmark. Bold: their mean.") +
      (strata.empty() ? ""
                      : plot("k_strata", "By difficulty",
                             "Thirds of the landmarks by the Oracle's set size. " + band));
  return section("How much k matters",
                 "CAOS adds the k smallest scores of a patch. A k that was fixed before the data "
                 "were seen keeps the guarantee, whatever it is; the best k of this section would "
                 "not.",
                 fmt::format("<div class=\"plots\">\n{}</div>\n", plots) +
                     folded("Set size by k and alpha",
                            landmark_tables::k_ablation(results.experiment.ablation)) +
                     (strata.empty() ? ""
                                     : folded("Set size by k and difficulty",
                                              landmark_tables::k_strata(strata))));
}

std::string data_reuse(const LandmarkResults& results) {
  return section("What using every image twice is worth",
                 "CAOS lets each labeled image serve as a predictor and for calibration. The "
                 "variants between SCOS and CAOS give up one or both: Split CAOS has one half for "
                 "each; (cal) calibrates with a half and predicts with all; (ref) calibrates with "
                 "all and predicts with a half.",
                 landmark_tables::methods(reuse_results(results)));
}

std::string simultaneous(const LandmarkResults& results) {
  return section("All landmarks of an image at once",
                 "The sets above hold each landmark with probability 1 &minus; alpha, one at a "
                 "time. Simultaneous sets hold all landmarks of an image together that often, and "
                 "are larger for it. In gray: in how many images all the separate sets hold at "
                 "once, which nothing guarantees.",
                 landmark_tables::simultaneous(results.experiment));
}

std::string beyond(const LandmarkResults& results) {
  return section("Beyond the paper: other scores",
                 "The guarantee holds for any score that was fixed before the data were seen; a "
                 "better one gives smaller sets. The paper's is 1 &minus; cosine. Sizes are in "
                 "patches, also where regions are made of smaller cells.",
                 plot("beyond", "Mean set size in units of the cosine's",
                      "Left of the line: smaller sets than the paper's score gives.") +
                     landmark_tables::beyond(results));
}

std::string body(const LandmarkResults& results) {
  const LandmarkExperiment& experiment = results.experiment;
  std::string text = header(results) + main_table_html(results) + scatter(results);
  if (results.points && !results.points->sources.empty()) text += points(*results.points);
  if (!results.examples.empty()) text += images(results);
  if (!experiment.ablation.empty()) text += k_section(results);
  if (!experiment.by_subject) text += data_reuse(results);
  if (!experiment.simultaneous.empty()) text += simultaneous(results);
  return text + beyond(results) + experiment_page::notes(landmark_notes(results)) +
         experiment_page::footer(results.command);
}

}  // namespace

std::string landmark_page(const LandmarkResults& results) {
  return experiment_page::text_of({.title = "caos: landmarks",
                                   .body = body(results),
                                   .results = to_json(results),
                                   .script = assets::landmark_page_js});
}

}  // namespace caos::cli
