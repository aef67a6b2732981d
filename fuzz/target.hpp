#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What every target needs. A target is a file that says how one reader gets at outside bytes:
//
//   FUZZ_TARGET(csv, input) { (void)io::parse_csv(text_of(input), "input"); }
//
// It may end or throw caos::Error. Whatever else it throws, what a sanitizer sees and what `demand`
// misses is a finding.
namespace caos::fuzz {

using Input = std::span<const std::byte>;

struct Target {
  std::string_view name;
  void (*run)(Input);
};

/// All targets of the program.
std::vector<Target>& targets();

/// Ends the program, so that libFuzzer keeps the input, unless `condition` holds.
void demand(bool condition, const char* what);

[[nodiscard]] std::string_view text_of(Input input);
[[nodiscard]] std::vector<std::byte> copy_of(Input input);

/// A folder in memory where the system has such, removed when the program ends.
[[nodiscard]] const std::string& scratch_folder();

/// Puts the input into a file of the scratch folder, for readers that open files; its path.
std::string file_of(Input input, const std::string& name);

/// The same as a safetensors file whose checksum fits: else nothing behind it would be reached.
[[nodiscard]] std::vector<std::byte> with_checksum(Input input);

}  // namespace caos::fuzz

#define FUZZ_TARGET(name, input)                                     \
  static void fuzz_##name(caos::fuzz::Input input);                  \
  [[maybe_unused]] static const bool registered_##name =             \
      (caos::fuzz::targets().push_back({#name, fuzz_##name}), true); \
  static void fuzz_##name(caos::fuzz::Input input)
