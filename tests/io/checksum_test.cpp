#include "caos/io/checksum.hpp"

#include <gtest/gtest.h>

#include <string>

namespace caos::io {
namespace {

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(Checksum, GivesKnownValuesOf128Bits) {
  EXPECT_EQ(checksum128({}), "99aa06d3014798d86001c324468d497f");
  const std::string text = "abc";
  EXPECT_EQ(checksum128({bytes(text)}), "06b05ab6733a618578af5f94892f3950");
}

TEST(Checksum, DoesNotDependOnWhereItIsCut) {
  const std::string all(1000, 'x');
  const std::string some(400, 'x');
  const std::string rest(600, 'x');
  EXPECT_EQ(checksum128({bytes(some), bytes(rest)}), checksum128({bytes(all)}));
  EXPECT_EQ(checksum({bytes(some), bytes(rest)}), checksum({bytes(all)}));
}

}  // namespace
}  // namespace caos::io
