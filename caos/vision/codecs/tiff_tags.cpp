#include "caos/vision/codecs/tiff_tags.hpp"

#include "caos/vision/codecs/byte_reader.hpp"

namespace caos::vision {
namespace {

constexpr std::size_t entry_size = 12;

/// The first value of an entry, where it is a short or a long number.
std::optional<std::uint32_t> value_of(const ByteReader& tiff, std::size_t entry) {
  constexpr std::uint32_t type_short = 3;
  constexpr std::uint32_t type_long = 4;
  const auto type = tiff.u16(entry + 2);
  if (type == type_short) return tiff.u16(entry + 8);
  if (type == type_long) return tiff.u32(entry + 8);
  return std::nullopt;
}

/// Calls `take(entry)` for each entry of a directory that lies within the bytes.
template <typename Take>
void for_each_entry(const ByteReader& tiff, std::size_t directory, Take&& take) {
  const std::size_t count = tiff.u16(directory).value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = directory + 2 + i * entry_size;
    if (!tiff.u16(entry)) return;
    take(entry);
  }
}

void read_exif(const ByteReader& tiff, std::size_t directory, TiffTags& tags) {
  constexpr std::uint32_t width_tag = 0xa002;
  constexpr std::uint32_t height_tag = 0xa003;
  for_each_entry(tiff, directory, [&](std::size_t entry) {
    const auto tag = tiff.u16(entry);
    if (tag == width_tag) tags.exif_width = value_of(tiff, entry);
    if (tag == height_tag) tags.exif_height = value_of(tiff, entry);
  });
}

void read_orientation(const ByteReader& tiff, std::size_t entry, TiffTags& tags) {
  const std::uint32_t orientation = value_of(tiff, entry).value_or(0);
  tags.has_several_orientations |= tags.orientation.value_or(orientation) != orientation;
  tags.orientation = orientation;
}

/// `exif` is where another directory lies.
void read_entry(const ByteReader& tiff, std::size_t entry, TiffTags& tags,
                std::optional<std::uint32_t>& exif) {
  constexpr std::uint32_t width_tag = 256;
  constexpr std::uint32_t height_tag = 257;
  constexpr std::uint32_t bits_tag = 258;
  constexpr std::uint32_t photometric_tag = 262;
  constexpr std::uint32_t orientation_tag = 274;
  constexpr std::uint32_t channels_tag = 277;
  constexpr std::uint32_t exif_tag = 0x8769;
  const auto tag = tiff.u16(entry);
  if (tag == width_tag) tags.width = value_of(tiff, entry);
  if (tag == height_tag) tags.height = value_of(tiff, entry);
  if (tag == bits_tag) tags.bits = value_of(tiff, entry);
  if (tag == channels_tag) tags.channels = value_of(tiff, entry);
  if (tag == photometric_tag) tags.photometric = value_of(tiff, entry);
  if (tag == orientation_tag) read_orientation(tiff, entry, tags);
  if (tag == exif_tag) exif = value_of(tiff, entry);
}

std::optional<ByteOrder> order_of(const ByteReader& bytes) {
  using namespace std::string_view_literals;
  if (bytes.has(0, "II*\0"sv)) return ByteOrder::little;
  if (bytes.has(0, "MM\0*"sv)) return ByteOrder::big;
  return std::nullopt;
}

}  // namespace

std::optional<TiffTags> read_tiff_tags(std::span<const std::byte> bytes) {
  const auto order = order_of(ByteReader(bytes, ByteOrder::little));
  if (!order) return std::nullopt;
  const ByteReader tiff(bytes, *order);
  TiffTags tags;
  const auto directory = tiff.u32(4);
  if (!directory) return tags;
  std::optional<std::uint32_t> exif;
  for_each_entry(tiff, *directory, [&](std::size_t entry) { read_entry(tiff, entry, tags, exif); });
  // Once, however many there are: a hostile file may have thousands.
  if (exif) read_exif(tiff, *exif, tags);
  return tags;
}

}  // namespace caos::vision
