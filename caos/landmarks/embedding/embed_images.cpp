#include "caos/landmarks/embedding/embed_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include "caos/core/parallel_for.hpp"
#include "caos/core/pipeline.hpp"
#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/read_ahead.hpp"
#include "caos/landmarks/formats/image_names.hpp"
#include "caos/scorers/float16_rows.hpp"
#include "caos/scorers/unit_rows.hpp"
#include "caos/vision/codecs/probe.hpp"

namespace caos {
namespace {

/// One file on its way.
struct Item {
  std::size_t index = 0;
  EmbeddedImage result{};
  std::optional<io::MappedFile> file{};
  std::string detail{};  ///< how the image is scaled, for the cache
  std::optional<vision::Image> working{};
  std::vector<std::optional<vision::Image>> rotated{};  ///< by angle; those to be embedded
  std::optional<std::string> failure{};
  std::function<void()> in_order{};  ///< what the visitor left to do
};

std::string detail_of(const vision::Frame& frame, const vision::DecodeOptions& decode) {
  return fmt::format("{}x{} in {}x{}, orientation {}", frame.scaled_width, frame.scaled_height,
                     frame.working_width, frame.working_height,
                     decode.apply_orientation ? "applied" : "ignored");
}

std::string rotated_detail(const std::string& detail, double degrees) {
  return fmt::format("{}, rotated by {}", detail, degrees);
}

/// The working image without its padding.
vision::ImageSize scaled_size(const vision::Frame& frame) {
  return {.width = frame.scaled_width, .height = frame.scaled_height};
}

/// The reason with the file's name before it. Backbones do not know files and speak of sizes only.
std::string with_name(const std::string& file, const std::string& reason) {
  return reason.starts_with(file) ? reason : fmt::format("{}: {}", file, reason);
}

/// Files that the system may be reading beyond those that are in the pipeline.
constexpr std::size_t read_ahead = 16;

/// Bytes of decoded images that may wait for a backbone.
constexpr std::size_t most_waiting = std::size_t{256} << 20U;

/// Takes groups of files through a pipeline: as many files as the backbone embeds at a time, or
/// single ones. Groups begin at multiples of their size, so that no thread count changes them.
class Stream {
 public:
  Stream(const vision::Backbone& backbone, std::span<const std::string> files,
         const EmbedOptions& options, const ImageVisitor& visitor)
      : backbone_(backbone),
        files_(files),
        options_(options),
        visitor_(visitor),
        cache_(options.cache, backbone.identity(), options.precision),
        reader_(files, read_ahead),
        count_(files.size()),
        group_size_(images_at_a_time(backbone)) {
    require(!options.cell || !options.location, ErrorKind::invalid_input,
            "a location prior describes patches and not the cells within; give cell 16 with it");
    require(!options.cell || angles().empty(), ErrorKind::invalid_input,
            "rotated images have patches and not the cells within; give cell 16 with a rotation");
    require(!options.location || angles().empty(), ErrorKind::invalid_input,
            "references cannot be rotated where the place in the image counts; leave --rotation or "
            "--location-sigma and --location-weight out");
  }

  Stream(const vision::Backbone& backbone, const ImagesInMemory& images,
         const EmbedOptions& options, const ImageVisitor& visitor)
      : Stream(backbone, std::span<const std::string>(), options, visitor) {
    in_memory_ = &images;
    count_ = images.count;
  }

  std::vector<FailedImage> run() {
    const std::size_t threads = num_threads(options_.threads);
    // One group is embedded while others are read, prepared and finished.
    groups_.resize(std::max<std::size_t>(4, 4 * threads / group_size_));
    run_pipeline((count_ + group_size_ - 1) / group_size_, threads,
                 {.read = [&](std::size_t g) { read(g); },
                  .steps = steps(),
                  .take = [&](std::size_t g) { take(g); },
                  .window = groups_.size()});
    return std::move(failed_);
  }

 private:
  using Group = std::vector<Item>;

  [[nodiscard]] std::span<const double> angles() const {
    return vision::angles_of(options_.rotation);
  }

  [[nodiscard]] Group& group(std::size_t g) { return groups_[g % groups_.size()]; }

  [[nodiscard]] std::vector<Pipeline::Step> steps() {
    if (!backbone_.is_parallel()) {
      return {{[&](std::size_t g) {
        prepare(group(g));
        for (Item& item : group(g)) {
          if (item.working) attempt(item, [&] { embed({&item, 1}); });
          attempt(item, [&] { embed_rotated(item); });
        }
        finish(group(g));
      }}};
    }
    return {{[&](std::size_t g) { prepare(group(g)); }},
            {[&](std::size_t g) { embed_in_batches(group(g)); }, true},
            {[&](std::size_t g) { finish(group(g)); }}};
  }

  /// What errors call an image.
  [[nodiscard]] std::string name(std::size_t index) const {
    return in_memory_ == nullptr ? files_[index] : fmt::format("image {}", index);
  }

