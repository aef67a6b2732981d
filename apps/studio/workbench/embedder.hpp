#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "caos/backbone.hpp"
#include "caos/landmarks/embedding/embed_images.hpp"
#include "caos/landmarks/growing_landmarks.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {

/// An image as the backbone sees it.
struct Embedding {
  vision::Frame frame{};
  SharedPatches patches{};
};

/// Embeds image files, one at a time, and remembers: the latest in memory, all of them on disk.
/// Safe to use from several threads.
class Embedder {
 public:
  /// `cache` is a folder that may be deleted at any time.
  Embedder(const std::string& backbone, const std::string& working_size, const std::string& cache);

  /// Throws `bad_format` or `invalid_input` for a file that cannot be embedded; what it says begins
  /// with `name`. `content` is the hash of the file.
  [[nodiscard]] Embedding embed(const std::string& path, const std::string& content,
                                const std::string& name);

  /// How images are embedded, for models.
  [[nodiscard]] const EmbeddingRecord& record() const { return record_; }

  /// How many images have been embedded, or read from the cache on disk.
  [[nodiscard]] std::uint64_t num_embedded() const { return num_embedded_; }

 private:
  [[nodiscard]] Embedding compute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::unique_lock<std::mutex> backbone_lock() const;
  void remember(const std::string& content, const Embedding& embedding);

  std::unique_ptr<vision::Backbone> backbone_;
  EmbedOptions options_;
  EmbeddingRecord record_;
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
