#include "caos/dist/communicator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "caos/dist/failure.hpp"

namespace caos::dist {
namespace {

/// What goes before a message.
struct Head {
  std::uint64_t length = 0;
  std::uint64_t is_stop = 0;
};

template <typename T, typename Pass>
void in_pieces(std::span<T> bytes, std::size_t largest, const Pass& pass) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(largest, bytes.size());
    pass(bytes.first(count));
    bytes = bytes.subspan(count);
  }
}

std::span<std::byte> bytes_of(Head& head) { return std::as_writable_bytes(std::span(&head, 1)); }

}  // namespace

Communicator::Communicator(std::size_t largest_piece) : largest_piece_(largest_piece) {
  require(largest_piece > 0, ErrorKind::invalid_input,
          "a piece of a message must have at least one byte");
}

void Communicator::send(std::size_t to, std::span<const std::byte> bytes) {
  Head head{.length = bytes.size()};
  send_piece(to, bytes_of(head));
  in_pieces(bytes, largest_piece_, [&](auto piece) { send_piece(to, piece); });
}

Bytes Communicator::receive(std::size_t from) {
  Head head;
  receive_piece(from, bytes_of(head));
  Bytes bytes(head.length);
  in_pieces(std::span(bytes), largest_piece_, [&](auto piece) { receive_piece(from, piece); });
  return bytes;
}

void Communicator::broadcast(Bytes& bytes) {
  if (size() == 1) return;
  Head head{.length = bytes.size()};
  broadcast_piece(bytes_of(head));
  if (head.is_stop != 0) throw Stopped();
  bytes.resize(head.length);
  in_pieces(std::span(bytes), largest_piece_, [&](auto piece) { broadcast_piece(piece); });
}

void Communicator::stop_others() {
  assert(is_first() && in_step());
  if (size() == 1) return;
  Head head{.is_stop = 1};
  broadcast_piece(bytes_of(head));
}

std::vector<Bytes> Communicator::gather(std::span<const std::byte> bytes) {
  if (!is_first()) {
    send(0, bytes);
    return {};
  }
  std::vector<Bytes> all = {Bytes(bytes.begin(), bytes.end())};
  for (std::size_t other = 1; other < size(); ++other) all.push_back(receive(other));
  return all;
}

void LocalCommunicator::abort(int /*exit_code*/) { std::terminate(); }

void LocalCommunicator::send_piece(std::size_t /*to*/, std::span<const std::byte> /*piece*/) {
  throw Error(ErrorKind::invalid_input, "no other process to send to");
}

void LocalCommunicator::receive_piece(std::size_t /*from*/, std::span<std::byte> /*piece*/) {
  throw Error(ErrorKind::invalid_input, "no other process to receive from");
}

Bytes from_first(Communicator& processes, const std::function<Bytes()>& make) {
  Bytes bytes;
  if (processes.is_first()) bytes = make();
  processes.broadcast(bytes);
  return bytes;
}

void together(Communicator& processes, const std::function<void()>& body) {
  if (processes.size() == 1) return body();
  Packer packer;
  pack(packer, failure_of(body));
  packer.put_text(processes.place());
  const std::vector<Bytes> all = processes.gather(packer.take());
  for (std::size_t process = 0; process < all.size(); ++process) {
    Unpacker unpacker(all[process]);
    const std::optional<Failure> failure = unpack_failure(unpacker);
    if (!failure) continue;
    // An error of the first process does not depend on where it runs.
    throw Error(failure->kind, process == 0
                                   ? failure->text
                                   : fmt::format("{}: {}", unpacker.get_text(), failure->text));
  }
  Bytes nothing;
  processes.broadcast(nothing);
}

namespace {

void run_first(Communicator& processes, const std::function<void()>& task) {
  try {
    task();
  } catch (...) {
    if (processes.in_step()) processes.stop_others();
    throw;
  }
}

}  // namespace

void run_in_step(Communicator& processes, const std::function<void()>& task) {
  Bytes nothing;
  if (processes.is_first()) {
    run_first(processes, task);
    return processes.broadcast(nothing);
  }
  try {
    task();
    processes.broadcast(nothing);
  } catch (const Stopped&) {
    // The first process says why.
  }
}

}  // namespace caos::dist
