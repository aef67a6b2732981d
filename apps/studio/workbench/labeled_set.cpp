#include "apps/studio/workbench/labeled_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos::studio {
namespace {

/// More new images than this are cheaper to score together.
constexpr std::size_t few_images = 4;

bool is_same(const KeyedImage& a, const KeyedImage& b) {
  const auto same_offset = [](const Offset& one, const Offset& other) {
    return one.x == other.x && one.y == other.y;
  };
  return a.labels == b.labels && std::ranges::equal(a.offsets, b.offsets, same_offset);
}

std::vector<Id> ids_of(const std::vector<SchemeLandmark>& scheme) {
  std::vector<Id> ids;
  for (const SchemeLandmark& landmark : scheme) ids.push_back(landmark.id);
  return ids;
}

void move_points(GrowingLandmarks& landmarks, const KeyedImage& image) {
  for (std::size_t t = 0; t < image.labels.size(); ++t) {
    landmarks.set_label(image.key, t, image.labels[t], image.offset(t));
  }
}

/// How large the subjects of the calibrating images are in the pool, if the guarantee depends on
/// it.
std::optional<PoolSizes> pool_of(const ProjectView& view, const std::vector<KeyedImage>& images) {
  if (view.target() != ImageTarget::image) return std::nullopt;
  PoolSizes pool{.images = view.pool_size(), .of_subject = {}};
  for (const KeyedImage& image : images) {
    pool.of_subject.push_back(view.num_pool_images(view.image(image.key)));
  }
  return pool;
}

bool is_same(const std::optional<PoolSizes>& a, const std::optional<PoolSizes>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->images == b->images && a->of_subject == b->of_subject;
}

}  // namespace

std::optional<double> Calibrated::shape_deviation(const Shape& points,
                                                  const Embedding& image) const {
  const double side =
      image.cells ? side_in_patches(image.frame.grid, image.cells->patches) : 1;  // of a label
  const auto in_patches = [side](Shape shape) {
    for (auto& point : shape) {
      if (point) point = vision::Point{.x = point->x * side, .y = point->y * side};
    }
    return shape;
  };
  std::vector<Shape> labeled;
  for (const auto& [key, shape] : shapes) labeled.push_back(in_patches(shape));
  return LabeledShapes(std::move(labeled)).deviation(in_patches(points));
}

Embedding embedding_of(Store& store, Embedder& embedder, const EmbeddingRecord& how,
                       const ImageRecord& image) {
  return embedder.embed(how, store.path_of(image), image.sha256, image.name);
}

std::vector<std::int64_t> LabeledSet::labels_of(const ProjectView& view, const ImageCard& card,
                                                const vision::Frame& frame) const {
  std::map<Id, std::int64_t> label_of;
  for (const Point& point : card.reading.points) {
    if (point.state != PointState::visible) continue;
    label_of[point.landmark] = static_cast<std::int64_t>(frame.patch_at({point.x, point.y}));
  }
  std::vector<std::int64_t> labels;
  for (const SchemeLandmark& landmark : view.scheme()) {
    const auto found = label_of.find(landmark.id);
    labels.push_back(found == label_of.end() ? missing_label : found->second);
  }
  return labels;
}

/// Where in their patches, for scores that read positions; missing landmarks in the middle.
std::vector<Offset> LabeledSet::offsets_of(const ProjectView& view, const ImageCard& card,
                                           const vision::Frame& frame) const {
  std::vector<Offset> offsets;
  for (const SchemeLandmark& landmark : view.scheme()) {
    const auto found = std::ranges::find_if(card.reading.points, [&](const Point& point) {
      return point.landmark == landmark.id && point.state == PointState::visible;
    });
    offsets.push_back(found == card.reading.points.end() ? middle_of_patch
                                                         : frame.offset_at({found->x, found->y}));
  }
  return offsets;
}

/// Where the landmarks of the present images are.
std::map<ImageKey, Shape> LabeledSet::shapes_of(const ProjectView& view) const {
  std::map<ImageKey, Shape> shapes;
  for (const auto& [id, embedding] : embeddings_) {
    std::map<Id, vision::Point> points;
    const vision::Frame& frame = embedding.frame;
    for (const Point& point : view.image(id).reading.points) {
      const vision::Point at{point.x, point.y};
      if (point.state == PointState::visible) {
        points[point.landmark] =
            position_of(frame.patch_at(at), frame.offset_at(at), frame.grid.columns);
      }
    }
    Shape& shape = shapes[id];
    for (const SchemeLandmark& landmark : view.scheme()) {
      const auto found = points.find(landmark.id);
      shape.push_back(found == points.end() ? std::nullopt : std::optional(found->second));
    }
  }
  return shapes;
}

