#pragma once

#include <rapidcheck.h>

#include <numeric>
#include <ostream>

#include "caos/grouping.hpp"
#include "caos/rng.hpp"
#include "tests/classification/vote_oracle.hpp"

/// Small random tasks, full of ties.
namespace vote_problem {

using vote_oracle::Table;
using vote_oracle::Task;

inline Table symmetric_table(std::size_t size, const rc::Gen<double>& value) {
  Table table(size, std::vector<double>(size, 0));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) table[i][j] = table[j][i] = *value;
  }
  return table;
}

inline Task arbitrary_task(const rc::Gen<double>& value) {
  Task task;
  const auto n = *rc::gen::inRange<std::size_t>(1, 12);
  task.num_labels = *rc::gen::inRange<std::size_t>(1, 6);
  task.pairs = symmetric_table(n + 1, value);
  task.labels = *rc::gen::container<std::vector<caos::Label>>(
      n, rc::gen::inRange<caos::Label>(0, task.num_labels));
  return task;
}

/// Cosines of few values, some above 1 by rounding; with or without vectors of labels.
inline Task kernel_task() {
  const auto value = rc::gen::element(1.0, 1.0, 1.0000001, 0.9, 0.9, 0.5, 0.3, 0.0, -0.2, -1.0);
  Task task = arbitrary_task(value);
  if (*rc::gen::arbitrary<bool>()) {
    task.to_labels = *rc::gen::container<Table>(
        task.n() + 1, rc::gen::container<std::vector<double>>(task.num_labels, value));
  }
  return task;
}

inline Task ratio_task() {
  return arbitrary_task(rc::gen::element(0.0, 0.0, 0.1, 0.2, 0.3, 0.3, 0.7, 1.0, 3.0, 1e300));
}

inline caos::Matrix<double> matrix(const Table& rows, std::size_t count, std::size_t cols) {
  caos::Matrix<double> result(rows.empty() ? 0 : count, cols);
  for (std::size_t r = 0; r < result.rows(); ++r) {
    std::copy_n(rows[r].begin(), cols, result.row(r).begin());
  }
  return result;
}

/// The same task with its labeled examples in another order.
inline Task permuted(const Task& task, const std::vector<std::size_t>& order) {
  Task other = task;
  std::vector<std::size_t> all = order;
  all.push_back(task.n());
  for (std::size_t i = 0; i <= task.n(); ++i) {
    for (std::size_t j = 0; j <= task.n(); ++j) other.pairs[i][j] = task.pairs[all[i]][all[j]];
    if (!task.to_labels.empty()) other.to_labels[i] = task.to_labels[all[i]];
    if (i < task.n()) other.labels[i] = task.labels[all[i]];
  }
  return other;
}

inline std::vector<std::size_t> some_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  caos::Rng(*rc::gen::arbitrary<std::uint64_t>()).shuffle(std::span(order));
  return order;
}

inline std::vector<caos::GroupId> some_groups(std::size_t n) {
  return *rc::gen::container<std::vector<caos::GroupId>>(n, rc::gen::inRange<caos::GroupId>(0, 3));
}

}  // namespace vote_problem
