#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/studio/pictures/image_cache.hpp"
#include "apps/studio/store/store.hpp"
#include "caos/vision/codecs/deep_image.hpp"

namespace caos::studio {

/// An image file to be shown.
struct Picture {
  std::string type{};  ///< image/jpeg or image/png
  std::string bytes{};
  std::string tag{};  ///< equal tags mean equal bytes
};

/// The values of an image with more than 8 bits.
struct DeepValues {
  vision::Window all{};    ///< the smallest and the largest
  vision::Window shown{};  ///< what is shown by default: without the half percent at either end
};

/// Images as they are shown. Originals never leave: all are decoded, turned upright and encoded
/// again, so that only pixels are served. Safe to use from several threads.
class Pictures {
 public:
  static constexpr std::size_t tile_side = 512;
  static constexpr std::size_t preview_side = 2048;
  static constexpr std::size_t thumbnail_side = 160;
  static constexpr std::size_t max_patch_side = 256;

  /// Keeps previews in `folder`, which may be emptied at any time.
  Pictures(Store& store, std::string folder);

  /// JPEG, its longest side at most `thumbnail_side`.
  [[nodiscard]] Picture thumbnail(const ImageRecord& image);
  /// Its longest side at most `preview_side`; PNG, so exact, for images of up to a megapixel. Gray
  /// images of more than 8 bits are shown by the window, or by default stretched over what they
  /// have; others take no window.
  [[nodiscard]] Picture preview(const ImageRecord& image,
                                std::optional<vision::Window> window = {});
  /// What values an image of more than 8 bits has; nothing for others.
  [[nodiscard]] std::optional<DeepValues> deep_values(const ImageRecord& image);
  /// A square of original pixels, cut off where the image ends; PNG, so exact, where the original
  /// is exact, else JPEG. Throws `not_found` for one
  /// outside of it.
  [[nodiscard]] Picture tile(const ImageRecord& image, std::size_t column, std::size_t row,
                             std::optional<vision::Window> window = {});
  /// The square of the given radius around a point, PNG; beyond the edges they are repeated.
  [[nodiscard]] Picture patch(const ImageRecord& image, double x, double y, double radius);

  /// Removes what is kept of an image, unless its file is still there for another project.
  void forget(const ImageRecord& image);

 private:
  [[nodiscard]] ImageCache::Shared decoded(const ImageRecord& image,
                                           std::optional<vision::Window> window = {});
  [[nodiscard]] bool is_deep(const ImageRecord& image) const;
  void require_deep(const ImageRecord& image) const;
  /// Whether its file loses nothing of its pixels.
  [[nodiscard]] bool is_exact(const ImageRecord& image) const;
  [[nodiscard]] std::string path_of(const ImageRecord& image, const std::string& what) const;
  [[nodiscard]] Picture kept(const ImageRecord& image, const std::string& kind, bool as_png,
                             std::size_t side);

  Store& store_;
  std::string folder_;
  ImageCache cache_;
};

}  // namespace caos::studio
