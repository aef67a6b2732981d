#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"
#include "caos/kernels/dot.hpp"
#include "caos/landmarks/matching/coarse_group.hpp"
#include "caos/landmarks/matching/image_geometry.hpp"
#include "caos/landmarks/matching/patch_matcher.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/numerics/minsum.hpp"

namespace caos {
namespace {

constexpr Score unbounded = std::numeric_limits<Score>::infinity();

Score sum_of(std::span<const Neighbor> nearest) {
  Score sum = 0;
  for (const Neighbor& one : nearest) sum += one.score;
  return sum;
}

/// Holds one n x n table per task.
class GeometryOwnScores final : public OwnPatchScores {
 public:
  GeometryOwnScores(const GeometryReferences& references, const std::vector<PatchTask>& tasks,
                    std::size_t threads)
      : references_(references), labeled_(references.labeled()), tasks_(tasks) {
    std::vector<Matrix<Score>> own;
    positions_ = Matrix<std::size_t>(labeled_.size(), tasks.size(), absent);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const std::size_t count = tasks[t].images.size();
      own.emplace_back(count, count, unbounded);
      for (std::size_t p = 0; p < count; ++p) positions_(tasks[t].images[p], t) = p;
    }
    // The estimates of an image are shared by all its landmarks.
    parallel_for(labeled_.size(), 1, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) fill(i, own);
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
  /// The scores of image i's landmarks under those of later images, and of theirs under i's: two
  /// images are compared once.
  void fill(std::size_t i, std::vector<Matrix<Score>>& own) const {
    const TargetPatches target(labeled_.images[i].view(), labeled_.patch_grid(i));
    LandmarkSimilarities similarities;
    if (references_.num_rotations() > 1) return fill_rotated(i, target, similarities, own);
    PatchSimilarities scratch;
    for (std::size_t j = i + 1; j < labeled_.size(); ++j) {
      if (labeled_.same_subject(i, j)) continue;
      const auto estimate = estimate_geometry(references_.anchors(j, 0), target, scratch);
      compare(i, j, 0, similarities);
      fill(i, j, {estimate}, similarities, own);
      scratch.exchange();
      // A landmark's vector as a target is another one than as a reference where labels are cells.
      if (labeled_.has_cells()) compare(j, i, 0, similarities);
      fill(j, i, {estimate_geometry(scratch)}, similarities, own);
    }
  }

  /// Similarities of landmarks of one image with those of another. One thread's scratch space.
  struct LandmarkSimilarities {
    std::vector<std::size_t> places{};   ///< by patch of the one and column of the other; `absent`
    std::vector<std::size_t> of_task{};  ///< where the similarity of each landmark is
    std::vector<const float*> own{};
    std::vector<const float*> references{};
    std::vector<double> values{};
    std::vector<vision::Point> points{};  ///< where landmarks lie, by task
  };

  /// The scores of image i's landmarks under those of all others: only references are rotated, so
  /// that exchanging two images is another comparison.
  void fill_rotated(std::size_t i, const TargetPatches& target, LandmarkSimilarities& similarities,
                    std::vector<Matrix<Score>>& own) const {
    RotationChoice choice;
    for (std::size_t j = 0; j < labeled_.size(); ++j) {
      if (labeled_.same_subject(i, j)) continue;
      const RotatedEstimate best = choice.best(references_, j, target);
      compare(i, j, best.rotation, similarities);
      fill(i, j, best, similarities, own);
    }
  }

  /// Requires the similarities of the two.
  void fill(std::size_t i, std::size_t j, const RotatedEstimate& found,
            LandmarkSimilarities& similarities, std::vector<Matrix<Score>>& own) const {
    const auto& [estimate, rotation] = found;
    similarities.points.resize(tasks_.size());
    references_.place(estimate, j, rotation, similarities.points);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (!have(i, j, t)) continue;
      const auto label = static_cast<Label>(labeled_.labels(i, t));
      const vision::Point place = similarities.points[t];
      own[t](positions_(i, t), positions_(j, t)) =
          descriptor_term(similarities.values[similarities.of_task[t]], estimate.deviation()) +
          distance_term(squared_distance(center(i, label), place));
    }
  }

