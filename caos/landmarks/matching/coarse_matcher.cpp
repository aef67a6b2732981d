#include <limits>
#include <mutex>
#include <utility>

#include "caos/landmarks/matching/coarse_decider.hpp"
#include "caos/landmarks/matching/nearest_patches.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/scorers/patch_scorer.hpp"

namespace caos {
namespace {

/// Computes what is asked for, when it is: an image's other patches do not matter to its scores.
class OwnCosineScores final : public OwnPatchScores {
 public:
  OwnCosineScores(const LabeledPatches& labeled, const ReferencePatches& references,
                  std::size_t threads)
      : labeled_(labeled), references_(references), threads_(threads) {}

  [[nodiscard]] std::vector<Matrix<Score>> nearest(const Indices& calibrating,
                                                   std::size_t k) const override {
    return nearest_patches(labeled_, references_, CoarseRows(references_.patches.view(), threads_),
                           calibrating, k, threads_);
  }

  [[nodiscard]] OwnScores table(std::size_t task) const override {
    const PatchTask& of_task = references_.tasks[task];
    const Matrix<float> rows = rows_of(of_task.columns);
    Matrix<Score> own = scores(rows, rows);
    for (std::size_t i = 0; i < own.rows(); ++i) {
      for (std::size_t j = 0; j < own.cols(); ++j) {
        if (!labeled_.same_subject(of_task.images[i], of_task.images[j])) continue;
        own(i, j) = std::numeric_limits<Score>::infinity();
      }
    }
    return OwnScores(std::as_const(own).view());
  }

  [[nodiscard]] Matrix<Score> between(std::size_t task,
                                      const split::Partition& partition) const override {
    const auto rows_at = [&](const Indices& positions) {
      return rows_of(restricted_to(references_.tasks[task], positions).columns);
    };
    return scores(rows_at(partition.references), rows_at(partition.calibration));
  }

 private:
  [[nodiscard]] Matrix<float> rows_of(std::span<const std::uint32_t> columns) const {
    Matrix<float> rows(0, references_.patches.cols());
    for (const std::uint32_t column : columns) rows.push_row(references_.patches.row(column));
    return rows;
  }

  [[nodiscard]] static Matrix<Score> scores(const Matrix<float>& rows, Matrix<float> references) {
    return PatchScorer(std::move(references), {.kind = PatchScore::Kind::cosine})
        .scores(rows.view());
  }

  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::size_t threads_;
};

class CoarseMatcher final : public PatchMatcher {
 public:
  CoarseMatcher(const LabeledPatches& labeled, const ReferencePatches& references,
                std::size_t threads)
      : labeled_(labeled), references_(references), threads_(threads) {}

  [[nodiscard]] std::unique_ptr<const OwnPatchScores> own_scores(
      std::size_t threads) const override {
    return std::make_unique<OwnCosineScores>(labeled_, references_, threads);
  }

  [[nodiscard]] std::unique_ptr<const SetDecider> decider(
      std::vector<LandmarkRules> rules, const ExpectedImages& expected) const override {
    std::call_once(once_, [&] {
      coarse_ = std::make_shared<const CoarseReferences>(
          CoarseRows(references_.patches.view(), threads_), threads_);
    });
    return std::make_unique<CoarseDecider>(references_, coarse_, rules, expected);
  }

 private:
  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::size_t threads_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const CoarseReferences> coarse_;  ///< made for the first decider
};

}  // namespace

std::shared_ptr<const PatchMatcher> coarse_matcher(const LabeledPatches& labeled,
                                                   const ReferencePatches& references,
                                                   std::size_t threads) {
  return std::make_shared<CoarseMatcher>(labeled, references, threads);
}

}  // namespace caos
