#include <mutex>
#include <utility>

#include "caos/landmarks/matching/coarse_decider.hpp"
#include "caos/landmarks/matching/nearest_competing.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/scorers/competing_similarities.hpp"

namespace caos {
namespace {

/// The nearest by coarse comparison of each calibrating image, the others from tables of all
/// scores.
class OwnCompetingScores final : public OwnPatchScores {
 public:
  OwnCompetingScores(const LabeledPatches& labeled, const ReferencePatches& references,
                     std::shared_ptr<const CompetingReferences> competing, std::size_t threads)
      : labeled_(labeled),
        references_(references),
        competing_(std::move(competing)),
        threads_(threads) {}

  [[nodiscard]] std::vector<Matrix<Score>> nearest(const Indices& calibrating,
                                                   std::size_t k) const override {
    return nearest_competing(labeled_, references_, competing_->score(), calibrating, k, threads_);
  }

  [[nodiscard]] OwnScores table(std::size_t task) const override { return tables().table(task); }

  [[nodiscard]] Matrix<Score> between(std::size_t task,
                                      const split::Partition& partition) const override {
    return tables().between(task, partition);
  }

 private:
  /// Only some methods ask for them.
  [[nodiscard]] const OwnPatchScores& tables() const {
    std::call_once(once_, [&] {
      tables_ = exact_matcher(labeled_, references_, competing_->score())->own_scores(threads_);
    });
    return *tables_;
  }

  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::shared_ptr<const CompetingReferences> competing_;
  std::size_t threads_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const OwnPatchScores> tables_;
};

class CompetingMatcher final : public PatchMatcher {
 public:
  CompetingMatcher(const LabeledPatches& labeled, const ReferencePatches& references,
                   const PatchScore& score, std::size_t threads)
      : labeled_(labeled),
        references_(references),
        competing_(std::make_shared<const CompetingReferences>(references.patches.view(), score,
                                                               threads)) {}

  [[nodiscard]] std::unique_ptr<const OwnPatchScores> own_scores(
      std::size_t threads) const override {
    return std::make_unique<OwnCompetingScores>(labeled_, references_, competing_, threads);
  }

  [[nodiscard]] std::unique_ptr<const SetDecider> decider(
      std::vector<LandmarkRules> rules, const ExpectedImages& expected) const override {
    if (rules.at(0).full) {
      const auto exact = exact_matcher(labeled_, references_, competing_->score());
      return exact->decider(std::move(rules), expected);
    }
    return std::make_unique<CoarseDecider>(references_, competing_, rules);
  }

 private:
  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::shared_ptr<const CompetingReferences> competing_;
};

}  // namespace

std::shared_ptr<const PatchMatcher> competing_matcher(const LabeledPatches& labeled,
                                                      const ReferencePatches& references,
                                                      const PatchScore& score,
                                                      std::size_t threads) {
  return std::make_shared<CompetingMatcher>(labeled, references, score, threads);
}

}  // namespace caos
