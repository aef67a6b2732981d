#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "caos/dist/communicator.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"

namespace caos {

/// A source whose images are embedded by all processes. The first process uses it as any other, and
/// gets the images in order. While it embeds, the others `serve`.
class SharedPatchSource final : public PatchSource {
 public:
  /// Every process makes one, with its own way of embedding, and goes on only if all can.
  /// `options.embed.progress` is called on the first process alone; `files` matter there alone.
  SharedPatchSource(dist::Communicator& processes, PatchSourceOptions options,
                    std::span<const std::string> files);

  [[nodiscard]] std::string identity() const override { return own_->identity(); }
  [[nodiscard]] std::size_t group_size() const override { return own_->group_size(); }
  [[nodiscard]] std::vector<FailedImage> stream(std::span<const std::string> files,
                                                const ImageVisitor& visitor) const override;
  void serve() const;

 private:
  [[nodiscard]] dist::Bytes embed_piece(std::span<const std::byte> names) const;

  dist::Communicator& processes_;
  std::function<void(std::size_t done, std::size_t total)> progress_;
  std::size_t threads_;
  std::unique_ptr<PatchSource> own_;
};

}  // namespace caos
