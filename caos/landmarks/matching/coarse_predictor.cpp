#include "caos/landmarks/matching/coarse_predictor.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "caos/landmarks/patch_tasks.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

/// The sum of a query's k largest coarse similarities, in units.
std::int32_t coarse_sum(const CoarseScratch& scratch, std::size_t q, std::size_t k) {
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < k; ++j) sum += scratch.largest.data()[j * coarse_group + q];
  return sum;
}

/// Makes a patch the proposal if it is better than the one so far.
void propose(const LandmarkCandidates::Member& patch, std::span<const Neighbor> nearest,
             LandmarkCandidates& candidates) {
  const auto& best = candidates.proposal;
  if (best && std::tie(best->score, best->patch) <= std::tie(patch.score, patch.patch)) return;
  candidates.proposal = patch;
  candidates.supporting_references.assign(nearest.begin(), nearest.end());
}

}  // namespace

CoarsePredictor::CoarsePredictor(const LandmarkModel& model,
                                 std::shared_ptr<const CoarseReferences> references,
                                 const std::vector<Score>& thresholds,
                                 const std::vector<Indices>& calibrating,
                                 std::span<const Calibration> full)
    : model_(model),
      references_(std::move(references)),
      rows_(row_pointers(model.references.patches.view())) {
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    const PatchTask& task = model.references.tasks[t];
    pools_.push_back({task.columns, {{model.k(), thresholds[t]}}});
    if (full.empty()) continue;
    full_.emplace_back(full[t], restricted_to(task, calibrating[t]).columns,
                       std::vector<std::size_t>{});
  }
}

std::vector<LandmarkCandidates> CoarsePredictor::find(MatrixView<const float> image,
                                                      const std::vector<bool>& suitable) const {
  std::vector<LandmarkCandidates> candidates(pools_.size());
  const CoarseRows queries(image);
  const std::vector<const float*> query_rows = row_pointers(image);
  CoarseScratch scratch(rows_, references_->dimension());
  CoarseSimilarities similarities;
  compare_in_groups(queries, query_rows, *references_, similarities,
                    [&](std::size_t number, CoarseGroup group) {
                      const std::size_t first = number * coarse_group;
                      for (std::size_t q = 0; q < group.rows.size(); ++q) {
                        if (!suitable[first + q]) group.present &= ~(std::uint32_t{1} << q);
                      }
                      for (std::size_t t = 0; t < pools_.size(); ++t) {
                        add_members(t, first, group, scratch, candidates[t]);
                        improve_proposal(t, first, group, scratch, candidates[t]);
                      }
                    });
  return candidates;
}

void CoarsePredictor::add_members(std::size_t t, std::size_t first, const CoarseGroup& group,
                                  CoarseScratch& scratch, LandmarkCandidates& candidates) const {
  const std::size_t k = model_.k();
  std::uint32_t word = 0;
  pools_[t].decide(group, scratch, {&word, 1});
  for (; word != 0; word &= word - 1) {
    const auto q = static_cast<std::size_t>(std::countr_zero(word));
    const auto nearest = scratch.exact.nearest(pools_[t].query(group, scratch, q, k), k);
    LandmarkCandidates::Member member{static_cast<Label>(first + q), sum_of_nearest(nearest, k), 0};
    propose(member, nearest, candidates);
    if (!full_.empty()) member.below = full_[t].below(group, scratch, q, member.score);
    candidates.members.push_back(member);
  }
}

/// Members have been looked at; other patches matter only while none of them is a member.
void CoarsePredictor::improve_proposal(std::size_t t, std::size_t first, const CoarseGroup& group,
                                       CoarseScratch& scratch,
                                       LandmarkCandidates& candidates) const {
  if (!candidates.members.empty()) return;
  const std::size_t k = model_.k();
  std::vector<std::pair<std::int32_t, std::size_t>> promising;  // the most similar first
  for (std::uint32_t left = group.present; left != 0; left &= left - 1) {
    const auto q = static_cast<std::size_t>(std::countr_zero(left));
    promising.emplace_back(-coarse_sum(scratch, q, k), q);
  }
  std::ranges::sort(promising);
  for (const auto& [negative_sum, q] : promising) {
    const auto slack = static_cast<std::int32_t>(k) * group.errors[q] + 1;
    if (candidates.proposal &&
        -negative_sum + slack < coarse_limit(k, candidates.proposal->score)) {
      continue;
    }
    const auto nearest = scratch.exact.nearest(pools_[t].query(group, scratch, q, k), k);
    propose({static_cast<Label>(first + q), sum_of_nearest(nearest, k), 0}, nearest, candidates);
  }
}

std::vector<Neighbor> CoarsePredictor::nearest(std::size_t landmark, const float* row) const {
  const std::span<const std::uint32_t> columns = pools_[landmark].columns();
  std::vector<Score> scores(columns.size());
  ExactNearest(rows_, references_->dimension()).scores(row, columns, scores.data());
  std::vector<Neighbor> all;
  for (std::uint32_t p = 0; p < scores.size(); ++p) all.push_back({scores[p], p});
  std::sort(all.begin(), all.end());
  all.resize(model_.k());
  return all;
}

}  // namespace caos
