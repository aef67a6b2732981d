// What the studio's regions cost after one point has moved: 100 labeled faces of 168 patches, 68
// landmarks. The page waits for the sum of both steps (and for a loopback connection:
// bench/studio).

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "apps/studio/workbench/workbench.hpp"
#include "caos/landmarks/landmark_predictor.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/drawing/synthetic_face.hpp"

namespace {

using namespace caos;
using namespace caos::studio;

constexpr std::size_t num_labeled = 100;
constexpr std::size_t num_others = 20;
constexpr std::size_t num_landmarks = 68;

/// Drawn faces have 42 landmarks; the others are beside them.
vision::Point place(const vision::DrawnFace& face, std::size_t landmark) {
  const vision::Point at = face.landmarks[landmark % face.landmarks.size()].position;
  const double shift = 9.0 * static_cast<double>(landmark / face.landmarks.size());
  return {std::min(at.x + shift, 177.0), std::min(at.y + shift, 217.0)};
}

/// A project at work, in a folder that goes with it.
class Studio {
 public:
  explicit Studio(const std::string& score)
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("caos-studio-bench-{}", ::getpid())),
        store_(std::make_unique<Store>(folder_.string())) {
    project_ = store_->add_project("bench", "builtin", "", {.score = score}).id;
    add_scheme();
    for (std::size_t i = 0; i < num_labeled + num_others; ++i) add_face(i);
    store_->draw_sample(project_, num_labeled, 1);
    label_sample();
    workbench_ = std::make_unique<Workbench>(*store_, WorkbenchOptions{}, Workbench::Listener{});
    while (is_busy()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

  ~Studio() {
    workbench_.reset();
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  /// Moves a point to another patch and back, time after time; safe on the disk when it returns.
  void move_point() {
    const Id image = sample_[moves_ % sample_.size()];
    const vision::DrawnFace& face = faces_[static_cast<std::size_t>(image) - first_];
    vision::Point at = place(face, moves_ % num_landmarks);
    if (moves_ / sample_.size() % 2 == 0) at.x = at.x > 100 ? at.x - 32 : at.x + 32;
    store_->apply(
        project_,
        change(image, {{landmarks_[moves_ % num_landmarks], PointState::visible, at.x, at.y}}));
    workbench_->changed(project_, image);
    ++moves_;
  }

  [[nodiscard]] ImageRegions regions() {
    return workbench_->regions(project_, open_, false, Showing::internally);
  }

  [[nodiscard]] LandmarkModel model() { return workbench_->model(project_); }

 private:
  void add_scheme() {
    std::vector<SchemeLandmark> scheme;
    for (std::size_t t = 0; t < num_landmarks; ++t)
      scheme.push_back({.name = fmt::format("{}", t)});
    store_->replace_scheme(project_, 0, scheme, false);
    for (const SchemeLandmark& landmark : store_->scheme(project_)) {
      landmarks_.push_back(landmark.id);
    }
  }

  void add_face(std::size_t index) {
    faces_.push_back(vision::draw_face(3, index));
    const Id id = store_
                      ->add_image(project_, {.name = fmt::format("{}.png", index)},
                                  vision::encode_png(faces_.back().image))
                      .id;
    if (index == 0) first_ = static_cast<std::size_t>(id);
  }

  void label_sample() {
    const Project project = store_->project(project_);
    for (const ImageRecord& image : store_->images(project_)) {
      if (!image.in_sample(project.sampling)) {
        open_ = image.id;
        continue;
      }
      sample_.push_back(image.id);
      std::vector<Edit> edits;
      for (std::size_t t = 0; t < num_landmarks; ++t) {
        const vision::Point at = place(faces_[static_cast<std::size_t>(image.id) - first_], t);
        edits.push_back({landmarks_[t], PointState::visible, at.x, at.y});
      }
      store_->apply(project_, change(image.id, edits));
    }
  }

  [[nodiscard]] Change change(Id image, std::vector<Edit> edits) {
    return {.id = fmt::format("change-{}", ++changes_),
            .image = image,
            .base = store_->reading(project_, image).revision,
            .annotator = "bench",
            .edits = std::move(edits)};
  }

  [[nodiscard]] bool is_busy() {
    const Status status = workbench_->status(project_, false);
    return status.embedding.done < status.embedding.total ||
           status.prediction.done < status.prediction.total;
  }

  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Workbench> workbench_;
  Id project_ = 0;
  Id open_ = 0;
  std::size_t first_ = 0;
  std::vector<vision::DrawnFace> faces_;
  std::vector<Id> landmarks_;
  std::vector<Id> sample_;
  std::size_t moves_ = 0;
  int changes_ = 0;
};

Studio& studio(const std::string& score) {
  static std::unique_ptr<Studio> open;
  static std::string open_score;
  if (open_score != score) {
    open.reset();
    open = std::make_unique<Studio>(score);
    open_score = score;
  }
  return *open;
}

/// One point moves, and the open image's regions are there again.
void regions_after_a_move(benchmark::State& state, const std::string& score) {
  Studio& at_work = studio(score);
  benchmark::DoNotOptimize(at_work.regions());
  for (auto _ : state) {
    at_work.move_point();
    benchmark::DoNotOptimize(at_work.regions());
  }
}

/// The same without memory of what was there before: calibrated again, at one alpha.
void again(benchmark::State& state, const std::string& score) {
  Studio& at_work = studio(score);
  for (auto _ : state) benchmark::DoNotOptimize(at_work.model());
}

BENCHMARK_CAPTURE(regions_after_a_move, cosine, std::string("cosine"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(again, cosine, std::string("cosine"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(regions_after_a_move, softmax, std::string("softmax"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(again, softmax, std::string("softmax"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(regions_after_a_move, geometry, std::string("geometry"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(again, geometry, std::string("geometry"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
