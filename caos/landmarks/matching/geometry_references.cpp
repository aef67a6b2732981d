#include "caos/landmarks/matching/geometry_references.hpp"

#include <algorithm>

#include "caos/core/parallel_for.hpp"
#include "caos/error.hpp"

namespace caos {

GeometryReferences::GeometryReferences(const LabeledPatches& labeled,
                                       const ReferencePatches& references, std::size_t threads)
    : labeled_(labeled),
      references_(references),
      columns_(references.patches.rows()),
      starts_(labeled.size() + 1),
      anchors_(labeled.size()),
      landmarks_(labeled.size()) {
  require(labeled.grids.size() == labeled.size(), ErrorKind::invalid_input,
          "the score geometry needs to know how the patches of the labeled images lie; give grids");
  const std::vector<PatchTask> tasks = reference_columns(labeled);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (std::size_t p = 0; p < tasks[t].images.size(); ++p) {
      const std::size_t image = tasks[t].images[p];
      columns_[tasks[t].columns[p]] = {image, static_cast<std::size_t>(labeled.labels(image, t))};
    }
  }
  // Columns are numbered image by image.
  for (const Column& column : columns_) ++starts_[column.image + 1];
  for (std::size_t i = 0; i < labeled.size(); ++i) starts_[i + 1] += starts_[i];
  parallel_for(labeled.size(), 1, threads, [&](std::size_t i, std::size_t) {
    anchors_[i] = std::make_unique<AnchorPatches>(labeled.images[i].view(), labeled.patch_grid(i));
    landmarks_[i].resize(labeled.num_tasks());
    for (std::size_t t = 0; t < labeled.num_tasks(); ++t) {
      if (has(i, t)) landmarks_[i][t] = LocalAnchors(labeled.patch_grid(i), labeled.position(i, t));
    }
  });
  for (const auto& anchors : anchors_) {
    largest_error_ = std::max(largest_error_, anchors->coarse().largest_error());
  }
}

}  // namespace caos
