#include "caos/io/arrays/score_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tests/io/arrays/npy_bytes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::npy_array;
using test::raw;
using test::TempDir;

constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;

template <typename T>
bool holds(const ScoreRows& rows) {
  return rows.visit([](auto view) { return std::is_same_v<decltype(view), MatrixView<const T>>; });
}

TEST(ScoreFile, HoldsATensor) {
  const TempDir dir;
  const std::string path = dir / "a.npy";
  write_npy(path, {2, 3, 2}, std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const ScoreTensorFile file = open_tensor(path);
  const ScoreTensor tensor = file.tensor();
  EXPECT_EQ(tensor.num_inputs(), 2U);
  EXPECT_EQ(tensor.num_labels, 3U);
  EXPECT_EQ(tensor.num_references(), 2U);
  EXPECT_EQ(tensor.name, path);
  EXPECT_EQ(tensor.input(1)(2, 0), 10);
  EXPECT_TRUE(holds<double>(tensor.rows));
}

TEST(ScoreFile, HoldsAMatrixAndKeepsFloatsAsTheyAre) {
  const TempDir dir;
  write_npy(dir / "a.npy", {2, 2}, std::vector<float>{0.1F, 1, 2, 3});
  ScoreMatrixFile opened = open_matrix(dir / "a.npy");
  const ScoreRows before = opened.rows();
  const ScoreMatrixFile file = std::move(opened);
  EXPECT_TRUE(holds<float>(file.rows()));
  EXPECT_EQ(before(0, 0), static_cast<double>(0.1F));
  EXPECT_EQ(file.rows()(1, 0), 2);
}

TEST(ScoreFile, LeavesNanToItsReaders) {
  const TempDir dir;
  write_npy(dir / "a.npy", {1, 1}, std::vector<double>{std::nan("")});
  EXPECT_TRUE(std::isnan(open_matrix(dir / "a.npy").rows()(0, 0)));
}

template <typename T>
void expect_widened(const std::string& descr, std::vector<T> values) {
  const TempDir dir;
  const auto file = open_matrix(dir.write("a.npy", npy_array(descr, "1, 2", raw(values))));
  EXPECT_TRUE(holds<double>(file.rows()));
  EXPECT_EQ(file.rows()(0, 0), static_cast<double>(values[0]));
  EXPECT_EQ(file.rows()(0, 1), static_cast<double>(values[1]));
}

TEST(ScoreFile, WidensIntegersExactly) {
  expect_widened<std::int8_t>("|i1", {-128, 127});
  expect_widened<std::uint8_t>("|u1", {1, 255});
  expect_widened<std::int16_t>("<i2", {-32768, 32767});
  expect_widened<std::uint16_t>("<u2", {1, 65535});
  expect_widened<std::int32_t>("<i4", {-2147483647, 2147483647});
  expect_widened<std::uint32_t>("<u4", {1, 4294967295});
  expect_widened<std::int64_t>("<i8", {-two_to_53, two_to_53});
  expect_widened<std::uint64_t>("<u8", {1, static_cast<std::uint64_t>(two_to_53)});
}

TEST(ScoreFile, RefusesIntegersThatAreNoDoubles) {
  const TempDir dir;
  write_npy(dir / "a.npy", {1, 2, 2}, std::vector<std::int64_t>{0, 1, two_to_53 + 1, 2});
  expect_error([&] { (void)open_tensor(dir / "a.npy"); }, ErrorKind::bad_format,
               {"a.npy: element [0, 1, 0] is 9007199254740993, beyond 2^53", "float64"});
  write_npy(dir / "a.npy", {2, 1}, std::vector<std::int64_t>{0, -two_to_53 - 1});
  expect_error([&] { (void)open_matrix(dir / "a.npy"); }, ErrorKind::bad_format,
               {"element [1, 0] is -9007199254740993"});
  dir.write("a.npy", npy_array("<u8", "1, 1", std::string(8, '\xff')));
  expect_error([&] { (void)open_matrix(dir / "a.npy"); }, ErrorKind::bad_format,
               {"element [0, 0] is 18446744073709551615"});
}

TEST(ScoreFile, RefusesAnotherNumberOfDimensions) {
  const TempDir dir;
  write_npy(dir / "a.npy", {3, 2}, std::vector<double>(6));
  expect_error([&] { (void)open_tensor(dir / "a.npy"); }, ErrorKind::invalid_input,
               {"a.npy: has 2 dimensions (3 x 2); expected 3: inputs x labels x references"});
  write_npy(dir / "b.npy", {3, 2, 1}, std::vector<double>(6));
  expect_error([&] { (void)open_matrix(dir / "b.npy"); }, ErrorKind::invalid_input,
               {"b.npy: has 3 dimensions (3 x 2 x 1); expected 2: labeled examples x references"});
}

TEST(ScoreFile, MayHaveNoInputs) {
  const TempDir dir;
  write_npy(dir / "a.npy", {0, 3, 2}, std::vector<double>{});
  EXPECT_EQ(open_tensor(dir / "a.npy").tensor().num_inputs(), 0U);
}

TEST(ScoreFile, RefusesInputsWithoutScores) {
  const TempDir dir;
  write_npy(dir / "a.npy", {5, 0, 2}, std::vector<double>{});
  expect_error([&] { (void)open_tensor(dir / "a.npy"); }, ErrorKind::invalid_input,
               {"a.npy: holds no scores (5 x 0 x 2)"});
  write_npy(dir / "b.npy", {5, 0}, std::vector<float>{});
  expect_error([&] { (void)open_matrix(dir / "b.npy"); }, ErrorKind::invalid_input,
               {"b.npy: holds no scores (5 x 0)"});
}

}  // namespace
}  // namespace caos::io
