#include "apps/studio/workbench/desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"
#include "caos/landmarks/image_pool.hpp"
#include "caos/landmarks/matching/patch_pools.hpp"
#include "caos/landmarks/predict_stream.hpp"

namespace caos::studio {
namespace {

/// Images whose scores are kept for the next point that moves.
constexpr std::size_t most_open = 4;

std::vector<double> edges(std::size_t count, const std::function<double(std::size_t)>& edge) {
  std::vector<double> result;
  for (std::size_t i = 0; i <= count; ++i) result.push_back(edge(i));
  return result;
}

/// Where the patches of a frame begin and end, in pixels of the original.
void add_grid(const vision::Frame& frame, ImageRegions& regions) {
  const auto size = static_cast<double>(frame.grid.patch_size);
  regions.columns = frame.grid.columns;
  regions.rows = frame.grid.rows;
  regions.x = edges(frame.grid.columns, [&](std::size_t i) {
    const double x = frame.to_original({static_cast<double>(i) * size, 0}).x;
    return std::clamp(x, 0.0, static_cast<double>(frame.width));
  });
  regions.y = edges(frame.grid.rows, [&](std::size_t i) {
    const double y = frame.to_original({0, static_cast<double>(i) * size}).y;
    return std::clamp(y, 0.0, static_cast<double>(frame.height));
  });
}

/// The pool as a model takes it, where the guarantee is for one of its images.
std::optional<LabeledPool> labeled_pool_of(const ProjectView& view,
                                           const std::vector<std::string>& labeled) {
  if (view.target() != ImageTarget::image) return std::nullopt;
  std::vector<std::string> images;
  std::vector<std::optional<std::string>> subjects;
  for (const auto& [id, card] : view.images()) {
    if (!view.in_pool(card)) continue;
    images.push_back(card.record.name);
    subjects.push_back(card.record.subject);
  }
  return labeled_pool(ImagePool(std::move(images), std::move(subjects)), labeled, {});
}

/// Where a landmark is proposed, in labels of the grid.
std::optional<vision::Point> proposed(const Calibrated& calibrated,
                                      const std::optional<PatchCounts>& counts,
                                      std::size_t landmark, std::size_t columns) {
  if (!counts) return std::nullopt;
  const Offset offset =
      mean_offset(counts->supporting_references, [&](const ImageNeighbor& reference) {
        const vision::Point at = *calibrated.shapes.at(reference.image)[landmark];
        return Offset{.x = at.x - std::floor(at.x), .y = at.y - std::floor(at.y)};
      });
  return position_of(counts->proposal, offset, columns);
}

}  // namespace

PredictedImage PredictionJob::run(std::size_t threads) const {
  ImageScores scores(embedding.patches, padding_of(embedding.frame),
                     {relatives.begin(), relatives.end()}, embedding.frame.grid, embedding.cells);
  scores.update(calibrated->landmarks, threads);
  const Peers peers(calibrated, new_images);
  PredictedImage result{.calibration = calibrated->number, .revision = revision};
  Shape shape;
  for (std::size_t t = 0; t < calibrated->landmarks.num_landmarks(); ++t) {
    std::optional<PatchCounts> counts;  // the proposal does not depend on the peers
    for (const bool at_once : {false, true}) {
      counts = this->counts(scores, peers, t, at_once);
      auto& sizes = at_once ? result.simultaneous : result.each;
      sizes.push_back(counts ? RegionSize(*counts, marked[t]) : RegionSize());
    }
    shape.push_back(proposed(*calibrated, counts, t, embedding.frame.grid.columns));
  }
  result.shape_deviation = calibrated->shape_deviation(shape, embedding);
  return result;
}

std::optional<PatchCounts> PredictionJob::counts(const ImageScores& scores, const Peers& peers,
                                                 std::size_t landmark, bool simultaneous) const {
  if (calibrated->landmarks.calibration(landmark) == nullptr) return std::nullopt;
  const auto others = peers.of(landmark, simultaneous);
  return scores.counts(calibrated->landmarks, landmark, others.get());
}

Desk::Desk(Store& store, Embedder& embedder, Id project, std::size_t threads,
           EmbeddedImages embedded)
    : store_(store),
      embedder_(embedder),
      threads_(threads),
      embedded_before_(std::move(embedded)),
      view_(store, project),
      labeled_(store, embedder, threads) {}

bool Desk::follow() {
  const Refreshed refreshed = view_.refresh();
  take_embedded();
  if (const auto how = embedding_record(); std::exchange(open_as_, how) != how) open_.clear();
  const bool changed = labeled_.follow(view_);
  followed_ = true;
  if (changed) changed_at_ = std::chrono::steady_clock::now();
  list_to_predict(refreshed, changed);
  return changed;
}

/// Embeddings of an earlier desk are on the disk, or are computed again when needed.
void Desk::take_embedded() {
  const EmbeddedImages before = std::exchange(embedded_before_, {});
  if (before.working_size != view_.project().working_size) return;
  for (const Id image : before.images) view_.note_embedded(image, {});
}

void Desk::note_embedded(Id image, const std::string& failure) {
  view_.note_embedded(image, failure);
  // Labeled images calibrate once all of them can: together they share work.
  const auto found = view_.images().find(image);
  const bool counts = found != view_.images().end() && found->second.record.complete;
  if (counts && !view_.is_waiting()) followed_ = false;
  list_to_predict(image);
}

void Desk::note_predicted(Id image, PredictedImage predicted) {
  predicted_[image] = std::move(predicted);
  list_to_predict(image);
}

/// Lists an image to be predicted, or not any more.
void Desk::list_to_predict(Id image) {
  const auto found = view_.images().find(image);
  if (found == view_.images().end()) {
    predicted_.erase(image);
    to_predict_.erase(image);
    return;
  }
  const ImageCard& card = found->second;
  const bool waits = view_.is_for_review(card) && card.embedded &&
                     (!labeled_.calibrated() || predicted(card) == nullptr);
  if (waits) {
    to_predict_.insert(image);
  } else {
    to_predict_.erase(image);
  }
}

/// Those that may have to be predicted again.
void Desk::list_to_predict(const Refreshed& refreshed, bool changed) {
  if (!refreshed.all && !changed) {
    for (const Id image : refreshed.images) list_to_predict(image);
    return;
  }
  std::erase_if(predicted_, [&](const auto& one) { return !view_.images().contains(one.first); });
  to_predict_.clear();
  for (const auto& [id, card] : view_.images()) list_to_predict(id);
}

const PredictedImage* Desk::predicted(const ImageCard& card) const {
  const auto found = predicted_.find(card.record.id);
  if (found == predicted_.end()) return nullptr;
  const bool fresh = found->second.calibration == labeled_.calibrated()->number &&
                     found->second.revision == card.record.revision;
  return fresh ? &found->second : nullptr;
}

std::optional<Id> Desk::next_to_predict() const {
  if (!followed_ || !labeled_.calibrated()->joint || to_predict_.empty()) return std::nullopt;
  return *to_predict_.begin();
}

Embedding Desk::embedding(Id image) {
  const ImageCard& card = view_.image(image);
  const Embedding embedding = embedding_of(store_, embedder_, embedding_record(), card.record);
  if (!card.embedded) note_embedded(image, {});
  return embedding;
}

PredictionJob Desk::job(Id image) {
  const ImageCard& card = view_.image(image);
  PredictionJob job{.image = image,
                    .revision = card.record.revision,
                    .embedding = embedding(image),
                    .relatives = view_.relatives(card, view_.labeled()),
                    .marked = std::vector<std::optional<Label>>(view_.scheme().size()),
                    .new_images = new_images(card),
                    .calibrated = labeled_.calibrated()};
  if (!card.record.complete) return job;
  for (const Point& point : card.reading.points) {
    if (point.state != PointState::visible) continue;
    job.marked[index_of(point.landmark)] = job.embedding.frame.patch_at({point.x, point.y});
  }
  return job;
}

std::size_t Desk::index_of(Id landmark) const {
  const auto& scheme = view_.scheme();
  const auto found = std::ranges::find(scheme, landmark, &SchemeLandmark::id);
  require(found != scheme.end(), ErrorKind::not_found,
          [&] { return fmt::format("landmark {} not found in this project", landmark); });
  return static_cast<std::size_t>(found - scheme.begin());
}

/// The scores of an image, up to date; those of the latest few are kept.
ImageScores& Desk::open(const ImageCard& card) {
  const Id id = card.record.id;
  const std::vector<Id> relatives = view_.relatives(card, view_.labeled());
  const auto found = std::ranges::find_if(open_, [&](const OpenImage& image) {
    return image.image == id && image.relatives == relatives;
  });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    const Embedding embedding = this->embedding(id);
    open_.push_front(
        {id, relatives,
         ImageScores(embedding.patches, padding_of(embedding.frame),
                     {relatives.begin(), relatives.end()}, embedding.frame.grid, embedding.cells)});
    if (open_.size() > most_open) open_.pop_back();
  }
  open_.front().scores.update(labeled_.calibrated()->landmarks, threads_);
  return open_.front().scores;
}

