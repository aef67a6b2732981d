#include "bindings/python/objects/shared_scorer.hpp"

#include <stdexcept>

namespace caos::python {
namespace py = pybind11;
namespace {

/// A store in memory is emptied when it takes about so many bytes: whoever predicts for weeks would
/// fill the memory otherwise.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

/// What a pair takes there, likelihoods of many labels with pages of their own.
constexpr std::uint64_t bytes_of_pair(std::size_t num_labels) { return 128 + 48 * num_labels; }

}  // namespace

ScoringWatch::ScoringWatch(py::object callable, std::uint64_t expected_pairs)
    : progress_(std::move(callable)), tell_(progress_.reporter()) {
  total_.expect(expected_pairs);
}

std::function<void(const TextScoringProgress&)> ScoringWatch::reporter() {
  return [this](const TextScoringProgress& call) { report(call); };
}

// A scorer calls it from one thread at a time.
void ScoringWatch::report(const TextScoringProgress& call) {
  if (stopped_) throw std::runtime_error("scoring was stopped");
  last_ = total_.with(call);
  try {
    tell_(last_.pairs, last_.total_pairs);
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
  if (last_.pairs > 0) progress_.finish(last_.pairs);
}

SharedScorer::State::~State() {
  if (!session || PyGILState_Check() == 0) return;
  const py::gil_scoped_release released;  // a program may take its time to end
  session.reset();
}

SharedScorer::Counted::~Counted() {
  const std::lock_guard lock(state_.mutex);
  const TextScoringTally& done = scorer_.tally();
  state_.tally += done;
  state_.kept += done.pairs - done.pairs_from_store;
}

SharedScorer::SharedScorer(TextSessionOptions options, text::Question question, py::object progress,
                           const std::function<void(const text::LanguageModel&)>& accept)
    : state_(std::make_shared<State>()) {
  state_->progress = std::move(progress);
  const py::gil_scoped_release released;
  state_->session = std::make_unique<TextSession>(std::move(options), std::move(question), accept);
  state_->store_path = session().store().path();
}

TextScoringTally SharedScorer::tally() const {
  const std::lock_guard lock(state_->mutex);
  return state_->tally;
}

TextForecast SharedScorer::forecast(std::span<const text::LabeledText> examples) const {
  const std::shared_lock in_use(state_->in_use);
  return forecast_scoring(session(), examples);
}

void SharedScorer::make_room() const {
  const std::unique_lock alone(state_->in_use, std::try_to_lock);
  if (!alone) return;
  const std::lock_guard lock(state_->mutex);
  if (state_->kept * bytes_of_pair(labels().size()) <= most_bytes) return;
  session().forget();
  state_->kept = 0;
}

}  // namespace caos::python
