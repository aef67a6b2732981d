#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>

#include "bindings/python/module/progress.hpp"
#include "caos/text/text_session.hpp"

namespace caos::python {

/// Tells Python how far scoring has come, and ends it on all threads where Python says so.
class ScoringWatch {
 public:
  /// `callable` is as in `Progress`. Needs the GIL.
  explicit ScoringWatch(pybind11::object callable);

  /// For a session; without the GIL. Once Python has raised something it throws on every thread.
  [[nodiscard]] TextProgress reporter();

  /// Throws what Python raised, if it did: another thread may have failed first, because of that.
  void rethrow() const;

  /// Needs the GIL.
  void finish();

 private:
  void report(std::uint64_t pairs, std::uint64_t total_pairs);

  Progress progress_;
  std::function<void(std::size_t, std::size_t)> tell_;
  std::uint64_t pairs_ = 0;
  std::atomic<bool> stopped_{false};
  std::exception_ptr failure_;
};

/// What `caos.text.TextScorer` is: a language model with its question and its store, which
/// calibrations share with it. Safe to use from several threads.
class SharedScorer {
 public:
  /// Opens the session. Needs the GIL, and lets it go meanwhile.
  SharedScorer(const std::function<TextSession()>& open, pybind11::object progress);

  /// The store of it may be emptied meanwhile; look at the rest.
  [[nodiscard]] const TextSession& session() const { return *state_->session; }
  [[nodiscard]] const text::LabelSpace& labels() const { return session().labels(); }
  /// The file of the store; empty: in memory.
  [[nodiscard]] const std::string& store_path() const { return state_->store_path; }
  [[nodiscard]] TextScoringTally tally() const;
  /// Without the GIL.
  [[nodiscard]] TextForecast forecast(std::span<const text::LabeledText> examples) const;

  /// What `f` makes of a session. Needs the GIL, and lets it go meanwhile; throws what the user's
  /// progress function raises, and KeyboardInterrupt. `expected_pairs` is for the progress alone.
  template <typename F>
  auto run(F&& f, std::uint64_t expected_pairs = 0) const {
    ScoringWatch watch(state_->progress);
    auto result = without_gil(watch, std::forward<F>(f), expected_pairs);
    watch.finish();
    return result;
  }

 private:
  struct State {
    ~State();

    std::optional<TextSession> session;
    std::string store_path;
    pybind11::object progress;
    std::shared_mutex in_use;  // shared by those who score
    std::mutex mutex;          // of what follows
    TextScoringTally tally{};
    std::uint64_t kept = 0;  // pairs that a store in memory may hold
  };

  /// Adds the work of a session to the tally, however that ended.
  class Counted {
   public:
    Counted(State& state, const TextSession& session) : state_(state), session_(session) {}
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted();

   private:
    State& state_;
    const TextSession& session_;
  };

  template <typename F>
  auto without_gil(ScoringWatch& watch, F&& f, std::uint64_t expected_pairs) const {
    const pybind11::gil_scoped_release released;
    limit_memory();
    const std::shared_lock in_use(state_->in_use);
    TextSession own = session().with_progress(watch.reporter(), expected_pairs);
    const Counted counted(*state_, own);
    try {
      return std::forward<F>(f)(own);
    } catch (...) {
      watch.rethrow();
      throw;
    }
  }

  void limit_memory() const;

  std::shared_ptr<State> state_;
};

}  // namespace caos::python
