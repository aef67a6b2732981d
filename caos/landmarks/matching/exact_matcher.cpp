#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/full.hpp"
#include "caos/kernels/compare.hpp"
#include "caos/landmarks/matching/coarse_group.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/numerics/minsum.hpp"
#include "caos/scorers/patch_scorer.hpp"
#include "caos/test_inputs.hpp"

namespace caos {
namespace {

constexpr Score infinity = std::numeric_limits<Score>::infinity();

/// Holds one n x n table per task.
class OwnTables final : public OwnPatchScores {
 public:
  OwnTables(const LabeledPatches& labeled, const std::vector<PatchTask>& tasks,
            const PatchScorer& scorer, std::size_t threads)
      : labeled_(labeled), tasks_(tasks) {
    std::vector<Matrix<Score>> own;
    for (const PatchTask& task : tasks) own.emplace_back(task.images.size(), task.images.size());
    // An image's patches are scored once, whatever the number of tasks.
    parallel_for(labeled.labels.rows(), 1, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) fill(i, scorer, own);
    });
    for (const Matrix<Score>& matrix : own) tables_.emplace_back(matrix.view());
  }

  [[nodiscard]] std::vector<Matrix<Score>> nearest(const Indices& calibrating,
                                                   std::size_t k) const override {
    std::vector<Matrix<Score>> result;
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      Indices all(tables_[t].size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      result.push_back(nearest_among(tables_[t], positions_in(tasks_[t], calibrating), all, k));
    }
    return result;
  }

  [[nodiscard]] OwnScores table(std::size_t task) const override { return tables_[task]; }

  [[nodiscard]] Matrix<Score> between(std::size_t task,
                                      const split::Partition& partition) const override {
    Matrix<Score> scores(partition.references.size(), partition.calibration.size());
    for (std::size_t r = 0; r < scores.rows(); ++r) {
      for (std::size_t c = 0; c < scores.cols(); ++c) {
        scores(r, c) = tables_[task](partition.calibration[c], partition.references[r]);
      }
    }
    return scores;
  }

 private:
  void fill(std::size_t i, const PatchScorer& scorer, std::vector<Matrix<Score>>& own) const {
    const std::vector<Label> labels = distinct_labels(labeled_, i);
    const Matrix<Score> scores = scores_of(i, labels, scorer);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      const Indices& images = tasks_[t].images;
      const auto found = std::ranges::lower_bound(images, i);
      if (found == images.end() || *found != i) continue;
      const auto label = static_cast<Label>(labeled_.labels(i, t));
      const auto row = std::ranges::lower_bound(labels, label) - labels.begin();
      const std::span<Score> to = own[t].row(static_cast<std::size_t>(found - images.begin()));
      for (std::size_t j = 0; j < images.size(); ++j) {
        to[j] = labeled_.same_subject(i, images[j])
                    ? infinity
                    : scores(static_cast<std::size_t>(row), tasks_[t].columns[j]);
      }
    }
  }

  /// Under every reference, of the patches with these labels. Models of symmetric scores keep no
  /// images; there a landmark's patch is what it refers with, and no other patch competes.
  [[nodiscard]] Matrix<Score> scores_of(std::size_t i, const std::vector<Label>& labels,
                                        const PatchScorer& scorer) const {
    if (i < labeled_.size()) return scorer.scores(labeled_.images[i].view(), labels);
    assert(scorer.score().is_symmetric());
    Matrix<float> patches(labels.size(), scorer.dimension());
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      const auto found = std::ranges::lower_bound(tasks_[t].images, i);
      if (found == tasks_[t].images.end() || *found != i) continue;
      const auto label = static_cast<Label>(labeled_.labels(i, t));
      const auto row = std::ranges::lower_bound(labels, label) - labels.begin();
      const std::uint32_t column =
          tasks_[t].columns[static_cast<std::size_t>(found - tasks_[t].images.begin())];
      std::ranges::copy(scorer.references().row(column),
                        patches.row(static_cast<std::size_t>(row)).begin());
    }
    return scorer.scores(std::as_const(patches).view());
  }

  const LabeledPatches& labeled_;
  const std::vector<PatchTask>& tasks_;
  std::vector<OwnScores> tables_;
};

/// Calls `visit(l, scores)` with the CAOS scores of the labels for each limit of a pool.
template <typename Visit>
void for_each_limit(MatrixView<const Score> pools, std::span<const PoolRule::Limit> limits,
                    const Visit& visit) {
  std::vector<Score> scores(pools.rows());
  if (limits.front().k == limits.back().k) {
    minsum_rows(pools, limits[0].k, scores);
    for (std::size_t l = 0; l < limits.size(); ++l) visit(l, scores);
    return;
  }
  Matrix<Score> nearest(pools.rows(), limits.back().k);
  smallest_rows(pools, nearest.view());
  for (std::size_t l = 0; l < limits.size(); ++l) {
    for (Label y = 0; (l == 0 || limits[l].k != limits[l - 1].k) && y < pools.rows(); ++y) {
      scores[y] = sum_in_order(std::as_const(nearest).row(y).first(limits[l].k));
    }
    visit(l, scores);
  }
}

