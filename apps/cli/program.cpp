#include "apps/cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include "caos/error.hpp"

namespace caos::cli {
namespace {

struct Recorder {
  io::Sha256 hash{};
  std::uint64_t bytes = 0;
};

std::optional<Recorder>& recorder() {
  static std::optional<Recorder> instance;
  return instance;
}

}  // namespace

void record_printing() { recorder().emplace(); }

io::FileHash printed() { return {.bytes = recorder()->bytes, .sha256 = recorder()->hash.digits()}; }

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  require(written, ErrorKind::backend, "standard output cannot be written");
  if (!recorder()) return;
  recorder()->hash.add(std::as_bytes(std::span(text)));
  recorder()->bytes += text.size();
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

bool is_silenced(const CommonOptions& options) {
  if (!options.quiet || options.json || options.command == nullptr) return false;
  const std::vector<Option*> all = options.command->get_options();
  const auto output = std::ranges::find(all, "--output", &Option::get_name);
  return output != all.end() && (*output)->count() > 0;
}

Json json_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace caos::cli
