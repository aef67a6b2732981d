#include "caos/landmarks/embedding/shared_patch_source.hpp"

#include <algorithm>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/dist/share.hpp"
#include "caos/landmarks/embedding/patch_exchange.hpp"

namespace caos {
namespace {

/// Rows of a file of embeddings are found by the names of all images; other backbones do not need
/// these.
std::vector<std::string> files_on_all(dist::Communicator& processes, const std::string& backbone,
                                      std::span<const std::string> files) {
  const dist::Bytes bytes = from_first(processes, [&] {
    if (!is_embedding_file(backbone)) files = {};
    return dist::Packer().put_texts(files).take();
  });
  return dist::Unpacker(bytes).get_texts();
}

/// Embeds some files and puts what became of them into a message.
dist::Bytes embed_and_pack(const PatchSource& source, std::span<const std::string> files) {
  dist::Packer images;
  std::uint64_t count = 0;
  const auto failed = source.stream(files, in_order([&](EmbeddedImage&& image) {
                                      pack(images, image);
                                      ++count;
                                    }));
  dist::Packer packer;
  packer.put<std::uint64_t>(failed.size());
  for (const FailedImage& image : failed) pack(packer, image);
  const dist::Bytes bytes = images.take();
  return packer.put(count).put_all(std::span<const std::byte>(bytes)).take();
}

}  // namespace

SharedPatchSource::SharedPatchSource(dist::Communicator& processes, PatchSourceOptions options,
                                     std::span<const std::string> files)
    : processes_(processes),
      progress_(std::exchange(options.embed.progress, {})),
      threads_(num_threads(options.embed.threads)) {
  const std::vector<std::string> known = files_on_all(processes, options.backbone, files);
  together(processes, [&] { own_ = open_patch_source(options, known); });
}

dist::Bytes SharedPatchSource::embed_piece(std::span<const std::byte> names) const {
  return embed_and_pack(*own_, dist::Unpacker(names).get_texts());
}

std::vector<FailedImage> SharedPatchSource::stream(std::span<const std::string> files,
                                                   const ImageVisitor& visitor) const {
  const std::size_t groups =
      dist::items_per_piece(files.size(), processes_.size(), threads_) / group_size();
  const std::size_t per_piece = std::max<std::size_t>(groups, 1) * group_size();
  std::size_t next = 0;
  std::vector<FailedImage> failed;
  dist::SharedWork work;
  work.next = [&]() -> std::optional<dist::Bytes> {
    if (next == files.size()) return std::nullopt;
    const auto names = files.subspan(next, std::min(per_piece, files.size() - next));
    next += names.size();
    return dist::Packer().put_texts(names).take();
  };
  work.compute = [&](std::span<const std::byte> names) { return embed_piece(names); };
  work.collect = [&](std::size_t piece, const dist::Bytes& result) {
    dist::Unpacker unpacker(result);
    const std::size_t first = piece * per_piece;
    const std::size_t num_failed = unpacker.get_size();
    for (std::size_t i = 0; i < num_failed; ++i) {
      failed.push_back(unpack_failed(unpacker));
      failed.back().index += first;
    }
    const std::size_t num_images = unpacker.get_size();
    const auto bytes = unpacker.get_all<std::byte>();
    dist::Unpacker packed(bytes);
    for (std::size_t i = 0; i < num_images; ++i) {
      EmbeddedImage image = unpack_embedded(packed);
      image.index += first;
      if (const auto in_order = visitor(std::move(image))) in_order();
    }
    if (progress_) progress_(std::min(first + per_piece, files.size()), files.size());
  };
  share(processes_, work);
  return failed;
}

void SharedPatchSource::serve() const {
  share(processes_,
        {.compute = [&](std::span<const std::byte> names) { return embed_piece(names); }});
}

}  // namespace caos