  /// Of a label, in patches.
  [[nodiscard]] vision::Point center(std::size_t i, Label label) const {
    const vision::Point at = center_of(labeled_.grids[i], label);
    const double side = side_in_patches(labeled_.grids[i], labeled_.patch_grid(i));
    return {.x = at.x * side, .y = at.y * side};
  }

  [[nodiscard]] bool have(std::size_t i, std::size_t j, std::size_t task) const {
    return positions_(i, task) != absent && positions_(j, task) != absent;
  }

  /// Each similarity once: where labels are patches, many landmarks share it.
  void compare(std::size_t i, std::size_t j, std::size_t rotation,
               LandmarkSimilarities& out) const {
    const Matrix<float>& image = labeled_.images[i];
    const auto [first, last] = references_.columns_of(j);
    out.places.assign(labeled_.has_cells() ? 0 : image.rows() * (last - first), absent);
    out.of_task.resize(tasks_.size());
    out.own.clear();
    out.references.clear();
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      if (!have(i, j, t)) continue;
      const auto label = static_cast<Label>(labeled_.labels(i, t));
      const std::uint32_t column = tasks_[t].columns[positions_(j, t)];
      std::size_t unknown = absent;
      std::size_t& place =
          labeled_.has_cells() ? unknown : out.places[label * (last - first) + (column - first)];
      if (place == absent) {
        place = out.own.size();
        out.own.push_back(own_vector(i, t, label));
        out.references.push_back(references_.patch(column, rotation));
      }
      out.of_task[t] = place;
    }
    out.values.resize(out.own.size());
    kernels::dot_pairs(out.own.data(), out.references.data(), out.own.size(), image.cols(),
                       out.values.data());
  }

  [[nodiscard]] const float* own_vector(std::size_t i, std::size_t task, Label label) const {
    return labeled_.has_cells() ? labeled_.cells.own[i].row(task).data()
                                : labeled_.images[i].row(label).data();
  }

  static constexpr auto absent = static_cast<std::size_t>(-1);

  const GeometryReferences& references_;
  const LabeledPatches& labeled_;
  const std::vector<PatchTask>& tasks_;
  Matrix<std::size_t> positions_;  ///< [images, tasks], in the task's images; `absent`
  std::vector<OwnScores> tables_;
};

/// The reference images of all rules, ascending.
Indices images_of(const GeometryReferences& references, const std::vector<LandmarkRules>& rules) {
  std::set<std::size_t> images;
  const auto add = [&](const std::vector<std::uint32_t>& columns) {
    for (const std::uint32_t c : columns) images.insert(references.column(c).image);
  };
  for (const LandmarkRules& of_landmark : rules) {
    for (const PoolRule& pool : of_landmark.pools) add(pool.columns);
    if (of_landmark.scos) add(of_landmark.scos->columns);
  }
  return {images.begin(), images.end()};
}

class GeometryDecider final : public SetDecider {
 public:
  GeometryDecider(std::shared_ptr<const GeometryReferences> references,
                  std::vector<LandmarkRules> rules)
      : references_(std::move(references)),
        rules_(std::move(rules)),
        used_(images_of(*references_, rules_)) {}

  [[nodiscard]] std::size_t images_at_once(std::size_t) const override { return 1; }

