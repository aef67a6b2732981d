#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caos::landmarks {

/// A list of tuples of texts that Python pickled with protocol 0, as PyTables stores the names of
/// columns; a lone text counts as a tuple of one. Anything else is an Error bad_format. Runs
/// nothing, whatever the pickle asks for.
[[nodiscard]] std::vector<std::vector<std::string>> unpickle_lists(std::string_view text,
                                                                   const std::string& name);

}  // namespace caos::landmarks