  /// What is wrong with a file is kept with it; what is wrong with the backbone is thrown.
  template <typename Body>
  void attempt(Item& item, const Body& body) const {
    if (item.failure) return;
    try {
      body();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::backend) throw;
      item.failure = with_name(name(item.index), error.what());
    } catch (const std::bad_alloc&) {
      // Nor is this: without the image, the result would depend on who else uses memory.
      throw Error(ErrorKind::backend,
                  with_name(name(item.index),
                            "needs more memory than is available; leave it out, or free memory"));
    }
  }

  void read(std::size_t g) {
    const std::size_t first = g * group_size_;
    group(g).resize(std::min(group_size_, count_ - first));
    for (std::size_t i = 0; i < group(g).size(); ++i) {
      Item& item = group(g)[i];
      item.index = item.result.index = first + i;
      if (in_memory_ == nullptr) attempt(item, [&] { item.file.emplace(reader_.next()); });
    }
  }

  void prepare(Group& group) const {
    for (Item& item : group) {
      attempt(item, [&] { item.file ? prepare(item) : prepare_in_memory(item); });
    }
  }

  /// From the cache, or decoded and scaled.
  void prepare(Item& item) const {
    const std::string& path = files_[item.index];
    const vision::ImageInfo info = vision::probe_image(item.file->bytes(), path);
    vision::require_fits(info, options_.decode, path);  // in the cache or not
    const auto [width, height] = vision::decoded_size(info, options_.decode.apply_orientation);
    item.result.frame = options_.working_size.frame_of(width, height, backbone_);
    item.detail = detail_of(item.result.frame, options_.decode);
    lay_out_rotated(item);
    if (find_upright(item) && find_rotated(item)) return;
    vision::Image image = vision::decode_image(item.file->bytes(), path, options_.decode);
    take_working(item, image);
    if (options_.keep_pictures && may_wait(image)) item.result.picture = std::move(image);
  }

  /// The grids of the rotated images, which are larger than the image.
  void lay_out_rotated(Item& item) const {
    for (const double degrees : angles()) {
      const auto [width, height] = vision::rotated_size(scaled_size(item.result.frame), degrees);
      try {
        item.result.rotated.push_back(
            {.degrees = degrees, .grid = backbone_.grid_of(width, height)});
      } catch (const Error& error) {
        throw Error(error.kind(),
                    fmt::format("{} (that is the image rotated by {} degrees: --rotation needs a "
                                "backbone that takes images of any size)",
                                error.what(), degrees));
      }
    }
  }

  [[nodiscard]] bool find_upright(Item& item) const {
    auto found = cache_.find(item.file->bytes(), item.detail);
    if (!found || !suits(*found, item.result.frame)) return false;
    item.result.patches = std::move(found->patches);
    item.result.gray = std::move(found->gray);
    return true;
  }

  /// All of them, or none.
  [[nodiscard]] bool find_rotated(Item& item) const {
    for (std::size_t r = 0; r < angles().size(); ++r) {
      auto found = cache_.find(item.file->bytes(), rotated_detail(item.detail, angles()[r]));
      if (!found || !suits(*found, item.result.rotated[r].grid)) return false;
      item.result.rotated[r].patches = std::move(found->patches);
    }
    return true;
  }

  [[nodiscard]] bool suits(const CachedImage& found, const vision::PatchGrid& grid) const {
    return found.patches.rows() == grid.size() && found.patches.cols() == backbone_.dimension();
  }

  [[nodiscard]] bool suits(const CachedImage& found, const vision::Frame& frame) const {
    return suits(found, frame.grid) && found.gray.rows() == frame.scaled_height &&
           found.gray.cols() == frame.scaled_width;
  }

  void take_working(Item& item, const vision::Image& image) const {
    const vision::Frame& frame = item.result.frame;
    item.working = vision::to_working(image, frame);
    item.result.gray = vision::gray_of(*item.working, frame.scaled_width, frame.scaled_height);
    for (const double degrees : angles()) {
      item.rotated.emplace_back(vision::rotated_image(*item.working, scaled_size(frame), degrees));
    }
  }

  /// Of backbones that work by themselves, many images wait; of others one per thread.
  [[nodiscard]] bool may_wait(const vision::Image& image) const {
    return !backbone_.is_parallel() ||
           image.rgb.size() <= most_waiting / (groups_.size() * group_size_);
  }

  void prepare_in_memory(Item& item) const {
    const vision::Image image = in_memory_->image(item.index);
    item.result.frame = options_.working_size.frame_of(image.width, image.height, backbone_);
    lay_out_rotated(item);
    take_working(item, image);
  }

  /// Neighbors of one grid together.
  void embed_in_batches(Group& items) const {
    std::size_t first = 0;
    while (first < items.size()) {
      std::size_t last = first + 1;
      while (last < items.size() && items[first].working && items[last].working &&
             items[last].result.frame.grid == items[first].result.frame.grid) {
        ++last;
      }
      if (items[first].working) embed(std::span(items).subspan(first, last - first));
      first = last;
    }
    for (Item& item : items) embed_rotated(item);
  }

