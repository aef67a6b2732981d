#include "apps/studio/workbench/embedder.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos::studio {
namespace {

/// How much memory unused embeddings may take.
constexpr std::size_t most_bytes = std::size_t{256} << 20;

std::size_t bytes_of(const Embedding& embedding) {
  return embedding.patches->rows() * embedding.patches->cols() * sizeof(float);
}

/// The reason in terms of the image's name: the file is named by its hash.
std::string with_name(std::string reason, const std::string& path, const std::string& name) {
  if (!reason.starts_with(path)) return fmt::format("{}: {}", name, reason);
  return name + reason.substr(path.size());
}

}  // namespace

Embedder::Embedder(const std::string& backbone, const std::string& working_size,
                   const std::string& cache)
    : backbone_(open_backbone(backbone)) {
  if (!working_size.empty()) options_.working_size = vision::WorkingSize::parse(working_size);
  options_.cache = cache;
  options_.threads = 1;
  record_.backbone = backbone;
  record_.identity = backbone_->identity();
  record_.working_size = working_size;
  record_.patch_size = backbone_->patch_size();
}

Embedding Embedder::embed(const std::string& path, const std::string& content,
                          const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_content_.find(content); found != by_content_.end()) {
      latest_.splice(latest_.begin(), latest_, found->second);
      return found->second->embedding;
    }
  }
  Embedding embedding = compute(path, name);
  ++num_embedded_;
  remember(content, embedding);
  return embedding;
}

std::unique_lock<std::mutex> Embedder::backbone_lock() const {
  return backbone_->is_parallel() ? std::unique_lock(backbone_mutex_)
                                  : std::unique_lock<std::mutex>();
}

Embedding Embedder::compute(const std::string& path, const std::string& name) const {
  const auto lock = backbone_lock();
  const std::array files = {path};
  Embedding embedding;
  const auto keep = [&](EmbeddedImage&& image) {
    embedding.frame = image.frame;
    embedding.patches = std::make_shared<const Matrix<float>>(std::move(image.patches));
  };
  const auto failed = stream_images(*backbone_, files, options_, in_order(keep));
  require(failed.empty(), ErrorKind::bad_format,
          [&] { return with_name(failed[0].reason, path, name); });
  return embedding;
}

void Embedder::remember(const std::string& content, const Embedding& embedding) {
  const std::lock_guard lock(mutex_);
  if (by_content_.contains(content)) return;
  latest_.push_front({content, embedding});
  by_content_[content] = latest_.begin();
  bytes_ += bytes_of(embedding);
  while (bytes_ > most_bytes && latest_.size() > 1) {
    bytes_ -= bytes_of(latest_.back().embedding);
    by_content_.erase(latest_.back().content);
    latest_.pop_back();
  }
}

}  // namespace caos::studio
