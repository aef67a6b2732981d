#include "apps/cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace caos::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Often enough to look alive, seldom enough to cost nothing.
constexpr auto pause = std::chrono::milliseconds(100);

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressBar::ProgressBar(const CommonOptions& options, std::string what)
    : visible_(!options.quiet && ::isatty(STDERR_FILENO) == 1),
      what_(std::move(what)),
      start_(Clock::now()),
      shown_(start_ - pause) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  constexpr const char* erase_line = "\r\033[K";
  if (on_screen_) std::fputs(erase_line, stderr);
  on_screen_ = false;
}

void ProgressBar::show(std::size_t done, std::size_t total, const Effort& effort) {
  const auto now = Clock::now();
  if (!visible_ || total == 0 || (done < total && now - shown_ < pause)) return;
  shown_ = now;
  on_screen_ = true;
  constexpr std::size_t width = 30;
  const std::string bar(done * width / total, '=');
  const double elapsed = std::max(1e-9, seconds(now - start_));
  const double rate = static_cast<double>(done - effort.at_no_cost) / elapsed;
  const std::string left =
      rate == 0 ? "" : ", " + duration_text(static_cast<double>(total - done) / rate) + " left";
  const std::string speed =
      effort.tokens == 0
          ? fmt::format("{:.3g}/s", rate)
          : fmt::format("{:.0f} tokens/s", static_cast<double>(effort.tokens) / elapsed);
  fmt::print(stderr, "\r{} [{:<{}}] {} of {}, {}{}\033[K", what_, bar, width, done, total, speed,
             left);
}

}  // namespace caos::cli
