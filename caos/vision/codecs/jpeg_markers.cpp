#include "caos/vision/codecs/jpeg_markers.hpp"

#include <algorithm>

#include "caos/vision/codecs/byte_reader.hpp"
#include "caos/vision/codecs/exif_blocks.hpp"
#include "caos/vision/codecs/tiff_tags.hpp"

namespace caos::vision {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t start_of_scan = 0xda;
constexpr std::uint32_t end_of_image = 0xd9;
constexpr std::uint32_t app1 = 0xe1;

/// Start of frame, of any coding; C4, C8 and CC in their midst are something else.
bool is_frame(std::uint32_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Markers without a segment: TEM and the restarts.
bool stands_alone(std::uint32_t marker) {
  return marker == 1 || (marker >= 0xd0 && marker <= 0xd7);
}

class Walk {
 public:
  Walk(std::span<const std::byte> bytes, JpegExtent extent)
      : jpeg_(bytes, ByteOrder::big), bytes_(bytes), extent_(extent) {}

  JpegMarkers run() {
    while (const auto marker = next_marker()) {
      if (*marker == end_of_image) found_.is_complete = true;
      if (*marker == end_of_image) break;
      if (!stands_alone(*marker) && !take_segment(*marker)) break;
    }
    return found_;
  }

 private:
  /// Reads FF and what follows it; any number of FF may precede a marker.
  std::optional<std::uint32_t> next_marker() {
    if (jpeg_.u8(at_) != 0xff) return std::nullopt;
    while (jpeg_.u8(at_) == 0xff) ++at_;
    return jpeg_.u8(at_++);
  }

  /// False where the walk ends.
  bool take_segment(std::uint32_t marker) {
    const auto length = jpeg_.u16(at_);
    if (!length || *length < 2) return false;
    if (is_frame(marker)) read_frame();
    if (marker == app1) read_exif(*length);
    at_ += *length;
    if (marker != start_of_scan) return true;
    if (extent_ == JpegExtent::header) return false;
    skip_scan();
    return true;
  }

  void read_frame() {
    if (found_.width) return;
    found_.height = jpeg_.u16(at_ + 3);
    found_.width = jpeg_.u16(at_ + 5);
  }

  void read_exif(std::size_t length) {
    constexpr auto signature = "Exif\0\0"sv;
    if (!jpeg_.has(at_ + 2, signature) || length < 2 + signature.size()) return;
    if (found_.exif.size() == max_exif_blocks) return;
    found_.exif.push_back(jpeg_.part(at_ + 2 + signature.size(), length - 2 - signature.size()));
    if (found_.exif.size() > 1) return;
    const auto tags = read_tiff_tags(found_.exif.front());
    const std::uint32_t orientation = tags ? tags->orientation.value_or(1) : 1;
    if (orientation >= 1 && orientation <= 8) found_.orientation = static_cast<int>(orientation);
  }

  /// To the next marker: within coded pixels FF is followed by 0 or by the number of a restart.
  void skip_scan() {
    const auto begin = bytes_.begin();
    auto next = begin + static_cast<std::ptrdiff_t>(std::min(at_, bytes_.size()));
    while ((next = std::find(next, bytes_.end(), std::byte{0xff})) != bytes_.end()) {
      const auto following = jpeg_.u8(static_cast<std::size_t>(next - begin) + 1);
      if (!following || (*following != 0 && !stands_alone(*following))) break;
      ++next;
    }
    at_ = static_cast<std::size_t>(next - begin);
  }

  ByteReader jpeg_;
  std::span<const std::byte> bytes_;
  JpegExtent extent_;
  std::size_t at_ = 2;
  JpegMarkers found_{};
};

}  // namespace

JpegMarkers read_jpeg_markers(std::span<const std::byte> bytes, JpegExtent extent) {
  return Walk(bytes, extent).run();
}

}  // namespace caos::vision
