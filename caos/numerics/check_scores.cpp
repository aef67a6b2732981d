#include "caos/numerics/check_scores.hpp"

#include <fmt/format.h>

#include "caos/error.hpp"
#include "caos/kernels/check.hpp"

namespace caos {
namespace {

/// The first column in [begin, cols) of row `r` that holds no score; `cols` if there is none.
std::size_t find_in_row(const ScoreRows& rows, std::size_t r, std::size_t begin) {
  return rows.visit([&](auto view) {
    const auto rest = view.row(r).subspan(begin);
    return begin + kernels::find_not_a_score(rest.data(), rest.size());
  });
}

[[noreturn]] void refuse(const std::string& name, const std::string& place, Score score) {
  throw Error(ErrorKind::bad_format,
              fmt::format("{}: entry ({}) is {}; scores must be numbers, not below {}, or +inf",
                          name, place, score, kernels::least_score));
}

/// The first bad column of row `r` other than `ignored`.
std::optional<std::size_t> bad_column(const ScoreRows& rows, std::size_t r,
                                      std::optional<std::size_t> ignored) {
  const std::size_t skipped = ignored.value_or(rows.cols());
  std::size_t column = find_in_row(rows, r, 0);
  if (column == skipped && column < rows.cols()) column = find_in_row(rows, r, column + 1);
  return column < rows.cols() ? std::optional(column) : std::nullopt;
}

}  // namespace

bool is_score(Score score) { return score >= kernels::least_score; }

void check_input(const ScoreTensor& tensor, std::size_t t, std::optional<std::size_t> ignored) {
  check_pools(tensor.input(t), t, tensor.name, ignored);
}

void check_pools(const ScoreRows& pools, std::size_t t, const std::string& name,
                 std::optional<std::size_t> ignored) {
  for (Label y = 0; y < pools.rows(); ++y) {
    if (const auto j = bad_column(pools, y, ignored)) {
      refuse(name, fmt::format("{}, {}, {}", t, y, *j), pools(y, *j));
    }
  }
}

void check_scores(std::span<const Score> scores, const std::string& name) {
  const std::size_t i = kernels::find_not_a_score(scores.data(), scores.size());
  if (i < scores.size()) refuse(name, fmt::format("{}", i), scores[i]);
}

void check_off_diagonal(const ScoreRows& matrix, const std::string& name) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    if (const auto j = bad_column(matrix, i, i)) {
      refuse(name, fmt::format("{}, {}", i, *j), matrix(i, *j));
    }
  }
}

}  // namespace caos
