#include "bindings/python/objects/shared_scorer.hpp"

#include <stdexcept>

namespace caos::python {
namespace py = pybind11;
namespace {

/// A store in memory is emptied when it takes about so many bytes: a program that predicts for
/// weeks would fill the memory otherwise.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// What a pair takes there, likelihoods of many labels with pages of their own.
constexpr std::uint64_t bytes_of_pair(std::size_t num_labels) { return 128 + 48 * num_labels; }

}  // namespace

ScoringWatch::ScoringWatch(py::object callable)
    : progress_(std::move(callable)), tell_(progress_.reporter()) {}

TextProgress ScoringWatch::reporter() {
  return [this](const TextScoringTally& done, std::uint64_t total_pairs) {
    report(done.pairs, total_pairs);
  };
}

// A session calls it from one thread at a time.
void ScoringWatch::report(std::uint64_t pairs, std::uint64_t total_pairs) {
  if (stopped_) throw std::runtime_error("scoring was stopped");
  pairs_ = pairs;
  try {
    tell_(pairs, total_pairs);
  } catch (...) {
    failure_ = std::current_exception();
    stopped_ = true;
    throw;
  }
}

void ScoringWatch::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

void ScoringWatch::finish() {
  if (pairs_ > 0) progress_.finish(pairs_);
}

SharedScorer::State::~State() {
  if (!session || PyGILState_Check() == 0) return;
  const py::gil_scoped_release released;  // a program may take its time to end
  session.reset();
}

SharedScorer::Counted::~Counted() {
  const std::lock_guard lock(state_.mutex);
  const TextScoringTally& done = session_.tally();
  state_.tally += done;
  state_.kept += done.pairs - done.pairs_from_store;
}

SharedScorer::SharedScorer(const std::function<TextSession()>& open, py::object progress)
    : state_(std::make_shared<State>()) {
  state_->progress = std::move(progress);
  const py::gil_scoped_release released;
  state_->session = open();
  state_->store_path = session().store().path();
}

TextScoringTally SharedScorer::tally() const {
  const std::lock_guard lock(state_->mutex);
  return state_->tally;
}

TextForecast SharedScorer::forecast(std::span<const text::LabeledText> examples) const {
  const std::shared_lock in_use(state_->in_use);
  return session().forecast(examples);
}

void SharedScorer::limit_memory() const {
  const std::unique_lock alone(state_->in_use, std::try_to_lock);
  if (!alone) return;
  const std::lock_guard lock(state_->mutex);
  if (state_->kept * bytes_of_pair(labels().size()) <= most_bytes) return;
  state_->session->forget();
  state_->kept = 0;
}

}  // namespace caos::python
