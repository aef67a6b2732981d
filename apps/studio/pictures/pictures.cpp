#include "apps/studio/pictures/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "caos/error.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/io/write_whole.hpp"
#include "caos/vision/codecs/decode.hpp"
#include "caos/vision/codecs/encode.hpp"
#include "caos/vision/codecs/probe.hpp"
#include "caos/vision/working_size.hpp"

namespace caos::studio {
namespace {

using vision::Image;

constexpr std::size_t cache_bytes = 150'000'000;  // a photograph of 50 megapixels
constexpr std::size_t exact_pixels = 1'000'000;
constexpr int quality = 90;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// At most `side` wide and high; never larger than it is.
Image scaled(const Image& image, std::size_t side) {
  const std::size_t longest = std::max(image.width, image.height);
  if (longest <= side) return image;
  const auto shrunk = [&](std::size_t length) {
    return std::max<std::size_t>(1, (length * side + longest / 2) / longest);
  };
  const std::size_t width = shrunk(image.width);
  const std::size_t height = shrunk(image.height);
  return vision::to_working(image, {.width = image.width,
                                    .height = image.height,
                                    .scaled_width = width,
                                    .scaled_height = height,
                                    .working_width = width,
                                    .working_height = height});
}

/// The rectangle from (left, top) on; beyond the edges they are repeated.
Image crop(const Image& image, std::ptrdiff_t left, std::ptrdiff_t top, std::size_t width,
           std::size_t height) {
  const auto within = [](std::ptrdiff_t at, std::size_t size) {
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(size) - 1));
  };
  Image part{
      .width = width, .height = height, .rgb = std::vector<std::uint8_t>(width * height * 3)};
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t from_y = within(top + static_cast<std::ptrdiff_t>(y), image.height);
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t from_x = within(left + static_cast<std::ptrdiff_t>(x), image.width);
      std::memcpy(&part.rgb[(y * width + x) * 3], &image.rgb[(from_y * image.width + from_x) * 3],
                  3);
    }
  }
  return part;
}

Picture png(const Image& image, std::string tag) {
  return {.type = "image/png", .bytes = text_of(vision::encode_png(image)), .tag = std::move(tag)};
}

Picture jpeg(const Image& image, std::string tag) {
  return {.type = "image/jpeg",
          .bytes = text_of(vision::encode_jpeg(image, quality)),
          .tag = std::move(tag)};
}

constexpr const char* thumbnail_name = "thumbnail";
constexpr const char* preview_name = "preview";
constexpr const char* stretched_end = "-stretched";  // of images with more than 8 bits

/// What is shown of many bits by default.
vision::Window stretched(const vision::DeepImage& image) {
  constexpr double left_out = 0.005;
  return vision::window_of_shares(image, left_out, 1 - left_out);
}

std::string text_of(const std::optional<vision::Window>& window) {
  return window ? fmt::format("-{}-{}", window->low, window->high) : "";
}

/// A file of the cache; nothing where there is none.
std::string read_kept(const std::string& path) {
  try {
    return std::string(io::MappedFile::read(path).text());
  } catch (const Error&) {
    return {};
  }
}

/// A crash may leave a kept picture damaged: it must begin and end as its kind does.
bool is_whole(const std::string& bytes, bool as_png) {
  return as_png ? bytes.starts_with("\x89PNG") && bytes.ends_with("IEND\xae\x42\x60\x82")
                : bytes.starts_with("\xff\xd8") && bytes.ends_with("\xff\xd9");
}

void keep(const std::string& path, const std::string& bytes) {
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    io::write_whole(
        path, [&](io::Sink& sink) { sink.write(bytes); }, io::Durability::may_be_lost);
  } catch (const std::exception&) {
    // It is only a cache: a full disk makes it slower, not wrong.
  }
}

}  // namespace

Pictures::Pictures(Store& store, std::string folder)
    : store_(store), folder_(std::move(folder)), cache_(cache_bytes) {}

ImageCache::Shared Pictures::decoded(const ImageRecord& image,
                                     std::optional<vision::Window> window) {
  return cache_.get(image.sha256 + text_of(window), [&] {
    const io::MappedFile file = io::MappedFile::read(store_.path_of(image));
    const auto deep = vision::decode_deep(file.bytes(), image.name);
    if (!deep) return vision::decode_image(file.bytes(), image.name);
    return vision::windowed(*deep, window ? *window : stretched(*deep));
  });
}

std::optional<DeepValues> Pictures::deep_values(const ImageRecord& image) {
  const io::MappedFile file = io::MappedFile::read(store_.path_of(image));
  const auto deep = vision::decode_deep(file.bytes(), image.name);
  if (!deep) return std::nullopt;
  return DeepValues{.all = vision::window_of_shares(*deep, 0, 1), .shown = stretched(*deep)};
}

