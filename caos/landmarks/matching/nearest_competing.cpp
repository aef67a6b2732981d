#include "caos/landmarks/matching/nearest_competing.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/numerics/keep_smallest.hpp"
#include "caos/scorers/partial_competition.hpp"

namespace caos {
namespace {

/// Images that share scratch space.
constexpr std::size_t images_in_turn = 4;

/// By where references are in their images: there they look for similar places in others.
std::vector<std::uint32_t> sorted_by_patch(const LabeledPatches& labeled,
                                           const ReferencePatches& references) {
  std::vector<std::int64_t> patch(references.patches.rows());
  for (std::size_t t = 0; t < references.tasks.size(); ++t) {
    const PatchTask& task = references.tasks[t];
    for (std::size_t p = 0; p < task.images.size(); ++p) {
      patch[task.columns[p]] = labeled.labels(task.images[p], t);
    }
  }
  std::vector<std::uint32_t> order(patch.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t column) { return patch[column]; });
  return order;
}

/// By task, one reference of each group that has references of it.
std::vector<std::vector<std::uint32_t>> groups_of_tasks(const std::vector<PatchTask>& tasks,
                                                        const SortedReferences& sorted) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (const PatchTask& task : tasks) {
    std::set<std::uint32_t> of_task;
    for (const std::uint32_t column : task.columns) {
      const std::uint32_t place = sorted.place(column);
      of_task.insert(place - place % static_cast<std::uint32_t>(kernels::coarse_group));
    }
    groups.emplace_back(of_task.begin(), of_task.end());
  }
  return groups;
}

/// Keeps the k smallest values that it is shown.
class Smallest {
 public:
  explicit Smallest(std::size_t k) : values_(k) {}

  void clear() { std::ranges::fill(values_, std::numeric_limits<float>::infinity()); }
  void show(float value) { keep_smallest(std::span(values_), value); }
  [[nodiscard]] float kth() const { return values_.back(); }

 private:
  std::vector<float> values_;
};

/// The landmarks of one image after the other. One thread's.
class Calibrator {
 public:
  Calibrator(const LabeledPatches& labeled, const ReferencePatches& references,
             const SortedReferences& sorted, const std::vector<std::vector<std::uint32_t>>& groups,
             std::size_t k)
      : labeled_(labeled),
        tasks_(references.tasks),
        sorted_(sorted),
        competition_(sorted),
        groups_(groups),
        smallest_(k),
        k_(k) {}

  /// Every landmark of an image; `rows` are where the k nearest of each go, null where it has none.
  void find(std::size_t image, std::span<Score* const> rows) {
    list_references(image, rows);
    competition_.begin(labeled_.images[image].view());
    for (const Landmark& landmark : landmarks_) {
      for (const std::uint32_t place : groups_[landmark.task]) {
        competition_.want(landmark.patch, place);
      }
    }
    competition_.compare();
    similarities_.resize(places_.size());
    for (const Landmark& landmark : landmarks_) {
      for (std::size_t e = landmark.begin; e < landmark.end; ++e) {
        similarities_[e] = competition_.similarity(landmark.patch, places_[e]);
      }
    }
    complete([&](const Landmark& landmark) { return kth(landmark, false); });
    complete([&](const Landmark& landmark) { return limit(landmark); });
    score();
  }

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // place and patch

  /// A landmark of the image, and the references of others.
  struct Landmark {
    std::size_t task = 0;
    std::uint32_t patch = 0;
    std::size_t begin = 0;  ///< in `places_`
    std::size_t end = 0;
    Score* out = nullptr;
  };

  void list_references(std::size_t image, std::span<Score* const> rows) {
    landmarks_.clear();
    places_.clear();
    for (std::size_t t = 0; t < rows.size(); ++t) {
      if (rows[t] == nullptr) continue;
      const std::size_t begin = places_.size();
      const PatchTask& task = tasks_[t];
      for (std::size_t p = 0; p < task.images.size(); ++p) {
        if (labeled_.same_subject(image, task.images[p])) continue;
        places_.push_back(sorted_.place(task.columns[p]));
      }
      landmarks_.push_back({.task = t,
                            .patch = static_cast<std::uint32_t>(labeled_.labels(image, t)),
                            .begin = begin,
                            .end = places_.size(),
                            .out = rows[t]});
    }
  }

  /// u - c, which orders scores.
  [[nodiscard]] float gap(std::size_t e) const {
    return competition_.level(places_[e]) - static_cast<float>(similarities_[e]);
  }

