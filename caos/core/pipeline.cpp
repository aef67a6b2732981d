#include "caos/core/pipeline.hpp"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "caos/core/parallel_for.hpp"

namespace caos {
namespace {

constexpr std::size_t most_threads = 256;

/// What a thread is there for.
enum class Role { reader, helper, caller };

/// Hands out work, the earliest item first, and keeps the exception of the earliest that failed.
class Schedule {
 public:
  Schedule(std::size_t count, const Pipeline& pipeline)
      : count_(count),
        pipeline_(pipeline),
        items_(std::min(count, pipeline.window)),
        is_held_(pipeline.steps.size()) {}

  /// Before any thread works: whether one of them does nothing but read.
  void set_reader(bool exists) { has_reader_ = exists; }

  /// Works until nothing is left for this role.
  void work(Role role) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const std::optional<Job> job = claim(role);
      if (!job && is_over(role)) return;
      if (!job) {
        changed_.wait(lock);
        continue;
      }
      lock.unlock();
      std::exception_ptr error = run(*job);
      lock.lock();
      finish(*job, std::move(error));
      changed_.notify_all();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Job {
    std::size_t item = 0;
    std::size_t stage = 0;  // 0 reads, the steps follow, the last takes
  };

  /// An item between being read and being taken.
  struct Item {
    std::size_t stage = 0;  // to come, or at work
    bool is_busy = false;
  };

  [[nodiscard]] std::size_t last_stage() const { return pipeline_.steps.size() + 1; }
  /// Items from here on are not wanted: there are none, or one before them failed.
  [[nodiscard]] std::size_t end() const { return std::min(count_, failed_at_); }
  [[nodiscard]] Item& item(std::size_t i) { return items_[i % items_.size()]; }

  [[nodiscard]] bool is_over(Role role) const {
    return role == Role::reader ? next_ >= end() : first_ >= end();
  }

  std::optional<Job> claim(Role role) {
    if (role != Role::reader) {
      for (std::size_t i = first_; i < std::min(next_, end()); ++i) {
        if (may_run(i, role)) return start({i, item(i).stage});
      }
    }
    const bool may_read = role == Role::reader || !has_reader_;
    if (may_read && !is_reading_ && next_ < std::min(end(), first_ + pipeline_.window)) {
      item(next_) = {};
      return start({next_++, 0});
    }
    return std::nullopt;
  }

  [[nodiscard]] bool may_run(std::size_t i, Role role) {
    const Item& one = item(i);
    if (one.is_busy) return false;
    if (one.stage == last_stage()) return role == Role::caller && i == first_;
    return !(pipeline_.steps[one.stage - 1].alone && is_held_[one.stage - 1]);
  }

  Job start(Job job) {
    item(job.item).is_busy = true;
    hold(job, true);
    return job;
  }

  void hold(const Job& job, bool held) {
    if (job.stage == 0) {
      is_reading_ = held;
    } else if (job.stage < last_stage()) {
      is_held_[job.stage - 1] = held;
    }
  }

  [[nodiscard]] std::exception_ptr run(const Job& job) const {
    try {
      if (job.stage == 0) {
        pipeline_.read(job.item);
      } else if (job.stage == last_stage()) {
        pipeline_.take(job.item);
      } else {
        pipeline_.steps[job.stage - 1].work(job.item);
      }
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  void finish(const Job& job, std::exception_ptr error) {
    hold(job, false);
    if (error) {
      // Items before this one go on: theirs may be the earlier error.
      if (job.item < failed_at_) {
        failed_at_ = job.item;
        error_ = std::move(error);
      }
      return;
    }
    item(job.item).is_busy = false;
    ++item(job.item).stage;
    if (job.stage == last_stage()) ++first_;
  }

  const std::size_t count_;
  const Pipeline& pipeline_;
  bool has_reader_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> items_;  // a ring; no thread of ours may run out of memory later
  std::size_t first_ = 0;    // not yet taken
  std::size_t next_ = 0;     // to be read
  bool is_reading_ = false;
  std::vector<bool> is_held_;  // by step
  std::size_t failed_at_ = SIZE_MAX;
  std::exception_ptr error_;
};

/// Starts a thread; false if the system has none to give, or no memory for it. Must not throw:
/// those that have started wait for the thread that called, and would wait forever.
template <typename Body>
bool start(std::vector<std::jthread>& threads, const Body& body) {
  try {
    threads.emplace_back(body);
    return true;
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void run_pipeline(std::size_t count, std::size_t threads, const Pipeline& pipeline) {
  assert(pipeline.window > 0);
  const std::size_t wanted = num_threads(threads);
  Schedule schedule(count, pipeline);
  {
    std::vector<std::jthread> others;
    // A single item has nothing to be read ahead of.
    schedule.set_reader(count > 1);
    if (count > 1 && !start(others, [&] { schedule.work(Role::reader); })) {
      schedule.set_reader(false);
    }
    for (std::size_t t = 1; t < std::min({wanted, count, pipeline.window, most_threads}); ++t) {
      if (!start(others, [&] { schedule.work(Role::helper); })) break;
    }
    schedule.work(Role::caller);
  }
  schedule.rethrow();
}

}  // namespace caos
