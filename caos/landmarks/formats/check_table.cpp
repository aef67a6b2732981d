#include "caos/landmarks/formats/check_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "caos/io/printable.hpp"
#include "caos/io/refuse.hpp"

namespace caos::landmarks {
namespace {

using io::printable;

void require_same(const Annotation& annotation, const ImageSize& size, const std::string& file) {
  const std::size_t width = annotation.width.value_or(size.width);
  const std::size_t height = annotation.height.value_or(size.height);
  if (ImageSize{width, height} != size) {
    io::refuse(file, fmt::format("says that image '{}' has {} x {} pixels; it has {} x {}",
                                 io::printable_path(annotation.image), width, height, size.width,
                                 size.height));
  }
}

std::optional<ImageSize> size_of(const Annotation& annotation, const ImageSizes& sizes,
                                 const std::string& file) {
  const auto size = sizes ? sizes(annotation.image) : std::nullopt;
  if (size) {
    require_same(annotation, *size, file);
    return size;
  }
  if (!annotation.width || !annotation.height) return std::nullopt;
  return ImageSize{*annotation.width, *annotation.height};
}

bool is_inside(const Landmark& landmark, const ImageSize& size) {
  return landmark.x >= 0 && landmark.x < static_cast<double>(size.width) && landmark.y >= 0 &&
         landmark.y < static_cast<double>(size.height);
}

/// Tools that count from centers of pixels and from their corners differ by this.
constexpr double half_pixel = 0.5;

/// Into [0, size), from up to half a pixel outside.
double moved_inside(double position, std::size_t size) {
  const auto end = static_cast<double>(size);
  const bool close = position >= -half_pixel && position <= end + half_pixel;
  return close ? std::clamp(position, 0.0, std::nextafter(end, 0.0)) : position;
}

void move_inside(Landmark& landmark, const ImageSize& size) {
  landmark.x = moved_inside(landmark.x, size.width);
  landmark.y = moved_inside(landmark.y, size.height);
}

[[noreturn]] void refuse(const std::string& file, const Annotation& annotation,
                         const Landmark& landmark, const ImageSize& size) {
  io::refuse(file, fmt::format("landmark '{}' of image '{}' lies at ({}, {}), outside of its {} x "
                               "{} pixels; correct it, or take such ones for missing (--outside "
                               "missing)",
                               printable(landmark.name), io::printable_path(annotation.image),
                               landmark.x, landmark.y, size.width, size.height));
}

}  // namespace

std::size_t check_inside(LandmarkTable& table, const ImageSizes& sizes, const std::string& file,
                         Outside outside) {
  std::size_t num_removed = 0;
  for (Annotation& annotation : table.annotations) {
    const auto size = size_of(annotation, sizes, file);
    if (!size) continue;
    for (Landmark& landmark : annotation.landmarks) {
      if (landmark.visibility == Visibility::missing) continue;
      move_inside(landmark, *size);
      if (is_inside(landmark, *size)) continue;
      if (outside == Outside::refuse) refuse(file, annotation, landmark, *size);
      landmark = {.name = landmark.name, .x = 0, .y = 0, .visibility = Visibility::missing};
      ++num_removed;
    }
  }
  return num_removed;
}

}  // namespace caos::landmarks
