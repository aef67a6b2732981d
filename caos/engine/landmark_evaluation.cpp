#include "caos/engine/landmark_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/image_batch.hpp"
#include "caos/engine/image_evaluator.hpp"
#include "caos/engine/landmark_tally.hpp"

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

void check_options(const LabeledPatches& labeled, const LandmarkEvaluateOptions& options) {
  require(!options.methods.empty() && !options.alphas.empty(), ErrorKind::invalid_input,
          "give at least one method and one alpha");
  require(labeled.subjects.empty() || std::ranges::all_of(options.methods, uses_all_images),
          ErrorKind::invalid_input,
          "with several images of a subject there are caos and full-caos only; the split methods "
          "need one image of each");
  std::size_t k = options.k;
  std::size_t least = options.k;
  for (const std::size_t other : options.ablation_ks) {
    k = std::max(k, other);
    least = std::min(least, other);
  }
  require(least >= 1, ErrorKind::invalid_input, "k = 0 adds no scores; k must be at least 1");
  const Indices usable = usable_tasks(labeled, k);
  require(!usable.empty() && usable.size() == labeled.num_tasks(), ErrorKind::invalid_input, [&] {
    return fmt::format("k = {} needs {} labelled images of other subjects for every landmark", k,
                       k);
  });
  check_sides(labeled, options);
}

/// Ranges of images that are evaluated together, the last ones smaller so that threads end at about
/// the same time.
std::vector<std::pair<std::size_t, std::size_t>> image_ranges(std::size_t count, std::size_t most,
                                                              std::size_t threads) {
  const std::size_t workers = threads == 0 ? default_threads() : threads;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t first = 0; first < count;) {
    const std::size_t left = count - first;
    const std::size_t fair = std::max<std::size_t>(left / (2 * workers), 1);
    const std::size_t last = first + std::min({most, fair, left});
    ranges.emplace_back(first, last);
    first = last;
  }
  return ranges;
}

void evaluate_images(const CalibratedLandmarks& landmarks, const TestPatches& test,
                     LandmarkTally& tally) {
  const LandmarkEvaluateOptions& options = landmarks.options;
  const auto evaluator =
      landmarks.coarse ? coarse_evaluator(landmarks, test) : exact_evaluator(landmarks, test);
  const std::size_t most =
      landmarks.coarse ? images_at_once(landmarks.labeled.images.at(0).rows()) : 1;
  const auto ranges = image_ranges(test.size(), most, options.threads);
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(ranges.size(), 1, options.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      evaluator->evaluate(ranges[r].first, ranges[r].second, tally);
      if (!options.progress) continue;
      const std::lock_guard lock(mutex);
      options.progress(done += ranges[r].second - ranges[r].first, test.size());
    }
  });
}

}  // namespace

LandmarkEvaluation evaluate_landmarks(const LabeledPatches& labeled, const TestPatches& test,
                                      const LandmarkEvaluateOptions& options) {
  check(labeled);
  check_options(labeled, options);
  require(test.labels.cols() == labeled.num_tasks(), ErrorKind::invalid_input,
          "labelled and test images have different landmarks");
  const CalibratedLandmarks landmarks(labeled, options);
  LandmarkTally tally(landmarks, test);
  evaluate_images(landmarks, test, tally);
  return tally.finish();
}

}  // namespace caos
