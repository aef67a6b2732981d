#include "caos/vision/codecs/exif_check.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "caos/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/vision/codecs/sample_image_files.hpp"

namespace caos::vision {
namespace {

using image_files::Bytes;
using image_files::oriented;
using test::expect_error;

void check(const Bytes& bytes) { check_exif(bytes, probe_image(bytes, "x.img"), "x.img"); }

void expect_refused(const Bytes& bytes, const std::string& why) {
  expect_error([&] { check(bytes); }, ErrorKind::bad_format, {"x.img", why, "save it again"});
}

Bytes jpeg() { return image_files::gradient_file(40, 30, ".jpg"); }

void put(Bytes& bytes, std::uint32_t value, int width) {
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void put_entry(Bytes& bytes, std::uint32_t tag, std::uint32_t type, std::uint32_t value) {
  put(bytes, tag, 2);
  put(bytes, type, 2);
  put(bytes, 1, 4);
  put(bytes, value, 4);
}

struct Entry {
  std::uint32_t tag;
  std::uint32_t type;
  std::uint32_t value;
};

/// A TIFF structure, little endian, with these entries in its first directory and a second one for
/// EXIF that says a size.
Bytes tiff_block(const std::vector<Entry>& entries, std::uint32_t width, std::uint32_t height) {
  const auto count = static_cast<std::uint32_t>(entries.size() + 1);
  Bytes bytes;
  put(bytes, 0x002a4949, 4);
  put(bytes, 8, 4);
  put(bytes, count, 2);
  for (const Entry& entry : entries) put_entry(bytes, entry.tag, entry.type, entry.value);
  put_entry(bytes, 0x8769, 4, 8 + 2 + count * 12 + 4);
  put(bytes, 0, 4);
  put(bytes, 2, 2);
  put_entry(bytes, 0xa002, 4, width);
  put_entry(bytes, 0xa003, 3, height);
  put(bytes, 0, 4);
  return bytes;
}

Bytes in_jpeg(const Bytes& block, Bytes file) {
  const std::size_t length = block.size() + 8;
  Bytes segment = {std::byte{0xff}, std::byte{0xe1}, static_cast<std::byte>(length >> 8),
                   static_cast<std::byte>(length)};
  for (const char letter : {'E', 'x', 'i', 'f', '\0', '\0'}) {
    segment.push_back(static_cast<std::byte>(letter));
  }
  segment.insert(segment.end(), block.begin(), block.end());
  file.insert(file.begin() + 2, segment.begin(), segment.end());
  return file;
}

/// After the header chunk; the checksum is not checked here.
Bytes in_png(const Bytes& block, Bytes file) {
  const auto length = static_cast<std::uint32_t>(block.size());
  Bytes chunk;
  for (int shift = 24; shift >= 0; shift -= 8) {
    chunk.push_back(static_cast<std::byte>(length >> shift));
  }
  for (const char letter : {'e', 'X', 'I', 'f'}) chunk.push_back(static_cast<std::byte>(letter));
  chunk.insert(chunk.end(), block.begin(), block.end());
  chunk.resize(chunk.size() + 4);
  file.insert(file.begin() + 33, chunk.begin(), chunk.end());
  return file;
}

Bytes in_webp(const Bytes& block, Bytes file) {
  for (const char letter : {'E', 'X', 'I', 'F'}) file.push_back(static_cast<std::byte>(letter));
  put(file, static_cast<std::uint32_t>(block.size()), 4);
  file.insert(file.end(), block.begin(), block.end());
  return file;
}

constexpr std::uint32_t orientation = 274;

TEST(ExifCheck, PassesImagesWithoutExif) {
  for (const char* extension : {".jpg", ".png", ".webp", ".tiff", ".bmp"}) {
    EXPECT_NO_THROW(check(image_files::gradient_file(40, 30, extension))) << extension;
  }
}

TEST(ExifCheck, PassesEveryOrientationThatMeansSomething) {
  for (int way = 1; way <= 8; ++way) EXPECT_NO_THROW(check(oriented(jpeg(), way))) << way;
  for (int way = 1; way <= 8; ++way) EXPECT_NO_THROW(check(oriented(jpeg(), way, true))) << way;
}

TEST(ExifCheck, RefusesAnInvalidOrientation) {
  for (const int way : {0, 9, 42, 255}) expect_refused(oriented(jpeg(), way), "orientation of");
}

TEST(ExifCheck, RefusesAnOrientationThatIsNotANumber) {
  expect_refused(in_jpeg(tiff_block({{orientation, 2, 6}}, 40, 30), jpeg()), "orientation of 0");
}

TEST(ExifCheck, RefusesBlocksThatContradictEachOther) {
  expect_refused(oriented(oriented(jpeg(), 6), 1), "several orientations");
  expect_refused(oriented(oriented(jpeg(), 1), 6), "several orientations");
  EXPECT_NO_THROW(check(oriented(oriented(jpeg(), 6), 6)));
}

TEST(ExifCheck, RefusesABlockThatContradictsItself) {
  const Bytes block = tiff_block({{orientation, 3, 6}, {orientation, 3, 1}}, 40, 30);
  expect_refused(in_jpeg(block, jpeg()), "several orientations");
}

TEST(ExifCheck, RefusesTooManyBlocks) {
  Bytes bytes = jpeg();
  for (int i = 0; i < 100; ++i) bytes = oriented(bytes, 1);
  expect_refused(bytes, "too many EXIF blocks");
}

TEST(ExifCheck, PassesTheSizeAsStored) {
  EXPECT_NO_THROW(check(in_jpeg(tiff_block({{orientation, 3, 1}}, 40, 30), jpeg())));
  EXPECT_NO_THROW(check(in_jpeg(tiff_block({{orientation, 3, 6}}, 40, 30), jpeg())));
}

TEST(ExifCheck, RefusesTheSizeOfAnotherImage) {
  expect_refused(in_jpeg(tiff_block({}, 400, 300), jpeg()), "another size (this one has 40 x 30");
  // Turned by a program that forgot to say so.
  expect_refused(in_jpeg(tiff_block({{orientation, 3, 6}}, 30, 40), jpeg()), "another size");
  expect_refused(in_jpeg(tiff_block({{256, 3, 41}}, 40, 30), jpeg()), "another size");
}

TEST(ExifCheck, TakesASizeOfZeroForNone) {
  EXPECT_NO_THROW(check(in_jpeg(tiff_block({}, 0, 0), jpeg())));
}

TEST(ExifCheck, RefusesPngAndWebpThatAreNotUpright) {
  const auto png = image_files::gradient_file(40, 30, ".png");
  const auto webp = image_files::gradient_file(40, 30, ".webp");
  const Bytes turned = tiff_block({{orientation, 3, 6}}, 40, 30);
  const Bytes upright = tiff_block({{orientation, 3, 1}}, 40, 30);
  expect_refused(in_png(turned, png), "not upright");
  expect_refused(in_webp(turned, webp), "not upright");
  EXPECT_NO_THROW(check(in_png(upright, png)));
  EXPECT_NO_THROW(check(in_webp(upright, webp)));
  expect_refused(in_png(tiff_block({}, 41, 30), png), "another size");
}

TEST(ExifCheck, ADirectoryThatPointsToItselfEndsSoon) {
  std::vector<Entry> entries(5000, Entry{0x8769, 4, 8});
  EXPECT_NO_THROW(check(in_jpeg(tiff_block(entries, 40, 30), jpeg())));
}

RC_GTEST_PROP(ExifCheck, HostileBytesAreReadWithinTheirBounds, ()) {
  Bytes block = tiff_block({{orientation, 3, 6}}, 40, 30);
  const auto damage =
      *rc::gen::container<std::vector<std::pair<std::size_t, std::uint8_t>>>(rc::gen::pair(
          rc::gen::inRange<std::size_t>(0, block.size()), rc::gen::arbitrary<std::uint8_t>()));
  for (const auto& [at, value] : damage) block[at] = static_cast<std::byte>(value);
  block.resize(*rc::gen::inRange<std::size_t>(0, block.size()));
  for (const Bytes& bytes :
       {in_jpeg(block, jpeg()), in_png(block, image_files::gradient_file(4, 3, ".png")),
        in_webp(block, image_files::gradient_file(4, 3, ".webp"))}) {
    try {
      check(bytes);
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::bad_format);
    }
  }
}

}  // namespace
}  // namespace caos::vision
