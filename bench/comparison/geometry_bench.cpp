// What the geometry score costs beside the similarities that it rests on.
//
//   geometry_bench COLUMNS ROWS DIMENSION LABELED TEST LANDMARKS TRIES
//
// Draws images of a smooth field, shifted and with noise, and evaluates test images with geometry
// on one thread. Prints one line of JSON: the seconds of all and of the estimates alone, which are
// similarities, votes and transforms; the multiply-adds of similarities both ways, of which those
// of labeled images are computed once; the peak of the machine in the same run; and the ratios of
// the seconds to those that the multiply-adds take at that peak.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "bench/comparison/int16_peak.hpp"
#include "bench/comparison/measured.hpp"
#include "caos/landmarks/evaluation/landmark_evaluation.hpp"
#include "caos/landmarks/geometry/geometry_estimate.hpp"
#include "caos/rng.hpp"
#include "caos/scorers/unit_rows.hpp"

namespace caos::bench {
namespace {

struct Sizes {
  vision::PatchGrid grid{};
  std::size_t dimension = 0;
  std::size_t labeled = 0;
  std::size_t test = 0;
  std::size_t landmarks = 0;

  /// Of the similarities of all pairs of images.
  [[nodiscard]] double multiply_adds() const {
    const auto pairs = static_cast<double>(labeled * (labeled - 1) + labeled * test);
    const auto patches = static_cast<double>(grid.size());
    return pairs * patches * patches * static_cast<double>(dimension);
  }
};

/// Waves over the image that all images share, each with its own shift and noise.
Matrix<float> draw_image(const Sizes& sizes, vision::Point shift, Rng& rng) {
  Matrix<float> rows(sizes.grid.size(), sizes.dimension);
  for (std::size_t p = 0; p < rows.rows(); ++p) {
    const double x = static_cast<double>(p % sizes.grid.columns) + shift.x;
    const double y = static_cast<double>(p / sizes.grid.columns) + shift.y;
    for (std::size_t d = 0; d < sizes.dimension; ++d) {
      const double angle = 2.4 * static_cast<double>(d);
      const double pace = 0.2 + 0.5 * static_cast<double>(d % 7) / 7;
      const double wave = std::sin(pace * (x * std::cos(angle) + y * std::sin(angle)) + angle);
      rows(p, d) = static_cast<float>(wave + 0.6 * (rng.uniform() - 0.5));
    }
  }
  return unit_rows(rows.view(), "drawn");
}

/// Images with landmarks at the same places of the field.
struct Images {
  Images(const Sizes& sizes, std::size_t count, Rng& rng)
      : labels(count, sizes.landmarks), offsets(count, sizes.landmarks), grids(count, sizes.grid) {
    for (std::size_t i = 0; i < count; ++i) {
      const vision::Point shift{rng.uniform() * 2 - 1, rng.uniform() * 2 - 1};
      images.push_back(draw_image(sizes, shift, rng));
      Rng same(7);
      for (std::size_t t = 0; t < sizes.landmarks; ++t) mark(sizes, i, t, shift, same);
    }
  }

  void mark(const Sizes& sizes, std::size_t i, std::size_t t, vision::Point shift, Rng& same) {
    const auto columns = static_cast<double>(sizes.grid.columns);
    const auto rows = static_cast<double>(sizes.grid.rows);
    const double x = std::clamp(same.uniform() * columns - shift.x, 0.0, columns - 0.01);
    const double y = std::clamp(same.uniform() * rows - shift.y, 0.0, rows - 0.01);
    labels(i, t) = static_cast<std::int64_t>(y) * static_cast<std::int64_t>(sizes.grid.columns) +
                   static_cast<std::int64_t>(x);
    offsets(i, t) = {x - std::floor(x), y - std::floor(y)};
  }

