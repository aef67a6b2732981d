#include "caos/kernels/patch_votes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "caos/core/aligned_buffer.hpp"
#include "caos/kernels/coarse.hpp"
#include "caos/rng.hpp"
#include "tests/kernels/every_target.hpp"

namespace caos::kernels {
namespace {

struct Grid {
  std::size_t columns;
  std::size_t rows;
};

/// A table with its entries beside it, one by one.
class Table {
 public:
  Table(Grid from, Grid to, Rng& rng, std::int64_t least, std::int64_t most)
      : from_(from), to_(to), entries_(size(from), std::vector<int>(size(to))) {
    const std::size_t panels = (size(from) + coarse_panel - 1) / coarse_panel;
    stride_ = panels * coarse_panel * coarse_group;
    values_.reserve(padded_columns(size(to)) / coarse_group * stride_);
    std::fill_n(values_.data(), padded_columns(size(to)) / coarse_group * stride_, std::int16_t{0});
    for (std::size_t p = 0; p < size(from); ++p) {
      for (std::size_t u = 0; u < size(to); ++u) {
        const auto range = static_cast<std::uint64_t>(most - least + 1);
        entries_[p][u] = static_cast<int>(least + static_cast<std::int64_t>(rng.below(range)));
        place(p, u) = static_cast<std::int16_t>(entries_[p][u]);
      }
    }
  }

  [[nodiscard]] VoteTable view() {
    return {values_.data(), stride_, from_.columns, from_.rows, to_.columns, to_.rows};
  }
  [[nodiscard]] const std::vector<std::vector<int>>& entries() const { return entries_; }
  [[nodiscard]] int at(std::size_t p, std::size_t u) { return place(p, u); }
  [[nodiscard]] Grid from() const { return from_; }
  [[nodiscard]] Grid to() const { return to_; }

  static std::size_t size(Grid grid) { return grid.columns * grid.rows; }

 private:
  std::int16_t& place(std::size_t p, std::size_t u) {
    return values_.data()[u / coarse_group * stride_ + p * coarse_group + u % coarse_group];
  }

  Grid from_;
  Grid to_;
  std::vector<std::vector<int>> entries_;
  std::size_t stride_ = 0;
  AlignedBuffer<std::int16_t> values_;
};

int column_maximum(const Table& table, std::size_t u) {
  int largest = -32767;
  for (const auto& row : table.entries()) largest = std::max(largest, row[u]);
  return largest;
}

bool is_around(Grid grid, std::size_t a, std::size_t b) {
  const auto apart = [](std::size_t x, std::size_t y) { return x > y ? x - y : y - x; };
  return apart(a % grid.columns, b % grid.columns) <= 1 &&
         apart(a / grid.columns, b / grid.columns) <= 1;
}

void expect_matches(Table& table, const std::int16_t* column_maxima) {
  std::vector<VoteMatch> matches(Table::size(table.from()));
  match_rows(table.view(), column_maxima, matches.data());
  for (std::size_t p = 0; p < matches.size(); ++p) {
    const std::vector<int>& row = table.entries()[p];
    std::size_t q = 0;
    for (std::size_t u = 0; u < row.size(); ++u) {
      if (2 * row[u] - column_maxima[u] > 2 * row[q] - column_maxima[q]) q = u;
    }
    int rest = coarse_least;
    for (std::size_t u = 0; u < row.size(); ++u) {
      if (!is_around(table.to(), u, q)) rest = std::max(rest, row[u]);
    }
    ASSERT_EQ(matches[p].patch, q) << p;
    ASSERT_EQ(matches[p].similarity, row[q]) << p;
    ASSERT_EQ(matches[p].rest, rest) << p;
    for (std::size_t u = 0; u < row.size(); ++u) ASSERT_EQ(table.at(p, u), row[u]);
  }
}

void expect_as_defined(Table table) {
  const std::size_t width = padded_columns(Table::size(table.to()));
  AlignedBuffer<std::int16_t> row_maxima(table.from().rows * width);
  AlignedBuffer<std::int16_t> column_maxima(width);
  const VoteSums sums = scan_columns(table.view(), row_maxima.data(), column_maxima.data());
  VoteSums expected;
  for (std::size_t p = 0; p < table.entries().size(); ++p) {
    for (const std::int64_t value : table.entries()[p]) {
      expected.values += value;
      expected.squares += value * value;
    }
  }
  EXPECT_EQ(sums.values, expected.values);
  EXPECT_EQ(sums.squares, expected.squares);
  for (std::size_t u = 0; u < Table::size(table.to()); ++u) {
    ASSERT_EQ(column_maxima.data()[u], column_maximum(table, u));
    for (std::size_t r = 0; r < table.from().rows; ++r) {
      int largest = -32767;
      for (std::size_t c = 0; c < table.from().columns; ++c) {
        largest = std::max(largest, table.entries()[r * table.from().columns + c][u]);
      }
      ASSERT_EQ(row_maxima.data()[r * width + u], largest);
    }
  }
  expect_matches(table, column_maxima.data());
}

TEST(PatchVotes, AreAsDefinedOnEveryInstructionSet) {
  const std::vector<Grid> grids = {{1, 1}, {1, 5}, {5, 1}, {3, 3}, {8, 4}, {7, 5}, {12, 14}};
  for (const Grid& from : grids) {
    for (const Grid& to : grids) {
      on_every_target([&] {
        Rng rng(from.columns * 100 + to.columns);
        expect_as_defined(Table(from, to, rng, -32767, 32767));
        expect_as_defined(Table(from, to, rng, -2, 2));           // ties
        expect_as_defined(Table(from, to, rng, -32767, -31000));  // 2 c - m below 16 bits
        expect_as_defined(Table(from, to, rng, 32700, 32767));
      });
    }
  }
}

TEST(PatchVotes, FindTheBestWhereNoPlaceFitsSixteenBits) {
  on_every_target([] {
    Rng rng(5);
    Table table({4, 3}, {6, 7}, rng, 20000, 32767);
    // One row that is unlike everything: 2 c - m is below -32768 in every column.
    const VoteTable view = table.view();
    for (std::size_t u = 0; u < 42; ++u) {
      view.values[u / coarse_group * view.stride + 5 * coarse_group + u % coarse_group] =
          static_cast<std::int16_t>(-20000 - static_cast<int>(u * 7 % 42));
    }
    const std::size_t width = padded_columns(42);
    AlignedBuffer<std::int16_t> row_maxima(3 * width);
    AlignedBuffer<std::int16_t> column_maxima(width);
    static_cast<void>(scan_columns(view, row_maxima.data(), column_maxima.data()));
    std::vector<VoteMatch> matches(12);
    match_rows(view, column_maxima.data(), matches.data());
    std::size_t q = 0;
    const auto value = [&](std::size_t u) {
      return 2 * (-20000 - static_cast<int>(u * 7 % 42)) - column_maxima.data()[u];
    };
    for (std::size_t u = 1; u < 42; ++u) {
      if (value(u) > value(q)) q = u;
    }
    EXPECT_EQ(matches[5].patch, q);
  });
}

}  // namespace
}  // namespace caos::kernels
