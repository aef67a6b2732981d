#include "caos/text/models/watchdog.hpp"

#include <algorithm>
#include <utility>

namespace caos::text {

Watchdog::Watchdog() : thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Watchdog::Watch::Watch(Watchdog& dog, Clock::time_point deadline, std::function<void()> end)
    : dog_(dog) {
  {
    const std::lock_guard lock(dog_.mutex_);
    entry_ = dog_.entries_.insert(dog_.entries_.end(), {deadline, std::move(end)});
  }
  dog_.changed_.notify_all();
}

Watchdog::Watch::~Watch() {
  const std::lock_guard lock(dog_.mutex_);
  dog_.entries_.erase(entry_);
}

Watchdog::Clock::time_point Watchdog::next_deadline() const {
  auto next = Clock::time_point::max();
  for (const Entry& entry : entries_) next = std::min(next, entry.deadline);
  return next;
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    const auto next = next_deadline();
    if (next == Clock::time_point::max()) {
      changed_.wait(lock);
    } else if (Clock::now() < next) {
      changed_.wait_until(lock, next);
    }
    // Under the lock, so that an entry cannot go away while it is ended.
    for (Entry& entry : entries_) {
      if (Clock::now() < entry.deadline) continue;
      entry.end();
      entry.deadline = Clock::now() + std::chrono::seconds(1);
    }
  }
}

}  // namespace caos::text
