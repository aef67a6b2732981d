#include "caos/io/byte_size.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace caos::io {
namespace {

using test::expect_error;

TEST(ByteSize, HasUnitsOfThousandsAndOfPowersOfTwo) {
  EXPECT_EQ(parse_byte_size("4096", "size"), 4096U);
  EXPECT_EQ(parse_byte_size("0", "size"), 0U);
  EXPECT_EQ(parse_byte_size("7b", "size"), 7U);
  EXPECT_EQ(parse_byte_size("500MB", "size"), 500'000'000U);
  EXPECT_EQ(parse_byte_size("2gb", "size"), 2'000'000'000U);
  EXPECT_EQ(parse_byte_size("1.5 GB", "size"), 1'500'000'000U);
  EXPECT_EQ(parse_byte_size("3TB", "size"), 3'000'000'000'000U);
  EXPECT_EQ(parse_byte_size("2KiB", "size"), 2048U);
  EXPECT_EQ(parse_byte_size("1MiB", "size"), 1'048'576U);
  EXPECT_EQ(parse_byte_size("1GiB", "size"), 1'073'741'824U);
}

TEST(ByteSize, RefusesOtherTexts) {
  for (const std::string text : {"", "GB", "2 gigabytes", "-1GB", "2GB ", " 2GB", "2  GB", "nan",
                                 "inf", "1e9", "99999999TB", "0x10"}) {
    expect_error([&] { (void)parse_byte_size(text, "--cache-size"); }, ErrorKind::invalid_input,
                 {"--cache-size '" + text + "': expected a size such as 500MB or 2GB"});
  }
}

}  // namespace
}  // namespace caos::io
