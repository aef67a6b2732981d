#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "options.hpp"

namespace caos::cli {

/// A bar on stderr while work goes on, with rate and time left: only on a terminal, not with
/// --quiet.
class ProgressBar {
 public:
  ProgressBar(const CommonOptions& options, std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total);

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
