#pragma once

#include <array>

namespace caos::cli {

/// A name and what it means, for every command.
struct Fact {
  const char* name;
  const char* meaning;
};

inline constexpr std::array exit_codes = {
    Fact{"0", "Done. A warning on standard error does not change this."},
    Fact{"1",
         "Failed: a file is missing, damaged or cannot be written, a model runtime failed, verify "
         "found a contradiction, or inspect an output that was changed. No half-written file is "
         "left."},
    Fact{"2", "Misused: no command, or an invalid option or value. Nothing was written."},
};

inline constexpr std::array environment_variables = {
    Fact{
        "CAOS_KERNELS",
        "The instruction set to use, such as SCALAR; by default the best of the processor. Results "
        "are the same bytes with each; caos --version prints the one in use."},
    Fact{"XDG_CACHE_HOME",
         "Cached embeddings are kept in its folder caos; by default .cache in the home folder."},
    Fact{"HOME", "The home folder, where XDG_CACHE_HOME is not set."},
};

inline constexpr std::array kept_files = {
    Fact{
        "~/.cache/caos",
        "Embeddings of images, so that a second run is fast. May be deleted at any time; --no-cache keeps none, and "
        "--cache DIR keeps them elsewhere."},
};

}  // namespace caos::cli
