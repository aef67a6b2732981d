#include "caos/vision/tiff_tags.hpp"

#include "caos/vision/byte_reader.hpp"

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

void read_entry(const ByteReader& tiff, std::size_t entry, TiffTags& tags) {
  constexpr std::uint32_t width_tag = 256;
  constexpr std::uint32_t height_tag = 257;
  constexpr std::uint32_t photometric_tag = 262;
  constexpr std::uint32_t orientation_tag = 274;
  const auto tag = tiff.u16(entry);
  if (tag == width_tag) tags.width = value_of(tiff, entry);
  if (tag == height_tag) tags.height = value_of(tiff, entry);
  if (tag == photometric_tag) tags.photometric = value_of(tiff, entry);
  if (tag == orientation_tag) tags.orientation = value_of(tiff, entry);
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
  const std::size_t first = std::size_t{*directory} + 2;
  const std::size_t count = tiff.u16(*directory).value_or(0);
  for (std::size_t i = 0; i < count; ++i) read_entry(tiff, first + i * entry_size, tags);
  return tags;
}

}  // namespace caos::vision
