#include "program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "caos/core/error.hpp"

namespace caos::cli {

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

Json json_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace caos::cli
