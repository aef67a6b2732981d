#include "apps/cli/landmarks/prediction/predict_on_processes.hpp"

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"

namespace caos::cli {
namespace {

// A piece of work: where each of some images is.

dist::Bytes pack_files(const ImagesToPredict& images, std::size_t first, std::size_t last) {
  dist::Packer packer;
  packer.put<std::uint64_t>(last - first);
  for (std::size_t i = first; i < last; ++i) {
    const ImageFile file = images.file_of(i);
    packer.put_text(file.path).put(file.scale.has_value()).put(file.scale.value_or(0));
  }
  return packer.take();
}

std::vector<ImageFile> unpack_files(std::span<const std::byte> bytes) {
  dist::Unpacker unpacker(bytes);
  std::vector<ImageFile> files(unpacker.get_size());
  for (ImageFile& file : files) {
    file.path = unpacker.get_text();
    const bool has_scale = unpacker.get<bool>();
    const auto scale = unpacker.get<double>();
    if (has_scale) file.scale = scale;
  }
  return files;
}

/// Its result: the images without a prediction, and what became of the others, in order.
dist::Bytes compute(const PredictingProcess& own, std::span<const std::byte> piece) {
  const std::vector<ImageFile> files = unpack_files(piece);
  std::vector<std::string> paths;
  for (const ImageFile& file : files) paths.push_back(file.path);
  std::vector<RenderedImage> images;
  const auto failed = predict_stream(
      own.source, paths,
      [&](std::size_t index) -> const LandmarkPredictor& {
        return own.predictors.of(files[index].name());
      },
      [&](EmbeddedImage&& image, std::vector<LandmarkPrediction>&& landmarks) {
        const ImageFile& file = files[image.index];
        return [&, rendered = own.renderer.render(std::move(image), std::move(landmarks),
                                                  file)]() mutable {
          images.push_back(std::move(rendered));
        };
      });
  dist::Packer packer;
  packer.put<std::uint64_t>(failed.size());
  for (const FailedImage& image : failed) pack(packer, image);
  packer.put<std::uint64_t>(images.size());
  for (const RenderedImage& image : images) pack(packer, image);
  return packer.take();
}

}  // namespace

std::vector<FailedImage> predict_on_processes(dist::Communicator& processes,
                                              const PredictingProcess& own,
                                              const ImagesToPredict& images) {
  const std::size_t threads = num_threads(images.threads);
  const std::size_t group = own.source.group_size();
  const std::size_t groups = dist::items_per_piece(images.count, processes.size(), threads) / group;
  const std::size_t per_piece = std::max<std::size_t>(groups, 1) * group;
  std::size_t next = 0;
  std::vector<FailedImage> failed;
  dist::SharedWork work;
  work.next = [&]() -> std::optional<dist::Bytes> {
    if (next == images.count) return std::nullopt;
    const std::size_t first = std::exchange(next, std::min(next + per_piece, images.count));
    return pack_files(images, first, next);
  };
  work.compute = [&](std::span<const std::byte> files) { return compute(own, files); };
  work.collect = [&](std::size_t piece, const dist::Bytes& result) {
    dist::Unpacker unpacker(result);
    const std::size_t num_failed = unpacker.get_size();
    for (std::size_t i = 0; i < num_failed; ++i) {
      failed.push_back(unpack_failed(unpacker));
      failed.back().index += piece * per_piece;
    }
    const std::size_t num_images = unpacker.get_size();
    for (std::size_t i = 0; i < num_images; ++i) images.take(unpack_rendered(unpacker));
    images.progress(std::min((piece + 1) * per_piece, images.count), images.count);
  };
  share(processes, work);
  return failed;
}

void help_to_predict(dist::Communicator& processes, const PredictingProcess& own) {
  share(processes,
        {.compute = [&](std::span<const std::byte> files) { return compute(own, files); }});
}

}  // namespace caos::cli