bool Pictures::is_deep(const ImageRecord& image) const {
  return vision::is_deep_image(io::MappedFile::open(store_.path_of(image)).bytes());
}

bool Pictures::is_exact(const ImageRecord& image) const {
  // Mapped, as its first bytes tell: it is the studio's own file, which is never shortened.
  const io::MappedFile file = io::MappedFile::open(store_.path_of(image));
  const vision::ImageFormat format = vision::probe_image(file.bytes(), image.name).format;
  return format != vision::ImageFormat::jpeg && format != vision::ImageFormat::webp;
}

std::string Pictures::path_of(const ImageRecord& image, const std::string& what) const {
  return fmt::format("{}/{}/{}-{}", folder_, image.sha256.substr(0, 2), image.sha256, what);
}

void Pictures::forget(const ImageRecord& image) {
  std::error_code ignored;
  if (std::filesystem::exists(store_.path_of(image), ignored)) return;
  for (const char* what : {thumbnail_name, preview_name}) {
    std::filesystem::remove(path_of(image, what), ignored);
    std::filesystem::remove(path_of(image, std::string(what) + stretched_end), ignored);
  }
}

Picture Pictures::kept(const ImageRecord& image, const std::string& kind, bool as_png,
                       std::size_t side) {
  const std::string what = is_deep(image) ? kind + stretched_end : kind;
  const std::string path = path_of(image, what);
  Picture picture{.type = as_png ? "image/png" : "image/jpeg",
                  .bytes = read_kept(path),
                  .tag = fmt::format("{}-{}", image.sha256.substr(0, 32), what)};
  if (is_whole(picture.bytes, as_png)) return picture;
  const Image small = scaled(*decoded(image), side);
  picture.bytes = text_of(as_png ? vision::encode_png(small) : vision::encode_jpeg(small, quality));
  keep(path, picture.bytes);
  return picture;
}

Picture Pictures::thumbnail(const ImageRecord& image) {
  return kept(image, thumbnail_name, false, thumbnail_side);
}

Picture Pictures::preview(const ImageRecord& image, std::optional<vision::Window> window) {
  const bool as_png = image.width * image.height <= exact_pixels;
  if (!window) return kept(image, preview_name, as_png, preview_side);
  require_deep(image);
  const Image small = scaled(*decoded(image, window), preview_side);
  const std::string tag = fmt::format("{}-preview{}", image.sha256.substr(0, 32), text_of(window));
  return as_png ? png(small, tag) : jpeg(small, tag);
}

void Pictures::require_deep(const ImageRecord& image) const {
  require(is_deep(image), ErrorKind::invalid_input, [&] {
    return fmt::format("image {} has 8 bits a pixel, and takes no window", image.id);
  });
}

Picture Pictures::tile(const ImageRecord& image, std::size_t column, std::size_t row,
                       std::optional<vision::Window> window) {
  if (window) require_deep(image);
  const bool inside = column < (image.width + tile_side - 1) / tile_side &&
                      row < (image.height + tile_side - 1) / tile_side;
  require(inside, ErrorKind::not_found, [&] {
    return fmt::format("image {} has no tile {}/{}: it has {} x {} pixels", image.id, column, row,
                       image.width, image.height);
  });
  const std::size_t left = column * tile_side;
  const std::size_t top = row * tile_side;
  const Image part = crop(*decoded(image, window), static_cast<std::ptrdiff_t>(left),
                          static_cast<std::ptrdiff_t>(top), std::min(tile_side, image.width - left),
                          std::min(tile_side, image.height - top));
  const std::string tag = fmt::format("{}-tile-{}-{}{}{}", image.sha256.substr(0, 32), column, row,
                                      is_deep(image) ? stretched_end : "", text_of(window));
  return is_exact(image) ? png(part, tag) : jpeg(part, tag);
}

Picture Pictures::patch(const ImageRecord& image, double x, double y, double radius) {
  const bool near = std::isfinite(x) && std::isfinite(y) && std::abs(x) < 1e6 && std::abs(y) < 1e6;
  require(near && radius >= 1 && radius <= 1024, ErrorKind::invalid_input,
          "a patch needs x and y in pixels and a radius from 1 to 1024");
  const auto side = static_cast<std::size_t>(std::lround(2 * radius));
  const Image part =
      crop(*decoded(image), std::lround(x - radius), std::lround(y - radius), side, side);
  return png(scaled(part, max_patch_side),
             fmt::format("{}-patch-{}-{}-{}", image.sha256.substr(0, 32), x, y, radius));
}

}  // namespace caos::studio
