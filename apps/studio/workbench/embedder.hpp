#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apps/studio/store/records.hpp"
#include "caos/backbone.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/embedding/patch_source.hpp"
#include "caos/landmarks/growing_landmarks.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::studio {

/// An image as the backbone sees it.
struct Embedding {
  vision::Frame frame{};
  SharedPatches patches{};
  /// The working image without padding; empty where the backbone does not show it.
  std::shared_ptr<const vision::GrayImage> gray{};
  std::optional<CellSource> cells{};  ///< where the frame's grid is one of cells
};

/// Embeds image files, one at a time, and remembers: the latest in memory, more of them on disk.
/// Safe to use from several threads.
class Embedder {
 public:
  /// With the backbone of new projects.
  Embedder(const std::string& backbone, CacheFolder cache);

  /// Embeds a file as the record says, which is one of this embedder. Throws `bad_format` or
  /// `invalid_input` for a file that cannot be embedded; what it says begins with `name`. `hash` is
  /// that of the file.
  [[nodiscard]] Embedding embed(const EmbeddingRecord& how, const std::string& path,
                                const std::string& hash, const std::string& name);

  /// The backbone of a project: its own if it needs no file or is that of new projects; otherwise
  /// that of new projects.
  [[nodiscard]] const std::string& backbone(const Project& project) const;

  /// How images of a project are embedded: by its own backbone, in its own size and precision,
  /// whatever new projects have, and in the cells that suit its score.
  [[nodiscard]] EmbeddingRecord record(const Project& project) const;

  /// How an image of this size would lie in its patches at another working size.
  [[nodiscard]] vision::Frame frame(const Project& project, const std::string& working_size,
                                    std::size_t width, std::size_t height) const;

  /// A source of embeddings as the record says, from the cache on disk where it has them; for use
  /// while this object lives.
  [[nodiscard]] std::unique_ptr<PatchSource> source(const EmbeddingRecord& how,
                                                    std::size_t threads) const;

  /// How many images have been embedded, or read from the cache on disk.
  [[nodiscard]] std::uint64_t num_embedded() const { return num_embedded_; }

 private:
  [[nodiscard]] EmbedOptions options_for(const EmbeddingRecord& how, std::size_t threads) const;
  [[nodiscard]] Embedding compute(const EmbeddingRecord& how, const std::string& path,
                                  const std::string& name) const;
  [[nodiscard]] std::unique_lock<std::mutex> lock_of(const vision::Backbone& backbone) const;
  void remember(const std::string& content, const Embedding& embedding);

  std::string default_;  ///< the backbone of new projects
  std::map<std::string, std::shared_ptr<const vision::Backbone>> backbones_;
  CacheFolder cache_;
  mutable std::mutex backbone_mutex_;  ///< for backbones that take one call at a time

  struct Remembered {
    std::string content;
    Embedding embedding;
  };
  std::mutex mutex_;
  std::list<Remembered> latest_;  ///< the latest first
  std::map<std::string, std::list<Remembered>::iterator> by_content_;
  std::size_t bytes_ = 0;
  std::atomic<std::uint64_t> num_embedded_ = 0;
};

}  // namespace caos::studio
