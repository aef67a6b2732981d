#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "caos/landmarks/evaluation/landmark_methods.hpp"
#include "caos/landmarks/evaluation/landmark_tally.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"

namespace caos {

/// Finds the sets of test images by every method, and what they are worth. Safe to share between
/// threads.
class ImageEvaluator {
 public:
  /// `landmarks` and `test` outlive this.
  ImageEvaluator(const CalibratedLandmarks& landmarks, const TestPatches& test)
      : ImageEvaluator(landmarks, test, *landmarks.matcher) {}
  /// By another matcher of the same score. `num_directions` as in `ExpectedImages`.
  ImageEvaluator(const CalibratedLandmarks& landmarks, const TestPatches& test,
                 const PatchMatcher& matcher,
                 std::optional<std::size_t> num_directions = std::nullopt);

  /// How many images it would best be given at once.
  [[nodiscard]] std::size_t images_at_once() const;

  /// Images first, ..., last - 1.
  void evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const;

 private:
  /// Which CAOS set a limit of the first pool stands for.
  struct CaosLimit {
    std::size_t k = 0;
    std::size_t a = 0;               ///< alpha
    std::optional<std::size_t> v{};  ///< 0: the k asked for, else of the ablation; none: jointly
  };

  [[nodiscard]] std::size_t num_alphas() const { return landmarks_.num_alphas(); }
  [[nodiscard]] std::vector<CaosLimit> caos_limits() const;
  [[nodiscard]] std::size_t own_limit(std::size_t a) const;
  [[nodiscard]] Score threshold(const CaosLimit& limit, std::size_t t) const;
  [[nodiscard]] LandmarkRules rules(std::size_t t) const;
  [[nodiscard]] FullRule full_rule(std::size_t t) const;
  [[nodiscard]] std::size_t split_set(std::size_t family, std::size_t a) const;
  [[nodiscard]] std::size_t full_set(std::size_t a) const;

  /// One image of the sets, number x of the test images.
  struct Found {
    const ImageSets& sets;
    std::size_t i;
    std::size_t x;
  };
  void keep_sets(const Found& found, std::size_t t, LandmarkTally& tally) const;
  void record_caos(const Found& found, std::size_t t, LandmarkTally& tally) const;
  void record_splits(const Found& found, std::size_t t, LandmarkTally& tally) const;

  const CalibratedLandmarks& landmarks_;
  QueryImages images_;
  std::vector<CaosLimit> limits_;  ///< of every landmark's first pool, k ascending
  std::unique_ptr<const SetDecider> decider_;
};

}  // namespace caos