std::vector<SupportingReference> Desk::supporting_references(
    const std::vector<ImageNeighbor>& neighbors, std::size_t landmark) const {
  std::vector<SupportingReference> references;
  for (const ImageNeighbor& neighbor : neighbors) {
    const ImageCard& card = view_.image(neighbor.image);
    const auto label = labeled_.calibrated()->landmarks.image(neighbor.image).labels[landmark];
    const auto point =
        std::ranges::find(card.reading.points, view_.scheme()[landmark].id, &Point::landmark);
    references.push_back({.image = neighbor.image,
                          .patch = static_cast<Label>(label),
                          .score = neighbor.score,
                          .x = point->x,
                          .y = point->y});
  }
  return references;
}

Peers Desk::peers(const ImageCard& card) const { return {labeled_.calibrated(), new_images(card)}; }

/// An image whose subject is labeled has no guarantee, and counts as the only one of its subject.
std::size_t Desk::new_images(const ImageCard& card) const {
  if (!labeled_.calibrated()->pool) return 1;  // nothing depends on it
  return view_.relatives(card, view_.labeled()).empty() ? view_.num_pool_images(card) : 1;
}

LandmarkRegion Desk::region(std::size_t landmark, const PatchCounts& counts, const Embedding& image,
                            std::shared_ptr<const SortedScores> peers) const {
  LandmarkRegion region{
      .landmark = view_.scheme()[landmark].id,
      .n = peers->size(),
      .units = counts.n,
      .exceeding = counts.at_least,
      .proposal = counts.proposal,
      .proposal_score = counts.proposal_score,
      .peers = std::move(peers),
      .supporting_references = supporting_references(counts.supporting_references, landmark)};
  region.offset =
      mean_offset(region.supporting_references, [&](const SupportingReference& reference) {
        return labeled_.embedding(reference.image).frame.offset_at({reference.x, reference.y});
      });
  region.estimate = counts.estimate;
  region.moved = region.estimate.has_value();
  const vision::Point point = image.frame.to_original(
      unrefined_point({region.proposal, region.offset, region.estimate}, image));
  region.x = point.x;
  region.y = point.y;
  return region;
}

