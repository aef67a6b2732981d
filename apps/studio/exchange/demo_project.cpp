#include "apps/studio/exchange/demo_project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "apps/studio/exchange/import_scheme.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {
namespace {

constexpr std::size_t num_faces = 120;
constexpr std::size_t sample_size = 60;
constexpr std::uint64_t sample_seed = 7;
constexpr int jpeg_quality = 95;

struct Face {
  std::vector<std::byte> jpeg{};
  std::vector<vision::NamedPoint> landmarks{};
};

std::vector<Face> draw_faces() {
  std::vector<Face> faces(num_faces);
  parallel_for(faces.size(), 1, 0, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      vision::DrawnFace drawn = vision::draw_face(vision::default_series, i);
      faces[i] = {vision::encode_jpeg(drawn.image, jpeg_quality), std::move(drawn.landmarks)};
    }
  });
  return faces;
}

std::vector<SchemeLandmark> scheme_of(const Face& face) {
  std::vector<std::string> names;
  for (const vision::NamedPoint& point : face.landmarks) names.push_back(point.name);
  return scheme_from_names(names);
}

/// The true landmarks of an image, as an annotator without proposals would place them.
Change truth_of(const ImageRecord& image, const Face& face,
                const std::vector<SchemeLandmark>& scheme) {
  Change change{.id = fmt::format("demo-{}", image.id), .image = image.id, .annotator = "demo"};
  for (std::size_t t = 0; t < scheme.size(); ++t) {
    change.edits.push_back({.landmark = scheme[t].id,
                            .state = PointState::visible,
                            .x = face.landmarks[t].position.x,
                            .y = face.landmarks[t].position.y});
  }
  return change;
}

/// Those of the sample, in the order in which they are to be labeled.
std::vector<std::size_t> sample_in(const std::vector<ImageRecord>& images,
                                   const Sampling& sampling) {
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].in_sample(sampling)) sample.push_back(i);
  }
  std::ranges::sort(sample, {}, [&](std::size_t i) { return *images[i].order; });
  return sample;
}

Id fill(Store& store, const std::vector<Face>& faces) {
  const Project project = store.add_project("Drawn faces (demo)", default_backbone,
                                            std::string(vision::default_working_size), {});
  for (std::size_t i = 0; i < faces.size(); ++i) {
    store.add_image(project.id, {.name = fmt::format("face_{:03}.jpg", i)}, faces[i].jpeg);
  }
  store.replace_scheme(project.id, project.scheme_revision, scheme_of(faces[0]), false);
  const Sampling sampling = store.draw_sample(project.id, sample_size, sample_seed).sampling;
  const std::vector<ImageRecord> images = store.images(project.id);  // as they were added
  const std::vector<SchemeLandmark> scheme = store.scheme(project.id);
  std::vector<Change> changes;
  for (const std::size_t i : sample_in(images, sampling)) {
    changes.push_back(truth_of(images[i], faces[i], scheme));
  }
  store.apply_all(project.id, changes);
  return project.id;
}

}  // namespace

Project make_demo_project(Store& store) {
  const std::vector<Face> faces = draw_faces();
  Id project = 0;
  store.together([&] { project = fill(store, faces); });
  return store.project(project);
}

}  // namespace caos::studio
