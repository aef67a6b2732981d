#include "caos/landmarks/points/point_measurement.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/error.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"
#include "caos/landmarks/landmark_acceptance.hpp"
#include "caos/landmarks/points/point_baselines.hpp"

namespace caos {
namespace {

using Points = std::vector<vision::Point>;  ///< by landmark

Indices all_of(const AnnotatedImages& images) {
  Indices indices(images.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

EmbeddedImage test_image(const PointTest& test, std::size_t x) {
  const std::size_t i = test.test[x];
  EmbeddedImage image{.index = x, .frame = test.images.frames[i]};
  image.patches = test.images.patches.images[i];
  if (i < test.images.gray.size()) image.gray = test.images.gray[i];
  if (test.images.patches.has_cells()) image.cells = test.images.patches.cells.sources[i];
  return image;
}

// Proposals, on all processes.

/// Proposes points from labeled images that it keeps.
class Proposer {
 public:
  Proposer(AnnotatedImages labeled, const PointTestOptions& options)
      : labeled_(std::move(labeled)),
        proposer_(labeled_, all_of(labeled_), EmbeddingRecord{}, options.model) {
    require(proposer_.left_out().empty(), ErrorKind::invalid_input,
            "a landmark has too few labeled images for k; leave it out");
  }

  [[nodiscard]] Points propose(const EmbeddedImage& image) const {
    return proposer_
        .propose(image.patches.view(), image.frame, image.gray,
                 image.cells ? &*image.cells : nullptr)
        .points;
  }

 private:
  AnnotatedImages labeled_;
  LandmarkProposer proposer_;
};

std::vector<Points> propose_all(const Proposer& proposer, const PointTest& test,
                                const PointTestOptions& options) {
  std::vector<Points> points(test.test.size());
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(points.size(), 1, options.model.threads, [&](std::size_t x, std::size_t) {
    points[x] = proposer.propose(test_image(test, x));
    const std::lock_guard lock(mutex);
    if (options.progress) options.progress(++done, points.size());
  });
  return points;
}

/// What another process gets: some test images.
std::vector<EmbeddedImage> unpack_images(std::span<const std::byte> piece) {
  dist::Unpacker unpacker(piece);
  std::vector<EmbeddedImage> images(unpacker.get_size());
  for (EmbeddedImage& image : images) image = unpack_embedded(unpacker);
  return images;
}

dist::Bytes proposals_for(const std::vector<EmbeddedImage>& images, const Proposer& proposer,
                          std::size_t threads) {
  std::vector<Points> points(images.size());
  parallel_for(images.size(), 1, threads,
               [&](std::size_t i, std::size_t) { points[i] = proposer.propose(images[i]); });
  dist::Packer packer;
  for (const Points& of_image : points) packer.put_all(std::span(of_image));
  return packer.take();
}

/// `test` is the first process's; null elsewhere.
std::vector<Points> share_proposals(const Proposer& proposer, const PointTest* test,
                                    const PointTestOptions& options) {
  const std::size_t count = test == nullptr ? 0 : test->test.size();
  const std::size_t threads = num_threads(options.model.threads);
  const std::size_t per_piece = dist::items_per_piece(count, options.processes->size(), threads);
  std::vector<Points> points;
  std::size_t next = 0;
  dist::SharedWork work;
  work.next = [&]() -> std::optional<dist::Bytes> {
    if (next == count) return std::nullopt;
    const std::size_t last = std::min(next + per_piece, count);
    dist::Packer packer;
    packer.put<std::uint64_t>(last - next);
    for (; next < last; ++next) pack(packer, test_image(*test, next));
    return packer.take();
  };
  work.compute = [&](std::span<const std::byte> piece) {
    return proposals_for(unpack_images(piece), proposer, threads);
  };
  work.collect = [&](std::size_t piece, const dist::Bytes& message) {
    dist::Unpacker unpacker(message);
    const std::size_t last = std::min((piece + 1) * per_piece, count);
    while (points.size() < last) points.push_back(unpacker.get_all<vision::Point>());
    if (options.progress) options.progress(points.size(), count);
  };
  share(*options.processes, work);
  return points;
}

std::vector<Points> proposals(const AnnotatedImages& labeled, const PointTest& test,
                              const PointTestOptions& options) {
  if (options.processes == nullptr || options.processes->size() == 1) {
    return propose_all(Proposer(labeled, options), test, options);
  }
  static_cast<void>(from_first(*options.processes, [&] {
    dist::Packer packer;
    pack(packer, labeled);
    return packer.take();
  }));
  std::optional<Proposer> proposer;
  together(*options.processes, [&] { proposer.emplace(labeled, options); });
  return share_proposals(*proposer, &test, options);
}

// Comparing.

/// The test images that are measured.
class Comparison {
 public:
  explicit Comparison(const PointTest& test)
      : truth_(0, test.landmarks.size()),
        labels_(with_tasks(select(test.images.patches.labels, test.test), test.landmarks)) {
    for (const std::size_t i : test.test) {
      Points points;
      for (const std::size_t t : test.landmarks) points.push_back(test.images.points(i, t));
      truth_.push_row(points);
    }
  }

  [[nodiscard]] SourcePoints compare(PointSource source, const std::vector<Points>& points) const {
    SourcePoints result{.source = source, .points = Matrix<vision::Point>(0, truth_.cols())};
    for (const Points& of_image : points) result.points.push_row(of_image);
    result.errors = point_distances(result.points, truth_, labels_);
    return result;
  }

 private:
  Matrix<vision::Point> truth_;
  Matrix<std::int64_t> labels_;
};

bool has_pixels(const PointTest& test) {
  return std::ranges::all_of(test.test, [&](std::size_t i) {
    return i < test.images.gray.size() && test.images.gray[i].rows() > 0;
  });
}

void add_baselines(const AnnotatedImages& labeled, const PointTest& test,
                   const Comparison& comparison, PointOutcomes& outcomes) {
  const PointBaselines baselines(labeled);
  std::vector<Points> nearest;
  std::vector<Points> mean;
  const bool has_nearest = baselines.has_thumbnails() && has_pixels(test);
  for (const std::size_t i : test.test) {
    const vision::Frame& frame = test.images.frames[i];
    mean.push_back(baselines.mean_position(frame));
    if (has_nearest) nearest.push_back(baselines.nearest_image(test.images.gray[i], frame));
  }
  if (has_nearest) {
    outcomes.sources.push_back(comparison.compare(PointSource::nearest_image, nearest));
  }
  outcomes.sources.push_back(comparison.compare(PointSource::mean_position, mean));
}

}  // namespace

PointOutcomes measure_points(const PointTest& test, const PointTestOptions& options) {
  AnnotatedImages labeled = with_tasks(select(test.images, test.labeled), test.landmarks);
  labeled.patches.subjects = subjects_of(test.images.patches, test.labeled);
  const Comparison comparison(test);
  PointOutcomes outcomes{.subjects = subjects_of(test.images.patches, test.test),
                         .over_subjects = options.target != ImageTarget::image};
  for (const std::size_t i : test.test) outcomes.units.push_back(test.units[i]);
  outcomes.sources.push_back(
      comparison.compare(PointSource::proposal, proposals(labeled, test, options)));
  add_baselines(labeled, test, comparison, outcomes);
  return outcomes;
}

void help_to_measure_points(const PointTestOptions& options) {
  const dist::Bytes message = from_first(*options.processes, {});
  std::optional<Proposer> proposer;
  together(*options.processes, [&] {
    dist::Unpacker unpacker(message);
    proposer.emplace(unpack_annotated(unpacker), options);
  });
  static_cast<void>(share_proposals(*proposer, nullptr, options));
}

}  // namespace caos