/// What moves points of this calibration.
const ProposalRefiner& Desk::refiner() {
  const Calibrated& calibrated = *labeled_.calibrated();
  if (!refiner_ || refiner_->calibration() != calibrated.number) {
    refiner_.emplace(calibrated, [&](Id image) { return labeled_.embedding(image); });
  }
  return *refiner_;
}

/// Moves the proposed points with the pixels of labeled images.
void Desk::refine(const ImageCard& card, ImageRegions& regions) {
  const Embedding embedding = this->embedding(card.record.id);
  std::vector<std::optional<ProposedPlace>> places(view_.scheme().size());
  for (const LandmarkRegion& region : regions.landmarks) {
    places[index_of(region.landmark)] = {region.proposal, region.offset, region.estimate};
  }
  const auto refined = refiner().refine(embedding, places, view_.relatives(card, view_.labeled()));
  for (LandmarkRegion& region : regions.landmarks) {
    const auto& at = refined[index_of(region.landmark)];
    if (!at) continue;
    const vision::Point point = embedding.frame.to_original(*at);
    region.x = point.x;
    region.y = point.y;
    region.moved = true;
  }
}

ImageRegions Desk::regions(Id image, bool simultaneous) {
  const ImageCard& card = view_.image(image);
  require(!view_.is_blind(card), ErrorKind::invalid_input, [&] {
    return fmt::format("{} belongs to the {}, which is labeled without sight of regions",
                       card.record.name, view_.in_sample(card) ? "sample" : "audit");
  });
  const ImageScores& scores = open(card);
  const Embedding embedded = embedding(image);
  const Calibrated& calibrated = *labeled_.calibrated();
  ImageRegions regions{.image = image, .calibration = calibrated.number};
  add_grid(embedded.frame, regions);
  regions.guarantee = guarantee(simultaneous, &card);
  const Peers all_peers = peers(card);
  Shape shape;
  for (std::size_t t = 0; t < view_.scheme().size(); ++t) {
    const bool is_calibrated = calibrated.landmarks.calibration(t) != nullptr;
    const auto others = is_calibrated ? all_peers.of(t, simultaneous) : nullptr;
    const auto counts = scores.counts(calibrated.landmarks, t, others.get());
    shape.push_back(proposed(calibrated, counts, t, embedded.frame.grid.columns));
    if (counts) {
      regions.landmarks.push_back(region(t, *counts, embedded, others));
    } else {
      regions.unavailable.push_back(
          {view_.scheme()[t].id,
           fmt::format("is marked in {} labeled images; k = {} needs {}",
                       calibrated.landmarks.members(t).size(), calibrated.landmarks.options().k,
                       calibrated.landmarks.options().k + 1)});
    }
  }
  regions.shape_deviation = calibrated.shape_deviation(shape, embedded);
  refine(card, regions);
  return regions;
}

