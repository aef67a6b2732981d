#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "caos/calibration.hpp"
#include "caos/landmarks/matching/set_decider.hpp"
#include "caos/landmarks/patches/labeled_patches.hpp"
#include "caos/method.hpp"
#include "caos/scorers/patch_score.hpp"
#include "caos/split.hpp"

namespace caos {

/// The own scores of every task: each labeled image's landmark under the other images'. Scores
/// under images of the same subject are +infinity, which leaves those references out.
/// Safe to share between threads.
class OwnPatchScores {
 public:
  virtual ~OwnPatchScores() = default;

  /// Each calibrating image's k smallest, ascending: [calibrating images that have the landmark, k]
  /// by task. Requires k <= largest_k for every task.
  [[nodiscard]] virtual std::vector<Matrix<Score>> nearest(const Indices& calibrating,
                                                           std::size_t k) const = 0;

  /// All of one task. Requires two images of it.
  [[nodiscard]] virtual OwnScores table(std::size_t task) const = 0;

  /// Those of calibration images under references, by position in the task's images: [references,
  /// calibration].
  [[nodiscard]] virtual Matrix<Score> between(std::size_t task,
                                              const split::Partition& partition) const = 0;
};

/// The images that a decider will get, where they are known: it may look at some to find a faster
/// way to the same answer.
struct ExpectedImages {
  const QueryImages* images = nullptr;
  /// Directions of a filter (`QueryFilter`), 0 for none; by a trial if not given.
  std::optional<std::size_t> num_directions{};
};

/// How patches are matched with references under one family of scores. A new family is a new
/// implementation, chosen in `make_matcher`. Immutable; safe to share between threads.
class PatchMatcher {
 public:
  virtual ~PatchMatcher() = default;

  [[nodiscard]] virtual std::unique_ptr<const OwnPatchScores> own_scores(
      std::size_t threads) const = 0;

  /// `rules` are by landmark.
  [[nodiscard]] virtual std::unique_ptr<const SetDecider> decider(
      std::vector<LandmarkRules> rules, const ExpectedImages& expected = {}) const = 0;
};

/// The matcher that suits the score. What it is given outlives it, and what it makes; `references`
/// are those of `labeled`, some of a task perhaps.
[[nodiscard]] std::shared_ptr<const PatchMatcher> make_matcher(const LabeledPatches& labeled,
                                                               const ReferencePatches& references,
                                                               const PatchScore& score,
                                                               std::size_t threads = 1);

/// By all scores of an image: for any score, and for images that are rotated.
[[nodiscard]] std::shared_ptr<const PatchMatcher> exact_matcher(const LabeledPatches& labeled,
                                                                const ReferencePatches& references,
                                                                const PatchScore& score);

/// By coarse similarities, and by scores only where those leave something open: for cosine.
/// Memory does not grow with patches times references.
[[nodiscard]] std::shared_ptr<const PatchMatcher> coarse_matcher(const LabeledPatches& labeled,
                                                                 const ReferencePatches& references,
                                                                 std::size_t threads = 1);

/// The same for margin and softmax, of which `competes_coarsely`. Full CAOS, and own scores other
/// than the nearest, are by all scores of an image.
[[nodiscard]] std::shared_ptr<const PatchMatcher> competing_matcher(
    const LabeledPatches& labeled, const ReferencePatches& references, const PatchScore& score,
    std::size_t threads = 1);

/// By estimates of where each landmark lies, and descriptors only where those leave something open:
/// for geometry. Throws `invalid_input` where grids are not known.
[[nodiscard]] std::shared_ptr<const PatchMatcher> geometry_matcher(
    const LabeledPatches& labeled, const ReferencePatches& references, std::size_t threads = 1);

/// Throws `invalid_input` if k is too large for the score's matcher.
void check_k(const PatchScore& score, std::size_t k);

/// Throws `invalid_input` for Full CAOS with a score that reads positions, or with references that
/// are rotated: an inserted candidate is not.
void check_method(const PatchScore& score, bool rotated, Method method);

}  // namespace caos
