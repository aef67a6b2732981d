#include "caos/landmarks/patches/patch_tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "caos/conformal/subject_weights.hpp"
#include "caos/error.hpp"

namespace caos {

Indices all_images(const LabeledPatches& labeled) {
  Indices all(labeled.labels.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

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

}  // namespace caos
