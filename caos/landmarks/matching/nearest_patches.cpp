#include "caos/landmarks/matching/nearest_patches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "caos/core/parallel_for.hpp"
#include "caos/kernels/coarse_decide.hpp"
#include "caos/landmarks/patches/patch_tasks.hpp"
#include "caos/scorers/exact_nearest.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

/// For each query of a group, the references that can be among its nearest: those that
/// `ExactNearest` would find, one query at a time.
class PossibleNeighbors {
 public:
  /// The coarse similarities of the k-th nearest are known.
  void find(const CoarseSimilarities& similarities, std::size_t g, std::size_t num_references,
            const std::int16_t* kth) {
    alignas(64) std::array<std::int16_t, coarse_group> least{};
    for (std::size_t q = 0; q < coarse_group; ++q) {
      const bool is_there = (similarities.present(g) >> q & 1U) != 0;
      least[q] = is_there ? static_cast<std::int16_t>(
                                kernels::least_of_nearest(kth[q], similarities.errors(g)[q]))
                          : std::numeric_limits<std::int16_t>::max();
    }
    bits_.resize(num_references);
    kernels::select_at_least(similarities.group(g), num_references, least.data(), bits_.data());
    starts_.fill(0);
    for_each([&](std::size_t q, std::uint32_t) { ++starts_[q + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    columns_.resize(starts_.back());
    auto next = starts_;
    for_each([&](std::size_t q, std::uint32_t r) { columns_[next[q]++] = r; });
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t q) const {
    return std::span(columns_).subspan(starts_[q], starts_[q + 1] - starts_[q]);
  }

 private:
  /// Every query with every reference that was selected for it, references ascending.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t r = 0; r < bits_.size(); ++r) {
      for (std::uint32_t word = bits_[r]; word != 0; word &= word - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(word)), r);
      }
    }
  }

  std::vector<std::uint32_t> bits_;                     ///< of queries, for each reference
  std::vector<std::uint32_t> columns_;                  ///< query after query
  std::array<std::size_t, coarse_group + 1> starts_{};  ///< in `columns_`
};

/// One task: every image's landmark patch is a reference, those of calibrating images are queries.
class Task {
 public:
  Task(const LabeledPatches& labeled, const PatchTask& task, MatrixView<const float> patches,
       const CoarseRows& coarse, const Indices& calibrating, std::size_t k)
      : labeled_(labeled),
        task_(task),
        coarse_(coarse),
        queries_(positions_in(task, calibrating)),
        references_(coarse, task.columns),
        all_(task.columns.size()),
        nearest_(queries_.size(), k) {
    for (const std::uint32_t column : task.columns) rows_.push_back(patches.row(column).data());
    std::iota(all_.begin(), all_.end(), 0U);
  }

  void run(std::size_t threads) {
    const std::size_t batch = CoarseSimilarities::batch_size(references_);
    parallel_for(queries_.size(), batch, threads,
                 [&](std::size_t first, std::size_t last) { find(first, last - first); });
  }

  [[nodiscard]] Matrix<Score> take() { return std::move(nearest_); }

 private:
  void find(std::size_t first, std::size_t count) {
    CoarseRows rows(coarse_.dimension());
    std::vector<std::uint32_t> which;
    for (std::size_t q = first; q < first + count; ++q) which.push_back(task_.columns[queries_[q]]);
    rows.append(coarse_, which);
    CoarseSimilarities similarities;
    similarities.compare(rows, 0, count, references_);
    ExactNearest exact(rows_, coarse_.dimension());
    PossibleNeighbors possible;
    for (std::size_t g = 0; g < similarities.num_groups(); ++g) {
      const std::size_t start = first + g * coarse_group;
      find_group(start, std::min(coarse_group, first + count - start), similarities, g, possible,
                 exact);
    }
  }

  void find_group(std::size_t start, std::size_t count, CoarseSimilarities& similarities,
                  std::size_t g, PossibleNeighbors& possible, ExactNearest& exact) {
    const std::size_t k = nearest_.cols();
    for (std::size_t q = 0; q < count; ++q)
      leave_out(queries_[start + q], similarities.group(g) + q);
    const kernels::CoarseRule rule{static_cast<std::uint32_t>(k), kernels::limit_of_none};
    AlignedBuffer<std::int16_t> largest(kernels::room_for_largest(k));
    kernels::CoarseVerdict verdict;
    kernels::decide_sums(similarities.group(g), all_, similarities.errors(g), {&rule, 1},
                         largest.data(), &verdict);
    possible.find(similarities, g, rows_.size(), largest.data() + (k - 1) * coarse_group);
    for (std::size_t q = 0; q < count; ++q) {
      const auto neighbors = exact.nearest({.row = rows_[queries_[start + q]],
                                            .similarities = similarities.group(g) + q,
                                            .columns = possible.of(q),
                                            .kth = largest.data()[(k - 1) * coarse_group + q],
                                            .error = similarities.errors(g)[q]},
                                           k);
      for (std::size_t j = 0; j < k; ++j) nearest_(start + q, j) = neighbors[j].score;
    }
  }

  /// Images of the same subject are no references: nothing is less similar than they are made.
  void leave_out(std::size_t position, std::int16_t* similarities) const {
    if (labeled_.subjects.empty()) {
      similarities[position * coarse_group] = kernels::coarse_left_out;
      return;
    }
    for (std::size_t j = 0; j < task_.images.size(); ++j) {
      if (labeled_.same_subject(task_.images[position], task_.images[j])) {
        similarities[j * coarse_group] = kernels::coarse_left_out;
      }
    }
  }

  const LabeledPatches& labeled_;
  const PatchTask& task_;
  const CoarseRows& coarse_;
  Indices queries_;  ///< positions in the task's images
  CoarseReferences references_;
  std::vector<std::uint32_t> all_;
  std::vector<const float*> rows_;
  Matrix<Score> nearest_;
};

}  // namespace

std::vector<Matrix<Score>> nearest_patches(const LabeledPatches& labeled,
                                           const ReferencePatches& references,
                                           const CoarseRows& coarse, const Indices& calibrating,
                                           std::size_t k, std::size_t threads) {
  const std::size_t num_tasks = references.tasks.size();
  std::vector<Matrix<Score>> nearest(num_tasks);
  const auto run = [&](std::size_t t, std::size_t threads_of_task) {
    Task task(labeled, references.tasks[t], references.patches.view(), coarse, calibrating, k);
    task.run(threads_of_task);
    nearest[t] = task.take();
  };
  const std::size_t wanted = num_threads(threads);
  if (num_tasks < 2 * wanted) {
    for (std::size_t t = 0; t < num_tasks; ++t) run(t, threads);
    return nearest;
  }
  parallel_for(num_tasks, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) run(t, 1);
  });
  return nearest;
}

}  // namespace caos