  std::vector<Matrix<float>> images{};
  Matrix<std::int64_t> labels;
  Matrix<Offset> offsets;
  std::vector<vision::PatchGrid> grids;
};

double seconds_of(const LabeledPatches& labeled, const TestPatches& test) {
  LandmarkEvaluateOptions options;
  for (const char* alpha : {"0.05", "0.1", "0.2"}) {
    options.alphas.push_back(Miscoverage::parse(alpha));
  }
  options.score = {PatchScore::Kind::geometry, 0};
  options.threads = 1;
  return measure([&] { (void)evaluate_landmarks(labeled, test, options); }).cpu_seconds;
}

/// Of every image from every labeled one, as the score needs them, without any landmark.
double seconds_of_estimates(const LabeledPatches& labeled, const TestPatches& test) {
  return measure([&] {
           std::vector<std::unique_ptr<const AnchorPatches>> anchors;
           PatchSimilarities scratch;
           for (std::size_t i = 0; i < labeled.size(); ++i) {
             const TargetPatches target(labeled.images[i].view(), labeled.grids[i]);
             for (const auto& other : anchors) {
               (void)estimate_geometry(*other, target, scratch);
               scratch.exchange();
               (void)estimate_geometry(scratch);
             }
             anchors.push_back(
                 std::make_unique<AnchorPatches>(labeled.images[i].view(), labeled.grids[i]));
           }
           for (std::size_t x = 0; x < test.size(); ++x) {
             const Matrix<float> image = test.image(x);
             const TargetPatches target(image.view(), test.grids[x]);
             for (const auto& other : anchors) (void)estimate_geometry(*other, target, scratch);
           }
         })
      .cpu_seconds;
}

double peak() {
  return std::max(highway_peak().multiply_adds_per_second, vnni_peak().multiply_adds_per_second);
}

void run(const Sizes& sizes, int tries) {
  Rng rng(1);
  Images labeled_images(sizes, sizes.labeled, rng);
  const Images test_images(sizes, sizes.test, rng);
  const LabeledPatches labeled{.images = std::move(labeled_images.images),
                               .labels = labeled_images.labels,
                               .tasks = numbered_names(sizes.landmarks),
                               .grids = labeled_images.grids,
                               .offsets = labeled_images.offsets};
  const TestPatches test{.image = [&](std::size_t x) { return test_images.images[x]; },
                         .labels = test_images.labels,
                         .grids = test_images.grids};
  double seconds = seconds_of(labeled, test);
  double of_estimates = seconds_of_estimates(labeled, test);
  double fastest = peak();
  for (int i = 1; i < tries; ++i) {  // in turn, so that both see the same machine
    seconds = std::min(seconds, seconds_of(labeled, test));
    of_estimates = std::min(of_estimates, seconds_of_estimates(labeled, test));
    fastest = std::max(fastest, peak());
  }
  const double at_peak = sizes.multiply_adds() / fastest;
  fmt::print(R"({{"name": "geometry", "cpu_seconds": {:.4f}, "estimates_cpu_seconds": {:.4f}, )"
             R"("multiply_adds": {:.4e}, "int16_peak": {:.4e}, "ratio": {:.3f}, )"
             R"("estimates_ratio": {:.3f}}})"
             "\n",
             seconds, of_estimates, sizes.multiply_adds(), fastest, seconds / at_peak,
             of_estimates / at_peak);
}

}  // namespace
}  // namespace caos::bench

int main(int argc, char** argv) {
  if (argc != 8) {
    fmt::print(stderr,
               "usage: geometry_bench COLUMNS ROWS DIMENSION LABELED TEST LANDMARKS TRIES\n");
    return 2;
  }
  try {
    const auto number = [&](int i) { return std::stoul(argv[i]); };
    caos::bench::run({.grid = {.columns = number(1), .rows = number(2)},
                      .dimension = number(3),
                      .labeled = number(4),
                      .test = number(5),
                      .landmarks = number(6)},
                     std::stoi(argv[7]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "geometry_bench: {}\n", error.what());
    return 1;
  }
}
