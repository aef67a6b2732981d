#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace caos::cli {

ProgressBar::ProgressBar(const CommonOptions& options, std::string what)
    : visible_(!options.quiet && ::isatty(STDERR_FILENO) == 1), what_(std::move(what)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  constexpr const char* erase_line = "\r\033[K";
  if (visible_ && shown_percent_ <= 100) std::fputs(erase_line, stderr);
  shown_percent_ = 101;
}

void ProgressBar::show(std::size_t done, std::size_t total) {
  const std::size_t percent = total == 0 ? 100 : done * 100 / total;
  if (!visible_ || percent == shown_percent_) return;
  shown_percent_ = percent;
  constexpr std::size_t width = 40;
  const std::string bar(percent * width / 100, '=');
  fmt::print(stderr, "\r{} [{:<{}}] {:3} %", what_, bar, width, percent);
}

}  // namespace caos::cli
