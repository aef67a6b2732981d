#include "caos/landmarks/embedding/patch_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/core/pipeline.hpp"
#include "caos/error.hpp"
#include "caos/io/arrays/embedding_file.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos {
namespace {

constexpr std::string_view file_prefix = backbone_of_arrays;

class BackboneSource final : public PatchSource {
 public:
  BackboneSource(std::shared_ptr<const vision::Backbone> backbone, EmbedOptions options)
      : backbone_(std::move(backbone)), options_(std::move(options)) {}

  [[nodiscard]] std::string identity() const override { return backbone_->identity(); }
  [[nodiscard]] std::vector<FailedImage> stream(std::span<const std::string> files,
                                                const ImageVisitor& visitor) const override {
    return stream_images(*backbone_, files, options_, visitor);
  }
  [[nodiscard]] std::size_t group_size() const override { return images_at_a_time(*backbone_); }

 private:
  std::shared_ptr<const vision::Backbone> backbone_;
  EmbedOptions options_;
};

/// Knows patches only as far as a grid needs it.
class UnknownBackbone final : public vision::Backbone {
 public:
  UnknownBackbone(std::size_t patch_size, std::size_t dimension)
      : patch_size_(patch_size), dimension_(dimension) {}

  [[nodiscard]] std::string identity() const override { return "embeddings"; }
  [[nodiscard]] std::size_t patch_size() const override { return patch_size_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }
  [[nodiscard]] std::size_t batch_size() const override { return 1; }
  [[nodiscard]] bool is_parallel() const override { return false; }
  [[nodiscard]] vision::PatchGrid grid_of(std::size_t width, std::size_t height) const override {
    return vision::grid_over(width, height, patch_size_);
  }
  [[nodiscard]] std::vector<Matrix<float>> embed(std::span<const vision::Image>) const override {
    throw Error(ErrorKind::backend, "the backbone of these embeddings is not available");
  }

 private:
  std::size_t patch_size_;
  std::size_t dimension_;
};

class FileSource final : public PatchSource {
 public:
  FileSource(const std::string& path, const PatchSourceOptions& options,
             std::span<const std::string> files)
      : file_(io::EmbeddingFile::open(path)),
        backbone_(options.patch_size, file_.dimension()),
        options_(options.embed) {
    require(file_.num_images() == files.size(), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: holds embeddings of {} images; there are {} images", path,
                         file_.num_images(), files.size());
    });
    require(options.embed.rotation == vision::Rotation::none, ErrorKind::invalid_input, [&] {
      return fmt::format(
          "{}: holds images as they are, and --rotation needs them rotated, too; give a backbone",
          path);
    });
    for (std::size_t i = 0; i < files.size(); ++i) row_of_.emplace(plain(files[i]), i);
  }

  [[nodiscard]] std::string identity() const override {
    return identity_of_arrays(file_.dimension());
  }

  [[nodiscard]] std::vector<FailedImage> stream(std::span<const std::string> files,
                                                const ImageVisitor& visitor) const override {
    const std::size_t threads = num_threads(options_.threads);
    std::vector<Item> items(4 * threads);  // a ring, of those on their way
    const auto item = [&](std::size_t i) -> Item& { return items[i % items.size()]; };
    std::vector<FailedImage> failed;
    run_pipeline(files.size(), threads,
                 {.read = [&](std::size_t i) { item(i) = probe(files[i], i); },
                  .steps = {{[&](std::size_t i) {
                    read(files[i], item(i));
                    if (!item(i).failure) item(i).in_order = visitor(std::move(item(i).image));
                  }}},
                  .take =
                      [&](std::size_t i) {
                        if (item(i).failure) {
                          failed.push_back({i, std::move(*item(i).failure)});
                        } else if (item(i).in_order) {
                          item(i).in_order();
                        }
                        item(i) = {};
                        if (options_.progress) options_.progress(i + 1, files.size());
                      },
                  .window = items.size()});
    return failed;
  }

 private:
  /// One image on its way.
  struct Item {
    EmbeddedImage image{};
    std::optional<std::string> failure{};
    std::function<void()> in_order{};  ///< what the visitor left to do
  };

  /// What is wrong with an image or its row is kept with it; an array that changes is thrown.
  template <typename Body>
  static void attempt(Item& item, const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::backend) throw;
      item.failure = error.what();
    }
  }

  /// What the header of an image file says.
  [[nodiscard]] Item probe(const std::string& path, std::size_t index) const {
    Item item;
    item.image.index = index;
    attempt(item, [&] {
      const io::MappedFile file = io::MappedFile::open(path);
      const vision::ImageInfo info = vision::probe_image(file.bytes(), path);
      const auto [width, height] = vision::decoded_size(info, options_.decode.apply_orientation);
      item.image.frame = options_.working_size.frame_of(width, height, backbone_);
    });
    return item;
  }

  void read(const std::string& path, Item& item) const {
    if (!item.failure) attempt(item, [&] { read(path, item.image); });
  }

  void read(const std::string& path, EmbeddedImage& image) const {
    const vision::PatchGrid& grid = image.frame.grid;
    require(grid.size() == file_.num_patches(), ErrorKind::invalid_input, [&] {
      return fmt::format(
          "{}: has {} x {} patches of {}; {} has {} per image (give the patch size and "
          "working size that they were made with, such as --working-size original)",
          path, grid.columns, grid.rows, grid.patch_size, file_.name(), file_.num_patches());
    });
    const std::size_t row = row_of(path);
    Matrix<float> patches = file_.image(row);
    if (options_.location) patches = vision::with_location(patches, grid, *options_.location);
    image.patches =
        unit_rows(std::move(patches), fmt::format("{}: image {} ({})", file_.name(), row, path));
    use_cells(image, options_.cell, vision::PointDescriptor::interpolated);
  }

  /// "faces/./a.png" is "faces/a.png".
  [[nodiscard]] static std::string plain(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
  }

  [[nodiscard]] std::size_t row_of(const std::string& path) const {
    const auto found = row_of_.find(plain(path));
    require(found != row_of_.end(), ErrorKind::invalid_input, [&] {
      return fmt::format("{}: not among the images whose embeddings {} holds", path, file_.name());
    });
    return found->second;
  }

  io::EmbeddingFile file_;
  UnknownBackbone backbone_;
  EmbedOptions options_;
  std::map<std::string, std::size_t> row_of_;
};

}  // namespace

std::string identity_of_arrays(std::size_t dimension) {
  return fmt::format("embeddings of dimension {}", dimension);
}

bool is_embedding_file(const std::string& backbone) { return backbone.starts_with(file_prefix); }

std::unique_ptr<PatchSource> open_patch_source(const PatchSourceOptions& options,
                                               std::span<const std::string> files) {
  if (is_embedding_file(options.backbone)) {
    const std::string path = options.backbone.substr(file_prefix.size());
    return std::make_unique<FileSource>(path, options, files);
  }
  return make_patch_source(open_backbone(options.backbone, options.backbone_options),
                           options.embed);
}

std::unique_ptr<PatchSource> make_patch_source(std::shared_ptr<const vision::Backbone> backbone,
                                               const EmbedOptions& options) {
  return std::make_unique<BackboneSource>(std::move(backbone), options);
}

}  // namespace caos
