#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "caos/dist/bytes.hpp"
#include "caos/dist/failure.hpp"

// For `share`; not for users of the library.
namespace caos::dist {

/// A piece of work that was done, or that failed.
struct Finished {
  std::size_t piece = 0;
  Bytes result{};
  std::optional<Failure> failure{};
};

/// Threads that compute pieces while their owner talks to other processes. The owner is one thread.
class Crew {
 public:
  using Compute = std::function<Bytes(std::span<const std::byte>)>;

  /// `compute` is called on as many threads as there are lanes, and must outlive it.
  Crew(std::size_t lanes, const Compute& compute);
  /// Waits for the pieces that are at work.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Lanes that have nothing to do. A piece counts until it is taken.
  [[nodiscard]] std::size_t num_free() const { return lanes_.size() - num_given_; }
  [[nodiscard]] bool is_idle() const { return num_given_ == 0; }

  /// Requires a free lane.
  void give(std::size_t piece, Bytes item);

  /// What is finished now.
  [[nodiscard]] std::vector<Finished> take();
  /// Waits until something is finished; nothing where nothing was given.
  [[nodiscard]] std::vector<Finished> wait();
  /// Waits until something is finished or the time is over.
  void pause(std::chrono::milliseconds at_most);

 private:
  struct Given {
    std::size_t piece = 0;
    Bytes item{};
  };

  void work(const std::stop_token& stop, const Compute& compute);

  std::mutex mutex_;
  std::condition_variable_any given_more_;
  std::condition_variable finished_more_;
  std::deque<Given> given_;
  std::vector<Finished> finished_;
  std::size_t num_given_ = 0;          // of the owner's thread
  std::vector<std::jthread> lanes_{};  // last, so that it ends first
};

}  // namespace caos::dist
