#pragma once

#include <string>

#include "apps/cli/program.hpp"

namespace caos::cli {

/// The manifest that lies beside a result; empty where there is none. One that is not of the result
/// as it is now is warned of, and does not count.
[[nodiscard]] std::string manifest_beside(const CommonOptions& options, const std::string& result);

/// Whether a text is a manifest, or tries to be.
[[nodiscard]] bool is_manifest(std::string_view text);

/// Prints what a manifest says, and whether its files are still what they were. An output that is
/// not is an Error bad_format, once all is printed.
void inspect_manifest(const CommonOptions& options, const std::string& file, std::string_view text);

}  // namespace caos::cli
