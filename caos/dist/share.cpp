#include "caos/dist/share.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "caos/dist/crew.hpp"
#include "caos/dist/failure.hpp"
#include "caos/error.hpp"

// The others ask, the first process answers, and no process asks twice before it has its answer: so
// neither waits for the other to receive while it sends, however long messages are.
//
//   other -> first   what it finished (without the results), and how many lanes are free
//   first -> other   an empty message when it wants the results, if there are any
//   other -> first   each result
//   first -> other   pieces for the free lanes, and whether there are no more

namespace caos::dist {
namespace {

/// How often the first process looks for messages while there is nothing else to do.
constexpr auto look_around = std::chrono::milliseconds(1);

/// What a process says of a piece before it sends the result.
struct Notice {
  std::size_t piece = 0;
  std::size_t size = 0;
  std::optional<Failure> failure{};
};

struct Report {
  std::size_t num_free = 0;
  std::vector<Notice> notices{};
};

Bytes pack_report(std::size_t num_free, const std::vector<Finished>& finished) {
  Packer packer;
  packer.put<std::uint64_t>(num_free).put<std::uint64_t>(finished.size());
  for (const Finished& one : finished) {
    packer.put<std::uint64_t>(one.piece).put<std::uint64_t>(one.result.size());
    pack(packer, one.failure);
  }
  return packer.take();
}

Report unpack_report(const Bytes& bytes) {
  Unpacker unpacker(bytes);
  Report report{.num_free = unpacker.get_size()};
  report.notices.resize(unpacker.get_size());
  for (Notice& notice : report.notices) {
    notice.piece = unpacker.get_size();
    notice.size = unpacker.get_size();
    notice.failure = unpack_failure(unpacker);
  }
  return report;
}

/// What another process does.
class Other {
 public:
  Other(Communicator& processes, Crew& crew) : processes_(processes), crew_(crew) {}

  void run() {
    std::vector<Finished> finished;
    do {
      report(finished);
      take_pieces();
      finished = crew_.wait();
    } while (!finished.empty() || !is_over_);
  }

 private:
  void report(const std::vector<Finished>& finished) {
    processes_.send(0, pack_report(crew_.num_free(), finished));
    if (finished.empty()) return;
    static_cast<void>(processes_.receive(0));
    for (const Finished& one : finished) {
      if (!one.failure) processes_.send(0, one.result);
    }
  }

  void take_pieces() {
    const Bytes answer = processes_.receive(0);
    Unpacker unpacker(answer);
    is_over_ = unpacker.get<std::uint8_t>() != 0;
    const std::size_t count = unpacker.get_size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t piece = unpacker.get_size();
      crew_.give(piece, unpacker.get_all<std::byte>());
    }
  }

  Communicator& processes_;
  Crew& crew_;
  bool is_over_ = false;
};

/// What the first process does.
class First {
 public:
  First(Communicator& processes, const SharedWork& work, Crew& crew)
      : processes_(processes), work_(work), crew_(crew), others_(processes.size()) {}

  /// Returns why it failed, if it did.
  std::optional<Failure> run() {
    while (!is_done()) {
      bool moved = feed_own();
      moved = take_own() || moved;
      moved = unpark() || moved;
      moved = hear() || moved;
      if (!moved) crew_.pause(look_around);
    }
    return failure_;
  }

 private:
  struct OtherProcess {
    std::set<std::size_t> pieces{};  ///< that it works on
    bool is_told = false;            ///< that there are no more
    std::optional<Report> parked{};  ///< it may not send its results yet
  };

  [[nodiscard]] bool is_done() const {
    const auto has_ended = [](const OtherProcess& other) {
      return other.is_told && other.pieces.empty();
    };
    return is_over_ && crew_.is_idle() &&
           std::all_of(others_.begin() + 1, others_.end(), has_ended);
  }

  // Giving.

  std::optional<std::pair<std::size_t, Bytes>> next() {
    if (is_over_) return std::nullopt;
    std::optional<Bytes> item;
    const auto failure = failure_of([&] { item = work_.next(); });
    if (failure) fail(num_given_, *failure);
    if (!item) is_over_ = true;
    if (!item) return std::nullopt;
    return std::pair(num_given_++, std::move(*item));
  }

  bool feed_own() {
    bool moved = false;
    while (crew_.num_free() > 0 && has_room()) {
      auto piece = next();
      if (!piece) break;
      crew_.give(piece->first, std::move(piece->second));
      moved = true;
    }
    return moved;
  }