std::vector<KeyedImage> LabeledSet::present(const ProjectView& view) {
  const EmbeddingRecord how = embedder_.record(view.project());
  if (std::exchange(how_, how) != how)
    embeddings_.clear();  // as with another score, whose cells differ
  std::map<Id, Embedding> embeddings;
  std::vector<KeyedImage> images;
  const std::string& score = view.project().settings.score;
  const bool reads_positions = choose_score(score, how.backbone).score.reads_positions();
  for (const Id id : view.labeled()) {
    const ImageCard& card = view.image(id);
    if (!card.embedded) continue;
    const auto known = embeddings_.find(id);
    const Embedding& embedding =
        embeddings
            .emplace(id, known != embeddings_.end()
                             ? known->second
                             : embedding_of(store_, embedder_, how, card.record))
            .first->second;
    images.push_back({.key = id,
                      .patches = embedding.patches,
                      .labels = labels_of(view, card, embedding.frame),
                      .grid = embedding.frame.grid,
                      .cells = embedding.cells});
    if (reads_positions) images.back().offsets = offsets_of(view, card, embedding.frame);
  }
  embeddings_ = std::move(embeddings);
  std::ranges::sort(images, {}, &KeyedImage::key);
  return images;
}

bool LabeledSet::must_start_again(const ProjectView& view,
                                  const std::vector<KeyedImage>& images) const {
  const Settings& settings = view.project().settings;
  if (!calibrated_ || landmarks_ != ids_of(view.scheme()) || score_ != settings.score ||
      calibrated_->landmarks.options().k != settings.k) {
    return true;
  }
  const auto added = std::ranges::count_if(
      images, [&](const KeyedImage& image) { return !calibrated_->landmarks.contains(image.key); });
  return static_cast<std::size_t>(added) > few_images;
}

bool LabeledSet::follow(const ProjectView& view) {
  std::vector<KeyedImage> images = present(view);
  std::optional<PoolSizes> pool = pool_of(view, images);
  if (!must_start_again(view, images)) {
    const bool changed = change(images, std::move(pool));
    if (changed) calibrated_->shapes = shapes_of(view);
    return changed;
  }
  const Settings& settings = view.project().settings;
  const PatchScore score = choose_score(settings.score, embedder_.backbone(view.project())).score;
  landmarks_ = ids_of(view.scheme());
  score_ = settings.score;
  auto next = std::make_shared<Calibrated>(
      Calibrated{.landmarks = GrowingLandmarks(landmarks_.size(), {.k = settings.k, .score = score},
                                               std::move(images), threads_)});
  next->joint = next->landmarks.joint();
  next->pool = std::move(pool);
  next->shapes = shapes_of(view);
  next->number = calibrated_ ? calibrated_->number + 1 : 1;
  calibrated_ = std::move(next);
  return true;
}

/// The landmarks to change: a copy where the present ones are shared.
GrowingLandmarks& LabeledSet::own() {
  if (calibrated_.use_count() > 1) calibrated_ = std::make_shared<Calibrated>(*calibrated_);
  return calibrated_->landmarks;
}

bool LabeledSet::change(const std::vector<KeyedImage>& images, std::optional<PoolSizes> pool) {
  // Without a change no copy is needed, so look first.
  const GrowingLandmarks& before = calibrated_->landmarks;
  const bool same = is_same(calibrated_->pool, pool) && before.size() == images.size() &&
                    std::ranges::all_of(images, [&](const KeyedImage& image) {
                      return before.contains(image.key) && is_same(before.image(image.key), image);
                    });
  if (same) return false;
  GrowingLandmarks& landmarks = own();
  for (const ImageKey key : landmarks.keys()) {
    if (!std::ranges::binary_search(images, key, {}, &KeyedImage::key)) landmarks.remove_image(key);
  }
  for (const KeyedImage& image : images) {
    if (landmarks.contains(image.key)) {
      move_points(landmarks, image);
    } else {
      landmarks.add_image(image);
    }
  }
  calibrated_->joint = calibrated_->landmarks.joint();
  calibrated_->pool = std::move(pool);
  ++calibrated_->number;
  return true;
}

}  // namespace caos::studio
