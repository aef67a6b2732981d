#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace caos::test {

/// A mean over trials and its standard error.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    squares_ += value * value;
    ++count_;
  }
  [[nodiscard]] double value() const { return sum_ / static_cast<double>(count_); }
  [[nodiscard]] double error() const {
    const auto n = static_cast<double>(count_);
    return std::sqrt(std::max(0.0, squares_ / n - value() * value()) / (n - 1));
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
  std::size_t count_ = 0;
};

}  // namespace caos::test
