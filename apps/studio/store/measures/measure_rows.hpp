#pragma once

#include "apps/studio/store/measures/measures.hpp"
#include "caos/io/sqlite.hpp"

namespace caos::studio {

/// Without those whose landmarks have left the scheme.
[[nodiscard]] Measures measures_of(io::sqlite::Connection& db, Id project);

/// As they are, with their revision.
void write_measures(io::sqlite::Connection& db, Id project, const Measures& measures);

}  // namespace caos::studio
