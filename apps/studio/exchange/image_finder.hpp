#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "apps/studio/store/records.hpp"

namespace caos::studio {

/// Finds a project's images by what landmark files call them: by name, by name without folder, and
/// by name without folder and extension, each only where one image fits.
class ImageFinder {
 public:
  explicit ImageFinder(std::span<const ImageRecord> images);

  /// The index of the image; nothing where none fits, or several do.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const;

  /// Whether several fit, none of them better than the others.
  [[nodiscard]] bool is_ambiguous(const std::string& name) const;

 private:
  struct Found {
    std::size_t image = 0;
    std::size_t count = 0;
  };
  using Index = std::unordered_map<std::string, Found>;

  static void add(Index& index, const std::string& key, std::size_t image);
  [[nodiscard]] Found best(const std::string& name) const;

  Index by_name_;
  Index by_file_;
  Index by_stem_;
};

}  // namespace caos::studio
