#include "caos/vision/codecs/tiff_pages.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "caos/vision/codecs/decode.hpp"
#include "tests/vision/codecs/tiff_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;

void put_number(Bytes& file, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i)
    file[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
}

std::uint32_t number_at(const Bytes& file, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(file[at + i]) << (8 * i);
  return value;
}

/// A little-endian file with a gray page of one strip for each shade.
Bytes pages_of_shades(const std::vector<std::uint8_t>& shades, std::uint32_t subfile = 0) {
  Bytes file(8);
  std::memcpy(file.data(), "II*\0", 4);
  std::size_t link = 4;
  for (const std::uint8_t shade : shades) {
    const auto pixels = static_cast<std::uint32_t>(file.size());
    file.resize(file.size() + 6, static_cast<std::byte>(shade));
    const std::vector<std::array<std::uint32_t, 2>> entries = {{254, link == 4 ? 0 : subfile},
                                                               {256, 3},
                                                               {257, 2},
                                                               {258, 8},
                                                               {259, 1},
                                                               {262, 1},
                                                               {273, pixels},
                                                               {277, 1},
                                                               {278, 2},
                                                               {279, 6}};
    put_number(file, link, static_cast<std::uint32_t>(file.size()));
    file.push_back(static_cast<std::byte>(entries.size()));
    file.push_back(std::byte{0});
    for (const auto& [tag, value] : entries) {
      const std::size_t at = file.size();
      file.resize(at + 12);
      put_number(file, at, tag | 4U << 16);
      put_number(file, at + 4, 1);
      put_number(file, at + 8, value);
    }
    link = file.size();
    file.resize(file.size() + 4);
  }
  return file;
}

TEST(TiffPages, AreCountedAndTakenOneByOne) {
  const Bytes file = pages_of_shades({10, 20, 30});
  ASSERT_EQ(num_tiff_pages(file), 3U);
  for (std::size_t page = 0; page < 3; ++page) {
    const auto single = tiff_page(file, page);
    EXPECT_EQ(num_tiff_pages(single), 1U);
    const Image image = decode_image(single, "page.tif");
    EXPECT_EQ(image.width, 3U);
    EXPECT_EQ(image.rgb[0], 10 * (page + 1));
  }
}

TEST(TiffPages, DoNotCountReducedCopies) {
  constexpr std::uint32_t reduced = 1;
  EXPECT_EQ(num_tiff_pages(pages_of_shades({10, 20, 30}, reduced)), 1U);
}

TEST(TiffPages, EndWhereTheChainTurnsBackOrLeavesTheFile) {
  Bytes file = pages_of_shades({10, 20});
  const std::size_t last_link = file.size() - 4;
  put_number(file, last_link, number_at(file, 4));
  EXPECT_EQ(num_tiff_pages(file), 2U);
  put_number(file, last_link, 0xfffffff0U);
  EXPECT_EQ(num_tiff_pages(file), 2U);
}

TEST(TiffPages, OfOneImageWrittenByLibtiff) {
  for (const bool big_endian : {false, true}) {
    const Bytes file = tiff_files::make({.is_big_endian = big_endian});
    ASSERT_EQ(num_tiff_pages(file), 1U);
    EXPECT_EQ(decode_image(tiff_page(file, 0), "a").rgb, decode_image(file, "a").rgb);
  }
}

TEST(TiffPages, OfOtherFilesThereAreNone) {
  EXPECT_EQ(num_tiff_pages({}), 0U);
  EXPECT_EQ(num_tiff_pages(Bytes(40, std::byte{7})), 0U);
}

}  // namespace
}  // namespace caos::vision
