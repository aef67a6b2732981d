// What a desk tells of its project as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "apps/studio/workbench/desk.hpp"
#include "apps/studio/workbench/project_guarantee.hpp"
#include "caos/conformal/exchangeability.hpp"
#include "caos/core/random_use.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

/// What the page tells the price of, besides the target.
constexpr std::array usual_alphas = {"0.2", "0.1", "0.05", "0.02", "0.01"};

AlphaNeeds needs_of(const Miscoverage& alpha, std::size_t n, std::size_t k) {
  const std::size_t labels = std::max(examples_needed(alpha), k + 1);
  return {.alpha = alpha.text(), .labels = labels, .more = labels > n ? labels - n : 0};
}

std::vector<AlphaNeeds> all_needs(const Miscoverage& target, std::size_t n, std::size_t k) {
  std::vector<Miscoverage> alphas = {target};
  for (const char* text : usual_alphas) {
    const auto alpha = Miscoverage::parse(text);
    if (alpha != target) alphas.push_back(alpha);
  }
  std::ranges::sort(alphas, std::greater{});
  std::vector<AlphaNeeds> needs;
  for (const Miscoverage& alpha : alphas) needs.push_back(needs_of(alpha, n, k));
  return needs;
}

/// What is not reviewed yet comes first, and of that what conforms least.
bool is_checked_first(const QueueEntry& a, const QueueEntry& b) {
  if (a.reviewed != b.reviewed) return b.reviewed;
  if (a.predicted != b.predicted) return a.predicted;
  return conforms_less(a.conformity, b.conformity);
}

void add_sizes(std::span<const LandmarkConformity> landmarks, QueueEntry& entry) {
  for (const LandmarkConformity& one : landmarks) {
    entry.lowest_p_value = std::min(entry.lowest_p_value, one.p_value);
    entry.total_size += one.set_size;
    entry.largest_size = std::max(entry.largest_size, one.set_size);
  }
}

/// Of a whole label of this side, a patch or a cell, in square pixels of the original.
double label_area(const vision::Frame& frame, std::size_t pixels) {
  const auto side = static_cast<double>(pixels);
  const vision::Point from = frame.to_original({0, 0});
  const vision::Point to = frame.to_original({side, side});
  return (to.x - from.x) * (to.y - from.y);
}

/// The place in the scheme of the known region with this number.
std::size_t place_of_known(std::span<const RegionSize> regions, std::size_t number) {
  std::size_t place = 0;
  for (std::size_t seen = 0; place < regions.size(); ++place) {
    if (regions[place].is_known() && seen++ == number) break;
  }
  return place;
}

/// Whether a proposal was accepted without review: it says nothing of regions.
bool has_unseen_points(const ImageCard& card) {
  return std::ranges::any_of(card.reading.points,
                             [](const Point& point) { return point.source == Source::automatic; });
}

}  // namespace

Progress Desk::embedding_progress() const { return {view_.num_embedded(), view_.images().size()}; }

Progress Desk::prediction_progress() const {
  if (!followed_ || !labeled_.calibrated()->joint) return {};
  return {view_.num_review_embedded() - to_predict_.size(), view_.num_reviewable()};
}

std::vector<LandmarkConformity> Desk::conformities(const ImageCard& card,
                                                   const PredictedImage& predicted,
                                                   const Miscoverage& alpha,
                                                   bool simultaneous) const {
  const Peers all_peers = peers(card);
  std::vector<LandmarkConformity> landmarks;
  const std::vector<RegionSize>& regions = predicted.sizes(simultaneous);
  for (std::size_t t = 0; t < regions.size(); ++t) {
    if (!regions[t].is_known()) continue;
    landmarks.push_back(regions[t].conformity(alpha, *all_peers.of(t, simultaneous)));
  }
  return landmarks;
}

