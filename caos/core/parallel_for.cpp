#include "caos/core/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace caos {
namespace {

constexpr std::size_t max_threads = 256;

/// Hands out ranges in ascending order and keeps the exception of the earliest one that failed.
class Ranges {
 public:
  Ranges(std::size_t count, std::size_t grain) : count_(count), grain_(grain) {}

  void work(const std::function<void(std::size_t, std::size_t)>& body) {
    for (;;) {
      const std::size_t first = next_.fetch_add(grain_);
      // Ranges before a failing one are always run to the end: theirs may be the earlier error.
      if (first >= count_ || first > failed_at_.load()) return;
      try {
        body(first, std::min(first + grain_, count_));
      } catch (...) {
        keep(first, std::current_exception());
      }
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void keep(std::size_t first, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (first >= failed_at_.load()) return;
    failed_at_.store(first);
    error_ = std::move(error);
  }

  std::size_t count_;
  std::size_t grain_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> failed_at_{SIZE_MAX};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace

std::size_t default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_for(std::size_t count, std::size_t grain, std::size_t threads,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t num_ranges = (count + grain - 1) / grain;
  const std::size_t wanted = num_threads(threads);
  Ranges ranges(count, grain);
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t t = 1; t < std::min({wanted, num_ranges, max_threads}); ++t) {
        helpers.emplace_back([&] { ranges.work(body); });
      }
    } catch (const std::system_error&) {
      // The system has no more threads to give: those that started do the work.
    }
    ranges.work(body);
  }
  ranges.rethrow();
}

}  // namespace caos