  /// One at a time: sizes differ from angle to angle.
  void embed_rotated(Item& item) const {
    for (std::size_t r = 0; r < item.rotated.size(); ++r) {
      const vision::Image image = std::move(*std::exchange(item.rotated[r], std::nullopt));
      Matrix<float>& patches = item.result.rotated[r].patches;
      patches = rounded(std::move(backbone_.embed({&image, 1}).at(0)));
      if (!item.file) continue;
      cache_.store(item.file->bytes(), rotated_detail(item.detail, angles()[r]), patches, {});
    }
  }

  void embed(std::span<Item> items) const {
    std::vector<vision::Image> images;
    for (Item& item : items) images.push_back(std::move(*item.working));
    std::vector<Matrix<float>> embeddings = backbone_.embed(images);
    for (std::size_t i = 0; i < items.size(); ++i) {
      items[i].working.reset();
      items[i].result.patches = rounded(std::move(embeddings[i]));
      if (!items[i].file) continue;
      cache_.store(items[i].file->bytes(), items[i].detail, items[i].result.patches,
                   items[i].result.gray);
    }
  }

  /// Before anything else, so that what comes from the cache is the same.
  [[nodiscard]] Matrix<float> rounded(Matrix<float>&& embeddings) const {
    return options_.precision == EmbeddingPrecision::float16 ? float16_rows(std::move(embeddings))
                                                             : std::move(embeddings);
  }

  void finish(Group& group) const {
    for (Item& item : group) {
      item.file.reset();
      attempt(item, [&] { finish(item.result); });
      if (!item.failure) item.in_order = visitor_(std::move(item.result));
    }
  }

  void finish(EmbeddedImage& result) const {
    if (options_.location) {
      result.patches = vision::with_location(result.patches, result.frame.grid, *options_.location);
    }
    result.patches = unit_rows(std::move(result.patches), name(result.index));
    use_cells(result, options_.cell, backbone_.point_descriptor());
    for (RotatedImage& rotated : result.rotated) {
      rotated.patches = unit_rows(std::move(rotated.patches), name(result.index));
    }
  }

  void take(std::size_t g) {
    for (Item& item : group(g)) {
      if (item.failure) {
        failed_.push_back({item.index, std::move(*item.failure)});
      } else if (item.in_order) {
        item.in_order();
      }
    }
    const std::size_t done = g * group_size_ + group(g).size();
    group(g).clear();
    if (options_.progress) options_.progress(done, count_);
  }

  const vision::Backbone& backbone_;
  std::span<const std::string> files_;
  const EmbedOptions& options_;
  const ImageVisitor& visitor_;
  EmbeddingCache cache_;
  io::ReadAhead reader_;
  const ImagesInMemory* in_memory_ = nullptr;  // in place of files
  std::size_t count_;
  std::size_t group_size_;
  std::vector<Group> groups_;  // a ring, of those on their way
  std::vector<FailedImage> failed_;
};

}  // namespace

std::size_t images_at_a_time(const vision::Backbone& backbone) {
  return backbone.is_parallel() ? std::max<std::size_t>(backbone.batch_size(), 1) : 1;
}

void use_cells(EmbeddedImage& image, std::optional<std::size_t> side,
               vision::PointDescriptor descriptor) {
  const vision::PatchGrid patches = image.frame.grid;
  if (!side || *side >= patches.patch_size) return;
  CellSource source{.patches = patches, .descriptor = descriptor};
  if (descriptor != vision::PointDescriptor::interpolated) {
    source.gray = std::make_shared<const vision::GrayImage>(image.gray);
  }
  image.cells = std::move(source);
  image.frame.grid = cells_over(patches, *side);
}

ImageVisitor in_order(std::function<void(EmbeddedImage&&)> visit) {
  return [visit = std::move(visit)](EmbeddedImage&& image) -> std::function<void()> {
    return [&visit, image = std::move(image)]() mutable { visit(std::move(image)); };
  };
}

std::vector<FailedImage> stream_images(const vision::Backbone& backbone,
                                       std::span<const std::string> files,
                                       const EmbedOptions& options, const ImageVisitor& visitor) {
  return Stream(backbone, files, options, visitor).run();
}

std::vector<FailedImage> stream_images(const vision::Backbone& backbone,
                                       const ImagesInMemory& images, const EmbedOptions& options,
                                       const ImageVisitor& visitor) {
  return Stream(backbone, images, options, visitor).run();
}

std::vector<std::string> image_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path};
  require(io::is_folder(path), ErrorKind::not_found,
          [&] { return fmt::format("{}: not an image or a directory", path); });
  std::vector<std::string> files;
  for (const std::string& name : io::files_in(path)) {
    if (landmarks::has_image_extension(name)) files.push_back((fs::path(path) / name).string());
  }
  require(!files.empty(), ErrorKind::not_found, [&] {
    return fmt::format("{}: contains no images (jpg, jpeg, png, webp, tif, tiff, bmp)", path);
  });
  return files;
}

}  // namespace caos
