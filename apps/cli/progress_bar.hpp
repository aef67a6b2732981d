#pragma once

#include <cstddef>
#include <string>

#include "options.hpp"

namespace caos::cli {

/// A bar on stderr while work goes on: only on a terminal, not with --quiet.
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
  std::size_t shown_percent_ = 101;
};

}  // namespace caos::cli
