#include "caos/vision/codecs/tiff_pages.hpp"

#include <cassert>
#include <cstdint>
#include <optional>
#include <set>

#include "caos/vision/codecs/byte_reader.hpp"

namespace caos::vision {
namespace {

using namespace std::string_view_literals;
using Bytes = std::span<const std::byte>;

constexpr std::size_t first_directory_at = 4;
constexpr std::size_t entry_size = 12;
constexpr std::size_t most_directories = 65535;

std::optional<ByteOrder> byte_order_of(Bytes bytes) {
  const ByteReader reader(bytes, ByteOrder::little);
  if (reader.has(0, "II*\0"sv)) return ByteOrder::little;
  if (reader.has(0, "MM\0*"sv)) return ByteOrder::big;
  return std::nullopt;
}

/// Where the offset of the directory after this one stands.
std::size_t next_at(const ByteReader& tiff, std::size_t directory) {
  return directory + 2 + tiff.u16(directory).value_or(0) * entry_size;
}

/// Whether it is a reduced copy of another page, or a mask.
bool is_beside_a_page(const ByteReader& tiff, std::size_t directory) {
  constexpr std::uint32_t subfile_tag = 254;
  constexpr std::uint32_t reduced_or_mask = 1 | 4;
  const std::size_t count = tiff.u16(directory).value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = directory + 2 + i * entry_size;
    const auto tag = tiff.u16(entry);
    if (!tag || *tag > subfile_tag) return false;  // entries ascend by tag
    if (tag == subfile_tag) return (tiff.u32(entry + 8).value_or(0) & reduced_or_mask) != 0;
  }
  return false;
}

/// Where the directories of pages begin. A chain that turns back on itself ends there.
std::vector<std::size_t> pages_of(Bytes bytes) {
  const auto order = byte_order_of(bytes);
  if (!order) return {};
  const ByteReader tiff(bytes, *order);
  std::vector<std::size_t> pages;
  std::set<std::size_t> known;
  std::optional<std::uint32_t> directory = tiff.u32(first_directory_at);
  while (directory && *directory != 0 && known.size() < most_directories) {
    if (!tiff.u16(*directory) || !known.insert(*directory).second) break;
    if (pages.empty() || !is_beside_a_page(tiff, *directory)) pages.push_back(*directory);
    directory = tiff.u32(next_at(tiff, *directory));
  }
  return pages;
}

void put(std::vector<std::byte>& bytes, std::size_t at, std::size_t value, ByteOrder order) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t shift = 8 * (order == ByteOrder::big ? 3 - i : i);
    bytes[at + i] = static_cast<std::byte>(value >> shift & 0xff);
  }
}

}  // namespace

std::size_t num_tiff_pages(Bytes bytes) { return pages_of(bytes).size(); }

std::vector<std::byte> tiff_page(Bytes bytes, std::size_t page) {
  const std::vector<std::size_t> pages = pages_of(bytes);
  assert(page < pages.size());
  const ByteOrder order = *byte_order_of(bytes);
  std::vector<std::byte> single(bytes.begin(), bytes.end());
  put(single, first_directory_at, pages[page], order);
  const std::size_t next = next_at(ByteReader(bytes, order), pages[page]);
  if (next + 4 <= single.size()) put(single, next, 0, order);
  return single;
}

}  // namespace caos::vision
