#include "apps/studio/workbench/workbench.hpp"

#include <algorithm>
#include <utility>

#include "apps/studio/workbench/workbench_impl.hpp"
#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {

Workbench::Workbench(Store& store, WorkbenchOptions options, Listener listener)
    : impl_(std::make_unique<Impl>(store, std::move(options), std::move(listener))) {}

Workbench::~Workbench() = default;

void Workbench::changed(Id project, Id image) {
  const std::shared_ptr<Desk> desk = impl_->desk(project);
  {
    const std::lock_guard lock(desk->mutex);
    desk->note_change(image);
  }
  impl_->wake();
}

void Workbench::forget(Id project) {
  const std::lock_guard lock(impl_->mutex);
  impl_->close(project);
}

ImageRegions Workbench::regions(Id project, Id image, bool simultaneous, Showing showing) {
  bool is_new = false;
  ImageRegions regions = impl_->on(project, [&](Desk& desk) {
    is_new = desk.view().image(image).record.seen_at.empty() || !desk.has_shown_results();
    return desk.regions(image, simultaneous);
  });
  // Where no landmark has a region there is nothing to see.
  if (showing == Showing::to_user && is_new && !regions.landmarks.empty()) {
    note_seen(project, image);
  }
  return regions;
}

std::vector<SupportingReference> Workbench::supporting_references(Id project, Id image, Id landmark,
                                                                  Label patch) {
  bool is_new = false;
  std::vector<SupportingReference> references = impl_->on(project, [&](Desk& desk) {
    is_new = desk.view().image(image).record.seen_at.empty() || !desk.has_shown_results();
    return desk.supporting_references(image, landmark, patch);
  });
  if (is_new) note_seen(project, image);  // scores of patches tell what regions do
  return references;
}

void Workbench::note_all_seen(Id project, Shown shown) {
  note_results_seen(project);
  impl_->store.together([&] {
    const Sampling sampling = impl_->store.project(project).sampling;
    for (const ImageRecord& image : impl_->store.images(project)) {
      const bool is_shown =
          !image.is_blind(sampling) || (shown == Shown::all_unlabeled && !image.complete);
      if (is_shown) impl_->store.mark_seen(project, image.id);
    }
  });
  changed(project);
}

/// Before anything is shown: what is not noted has not been shown.
void Workbench::note_seen(Id project, Id image) {
  note_results_seen(project);
  impl_->store.mark_seen(project, image);
  changed(project, image);
}

/// Sizes of regions and how often they contained a point are results as regions are.
void Workbench::note_results_seen(Id project) {
  if (!impl_->store.project(project).integrity.results_seen_at.empty()) return;
  impl_->store.mark_results_seen(project);
  changed(project);
  impl_->tell({.kind = Event::Kind::project, .project = project});
}

std::vector<QueueEntry> Workbench::queue(Id project, const Miscoverage& alpha, QueueOrder order,
                                         bool simultaneous) {
  bool is_new = false;
  std::vector<QueueEntry> entries = impl_->on(project, [&](Desk& desk) {
    is_new = !desk.has_shown_results();
    return desk.queue(alpha, order, simultaneous);
  });
  const bool shows = std::ranges::any_of(entries, &QueueEntry::predicted);
  if (shows && is_new) note_results_seen(project);
  return entries;
}

Status Workbench::status(Id project, bool simultaneous) {
  bool is_new = false;
  Status status = impl_->on(project, [&](Desk& desk) {
    is_new = !desk.has_shown_results();
    return desk.status(simultaneous);
  });
  if (status.reviewed.points > 0 && is_new) note_results_seen(project);
  return status;
}

LandmarkModel Workbench::model(Id project) {
  return impl_->on(project, [](Desk& desk) { return desk.model(); });
}

std::uint64_t Workbench::num_embedded() const { return impl_->embedder.num_embedded(); }

vision::Frame Workbench::frame_at(const Project& project, const std::string& working_size,
                                  std::size_t width, std::size_t height) const {
  return impl_->embedder.frame(project, working_size, width, height);
}

std::optional<vision::Frame> Workbench::frame(Id project, Id image) {
  return impl_->on(project, [&](Desk& desk) -> std::optional<vision::Frame> {
    if (!desk.view().image(image).failure.empty()) return std::nullopt;
    return desk.embedding(image).frame;
  });
}

}  // namespace caos::studio
