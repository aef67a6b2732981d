#pragma once

#include <string>

namespace caos::studio::http {

/// Reads the token in a file: at least 16 letters, digits and signs such as - and _, without which
/// it could be guessed. Throws `invalid_input` for others, `not_found` if the file does not exist.
[[nodiscard]] std::string read_token(const std::string& path);

/// Writes a new random token that only the user can read. Throws `invalid_input` if the file is
/// there already.
void make_token(const std::string& path);

}  // namespace caos::studio::http
