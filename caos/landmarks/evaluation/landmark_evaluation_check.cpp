#include "caos/landmarks/evaluation/landmark_evaluation_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "caos/error.hpp"
#include "caos/landmarks/evaluation/landmark_methods.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/split_landmarks.hpp"

namespace caos {
namespace {

/// The split methods need images on both sides for every landmark.
void check_sides(const LabeledPatches& labeled, const LandmarkEvaluateOptions& options) {
  if (std::ranges::all_of(options.methods, uses_all_images)) return;
  for (const PatchTask& task : reference_columns(labeled)) {
    require(!positions_in(task, options.partition.references).empty() &&
                !positions_in(task, options.partition.calibration).empty(),
            ErrorKind::invalid_input, [&] {
              return fmt::format(
                  "landmark {} has no reference or no calibration image in this split; leave the "
                  "split methods or the landmark out, or split otherwise",
                  task.name);
            });
  }
}

/// Their sizes are checked against the patches when these are there.
void check_grids(const LabeledPatches& labeled, const TestPatches& test, const PatchScore& score) {
  if (!score.reads_positions()) return;
  require(labeled.grids.size() == labeled.size() && test.grids.size() == test.size(),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "the score {} needs the grid of patches, columns x rows: give --grid 12x14, or in "
                "Python grid=(12, 14)",
                patch_score_text(score));
          });
}

void check_options(const LabeledPatches& labeled, const LandmarkEvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  require(labeled.subjects.empty() || std::ranges::all_of(options.methods, uses_all_images),
          ErrorKind::invalid_input,
          "with several images of a subject there are caos and full-caos only; the split methods "
          "need one image of each");
  require(
      options.target != ImageTarget::image || std::ranges::all_of(options.methods, uses_all_images),
      ErrorKind::invalid_input,
      "with the target image there are caos and full-caos only; leave the split methods out");
  std::size_t k = options.k;
  std::size_t least = options.k;
  for (const std::size_t other : options.ablation_ks) {
    k = std::max(k, other);
    least = std::min(least, other);
  }
  require(least >= 1, ErrorKind::invalid_input, "k = 0 adds no scores; k must be at least 1");
  check_k(options.score, k);
  const Indices usable = usable_tasks(labeled, k);
  require(!usable.empty() && usable.size() == labeled.num_tasks(), ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} needs {} labeled images of other subjects for every landmark", k, k);
  });
  for (const Method method : options.methods) {
    check_method(options.score, !labeled.rotations.empty(), method);
  }
  check_sides(labeled, options);
  check_conditional(labeled, options.conditional);
  require(!options.conditional ||
              std::ranges::find(options.methods, Method::split_caos) != options.methods.end(),
          ErrorKind::invalid_input,
          "a confidence is for split-caos, the only method with a law for one calibration; add it "
          "to the methods");
  const std::optional<Method>& kept = options.keep_sets;
  require(!kept || (uses_all_images(*kept) &&
                    std::ranges::find(options.methods, *kept) != options.methods.end()),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "the sets of {} cannot be kept; choose caos or full-caos, as one of "
                "the methods",
                method_name(*kept));
          });
}

}  // namespace

void check_evaluation(const LabeledPatches& labeled, const TestPatches& test,
                      const LandmarkEvaluateOptions& options) {
  check(labeled);
  check_options(labeled, options);
  require(test.labels.cols() == labeled.num_tasks(), ErrorKind::invalid_input,
          "labeled and test images have different landmarks");
  require(test.subjects.empty() || test.subjects.size() == test.size(), ErrorKind::invalid_input,
          "there must be one subject per test image");
  check_grids(labeled, test, options.score);
}

}  // namespace caos
