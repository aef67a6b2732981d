#include "caos/landmarks/evaluation/outcome_exchange.hpp"

#include <algorithm>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"

namespace caos {

TestImages::TestImages(const TestPatches& test, dist::Communicator& processes)
    : original_(test),
      travel_(test.travel && processes.size() > 1),
      arrived_(std::make_shared<Arrived>()),
      patches_(test) {
  if (!travel_) return;
  patches_.image = [arrived = arrived_](std::size_t x) {
    return arrived->images[x - arrived->first];
  };
  patches_.cells = [arrived = arrived_](std::size_t x) {
    return arrived->cells[x - arrived->first];
  };
}

void TestImages::pack(dist::Packer& packer, std::size_t first, std::size_t last) const {
  if (!travel_) return;
  for (std::size_t x = first; x < last; ++x) {
    packer.put_matrix(original_.image(x));
    caos::pack(packer, original_.cells ? original_.cells(x) : CellSource());
  }
}

void TestImages::unpack(dist::Unpacker& unpacker, std::size_t first, std::size_t last) {
  if (!travel_) return;
  arrived_->first = first;
  arrived_->images.clear();
  arrived_->cells.clear();
  for (std::size_t x = first; x < last; ++x) {
    arrived_->images.push_back(unpacker.get_matrix<float>());
    arrived_->cells.push_back(unpack_cells(unpacker));
  }
}

void share_evaluation(TestImages& images, const LandmarkEvaluateOptions& options,
                      LandmarkTally& tally,
                      const std::function<void(std::size_t first, std::size_t last)>& evaluate) {
  const std::size_t count = images.patches().size();
  const std::size_t threads = num_threads(options.threads);
  const std::size_t per_piece = dist::items_per_piece(count, options.processes->size(), threads);
  std::size_t next = 0;
  dist::SharedWork work;
  work.next = [&]() -> std::optional<dist::Bytes> {
    if (next == count) return std::nullopt;
    const std::size_t first = next;
    next = std::min(first + per_piece, count);
    dist::Packer packer;
    packer.put<std::uint64_t>(first).put<std::uint64_t>(next);
    images.pack(packer, first, next);
    return packer.take();
  };
  work.compute = [&](std::span<const std::byte> piece) {
    dist::Unpacker unpacker(piece);
    const std::size_t first = unpacker.get_size();
    const std::size_t last = unpacker.get_size();
    images.unpack(unpacker, first, last);
    evaluate(first, last);
    return tally.pack(first, last);
  };
  work.collect = [&](std::size_t piece, const dist::Bytes& outcomes) {
    const std::size_t first = piece * per_piece;
    const std::size_t last = std::min(first + per_piece, count);
    tally.place(first, last, outcomes);
    if (options.progress) options.progress(last, count);
  };
  share(*options.processes, work);
}

}  // namespace caos
