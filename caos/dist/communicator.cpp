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
          "a piece of a message holds a byte at least");
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
  throw Error(ErrorKind::invalid_input, "there is no other rank to send to");
}

void LocalCommunicator::receive_piece(std::size_t /*from*/, std::span<std::byte> /*piece*/) {
  throw Error(ErrorKind::invalid_input, "there is no other rank to receive from");
}

Bytes from_first(Communicator& ranks, const std::function<Bytes()>& make) {
  Bytes bytes;
  if (ranks.is_first()) bytes = make();
  ranks.broadcast(bytes);
  return bytes;
}

void together(Communicator& ranks, const std::function<void()>& body) {
  if (ranks.size() == 1) return body();
  Packer packer;
  pack(packer, failure_of(body));
  packer.put_text(ranks.place());
  const std::vector<Bytes> all = ranks.gather(packer.take());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Unpacker unpacker(all[rank]);
    const std::optional<Failure> failure = unpack_failure(unpacker);
    if (!failure) continue;
    // What fails on the first rank has nothing to do with where it runs.
    throw Error(failure->kind, rank == 0
                                   ? failure->text
                                   : fmt::format("{}: {}", unpacker.get_text(), failure->text));
  }
  Bytes nothing;
  ranks.broadcast(nothing);
}

namespace {

void run_first(Communicator& ranks, const std::function<void()>& task) {
  try {
    task();
  } catch (...) {
    if (ranks.in_step()) ranks.stop_others();
    throw;
  }
}

}  // namespace

void run_in_step(Communicator& ranks, const std::function<void()>& task) {
  Bytes nothing;
  if (ranks.is_first()) {
    run_first(ranks, task);
    return ranks.broadcast(nothing);
  }
  try {
    task();
    ranks.broadcast(nothing);
  } catch (const Stopped&) {
    // The first rank says why.
  }
}

}  // namespace caos::dist
