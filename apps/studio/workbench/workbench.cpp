#include "apps/studio/workbench/workbench.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "apps/studio/workbench/desk.hpp"
#include "apps/studio/workbench/embedder.hpp"
#include "caos/error.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {
namespace {

/// How often listeners hear of progress, at most.
constexpr std::chrono::milliseconds between_news{200};

/// How long the worker sleeps where points have to come to rest first.
constexpr std::chrono::milliseconds nap{250};

/// Projects whose calibrations and predictions are kept in memory.
constexpr std::size_t most_desks = 3;

}  // namespace

/// Desks by project, and one thread that embeds and predicts in the background.
struct Workbench::Impl {
  struct OpenDesk {
    Id project;
    std::shared_ptr<Desk> desk;
  };

  Impl(Store& opened_store, WorkbenchOptions chosen, Listener who)
      : store(opened_store),
        options(std::move(chosen)),
        listener(std::move(who)),
        embedder(options.backbone,
                 cache_folder(store.folder() + "/cache/embeddings", options.cache_bytes)),
        worker([this](const std::stop_token& stop) { work(stop); }) {}

  ~Impl() {
    {
      // Else the worker might have looked just before, and sleep through the call.
      const std::lock_guard lock(mutex);
      worker.request_stop();
    }
    awake.notify_all();
  }

  /// The desk of a project, opened if need be. Of too many, the one that was used longest ago is
  /// closed.
  std::shared_ptr<Desk> desk(Id project) {
    std::shared_ptr<Desk> opened;
    std::optional<OpenDesk> closed;
    {
      const std::lock_guard lock(mutex);
      opened = open(project).desk;
      if (desks.size() > most_desks) {
        closed = desks.back();
        desks.pop_back();
      }
    }
    if (closed) remember(*closed);
    return opened;
  }

  /// Requires the lock.
  OpenDesk& open(Id project) {
    const auto found = std::ranges::find(desks, project, &OpenDesk::project);
    if (found != desks.end()) {
      desks.splice(desks.begin(), desks, found);
    } else {
      desks.push_front({project, std::make_shared<Desk>(store, embedder, project, options.threads,
                                                        std::exchange(closed_desks[project], {}))});
      closed_desks.erase(project);
    }
    return desks.front();
  }

  /// What a desk had embedded need not be looked for again when it is opened the next time.
  void remember(const OpenDesk& closed) {
    EmbeddedImages embedded;
    {
      const std::lock_guard lock(closed.desk->mutex);
      embedded = closed.desk->embedded();
    }
    const std::lock_guard lock(mutex);
    closed_desks[closed.project] = std::move(embedded);
  }

  /// Requires the lock.
  void close(Id project) {
    std::erase_if(desks, [&](const OpenDesk& open) { return open.project == project; });
    closed_desks.erase(project);
  }

  void wake() {
    {
      const std::lock_guard lock(mutex);
      has_work = true;
    }
    awake.notify_all();
  }

  /// Runs `body` on the project as the store has it now.
  template <typename Body>
  auto on(Id project, const Body& body) {
    const std::shared_ptr<Desk> desk = this->desk(project);
    bool changed = false;
    auto result = [&] {
      const std::lock_guard lock(desk->mutex);
      if (desk->is_stale()) changed = desk->follow();
      return body(*desk);
    }();
    if (changed) tell({.kind = Event::Kind::calibration, .project = project});
    wake();
    return result;
  }

  void tell(const Event& event) const {
    if (listener) listener(event);
  }

  /// Progress, now and then, and always the last of it.
  void tell_progress(Event::Kind kind, Id project, const Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (progress.done < progress.total && now - told_at < between_news) return;
    told_at = now;
    tell({.kind = kind, .project = project, .done = progress.done, .total = progress.total});
  }

  std::list<OpenDesk> open_desks() {
    const std::lock_guard lock(mutex);
    has_work = false;
    return desks;
  }