  [[nodiscard]] ImageSets decide(const QueryImages& images, std::size_t first,
                                 std::size_t last) const override {
    ImageSets sets{.num_sets = rules_[0].num_sets(), .starts = {0}};
    for (std::size_t x = first; x < last; ++x) {
      sets.starts.push_back(sets.starts.back() + images.grids[x].size());
    }
    sets.bits = QueryBits(rules_.size() * sets.num_sets, num_coarse_groups(sets.starts.back()));
    sets.scos.resize(rules_.size(), std::vector<ScosCounts>(last - first));
    for (std::size_t x = first; x < last; ++x) {
      const Matrix<float> patches = images.image(x);
      std::optional<CellSource> cells;
      if (references_->labeled().has_cells()) cells = images.cells(x);
      const ImageGeometry image(*references_, used_,
                                {patches.view(), images.grids[x], cells ? &*cells : nullptr});
      decide(image, images.labels.row(x), x - first, sets);
    }
    return sets;
  }

  [[nodiscard]] std::vector<LandmarkCandidates> candidates(
      const QueryImage& image, const std::vector<bool>& suitable) const override {
    const ImageGeometry geometry(*references_, used_, image);
    std::vector<LandmarkCandidates> result;
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      result.push_back(candidates(geometry, t, suitable));
    }
    return result;
  }

 private:
  /// One image, which is the i-th.
  void decide(const ImageGeometry& image, std::span<const std::int64_t> labels, std::size_t i,
              ImageSets& sets) const {
    for (std::size_t t = 0; t < rules_.size(); ++t) {
      std::size_t set = 0;
      for (const PoolRule& rule : rules_[t].pools) {
        decide(GeometryPool(image, t, rule.columns), rule.limits, sets.row(t, set), sets.starts[i],
               sets.bits);
        set += rule.limits.size();
      }
      if (rules_[t].scos && labels[t] != missing_label) {
        sets.scos[t][i] = count_scos(image, t, static_cast<Label>(labels[t]));
      }
    }
  }

  /// The sets of one pool, from `row` on. Exact scores only where bounds leave one open.
  static void decide(const GeometryPool& pool, std::span<const PoolRule::Limit> limits,
                     std::size_t row, std::size_t start, QueryBits& bits) {
    const std::size_t k = limits.back().k;
    const LabelBounds bounds = pool.bounds(k);
    const auto [begin, end] = bounds.within(limits);
    for (Label y = begin; y < end; ++y) {
      std::vector<Neighbor> nearest;
      for (std::size_t l = 0; l < limits.size(); ++l) {
        const auto [of_limit, threshold] = limits[l];
        if (bounds.least(y, of_limit) > threshold) continue;
        bool holds = threshold == unbounded || bounds.most(y, of_limit) <= threshold;
        if (!holds) {
          if (nearest.empty()) nearest = pool.nearest(y, k);
          holds = sum_of(std::span(nearest).first(of_limit)) <= threshold;
        }
        if (holds) bits.add(row + l, start + y);
      }
    }
  }

  [[nodiscard]] ScosCounts count_scos(const ImageGeometry& image, std::size_t task,
                                      Label truth) const {
    const ScosRule& rule = *rules_[task].scos;
    const std::size_t alphas = rule.thresholds.size();
    const std::size_t cells = rule.columns.size() * alphas;
    ScosCounts counts{std::vector<std::uint32_t>(cells), std::vector<bool>(cells)};
    for (std::size_t r = 0; r < rule.columns.size(); ++r) {
      for (Label y = 0; y < image.num_labels(); ++y) {
        const ImageGeometry::Bounds bounds = image.bounds(task, rule.columns[r], y);
        for (std::size_t a = 0; a < alphas; ++a) {
          const Score threshold = rule.thresholds[a][r];
          const bool in =
              bounds.low <= threshold &&
              (bounds.high <= threshold || image.score(task, rule.columns[r], y) <= threshold);
          if (!in) continue;
          ++counts.sizes[r * alphas + a];
          if (y == truth) counts.covers[r * alphas + a] = true;
        }
      }
    }
    return counts;
  }

  [[nodiscard]] LandmarkCandidates candidates(const ImageGeometry& image, std::size_t task,
                                              const std::vector<bool>& suitable) const {
    const PoolRule& rule = rules_[task].pools[0];
    const auto [k, threshold] = rule.limits[0];
    const GeometryPool pool(image, task, rule.columns);
    const LabelBounds bounds = pool.bounds(k);
    LandmarkCandidates result{.members = {},
                              .proposal = {.patch = 0, .score = unbounded},
                              .estimate = pool.median_place()};
    const auto [begin, end] = bounds.within({&rule.limits[0], 1});
    for (Label y = begin; y < end; ++y) {
      if (!suitable[y] || bounds.least(y, k) > threshold) continue;
      const Score score = propose(pool, y, k, result.proposal);
      if (score <= threshold) result.members.push_back({.patch = y, .score = score});
    }
    if (result.members.empty()) {
      propose_other(pool, bounds, rule.limits[0], suitable, result.proposal);
    }
    if (result.proposal.supporting_references.empty()) {
      result.proposal.supporting_references = pool.nearest(0, k);
    }
    for (const Neighbor& one : result.proposal.supporting_references) {
      result.proposal.rotations.push_back(pool.rotation(one.position));
    }
    return result;
  }

  /// Where no label is a member, the best of all is proposed.
  static void propose_other(const GeometryPool& pool, const LabelBounds& bounds,
                            const PoolRule::Limit& limit, const std::vector<bool>& suitable,
                            Proposal& proposal) {
    std::vector<std::pair<double, Label>> others;
    for (Label y = 0; y < pool.num_labels(); ++y) {
      const double bound = bounds.least(y, limit.k);
      if (suitable[y] && bound > limit.threshold) others.emplace_back(bound, y);
    }
    std::ranges::sort(others);
    for (const auto& [bound, y] : others) {
      if (bound > proposal.score) break;
      static_cast<void>(propose(pool, y, limit.k, proposal));
    }
  }

  /// The score of a patch, which becomes the proposal where it is better.
  static Score propose(const GeometryPool& pool, Label patch, std::size_t k, Proposal& proposal) {
    std::vector<Neighbor> nearest = pool.nearest(patch, k);
    const Score score = sum_of(nearest);
    if (std::pair(score, patch) < std::pair(proposal.score, proposal.patch) ||
        proposal.supporting_references.empty()) {
      proposal = {.patch = patch, .score = score, .supporting_references = std::move(nearest)};
    }
    return score;
  }

  std::shared_ptr<const GeometryReferences> references_;
  std::vector<LandmarkRules> rules_;
  Indices used_;
};