QueueEntry Desk::queue_entry(const ImageCard& card, const Miscoverage& alpha,
                             bool simultaneous) const {
  QueueEntry entry{.image = card.record.id, .reviewed = card.record.complete};
  const PredictedImage* known = predicted(card);
  if (known == nullptr) return entry;
  const auto landmarks = conformities(card, *known, alpha, simultaneous);
  if (landmarks.empty()) return entry;
  entry.predicted = true;
  entry.conformity = conformity_of(landmarks, known->shape_deviation);
  add_sizes(landmarks, entry);
  const vision::Frame frame = embedder_.frame(view_.project(), view_.project().working_size,
                                              card.record.width, card.record.height);
  const double label = label_area(frame, embedding_record().cell.value_or(frame.grid.patch_size));
  const double image =
      static_cast<double>(card.record.width) * static_cast<double>(card.record.height);
  entry.mean_area = std::min(entry.conformity.mean_set_size * label, image);
  entry.mean_share = entry.mean_area / image;
  const std::size_t worst = review_order(landmarks).front();
  entry.worst_landmark = view_.scheme()[place_of_known(known->sizes(simultaneous), worst)].id;
  return entry;
}

std::vector<QueueEntry> Desk::queue(const Miscoverage& alpha, QueueOrder order,
                                    bool simultaneous) const {
  std::vector<QueueEntry> entries;
  for (const auto& [id, card] : view_.images()) {
    if (view_.is_for_review(card)) entries.push_back(queue_entry(card, alpha, simultaneous));
  }
  if (order == QueueOrder::worst) {
    // Stable: images come in the order of their numbers.
    std::ranges::stable_sort(entries, is_checked_first);
    return entries;
  }
  // A number of its own for each image: an order that stays when images come or go.
  const std::uint64_t seed = view_.project().sampling.seed;
  std::ranges::sort(entries, {}, [&](const QueueEntry& entry) {
    const auto image = static_cast<std::uint64_t>(entry.image);
    return std::pair(stream_for(RandomUse::review_order, seed, image).next(), entry.image);
  });
  return entries;
}

/// How many images subjects of images to review have in the pool: what weights depend on.
std::vector<std::size_t> Desk::subject_sizes() const {
  if (!labeled_.calibrated()->pool) return {1};
  std::set<std::size_t> sizes;
  for (const auto& [id, card] : view_.images()) {
    if (view_.is_for_review(card) && view_.in_pool(card)) sizes.insert(view_.num_pool_images(card));
  }
  return sizes.empty() ? std::vector<std::size_t>{1}
                       : std::vector<std::size_t>(sizes.begin(), sizes.end());
}

/// What a calibrated landmark's labels allow at least, whichever image is new.
void Desk::add_landmark(Status& status, std::size_t t, bool simultaneous) const {
  const Calibrated& calibrated = *labeled_.calibrated();
  const Miscoverage target = view_.alpha();
  const std::size_t members = calibrated.landmarks.members(t).size();
  const std::size_t joint_size = calibrated.joint ? calibrated.joint->size() : 0;
  const std::size_t n = simultaneous ? joint_size : members;
  LandmarkStatus landmark{.landmark = view_.scheme()[t].id,
                          .n = members,
                          .rank = conformal_rank(n, target),
                          .feasible = calibrated.landmarks.calibration(t) != nullptr};
  for (const std::size_t new_images : subject_sizes()) {
    if (!calibrated.landmarks.calibration(t)) break;
    const auto peers = Peers(labeled_.calibrated(), new_images).of(t, simultaneous);
    landmark.feasible = landmark.feasible && peers->is_feasible(target);
    status.smallest_feasible_alpha =
        std::max(status.smallest_feasible_alpha, peers->smallest_feasible_alpha());
    status.weighted = status.weighted || peers->is_weighted();
  }
  status.landmarks.push_back(landmark);
  if (!simultaneous) status.n = std::min(status.n, members);
}

void Desk::add_calibration(Status& status, bool simultaneous) const {
  const Calibrated& calibrated = *labeled_.calibrated();
  const std::size_t joint_size = calibrated.joint ? calibrated.joint->size() : 0;
  status.n = simultaneous ? joint_size : calibrated.landmarks.size();
  status.smallest_feasible_alpha = 0;
  for (std::size_t t = 0; t < view_.scheme().size(); ++t) add_landmark(status, t, simultaneous);
  status.rank = conformal_rank(status.n, view_.alpha());
  status.feasible =
      !status.landmarks.empty() && std::ranges::all_of(status.landmarks, &LandmarkStatus::feasible);
  if (!status.weighted) status.smallest_feasible_alpha = smallest_feasible_alpha(status.n);
  status.needs = all_needs(view_.alpha(), status.n, view_.project().settings.k);
}

