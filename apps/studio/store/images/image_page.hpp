#pragma once

#include "apps/studio/store/records.hpp"
#include "caos/io/sqlite.hpp"

namespace caos::studio {

/// The part of a project's images that a query asks for.
[[nodiscard]] ImagePage page_of(io::sqlite::Connection& db, const Project& project,
                                const ImageQuery& query);

}  // namespace caos::studio
