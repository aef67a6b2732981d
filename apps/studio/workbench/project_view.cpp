#include "apps/studio/workbench/project_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/studio/store/looks.hpp"
#include "caos/error.hpp"

namespace caos::studio {

void ProjectView::note_change(Id image) {
  if (image == 0) {
    all_stale_ = true;
  } else {
    stale_.insert(image);
  }
}

void ProjectView::refresh() {
  for (const Id image : std::exchange(stale_, {})) {
    if (!all_stale_) read_image(image);
  }
  if (all_stale_) read_all();
}

void ProjectView::read_all() {
  std::vector<ImageRecord> records;
  std::vector<Reading> readings;
  // As of one moment: readings belong to images by their order.
  store_.together([&] {
    project_ = store_.project(id_);
    scheme_ = store_.scheme(id_);
    records = store_.images(id_);
    readings = store_.readings(id_);
  });
  all_stale_ = false;
  std::map<Id, ImageCard> images;
  for (std::size_t i = 0; i < records.size(); ++i) {
    ImageCard& card = images[records[i].id];
    if (const auto known = images_.find(records[i].id); known != images_.end()) {
      card.embedded = known->second.embedded;
      card.failure = known->second.failure;
    }
    card.record = std::move(records[i]);
    card.reading = std::move(readings[i]);
  }
  images_ = std::move(images);
  count_pool();
}

void ProjectView::count_pool() {
  pool_size_ = 0;
  pool_images_.clear();
  for (const auto& [id, card] : images_) {
    if (!in_pool(card)) continue;
    ++pool_size_;
    if (card.record.subject) ++pool_images_[*card.record.subject];
  }
}

bool ProjectView::in_pool(const ImageCard& card) const {
  return project_.sampling.kind == Sampling::Kind::given || card.record.order.has_value();
}

ImageTarget ProjectView::target() const {
  const bool has_subjects = std::ranges::any_of(
      images_, [](const auto& image) { return image.second.record.subject.has_value(); });
  return has_subjects ? parse_target(project_.settings.target) : ImageTarget::any;
}

std::size_t ProjectView::num_pool_images(const ImageCard& card) const {
  if (!card.record.subject || !in_pool(card)) return 1;
  return pool_images_.at(*card.record.subject);
}

void ProjectView::read_image(Id image) {
  const auto found = images_.find(image);
  if (found == images_.end()) {
    all_stale_ = true;
    return;
  }
  try {
    found->second.record = store_.image(id_, image);
    found->second.reading = store_.reading(id_, image);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    all_stale_ = true;  // it went
  }
}

void ProjectView::note_embedded(Id image, const std::string& failure) {
  const auto found = images_.find(image);
  if (found == images_.end()) return;
  found->second.embedded = failure.empty();
  found->second.failure = failure;
}

const ImageCard& ProjectView::image(Id image) const {
  const auto found = images_.find(image);
  require(found != images_.end(), ErrorKind::not_found,
          [&] { return fmt::format("image {} not found in this project", image); });
  return found->second;
}

std::vector<Id> ProjectView::sample() const {
  std::vector<std::pair<std::size_t, Id>> ordered;
  for (const auto& [id, card] : images_) {
    if (in_sample(card)) ordered.emplace_back(*card.record.order, id);
  }
  std::ranges::sort(ordered);
  std::vector<Id> images;
  for (const auto& [order, id] : ordered) images.push_back(id);
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
  for (const auto& [id, card] : images_) {
    if (is_open(id)) return id;
  }
  return std::nullopt;
}

}  // namespace caos::studio
