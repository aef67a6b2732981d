#include "caos/numerics/minsum.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "caos/error.hpp"
#include "caos/kernels/smallest.hpp"

namespace caos {
namespace {

void require_k(std::size_t k, std::size_t pool_size) {
  require(1 <= k && k <= pool_size, ErrorKind::invalid_input,
          "k must be at least 1 and at most the number of scores in the pool");
}

}  // namespace

Score sum_in_order(std::span<const Score> scores) {
  Score sum = 0.0;
  for (const Score score : scores) sum += score;
  return sum;
}

std::vector<Score> smallest(ScorePool pool, std::size_t k) {
  require_k(k, pool.size());
  std::vector<Score> result(k);
  std::ranges::partial_sort_copy(pool, result);
  for (Score& score : result) score += 0.0;
  return result;
}

Score minsum(ScorePool pool, std::size_t k) { return sum_in_order(smallest(pool, k)); }

Score minsum_without(ScorePool pool, std::size_t k, std::size_t left_out) {
  require(left_out < pool.size(), ErrorKind::invalid_input,
          "the score left out must be in the pool");
  std::vector<Score> rest(pool.begin(), pool.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
  return minsum(rest, k);
}

void minsum_rows(const ScoreRows& pools, std::size_t k, std::span<Score> out) {
  assert(out.size() == pools.rows());
  require_k(k, pools.cols());
  pools.visit([&](auto view) {
    kernels::minsum_rows(view.data(), view.rows(), view.cols(), k, out.data());
  });
}

void smallest_rows(const ScoreRows& pools, MatrixView<Score> out) {
  assert(out.rows() == pools.rows());
  require_k(out.cols(), pools.cols());
  pools.visit([&](auto view) {
    kernels::smallest_rows(view.data(), view.rows(), view.cols(), out.cols(), out.data());
  });
}

}  // namespace caos
