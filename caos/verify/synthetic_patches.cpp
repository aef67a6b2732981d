#include "caos/verify/synthetic_patches.hpp"

#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/vision/backbones/builtin_backbone.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"

namespace caos {

LabeledPatches drawn_patches(std::size_t count, std::uint64_t seed, std::size_t threads) {
  std::vector<vision::DrawnFace> faces(count);
  parallel_for(count, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) faces[i] = vision::draw_face(seed, i);
  });
  LabeledPatches patches;
  patches.labels = Matrix<std::int64_t>(0, faces.at(0).landmarks.size());
  for (const vision::NamedPoint& point : faces[0].landmarks) patches.tasks.push_back(point.name);
  const auto take = [&](EmbeddedImage&& embedded) {
    std::vector<std::int64_t> labels;
    for (const vision::NamedPoint& point : faces[embedded.index].landmarks) {
      labels.push_back(static_cast<std::int64_t>(embedded.frame.patch_at(point.position)));
    }
    patches.labels.push_row(labels);
    patches.images.push_back(std::move(embedded.patches));
  };
  const vision::BuiltinBackbone backbone(vision::BuiltinBackbone::Version::two);
  EmbedOptions options;
  options.threads = threads;
  static_cast<void>(stream_images(
      backbone, {.count = count, .image = [&](std::size_t i) { return faces[i].image; }}, options,
      in_order(take)));
  return patches;
}

}  // namespace caos
