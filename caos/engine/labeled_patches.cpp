#include "caos/engine/labeled_patches.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "caos/core/error.hpp"

namespace caos {

void check(const LabeledPatches& labeled) {
  require(labeled.labels.rows() == labeled.size() && labeled.tasks.size() == labeled.num_tasks() &&
              (labeled.subjects.empty() || labeled.subjects.size() == labeled.size()),
          ErrorKind::invalid_input, "embeddings, labels and names do not fit together");
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    require(labeled.images[i].cols() == labeled.images[0].cols(), ErrorKind::invalid_input,
            [&] { return fmt::format("image {} has embeddings of another dimension", i); });
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      const std::int64_t label = labeled.labels(i, t);
      const auto patches = static_cast<std::int64_t>(labeled.images[i].rows());
      require(label == missing_label || (0 <= label && label < patches), ErrorKind::invalid_input,
              [&] {
                return fmt::format(
                    "landmark {} of image {} is in patch {}; the image has patches 0 "
                    "to {} ({} means missing)",
                    labeled.tasks[t], i, label, patches - 1, missing_label);
              });
    }
  }
}

Matrix<std::int64_t> with_tasks(const Matrix<std::int64_t>& labels, const Indices& tasks) {
  Matrix<std::int64_t> result(labels.rows(), tasks.size());
  for (std::size_t i = 0; i < labels.rows(); ++i) {
    for (std::size_t t = 0; t < tasks.size(); ++t) result(i, t) = labels(i, tasks[t]);
  }
  return result;
}

LabeledPatches with_tasks(LabeledPatches labeled, const Indices& tasks) {
  labeled.labels = with_tasks(labeled.labels, tasks);
  std::vector<std::string> names;
  for (const std::size_t t : tasks) names.push_back(labeled.tasks[t]);
  labeled.tasks = std::move(names);
  return labeled;
}

std::vector<PatchTask> reference_columns(const LabeledPatches& labeled) {
  std::vector<PatchTask> tasks;
  for (const std::string& name : labeled.tasks) tasks.push_back({name, {}, {}});
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < labeled.labels.rows(); ++i) {
    std::map<std::int64_t, std::uint32_t> column_of;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const std::int64_t label = labeled.labels(i, t);
      if (label == missing_label) continue;
      const auto [found, is_new] = column_of.emplace(label, next);
      if (is_new) ++next;
      tasks[t].images.push_back(i);
      tasks[t].columns.push_back(found->second);
    }
  }
  return tasks;
}

ReferencePatches reference_patches(const LabeledPatches& labeled) {
  ReferencePatches references{
      .patches = Matrix<float>(0, labeled.size() == 0 ? 0 : labeled.images[0].cols()),
      .tasks = reference_columns(labeled)};
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    std::set<std::int64_t> seen;
    for (const std::int64_t label : labeled.labels.row(i)) {
      if (label == missing_label || !seen.insert(label).second) continue;
      references.patches.push_row(labeled.images[i].row(static_cast<Label>(label)));
    }
  }
  return references;
}

}  // namespace caos
