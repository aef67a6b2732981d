#include <gtest/gtest.h>

#include "caos/scores.hpp"

namespace {

using caos::Matrix;

TEST(Matrix, KeepsRowsOneAfterTheOther) {
  Matrix<int> matrix(2, 3, 7);
  matrix(1, 2) = 9;
  EXPECT_EQ(matrix.view().data()[5], 9);
  EXPECT_EQ(matrix.row(0)[2], 7);
}

TEST(Matrix, GrowsAndShrinksByRows) {
  Matrix<int> matrix(0, 2);
  for (const int start : {1, 3, 5}) matrix.push_row(std::vector<int>{start, start + 1});
  matrix.erase_row(1);
  EXPECT_EQ(matrix.rows(), 2U);
  EXPECT_EQ(matrix(1, 0), 5);
  EXPECT_EQ(matrix(0, 1), 2);
}

TEST(MatrixView, SharesValuesWithItsRows) {
  Matrix<int> matrix(3, 2);
  matrix.view().rows_from(1, 2)(1, 1) = 4;
  EXPECT_EQ(matrix(2, 1), 4);
}

}  // namespace
