#include "apps/studio/workbench/embedder.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "caos/error.hpp"
#include "caos/landmarks/embedding/open_backbone.hpp"

namespace caos::studio {
namespace {

/// How much memory unused embeddings may take.
constexpr std::size_t most_bytes = std::size_t{96} << 20;

std::size_t bytes_of(const Embedding& embedding) {
  return embedding.patches->rows() * embedding.patches->cols() * sizeof(float) +
         embedding.gray->rows() * embedding.gray->cols();
}

/// The reason in terms of the image's name: the file is named by its hash.
std::string with_name(std::string reason, const std::string& path, const std::string& name) {
  if (!reason.starts_with(path)) return fmt::format("{}: {}", name, reason);
  return name + reason.substr(path.size());
}

}  // namespace

Embedder::Embedder(const std::string& backbone, CacheFolder cache)
    : default_(backbone), cache_(std::move(cache)) {
  for (const std::string& name : {std::string("builtin-2"), std::string("builtin"), backbone}) {
    backbones_[name] = open_backbone(name);
  }
}

const std::string& Embedder::backbone(const Project& project) const {
  const auto own = backbones_.find(project.backbone);
  return own != backbones_.end() ? own->first : default_;
}

EmbeddingRecord Embedder::record(const Project& project) const {
  const std::string& name = backbone(project);
  const vision::Backbone& opened = *backbones_.at(name);
  return {.backbone = name,
          .identity = opened.identity(),
          .working_size = project.working_size,
          .precision = parse_precision(project.precision),
          .patch_size = opened.patch_size(),
          .cell = choose_cell("", choose_score(project.settings.score, name).score)};
}

Embedding Embedder::embed(const EmbeddingRecord& how, const std::string& path,
                          const std::string& hash, const std::string& name) {
  const std::string content = fmt::format("{} {} {} {} {}", hash, how.backbone, how.working_size,
                                          precision_name(how.precision), how.cell.value_or(0));
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_content_.find(content); found != by_content_.end()) {
      latest_.splice(latest_.begin(), latest_, found->second);
      return found->second->embedding;
    }
  }
  Embedding embedding = compute(how, path, name);
  ++num_embedded_;
  remember(content, embedding);
  return embedding;
}

std::unique_lock<std::mutex> Embedder::lock_of(const vision::Backbone& backbone) const {
  return backbone.is_parallel() ? std::unique_lock(backbone_mutex_)
                                : std::unique_lock<std::mutex>();
}

EmbedOptions Embedder::options_for(const EmbeddingRecord& how, std::size_t threads) const {
  return {.working_size = vision::WorkingSize::recorded(how.working_size),
          .cell = how.cell,
          .precision = how.precision,
          .cache = cache_,
          .threads = threads};
}

vision::Frame Embedder::frame(const Project& project, const std::string& working_size,
                              std::size_t width, std::size_t height) const {
  return vision::WorkingSize::recorded(working_size)
      .frame_of(width, height, *backbones_.at(backbone(project)));
}

std::unique_ptr<PatchSource> Embedder::source(const EmbeddingRecord& how,
                                              std::size_t threads) const {
  return make_patch_source(backbones_.at(how.backbone), options_for(how, threads));
}

Embedding Embedder::compute(const EmbeddingRecord& how, const std::string& path,
                            const std::string& name) const {
  const EmbedOptions options = options_for(how, 1);
  const vision::Backbone& backbone = *backbones_.at(how.backbone);
  const auto lock = lock_of(backbone);
  const std::array files = {path};
  Embedding embedding;
  const auto keep = [&](EmbeddedImage&& image) {
    embedding.frame = image.frame;
    embedding.cells = std::move(image.cells);
    embedding.patches = std::make_shared<const Matrix<float>>(std::move(image.patches));
    embedding.gray = std::make_shared<const vision::GrayImage>(std::move(image.gray));
  };
  const auto failed = stream_images(backbone, files, options, in_order(keep));
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