ReviewedCoverage Desk::reviewed(bool simultaneous) const {
  const Miscoverage target = view_.alpha();
  ReviewedCoverage coverage;
  for (const auto& [id, card] : view_.images()) {
    const PredictedImage* image = predicted(card);
    if (!view_.is_for_review(card) || !card.record.complete || image == nullptr) continue;
    if (has_unseen_points(card)) continue;
    bool all = true;
    for (const RegionSize& region : image->sizes(simultaneous)) {
      if (!region.is_marked()) continue;
      const bool held = region.holds_marked(target);
      ++coverage.points;
      if (held) ++coverage.covered;
      all = all && held;
    }
    ++coverage.images;
    if (all) ++coverage.images_covered;
  }
  return coverage;
}

/// Images of the sample join in its random order, up to the first that is not labeled.
std::vector<ImageKey> Desk::joining_order() const {
  std::vector<ImageKey> order;
  for (const Id id : view_.sample()) {
    if (!labeled_.calibrated()->landmarks.contains(id)) break;
    order.push_back(id);
  }
  return order;
}

const Alarm& Desk::alarm() const {
  const std::vector<ImageKey> order = joining_order();
  const std::uint64_t number = labeled_.calibrated()->number;
  if (alarm_.number == number && alarm_.order == order) return alarm_.alarm;
  const GrowingLandmarks& landmarks = labeled_.calibrated()->landmarks;
  const auto p_values = online_p_values(landmarks.online_tasks(order), order.size(),
                                        landmarks.options().k, view_.project().sampling.seed);
  ExchangeabilityMartingale martingale;
  Alarm alarm;
  for (const OnlinePValue& value : p_values) {
    martingale.add(value.p);
    alarm.steps.push_back({order[value.example], value.p, martingale.log10_wealth()});
  }
  alarm.log10_largest = martingale.log10_largest();
  alarm.raised = alarm.log10_largest >= std::log10(alarm_limit);
  alarm_ = {number, order, std::move(alarm)};
  return alarm_.alarm;
}

/// Whether the project began with a backbone that the studio was not started with.
bool Desk::has_other_embeddings() const {
  return view_.project().backbone != embedder_.backbone(view_.project());
}

/// Of the project, or of one of its images.
ProjectGuarantee Desk::guarantee(bool simultaneous, const ImageCard* image) const {
  if (has_other_embeddings()) {
    return {
        .alpha = view_.alpha().text(),
        .guaranteed_alpha = view_.guaranteed_alpha().text(),
        .why_none = fmt::format(
            "the studio was started with another --backbone than the project was made with ({}); "
            "start it with that",
            view_.project().backbone)};
  }
  return image != nullptr ? guarantee_of(view_, *image, simultaneous)
                          : guarantee_of(view_, simultaneous);
}

LookStatus Desk::look() const {
  const Sampling& sampling = view_.project().sampling;
  if (sampling.kind == Sampling::Kind::none) return {};
  std::vector<std::size_t> sizes;
  for (const Look& look : sampling.looks) {
    if (look.size <= sampling.size) sizes.push_back(look.size);
  }
  if (sizes.empty()) sizes.push_back(sampling.size);
  LookStatus status{.number = view_.looks_reached(), .count = sizes.size()};
  if (status.number > 0) status.size = sizes[status.number - 1];
  if (status.number < status.count) status.next = sizes[status.number];
  return status;
}

Status Desk::status(bool simultaneous) const {
  Status status{.calibration = labeled_.calibrated()->number, .num_images = view_.images().size()};
  for (const auto& [id, card] : view_.images()) {
    const bool in_sample = view_.in_sample(card);
    const bool for_review = view_.is_for_review(card);
    if (in_sample) ++status.sample_size;
    if (for_review) ++status.num_rest;
    if (in_sample && card.record.complete) ++status.num_labeled;
    if (for_review && card.record.complete) ++status.num_reviewed;
    if (!card.failure.empty()) status.failed.push_back(card.failure);
  }
  add_calibration(status, simultaneous);
  status.guarantee = guarantee(simultaneous);
  status.look = look();
  status.alarm = alarm();
  status.reviewed = reviewed(simultaneous);
  status.embedding = embedding_progress();
  status.prediction = prediction_progress();
  return status;
}

}  // namespace caos::studio
