// What libFuzzer calls: the one target that CAOS_FUZZ_TARGET names.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "caos/error.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

const Target* chosen = nullptr;

const Target* find(const char* name) {
  const auto found = std::ranges::find(targets(), name == nullptr ? "" : name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

void list_targets(std::FILE* to) {
  std::ranges::sort(targets(), {}, &Target::name);
  for (const Target& target : targets()) std::fprintf(to, "%s\n", target.name.data());
}

}  // namespace
}  // namespace caos::fuzz

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  const char* const name = std::getenv("CAOS_FUZZ_TARGET");
  if (name != nullptr && std::string_view(name) == "list") {
    caos::fuzz::list_targets(stdout);
    std::exit(0);
  }
  caos::fuzz::chosen = caos::fuzz::find(name);
  if (caos::fuzz::chosen == nullptr) {
    std::fprintf(stderr, "CAOS_FUZZ_TARGET must be one of:\n");
    caos::fuzz::list_targets(stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    caos::fuzz::chosen->run(std::as_bytes(std::span(data, size)));
  } catch (const caos::Error& error) {
    caos::fuzz::demand(*error.what() != '\0', "an error says something");
  }
  return 0;
}