class GeometryMatcher final : public PatchMatcher {
 public:
  GeometryMatcher(const LabeledPatches& labeled, const ReferencePatches& references,
                  std::size_t threads)
      : references_(std::make_shared<const GeometryReferences>(labeled, references, threads)),
        tasks_(references.tasks) {}

  [[nodiscard]] std::unique_ptr<const OwnPatchScores> own_scores(
      std::size_t threads) const override {
    return std::make_unique<GeometryOwnScores>(*references_, tasks_, threads);
  }

  [[nodiscard]] std::unique_ptr<const SetDecider> decider(std::vector<LandmarkRules> rules,
                                                          const ExpectedImages&) const override {
    for (const LandmarkRules& of_landmark : rules) {
      check_method({PatchScore::Kind::geometry, 0}, references_->num_rotations() > 1,
                   of_landmark.full ? Method::full_caos : Method::caos);
    }
    return std::make_unique<GeometryDecider>(references_, std::move(rules));
  }

 private:
  std::shared_ptr<const GeometryReferences> references_;
  const std::vector<PatchTask>& tasks_;
};

}  // namespace

std::shared_ptr<const PatchMatcher> geometry_matcher(const LabeledPatches& labeled,
                                                     const ReferencePatches& references,
                                                     std::size_t threads) {
  return std::make_shared<GeometryMatcher>(labeled, references, threads);
}

}  // namespace caos
