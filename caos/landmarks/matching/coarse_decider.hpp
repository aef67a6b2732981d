#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "caos/landmarks/matching/coarse_full.hpp"
#include "caos/landmarks/matching/coarse_pool.hpp"
#include "caos/landmarks/matching/coarse_scos.hpp"
#include "caos/landmarks/matching/image_batch.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/matching/query_filter.hpp"
#include "caos/scorers/competing_similarities.hpp"

namespace caos {

/// Decides by coarse similarities, or by what takes their place where an image's patches compete.
/// Exact scores are computed only for what those leave open, and for members and proposals where
/// these are asked for.
class CoarseDecider final : public SetDecider {
 public:
  /// For cosine. `coarse` are those of `references`, which outlive this.
  CoarseDecider(const ReferencePatches& references, std::shared_ptr<const CoarseReferences> coarse,
                const std::vector<LandmarkRules>& rules, const ExpectedImages& expected);
  /// For margin and softmax, without Full CAOS.
  CoarseDecider(const ReferencePatches& references,
                std::shared_ptr<const CompetingReferences> competing,
                const std::vector<LandmarkRules>& rules);

  [[nodiscard]] std::size_t images_at_once(std::size_t num_patches) const override;
  [[nodiscard]] ImageSets decide(const QueryImages& images, std::size_t first,
                                 std::size_t last) const override;
  [[nodiscard]] std::vector<LandmarkCandidates> candidates(
      const QueryImage& image, const std::vector<bool>& suitable) const override;

 private:
  /// One landmark's rules, ready for coarse similarities.
  struct Landmark {
    std::vector<CoarsePool> pools{};
    std::optional<CoarseFull> full{};
    std::vector<std::size_t> limits_of_full{};  ///< `FullRule::limits`
    std::optional<CoarseScos> scos{};
  };
  struct Work;

  CoarseDecider(const ReferencePatches& references, const PatchScore& score,
                const std::vector<LandmarkRules>& rules);

  [[nodiscard]] Landmark prepare(const PatchTask& task, const LandmarkRules& rules) const;
  [[nodiscard]] ImageSets decide_together(const QueryImages& images, std::size_t first,
                                          std::size_t last) const;
  void compare(const CoarseRows& queries, std::span<const float* const> rows,
               CoarseScratch& scratch,
               const std::function<void(std::size_t, const CoarseGroup&)>& visit) const;
  [[nodiscard]] ImageBatch load(const QueryImages& images, std::size_t first, std::size_t last,
                                CoarseScratch& scratch) const;

  void choose_filter(const ReferencePatches& references, const ExpectedImages& expected);

  void decide(std::size_t t, std::size_t g, const CoarseGroup& group, Work& work) const;
  void decide_full(std::size_t t, std::size_t g, const CoarseGroup& group, Work& work) const;
  void count_scos(std::size_t t, std::size_t g, const CoarseGroup& group, Work& work) const;

  void add_members(const Landmark& landmark, std::size_t first, const CoarseGroup& group,
                   CoarseScratch& scratch, LandmarkCandidates& candidates) const;
  void improve_proposal(const Landmark& landmark, std::size_t first, const CoarseGroup& group,
                        CoarseScratch& scratch, LandmarkCandidates& candidates) const;
  [[nodiscard]] Proposal proposal_of_none(const Landmark& landmark, const float* row,
                                          CoarseScratch& scratch) const;

  std::shared_ptr<const CoarseReferences> references_;    ///< of cosine
  std::shared_ptr<const CompetingReferences> competing_;  ///< of other scores
  std::vector<const float*> rows_;                        ///< the references themselves
  std::size_t dimension_;
  Score unit_;            ///< of scores (`coarse_unit`)
  std::size_t num_sets_;  ///< of a landmark
  std::size_t k_;         ///< of the first pool's first set
  std::vector<Landmark> landmarks_;
  std::size_t num_patches_ = 0;  ///< of the first image, where a filter was thought of
  std::optional<QueryFilter> filter_;
};

}  // namespace caos
