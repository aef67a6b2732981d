#include "apps/studio/workbench/project_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/studio/store/sampling/looks.hpp"
#include "caos/error.hpp"

namespace caos::studio {

void ProjectView::note_change(Id image) {
  if (image == 0) {
    all_stale_ = true;
  } else {
    stale_.insert(image);
  }
}

Refreshed ProjectView::refresh() {
  Refreshed refreshed{.images = std::exchange(stale_, {})};
  if (!all_stale_ && !refreshed.images.empty()) {
    Project project = store_.project(id_);
    all_stale_ = project.sampling != project_.sampling;  // what images are to it depends on that
    project_ = std::move(project);
  }
  refreshed.all = all_stale_;
  if (all_stale_) {
    read_all();
  } else {
    for (const Id image : refreshed.images) read_image(image);
  }
  return refreshed;
}

void ProjectView::read_all() {
  std::vector<ImageRecord> records;
  std::vector<Reading> readings;
  const std::string working_size = project_.working_size;
  // As of one moment: readings belong to images by their order.
  store_.together([&] {
    project_ = store_.project(id_);
    scheme_ = store_.scheme(id_);
    records = store_.images(id_);
    readings = store_.readings(id_);
  });
  all_stale_ = false;
  std::map<Id, ImageCard> before = std::exchange(images_, {});
  if (project_.working_size != working_size) before.clear();  // all are embedded again
  sample_.clear();
  open_.clear();
  pool_images_.clear();
  pool_size_ = num_with_subject_ = num_reviewable_ = num_review_embedded_ = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    ImageCard card{.record = std::move(records[i]), .reading = std::move(readings[i])};
    if (const auto known = before.find(card.record.id); known != before.end()) {
      card.embedded = known->second.embedded;
      card.failure = known->second.failure;
    }
    put(std::move(card));
  }
}

/// Adds an image to all counts, or with -1, which wraps, takes it out.
void ProjectView::count(const ImageCard& card, std::size_t one) {
  if (in_pool(card)) {
    pool_size_ += one;
    if (card.record.subject) pool_images_[*card.record.subject] += one;
  }
  if (card.record.subject) num_with_subject_ += one;
  if (!is_for_review(card) || !card.failure.empty()) return;
  num_reviewable_ += one;
  if (card.embedded) num_review_embedded_ += one;
}

void ProjectView::list(const ImageCard& card) {
  count(card, 1);
  if (in_sample(card)) sample_[*card.record.order] = card.record.id;
  if (!card.embedded && card.failure.empty()) open_.insert(card.record.id);
}

void ProjectView::unlist(const ImageCard& card) {
  count(card, static_cast<std::size_t>(-1));
  if (in_sample(card)) sample_.erase(*card.record.order);
  open_.erase(card.record.id);
}

/// In place of the one with the same number: references to that stay good.
void ProjectView::put(ImageCard card) {
  const auto [place, is_new] = images_.try_emplace(card.record.id);
  if (!is_new) unlist(place->second);
  place->second = std::move(card);
  list(place->second);
}

void ProjectView::take(Id image) {
  const auto found = images_.find(image);
  if (found == images_.end()) return;
  unlist(found->second);
  images_.erase(found);
}

bool ProjectView::in_pool(const ImageCard& card) const {
  return project_.sampling.kind == Sampling::Kind::given || card.record.order.has_value();
}

ImageTarget ProjectView::target() const {
  return num_with_subject_ > 0 ? parse_target(project_.settings.target) : ImageTarget::any;
}

std::size_t ProjectView::num_pool_images(const ImageCard& card) const {
  if (!card.record.subject || !in_pool(card)) return 1;
  return pool_images_.at(*card.record.subject);
}

void ProjectView::read_image(Id image) {
  ImageCard card;
  try {
    card.record = store_.image(id_, image);
    card.reading = store_.reading(id_, image);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    take(image);
    return;
  }
  if (const auto known = images_.find(image); known != images_.end()) {
    card.embedded = known->second.embedded;
    card.failure = known->second.failure;
  }
  put(std::move(card));
}

void ProjectView::note_embedded(Id image, const std::string& failure) {
  const auto found = images_.find(image);
  if (found == images_.end()) return;
  ImageCard card = found->second;
  card.embedded = failure.empty();
  card.failure = failure;
  put(std::move(card));
}

std::vector<Id> ProjectView::embedded() const {
  std::vector<Id> images;
  for (const auto& [id, card] : images_) {
    if (card.embedded) images.push_back(id);
  }
  return images;
}

const ImageCard& ProjectView::image(Id image) const {
  const auto found = images_.find(image);
  require(found != images_.end(), ErrorKind::not_found,
          [&] { return fmt::format("image {} not found in this project", image); });
  return found->second;
}

std::vector<Id> ProjectView::sample() const {
  std::vector<Id> images;
  for (const auto& [order, id] : sample_) images.push_back(id);
  return images;
}

std::size_t ProjectView::labeled_up_to() const {
  for (const Id id : sample()) {
    const ImageRecord& record = images_.at(id).record;
    if (!record.complete) return *record.order;
  }
  return project_.sampling.size;
}

std::size_t ProjectView::looks_reached() const {
  return studio::looks_reached(project_.sampling, labeled_up_to());
}

std::size_t ProjectView::calibrating_places() const {
  const Sampling& sampling = project_.sampling;
  const std::size_t reached = sampling.looks.empty() ? 0 : looks_reached();
  return reached == 0 ? sampling.size : sampling.looks[reached - 1].size;
}

Miscoverage ProjectView::alpha() const {
  const std::vector<Look>& looks = project_.sampling.looks;
  if (looks.empty()) return Miscoverage::parse(project_.settings.alpha);
  return Miscoverage::parse(looks[std::max<std::size_t>(looks_reached(), 1) - 1].alpha);
}

Miscoverage ProjectView::guaranteed_alpha() const {
  return project_.sampling.looks.size() > 1 ? Miscoverage::parse(project_.settings.alpha) : alpha();
}

std::vector<Id> ProjectView::labeled() const {
  std::vector<Id> candidates = sample();
  // What is labeled beyond a look joins at the next one.
  const std::size_t places = calibrating_places();
  std::erase_if(candidates, [&](Id id) { return *images_.at(id).record.order >= places; });
  if (project_.settings.use_corrections) {
    for (const auto& [id, card] : images_) {
      if (is_for_review(card)) candidates.push_back(id);
    }
  }
  std::vector<Id> labeled;
  std::set<std::string> subjects;
  for (const Id id : candidates) {
    const ImageCard& card = images_.at(id);
    if (!card.record.complete) continue;
    if (card.record.subject && !subjects.insert(*card.record.subject).second) continue;
    labeled.push_back(id);
  }
  return labeled;
}

std::vector<Id> ProjectView::relatives(const ImageCard& card,
                                       const std::vector<Id>& labeled) const {
  std::vector<Id> relatives;
  for (const Id id : labeled) {
    const ImageRecord& other = images_.at(id).record;
    if (id == card.record.id || (other.subject && other.subject == card.record.subject)) {
      relatives.push_back(id);
    }
  }
  return relatives;
}

bool ProjectView::is_open(Id image) const {
  const ImageCard& card = images_.at(image);
  return !card.embedded && card.failure.empty();
}

bool ProjectView::is_waiting() const {
  return std::ranges::any_of(labeled(), [&](Id image) { return is_open(image); });
}

std::optional<Id> ProjectView::next_to_embed() const {
  for (const Id id : sample()) {
    if (is_open(id)) return id;
  }
  return open_.empty() ? std::nullopt : std::optional(*open_.begin());
}

}  // namespace caos::studio
