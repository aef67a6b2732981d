#include "apps/studio/exchange/image_finder.hpp"

#include <algorithm>
#include <filesystem>

namespace caos::studio {
namespace {

/// Without folders, whichever system wrote them.
std::string file_of(std::string name) {
  std::ranges::replace(name, '\\', '/');
  return std::filesystem::path(name).filename().string();
}

std::string stem_of(const std::string& name) {
  return std::filesystem::path(file_of(name)).stem().string();
}

}  // namespace

ImageFinder::ImageFinder(std::span<const ImageRecord> images) {
  for (std::size_t i = 0; i < images.size(); ++i) {
    add(by_name_, images[i].name, i);
    add(by_file_, file_of(images[i].name), i);
    add(by_stem_, stem_of(images[i].name), i);
  }
}

void ImageFinder::add(Index& index, const std::string& key, std::size_t image) {
  Found& found = index[key];
  found.image = image;
  ++found.count;
}

ImageFinder::Found ImageFinder::best(const std::string& name) const {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  const std::string file = file_of(name);
  if (const auto found = by_file_.find(file); found != by_file_.end()) return found->second;
  if (const auto found = by_stem_.find(file); found != by_stem_.end()) return found->second;
  return {};
}

std::optional<std::size_t> ImageFinder::find(const std::string& name) const {
  const Found found = best(name);
  return found.count == 1 ? std::optional(found.image) : std::nullopt;
}

bool ImageFinder::is_ambiguous(const std::string& name) const { return best(name).count > 1; }

}  // namespace caos::studio