  void work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      bool busy = false;
      bool resting = false;
      try {
        for (const auto& [project, desk] : open_desks()) {
          if (stop.stop_requested()) return;
          busy = attempt(project, *desk, resting) || busy;
        }
      } catch (const std::bad_alloc&) {
        resting = true;  // others may give some memory back
      }
      if (!busy) sleep(stop, resting);
    }
  }

  void sleep(const std::stop_token& stop, bool resting) {
    std::unique_lock lock(mutex);
    const auto may_go_on = [&] { return has_work || stop.stop_requested(); };
    if (resting) {
      awake.wait_for(lock, nap, may_go_on);
    } else {
      awake.wait(lock, may_go_on);
    }
  }

  /// One piece of work for a project. What fails here fails again for the next request, which
  /// reports it.
  bool attempt(Id project, Desk& desk, bool& resting) {
    try {
      return step(project, desk, resting);
    } catch (const std::exception&) {
      const std::lock_guard lock(mutex);
      close(project);  // it may be gone; the next request opens it again
      return false;
    }
  }

  bool step(Id project, Desk& desk, bool& resting) {
    std::unique_lock lock(desk.mutex);
    if (desk.is_stale()) {
      const bool changed = desk.follow();
      lock.unlock();
      if (changed) tell({.kind = Event::Kind::calibration, .project = project});
      return true;
    }
    if (const auto image = desk.next_to_embed()) {
      const ImageRecord record = desk.view().image(*image).record;
      const EmbeddingRecord how = desk.embedding_record();
      lock.unlock();
      embed(project, desk, record, how);
      return true;
    }
    const auto image = desk.next_to_predict();
    if (!image) return false;
    resting = std::chrono::steady_clock::now() - desk.changed_at() < options.rest;
    if (resting) return false;
    const PredictionJob job = desk.job(*image);
    lock.unlock();
    predict(project, desk, job);
    return true;
  }

  void embed(Id project, Desk& desk, const ImageRecord& record, const EmbeddingRecord& how) {
    std::string failure;
    try {
      (void)embedding_of(store, embedder, how, record);
    } catch (const Error& error) {
      failure = error.what();
    }
    Progress progress;
    {
      const std::lock_guard lock(desk.mutex);
      desk.note_embedded(record.id, failure);
      progress = desk.embedding_progress();
    }
    tell_progress(Event::Kind::embedding, project, progress);
  }

  void predict(Id project, Desk& desk, const PredictionJob& job) {
    PredictedImage predicted = job.run(1);
    Progress progress;
    {
      const std::lock_guard lock(desk.mutex);
      desk.note_predicted(job.image, std::move(predicted));
      progress = desk.prediction_progress();
    }
    tell_progress(Event::Kind::prediction, project, progress);
  }

  Store& store;
  WorkbenchOptions options;
  Listener listener;
  Embedder embedder;

  std::mutex mutex;  ///< of what follows; never held while a desk's is taken
  std::condition_variable awake;
  std::list<OpenDesk> desks;                  ///< the one used last comes first
  std::map<Id, EmbeddedImages> closed_desks;  ///< what those had embedded
  bool has_work = false;

  std::chrono::steady_clock::time_point told_at{};  ///< the worker's own
  std::jthread worker;                              ///< last, so that it ends before the rest
};

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

Audits Workbench::audits(Id project, const AuditQuestion& question) {
  return impl_->on(project, [&](Desk& desk) {
    Audits all{.limits = impl_->store.audit_limits(project),
               .confidence = std::string(default_confidence)};
    all.offers = offers_for(all.limits, question.size);
    for (const Audit& audit : impl_->store.audits(project)) {
      AuditReport report = report_of(audit, {.together = question.together,
                                             .begun_before = all.audits.size(),
                                             .num_removed = desk.num_removed(audit),
                                             .integrity = desk.view().project().integrity});
      report.num_labeled = desk.num_labeled(audit);
      report.why_void = desk.why_void(audit);
      all.audits.push_back(std::move(report));
    }
    return all;
  });
}

void Workbench::begin_audit(Id project, std::size_t size) {
  impl_->on(project, [&](Desk& desk) {
    desk.require_regions_to_audit();
    return impl_->store.begin_audit(project, size, desk.view().alpha().text(), desk.fingerprint());
  });
  changed(project);
}

void Workbench::finish_audit(Id project) {
  impl_->on(project, [&](Desk& desk) {
    const std::vector<Audit> audits = impl_->store.audits(project);
    require(!audits.empty() && audits.back().is_open(), ErrorKind::invalid_input,
            "no audit is open in this project; begin one first");
    const std::string why_void = desk.why_void(audits.back());
    require(why_void.empty(), ErrorKind::invalid_input, [&] { return why_void; });
    return impl_->store.finish_audit(project, desk.fingerprint(),
                                     desk.audit_outcome(audits.back()));
  });
  changed(project);
}

AcceptanceReport Workbench::acceptance(Id project) {
  return impl_->on(project, [](Desk& desk) { return desk.acceptance(); });
}

void Workbench::plan_acceptance(Id project, const std::string& tolerance, const std::string& q,
                                Acceptance::Unit unit, std::optional<std::size_t> references) {
  impl_->on(project, [&](Desk& desk) {
    return impl_->store.plan_acceptance(project,
                                        desk.acceptance_request(tolerance, q, unit, references));
  });
}

void Workbench::decide_acceptance(Id project) {
  const AcceptanceJob job = impl_->on(project, [&](Desk& desk) {
    const std::vector<Acceptance> plans = impl_->store.acceptances(project);
    require(!plans.empty() && plans.back().is_open() && !plans.back().is_decided(),
            ErrorKind::invalid_input, "no plan to accept without review waits for its decision");
    return desk.acceptance_job(plans.back());
  });
  std::size_t told = 0;
  const AcceptanceDecision decision = job.run([&](std::size_t done) {
    constexpr std::size_t between = 50;
    if (done - told < between && done < job.files.size()) return;
    told = done;
    impl_->tell({.kind = Event::Kind::acceptance,
                 .project = project,
                 .done = done,
                 .total = job.files.size()});
  });
  impl_->store.decide_acceptance(project, decision);
  changed(project);
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
