#pragma once

namespace caos::cli {

/// Makes the end of this program readable where a file that it has mapped becomes shorter, or can
/// be read no more: instead of the signal's silent end, one line that names the file, and exit
/// code 1. What was being written has no name yet and goes with the program
/// (docs/project/decisions/0034).
void explain_bus_errors();

}  // namespace caos::cli
