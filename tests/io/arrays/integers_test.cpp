#include "caos/io/arrays/integers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "caos/io/arrays/npy.hpp"
#include "tests/io/arrays/npy_bytes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::npy_array;
using test::raw;
using test::TempDir;
using testing::ElementsAre;

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

std::vector<std::int64_t> read_text(std::string_view name, std::string_view content) {
  const TempDir dir;
  return read_integers(dir.write(name, content));
}

void expect_refused(std::string_view name, std::string_view content, const std::string& message) {
  expect_error([&] { (void)read_text(name, content); }, ErrorKind::bad_format, {message});
}

TEST(ReadIntegers, ReadsAnIntegerArray) {
  EXPECT_THAT(read_text("a.npy", npy_array("<i8", "3,", raw<std::int64_t>({smallest, 0, largest}))),
              ElementsAre(smallest, 0, largest));
  EXPECT_THAT(read_text("a.npy", npy_array("|i1", "2,", "\xff\x02")), ElementsAre(-1, 2));
  EXPECT_THAT(read_text("a.npy", npy_array("<u8", "1,", raw<std::uint64_t>({7}))), ElementsAre(7));
  EXPECT_TRUE(read_text("a.npy", npy_array("<i8", "0,", "")).empty());
}

TEST(ReadIntegers, ReadsFloatsThatAreWhole) {
  EXPECT_THAT(read_text("a.npy", npy_array("<f4", "3,", raw<float>({3, -1, -0.0F}))),
              ElementsAre(3, -1, 0));
  EXPECT_THAT(read_text("a.npy", npy_array("<f8", "2,", raw<double>({1e15, -0x1p63}))),
              ElementsAre(1'000'000'000'000'000, smallest));
}

TEST(ReadIntegers, RefusesOtherFloatsWithTheirPosition) {
  const auto refuse = [](double value, const std::string& message) {
    expect_refused("a.npy", npy_array("<f8", "2,", raw<double>({1, value})), message);
  };
  refuse(2.5, "a.npy: element [1] is 2.5; expected whole numbers");
  refuse(std::numeric_limits<double>::quiet_NaN(), "element [1] is nan");
  refuse(std::numeric_limits<double>::infinity(), "element [1] is inf");
  refuse(0x1p63, "element [1] is 9.22");
}

TEST(ReadIntegers, RefusesIntegersBeyondSixtyThreeBits) {
  expect_refused("a.npy", npy_array("<u8", "1,", raw<std::uint64_t>({1ULL << 63})),
                 "a.npy: element [0] is 9223372036854775808");
}

TEST(ReadIntegers, RefusesAMatrix) {
  const TempDir dir;
  write_npy(dir / "a.npy", {2, 2}, std::vector<std::int64_t>(4));
  expect_error([&] { (void)read_integers(dir / "a.npy"); }, ErrorKind::invalid_input,
               {"a.npy: has 2 dimensions (2 x 2); expected 1"});
}

TEST(ReadIntegers, ReadsACsvColumnWithOrWithoutAHeader) {
  EXPECT_THAT(read_text("a.csv", "label\n3\n-4\n"), ElementsAre(3, -4));
  EXPECT_THAT(read_text("a.csv", "3\n-4\n"), ElementsAre(3, -4));
  EXPECT_THAT(read_text("a.csv", "\"label\"\r\n\"3\"\r\n 4 \r\n"), ElementsAre(3, 4));
  EXPECT_THAT(read_text("a.csv", "3.0\n4e0\n"), ElementsAre(3, 4));
  EXPECT_TRUE(read_text("a.csv", "label\n").empty());
}

TEST(ReadIntegers, RefusesCsvCellsThatAreNotWhole) {
  expect_refused("a.csv", "label\n3\n\x1b[2J\n", "a.csv:3: '?[2J' is not a whole number");
  expect_refused("a.csv", "label\n3\nx\n", "a.csv:3: 'x' is not a whole number");
  expect_refused("a.csv", "label\n3\n4.5\n", "a.csv:3: '4.5' is not a whole number");
  expect_refused("a.csv", "label\n\n3\n", "a.csv:2: '' is not a whole number");
  expect_refused("a.csv", "1.5\n3\n", "a.csv:1: '1.5' is not a whole number");
  expect_refused("a.csv", "\"\"\n3\n", "a.csv:1: '' is not a whole number");
  expect_refused("a.csv", "9223372036854775808\n", "a.csv:1: ");
  expect_refused("a.csv", "", "a.csv: is empty");
}

TEST(ReadIntegers, RefusesSeveralColumns) {
  expect_error([] { (void)read_text("a.csv", "a,b\n1,2\n"); }, ErrorKind::invalid_input,
               {"a.csv: has 2 columns; expected one"});
}

Matrix<std::int64_t> read_table(const std::string& content) {
  const TempDir dir;
  return read_integer_table(dir.write("t.npy", content), "images x landmarks");
}

TEST(ReadIntegerTable, ReadsRowsOfEveryType) {
  const auto ints =
      read_table(npy_array("<i8", "2, 2", raw<std::int64_t>({smallest, -1, 5, largest})));
  EXPECT_THAT(ints.row(0), ElementsAre(smallest, -1));
  EXPECT_THAT(ints.row(1), ElementsAre(5, largest));
  EXPECT_THAT(read_table(npy_array("|u1", "1, 2", "\xff\x02")).row(0), ElementsAre(255, 2));
  EXPECT_THAT(read_table(npy_array("<f4", "1, 2", raw<float>({3, -1}))).row(0), ElementsAre(3, -1));
}

TEST(ReadIntegerTable, KeepsTheShapeOfEmptyTables) {
  const auto table = read_table(npy_array("<i8", "0, 4", ""));
  EXPECT_EQ(table.rows(), 0U);
  EXPECT_EQ(table.cols(), 4U);
  EXPECT_EQ(read_table(npy_array("<i8", "3, 0", "")).rows(), 3U);
}

TEST(ReadIntegerTable, RefusesOtherShapesAndValuesWithTheirPosition) {
  expect_error(
      [] {
        (void)read_table(npy_array("<i8", "2,", raw<std::int64_t>({1, 2})));
      },
      ErrorKind::invalid_input, {"t.npy: has 1 dimension", "images x landmarks"});
  expect_error(
      [] {
        (void)read_table(npy_array("<f8", "2, 1", raw<double>({1, 2.5})));
      },
      ErrorKind::bad_format, {"t.npy: element [1, 0] is 2.5; expected whole numbers"});
}

}  // namespace
}  // namespace caos::io