std::vector<SupportingReference> Desk::supporting_references(Id image, Id landmark, Label patch) {
  const ImageCard& card = view_.image(image);
  const std::size_t t = index_of(landmark);
  require(!view_.is_blind(card), ErrorKind::invalid_input,
          "images of the sample and of an audit are labeled without sight of regions");
  const ImageScores& scores = open(card);
  const GrowingLandmarks& landmarks = labeled_.calibrated()->landmarks;
  const auto counts = scores.counts(landmarks, t);
  require(counts && patch < counts->at_least.size(), ErrorKind::invalid_input,
          "the landmark has no regions, or the patch is out of range");
  return supporting_references(scores.neighbors(landmarks, t, patch), t);
}

LandmarkModel Desk::model() const {
  const Calibrated& calibrated = *labeled_.calibrated();
  LandmarkExamples examples{.embedding = embedding_record()};
  examples.patches.labels = Matrix<std::int64_t>(0, view_.scheme().size());
  examples.offsets = Matrix<Offset>(0, view_.scheme().size());
  for (const SchemeLandmark& landmark : view_.scheme()) {
    examples.patches.tasks.push_back(landmark.name);
  }
  std::vector<const vision::GrayImage*> gray;
  for (const ImageKey key : calibrated.landmarks.keys()) {
    const KeyedImage& image = calibrated.landmarks.image(key);
    std::vector<Offset> offsets(view_.scheme().size());
    for (const Point& point : view_.image(key).reading.points) {
      if (point.state != PointState::visible) continue;
      offsets[index_of(point.landmark)] =
          labeled_.embedding(key).frame.offset_at({point.x, point.y});
    }
    examples.images.push_back(view_.image(key).record.name);
    examples.patches.images.push_back(*image.patches);
    examples.patches.labels.push_row(image.labels);
    examples.offsets.push_row(offsets);
    examples.grid_columns.push_back(labeled_.embedding(key).frame.grid.columns);
    examples.patch_size = labeled_.embedding(key).frame.grid.patch_size;
    gray.push_back(labeled_.embedding(key).gray.get());
    if (!image.cells) continue;
    examples.patches.grids.push_back(image.grid);
    examples.patches.cells.sources.push_back(*image.cells);
  }
  if (examples.patches.has_cells()) {
    examples.patches.offsets = examples.offsets;
    read_cells(examples.patches, threads_);
  }
  examples.templates = templates_of(gray, examples);
  examples.pool = labeled_pool_of(view_, examples.images);
  // One labeled image of each: no weights, but the guarantee is for a new subject.
  examples.patches.subjects_known = view_.target() == ImageTarget::subject;
  const Settings& settings = view_.project().settings;
  const ChosenScore score = choose_score(settings.score, embedder_.backbone(view_.project()));
  return calibrate_landmarks(std::move(examples), {.k = settings.k,
                                                   .score = score.score,
                                                   .own_parameter = score.own_parameter,
                                                   .threads = threads_});
}

}  // namespace caos::studio