  /// The k-th smallest gap; of all references, or of those that are complete.
  [[nodiscard]] float kth(const Landmark& landmark, bool of_complete) {
    smallest_.clear();
    for (std::size_t e = landmark.begin; e < landmark.end; ++e) {
      if (!of_complete || competition_.is_complete(places_[e])) smallest_.show(gap(e));
    }
    return smallest_.kth();
  }

  /// A reference with a larger gap is not among the nearest, complete or not.
  [[nodiscard]] float limit(const Landmark& landmark) {
    return kth(landmark, true) + 2 * competition_.slack();
  }

  /// All references whose gap is at most a limit, which each landmark has.
  template <typename Limit>
  void complete(const Limit& limit_of) {
    wanted_.clear();
    for (const Landmark& landmark : landmarks_) {
      const float most = limit_of(landmark);
      for (std::size_t e = landmark.begin; e < landmark.end; ++e) {
        if (gap(e) <= most && !competition_.is_complete(places_[e])) wanted_.push_back(places_[e]);
      }
    }
    std::ranges::sort(wanted_);
    wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
    competition_.complete(wanted_);
  }

  /// Those that can be among the nearest, all of which are complete.
  void score() {
    asked_.clear();
    std::vector<std::size_t> ends;
    for (const Landmark& landmark : landmarks_) {
      const float most = limit(landmark);
      for (std::size_t e = landmark.begin; e < landmark.end; ++e) {
        if (gap(e) <= most) asked_.push_back({places_[e], landmark.patch});
      }
      ends.push_back(asked_.size());
    }
    // Each pair once, and pairs of one reference together.
    std::vector<Pair> distinct = asked_;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> patches;
    std::vector<std::uint32_t> places;
    for (const auto& [place, patch] : distinct) {
      patches.push_back(patch);
      places.push_back(place);
    }
    std::vector<Score> of_distinct(distinct.size());
    competition_.scores(patches, places, of_distinct.data());
    std::vector<Score> scores;
    for (const Pair& pair : asked_) {
      const auto found = std::ranges::lower_bound(distinct, pair) - distinct.begin();
      scores.push_back(of_distinct[static_cast<std::size_t>(found)]);
    }
    auto first = scores.begin();
    for (std::size_t l = 0; l < landmarks_.size(); ++l) {
      const auto last = scores.begin() + static_cast<std::ptrdiff_t>(ends[l]);
      const auto middle = first + static_cast<std::ptrdiff_t>(k_);
      std::partial_sort(first, middle, last);
      std::copy(first, middle, landmarks_[l].out);
      first = last;
    }
  }

  const LabeledPatches& labeled_;
  const std::vector<PatchTask>& tasks_;
  const SortedReferences& sorted_;
  PartialCompetition competition_;
  const std::vector<std::vector<std::uint32_t>>& groups_;
  Smallest smallest_;
  std::size_t k_;
  std::vector<Landmark> landmarks_{};
  std::vector<std::uint32_t> places_{};       ///< of references, landmark after landmark
  std::vector<std::int16_t> similarities_{};  ///< as many
  std::vector<std::uint32_t> wanted_{};
  std::vector<Pair> asked_{};
};

}  // namespace

std::vector<Matrix<Score>> nearest_competing(const LabeledPatches& labeled,
                                             const ReferencePatches& references,
                                             const PatchScore& score, const Indices& calibrating,
                                             std::size_t k, std::size_t threads) {
  std::vector<Matrix<Score>> result;
  std::vector<std::vector<Score*>> rows(calibrating.size());  // by image, then landmark it has
  for (const PatchTask& task : references.tasks) {
    result.emplace_back(positions_in(task, calibrating).size(), k);
    for (std::size_t c = 0, row = 0; c < calibrating.size(); ++c) {
      const bool has = std::ranges::binary_search(task.images, calibrating[c]);
      rows[c].push_back(has ? result.back().row(row++).data() : nullptr);
    }
  }
  const SortedReferences sorted(references.patches.view(), sorted_by_patch(labeled, references),
                                score, threads);
  const auto groups = groups_of_tasks(references.tasks, sorted);
  parallel_for(calibrating.size(), images_in_turn, threads,
               [&](std::size_t first, std::size_t last) {
                 Calibrator calibrator(labeled, references, sorted, groups, k);
                 for (std::size_t c = first; c < last; ++c)
                   calibrator.find(calibrating[c], rows[c]);
               });
  return result;
}

}  // namespace caos
