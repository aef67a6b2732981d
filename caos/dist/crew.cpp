#include "caos/dist/crew.hpp"

#include <algorithm>
#include <cassert>

namespace caos::dist {

Crew::Crew(std::size_t lanes, const Compute& compute) {
  for (std::size_t lane = 0; lane < std::max<std::size_t>(lanes, 1); ++lane) {
    lanes_.emplace_back([this, &compute](const std::stop_token& stop) { work(stop, compute); });
  }
}

Crew::~Crew() {
  for (std::jthread& lane : lanes_) lane.request_stop();
}

void Crew::give(std::size_t piece, Bytes item) {
  assert(num_free() > 0);
  ++num_given_;
  {
    const std::lock_guard lock(mutex_);
    given_.push_back({piece, std::move(item)});
  }
  given_more_.notify_one();
}

std::vector<Finished> Crew::take() {
  const std::lock_guard lock(mutex_);
  num_given_ -= finished_.size();
  return std::exchange(finished_, {});
}

std::vector<Finished> Crew::wait() {
  if (is_idle()) return {};
  {
    std::unique_lock lock(mutex_);
    finished_more_.wait(lock, [&] { return !finished_.empty(); });
  }
  return take();
}

void Crew::pause(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  finished_more_.wait_for(lock, at_most, [&] { return !finished_.empty(); });
}

void Crew::work(const std::stop_token& stop, const Compute& compute) {
  std::unique_lock lock(mutex_);
  while (given_more_.wait(lock, stop, [&] { return !given_.empty(); })) {
    const Given given = std::move(given_.front());
    given_.pop_front();
    lock.unlock();
    Finished finished{.piece = given.piece};
    finished.failure = failure_of([&] { finished.result = compute(given.item); });
    lock.lock();
    finished_.push_back(std::move(finished));
    finished_more_.notify_one();
  }
}

}  // namespace caos::dist
