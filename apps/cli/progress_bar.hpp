#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "apps/cli/options.hpp"

namespace caos::cli {

/// "12 s", "3 min 05 s", "2 h 10 min".
[[nodiscard]] std::string duration_text(double seconds);

/// What went into the work so far, where items alone do not tell.
struct Effort {
  std::size_t at_no_cost = 0;  ///< items that took no time, as they were known before
  std::size_t tokens = 0;      ///< shown per second instead of items, if there are any
};

/// A bar on stderr while work goes on, with rate and time left: only on a terminal, not with
/// --quiet.
class ProgressBar {
 public:
  ProgressBar(const CommonOptions& options, std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total, const Effort& effort = {});

  /// Takes the bar off the screen, so that text can follow.
  void clear();

 private:
  bool visible_;
  std::string what_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point shown_;
  bool on_screen_ = false;
};

}  // namespace caos::cli
