#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/matching/coarse_full.hpp"
#include "caos/landmarks/matching/coarse_pool.hpp"
#include "caos/scorers/coarse_similarities.hpp"

namespace caos {

/// What a new image's patches are to one landmark.
struct LandmarkCandidates {
  /// A patch whose CAOS score is at most the threshold.
  struct Member {
    Label patch = 0;
    Score score = 0;
    std::size_t below = 0;  ///< for Full CAOS: changed calibration scores below its own, in units
  };

  std::vector<Member> members{};
  std::optional<Member> proposal{};  ///< the smallest score, of equal ones the first patch
  std::vector<Neighbor> supporting_references{};  ///< the k scores that the proposal's score adds
};

/// Finds the candidates of every landmark by coarse similarities, where scores are cosine; scores
/// are computed for members and proposals only. Memory does not grow with patches times references.
/// Immutable; safe to share between threads.
class CoarsePredictor {
 public:
  /// `thresholds` and `calibrating`, positions in its images, by landmark. `full` are calibrations
  /// by landmark, where Full CAOS is wanted. `model` and `full` outlive this.
  CoarsePredictor(const LandmarkModel& model, std::shared_ptr<const CoarseReferences> references,
                  const std::vector<Score>& thresholds, const std::vector<Indices>& calibrating,
                  std::span<const Calibration> full);

  /// By landmark. `image` is unit rows; `suitable` says for each patch whether it may be a
  /// candidate.
  [[nodiscard]] std::vector<LandmarkCandidates> find(MatrixView<const float> image,
                                                     const std::vector<bool>& suitable) const;

  /// The k smallest scores of one row under a landmark's references.
  [[nodiscard]] std::vector<Neighbor> nearest(std::size_t landmark, const float* row) const;

 private:
  void add_members(std::size_t t, std::size_t first, const CoarseGroup& group,
                   CoarseScratch& scratch, LandmarkCandidates& candidates) const;
  void improve_proposal(std::size_t t, std::size_t first, const CoarseGroup& group,
                        CoarseScratch& scratch, LandmarkCandidates& candidates) const;

  const LandmarkModel& model_;
  std::shared_ptr<const CoarseReferences> references_;  ///< the model's
  std::vector<const float*> rows_;
  std::vector<CoarsePool> pools_;  ///< by landmark
  std::vector<CoarseFull> full_;   ///< as many, where wanted
};

}  // namespace caos
