#include "caos/engine/landmark_evaluation.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/engine/image_evaluator.hpp"
#include "caos/engine/landmark_evaluation_check.hpp"
#include "caos/engine/landmark_tally.hpp"
#include "caos/engine/outcome_exchange.hpp"

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

/// A rank whose images come with its work has none to try a filter on.
Filtering filtering(const TestPatches& test, const LandmarkEvaluateOptions& options) {
  const bool has_images = options.ranks == nullptr || options.ranks->size() == 1 || !test.travel;
  return has_images ? Filtering{} : Filtering{.num_directions = 0};
}

/// Evaluates test images once everything is calibrated.
class Evaluator {
 public:
  Evaluator(const LabeledPatches& labeled, const TestPatches& test,
            const LandmarkEvaluateOptions& options)
      : landmarks_(labeled, options),
        test_(test),
        tally_(landmarks_, test),
        evaluator_(landmarks_.coarse ? coarse_evaluator(landmarks_, test, filtering(test, options))
                                     : exact_evaluator(landmarks_, test)) {}

  void run() {
    std::mutex mutex;
    std::size_t done = 0;
    evaluate({0, test_.size()}, [&](std::size_t count) {
      const std::lock_guard lock(mutex);
      done += count;
      if (landmarks_.options.progress) landmarks_.options.progress(done, test_.size());
    });
  }

  /// The same on all ranks; afterwards the first has all outcomes.
  void run_shared(TestImages& images) {
    share_evaluation(images, landmarks_.options, tally_, [&](std::size_t first, std::size_t last) {
      evaluate({first, last}, [](std::size_t) {});
    });
  }

  [[nodiscard]] LandmarkEvaluation finish() { return tally_.finish(); }

 private:
  template <typename Tell>
  void evaluate(Range images, const Tell& tell) {
    const std::size_t threads = landmarks_.options.threads;
    const auto ranges = image_ranges(images, evaluator_->images_at_once(), threads);
    parallel_for(ranges.size(), 1, threads, [&](std::size_t r, std::size_t) {
      evaluator_->evaluate(ranges[r].first, ranges[r].second, tally_);
      tell(ranges[r].second - ranges[r].first);
    });
  }

  CalibratedLandmarks landmarks_;
  const TestPatches& test_;
  LandmarkTally tally_;
  std::unique_ptr<ImageEvaluator> evaluator_;
};

}  // namespace

LandmarkEvaluation evaluate_landmarks(const LabeledPatches& labeled, const TestPatches& test,
                                      const LandmarkEvaluateOptions& options) {
  dist::LocalCommunicator alone;
  dist::Communicator& ranks = options.ranks == nullptr ? alone : *options.ranks;
  TestImages images(test, ranks);
  std::optional<Evaluator> evaluator;
  // Every rank calibrates: it is a small part of the work, and gives the same bits everywhere.
  together(ranks, [&] {
    check_evaluation(labeled, test, options);
    evaluator.emplace(labeled, images.patches(), options);
  });
  ranks.size() == 1 ? evaluator->run() : evaluator->run_shared(images);
  return ranks.is_first() ? evaluator->finish() : LandmarkEvaluation{};
}

}  // namespace caos