class ExactDecider final : public SetDecider {
 public:
  ExactDecider(const LabeledPatches& labeled, const ReferencePatches& references,
               std::shared_ptr<const PatchScorer> scorer, std::vector<LandmarkRules> rules)
      : labeled_(labeled),
        references_(references),
        scorer_(std::move(scorer)),
        rules_(std::move(rules)) {}

  [[nodiscard]] std::size_t images_at_once(std::size_t) const override { return 1; }

  [[nodiscard]] ImageSets decide(const QueryImages& images, std::size_t first,
                                 std::size_t last) const override {
    std::vector<Matrix<float>> patches;
    ImageSets sets{.num_sets = rules_[0].num_sets(), .starts = {0}};
    for (std::size_t x = first; x < last; ++x) {
      patches.push_back(images.image(x));
      sets.starts.push_back(sets.starts.back() + patches.back().rows());
    }
    sets.bits = QueryBits(rules_.size() * sets.num_sets, num_coarse_groups(sets.starts.back()));
    sets.scos.resize(rules_.size(), std::vector<ScosCounts>(last - first));
    for (std::size_t i = 0; i < patches.size(); ++i) {
      decide(std::as_const(patches[i]).view(), images.labels.row(first + i), i, sets);
    }
    return sets;
  }

  [[nodiscard]] std::vector<LandmarkCandidates> candidates(
      const QueryImage& query, const std::vector<bool>& suitable) const override {
    const MatrixView<const float> image = query.patches;
    const Matrix<Score> scores = scorer_->scores(image);
    std::vector<LandmarkCandidates> result(rules_.size());
    std::set<Label> all_members;
    Matrix<Score> pools;
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      const PoolRule& rule = rules_[t].pools[0];
      const auto [k, threshold] = rule.limits[0];
      gather_pools(scores.view(), rule.columns, pools);
      std::vector<Score> label_scores(image.rows());
      minsum_rows(std::as_const(pools).view(), k, label_scores);
      for (Label y = 0; y < image.rows(); ++y) {
        if (!suitable[y]) {
          label_scores[y] = infinity;
        } else if (label_scores[y] <= threshold) {
          result[t].members.push_back({.patch = y, .score = label_scores[y]});
          all_members.insert(y);
        }
      }
      result[t].proposal = propose(std::as_const(pools).view(), label_scores, k);
      if (!references_.rotated.empty()) find_rotations(image, rule.columns, result[t].proposal);
    }
    if (rules_[0].full) add_below(image, scores, {all_members.begin(), all_members.end()}, result);
    return result;
  }

 private:
  /// One image, which is the i-th.
  void decide(MatrixView<const float> patches, std::span<const std::int64_t> labels, std::size_t i,
              ImageSets& sets) const {
    const Matrix<Score> scores = scorer_->scores(patches);
    std::vector<std::vector<Score>> of_full(rules_.size());  // CAOS scores, for Full CAOS
    Matrix<Score> pools;
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      std::size_t set = 0;
      for (const PoolRule& rule : rules_[t].pools) {
        gather_pools(scores.view(), rule.columns, pools);
        const bool is_first = set == 0;
        for_each_limit(std::as_const(pools).view(), rule.limits,
                       [&](std::size_t l, const std::vector<Score>& label_scores) {
                         add_members(label_scores, rule.limits[l].threshold, sets.row(t, set++),
                                     sets.starts[i], sets.bits);
                         const auto& full = rules_[t].full;
                         if (is_first && full && l == full->limits[0]) of_full[t] = label_scores;
                       });
      }
      if (rules_[t].scos && labels[t] != missing_label) {
        sets.scos[t][i] = count_scos(*rules_[t].scos, scores, static_cast<Label>(labels[t]), pools);
      }
    }
    if (rules_[0].full) decide_full(patches, scores, of_full, i, sets);
  }

  void find_rotations(MatrixView<const float> image, const std::vector<std::uint32_t>& columns,
                      Proposal& proposal) const {
    for (const Neighbor& one : proposal.supporting_references) {
      proposal.rotations.push_back(scorer_->rotation(image, proposal.patch, columns[one.position]));
    }
  }

  static void add_members(const std::vector<Score>& label_scores, Score threshold, std::size_t row,
                          std::size_t start, QueryBits& bits) {
    for (Label y = 0; y < label_scores.size(); ++y) {
      if (label_scores[y] <= threshold) bits.add(row, start + y);
    }
  }

  static ScosCounts count_scos(const ScosRule& rule, const Matrix<Score>& scores, Label truth,
                               Matrix<Score>& pools) {
    const std::size_t alphas = rule.thresholds.size();
    const std::size_t cells = rule.columns.size() * alphas;
    ScosCounts counts{std::vector<std::uint32_t>(cells), std::vector<bool>(cells)};
    gather_pools(scores.view(), rule.columns, pools);
    for (std::size_t a = 0; a < alphas; ++a) {
      std::vector<std::uint32_t> sizes(rule.columns.size());
      for (Label y = 0; y < pools.rows(); ++y) {
        kernels::count_at_most(pools.row(y).data(), rule.thresholds[a].data(), sizes.size(),
                               sizes.data());
      }
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        counts.sizes[r * alphas + a] = sizes[r];
        counts.covers[r * alphas + a] = pools(truth, r) <= rule.thresholds[a][r];
      }
    }
    return counts;
  }

  // Full CAOS.

  /// The scores of calibrating images under patches of the image, [K, calibrating], by task.
  class Reverse {
   public:
    /// Only patches among the `candidates` are asked for.
    Reverse(const ExactDecider& decider, MatrixView<const float> patches,
            const Matrix<Score>& scores, std::vector<Label> candidates)
        : decider_(decider), scores_(scores) {
      const PatchScore& score = decider.scorer_->score();
      if (!score.is_symmetric()) reverse_.emplace(decider.labeled_, patches, candidates, score);
    }

    [[nodiscard]] Matrix<Score> of_task(std::size_t t) const {
      const PatchTask& task = decider_.references_.tasks[t];
      const Indices& calibrating = decider_.rules_[t].full->calibrating;
      if (reverse_) return reverse_->of_task(t, task, calibrating);
      // Symmetric scores: the reverse scores are the pools.
      Matrix<Score> rows;
      gather_pools(scores_.view(), restricted_to(task, calibrating).columns, rows);
      return rows;
    }

   private:
    const ExactDecider& decider_;
    const Matrix<Score>& scores_;
    std::optional<ReversePatchScores> reverse_;
  };

  void add_below(MatrixView<const float> patches, const Matrix<Score>& scores,
                 std::vector<Label> all_members, std::vector<LandmarkCandidates>& result) const {
    const Reverse reverse(*this, patches, scores, std::move(all_members));
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      const Matrix<Score> rows = reverse.of_task(t);
      const TestInput input{.pools = {}, .reverse = rows.view()};
      const Calibration& calibration = *rules_[t].full->calibration;
      for (LandmarkCandidates::Member& member : result[t].members) {
        const Exceedances exceeding =
            full::exceedances(calibration, input, member.patch, member.score);
        member.below = calibration.group(0).units() - exceeding.at_least();
      }
    }
  }

  void decide_full(MatrixView<const float> patches, const Matrix<Score>& scores,
                   const std::vector<std::vector<Score>>& label_scores, std::size_t i,
                   ImageSets& sets) const {
    std::vector<std::vector<Label>> members;  // by landmark: no other can be in a Full CAOS set
    std::set<Label> all_members;
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      std::set<Label> of_task;
      for (const std::size_t limit : rules_[t].full->limits) {
        const PredictionSet set = sets.set(i, t, limit);
        of_task.insert(set.begin(), set.end());
      }
      members.emplace_back(of_task.begin(), of_task.end());
      all_members.merge(of_task);
    }
    const Reverse reverse(*this, patches, scores, {all_members.begin(), all_members.end()});
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      const FullRule& rule = *rules_[t].full;
      const Matrix<Score> rows = reverse.of_task(t);
      const TestInput input{.pools = {}, .reverse = rows.view()};
      std::vector<std::uint8_t> conforming(rule.ranks.size());
      for (const Label y : members[t]) {
        full::decide(*rule.calibration, input, y, label_scores[t][y], rule.ranks, conforming);
        for (std::size_t a = 0; a < conforming.size(); ++a) {
          const std::size_t set = sets.num_sets - conforming.size() + a;
          if (conforming[a] != 0) sets.bits.add(sets.row(t, set), sets.starts[i] + y);
        }
      }
    }
  }

  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::shared_ptr<const PatchScorer> scorer_;
  std::vector<LandmarkRules> rules_;
};

class ExactMatcher final : public PatchMatcher {
 public:
  ExactMatcher(const LabeledPatches& labeled, const ReferencePatches& references,
               const PatchScore& score)
      : labeled_(labeled),
        references_(references),
        scorer_(
            std::make_shared<const PatchScorer>(references.patches, score, references.rotated)) {}

  [[nodiscard]] std::unique_ptr<const OwnPatchScores> own_scores(
      std::size_t threads) const override {
    return std::make_unique<OwnTables>(labeled_, references_.tasks, *scorer_, threads);
  }

  [[nodiscard]] std::unique_ptr<const SetDecider> decider(std::vector<LandmarkRules> rules,
                                                          const ExpectedImages&) const override {
    return std::make_unique<ExactDecider>(labeled_, references_, scorer_, std::move(rules));
  }

 private:
  const LabeledPatches& labeled_;
  const ReferencePatches& references_;
  std::shared_ptr<const PatchScorer> scorer_;
};

}  // namespace

std::shared_ptr<const PatchMatcher> exact_matcher(const LabeledPatches& labeled,
                                                  const ReferencePatches& references,
                                                  const PatchScore& score) {
  return std::make_shared<ExactMatcher>(labeled, references, score);
}

}  // namespace caos
