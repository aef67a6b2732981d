#include "caos/numerics/check_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "caos/error.hpp"

namespace {

/// [2 inputs, 3 labels, 4 references] of ones but for one entry.
template <typename T>
class Scores {
 public:
  Scores(std::size_t flat, T value) : values_(24, T{1}) { values_[flat] = value; }

  [[nodiscard]] caos::ScoreTensor tensor() const {
    return {.rows = caos::MatrixView<const T>(values_.data(), 6, 4),
            .num_labels = 3,
            .name = "scores.npy"};
  }

 private:
  std::vector<T> values_;
};

template <typename T>
std::string message_for(T value) {
  const Scores<T> scores(1 * 12 + 2 * 4 + 3, value);
  caos::check_input(scores.tensor(), 0);
  try {
    caos::check_input(scores.tensor(), 1);
  } catch (const caos::Error& error) {
    EXPECT_EQ(error.kind(), caos::ErrorKind::bad_format);
    return error.what();
  }
  return "nothing thrown";
}

TEST(CheckInput, NamesFileAndPosition) {
  EXPECT_EQ(
      message_for(static_cast<float>(NAN)),
      "scores.npy: entry (1, 2, 3) is nan; scores must be numbers, not below -1e+300, or +inf");
  EXPECT_EQ(
      message_for(-static_cast<double>(INFINITY)),
      "scores.npy: entry (1, 2, 3) is -inf; scores must be numbers, not below -1e+300, or +inf");
}

TEST(CheckInput, RefusesScoresWhoseSumsWouldOverflow) {
  EXPECT_EQ(message_for(-1.5e300),
            "scores.npy: entry (1, 2, 3) is -1.5e+300; scores must be numbers, not below -1e+300, "
            "or +inf");
  EXPECT_EQ(message_for(-1e300), "nothing thrown");
  EXPECT_EQ(message_for(std::numeric_limits<float>::lowest()), "nothing thrown");
}

TEST(CheckInput, LetsPlusInfinityPass) {
  EXPECT_EQ(message_for(static_cast<double>(INFINITY)), "nothing thrown");
}

TEST(CheckInput, LooksPastTheIgnoredColumnButNotPastItsNeighbors) {
  const Scores<double> at_three(3, NAN);
  EXPECT_NO_THROW(caos::check_input(at_three.tensor(), 0, 3));
  EXPECT_THROW(caos::check_input(at_three.tensor(), 0, 2), caos::Error);
  std::vector<double> row = {NAN, NAN, 1, 1};
  const caos::ScoreTensor two_bad{.rows = caos::MatrixView<const double>(row.data(), 1, 4),
                                  .num_labels = 1};
  EXPECT_THROW(caos::check_input(two_bad, 0, 0), caos::Error);
}

TEST(CheckOffDiagonal, IgnoresTheDiagonalAlone) {
  std::vector<double> values = {NAN, 1, 1, NAN};
  const caos::MatrixView<const double> matrix(values.data(), 2, 2);
  EXPECT_NO_THROW(caos::check_off_diagonal(matrix, "c"));
  values[2] = NAN;
  EXPECT_THROW(caos::check_off_diagonal(matrix, "c"), caos::Error);
}

}  // namespace
