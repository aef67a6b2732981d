#include "caos/landmarks/evaluation/landmark_evaluation.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "caos/conformal/subject_weights.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/evaluation/image_evaluator.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation_check.hpp"
#include "caos/landmarks/evaluation/landmark_tally.hpp"
#include "caos/landmarks/evaluation/outcome_exchange.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos {
namespace {

using Range = std::pair<std::size_t, std::size_t>;

/// Ranges of images that are evaluated together, the last ones smaller so that threads end at about
/// the same time.
std::vector<Range> image_ranges(Range images, std::size_t most, std::size_t threads) {
  const std::size_t workers = num_threads(threads);
  std::vector<Range> ranges;
  for (std::size_t first = images.first; first < images.second;) {
    const std::size_t left = images.second - first;
    const std::size_t fair = std::max<std::size_t>(left / (2 * workers), 1);
    const std::size_t last = first + std::min({most, fair, left});
    ranges.emplace_back(first, last);
    first = last;
  }
  return ranges;
}

/// A process whose images come with its work has none to try a filter on.
std::optional<std::size_t> filter_directions(const TestPatches& test,
                                             const LandmarkEvaluateOptions& options) {
  const bool has_images =
      options.processes == nullptr || options.processes->size() == 1 || !test.travel;
  return has_images ? std::nullopt : std::optional<std::size_t>(0);
}

/// The pool that labeled and test images are together, as the labeled ones see it.
PoolSizes pool_of(const LabeledPatches& labeled, const TestPatches& test) {
  PoolSizes pool{.images = labeled.size() + std::max<std::size_t>(test.size(), 1),
                 .of_subject = images_of_same_subject(labeled.subjects)};
  if (labeled.subjects.empty()) pool.of_subject.assign(labeled.size(), 1);
  return pool;
}

/// By test image, what decides its weights: with target `image`, how many images its subject has.
std::vector<std::size_t> sizes_of_subjects(const TestPatches& test, ImageTarget target) {
  if (target != ImageTarget::image || test.subjects.empty()) {
    return std::vector<std::size_t>(test.size(), 1);
  }
  return images_of_same_subject(test.subjects);
}

ExampleWeights weights_for(const LabeledPatches& labeled, const TestPatches& test,
                           ImageTarget target, std::size_t size) {
  return target == ImageTarget::image ? pool_weights(labeled.subjects, pool_of(labeled, test), size)
                                      : weights_by_subject(labeled, all_images(labeled));
}

/// Calibrations under the weights of some test images, and their evaluator.
struct Variant {
  Variant(const LabeledPatches& labeled, const TestPatches& test,
          const LandmarkEvaluateOptions& options, std::size_t size)
      : landmarks(labeled, options, weights_for(labeled, test, options.target, size)),
        evaluator(landmarks, test, *landmarks.matcher, filter_directions(test, options)) {}

  CalibratedLandmarks landmarks;
  ImageEvaluator evaluator;
};

/// Evaluates test images once everything is calibrated.
class Evaluator {
 public:
  Evaluator(const LabeledPatches& labeled, const TestPatches& test,
            const LandmarkEvaluateOptions& options)
      : test_(test), sizes_(sizes_of_subjects(test, options.target)) {
    std::vector<std::size_t> distinct = sizes_;
    if (distinct.empty()) distinct.push_back(1);
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const std::size_t size : distinct) {
      variants_.emplace(size, std::make_unique<Variant>(labeled, test, options, size));
    }
    tally_.emplace(first(), test);
    for (const auto& [size, variant] : variants_) tally_->weaken(variant->landmarks);
  }

  void run() {
    std::mutex mutex;
    std::size_t done = 0;
    evaluate({0, test_.size()}, [&](std::size_t count) {
      const std::lock_guard lock(mutex);
      done += count;
      if (first().options.progress) first().options.progress(done, test_.size());
    });
  }

  /// The same on all processes; afterwards the first has all outcomes.
  void run_shared(TestImages& images) {
    share_evaluation(images, first().options, *tally_, [&](std::size_t begin, std::size_t end) {
      evaluate({begin, end}, [](std::size_t) {});
    });
  }

  [[nodiscard]] LandmarkEvaluation finish() { return tally_->finish(); }

 private:
  [[nodiscard]] const CalibratedLandmarks& first() const {
    return variants_.begin()->second->landmarks;
  }

  /// Stretches of images that are compared alike.
  template <typename Tell>
  void evaluate(Range images, const Tell& tell) {
    for (std::size_t begin = images.first; begin < images.second;) {
      std::size_t end = begin;
      while (end < images.second && sizes_[end] == sizes_[begin]) ++end;
      evaluate({begin, end}, variants_.at(sizes_[begin])->evaluator, tell);
      begin = end;
    }
  }

  template <typename Tell>
  void evaluate(Range images, const ImageEvaluator& evaluator, const Tell& tell) {
    const std::size_t threads = first().options.threads;
    const auto ranges = image_ranges(images, evaluator.images_at_once(), threads);
    parallel_for(ranges.size(), 1, threads, [&](std::size_t r, std::size_t) {
      evaluator.evaluate(ranges[r].first, ranges[r].second, *tally_);
      tell(ranges[r].second - ranges[r].first);
    });
  }

  const TestPatches& test_;
  std::vector<std::size_t> sizes_;  ///< by test image
  std::map<std::size_t, std::unique_ptr<Variant>> variants_;
  std::optional<LandmarkTally> tally_;
};

}  // namespace

LandmarkEvaluation evaluate_landmarks(const LabeledPatches& labeled, const TestPatches& test,
                                      const LandmarkEvaluateOptions& options) {
  dist::LocalCommunicator alone;
  dist::Communicator& processes = options.processes == nullptr ? alone : *options.processes;
  TestImages images(test, processes);
  std::optional<Evaluator> evaluator;
  // Every process calibrates: it is a small part of the work, and gives the same bits everywhere.
  together(processes, [&] {
    check_evaluation(labeled, test, options);
    evaluator.emplace(labeled, images.patches(), options);
  });
  processes.size() == 1 ? evaluator->run() : evaluator->run_shared(images);
  return processes.is_first() ? evaluator->finish() : LandmarkEvaluation{};
}

}  // namespace caos
