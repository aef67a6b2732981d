#pragma once

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::studio::test {

/// A project of synthetic faces with some of their landmarks, and an annotator who knows where they
/// are.
class FaceProject {
 public:
  explicit FaceProject(std::size_t num_faces, std::size_t num_landmarks = 4,
                       const std::vector<std::string>& subjects = {},
                       Settings settings = {.score = "cosine"})
      : store(folder / "data") {
    project = store.add_project("faces", "builtin", "", settings).id;
    std::vector<SchemeLandmark> scheme;
    for (std::size_t i = 0; i < num_faces; ++i) {
      const vision::DrawnFace face = vision::draw_face(5, i);
      NewImage image{.name = fmt::format("face_{}.png", i)};
      if (!subjects.empty()) image.subject = subjects[i];
      const Id id = store.add_image(project, image, vision::encode_png(face.image)).id;
      ids.push_back(id);
      for (std::size_t t = 0; t < num_landmarks; ++t) {
        truth[id].push_back(face.landmarks[t * 7].position);
        if (i == 0) scheme.push_back({.name = face.landmarks[t * 7].name});
      }
    }
    store.replace_scheme(project, 0, scheme, false);
    for (const SchemeLandmark& landmark : store.scheme(project)) landmarks.push_back(landmark.id);
  }

  [[nodiscard]] Workbench open_workbench(Workbench::Listener listener = {}) {
    return Workbench(store, {.threads = 1, .rest = {}}, std::move(listener));
  }

  /// The images of the sample in its order.
  [[nodiscard]] std::vector<Id> sample() {
    const Project present = store.project(project);
    std::map<std::size_t, Id> ordered;
    for (const ImageRecord& image : store.images(project)) {
      if (image.in_sample(present.sampling)) ordered.emplace(*image.order, image.id);
    }
    std::vector<Id> result;
    for (const auto& [order, id] : ordered) result.push_back(id);
    return result;
  }
  /// The others.
  [[nodiscard]] std::vector<Id> rest() {
    const Project present = store.project(project);
    std::vector<Id> result;
    for (const ImageRecord& image : store.images(project)) {
      if (!image.in_sample(present.sampling)) result.push_back(image.id);
    }
    return result;
  }

  void place(Id image, std::size_t landmark, vision::Point point, Source source = Source::blind,
             PointState state = PointState::visible) {
    const Change change{.id = fmt::format("change-{}", ++num_changes),
                        .image = image,
                        .base = store.reading(project, image).revision,
                        .annotator = "Ada",
                        .source = source,
                        .edits = {{landmarks[landmark], state, point.x, point.y}}};
    if (!store.apply(project, change).applied) throw std::runtime_error("conflict");
  }
  /// Puts all landmarks of an image where they are.
  void label(Id image, Source source = Source::blind) {
    for (std::size_t t = 0; t < landmarks.size(); ++t) place(image, t, truth[image][t], source);
  }
  /// Draws a sample and labels it.
  void label_sample(std::size_t size) {
    store.draw_sample(project, size, 7);
    for (const Id image : sample()) label(image);
  }

  caos::test::TempDir folder;
  Store store;
  Id project = 0;
  std::vector<Id> ids{};
  std::vector<Id> landmarks{};
  std::map<Id, std::vector<vision::Point>> truth{};
  int num_changes = 0;
};

/// Waits, a minute at the most, until something is so; whether it is.
inline bool eventually(const std::function<bool()>& is_so) {
  for (int i = 0; i < 3000; ++i) {
    if (is_so()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

/// Waits until all images are embedded and those outside of the sample predicted.
inline bool is_settled(Workbench& workbench, Id project) {
  return eventually([&] {
    const Status status = workbench.status(project, false);
    return status.embedding.done == status.embedding.total &&
           status.prediction.done == status.prediction.total;
  });
}

}  // namespace caos::studio::test
