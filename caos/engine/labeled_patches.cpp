#include "caos/engine/labeled_patches.hpp"

#include <fmt/format.h>

#include <map>

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

ReferencePatches reference_patches(const LabeledPatches& labeled) {
  ReferencePatches references;
  references.patches = Matrix<float>(0, labeled.size() == 0 ? 0 : labeled.images[0].cols());
  for (const std::string& name : labeled.tasks) references.tasks.push_back({name, {}, {}});
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    std::map<std::int64_t, std::uint32_t> column_of;
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      const std::int64_t label = labeled.labels(i, t);
      if (label == missing_label) continue;
      const auto next = static_cast<std::uint32_t>(references.patches.rows());
      const auto [found, is_new] = column_of.emplace(label, next);
      if (is_new) references.patches.push_row(labeled.images[i].row(static_cast<Label>(label)));
      references.tasks[t].images.push_back(i);
      references.tasks[t].columns.push_back(found->second);
    }
  }
  return references;
}

}  // namespace caos
