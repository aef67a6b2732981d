#include "program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "caos/core/error.hpp"

namespace caos::cli {

void add_common_options(CLI::App& verb, CommonOptions& options) {
  verb.add_flag("--json", options.json, "Print one JSON object instead of text for people");
  verb.add_flag("--quiet", options.quiet, "No warnings and no progress on stderr");
}

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  require(written, ErrorKind::backend, "standard output cannot be written");
}

void finish_printing() {
  require(std::fflush(stdout) == 0, ErrorKind::backend, "standard output cannot be written");
}

void note(const CommonOptions& options, std::string_view text) {
  if (!options.quiet) fmt::print(stderr, "{}\n", text);
}

void warn(const CommonOptions& options, std::string_view text) {
  note(options, fmt::format("caos: warning: {}", text));
}

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

Json json_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace caos::cli
