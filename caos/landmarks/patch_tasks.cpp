#include "caos/landmarks/patch_tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "caos/conformal/subject_weights.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {
namespace {

constexpr Score infinity = std::numeric_limits<Score>::infinity();

Indices first_indices(std::size_t count) {
  Indices all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

/// The distinct patches that hold a landmark of image `i`, ascending.
std::vector<Label> distinct_labels(const LabeledPatches& labeled, std::size_t i) {
  std::vector<Label> labels;
  for (const std::int64_t label : labeled.labels.row(i)) {
    if (label != missing_label) labels.push_back(static_cast<Label>(label));
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

std::size_t position(const std::vector<Label>& labels, std::int64_t label) {
  return static_cast<std::size_t>(std::ranges::lower_bound(labels, static_cast<Label>(label)) -
                                  labels.begin());
}

/// Fills row `row` of a task's own scores from the scores of one image's landmark patch.
void fill_row(const LabeledPatches& labeled, const PatchTask& task, std::size_t row,
              std::span<const Score> scores, Matrix<Score>& own) {
  for (std::size_t j = 0; j < task.images.size(); ++j) {
    const bool left_out = labeled.same_subject(task.images[row], task.images[j]);
    own(row, j) = left_out ? infinity : scores[task.columns[j]];
  }
}

}  // namespace

std::vector<OwnScores> own_scores(const LabeledPatches& labeled,
                                  const std::vector<PatchTask>& tasks, const PatchScorer& scorer,
                                  std::size_t threads) {
  std::vector<Matrix<Score>> own;
  for (const PatchTask& task : tasks) own.emplace_back(task.images.size(), task.images.size());
  parallel_for(labeled.size(), 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::vector<Label> labels = distinct_labels(labeled, i);
      const Matrix<Score> scores = scorer.scores(labeled.images[i].view(), labels);
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        const auto found = std::ranges::lower_bound(tasks[t].images, i);
        if (found == tasks[t].images.end() || *found != i) continue;
        const auto row = static_cast<std::size_t>(found - tasks[t].images.begin());
        fill_row(labeled, tasks[t], row, scores.row(position(labels, labeled.labels(i, t))),
                 own[t]);
      }
    }
  });
  std::vector<OwnScores> result;
  for (const Matrix<Score>& matrix : own) result.emplace_back(matrix.view());
  return result;
}

OwnScores own_cosine_scores(const LabeledPatches& labeled, const ReferencePatches& references,
                            const PatchTask& task) {
  Matrix<float> rows(0, references.patches.cols());
  for (const std::uint32_t column : task.columns) rows.push_row(references.patches.row(column));
  const PatchScorer scorer(rows, {.kind = PatchScore::Kind::cosine});
  Matrix<Score> own = scorer.scores(rows.view());
  for (std::size_t i = 0; i < own.rows(); ++i) {
    for (std::size_t j = 0; j < own.cols(); ++j) {
      if (labeled.same_subject(task.images[i], task.images[j])) own(i, j) = infinity;
    }
  }
  return OwnScores(std::as_const(own).view());
}

Indices all_images(const LabeledPatches& labeled) { return first_indices(labeled.labels.rows()); }

ExampleWeights weights_by_subject(const LabeledPatches& labeled, const Indices& calibrating) {
  if (labeled.subjects.empty()) return {};
  std::vector<std::size_t> subjects;
  for (const std::size_t i : calibrating) subjects.push_back(labeled.subjects[i]);
  return subject_weights(subjects);
}

ExampleWeights weights_of_task(const ExampleWeights& weights, const Indices& calibrating,
                               const PatchTask& task) {
  Indices positions;
  for (std::size_t c = 0; c < calibrating.size(); ++c) {
    if (std::ranges::binary_search(task.images, calibrating[c])) positions.push_back(c);
  }
  return weights.at(positions);
}

Indices positions_in(const PatchTask& task, const Indices& chosen) {
  Indices positions;
  for (std::size_t p = 0; p < task.images.size(); ++p) {
    if (std::ranges::binary_search(chosen, task.images[p])) positions.push_back(p);
  }
  return positions;
}

