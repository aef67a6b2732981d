#include "caos/io/arrays/npy_texts.hpp"

#include <gtest/gtest.h>

#include "tests/io/arrays/npy_bytes.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::npy_array;
using Texts = std::vector<std::string>;

std::span<const std::byte> bytes_of(const std::string& file) {
  return std::as_bytes(std::span(file.data(), file.size()));
}

Texts texts_in(const std::string& file) { return parse_npy_texts(bytes_of(file), "labels.npy"); }

std::string of_characters(const std::vector<std::uint32_t>& codes) { return test::raw(codes); }

TEST(NpyTexts, AreReadAsNumpyWritesThem) {
  // numpy.save of numpy.array(['ab', 'ü', '']) and of ['cat', '😀'].
  EXPECT_EQ(texts_in(npy_array("<U2", "3,", of_characters({'a', 'b', 0xfc, 0, 0, 0}))),
            (Texts{"ab", "ü", ""}));
  EXPECT_EQ(texts_in(npy_array("<U3", "2,", of_characters({'c', 'a', 't', 0x1f600, 0x20ac, 0}))),
            (Texts{"cat", "😀€"}));
  EXPECT_EQ(texts_in(npy_array("|S3", "2,", std::string("catab\0", 6))), (Texts{"cat", "ab"}));
  EXPECT_EQ(texts_in(npy_array("<U0", "0,", "")), Texts{});
}

TEST(NpyTexts, AreToldFromNumbers) {
  const auto is_texts = [](const std::string& file) {
    return is_npy_of_texts(bytes_of(file), "labels.npy");
  };
  EXPECT_TRUE(is_texts(npy_array("<U1", "1,", "a\0\0\0")));
  EXPECT_TRUE(is_texts(npy_array("|S1", "1,", "a")));
  EXPECT_TRUE(is_texts(npy_array("|O", "1,", "")));
  EXPECT_FALSE(is_texts(npy_array("<i8", "0,", "")));
}

TEST(NpyTexts, ThatAreNotTextsAreRefusedWithARemedy) {
  const auto refused = [](const std::string& file, const std::string& why,
                          ErrorKind kind = ErrorKind::bad_format) {
    expect_error([&] { (void)texts_in(file); }, kind, {"labels.npy: ", why});
  };
  refused(npy_array("|O", "1,", "x"), "holds Python objects; convert with .astype(str)");
  refused(npy_array(">U1", "1,", std::string("\0\0\0a", 4)), "is big-endian");
  refused(npy_array("<U", "1,", ""), "element type '<U' is not supported");
  refused(npy_array("<U99999999999", "1,", ""), "is not supported");
  refused(npy_array("<U1", "1, 1", of_characters({'a'})), "has 2 dimensions",
          ErrorKind::invalid_input);
  refused(npy_array("<U1", "2,", of_characters({'a'})), "is truncated");
  refused(npy_array("<U1", "1,", of_characters({'a', 'b'})), "bytes after its array");
  refused(npy_array("<U1", "1,", of_characters({0xd800})), "element 0 is not a text");
  refused(npy_array("<U1", "1,", of_characters({0x110000})), "element 0 is not a text");
  refused(npy_array("<U3", "1,", of_characters({'a', 0, 'b'})), "element 0 is not a text");
  refused(npy_array("|S1", "2,", "a\xff"), "element 1 is not a text");
  refused(npy_array("<U0", "5,", ""), "element 0 is an empty text");
}

}  // namespace
}  // namespace caos::io
