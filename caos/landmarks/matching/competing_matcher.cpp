#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/matching/coarse_decider.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/scorers/competing_similarities.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

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
    std::vector<Matrix<Score>> result;
    std::vector<std::vector<Score*>> rows(calibrating.size());  // by image, then landmark it has
    for (const PatchTask& task : references_.tasks) {
      result.emplace_back(positions_in(task, calibrating).size(), k);
      for (std::size_t c = 0, row = 0; c < calibrating.size(); ++c) {
        const bool has = std::ranges::binary_search(task.images, calibrating[c]);
        rows[c].push_back(has ? result.back().row(row++).data() : nullptr);
      }
    }
    const std::vector<const float*> patches = row_pointers(references_.patches.view());
    parallel_for(calibrating.size(), 1, threads_, [&](std::size_t first, std::size_t last) {
      Scratch scratch(*competing_, patches);
      for (std::size_t c = first; c < last; ++c) find(calibrating[c], k, scratch, rows[c]);
    });
    return result;
  }

  [[nodiscard]] OwnScores table(std::size_t task) const override { return tables().table(task); }

  [[nodiscard]] Matrix<Score> between(std::size_t task,
                                      const split::Partition& partition) const override {
    return tables().between(task, partition);
  }

 private:
  struct Scratch {
    Scratch(const CompetingReferences& references, std::span<const float* const> rows)
        : similarities(references), exact(rows, references.dimension()) {
      exact.compete(&similarities);
    }

    CompetingSimilarities similarities;
    ExactNearest exact;
    std::vector<std::uint32_t> columns{};  ///< of other subjects
    std::vector<std::int16_t> largest{};
  };

  /// Every landmark of an image; `rows` are where the k nearest of each go.
  void find(std::size_t i, std::size_t k, Scratch& scratch, const std::vector<Score*>& rows) const {
    scratch.similarities.compare(labeled_.images[i].view(), CoarseRows(labeled_.images[i].view()));
    for (std::size_t t = 0; t < rows.size(); ++t) {
      if (rows[t] != nullptr) find(i, t, scratch, std::span(rows[t], k));
    }
  }

  void find(std::size_t i, std::size_t t, Scratch& scratch, std::span<Score> out) const {
    const PatchTask& task = references_.tasks[t];
    const auto patch = static_cast<std::size_t>(labeled_.labels(i, t));
    const std::int16_t* const of_patch =
        scratch.similarities.group(patch / coarse_group) + patch % coarse_group;
    scratch.columns.clear();
    scratch.largest.clear();
    for (std::size_t p = 0; p < task.images.size(); ++p) {
      if (labeled_.same_subject(i, task.images[p])) continue;
      scratch.columns.push_back(task.columns[p]);
      scratch.largest.push_back(of_patch[task.columns[p] * coarse_group]);
    }
    const auto kth = scratch.largest.begin() + static_cast<std::ptrdiff_t>(out.size()) - 1;
    std::ranges::nth_element(scratch.largest, kth, std::greater());
    const auto nearest = scratch.exact.nearest({.row = labeled_.images[i].row(patch).data(),
                                                .similarities = of_patch,
                                                .columns = scratch.columns,
                                                .kth = *kth,
                                                .error = scratch.similarities.errors()[0]},
                                               out.size());
    std::ranges::transform(nearest, out.begin(), &Neighbor::score);
  }

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
