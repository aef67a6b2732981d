#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "caos/dist/communicator.hpp"

/// Processes that are threads of one program.
namespace thread_processes {

using caos::dist::Bytes;
using caos::dist::Communicator;

/// What is on its way between them.
class Post {
 public:
  enum class Kind { message, broadcast };

  void put(Kind kind, std::size_t from, std::size_t to, std::span<const std::byte> piece) {
    const std::lock_guard lock(mutex_);
    boxes_[{kind, to, from}].emplace_back(piece.begin(), piece.end());
    largest_ = std::max(largest_, piece.size());
    arrived_.notify_all();
  }

  /// Throws where nothing comes: a test that hangs says little.
  void take(Kind kind, std::size_t from, std::size_t to, std::span<std::byte> piece) {
    std::unique_lock lock(mutex_);
    std::deque<Bytes>& box = boxes_[{kind, to, from}];
    if (!arrived_.wait_for(lock, std::chrono::seconds(60), [&] { return !box.empty(); })) {
      throw std::runtime_error("process " + std::to_string(to) + " waits forever");
    }
    if (box.front().size() != piece.size()) throw std::runtime_error("a piece of another length");
    std::ranges::copy(box.front(), piece.begin());
    box.pop_front();
  }

  std::optional<std::size_t> sender(std::size_t to) {
    const std::lock_guard lock(mutex_);
    for (const auto& [address, box] : boxes_) {
      if (std::get<0>(address) == Kind::message && std::get<1>(address) == to && !box.empty()) {
        return std::get<2>(address);
      }
    }
    return std::nullopt;
  }

  /// Of all pieces so far, heads included.
  [[nodiscard]] std::size_t largest() {
    const std::lock_guard lock(mutex_);
    return largest_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::tuple<Kind, std::size_t, std::size_t>, std::deque<Bytes>> boxes_;
  std::size_t largest_ = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Post& post, std::size_t process, std::size_t size, std::size_t largest_piece)
      : Communicator(largest_piece), post_(post), index_(process), size_(size) {}

  [[nodiscard]] std::size_t index() const override { return index_; }
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] std::string place() const override { return "process " + std::to_string(index_); }
  [[nodiscard]] std::optional<std::size_t> sender() override { return post_.sender(index_); }
  void abort(int /*exit_code*/) override { throw std::logic_error("threads cannot be aborted"); }

 protected:
  void send_piece(std::size_t to, std::span<const std::byte> piece) override {
    post_.put(Post::Kind::message, index_, to, piece);
  }
  void receive_piece(std::size_t from, std::span<std::byte> piece) override {
    post_.take(Post::Kind::message, from, index_, piece);
  }
  void broadcast_piece(std::span<std::byte> piece) override {
    if (index_ != 0) return post_.take(Post::Kind::broadcast, 0, index_, piece);
    for (std::size_t to = 1; to < size_; ++to) post_.put(Post::Kind::broadcast, 0, to, piece);
  }

 private:
  Post& post_;
  std::size_t index_;
  std::size_t size_;
};

/// What became of a run.
struct Run {
  std::vector<std::exception_ptr> thrown{};  ///< by process
  std::size_t largest_piece = 0;
};

/// Runs `task` on so many processes, as the program does (`run_in_step`).
inline Run run(std::size_t size, const std::function<void(Communicator&)>& task,
               std::size_t largest_piece = Communicator::default_piece) {
  Post post;
  Run result;
  result.thrown.resize(size);
  {
    std::vector<std::jthread> threads;
    for (std::size_t process = 0; process < size; ++process) {
      threads.emplace_back([&, process] {
        ThreadCommunicator processes(post, process, size, largest_piece);
        try {
          run_in_step(processes, [&] { task(processes); });
        } catch (...) {
          result.thrown[process] = std::current_exception();
        }
      });
    }
  }
  result.largest_piece = post.largest();
  return result;
}

/// The same; throws what the first process threw. No other may throw.
inline void run_well(std::size_t size, const std::function<void(Communicator&)>& task) {
  const Run result = run(size, task);
  for (std::size_t process = size; process-- > 0;) {
    if (result.thrown[process]) std::rethrow_exception(result.thrown[process]);
  }
}

}  // namespace thread_processes
