#include "caos/io/sha256.hpp"

#include <gtest/gtest.h>

#include <string>

#include "caos/error.hpp"
#include "caos/io/write_whole.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

constexpr const char* of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, GivesKnownValues) {
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(bytes("abc")), of_abc);
}

TEST(Sha256, DoesNotDependOnWhereItIsCut) {
  Sha256 hash;
  hash.add(bytes("a"));
  hash.add({});
  hash.add(bytes("bc"));
  EXPECT_EQ(hash.digits(), of_abc);
}

TEST(Sha256, OfAFileIsThatOfItsBytesWhateverItsSize) {
  const test::TempDir folder;
  const std::string path = folder / "file";
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, (std::size_t{1} << 20) + 7}) {
    const std::string content(size, 'x');
    write_whole(path, [&](Sink& sink) { sink.write(content); });
    EXPECT_EQ(hash_of_file(path), (FileHash{.bytes = size, .sha256 = sha256(bytes(content))}));
  }
}

TEST(Sha256, OfNoFileIsAnError) {
  const test::TempDir folder;
  try {
    static_cast<void>(hash_of_file(folder / "none"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_NE(std::string(error.what()).find("none"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(hash_of_file(folder / ".")), Error);
}

}  // namespace
}  // namespace caos::io
