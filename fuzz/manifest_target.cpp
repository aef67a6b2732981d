#include <algorithm>

#include "apps/cli/provenance/manifest_file.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

// What a terminal is given must not command it.
FUZZ_TARGET(manifest, input) {
  const cli::Json json = cli::read_manifest("result.manifest.json", text_of(input));
  (void)cli::is_manifest_of("result.manifest.json", text_of(input), "result");
  const std::string text = cli::manifest_text("result.manifest.json", json);
  demand(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }),
         "a manifest is told in letters");
}

}  // namespace
}  // namespace caos::fuzz
