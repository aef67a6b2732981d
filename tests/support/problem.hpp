#pragma once

#include <rapidcheck.h>

#include <limits>
#include <ostream>
#include <utility>

#include "caos/calibration.hpp"
#include "caos/miscoverage.hpp"
#include "caos/scores.hpp"
#include "caos/test_inputs.hpp"
#include "tests/support/oracle.hpp"

/// Small random tasks, full of ties, for properties.
namespace problem {

/// Few values, so that ties happen everywhere, and such that the order of additions shows: none of
/// the decimals is exact. Infinity is a legal score.
inline rc::Gen<double> score() {
  return rc::gen::element(0.0, -0.0, 0.1, 0.1, 0.2, 0.3, 0.7, -0.1, 1e-17, 3.0,
                          std::numeric_limits<double>::infinity());
}

inline rc::Gen<oracle::Table> table(std::size_t rows, std::size_t cols) {
  return rc::gen::container<oracle::Table>(rows, rc::gen::container<oracle::Pool>(cols, score()));
}

/// One task: n labeled examples and a test input with K labels.
struct Task {
  std::size_t k = 1;
  oracle::Table own;      // [n][n]
  oracle::Table pools;    // [K][n]
  oracle::Table reverse;  // [K][n]

  [[nodiscard]] std::size_t n() const { return own.size(); }
};

inline std::ostream& operator<<(std::ostream& out, const Task& task) {
  out << "k = " << task.k << "\nown\n";
  const auto show = [&](const oracle::Table& rows) {
    for (const auto& row : rows) {
      for (const double value : row) out << value << ' ';
      out << '\n';
    }
  };
  show(task.own);
  out << "pools\n";
  show(task.pools);
  out << "reverse\n";
  show(task.reverse);
  return out;
}

inline Task arbitrary_task(std::size_t smallest_n = 2) {
  const auto n = *rc::gen::inRange<std::size_t>(smallest_n, 13);
  const auto num_labels = *rc::gen::inRange<std::size_t>(1, 7);
  Task task;
  task.k = *rc::gen::inRange<std::size_t>(1, n);
  task.own = *table(n, n);
  task.pools = *table(num_labels, n);
  task.reverse = *table(num_labels, n);
  return task;
}

/// A task whose scores come from a symmetric function of pairs.
inline Task symmetric_task() {
  Task task = arbitrary_task();
  for (std::size_t i = 0; i < task.n(); ++i) {
    for (std::size_t j = 0; j < i; ++j) task.own[i][j] = task.own[j][i];
  }
  task.reverse = task.pools;
  return task;
}

/// alpha = a / 100, so that the library's decimal and the oracle's fraction are the same number.
inline std::size_t percent() { return *rc::gen::inRange<std::size_t>(1, 100); }

inline caos::Miscoverage alpha(std::size_t percent) {
  return caos::Miscoverage::parse((percent < 10 ? "0.0" : "0.") + std::to_string(percent));
}

inline caos::Matrix<double> matrix(const oracle::Table& rows) {
  caos::Matrix<double> result(0, rows.empty() ? 0 : rows[0].size());
  for (const auto& row : rows) result.push_row(row);
  return result;
}

inline caos::ScoreRows rows_of(const caos::Matrix<double>& matrix) { return matrix.view(); }

inline caos::OwnScores own_scores(const oracle::Table& own) {
  return caos::OwnScores(rows_of(matrix(own)));
}

/// The task in the library's types; owns what the views look at.
class Instance {
 public:
  explicit Instance(const Task& task)
      : own(own_scores(task.own)), pools_(matrix(task.pools)), reverse_(matrix(task.reverse)) {}

  [[nodiscard]] caos::TestInput input() const {
    return {.pools = rows_of(pools_), .reverse = rows_of(reverse_)};
  }

  caos::OwnScores own;

 private:
  caos::Matrix<double> pools_;
  caos::Matrix<double> reverse_;
};

}  // namespace problem
