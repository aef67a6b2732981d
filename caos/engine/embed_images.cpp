#include "caos/engine/embed_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "caos/core/error.hpp"
#include "caos/core/parallel_for.hpp"
#include "caos/engine/embedding_cache.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/vision/probe.hpp"

namespace caos {
namespace {

/// One file on its way.
struct Item {
  EmbeddedImage result{};
  std::optional<io::MappedFile> file{};
  std::string detail{};  ///< how the image is scaled, for the cache
  std::optional<vision::Image> image{};
  std::optional<std::string> failure{};
};

std::string detail_of(const vision::Frame& frame, const vision::DecodeOptions& decode) {
  return fmt::format("{}x{} in {}x{}, orientation {}", frame.scaled_width, frame.scaled_height,
                     frame.working_width, frame.working_height,
                     decode.apply_orientation ? "applied" : "ignored");
}

/// The reason with the file's name before it. Backbones do not know files and speak of sizes only.
std::string with_name(const std::string& file, const std::string& reason) {
  return reason.starts_with(file) ? reason : fmt::format("{}: {}", file, reason);
}

/// Turns files into embeddings, a chunk at a time.
class Embedder {
 public:
  Embedder(const vision::Backbone& backbone, std::span<const std::string> files,
           const EmbedOptions& options)
      : backbone_(backbone),
        files_(files),
        options_(options),
        cache_(options.cache, backbone.identity()) {}

  [[nodiscard]] std::size_t chunk_size() const {
    const std::size_t threads = options_.threads == 0 ? default_threads() : options_.threads;
    return std::max(4 * threads, 2 * backbone_.batch_size());
  }

  std::vector<Item> embed(std::size_t first, std::size_t count) {
    std::vector<Item> items(count);
    for (std::size_t i = 0; i < count; ++i) items[i].result.index = first + i;
    for_each(items, [&](Item& item) { prepare(item); });
    if (backbone_.is_parallel()) {
      run_in_batches(items);
    } else {
      for_each(items, [&](Item& item) {
        if (item.image) run({&item, 1});
      });
    }
    for_each(items, [&](Item& item) { finish(item); });
    return items;
  }

 private:
  template <typename Body>
  void for_each(std::vector<Item>& items, const Body& body) const {
    parallel_for(items.size(), 1, options_.threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (items[i].failure) continue;
        try {
          body(items[i]);
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::backend) throw;
          items[i].failure = with_name(files_[items[i].result.index], error.what());
        }
      }
    });
  }

  /// From the cache, or decoded and scaled.
  void prepare(Item& item) const {
    const std::string& path = files_[item.result.index];
    item.file.emplace(io::MappedFile::open(path));
    const vision::ImageInfo info = vision::probe_image(item.file->bytes(), path);
    vision::require_fits(info, options_.decode, path);  // in the cache or not
    const auto [width, height] = vision::decoded_size(info, options_.decode.apply_orientation);
    item.result.frame = options_.working_size.frame_of(width, height, backbone_);
    item.detail = detail_of(item.result.frame, options_.decode);
    if (auto found = cache_.find(item.file->bytes(), item.detail)) {
      if (found->rows() == item.result.frame.grid.size() &&
          found->cols() == backbone_.dimension()) {
        item.result.patches = std::move(*found);
        return;
      }
    }
    const vision::Image image = vision::decode_image(item.file->bytes(), path, options_.decode);
    item.image = vision::to_working(image, item.result.frame);
  }

  /// Images of one grid together, as many as the backbone likes.
  void run_in_batches(std::vector<Item>& items) const {
    std::size_t first = 0;
    while (first < items.size()) {
      std::size_t last = first + 1;
      while (last < items.size() && last - first < backbone_.batch_size() && items[first].image &&
             items[last].image && items[last].result.frame.grid == items[first].result.frame.grid) {
        ++last;
      }
      if (items[first].image) run(std::span(items).subspan(first, last - first));
      first = last;
    }
  }

  void run(std::span<Item> items) const {
    std::vector<vision::Image> images;
    for (Item& item : items) images.push_back(std::move(*item.image));
    std::vector<Matrix<float>> embeddings = backbone_.embed(images);
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i].image.reset();
      items[i].result.patches = std::move(embeddings[i]);
      cache_.store(items[i].file->bytes(), items[i].detail, items[i].result.patches);
    }
  }

  void finish(Item& item) const {
    item.file.reset();
    EmbeddedImage& result = item.result;
    if (options_.location) {
      result.patches = vision::with_location(result.patches, result.frame.grid, *options_.location);
    }
    result.patches = unit_rows(result.patches.view(), files_[result.index]);
  }

  const vision::Backbone& backbone_;
  std::span<const std::string> files_;
  const EmbedOptions& options_;
  EmbeddingCache cache_;
};

bool has_image_extension(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 7> known = {".jpg",  ".jpeg", ".png", ".webp",
                                                            ".tiff", ".tif",  ".bmp"};
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(known, extension) != known.end();
}

}  // namespace

std::vector<FailedImage> embed_images(const vision::Backbone& backbone,
                                      std::span<const std::string> files,
                                      const EmbedOptions& options,
                                      const std::function<void(std::span<EmbeddedImage>)>& visit) {
  Embedder embedder(backbone, files, options);
  std::vector<FailedImage> failed;
  for (std::size_t first = 0; first < files.size(); first += embedder.chunk_size()) {
    const std::size_t count = std::min(embedder.chunk_size(), files.size() - first);
    std::vector<EmbeddedImage> done;
    for (Item& item : embedder.embed(first, count)) {
      if (item.failure) {
        failed.push_back({item.result.index, *item.failure});
      } else {
        done.push_back(std::move(item.result));
      }
    }
    visit(done);
    if (options.progress) options.progress(first + count, files.size());
  }
  return failed;
}

std::vector<std::string> image_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path};
  require(io::is_folder(path), ErrorKind::not_found,
          [&] { return fmt::format("{}: is no folder of images, and no image", path); });
  std::vector<std::string> files;
  for (const std::string& name : io::files_in(path)) {
    if (has_image_extension(name)) files.push_back((fs::path(path) / name).string());
  }
  require(!files.empty(), ErrorKind::not_found, [&] {
    return fmt::format("{}: holds no images (jpg, jpeg, png, webp, tif, tiff, bmp)", path);
  });
  return files;
}

}  // namespace caos
