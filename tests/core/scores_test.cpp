#include "caos/scores.hpp"

#include <gtest/gtest.h>

namespace {

const std::vector<float> narrow = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};

caos::ScoreRows three_rows() { return caos::MatrixView<const float>(narrow.data(), 3, 2); }

TEST(ScoreRows, WidenFloat32Exactly) {
  EXPECT_EQ(three_rows()(2, 1), static_cast<double>(0.6F));
  std::vector<double> row(2);
  three_rows().copy_row(1, row);
  EXPECT_EQ(row, (std::vector<double>{0.3F, 0.4F}));
}

TEST(ScoreRows, GatherTheScoresOfChosenReferences) {
  const std::vector<double> wide = {1, 2, 3, 4};
  const caos::ScoreRows rows = caos::MatrixView<const double>(wide.data(), 1, 4);
  std::vector<double> chosen(2);
  rows.gather_row(0, {1, 3}, chosen);
  EXPECT_EQ(chosen, (std::vector<double>{2, 4}));
}

TEST(ScoreTensor, HandsOutTheRowsOfOneInput) {
  const caos::ScoreTensor tensor{.rows = three_rows(), .num_labels = 1};
  EXPECT_EQ(tensor.num_inputs(), 3U);
  EXPECT_EQ(tensor.input(2)(0, 0), static_cast<double>(0.5F));
  EXPECT_EQ(caos::ScoreTensor{}.num_inputs(), 0U);
}

}  // namespace
