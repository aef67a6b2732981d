#include "caos/dist/bytes.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace {

using caos::ErrorKind;
using caos::Matrix;
using caos::dist::Bytes;
using caos::dist::Packer;
using caos::dist::Unpacker;

Bytes everything() {
  Matrix<float> matrix(2, 3, 1.5F);
  matrix(1, 2) = -7;
  const std::vector<double> numbers = {0.1, 0.2};
  const std::vector<std::string> texts = {"", "a b", std::string("\0x", 2)};
  return Packer()
      .put<std::int32_t>(-5)
      .put_all(std::span<const double>(numbers))
      .put_text("héllo")
      .put_texts(texts)
      .put_matrix(matrix)
      .put_matrix(Matrix<double>(0, 4))
      .take();
}

TEST(Messages, GiveBackWhatWasPutIntoThem) {
  const Bytes bytes = everything();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<std::int32_t>(), -5);
  EXPECT_EQ(unpacker.get_all<double>(), (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(unpacker.get_text(), "héllo");
  EXPECT_EQ(unpacker.get_texts(), (std::vector<std::string>{"", "a b", std::string("\0x", 2)}));
  const auto matrix = unpacker.get_matrix<float>();
  EXPECT_EQ(matrix.rows(), 2U);
  EXPECT_EQ(matrix.cols(), 3U);
  EXPECT_EQ(matrix(0, 0), 1.5F);
  EXPECT_EQ(matrix(1, 2), -7.0F);
  const auto empty = unpacker.get_matrix<double>();
  EXPECT_EQ(empty.rows(), 0U);
  EXPECT_EQ(empty.cols(), 4U);
}

TEST(Messages, ThatAreCutOffAreRefusedWhereverTheyEnd) {
  const Bytes bytes = everything();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    caos::test::expect_error(
        [&] {
          Unpacker unpacker({bytes.data(), length});
          static_cast<void>(unpacker.get<std::int32_t>());
          static_cast<void>(unpacker.get_all<double>());
          static_cast<void>(unpacker.get_text());
          static_cast<void>(unpacker.get_texts());
          static_cast<void>(unpacker.get_matrix<float>());
          static_cast<void>(unpacker.get_matrix<double>());
        },
        ErrorKind::backend, {"cut off"});
  }
}

}  // namespace
