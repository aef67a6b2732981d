#pragma once

#include <cstddef>
#include <cstdint>

namespace caos::kernels {

/// Coarse similarities of the patches of image j, the rows, with those of image x, the columns, as
/// `coarse_dots` leaves them: entry (p, u) at values[u / coarse_group * stride + p * coarse_group +
/// u % coarse_group]. Both images are grids, patch = row * columns + column. Places of the last
/// group that have no patch hold 0.
struct VoteTable {
  std::int16_t* values;  ///< aligned to 64 bytes
  std::size_t stride;    ///< values of a group
  std::size_t from_columns;
  std::size_t from_rows;
  std::size_t to_columns;
  std::size_t to_rows;

  [[nodiscard]] std::size_t num_from() const { return from_columns * from_rows; }
  [[nodiscard]] std::size_t num_to() const { return to_columns * to_rows; }
};

/// Sums of all entries; whole numbers, so that their order is without effect.
struct VoteSums {
  std::int64_t values = 0;
  std::int64_t squares = 0;
};

/// How many values `row_maxima` and `column_maxima` of the two functions below have for a row of
/// the grid: the columns of the table, in whole groups.
[[nodiscard]] std::size_t padded_columns(std::size_t num_to);

/// `row_maxima[r * padded_columns + u]` = the largest entry of column u among patches of grid row r
/// of j, `column_maxima[u]` the largest of all; both aligned to 64 bytes. Afterwards places without
/// a patch hold `coarse_left_out`.
VoteSums scan_columns(const VoteTable& table, std::int16_t* row_maxima,
                      std::int16_t* column_maxima);

/// Where a patch of j lies in x.
struct VoteMatch {
  std::uint32_t patch;  ///< argmax over u of 2 C[p, u] - column_maxima[u], the first of equal ones
  std::int16_t similarity;  ///< C[p, patch]
  std::int16_t rest;  ///< the largest C[p, u] outside the 3 x 3 around it; coarse_least without one
};

/// One match for each row, after `scan_columns`. The table is as before when it returns.
void match_rows(const VoteTable& table, const std::int16_t* column_maxima, VoteMatch* matches);

}  // namespace caos::kernels
