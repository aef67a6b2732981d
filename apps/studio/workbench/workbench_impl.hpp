#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "apps/studio/workbench/desk.hpp"
#include "apps/studio/workbench/embedder.hpp"
#include "apps/studio/workbench/freed_memory.hpp"
#include "apps/studio/workbench/workbench.hpp"

namespace caos::studio {

/// How often listeners hear of progress, at most.
inline constexpr std::chrono::milliseconds between_news{200};

/// How long the worker sleeps where points have to come to rest first.
inline constexpr std::chrono::milliseconds nap{250};

/// How often freed memory is returned while there is work.
inline constexpr std::chrono::seconds between_returns{5};

/// Projects whose calibrations and predictions are kept in memory.
inline constexpr std::size_t most_desks = 3;

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
      return_memory_now_and_then(busy);
      if (!busy) sleep(stop, resting);
    }
  }

  /// Labeling leaves much freed memory behind; it is returned when there is nothing else to do.
  void return_memory_now_and_then(bool busy) {
    const auto now = std::chrono::steady_clock::now();
    worked_since_return = worked_since_return || busy;
    if (!worked_since_return || (busy && now - returned_at < between_returns)) return;
    return_freed_memory();
    returned_at = now;
    worked_since_return = false;
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

  std::chrono::steady_clock::time_point told_at{};  ///< the worker's own, as are the next two
  std::chrono::steady_clock::time_point returned_at{};
  bool worked_since_return = false;
  std::jthread worker;  ///< last, so that it ends before the rest
};

}  // namespace caos::studio
