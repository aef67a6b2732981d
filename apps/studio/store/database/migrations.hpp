#pragma once

#include <cstdint>
#include <string>

#include "caos/io/sqlite.hpp"

namespace caos::studio {

/// The version of the schema that this program writes.
[[nodiscard]] std::int64_t schema_version();

/// Brings the database at `path` from whatever version it has, 0 if it is new, to the present one,
/// each step whole or not at all. Throws `invalid_input` if a newer program made it, and
/// `bad_format` if it is not the studio's.
void migrate(io::sqlite::Connection& db, const std::string& path);

}  // namespace caos::studio
