#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/experiments/landmark_results.hpp"

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

void note_images(const LandmarkResults& results, Lines& lines) {
  const LandmarkSplit& first = results.splits.front();
  if (!results.images.failed_names.empty()) {
    lines.push_back(fmt::format("{} images could not be used: {}.",
                                results.images.failed_names.size(),
                                names_text(results.images.failed_names)));
  }
  for (const DuplicateImage& image : results.images.duplicates) {
    lines.push_back(
        fmt::format("{} is left out, as {} is the same image.", image.left_out, image.kept));
  }
  if (results.experiment.by_subject) return;
  lines.push_back(fmt::format(
      "The split methods predict with {} of the labeled images and calibrate with {}; CAOS and "
      "Full CAOS do both with all {}.",
      first.references.size(), first.calibration.size(), first.labeled().size()));
}

void note_subjects(const LandmarkResults& results, Lines& lines) {
  if (results.images.patches.subjects.empty()) return;
  lines.emplace_back(
      "Subjects have several images. No subject has labeled and test images in one split; "
      "references of the same subject are left out, and all images of labeled subjects calibrate, "
      "with weights.");
  const ImageTarget target = results.options.target;
  lines.push_back(fmt::format("The target is {}; coverage and sizes are averages over test {}.",
                              target_text(target),
                              target == ImageTarget::image ? "images" : "subjects"));
  if (results.random_splits) {
    lines.push_back(fmt::format(
        "Splits are drawn by subject: of each test subject {}, and the numbers of images are those "
        "of the first split.",
        target == ImageTarget::image ? "all images are tested"
                                     : "one image, drawn at random, is tested"));
  }
  if (results.experiment.by_subject) {
    lines.emplace_back(
        "Without the split methods, which need one image of each subject, there are no SCOS, no "
        "data-reuse ablation and no strata.");
  }
}

void note_landmarks(const LandmarkResults& results, Lines& lines) {
  if (results.landmark_step > 1) {
    lines.push_back(fmt::format("Of {} landmarks, one in {} was used, starting with the first.",
                                results.num_landmarks, results.landmark_step));
  }
  std::vector<std::string> left_out;
  for (const std::size_t t : results.experiment.left_out) {
    left_out.push_back(results.images.patches.tasks[t]);
  }
  if (left_out.empty()) return;
  lines.push_back(fmt::format(
      "{} landmarks are left out, as some split has too few images of them for k = {}: {}.",
      left_out.size(), results.options.k, names_text(left_out)));
}

/// Methods that had to give every patch because too few images calibrate.
void note_infeasible(const LandmarkResults& results, Lines& lines) {
  for (const ExperimentResult& result : results.experiment.methods) {
    const std::size_t fewest = *std::ranges::min_element(result.n);
    if (result.feasible) continue;
    lines.push_back(fmt::format(
        "{} at alpha = {}: some landmark has only {} {} that calibrate; below alpha = {:.3g} its set "
        "is every patch.",
        method_name(result.method), result.alpha.text(), fewest,
        results.images.patches.subjects.empty() ? "images" : "subjects",
        *std::ranges::max_element(result.smallest_feasible_alpha)));
  }
}

void note_splits(const LandmarkResults& results, Lines& lines) {
  if (results.splits.size() == 1) {
    lines.emplace_back(
        "One split says little about coverage: with tens of images it moves by several points from "
        "split to split, for all landmarks together. Errors are over its test images, with all "
        "landmarks of an image dependent; they leave out what another draw of labeled images "
        "would change. --seeds repeats the experiment.");
  } else {
    lines.push_back(fmt::format(
        "Splits are drawn with seeds {} to {}, from the same images: their standard error is the "
        "uncertainty of the means for these images, not for others.",
        results.seed, results.seed + results.splits.size() - 1));
    const std::string caution = unsteady_error_text(results.splits.size());
    if (!caution.empty()) lines.push_back(caution);
  }
}

void note_sizes(const LandmarkResults& results, Lines& lines) {
  if (results.embedding) {
    lines.push_back(fmt::format("Embeddings: {}.", size_and_precision(*results.embedding)));
  }
  if (const auto text = large_regions_text(results)) lines.push_back(*text + ".");
}

void note_meaning(const LandmarkResults& results, Lines& lines) {
  lines.emplace_back(
      "Guarantees are for each landmark by itself, where it is present, as an average over draws of "
      "labeled and new images; sets for all landmarks of an image at once are a table of their "
      "own.");
  if (!results.experiment.by_subject) {
    lines.emplace_back(
        "SCOS is the mean over its references. SCOS Oracle takes, where no set contains the truth, "
        "the "
        "smallest set and a miss. Easy, medium and hard are thirds of the landmarks by the "
        "Oracle's set size.");
  }
  if (results.own_parameter) {
    lines.push_back(fmt::format(
        "The parameter of {} was given and is not the default; the guarantee holds only if it "
        "was chosen before these images were looked at.",
        patch_score_text(results.options.score)));
  }
}

}  // namespace

std::vector<std::string> landmark_notes(const LandmarkResults& results) {
  Lines lines;
  for (const auto add : {note_images, note_sizes, note_subjects, note_landmarks, note_infeasible,
                         note_splits, note_meaning}) {
    add(results, lines);
  }
  return lines;
}

}  // namespace caos::cli