PatchTask restricted_to(const PatchTask& task, const Indices& positions) {
  PatchTask result{task.name, {}, {}};
  for (const std::size_t p : positions) {
    result.images.push_back(task.images[p]);
    result.columns.push_back(task.columns[p]);
  }
  return result;
}

std::size_t largest_k(const LabeledPatches& labeled, const PatchTask& task) {
  const std::size_t count = task.images.size();
  if (count == 0) return 0;
  if (labeled.subjects.empty()) return count - 1;
  std::map<std::size_t, std::size_t> images_of;
  for (const std::size_t i : task.images) ++images_of[labeled.subjects[i]];
  std::size_t most = 0;
  for (const auto& [subject, images] : images_of) most = std::max(most, images);
  return count - most;
}

Indices usable_tasks(const LabeledPatches& labeled, std::size_t k) {
  const std::vector<PatchTask> tasks = reference_columns(labeled);
  Indices usable;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (largest_k(labeled, tasks[t]) >= k) usable.push_back(t);
  }
  return usable;
}

std::vector<std::string> names_without(const LabeledPatches& labeled, const Indices& tasks) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
    if (!std::ranges::binary_search(tasks, t)) names.push_back(labeled.tasks[t]);
  }
  return names;
}

std::vector<std::string> drop_unusable(LabeledPatches& labeled, Matrix<std::int64_t>& test_labels,
                                       std::size_t k) {
  const Indices usable = usable_tasks(labeled, k);
  require(!usable.empty(), ErrorKind::invalid_input, [&] {
    return fmt::format("no landmark is in {} labeled images, which k = {} needs", k + 1, k);
  });
  std::vector<std::string> left_out = names_without(labeled, usable);
  if (left_out.empty()) return left_out;
  labeled = with_tasks(std::move(labeled), usable);
  test_labels = with_tasks(test_labels, usable);
  return left_out;
}

std::optional<std::string> left_out_warning(const std::vector<std::string>& left_out,
                                            std::size_t k) {
  if (left_out.empty()) return std::nullopt;
  return fmt::format("left out, as fewer than {} images of different subjects have them: {}", k + 1,
                     fmt::join(left_out, ", "));
}

Calibration calibrate(const OwnScores& own, const Indices& calibrating, std::size_t k,
                      ExampleWeights weights) {
  return {nearest_among(own, calibrating, first_indices(own.size()), k),
          Grouping::none(calibrating.size()), own.size(), std::move(weights)};
}

void gather_pools(MatrixView<const Score> scores, const PatchTask& task, Matrix<Score>& pools) {
  if (pools.rows() != scores.rows() || pools.cols() != task.columns.size()) {
    pools = Matrix<Score>(scores.rows(), task.columns.size());
  }
  for (Label y = 0; y < scores.rows(); ++y) {
    const std::span<const Score> from = scores.row(y);
    const std::span<Score> to = pools.row(y);
    for (std::size_t j = 0; j < to.size(); ++j) to[j] = from[task.columns[j]];
  }
}

ReversePatchScores::ReversePatchScores(const LabeledPatches& labeled, MatrixView<const float> image,
                                       std::span<const Label> candidates, const PatchScore& score)
    : labeled_(labeled),
      num_patches_(image.rows()),
      candidates_(candidates.begin(), candidates.end()) {
  Matrix<float> references(0, image.cols());
  for (const Label y : candidates) references.push_row(image.row(y));
  const PatchScorer scorer(std::move(references), score);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    labels_.push_back(distinct_labels(labeled, i));
    scores_.push_back(scorer.scores(labeled.images[i].view(), labels_.back()));
  }
}

Matrix<Score> ReversePatchScores::of_task(std::size_t task, const PatchTask& images,
                                          const Indices& calibrating) const {
  Matrix<Score> reverse(num_patches_, calibrating.size(), infinity);
  for (std::size_t c = 0; c < calibrating.size(); ++c) {
    const std::size_t i = images.images[calibrating[c]];
    const std::size_t row = position(labels_[i], labeled_.labels(i, task));
    for (std::size_t a = 0; a < candidates_.size(); ++a) {
      reverse(candidates_[a], c) = scores_[i](row, a);
    }
  }
  return reverse;
}

}  // namespace caos
