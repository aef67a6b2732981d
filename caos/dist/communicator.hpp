#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "caos/dist/bytes.hpp"

namespace caos::dist {

/// Thrown on the other processes when the first has ended the work. The first reports why.
class Stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "the first process has stopped";
  }
};

/// Processes that work on one task together: the first, process 0, and others. Messages may have
/// any length; they travel in pieces. Used from one thread of each process.
class Communicator {
 public:
  /// MPI counts bytes in an int.
  static constexpr std::size_t default_piece = std::size_t{1} << 30U;

  explicit Communicator(std::size_t largest_piece = default_piece);
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] virtual std::size_t index() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] bool is_first() const { return index() == 0; }
  /// For people: "process 3 on node17".
  [[nodiscard]] virtual std::string place() const = 0;

  /// Returns when `bytes` may be used again, which may not be before they are received.
  void send(std::size_t to, std::span<const std::byte> bytes);
  /// Waits for the next message of that process.
  [[nodiscard]] Bytes receive(std::size_t from);
  /// A process whose message can be received without waiting; nothing where there is none.
  [[nodiscard]] virtual std::optional<std::size_t> sender() = 0;

  /// Every process calls it, and has the first process's bytes afterwards. Throws `Stopped` on the
  /// others if the first called `stop_others` instead.
  void broadcast(Bytes& bytes);
  void stop_others();

  /// Every process calls it. On the first: the bytes of all, by process; elsewhere nothing.
  [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> bytes);

  /// Whether the other processes wait for a broadcast now, or will before they wait for anything
  /// else. Only then can `stop_others` reach them.
  [[nodiscard]] bool in_step() const { return in_step_; }
  void set_in_step(bool in_step) { in_step_ = in_step; }

  /// Ends all processes at once, whatever they are doing. The last resort.
  virtual void abort(int exit_code) = 0;

 protected:
  virtual void send_piece(std::size_t to, std::span<const std::byte> piece) = 0;
  virtual void receive_piece(std::size_t from, std::span<std::byte> piece) = 0;
  virtual void broadcast_piece(std::span<std::byte> piece) = 0;

 private:
  std::size_t largest_piece_;
  bool in_step_ = true;
};

/// One process alone.
class LocalCommunicator final : public Communicator {
 public:
  [[nodiscard]] std::size_t index() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] std::string place() const override { return "the only process"; }
  [[nodiscard]] std::optional<std::size_t> sender() override { return std::nullopt; }
  void abort(int exit_code) override;

 protected:
  void send_piece(std::size_t to, std::span<const std::byte> piece) override;
  void receive_piece(std::size_t from, std::span<std::byte> piece) override;
  void broadcast_piece(std::span<std::byte> /*piece*/) override {}
};

/// The bytes that `make` returns on the first process, on every process. If it throws, the
/// caller on the first process must tell the others (`stop_others`).
[[nodiscard]] Bytes from_first(Communicator& processes, const std::function<Bytes()>& make);

/// Runs `body` on every process, and goes on only if none of them threw. Otherwise the first
/// process throws the error of the process with the lowest index, with its place, and the others
/// `Stopped` as soon as they are told.
void together(Communicator& processes, const std::function<void()>& body);

/// Runs a task on every process: the outermost step. If it throws on the first process, the others
/// stop, and it is thrown again there; on the others it is quiet then. What is thrown in spite of
/// that, on another process or on the first while `in_step` is false, the rest do not know of: only
/// `abort` can end them.
void run_in_step(Communicator& processes, const std::function<void()>& task);

}  // namespace caos::dist
