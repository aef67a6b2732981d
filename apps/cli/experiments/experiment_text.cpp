#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/experiments/experiment_output.hpp"
#include "apps/cli/experiments/paper_landmarks.hpp"
#include "caos/evaluation/table.hpp"

namespace caos::cli {
namespace {

using Lines = std::vector<std::string>;

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

void note_images(const ExperimentOutput& output, Lines& lines) {
  const LandmarkSplit& first = output.splits.front();
  if (!output.images.failed_names.empty()) {
    lines.push_back(fmt::format("{} images could not be used: {}.",
                                output.images.failed_names.size(),
                                names_text(output.images.failed_names)));
  }
  if (output.experiment.by_subject) return;
  lines.push_back(fmt::format(
      "The split methods predict with {} of the labeled images and calibrate with {}; CAOS and "
      "Full CAOS do both with all {}.",
      first.references.size(), first.calibration.size(), first.labeled().size()));
}

void note_subjects(const ExperimentOutput& output, Lines& lines) {
  if (output.images.patches.subjects.empty()) return;
  lines.emplace_back(
      "Subjects have several images. No subject has labeled and test images in one split; "
      "references of the same subject are left out, and all images of labeled subjects calibrate, "
      "with weights.");
  const ImageTarget target = output.options.target;
  lines.push_back(fmt::format("The target is {}; coverage and sizes are averages over test {}.",
                              target_text(target),
                              target == ImageTarget::image ? "images" : "subjects"));
  if (output.random_splits) {
    lines.push_back(fmt::format(
        "Splits are drawn by subject: of each test subject {}, and the numbers of images are those "
        "of the first split.",
        target == ImageTarget::image ? "all images are tested"
                                     : "one image, drawn at random, is tested"));
  }
  if (output.experiment.by_subject) {
    lines.emplace_back(
        "Without the split methods, which need one image of each subject, there are no SCOS, no "
        "data-reuse ablation and no strata.");
  }
}

void note_landmarks(const ExperimentOutput& output, Lines& lines) {
  if (output.landmark_step > 1) {
    lines.push_back(fmt::format("Of {} landmarks one in {} was taken, from the first on.",
                                output.num_landmarks, output.landmark_step));
  }
  std::vector<std::string> left_out;
  for (const std::size_t t : output.experiment.left_out) {
    left_out.push_back(output.images.patches.tasks[t]);
  }
  if (left_out.empty()) return;
  lines.push_back(fmt::format(
      "{} landmarks are left out, as some split has too few images of them for k = {}: {}.",
      left_out.size(), output.options.k, names_text(left_out)));
}

/// Methods that had to give every patch because too few images calibrate.
void note_infeasible(const ExperimentOutput& output, Lines& lines) {
  for (const ExperimentResult& result : output.experiment.methods) {
    const std::size_t fewest = *std::ranges::min_element(result.n);
    if (result.feasible) continue;
    lines.push_back(fmt::format(
        "{} at alpha = {}: some landmark has only {} {} that calibrate; below alpha = {:.3g} its set "
        "is every patch.",
        method_name(result.method), result.alpha.text(), fewest,
        output.images.patches.subjects.empty() ? "images" : "subjects",
        *std::ranges::max_element(result.smallest_feasible_alpha)));
  }
}

/// What to think of an error over few splits.
std::string unsteady_text(const ExperimentOutput& output) {
  const std::size_t splits = output.splits.size();
  if (splits == 1 || splits >= splits_for_a_steady_error) return "";
  return fmt::format(
      " An error over {} splits may itself be several times too small; give --seeds {} or more.",
      splits, splits_for_a_steady_error);
}

void note_splits(const ExperimentOutput& output, Lines& lines) {
  if (output.splits.size() == 1) {
    lines.emplace_back(
        "One split says little about coverage: with tens of images it moves by several points from "
        "split to split, for all landmarks together. Errors are over its test images, with all "
        "landmarks of an image dependent; they leave out what another draw of labeled images "
        "would change. --seeds repeats the experiment.");
  } else {
    lines.push_back(fmt::format(
        "Splits are drawn with seeds {} to {}, from the same images: their standard error says how "
        "far the means may be off for these images, not for others.",
        output.seed, output.seed + output.splits.size() - 1));
    if (const std::string text = unsteady_text(output); !text.empty()) {
      lines.push_back(text.substr(1));
    }
  }
}

void note_meaning(const ExperimentOutput& output, Lines& lines) {
  lines.emplace_back(
      "Guarantees are for each landmark by itself, where it is present, as an average over draws of "
      "labeled and new images; sets for all landmarks of an image at once are a table of their "
      "own.");
  if (!output.experiment.by_subject) {
    lines.emplace_back(
        "SCOS is the mean over its references. SCOS Oracle takes, where no set holds the truth, the "
        "smallest set and a miss. Easy, medium and hard are thirds of the landmarks by the "
        "Oracle's set size.");
  }
  if (output.own_parameter) {
    lines.push_back(fmt::format(
        "The parameter of {} was given and is not the default; the guarantee holds only if it "
        "was chosen before these images were looked at.",
        patch_score_text(output.options.score)));
  }
}

/// The mean and its standard error: over splits if there are several, else over test images.
std::string measured(const SplitFigures& figures, int digits) {
  const auto error = figures.error();
  const std::string mean = fmt::format("{:.{}f}", figures.mean(), digits);
  return error ? fmt::format("{} ± {:.{}f}", mean, *error, digits) : mean;
}

std::string paper_text(const ExperimentResult& result) {
  const auto figure = paper_landmark_figure(method_name(result.method), result.alpha.text());
  return figure ? fmt::format("{:.3f}  {:5.2f}", figure->coverage, figure->mean_set_size) : "-";
}

void add_row(Table& table, const ExperimentResult& result) {
  const bool none = result.guarantee.kind == Guarantee::Kind::none;
  table.add({std::string(method_name(result.method)), result.alpha.text(),
             none ? "none" : result.guarantee.text(), measured(result.coverage, 3),
             measured(result.mean_set_size, 2), paper_text(result)});
}

std::string main_table(const ExperimentOutput& output) {
  Table table({"method", "alpha", "guarantee", "coverage", "mean size", "(the paper's)"});
  for (const Miscoverage& alpha : output.options.alphas) {
    for (const Method method : main_methods) {
      const auto* result = find_result(output.experiment.methods, method, alpha);
      if (result != nullptr) add_row(table, *result);
    }
  }
  return table.text();
}

/// Where subjects matter.
std::string target_line(const ExperimentOutput& output) {
  if (target_of(output) == ImageTarget::any) return "";
  return fmt::format("The target is {}.\n", target_text(target_of(output)));
}

}  // namespace

std::vector<std::string> experiment_notes(const ExperimentOutput& output) {
  Lines lines;
  for (const auto add :
       {note_images, note_subjects, note_landmarks, note_infeasible, note_splits, note_meaning}) {
    add(output, lines);
  }
  return lines;
}

ImageTarget target_of(const ExperimentOutput& output) { return output.experiment.first.target; }

std::string to_text(const ExperimentOutput& output) {
  const LandmarkSplit& first = output.splits.front();
  const std::size_t splits = output.splits.size();
  return fmt::format(
      "{} labeled and {} test images, {} landmarks, {}; backbone {}, k = {}, score {}\n\n{}\n"
      "Means over landmarks{} ± the standard error over {}.{} The paper's figures are for other\n"
      "images and another backbone. Guarantees are averages over draws of labeled and new images;\n"
      "they hold if {}.\n{}\nReport: {}\n",
      first.labeled().size(), first.test.size(), output.experiment.landmarks.size(),
      splits == 1 ? "one split" : fmt::format("{} random splits", splits), output.backbone,
      output.options.k, patch_score_text(output.options.score), main_table(output),
      splits == 1 ? "" : " and splits", output.experiment.error_over(), unsteady_text(output),
      assumption_of(target_of(output)), target_line(output), output.report);
}

}  // namespace caos::cli
