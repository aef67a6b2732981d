#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace caos::io {

/// Whether an .npy file has texts as its elements, NumPy's str or bytes, or Python objects, which
/// `parse_npy_texts` refuses with a remedy; `name` is what errors call the file.
[[nodiscard]] bool is_npy_of_texts(std::span<const std::byte> file, const std::string& name);

/// The texts of an .npy file with one dimension, as UTF-8. Throws `bad_format` for what is not text
/// and `invalid_input` for another number of dimensions.
[[nodiscard]] std::vector<std::string> parse_npy_texts(std::span<const std::byte> file,
                                                       const std::string& name);

}  // namespace caos::io