  void answer(std::size_t process, std::size_t num_free) {
    std::vector<std::pair<std::size_t, Bytes>> pieces;
    while (pieces.size() < num_free) {
      auto piece = next();
      if (!piece) break;
      others_[process].pieces.insert(piece->first);
      pieces.push_back(std::move(*piece));
    }
    Packer packer;
    packer.put<std::uint8_t>(is_over_ ? 1 : 0).put<std::uint64_t>(pieces.size());
    for (const auto& [piece, item] : pieces) {
      packer.put<std::uint64_t>(piece).put_all(std::span<const std::byte>(item));
    }
    others_[process].is_told = is_over_;
    processes_.send(process, packer.take());
  }

  // Taking.

  bool take_own() {
    std::vector<Finished> finished = crew_.take();
    for (Finished& one : finished) accept(std::move(one));
    return !finished.empty();
  }

  bool hear() {
    const std::optional<std::size_t> process = processes_.sender();
    if (!process) return false;
    Report report = unpack_report(processes_.receive(*process));
    if (may_send(*process)) {
      take_from(*process, report);
    } else {
      others_[*process].parked = std::move(report);
    }
    return true;
  }

  bool unpark() {
    bool moved = false;
    for (std::size_t process = 1; process < others_.size(); ++process) {
      if (!others_[process].parked || !may_send(process)) continue;
      take_from(process, *std::exchange(others_[process].parked, std::nullopt));
      moved = true;
    }
    return moved;
  }

  /// The process that has the piece for which all others wait must never be kept waiting itself.
  [[nodiscard]] bool may_send(std::size_t process) const {
    return has_room() || failure_ || others_[process].pieces.contains(num_collected_);
  }

  [[nodiscard]] bool has_room() const { return waiting_bytes_ <= work_.most_waiting; }

  void take_from(std::size_t process, const Report& report) {
    if (!report.notices.empty()) processes_.send(process, {});
    for (const Notice& notice : report.notices) {
      Finished finished{.piece = notice.piece, .failure = notice.failure};
      if (!notice.failure) finished.result = processes_.receive(process);
      others_[process].pieces.erase(notice.piece);
      accept(std::move(finished));
    }
    answer(process, report.num_free);
  }

  void accept(Finished finished) {
    if (finished.failure) return fail(finished.piece, *finished.failure);
    if (work_.order == Order::as_finished)
      return collect(finished.piece, std::move(finished.result));
    waiting_bytes_ += finished.result.size();
    waiting_.emplace(finished.piece, std::move(finished.result));
    while (!failure_ && !waiting_.empty() && waiting_.begin()->first == num_collected_) {
      Bytes result = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      waiting_bytes_ -= result.size();
      collect(num_collected_, std::move(result));
      ++num_collected_;
    }
    if (failure_) waiting_.clear();
  }

  void collect(std::size_t piece, Bytes result) {
    const auto failure = failure_of([&] { work_.collect(piece, std::move(result)); });
    if (failure) fail(piece, *failure);
  }

  void fail(std::size_t piece, Failure failure) {
    is_over_ = true;
    if (failure_ && failed_piece_ < piece) return;
    failed_piece_ = piece;
    failure_ = std::move(failure);
  }

  Communicator& processes_;
  const SharedWork& work_;
  Crew& crew_;
  std::vector<OtherProcess> others_;  // the first one is this process and stays empty
  std::size_t num_given_ = 0;
  bool is_over_ = false;  // no more are given
  std::map<std::size_t, Bytes> waiting_{};
  std::size_t waiting_bytes_ = 0;
  std::size_t num_collected_ = 0;
  std::size_t failed_piece_ = 0;
  std::optional<Failure> failure_{};
};

}  // namespace

void share(Communicator& processes, const SharedWork& work) {
  std::optional<Crew> crew;
  together(processes, [&] { crew.emplace(work.lanes, work.compute); });
  processes.set_in_step(false);
  if (processes.is_first()) {
    const std::optional<Failure> failure = First(processes, work, *crew).run();
    processes.set_in_step(true);
    if (failure) throw Error(failure->kind, failure->text);
  } else {
    Other(processes, *crew).run();
    processes.set_in_step(true);
  }
  Bytes nothing;
  processes.broadcast(nothing);
}

std::size_t items_per_piece(std::size_t count, std::size_t processes, std::size_t threads) {
  constexpr std::size_t pieces_of_a_process = 8;
  constexpr std::size_t items_of_a_thread = 16;
  constexpr std::size_t most = 256;
  const std::size_t even =
      (count + processes * pieces_of_a_process - 1) / (processes * pieces_of_a_process);
  return std::clamp<std::size_t>(
      even, 1, std::min(most, items_of_a_thread * std::max<std::size_t>(threads, 1)));
}

}  // namespace caos::dist
