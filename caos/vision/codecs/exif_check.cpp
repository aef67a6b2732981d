#include "caos/vision/codecs/exif_check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "caos/vision/codecs/exif_blocks.hpp"
#include "caos/vision/codecs/refuse_image.hpp"
#include "caos/vision/codecs/tiff_tags.hpp"

namespace caos::vision {
namespace {

constexpr const char* remedy = "save it again with an image editor";

/// 0 and what cannot be read are as if not said.
bool contradicts(std::optional<std::uint32_t> said, std::size_t side) {
  return said.value_or(0) != 0 && *said != side;
}

void check_orientation(std::uint32_t orientation, const ImageInfo& info, const std::string& name) {
  if (orientation < 1 || orientation > 8) {
    refuse(name, fmt::format("its EXIF has an orientation of {}, which is not valid; {}",
                             orientation, remedy));
  }
  const bool is_turned = info.format == ImageFormat::jpeg || info.format == ImageFormat::tiff;
  if (orientation != 1 && !is_turned) {
    refuse(name, fmt::format("its EXIF says that it is not upright, which is not followed in PNG "
                             "and WebP files; {}",
                             remedy));
  }
  if (is_turned && static_cast<int>(orientation) != info.orientation) {
    refuse(name, fmt::format("its EXIF has several orientations; {}", remedy));
  }
}

void check_size(const TiffTags& tags, const ImageInfo& info, const std::string& name) {
  const auto [width, height] = swaps_sides(info.orientation) ? std::pair(info.height, info.width)
                                                             : std::pair(info.width, info.height);
  const bool lies = contradicts(tags.exif_width, width) || contradicts(tags.exif_height, height) ||
                    contradicts(tags.width, width) || contradicts(tags.height, height);
  if (!lies) return;
  refuse(name, fmt::format("its EXIF is of an image of another size (this one has {} x {} pixels), "
                           "so its orientation may be wrong, too; {}",
                           width, height, remedy));
}

}  // namespace

void check_exif(std::span<const std::byte> bytes, const ImageInfo& info, const std::string& name) {
  const auto blocks = exif_blocks(bytes, info.format);
  if (blocks.size() == max_exif_blocks) {
    refuse(name, fmt::format("has too many EXIF blocks; {}", remedy));
  }
  for (const auto block : blocks) {
    const auto tags = read_tiff_tags(block);
    if (!tags) continue;
    if (tags->has_several_orientations) {
      refuse(name, fmt::format("its EXIF has several orientations; {}", remedy));
    }
    check_orientation(tags->orientation.value_or(1), info, name);
    check_size(*tags, info, name);
  }
}

}  // namespace caos::vision
